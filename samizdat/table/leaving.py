"""Leaving: a table that is taken away, a name that is taken off, and somebody who goes altogether.

What others have played is theirs, too. So a table goes for everybody only where nobody else sits at it, or nothing
was dealt yet; elsewhere whoever leaves hands a running seat to a bot, loses the name, and the others keep the match.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable
from contextlib import suppress
from typing import Any, TypeVar

from sqlalchemy import Row

from samizdat.kernel.errors import SamizdatError
from samizdat.table.chores import Chore
from samizdat.table.commands import ChangeSeat
from samizdat.table.declined import NoTable
from samizdat.table.house import House
from samizdat.table.opening import BOT_NAMES, USUAL_LEVEL
from samizdat.table.store import leaving
from samizdat.table.store.talk import forget_talk
from samizdat.table.tables import OPEN, OVER

T = TypeVar("T")

DAYS_TO_RETURN = 7
WEEK = DAYS_TO_RETURN * 24 * 3600.0
TALK_KEPT = 30 * 24 * 3600.0  # seconds after the end of a match
EVERY = 3600.0  # seconds between two looks at whose days are over


class Leaving(Chore):
    """Everything that goes, in the database and in memory."""

    def __init__(self, house: House) -> None:
        self.house, self.store = house, house.store

    def row(self, id: str) -> Row[Any]:
        """What is stored of a table."""
        found = self.store.table(id)
        if found is None:
            raise NoTable("There is no such table; the link may be incomplete.")
        return found

    def stays(self, id: str, player: str) -> bool:
        """Whether the table stays for others if somebody leaves it: a match was dealt, and other people sit there."""
        row = self.row(id)
        return row.status != OPEN and bool(self._heirs(id, player))

    def _heirs(self, id: str, player: str) -> list[str]:
        """Who could have the table: whoever opened it, or holds another seat than this player does."""
        row, held = self.row(id), self.store.holders(id)
        others = {one for those in held.values() if player not in those for one in those}
        return [one for one in (row.opened_by, *sorted(others)) if one != player]

    async def remove_table(self, id: str, player: str) -> None:
        """Whoever opened a table, or sits at it, leaves it for good; with nobody left it goes itself."""
        row = await asyncio.to_thread(self.row, id)
        heirs = await asyncio.to_thread(self._heirs, id, player)
        if not heirs or (row.status == OPEN and row.opened_by == player):
            await self.house.remove(id)
            return
        await self.hand_over(id, player)
        await asyncio.to_thread(leaving.let_go, self.store, id, player, heirs[0])
        await self.house.read_again(id)

    async def hand_over(self, id: str, player: str) -> None:
        """Somebody's seats in a running match go to bots, and are free where nothing was dealt. A table of other
        rules cannot be played on anyway."""
        row = await asyncio.to_thread(self.store.table, id)
        if row is None or row.status == OVER:
            return
        with suppress(SamizdatError):
            table = await self.house.find(id)
            for seat in table.held_by(player):
                if table.status == OPEN:
                    await self.house.do(table, ChangeSeat(seat, "open", ""), anyway=True)
                    continue
                free = [name for name in BOT_NAMES if name not in table.names]
                name = random.SystemRandom().choice(free)
                await self.house.do(table, ChangeSeat(seat, "bot", name, level=USUAL_LEVEL), anyway=True)

    async def hand_over_all(self, player: str) -> None:
        for id in await asyncio.to_thread(leaving.tables_with, self.store, player):
            await self.hand_over(id, player)

    async def take_name_off(self, player: str) -> None:
        await asyncio.to_thread(leaving.take_name_off, self.store, player)
        await self._read_again(player)

    async def _read_again(self, player: str) -> None:
        for id in await asyncio.to_thread(leaving.tables_told, self.store, player):
            await self.house.read_again(id)

    async def erase(self, player: str) -> None:
        """Everything of somebody: tables, name, boxes, keys."""
        for id in await asyncio.to_thread(leaving.tables_with, self.store, player):
            await self.remove_table(id, player)
        await asyncio.to_thread(leaving.take_name_off, self.store, player)
        await asyncio.to_thread(leaving.erase, self.store, player)
        await self._read_again(player)

    async def sweep(self) -> None:
        """Those whose seven days are over go, and what was said at tables whose match is over for long."""
        for player in await asyncio.to_thread(leaving.due, self.store, time.time()):
            await self.erase(player)
        await asyncio.to_thread(forget_talk, self.store, time.time() - TALK_KEPT)

    # --- as long as the house is open --------------------------------------------------------------------

    async def _run(self) -> None:
        while True:
            await _quietly(self.sweep())
            await asyncio.sleep(EVERY)


async def _quietly(work: Awaitable[T]) -> T | None:
    """What fails now (a full disk, say) is tried again in an hour."""
    try:
        return await work
    except (SamizdatError, OSError):
        return None
