"""Looking after clocks: when the time of a seat is over, what was agreed for that happens.

Every process looks; what is due is asked for like any other change of a table, so it happens once."""

from __future__ import annotations

import asyncio
import logging
import random
from contextlib import suppress

from samizdat.kernel.errors import SamizdatError
from samizdat.table.house import House
from samizdat.table.opening import BOT_NAMES
from samizdat.table.store.clocks import due_tables
from samizdat.table.timing import TimeUp

log = logging.getLogger("samizdat.house")

EVERY = 1.0  # seconds between two looks
MOST_AT_ONCE = 50  # tables
PATIENCE = 60.0  # seconds until a table is looked at again of which nothing came


class Timekeeper:
    """Looks for clocks that have run out."""

    def __init__(self, house: House) -> None:
        self.house = house
        self._in_vain: dict[str, float] = {}  # tables of which nothing came, and until when they are left alone
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(EVERY)
            try:
                await self.look()
            except Exception as error:  # a busy database, say; without its words
                log.error("clocks cannot be looked after (%s)", type(error).__name__)

    async def look(self) -> None:
        """Everything that is due now."""
        now = self.house.time.now()
        self._in_vain = {id: until for id, until in self._in_vain.items() if until > now}
        for id in await asyncio.to_thread(due_tables, self.house.store, now, MOST_AT_ONCE + len(self._in_vain)):
            if id in self._in_vain:
                continue
            try:
                if not await self._look_at(id):
                    self._in_vain[id] = now + PATIENCE
            except SamizdatError as error:  # of other rules, or gone meanwhile
                log.warning("the clock of table %s stands still: %s", id, type(error).__name__)
                self._in_vain[id] = now + PATIENCE

    async def _look_at(self, id: str) -> bool:
        """What is due at one table; whether anything was."""
        table = await self.house.find(id)
        names = random.SystemRandom().sample(BOT_NAMES, len(BOT_NAMES))
        done = False
        for seat in table.clock.running if table.clock else ():
            done = await self.house.do(table, TimeUp(seat, self.house.time.now(), names)) is not None or done
        return done
