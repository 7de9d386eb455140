"""The time of the house, by which clocks at tables run: the seconds in which some process served.

A host's clock may be set forward or back, its machine may sleep, the house may be closed for a night; nobody must
lose a match by that. So a process adds what its own steady clock (which only goes forward) says has gone by since it
last did so, and never more than was missing. What nobody added, since nobody served, is not part of it.
"""

from __future__ import annotations

import asyncio
import logging
import time

from samizdat.table.store.clocks import add_served, served_seconds
from samizdat.table.store.store import Store

log = logging.getLogger("samizdat.house")

EVERY = 10.0  # seconds between two additions
MOST = 3 * EVERY  # a process that was stopped for longer did not serve


class HouseTime:
    """As one process knows it."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.steady, self.wall = time.monotonic, time.time
        self._seconds, self._since = served_seconds(store), self.steady()
        self._task: asyncio.Task[None] | None = None

    def now(self) -> float:
        """It stands still when it could not be written down for a while."""
        return self._seconds + min(MOST, max(0.0, self.steady() - self._since))

    def add(self) -> None:
        """Write down what has gone by since this process last did so, as far as no other one has."""
        now = self.steady()
        gone = now - self._since
        seconds = add_served(self.store, self.wall(), gone if 0 <= gone <= MOST else 0.0)
        self._seconds, self._since = seconds, now

    def start(self) -> None:
        self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            await asyncio.to_thread(self.add)

    async def _run(self) -> None:
        await asyncio.to_thread(self._begin)
        while True:
            await asyncio.sleep(EVERY)
            try:
                await asyncio.to_thread(self.add)
            except Exception as error:  # the database is away: so is the time
                log.error("the time of the house cannot be written (%s)", type(error).__name__)

    def _begin(self) -> None:
        """What was before this process is not its own."""
        self._seconds, self._since = add_served(self.store, self.wall(), 0.0), self.steady()
