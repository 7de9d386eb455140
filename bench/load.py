"""How soon a decision reaches the other browser, with many live tables; and how long a board takes to draw.

    python -m bench.load [--tables 200] [--seconds 30] [--pace 10] [--game GAME]

Starts a server of its own on loopback. At every table two people sit over a link and each table makes a decision
every `pace` seconds on average: 10 by default, so that 200 tables make 20 decisions a second. Measured: from sending
the decision to the arrival of the whole event at the other person's stream, both over the pages that browsers use.
Which decisions are open is asked of the API beforehand, where nothing is drawn for it. The script's own 400 browsers
share the cores with the server. Results are printed as JSON and kept in
bench/load.json.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import Any

import httpx

from samizdat.kernel.game import definitions
from samizdat.table.preview import position, random_match
from samizdat.table.rendering import parts

HERE = Path(__file__).parent
EVENT = re.compile(rb"\r\nid: (\d+)\n")


def drawing() -> dict[str, float]:
    """Milliseconds to draw all parts of a board in a running match: each position is new, most of it is not."""
    found = {}
    for name in definitions():
        match = random_match(name, 7, 30, {})
        dice = random.Random(7)
        spent = []
        while not match.over and match.plies < 80:
            seat = dice.choice(match.turn)
            match.play(seat, dice.choice(match.legal(seat)))
            for viewer in (0, 1):
                shown = position(match, viewer)
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
                data={"name": "A", "seat-0": "me"} | {f"seat-{seat}": "bot-random" for seat in (1, 2, 3)},
            )
            assert 'id="board"' in page.text, page.url
            total = int(page.headers.get("content-length", len(page.content)))
            for link in re.findall(r'(?:href|src)="(/(?:static|boards)/[^"]+)"', page.text):
                if "fonts/" not in link:
                    answer = await client.get(link)
                    total += int(answer.headers.get("content-length", len(answer.content)))
            found[name] = round(total / 1024, 1)
    return found


class Line:
    """One connection to the server that is kept; requests go over it one after the other. As lean as can be: these
    browsers share the cores with the server that is measured."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.lock = asyncio.Lock()
        self.streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(
        self, method: str, path: str, headers: str = "", body: bytes = b"", kind: str = "application/json"
    ) -> tuple[int, str, bytes]:
        """Status, cookie and body of an answer."""
        length = f"Content-Type: {kind}\r\nContent-Length: {len(body)}\r\n" if body else ""
        request = f"{method} {path} HTTP/1.1\r\nHost: x\r\n{headers}{length}\r\n".encode() + body
        async with self.lock:
            try:
                reader, head = await self.send(request)
            except (asyncio.IncompleteReadError, ConnectionResetError):  # closed just when we wanted to write
                self.streams = None
                reader, head = await self.send(request)
            size = re.search(r"(?i)\r\ncontent-length: (\d+)", head)
            answer = await reader.readexactly(int(size[1])) if size else b""
        cookie = re.search(r"(?i)\r\nset-cookie: ([^;\r]+)", head)
        return int(head.split(" ", 2)[1]), cookie[1] if cookie else "", answer

    async def send(self, request: bytes) -> tuple[asyncio.StreamReader, str]:
        """The head of the answer, and where its body comes from."""
        if self.streams is None or self.streams[0].at_eof():  # the server closes what is idle
            self.streams = await asyncio.open_connection("127.0.0.1", self.port)
        reader, writer = self.streams
        writer.write(request)
        return reader, (await reader.readuntil(b"\r\n\r\n")).decode()


class Stream(asyncio.Protocol):
    """One browser's event stream: only the version of each event is read, when the whole event has arrived."""

    def __init__(self, request: bytes) -> None:
        self.request = request
        self.version = 0
        self.arrived = asyncio.Event()
        self.when = 0.0
        self.tail = b""
        self.coming = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport
        transport.write(self.request)  # type: ignore[attr-defined]

    def data_received(self, data: bytes) -> None:
        found = EVENT.findall(self.tail + data)
        self.tail = data[-40:]
        if found:
            self.coming = int(found[-1])
        if self.coming > self.version and self.tail.endswith(b"\n\n\r\n"):
            self.version, self.when = self.coming, time.perf_counter()
            self.arrived.set()


def _same(stream: Stream) -> Stream:
    return stream


class Pair:
    """Two people at one table; each follows the stream of the other's decisions."""

    def __init__(self, line: Line, game: str) -> None:
        self.line, self.game = line, game
        self.cookies = ["", ""]
        self.streams: list[Stream] = []

    async def sit(self, players: int) -> None:
        seats = [{"kind": "me"}] * 2 + [{"kind": "bot", "level": "random"}] * (players - 2)
        wanted = json.dumps({"game": self.game, "seats": seats}).encode()
        _, _, answer = await self.line.ask("POST", "/api/tables", "", wanted)
        made = json.loads(answer)
        self.id = made["id"]
        self.keys = [made["seats"][seat]["key"] for seat in range(2)]
        for seat in range(2):
            status, self.cookies[seat], _ = await self.line.ask("POST", f"/sit/{self.keys[seat]}")
            assert status == 303, status
            version, _ = await self.legal(seat)
            path = f"/table/{self.id}/events?since={version}&seat={seat}"
            request = f"GET {path} HTTP/1.1\r\nHost: x\r\nCookie: {self.cookies[seat]}\r\n\r\n".encode()
            stream = Stream(request)
            stream.version = version
            await asyncio.get_running_loop().create_connection(partial(_same, stream), "127.0.0.1", self.line.port)
            self.streams.append(stream)

    async def legal(self, seat: int) -> tuple[int, list[str]]:
        """The version and the open decisions of a seat: nothing is drawn for that."""
        key = f"Authorization: Bearer {self.keys[seat]}\r\n"
        _, _, answer = await self.line.ask("GET", f"/api/tables/{self.id}/legal", key)
        found = json.loads(answer)
        return found["version"], found["moves"]

    async def decide(self, dice: random.Random) -> float | None:
        """One decision of whoever is to act; seconds until the other person's event, if there is one."""
        for seat in dice.sample((0, 1), 2):
            version, moves = await self.legal(seat)
            if moves:
                break
        else:
            return None
        other = self.streams[1 - seat]
        before = other.version
        other.arrived.clear()
        body = json.dumps({"seat": seat, "version": version, "move": dice.choice(moves)}).encode()
        line = Line(self.line.port) if self.line.lock.locked() else self.line
        started = time.perf_counter()
        path, cookie = f"/table/{self.id}/move", f"Cookie: {self.cookies[seat]}\r\n"
        status, _, _ = await line.ask("POST", path, cookie, body)
        if line is not self.line and line.streams:
            line.streams[1].close()
        if status != 200:
            return None
        try:  # what was decided in secret the other is not told
            await asyncio.wait_for(other.arrived.wait(), 3)
        except TimeoutError:
            return None
        return other.when - started if other.version > before else None

    def leave(self) -> None:
        for stream in self.streams:
            stream.transport.close()


async def load(port: int, tables: int, seconds: float, pace: float, games: list[str]) -> dict[str, Any]:
    players = {"revolution": 3}
    pairs = [Pair(Line(port), games[i % len(games)]) for i in range(tables)]
    for start in range(0, tables, 10):
        await asyncio.gather(*(pair.sit(players.get(pair.game, 2)) for pair in pairs[start : start + 10]))
    delays: list[float] = []
    asked = 0
    begin = time.perf_counter() + pace  # the first round of decisions is not counted
    end = begin + seconds

    async def play(pair: Pair, number: int) -> None:
        nonlocal asked
        dice = random.Random(number)
        await asyncio.sleep(dice.random() * pace)
        while (now := time.perf_counter()) < end:
            delay = await pair.decide(dice)
            if now >= begin:
                asked += 1
                if delay is not None:
                    delays.append(delay)
            spent = time.perf_counter() - now
            await asyncio.sleep(max(0.0, dice.uniform(0.5, 1.5) * pace - spent))

    await asyncio.gather(*(play(pair, number) for number, pair in enumerate(pairs)))
    for pair in pairs:
        pair.leave()
    delays.sort()
    return {
        "tables": tables, "seconds": seconds, "pace_s": pace, "decisions": asked, "measured": len(delays),
        "median_ms": round(1000 * statistics.median(delays), 1),
        "p99_ms": round(1000 * delays[int(0.99 * (len(delays) - 1))], 1),
        "worst_ms": round(1000 * delays[-1], 1),
        "load_average": round(os.getloadavg()[0], 2),
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--pace", type=float, default=10)
    parser.add_argument("--game", action="append", choices=list(definitions()))
    given = parser.parse_args()
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    with tempfile.TemporaryDirectory() as data:
        command = [sys.executable, "-m", "samizdat", "serve", "--no-browser", "--no-warm"]
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
                "load": asyncio.run(load(port, given.tables, given.seconds, given.pace, games)),
            }
        finally:
            server.terminate()
            server.wait(20)
    print(json.dumps(results, indent=1))
    (HERE / "load.json").write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
