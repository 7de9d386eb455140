"""The same load on our server and on boardgame.io's, in one run, as ratios.

    npm ci --prefix bench/rivals/boardgameio
    python -m bench.rivals.boardgameio [--tables 100] [--pace 10] [--seconds 30] [--rounds 3] [--game war-of-whispers]

Three servers stand on loopback: ours (one process on SQLite), boardgame.io's as it comes (matches in memory) and
with its own storage in files. At every table four seats are connected, over a stream (ours) or a socket (theirs),
and each table makes a decision every `pace` seconds on average. They are loaded one after the other, `rounds`
times, by the same script; who is not loaded keeps its clients. Measured: from sending a decision to the arrival of
the whole event at each seat that can notice it, seconds of the server's processor for a decision, memory for a
table, errors.

Alike: four seats, hands that nobody else sees, checked decisions, credentials for each seat, about as much to know
of a position (2.8 KB as data; A War of Whispers 5.7, Revolution! 1.7), the same clients, pace and machine. Not
alike: they send each seat its whole state as data and leave it to the browser to draw it and to put it into words;
ours sends what changed of the drawn page, with the line of the log in words, and keeps replays, clocks and talk.
They tell of a decision before it is stored, in memory or in a file that the disk need not have; ours when the disk
has it. They tell every seat of every decision, also of what it must not notice; ours only who can see something.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from bench.browsers import Line, Stream
from bench.load import BEGUN, IDLE, MATCHES, PATIENCE, Laid, Plan, Planned, Table, played, seated, versions
from bench.rivals.boardgameio.sockets import Socket
from bench.servers import Family, serving
from samizdat.kernel.game import definitions
from samizdat.table.preview import random_match
from tests.postgres import free_port

HERE = Path(__file__).parent
RESULTS = HERE.parents[1] / "boardgameio.json"
SEATS, REGIONS, PLAYS = 4, 15, 160  # as `game.js` has them
GAME = "precincts"
OURS, MEMORY, FILES = "samizdat", "boardgame.io in memory", "boardgame.io in files"
MISSING = "boardgame.io is not installed; run `npm ci --prefix bench/rivals/boardgameio` first."


def plans(game: str) -> list[Plan]:
    """Matches of four, known to the end."""
    found = []
    for seed in range(MATCHES):
        match = random_match(game, seed + 1, BEGUN, {"players": SEATS})
        text, begun, dice = match.dumps(), versions(match), random.Random(seed)
        decided = []
        while not match.over:
            seat = dice.choice(match.turn)
            move = dice.choice(match.legal(seat))
            match.play(seat, move)
            decided.append(Planned(seat, str(move), versions(match)))
        found.append(Plan(game, text, begun, tuple(decided)))
    return found


class FourSeats(Table):
    """One of ours, at which every seat has a stream."""

    async def sit(self) -> None:
        for seat in range(SEATS):
            version = self.plan.versions[seat + 1]
            path = f"/table/{self.id}/events?since={version}&seat={seat}"
            stream = Stream(f"GET {path} HTTP/1.1\r\nHost: x\r\n{self.cookie}\r\n", version)
            await stream.open(self.line.port)
            self.streams.append((seat + 1, stream))


class Theirs:
    """A match of boardgame.io, with its four sockets."""

    def __init__(self, port: int, number: int) -> None:
        self.port, self.dice = port, random.Random(number)
        self.sockets: list[Socket] = []
        self.made = 0

    async def sit(self) -> None:
        """As their lobby does it: a match is made, each seat taken, and its credentials kept."""
        line = Line(self.port)
        match = (await self._told(line, "create", {"numPlayers": SEATS}))["matchID"]
        for seat in range(SEATS):
            sits = {"playerID": str(seat), "playerName": f"Ada {seat}"}
            credentials = (await self._told(line, f"{match}/join", sits))["playerCredentials"]
            self.sockets.append(Socket(self.port, GAME, match, seat, credentials))
        for socket in self.sockets:
            await socket.open()
        if line.streams:
            line.streams[1].close()

    async def _told(self, line: Line, what: str, body: dict[str, Any]) -> dict[str, Any]:
        status, _, answer = await line.ask("POST", f"/games/{GAME}/{what}", body=json.dumps(body).encode())
        if status != 200:
            raise RuntimeError(f"boardgame.io answered {status} to {what}")
        told: dict[str, Any] = json.loads(answer)
        return told

    async def decide(self, told: list[float]) -> bool | None:
        if self.made == PLAYS:
            return None
        socket = self.sockets[self.made % SEATS]
        self.made += 1
        coming = [one.reaches(socket.position + 1) for one in self.sockets]
        started = time.perf_counter()
        socket.decide("play", 0, self.dice.randrange(REGIONS))
        await asyncio.wait(coming, timeout=PATIENCE)
        told += [future.result() - started for future in coming if future.done()]
        return all(future.done() for future in coming)

    def leave(self) -> None:
        for socket in self.sockets:
            socket.close()

    @property
    def lost(self) -> int:
        return sum(socket.lost for socket in self.sockets)


class Rival:
    """Their server, that answers."""

    def __init__(self, port: int, process: subprocess.Popen[str]) -> None:
        self.port, self.own = port, Family(process.pid)

    def processor(self) -> dict[str, float]:
        return {"server": self.own.processor()}


@contextmanager
def rival(where: str) -> Iterator[Rival]:
    """Their server with its matches in memory, or in files of a folder."""
    port = free_port()
    command = ["node", str(HERE / "server.js"), str(port), where]
    quiet = os.environ | {"NODE_ENV": "production"}  # without its messages for developers
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=HERE, env=quiet)
    try:
        assert process.stdout is not None
        if process.stdout.readline().strip() != "ready":
            raise RuntimeError("boardgame.io's server did not begin")
        yield Rival(port, process)
    finally:
        process.terminate()
        process.wait(30)


def settled(family: Family) -> None:
    """Wait until a server has nothing to do by itself."""
    before, spent = family.processor(), 1.0
    while spent > 0.1:
        time.sleep(3)
        now = family.processor()
        before, spent = now, now - before


async def compared(
    servers: dict[str, Any], first: dict[str, list[Any]], tables: dict[str, list[Any]], seconds: float, pace: float,
    rounds: int,
) -> dict[str, Any]:  # fmt: skip
    """Everybody sits down everywhere; then one server after the other is loaded, and again."""
    memory = {}
    for name, here in tables.items():
        for table in first[name]:  # what is read and compiled once
            await table.sit()
            table.leave()
        await asyncio.to_thread(settled, servers[name].own)
        before = servers[name].own.memory()
        await seated(here)
        memory[name] = [before]
        print(f"{name}: {len(here)} tables with {SEATS * len(here)} clients", file=sys.stderr, flush=True)
    gc.freeze()  # of this script: nothing here goes away until the end
    runs: dict[str, list[dict[str, Any]]] = {name: [] for name in tables}
    for _ in range(rounds):
        for name, here in tables.items():
            runs[name].append(await played(here, seconds, pace, servers[name]))
    found = {}
    for name, here in tables.items():
        memory[name].append(servers[name].own.memory())
        for table in here:
            table.leave()
        found[name] = summed(runs[name], memory[name], len(here))
    return found


def summed(runs: Sequence[dict[str, Any]], memory: Sequence[float], tables: int) -> dict[str, Any]:
    """What one server took over all rounds."""
    middle = {
        name: round(statistics.median(run[name] for run in runs), 1) for name in ("median_ms", "p99_ms", "worst_ms")
    }
    spent = [run["processor_ms_a_decision"]["server"] for run in runs]
    decisions = sum(run["decisions"] for run in runs)
    events = sum(run["events"] for run in runs)
    return {
        "decisions": decisions, "events_a_decision": round(events / decisions, 2),
        "errors": sum(run["errors"] for run in runs), **middle,
        "processor_ms_a_decision": round(statistics.median(spent), 2), "processor_ms_by_round": spent,
        "kb_a_table": round(1024 * (memory[1] - memory[0]) / tables),
        "memory_mb": [round(one) for one in memory],
    }  # fmt: skip


def ratios(found: dict[str, Any]) -> dict[str, dict[str, float]]:
    """Ours over theirs: above 1 we need more, or take longer."""
    names = ("processor_ms_a_decision", "median_ms", "p99_ms", "kb_a_table")
    return {
        other: {name: round(found[OURS][name] / found[other][name], 2) for name in names if found[other][name] > 0}
        for other in found
        if other != OURS
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m bench.rivals.boardgameio", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--pace", type=float, default=10, help="seconds between two decisions of a table")
    parser.add_argument("--seconds", type=float, default=30, help="of each round, besides the first decisions")
    parser.add_argument("--rounds", type=int, default=3)
    four = [name for name, found in definitions().items() if any(SEATS in n for n in found.variants.values())]
    parser.add_argument("--game", choices=four, default="war-of-whispers", help="of ours; it is for four")
    parser.add_argument("--processes", type=int, default=0, help="of ours, on PostgreSQL; 0 is one on SQLite")
    given = parser.parse_args()
    if shutil.which("node") is None or not (HERE / "node_modules" / "boardgame.io").is_dir():
        sys.exit(MISSING)
    laid = Laid(plans(given.game), given.tables)
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="boardgameio-"))
        ours = stack.enter_context(serving(given.processes, laid.prepare, ["--idle-seconds", str(IDLE)]))
        servers: dict[str, Any] = {
            OURS: ours, MEMORY: stack.enter_context(rival("memory")), FILES: stack.enter_context(rival(folder))
        }  # fmt: skip
        ports = {name: servers[name].port for name in servers}

        def sets(count: int) -> dict[str, list[Any]]:
            theirs = {name: [Theirs(ports[name], number) for number in range(count)] for name in (MEMORY, FILES)}
            return {OURS: [FourSeats(ports[OURS], laid, number, SEATS) for number in range(count)], **theirs}

        first, tables = sets(min(MATCHES, given.tables)), sets(given.tables)
        found = asyncio.run(compared(servers, first, tables, given.seconds, given.pace, given.rounds))
    settings = {name: getattr(given, name) for name in ("tables", "pace", "seconds", "rounds", "game", "processes")}
    results = {"settings": settings, "servers": found, "ours_over_theirs": ratios(found)}
    print(json.dumps(results, indent=1))
    RESULTS.write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
