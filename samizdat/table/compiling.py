"""The bots' search, compiled while people are still in the lobby."""

from __future__ import annotations

import asyncio
import logging
from multiprocessing import get_context

from samizdat.kernel.game import definition, definitions
from samizdat.kernel.kept import cache_root
from samizdat.kernel.systems import be_polite, lock

log = logging.getLogger("samizdat.bots")

WARMINGS = 2  # times a search is compiled before that is given up


def warm(name: str) -> None:
    """Runs in a process of its own: compiled code goes to disk, where the bots' processes find it. Of several servers
    on one machine one compiles, and the others find what it made."""
    from samizdat import bots

    be_polite(15)
    root = cache_root()
    root.mkdir(parents=True, exist_ok=True)
    with (root / f"{name}.lock").open("w", encoding="utf-8") as held:
        lock(held, wait=True)
        bots.warm(definition(name).choose())


class Warming:
    """Which games' searches are compiled, and which will not be."""

    def __init__(self, wanted: bool) -> None:
        self.wanted = wanted
        self.warm: set[str] = set()
        self.cold: set[str] = set() if wanted else set(definitions())
        self._begun: set[str] = set()  # compiled, or being compiled, or given up
        self._lane = asyncio.Lock()  # one game at a time is compiled before its turn: a compiler takes 350 MB
        self._hurried: set[asyncio.Task[None]] | None = None  # while all are compiled

    async def compile(self) -> None:
        """Every game's search, one after the other and politely; until then bots answer at once and think less."""
        if not self.wanted:
            return
        self._hurried = set()
        try:
            for name in definitions():
                await self._prepare(name)
            await asyncio.gather(*self._hurried)
        finally:
            for task in self._hurried:
                task.cancel()
            self._hurried = None

    def hurry(self, name: str) -> None:
        """Somebody plays this game already: its search is compiled beside whichever has its turn just now."""
        if self._hurried is not None and name not in self._begun:
            task = asyncio.create_task(self._before_its_turn(name))
            self._hurried.add(task)

    async def _before_its_turn(self, name: str) -> None:
        async with self._lane:
            await self._prepare(name)

    async def _prepare(self, name: str) -> None:
        """Compile the search of one game, unless that has begun."""
        if name in self._begun:
            return
        self._begun.add(name)
        for _ in range(WARMINGS):
            if (code := await self._warmed(name)) == 0:
                self.warm.add(name)
                return
            log.error("the search of %s could not be compiled (exit code %s)", name, code)
        self.cold.add(name)
        log.error("bots of %s think less, and there are no hints, until the server starts again", name)

    async def _warmed(self, name: str) -> int | None:
        """Compile one game's search; the exit code of the process that did."""
        process = get_context("spawn").Process(target=warm, args=(name,), daemon=True)
        try:
            process.start()
        except OSError:  # no memory for it, or no room for another process
            return None
        try:
            while process.is_alive():
                await asyncio.sleep(0.5)
        finally:
            if process.is_alive():
                process.terminate()
        return process.exitcode
