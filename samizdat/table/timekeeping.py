"""Looking after clocks: when the time of a seat is over, what was agreed for that happens.

Every process looks; what is due is asked for like any other change of a table, so it happens once."""

from __future__ import annotations

import asyncio
import itertools
import logging
import random
import time
from contextlib import suppress

from samizdat.kernel.errors import SamizdatError
from samizdat.table.chores import Chore
from samizdat.table.house import House
from samizdat.table.opening import BOT_NAMES
from samizdat.table.quiet import today
from samizdat.table.store.clocks import due_tables
from samizdat.table.store.holidays import around, timed_tables
from samizdat.table.timing import Pause, TimeUp

log = logging.getLogger("samizdat.house")

EVERY = 1.0  # seconds between two looks
HOLIDAYS_EVERY = 60  # looks between two at who is on holiday
MOST_AT_ONCE = 50  # tables
PATIENCE = 60.0  # seconds until a table is looked at again of which nothing came


class Timekeeper(Chore):
    """Looks for clocks that have run out."""

    def __init__(self, house: House) -> None:
        self.house = house
        self._in_vain: dict[str, float] = {}  # tables of which nothing came, and until when they are left alone

    async def _run(self) -> None:
        for turn in itertools.count():
            await asyncio.sleep(EVERY)
            try:
                if turn % HOLIDAYS_EVERY == 0:
                    await self.look_who_is_away(time.time())
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

    async def look_who_is_away(self, now: float) -> None:
        """The time of those who are on holiday stands still, and goes on when they are back; `now` on the wall."""
        store, utc = self.house.store, today("", now)
        away = {
            player
            for player, first, last, zone in await asyncio.to_thread(around, store, utc)
            if first <= today(zone, now) <= last
        }
        for id in await asyncio.to_thread(timed_tables, store, away):
            with suppress(SamizdatError):
                table = await self.house.find(id)
                for seat, chair in enumerate(table.chairs):
                    await self.house.do(table, Pause(seat, bool(chair.holders & away)))

    async def _look_at(self, id: str) -> bool:
        """What is due at one table; whether anything was."""
        table = await self.house.find(id)
        names = random.SystemRandom().sample(BOT_NAMES, len(BOT_NAMES))
        done = False
        for seat in table.clock.running if table.clock else ():
            done = await self.house.do(table, TimeUp(seat, self.house.time.now(), names)) is not None or done
        return done
