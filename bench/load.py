"""How soon a decision reaches all who look on, with many live tables; what that takes of processor and memory.

    python -m bench.load [--tables 1000] [--streams 4] [--pace 10] [--seconds 60] [--processes N]

Starts a server of its own on loopback: one process on SQLite, or N on a PostgreSQL of its own, both with the disk's
word for every decision. At every table streams are open, those of two seats first and then of people who look on,
and each table makes a decision every `pace` seconds on average. Measured: from sending the decision to the arrival
of the whole event at each stream that can notice it, over the pages that browsers use. The tables are laid into
the database before the server begins, some way into matches that are known to the end, so that nothing is asked of
it but what browsers ask. An error is an answer other than 200, an event that did not come within 10 seconds, or a
stream that ended. The script's own browsers share the cores with the server; its seconds of processor are told
apart from those of the server's processes. Results are printed as JSON and kept in bench/load.json.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import os
import random
import statistics
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from itsdangerous import URLSafeSerializer

from bench.boards import drawing, weigh
from bench.browsers import Line, Stream
from bench.servers import Serving, serving
from samizdat.kernel.game import definitions
from samizdat.kernel.match import Match
from samizdat.table.house import House
from samizdat.table.importing import read_match
from samizdat.table.journal import Decision
from samizdat.table.new_tables import table_row
from samizdat.table.players import COOKIE
from samizdat.table.preview import random_match
from samizdat.table.seats import Seat, new_key
from samizdat.table.settings import Settings, fresh_secret
from samizdat.table.store.store import Store
from samizdat.table.tables import PLAYING

HERE = Path(__file__).parent
PLAYERS = {"revolution": 3}
MATCHES = 6  # of each game, which all tables of it play
BEGUN = 12  # decisions that are made when people sit down: a log has lines by then
PATIENCE = 10.0  # seconds until an event counts as lost
PLAYER = "ada"
IDLE = 15  # seconds that a table stays in memory when nobody looks at it
LEFT = IDLE + 15.0  # seconds until it is looked at what was given back
AT_ONCE = 8  # tables that are opened side by side


class Place(Protocol):
    """A table somewhere: ours or a rival's."""

    async def sit(self) -> None: ...

    async def decide(self, told: list[float]) -> bool | None:
        """One decision; None if there is none left. Seconds until each event are added to those `told`; False is an
        error."""
        ...

    def leave(self) -> None: ...


@dataclass(frozen=True)
class Planned:
    """One decision, and the version that each viewer has after it: whoever looks on, then the seats."""

    seat: int
    move: str
    versions: tuple[int, ...]


@dataclass(frozen=True)
class Plan:
    """A match that is known before it is played."""

    game: str
    file: str
    versions: tuple[int, ...]
    decisions: tuple[Planned, ...]


def versions(match: Match) -> tuple[int, ...]:
    return tuple(match.history(viewer).version for viewer in (None, *range(match.seats)))


def plans(games: list[str]) -> list[Plan]:
    """Matches of all games, one of each in turn."""
    found = []
    for seed in range(MATCHES):
        for game in games:
            options: dict[str, object] = {"players": PLAYERS.get(game, 2)}
            match = random_match(game, seed + 1, BEGUN, options)
            text, begun = match.dumps(), versions(match)
            dice, decided = random.Random(seed), []
            while not match.over:
                seat = dice.choice(match.turn)
                move = dice.choice(match.legal(seat))
                match.play(seat, move)
                decided.append(Planned(seat, str(move), versions(match)))
            found.append(Plan(game, text, begun, tuple(decided)))
    return found


class Laid:
    """Tables in a database, all seats of which one browser holds."""

    def __init__(self, plans: list[Plan], tables: int) -> None:
        self.plans, self.count = plans, tables
        self.cookie = ""
        self.tables: list[tuple[str, Plan]] = []

    def prepare(self, settings: Settings) -> None:
        """Into a new database, by the code that a match file is brought with."""
        store = Store(settings.address, settings.prepare())
        secret = store.secret(fresh_secret()) if store.shared else settings.secret()
        self.cookie = f"Cookie: {COOKIE}={URLSafeSerializer(secret, salt='player').dumps(PLAYER)}\r\n"
        store.remember_player(PLAYER, "Ada")
        house, read = House(store, 0, 0), [read_match(plan.file) for plan in self.plans]
        for number in range(self.count):
            brought, id = read[number % len(read)], f"load{number:08}"
            row = table_row(id, brought.game, PLAYER, False, brought.seed)
            row |= {"nonce": brought.nonce, "status": PLAYING, "imported": True, **brought.stored}
            chairs = [Seat("person", "", f"Ada {seat}", new_key(), {PLAYER}) for seat in range(brought.game.players)]
            house._add(row, chairs, brought.game, [Decision(*one) for one in brought.decisions])
            self.tables.append((id, self.plans[number % len(self.plans)]))
        house.readers.close()
        store.close()


class Table:
    """One of ours, with its streams."""

    def __init__(self, port: int, laid: Laid, number: int, streams: int) -> None:
        self.line, self.count, self.cookie = Line(port), streams, laid.cookie
        self.id, self.plan = laid.tables[number]
        self.streams: list[tuple[int, Stream]] = []  # by whose eyes: 0 is somebody who looks on
        self.made = 0

    async def sit(self) -> None:
        for number in range(self.count):
            eyes = number + 1 if number < 2 else 0
            asks = f"seat={eyes - 1}" if eyes else "looking=true"
            path = f"/table/{self.id}/events?since={self.plan.versions[eyes]}&{asks}"
            cookie = self.cookie if eyes else ""
            stream = Stream(f"GET {path} HTTP/1.1\r\nHost: x\r\n{cookie}\r\n", self.plan.versions[eyes])
            await stream.open(self.line.port)
            self.streams.append((eyes, stream))

    async def decide(self, told: list[float]) -> bool | None:
        if self.made == len(self.plan.decisions):
            return None
        one = self.plan.decisions[self.made]
        before = self.plan.decisions[self.made - 1].versions if self.made else self.plan.versions
        self.made += 1
        coming = [
            stream.reaches(one.versions[eyes]) for eyes, stream in self.streams if one.versions[eyes] > before[eyes]
        ]
        body = json.dumps({"seat": one.seat, "version": before[one.seat + 1], "move": one.move})
        started = time.perf_counter()
        status, _, _ = await self.line.ask("POST", f"/table/{self.id}/move", self.cookie, body.encode())
        if coming:
            await asyncio.wait(coming, timeout=PATIENCE)
        told += [future.result() - started for future in coming if future.done()]
        return status == 200 and all(future.done() for future in coming)

    def leave(self) -> None:
        for _, stream in self.streams:
            stream.close()
        if self.line.streams:
            self.line.streams[1].close()

    @property
    def lost(self) -> int:
        return sum(stream.lost for _, stream in self.streams)


async def played(tables: list[Any], seconds: float, pace: float, serving: Any) -> dict[str, Any]:
    """Everybody plays; the first round of decisions is not counted."""
    delays: list[float] = []
    counted = errors = 0
    begin = time.perf_counter() + pace
    end = begin + seconds
    spent: dict[str, dict[str, float]] = {}

    async def play(table: Place, number: int) -> None:
        nonlocal counted, errors
        dice = random.Random(number)
        due = time.perf_counter() + dice.random() * pace
        while due < end:
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            now, told = time.perf_counter(), list[float]()
            good = await table.decide(told)
            if good is None:
                return
            errors += not good
            if begin <= now < end:
                counted += 1
                delays.extend(told)
            due = max(due + dice.uniform(0.5, 1.5) * pace, time.perf_counter())

    async def watch() -> None:
        await asyncio.sleep(begin - time.perf_counter())
        spent["begin"] = await asyncio.to_thread(serving.processor) | {"script": time.process_time()}
        await asyncio.sleep(end - time.perf_counter())
        spent["end"] = await asyncio.to_thread(serving.processor) | {"script": time.process_time()}

    watching = asyncio.create_task(watch())
    await asyncio.gather(*(play(table, number) for number, table in enumerate(tables)))
    await watching
    delays.sort()
    processor = {name: spent["end"][name] - spent["begin"][name] for name in spent["begin"]}
    return {
        "tables": len(tables), "seconds": seconds, "pace_s": pace, "decisions": counted,
        "decisions_a_second": round(counted / seconds, 1), "events": len(delays),
        "errors": errors + sum(table.lost for table in tables),
        "median_ms": round(1000 * statistics.median(delays), 1),
        "p99_ms": round(1000 * delays[int(0.99 * (len(delays) - 1))], 1),
        "worst_ms": round(1000 * delays[-1], 1),
        "processor_ms_a_decision": {name: round(1000 * one / counted, 2) for name, one in processor.items()},
        "load_average": round(os.getloadavg()[0], 2),
    }  # fmt: skip


async def seated(tables: list[Any]) -> None:
    queue = list(reversed(tables))

    async def seat() -> None:
        while queue:
            await queue.pop().sit()

    await asyncio.gather(*(seat() for _ in range(AT_ONCE)))


async def load(server: Serving, laid: Laid, tables: int, streams: int, seconds: float, pace: float) -> dict[str, Any]:
    """Sit down, play, leave; and what the server held of memory before, meanwhile and afterwards."""
    here = [Table(server.port, laid, number, streams) for number in range(tables)]
    first = [Table(server.port, laid, number, streams) for number in range(len(laid.plans))]
    for one in first:  # what is read and compiled once
        await one.sit()
        one.leave()
    await asyncio.to_thread(server.settle)
    memory = {"before": server.own.memory()}
    await seated(here)
    print(f"{tables} tables with {tables * streams} streams", file=sys.stderr, flush=True)
    gc.freeze()  # of this script: nothing here goes away until the end
    found = await played(here, seconds, pace, server)
    memory["playing"] = server.own.memory()
    for table in here:
        table.leave()
    await asyncio.sleep(LEFT)
    memory["left"] = server.own.memory()
    found["memory_mb"] = {name: round(value) for name, value in memory.items()}
    found["kb_a_table"] = round(1024 * (memory["playing"] - memory["before"]) / tables)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument("--streams", type=int, default=4, help="at each table")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--pace", type=float, default=10)
    parser.add_argument("--processes", type=int, default=0, help="on PostgreSQL; 0 is one on SQLite")
    parser.add_argument("--game", action="append", choices=list(definitions()))
    parser.add_argument(
        "--boards", action="store_true", help="also how long boards take to draw, and what they weigh"
    )
    given = parser.parse_args()
    games = given.game or list(definitions())
    results: dict[str, Any] = {}
    laid = Laid(plans(games), given.tables)
    with serving(given.processes, laid.prepare, ["--idle-seconds", str(IDLE)]) as server:
        if given.boards:
            results = {"page_kb": asyncio.run(weigh(server.port)), "draw_ms": drawing()}
        results["load"] = asyncio.run(load(server, laid, given.tables, given.streams, given.seconds, given.pace))
    print(json.dumps(results, indent=1))
    (HERE / "load.json").write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
