"""How soon a decision reaches the other browser, with many live tables; and how long a board takes to draw.

    python -m bench.load [--tables 200] [--seconds 20] [--pace 5] [--game GAME]

Starts a server of its own on loopback. At every table two people sit over a link and each table makes a decision
every `pace` seconds on average. Measured: from sending the decision to the arrival of the event at the other person's
stream. The script's own browsers share the cores with the server. Results are printed as JSON and kept in
bench/load.json.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx

from samizdat.kernel.game import definitions
from samizdat.table.preview import position, random_match
from samizdat.table.rendering import parts

HERE = Path(__file__).parent


def drawing() -> dict[str, float]:
    """Milliseconds to draw all parts of one board, and of one that is drawn for the second time."""
    found = {}
    for name in definitions():
        match = random_match(name, 7, 40, {})
        shown = position(match, match.turn[0])
        parts(shown, "en")
        spent = []
        for _ in range(30):
            started = time.process_time()
            parts(shown, "en")
            spent.append(time.process_time() - started)
        found[name] = round(1000 * statistics.median(spent), 2)
    return found


async def weigh(address: str) -> dict[str, float]:
    """Kilobytes of a board's page on a first visit, compressed, fonts aside."""
    found = {}
    async with httpx.AsyncClient(base_url=address, follow_redirects=True, timeout=60) as client:
        for name in definitions():
            page = await client.post(
                f"/new/{name}",
                data={"name": "A", "seat-0": "me", "seat-1": "here", "seat-2": "here", "seat-3": "here"},
            )
            page = await client.get(str(page.url).replace("/cover", "?seat=0"))
            total = int(page.headers.get("content-length", len(page.content)))
            for link in re.findall(r'(?:href|src)="(/(?:static|boards)/[^"]+)"', page.text):
                if "fonts/" not in link:
                    answer = await client.get(link)
                    total += int(answer.headers.get("content-length", len(answer.content)))
            found[name] = round(total / 1024, 1)
    return found


class Pair:
    """Two people at one table; each follows the stream of the other's decisions."""

    def __init__(self, address: str, game: str, limits: httpx.Limits) -> None:
        self.game = game
        self.people = [httpx.AsyncClient(base_url=address, timeout=120, limits=limits) for _ in range(2)]
        self.arrived: list[asyncio.Queue[tuple[float, int]]] = [asyncio.Queue(), asyncio.Queue()]
        self.versions = [0, 0]
        self.streams: list[asyncio.Task[None]] = []

    async def sit(self, players: int) -> None:
        form = {
            "name": "A",
            "seat-0": "me",
            "seat-1": "open",
            **{f"seat-{n}": "bot-random" for n in range(2, players)},
        }
        answer = await self.people[0].post(
            f"/new/{self.game}", data={**form, "players-standard": str(players), "players-base": str(players)}
        )
        self.path = re.sub(r"\?.*", "", answer.headers["location"])
        await self.people[1].get("/rules/revolution")
        await self.people[1].post(f"{self.path}/sit", data={"name": "B", "seat": "1"})
        for seat in range(2):
            page = (await self.people[seat].get(f"{self.path}?seat={seat}")).text
            found = re.search(r'data-version="(\d+)"', page)
            assert found, page[:500]
            self.versions[seat] = int(found[1])
            self.streams.append(asyncio.create_task(self._follow(seat)))

    async def _follow(self, seat: int) -> None:
        url = f"{self.path}/events?since={self.versions[seat]}&seat={seat}"
        async with self.people[seat].stream("GET", url) as stream:
            async for line in stream.aiter_lines():
                if line.startswith("id: "):
                    self.versions[seat] = int(line[4:])
                    self.arrived[seat].put_nowait((time.perf_counter(), self.versions[seat]))

    async def decide(self, dice: random.Random) -> float | None:
        """One decision of whoever is to act; seconds until the other person's event, if there is one."""
        state = (await self.people[0].get(f"/api/tables/{self.path.rsplit('/', 1)[1]}")).json()
        turn = [seat for seat in state["turn"] if seat < 2]
        if not turn:
            return None
        seat = dice.choice(turn)
        page = (await self.people[seat].get(f"{self.path}/step/1000000?seat={seat}")).json()
        choices = re.findall(r'data-move="([^"]+)"', page["parts"]["choices"])
        other = 1 - seat
        while not self.arrived[other].empty():
            self.arrived[other].get_nowait()
        before = self.versions[other]
        started = time.perf_counter()
        if choices:
            body = {"seat": seat, "version": self.versions[seat], "move": dice.choice(choices)}
            answer = await self.people[seat].post(f"{self.path}/move", json=body)
        else:
            adds = re.findall(r'data-add="([^"]+)"', page["parts"]["choices"])
            ready = (
                "data-seal aria-disabled" not in page["parts"]["status"] and "data-seal" in page["parts"]["status"]
            )
            if ready:
                body = {"seat": seat, "version": self.versions[seat]}
                answer = await self.people[seat].post(f"{self.path}/seal", json=body)
            else:
                change = {"seat": seat, "change": "add", "notation": dice.choice(adds)}
                await self.people[seat].post(f"{self.path}/draft", json=change)
                return None
        if answer.status_code != 200:
            return None
        try:
            while True:
                when, version = await asyncio.wait_for(self.arrived[other].get(), 10)
                if version > before:
                    return when - started
        except TimeoutError:
            return None

    async def leave(self) -> None:
        for task in self.streams:
            task.cancel()
        await asyncio.gather(*self.streams, return_exceptions=True)
        for person in self.people:
            await person.aclose()


async def load(address: str, tables: int, seconds: float, pace: float, games: list[str]) -> dict[str, Any]:
    limits = httpx.Limits(max_connections=8)
    players = {"revolution": 3}
    pairs = [Pair(address, games[i % len(games)], limits) for i in range(tables)]
    for start in range(0, tables, 20):
        await asyncio.gather(*(pair.sit(players.get(pair.game, 2)) for pair in pairs[start : start + 20]))
    delays: list[float] = []
    asked = 0
    end = time.perf_counter() + seconds

    async def play(pair: Pair, number: int) -> None:
        nonlocal asked
        dice = random.Random(number)
        await asyncio.sleep(dice.random() * pace)
        while time.perf_counter() < end:
            asked += 1
            if (delay := await pair.decide(dice)) is not None:
                delays.append(delay)
            await asyncio.sleep(dice.uniform(0.5, 1.5) * pace)

    await asyncio.gather(*(play(pair, number) for number, pair in enumerate(pairs)))
    await asyncio.gather(*(pair.leave() for pair in pairs))
    delays.sort()
    return {
        "tables": tables, "seconds": seconds, "pace_s": pace, "decisions": asked, "measured": len(delays),
        "median_ms": round(1000 * statistics.median(delays), 1),
        "p99_ms": round(1000 * delays[int(0.99 * (len(delays) - 1))], 1),
        "worst_ms": round(1000 * delays[-1], 1),
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--pace", type=float, default=5)
    parser.add_argument("--game", action="append", choices=list(definitions()))
    given = parser.parse_args()
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    with tempfile.TemporaryDirectory() as data:
        command = [
            sys.executable,
            "-c",
            "from samizdat.cli import main; main()",
            "serve",
            "--no-browser",
            "--no-warm",
        ]
        server = subprocess.Popen([*command, "--port", str(port), "--data", data])
        try:
            for _ in range(300):
                try:
                    httpx.get(address, timeout=5)
                    break
                except httpx.TransportError:
                    time.sleep(0.1)
            games = given.game or list(definitions())
            results: dict[str, Any] = {
                "page_kb": asyncio.run(weigh(address)),
                "draw_ms": drawing(),
                "load": asyncio.run(load(address, given.tables, given.seconds, given.pace, games)),
            }
        finally:
            server.terminate()
            server.wait(20)
    print(json.dumps(results, indent=1))
    (HERE / "load.json").write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
