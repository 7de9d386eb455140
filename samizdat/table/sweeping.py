"""Garbage that only a walk over everything would find: swept when nobody waits.

While people play there are few cycles; when a thousand tables were left, half a million objects were in some. Whoever
looks for them walks over all that lives, with everybody standing still: 1 to 1.5 seconds where a thousand tables are
open, after which decisions queue for seconds more. So Python's own collections of the oldest objects are off, and
this looks for a moment at which nobody decides.
"""

from __future__ import annotations

import asyncio
import ctypes
import gc
import logging
import time
from contextlib import suppress

from samizdat.table.chores import Chore

log = logging.getLogger("samizdat.host")

# Young objects are looked through often and in small portions; never everything, which is done here.
THRESHOLDS = (2_000, 5, 1_000_000)
EVERY = 5.0  # seconds
FEW = 3  # events in that time: then hardly anybody waits
SHORT = 0.05  # seconds that a sweep may take at any moment
WORTH = 20  # portions of young objects that have grown old since the last one
PATIENCE = 600.0  # seconds without a quiet moment, after which it is done all the same: what was left needs its room


class Sweeper(Chore):
    """Sweeps one process."""

    def __init__(self) -> None:
        self._events = 0  # since the last look
        self._asked = False  # much has left: the system is to have its memory back
        self._swept, self._took = time.monotonic(), 0.0

    def noticed(self) -> None:
        """Something happened at a table."""
        self._events += 1

    def ask(self) -> None:
        """Much was let go of at once."""
        self._asked = True

    def due(self, now: float) -> bool:
        """Whether this is a moment for it."""
        if not self._asked and gc.get_count()[2] < WORTH:
            return False
        return self._events < FEW or self._took < SHORT or now - self._swept > PATIENCE

    async def look(self) -> None:
        if self.due(began := time.monotonic()):
            gc.collect()
            self._swept, asked, self._asked = time.monotonic(), self._asked, False
            self._took = self._swept - began
            if asked:
                await asyncio.to_thread(give_back)
        self._events = 0

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(EVERY)
            try:
                await self.look()
            except Exception as error:
                log.warning("nothing could be swept (%s)", type(error).__name__)


def give_back() -> None:
    """Memory that Python no longer needs, to the system: the C library keeps it otherwise, in pieces."""
    with suppress(OSError, AttributeError):  # not this C library
        ctypes.CDLL("libc.so.6").malloc_trim(0)


def settle() -> None:
    """What is here now stays for as long as the server runs: nobody need look at it again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)
