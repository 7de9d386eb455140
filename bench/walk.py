"""The walk of a click: through how many functions and files of ours one decision passes.

    python -m bench.walk [GAME] [--list]

Two people sit at a table of Dual Powers (or another game); one of them decides. Counted with Python's profiler, in
all threads: the functions of the package that are entered between the request and its answer (the way in), and
between the answer and the event at the other person's stream (the way to another viewer). Code made from templates
counts as one function each. Everything was done once before, so that nothing is counted that only a first request
does. Kept in bench/walk.json, beside the numbers of before; of all functions counted, those in the folder of the game
are told besides. --list names them, file by file.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import httpx

from samizdat.kernel.game import definition
from samizdat.kernel.match import Match
from samizdat.table.app import create_app
from samizdat.table.drawings import drawn
from samizdat.table.house import House
from samizdat.table.seats import Seat, new_key
from samizdat.table.settings import Settings
from samizdat.table.streams import Follower
from samizdat.table.tables import LiveTable

HERE = Path(__file__).parent
PACKAGE = str(HERE.parent / "samizdat")
UNNAMED = ("<genexpr>", "<lambda>", "<listcomp>", "<dictcomp>", "<setcomp>")
DECISIONS = 12  # of which the median counts: not every decision passes the same rules

Counted = tuple[tuple[int, int, int], list[str]]


class Steps:
    """Which functions of ours were entered while it counted, in whatever thread."""

    def __init__(self) -> None:
        self.codes: set[CodeType] = set()
        self.on = False
        threading.setprofile(self._note)  # threads that begin later; so this is made before any of them
        sys.setprofile(self._note)

    def _note(self, frame: FrameType, event: str, arg: object) -> None:
        code = frame.f_code
        if self.on and event == "call" and code.co_filename.startswith(PACKAGE) and code.co_name not in UNNAMED:
            self.codes.add(code)

    @contextmanager
    def counting(self) -> Iterator[None]:
        self.codes.clear()
        self.on = True
        yield
        self.on = False

    def told(self) -> tuple[int, int, int]:
        """How many functions, in how many files, and how many of them are the game's."""
        files = [code.co_filename for code in self.codes]
        return len(files), len(set(files)), sum(file.startswith(f"{PACKAGE}/games/") for file in files)

    def names(self) -> list[str]:
        """Which functions, by file and line."""
        places = sorted((code.co_filename, code.co_firstlineno, code.co_name) for code in self.codes)
        return [f"{file.removeprefix(PACKAGE)}:{line} {name}" for file, line, name in places]


async def sit(house: House, name: str) -> LiveTable:
    game = definition(name).choose()
    people = [f"p{seat}" for seat in range(game.players)]
    for one in people:
        house.store.remember_player(one, one)
    chairs = [Seat("person", "", one, new_key(), {one}) for one in people]
    return await house.open_table(game, chairs, people[0], False, 7)


async def walk(name: str, listed: bool = False) -> dict[str, Any]:
    found: list[tuple[Counted, Counted]] = []
    steps = Steps()
    with tempfile.TemporaryDirectory() as folder:
        app = create_app(Settings(Path(folder)))
        house: House = app.state.house
        table = await sit(house, name)
        browsers = []
        for seat, chair in enumerate(table.chairs):
            transport = httpx.ASGITransport(app=app)
            browsers.append(httpx.AsyncClient(transport=transport, base_url="http://table"))
            await browsers[seat].post(f"/sit/{chair.key}")
        for _ in range(2 * DECISIONS):
            match: Match | None = table.match
            assert match is not None
            seat = match.turn[0]
            other = (seat + 1) % match.seats
            follower = Follower(
                table, other, table.history(other).version,
                lambda viewer, step: drawn(table, viewer, step, "en", True),
            )  # fmt: skip
            table.listeners.setdefault(other, set()).add(asyncio.Event())
            follower.due()
            decision = {"seat": seat, "version": table.history(seat).version, "move": str(match.legal(seat)[0])}
            with steps.counting():
                answer = await browsers[seat].post(f"/table/{table.id}/move", json=decision)
            assert answer.status_code == 200, answer.text
            way_in = steps.told(), steps.names()
            with steps.counting():
                follower.due()
            found.append((way_in, (steps.told(), steps.names())))
            table.listeners[other].clear()
        for browser in browsers:
            await browser.aclose()
        house.store.close()
    last = found[DECISIONS:]

    def median(which: int) -> dict[str, int]:
        (functions, files, of_the_game), names = sorted(one[which] for one in last)[DECISIONS // 2]
        if listed:
            print("\n".join([("The way in:", "The way to another viewer:")[which], *names, ""]))
        return {"functions": functions, "files": files, "of_the_game": of_the_game}

    return {"game": name, "in": median(0), "to_another": median(1)}


def main() -> None:
    kept = HERE / "walk.json"
    names = [one for one in sys.argv[1:] if one != "--list"]
    result = asyncio.run(walk(names[0] if names else "dual-powers", "--list" in sys.argv))
    print(json.dumps(result, indent=2))
    kept.write_text(json.dumps(json.loads(kept.read_text()) | {"now": result}, indent=2) + "\n")


if __name__ == "__main__":
    main()
