"""The tables that a process has in memory: finding them, reading them again, room for them, and keeping up with what
other processes store."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from typing import Protocol
from weakref import WeakValueDictionary

from samizdat.kernel.errors import MatchFileError, SamizdatError
from samizdat.table.declined import NoTable
from samizdat.table.events import Event
from samizdat.table.seats import Seat
from samizdat.table.store.barring import frozen_why
from samizdat.table.store.clocks import stored_clock
from samizdat.table.store.ratings import is_rated
from samizdat.table.store.store import Store
from samizdat.table.store.talk import said_at
from samizdat.table.tables import OPEN, LiveTable
from samizdat.table.talk import Talk
from samizdat.table.versions import OtherRules, game_of

log = logging.getLogger("samizdat.house")

LATELY = 10.0  # seconds in which whoever asked for a table begins to look at it
AT_ONCE = 500  # tables that are asked for in one query
MOST_FLEETING = 400  # scenes that somebody has open
MOST_WEIGHT = 160 * 1024 * 1024  # bytes of matches in memory, about; others are read again when somebody comes
NO_TABLE = "There is no such table; the link may be incomplete."


class Elsewhere(Protocol):
    """Scenes, where any process that shares the database may be asked for any of them."""

    def add(self, table: LiveTable) -> None: ...

    def keep(self, table: LiveTable, event: Event) -> None: ...

    def events(self, id: str) -> int | None: ...

    def read(self, id: str) -> LiveTable | None: ...


class TablesAtHand:
    """Every table that somebody looks at or asked for lately."""

    elsewhere: Elsewhere | None = None

    def __init__(self, store: Store) -> None:
        self.store = store
        self.tables: dict[str, LiveTable] = {}  # the one asked for last at the end
        self.fleeting: dict[str, LiveTable] = {}  # scenes being tried; the newest at the end
        self._held: WeakValueDictionary[str, LiveTable] = WeakValueDictionary()  # somebody still works with these
        self.on_change: Callable[[LiveTable], None] = lambda table: None  # the bots listen here
        self._behind: dict[str, asyncio.Task[None]] = {}  # tables that catch up with other processes
        self._heard: dict[str, int] = {}  # how many events they have by now
        self._loading: dict[str, asyncio.Task[LiveTable]] = {}

    # --- finding -----------------------------------------------------------------------------------------

    async def find(self, id: str) -> LiveTable:
        """A table by its id, read from the store if it is not in memory."""
        if id in self.fleeting:
            return await self._found(self.fleeting[id])
        if self.elsewhere is not None and (scene := await asyncio.to_thread(self.elsewhere.read, id)) is not None:
            return self._lay(scene)
        found = self.tables.pop(id, None) or self._held.get(id)
        if found is not None:
            self.tables[id] = found
            return await self._found(found)
        task = self._loading.get(id)
        if task is None:
            task = self._loading[id] = asyncio.create_task(self._load(id))
            task.add_done_callback(lambda _: self._loading.pop(id, None))
        return await asyncio.shield(task)

    async def _found(self, table: LiveTable) -> LiveTable:
        """A table that was in memory, as it is now."""
        table.found = time.monotonic()
        if self.store.shared:
            await self.keep_up(table)
        return table

    async def _load(self, id: str) -> LiveTable:
        table = await asyncio.to_thread(self._read, id)
        self._make_room(table)
        self.tables[id] = self._held[id] = table
        self.on_change(table)  # it may wait for a bot
        return table

    def _read(self, id: str, known: LiveTable | None = None) -> LiveTable:
        """A table from the store; in a thread, as its match is played through again. Of one that is `known` as it
        was, only what came since is played."""
        with self.store.snapshot():
            return self._read_at_once(id, known)

    def _read_at_once(self, id: str, known: LiveTable | None) -> LiveTable:
        row = self.store.table(id)
        if row is None:
            raise NoTable(NO_TABLE)
        if known is not None and known.events == row.events:
            return known
        chairs = self._chairs(id)
        game = game_of(row, self.store.printed)
        try:
            table = LiveTable(row, game, chairs)
        except MatchFileError:  # a start that this program would not take
            raise OtherRules(id) from None
        table.rated, table.clock = is_rated(self.store, id), stored_clock(self.store, id, len(chairs))
        table.frozen = frozen_why(self.store, id)
        if known is not None and self.store.shared and row.talked <= known.events:
            table.talk = known.talk
        elif row.talked:
            table.talk = Talk(said_at(self.store, id))
        if row.status != OPEN:
            try:
                lines, changes = (known.journaled, len(known.seatings)) if known else (0, 0)
                told = self.store.seatings(id)
                table.recall(self.store.journal(id, lines), told[changes:], known)
                table.renamed(told)
            except SamizdatError:  # its own words would tell whoever asks what a seat decided in secret
                raise OtherRules(id) from None
            table.drafts = self.store.drafts(id)
            if table.match is None or not table.match.agrees(row.state or b""):
                raise OtherRules(id)
        return table

    def _chairs(self, id: str) -> list[Seat]:
        held = self.store.holders(id)
        return [
            Seat(seat.kind, seat.level, seat.name, seat.key, held.get(seat.seat, set()), seat.keyed)
            for seat in self.store.seats(id)
        ]

    # --- several processes -------------------------------------------------------------------------------

    async def _is_behind(self, table: LiveTable) -> bool:
        """Whether another process has changed a table since."""
        if table.fleeting:
            return (
                self.elsewhere is not None
                and await asyncio.to_thread(self.elsewhere.events, table.id) != table.events
            )
        if not self.store.shared:
            return False
        return await asyncio.to_thread(self.store.events, [table.id]) != {table.id: table.events}

    async def keep_up(self, table: LiveTable) -> None:
        """A table as it is now, whoever changed it."""
        if await self._is_behind(table):
            async with table.lock:
                await self._catch_up(table)

    async def _catch_up(self, table: LiveTable) -> None:
        """What other processes stored of a table, for whoever has its lock."""
        if table.fleeting:
            scene = await asyncio.to_thread(self.elsewhere.read, table.id) if self.elsewhere is not None else None
            if scene is None:
                raise NoTable(NO_TABLE)
            table.become(scene)
            return
        fresh = await asyncio.to_thread(self._read, table.id, table)
        if fresh is not table:
            table.become(fresh)
            self.on_change(table)

    def heard(self, id: str, events: int) -> None:
        """Some process changed a table. Where nobody looks at it here, nor is about to, it is enough to know when
        somebody does."""
        table = self._held.get(id) or self.fleeting.get(id)
        if table is None or table.events >= events:
            return
        if not any(table.listeners.values()) and time.monotonic() - table.found > LATELY:
            return
        self._heard[id] = max(events, self._heard.get(id, 0))
        if id not in self._behind:
            self._behind[id] = asyncio.create_task(self._follow(table))

    async def _follow(self, table: LiveTable) -> None:
        """Catch up with what was heard, also meanwhile."""
        try:
            known = -1
            while known < table.events < self._heard[table.id]:
                known = table.events
                await self.keep_up(table)
        except SamizdatError as error:
            log.warning("table %s stays as it is: %s", table.id, error)
        except Exception as error:  # its words may hold a secret
            log.error("table %s cannot be read again (%s)", table.id, type(error).__name__)
        finally:
            del self._behind[table.id], self._heard[table.id]

    async def look_around(self) -> None:
        """Notices may have been lost: ask for every table that is here."""
        ids = list(self._held)
        for first in range(0, len(ids), AT_ONCE):
            asked = ids[first : first + AT_ONCE]
            there = await asyncio.to_thread(self.store.events, asked)
            for id in asked:
                if id in there:
                    self.heard(id, there[id])
                else:
                    self._vanished(id)

    def _vanished(self, id: str) -> None:
        """A table is no longer in the database."""
        self.tables.pop(id, None)
        table = self._held.pop(id, None)
        if table is not None:
            table.gone = True
            table.notify()

    # --- room --------------------------------------------------------------------------------------------

    def _make_room(self, new: LiveTable) -> None:
        """Tables that nobody looks at leave, those not asked for longest first, until the others are light enough."""
        weight = new.weight + sum(table.weight for table in self.tables.values())
        for id, table in list(self.tables.items()):
            if weight <= MOST_WEIGHT:
                return
            if not any(table.listeners.values()) and not table.lock.locked():
                weight -= table.weight
                del self.tables[id]

    def forget_idle(self, seconds: float) -> int:
        """Tables that nobody looks at nor asked for since leave; how many that were."""
        before = time.monotonic() - seconds
        idle = [
            id
            for id, table in self.tables.items()
            if table.found < before and not any(table.listeners.values()) and not table.lock.locked()
        ]
        for id in idle:
            del self.tables[id]
        return len(idle)

    async def look_for_removed(self) -> None:
        """Another program may have taken tables away, of which a file tells nobody."""
        ids = list(self._held)
        for first in range(0, len(ids), AT_ONCE):
            asked = ids[first : first + AT_ONCE]
            there = await asyncio.to_thread(self.store.events, asked)
            for id in asked:
                if id not in there:
                    self._vanished(id)

    async def lay_out(self, table: LiveTable) -> None:
        """A table of which nothing stays."""
        if self.elsewhere is not None:
            await asyncio.to_thread(self.elsewhere.add, table)
        self._lay(table)

    def _lay(self, table: LiveTable) -> LiveTable:
        """For as long as there is room; those that nobody looks at go first."""
        table = self.fleeting.setdefault(table.id, table)
        for id, other in list(self.fleeting.items()):
            if len(self.fleeting) <= MOST_FLEETING:
                break
            if not any(other.listeners.values()) and other is not table:
                del self.fleeting[id]
        return table
