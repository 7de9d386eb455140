"""The bots' search, compiled while people are still in the lobby."""

from __future__ import annotations

import asyncio
import fcntl
import logging
import os
from multiprocessing import get_context

from samizdat.kernel.game import definition, definitions
from samizdat.kernel.kept import cache_root

log = logging.getLogger("samizdat.bots")

WARMINGS = 2  # times a search is compiled before that is given up


def warm(name: str) -> None:
    """Runs in a process of its own: compiled code goes to disk, where the bots' processes find it. Of several servers
    on one machine one compiles, and the others find what it made."""
    from samizdat import bots

    os.nice(15)
    root = cache_root()
    root.mkdir(parents=True, exist_ok=True)
    with (root / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        bots.warm(definition(name).choose())


class Warming:
    """Which games' searches are compiled, and which will not be."""

    def __init__(self, wanted: bool) -> None:
        self.wanted = wanted
        self.warm: set[str] = set()
        self.cold: set[str] = set() if wanted else set(definitions())

    async def compile(self) -> None:
        """Every game's search, one after the other and politely; until then bots answer at once and think less."""
        for name in definitions() if self.wanted else ():
            for _ in range(WARMINGS):
                if (code := await self._warmed(name)) == 0:
                    self.warm.add(name)
                    break
                log.error("the search of %s could not be compiled (exit code %s)", name, code)
            else:
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
