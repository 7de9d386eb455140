"""Match files that visitors bring: replayed in a process of its own, which may take only so much time and memory.

A file is small, and what it asks for is not: a match of thousands of decisions. The server itself goes on meanwhile.
Only the kernel is imported here: a reading process must be there at once.
"""

from __future__ import annotations

import asyncio
import mmap
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from samizdat.kernel.errors import MatchFileError, SamizdatError
from samizdat.kernel.game import Game, box_of, definition
from samizdat.kernel.match import Match
from samizdat.kernel.matchfile import loads, read_fields, result
from samizdat.kernel.systems import be_polite, limit_memory, limit_processor
from samizdat.kernel.telling import Phrase

AT_ONCE = 2  # files that are read
MOST_WAITING = 20  # files that were sent and not read yet
SECONDS = 10  # of processor, for the longest match there is and a slow machine
PATIENCE = 60.0  # seconds by the clock
MEMORY = 1 << 30  # bytes of a reading process, besides its libraries

TOO_MUCH_WORK = Phrase("This match is too long to be played through here.")
TOO_MANY_FILES = Phrase("Many match files are being read just now; try again in a minute.")
BY_HAND = Phrase("This match was dealt by hand; a table keeps only matches dealt from their seed.")

# A game: its name, players, variant, options, rules and, where it is one of its own, its box.
Chosen = tuple[str, int, str, dict[str, Any], int, str | None]


@dataclass(frozen=True)
class Brought:
    """All that a table needs to know of a match from a file."""

    chosen: Chosen
    seed: int
    nonce: str
    names: tuple[str, ...]  # of all seats; empty where the file has none
    decisions: tuple[tuple[int, str, tuple[int, ...]], ...]  # seat, decision, outcomes that were given
    over: bool
    stored: dict[str, Any]  # the state after the last decision
    start: dict[str, Any] | None  # the position it began with; None if it was dealt
    fair: dict[str, Any] | None  # what its seed follows from; None if the host alone made it

    @property
    def game(self) -> Game:
        return game_of(self.chosen)


@dataclass(frozen=True)
class RefusedFile:
    """Why a file is none of ours; the game it is of, as far as that was read."""

    why: Any
    chosen: Chosen | None


def game_of(chosen: Chosen) -> Game:
    name, players, variant, options, rules, printed = chosen
    return definition(name).recall(players, variant, box_of(name, printed), options, rules)


def _chosen(game: Game) -> Chosen:
    return game.name, game.players, game.variant, dict(game.options), game.rules, game.printed


def stored_state(match: Match) -> dict[str, Any]:
    """What the database keeps of a match besides its decisions."""
    turn = match.turn
    return {
        "acting": sum(1 << seat for seat in turn),
        "plies": match.plies,
        "state": match.raw,
        "result": None if turn else result(match),
    }


def read_match(text: str) -> Brought:
    """Replay a referee's file; MatchFileError says what is wrong with it."""
    data = read_fields(text)
    match = loads(text)
    if 0 in match.scripted:
        raise MatchFileError(BY_HAND)
    decisions = tuple((seat, str(move), luck) for seat, move, luck in match.decisions)
    names = match.names or ("",) * match.seats
    return Brought(
        _chosen(match.game), match.seed, data["nonce"], names, decisions, match.over, stored_state(match),
        data.get("start"), data.get("fair"),
    )  # fmt: skip


def _read_apart(text: str, answer: Connection) -> None:
    """Runs in a process of its own: what became of a file."""
    be_polite(5)
    limit_processor(SECONDS)
    with suppress(OSError):  # a system that does not tell how much there is now
        pages = int(Path("/proc/self/statm").read_text(encoding="utf-8").split()[0])
        limit_memory(pages * mmap.PAGESIZE + MEMORY)
    try:
        answer.send(read_match(text))
    except SamizdatError as error:
        game = getattr(error, "game", None)
        answer.send(RefusedFile(error.args[0], _chosen(game) if isinstance(game, Game) else None))
    except MemoryError:
        answer.send(RefusedFile(TOO_MUCH_WORK, None))


def read_elsewhere(text: str, patience: float = PATIENCE, running: set[BaseProcess] | None = None) -> Brought:
    """The same as `read_match`, in a process that ends with it; one that takes too long ends before. Whoever has
    `running` may end it, too."""
    ours, theirs = get_context("spawn").Pipe(duplex=False)
    process = get_context("spawn").Process(target=_read_apart, args=(text, theirs), daemon=True)
    process.start()
    theirs.close()
    known = set() if running is None else running
    known.add(process)
    try:
        found = ours.recv() if ours.poll(patience) else None
    except EOFError:  # its time or its memory was up
        found = None
    finally:
        ours.close()
        known.discard(process)
        process.kill()
        process.join()
    if isinstance(found, Brought):
        return found
    if found is None:
        raise MatchFileError(TOO_MUCH_WORK)
    raise MatchFileError(found.why, found.chosen and game_of(found.chosen))


class Readers:
    """Reads files for everybody, a few at once."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(AT_ONCE, "reader")  # they only wait
        self._running: set[BaseProcess] = set()
        self._waiting = 0

    async def read(self, text: str) -> Brought:
        if self._waiting >= MOST_WAITING:
            raise MatchFileError(TOO_MANY_FILES)
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(
                self._threads, read_elsewhere, text, PATIENCE, self._running
            )
        finally:
            self._waiting -= 1

    def close(self) -> None:
        """The server ends, and does not wait for somebody's file."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        for process in list(self._running):
            process.kill()
