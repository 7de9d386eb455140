"""The house: all tables of a host, and every change to them.

What is asked for (`commands.py`) comes to an event, which is stored in one transaction. Only then it changes the
table that others look at.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import Any, Protocol
from weakref import WeakValueDictionary

from sqlalchemy.exc import IntegrityError

from samizdat.kernel.errors import MatchFileError, NotYourTurn, SamizdatError
from samizdat.kernel.game import Game
from samizdat.kernel.luck import fresh_seed
from samizdat.kernel.matchfile import dumps, dumps_seat
from samizdat.kernel.starts import Start, written
from samizdat.kernel.telling import Phrase
from samizdat.table.clocks import LIVE, Clock, Terms
from samizdat.table.commands import Begin, Command, OfSeat
from samizdat.table.declined import NoTable, NotAllowed, TooMany
from samizdat.table.events import (
    Begun,
    Drafted,
    Event,
    Held,
    Played,
    Pleaded,
    Revoked,
    SeatChanged,
    Spoken,
    Stamped,
    TookBack,
    Voted,
)
from samizdat.table.house_time import HouseTime
from samizdat.table.importing import Readers, stored_state
from samizdat.table.journal import Decision
from samizdat.table.manners import Manners
from samizdat.table.names import clean_name
from samizdat.table.new_tables import fair_row, table_row
from samizdat.table.news import news_of
from samizdat.table.seats import Seat, Viewer, new_key
from samizdat.table.store.belonging import move
from samizdat.table.store.clocks import keep_clock, stored_clock
from samizdat.table.store.leaving import remove_table
from samizdat.table.store.messages import tell
from samizdat.table.store.ratings import is_rated, mark
from samizdat.table.store.store import Overtaken, Store
from samizdat.table.store.talk import keep_line, keep_stamp, said_at
from samizdat.table.tables import NOT_BEGUN, OPEN, OVER, PLAYING, LiveTable
from samizdat.table.talk import Talk
from samizdat.table.tickets import Ticket
from samizdat.table.timing import clock_after
from samizdat.table.versions import OtherRules, game_of

log = logging.getLogger("samizdat.house")

LATELY = 10.0  # seconds in which whoever asked for a table begins to look at it
AT_ONCE = 500  # tables that are asked for in one query
MOST_FLEETING = 400  # scenes that somebody has open
MOST_WEIGHT = 160 * 1024 * 1024  # bytes of matches in memory, about; others are read again when somebody comes
NO_TABLE = "There is no such table; the link may be incomplete."
FROZEN = Phrase("The host has frozen this table: everything stays as it is, and nothing is decided here for now.")
DAY = 24 * 3600.0  # seconds
TOO_MANY_TABLES = Phrase(
    "You have opened as many tables as one person may in a day; go on with one of them, or come back tomorrow."
)
TOO_MANY_MATCHES = Phrase(
    "You have brought as many matches as one person may in a day; go on with one of them, or come back tomorrow."
)


class Elsewhere(Protocol):
    """Scenes, where any process that shares the database may be asked for any of them."""

    def add(self, table: LiveTable) -> None: ...

    def keep(self, table: LiveTable, event: Event) -> None: ...

    def events(self, id: str) -> int | None: ...

    def read(self, id: str) -> LiveTable | None: ...


class House:
    """Every table of the host."""

    elsewhere: Elsewhere | None = None

    def __init__(self, store: Store, tables_a_day: int, imports_a_day: int) -> None:
        self.store = store
        self.tables_a_day, self.imports_a_day = tables_a_day, imports_a_day
        self.tables: dict[str, LiveTable] = {}  # the one asked for last at the end
        self.fleeting: dict[str, LiveTable] = {}  # scenes being tried; the newest at the end
        self._held: WeakValueDictionary[str, LiveTable] = WeakValueDictionary()  # somebody still works with these
        self.on_change: Callable[[LiveTable], None] = lambda table: None  # the bots listen here
        self.on_end: Callable[[LiveTable], None] = lambda table: None  # and ratings there
        self.on_event: Callable[[Event], None] = lambda event: None  # whoever counts
        self.frozen: frozenset[str] = frozenset()  # tables where nobody decides for now, as the host says
        self._behind: dict[str, asyncio.Task[None]] = {}  # tables that catch up with other processes
        self._heard: dict[str, int] = {}  # how many events they have by now
        self._loading: dict[str, asyncio.Task[LiveTable]] = {}
        self.readers = Readers()
        self.time = HouseTime(store)

    # --- changes -----------------------------------------------------------------------------------------

    async def do(self, table: LiveTable, command: Command) -> Event | None:
        """What comes of a command; an error says why it was refused, and nothing has changed."""
        if isinstance(command, OfSeat) and command.by is None:
            command = replace(command, by=table.chairs[command.seat])
        async with table.lock:
            while True:
                try:
                    if table.gone:
                        raise NoTable(NO_TABLE)
                    if table.id in self.frozen:
                        raise NotAllowed(FROZEN)
                    event = command.decide(table)
                    if event is None:
                        return None
                    clock = clock_after(table, event, self.time.now())
                    await asyncio.to_thread(self._keep, table, event, clock)
                    break
                except Overtaken:
                    await self._catch_up(table)
                except SamizdatError:  # unless it was a position that has passed elsewhere
                    if not await self._is_behind(table):
                        raise
                    await self._catch_up(table)
            table.clock = clock
            table.apply(event)
            table.events += self.store.shared  # counted only where others must be told
        self.on_event(event)
        if isinstance(event, SeatChanged):
            await self.do(table, Begin())
        if isinstance(event, Played | Voted) and table.status == OVER:
            self.on_end(table)
        self.on_change(table)
        return event

    def _keep(self, table: LiveTable, event: Event, clock: Clock | None) -> None:
        """Store what happened: when this returns, it is on disk."""
        if table.fleeting:
            if self.elsewhere is not None:
                self.elsewhere.keep(table, event)
            return
        with self.store.event(table.id, table.events):
            self._store(table, event)
            if clock is not None and clock is not table.clock:
                keep_clock(self.store, table.id, clock)
            tell(self.store, table.id, news_of(table, event), clock is not None and clock.terms.kind == LIVE)

    def _store(self, table: LiveTable, event: Event) -> None:
        match event:
            case Played() | TookBack():
                values = {"status": PLAYING if event.match.turn else OVER, **stored_state(event.match)}
                drop = [event.seat] if isinstance(event, Played) and event.seat in table.drafts else []
                if isinstance(event, TookBack) and event.agreed:
                    drop = list(table.drafts)
                if table.plea is not None and table.plea.by == event.seat:
                    values["plea"] = None
                public = None in event.noticed
                self.store.append(table.id, table.journaled, event.entries, drop, public, **values)
                if isinstance(event, TookBack) and event.line is not None:
                    keep_line(self.store, table.id, event.line, table.events + 1)
            case Pleaded():
                self.store.set_table(table.id, plea=event.plea.written())
                if event.line is not None:
                    keep_line(self.store, table.id, event.line, table.events + 1)
            case Begun():
                rules = {"rules": table.game.rules, "box": table.game.box.hash}  # those it is dealt by
                dealt = {"status": PLAYING, "seed": f"{event.match.seed:032x}"}
                values = {**dealt, "changed": time.time(), **rules, **stored_state(event.match)}
                self.store.set_table(table.id, **values)
            case Drafted():
                self.store.keep_draft(table.id, event.seat, event.draft)
            case SeatChanged():
                chair, number = event.chair, len(table.seatings)
                values = {"kind": chair.kind, "level": chair.level, "name": chair.name, "key": chair.key}
                fair = None
                if event.fairness is not None and event.fairness != table.fairness:
                    fair = event.fairness.written()
                left = (event.left, event.link)
                self.store.set_seat(table.id, event.seat, event.player, event.seating, number, fair, left, **values)
            case Held():
                self.store.hold(table.id, event.seat, event.player)
            case Revoked():
                self.store.revoke(table.id, event.seat, event.gone, event.key)
            case Spoken():
                keep_line(self.store, table.id, event.line, table.events + 1)
            case Voted():
                values = {"proposal": event.proposal.written()}
                if event.ended:
                    values |= {"status": OVER, "changed": time.time()}
                self.store.set_table(table.id, **values)
                if event.line is not None:
                    keep_line(self.store, table.id, event.line, table.events + 1)
            case Stamped():
                put = (event.line, event.player, event.stamp, event.on)
                keep_stamp(self.store, table.id, *put, table.events + 1)

    # --- finding and making tables -----------------------------------------------------------------------

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

    # --- people --------------------------------------------------------------------------------------------

    async def come_along(self, guest: str, account: str) -> None:
        """Everything that somebody has as a guest becomes an account's."""
        await asyncio.to_thread(move, self.store, guest, account)
        await asyncio.gather(*self._loading.values(), return_exceptions=True)  # they may have been read before
        for table in list(self._held.values()):
            if table.was_here(guest):
                await self.read_again(table.id)

    async def read_again(self, id: str) -> None:
        """Names, links and rights at a table were changed beside its events."""
        table = self._held.get(id)
        if table is not None:
            async with table.lock:
                await self._catch_up(table)

    async def remove(self, id: str) -> None:
        """A table goes with everything that was played there; whoever looks on is told so."""
        table = self._held.get(id)
        async with table.lock if table is not None else nullcontext():
            await asyncio.to_thread(remove_table, self.store, id)
            self._vanished(id)

    def _vanished(self, id: str) -> None:
        """A table is no longer in the database."""
        self.tables.pop(id, None)
        table = self._held.pop(id, None)
        if table is not None:
            table.gone = True
            table.notify()

    def end_streams(self) -> None:
        """This process is about to end: every stream is told to come back, each at a moment of its own."""
        for table in (*self._held.values(), *self.fleeting.values()):
            table.ending = True
            table.notify()

    def wake(self, player: str) -> None:
        """Somebody's right to look on has changed: open streams see to it."""
        for table in list(self._held.values()):
            if table.held_by(player):
                table.notify()

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

    # --- room, and new tables ----------------------------------------------------------------------------

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

    async def check_limit(self, player: str, imported: bool = False) -> None:
        """TooMany if a visitor has opened as many tables today, or brought as many matches, as one may."""
        most = self.imports_a_day if imported else self.tables_a_day
        since = time.time() - DAY
        if await asyncio.to_thread(self.store.opened_since, player, since, imported) >= most:
            raise TooMany(TOO_MANY_MATCHES if imported else TOO_MANY_TABLES)

    async def open_table(
        self, game: Game, chairs: Sequence[Seat], opened_by: str, public: bool, seed: int | None = None,
        start: Start | None = None, ticket: Ticket | None = None, number: str = "", manners: Manners | None = None,
        terms: Terms | None = None,
    ) -> LiveTable:  # fmt: skip
        """A new table; its match begins at once if no seat is open, and with the position of `start` if there is
        one. Its luck is made from a secret and from numbers, unless it is known (`seed`) or was prepared (`start`);
        the first number is that of whoever opens it with a ticket."""
        if ticket is not None and (sent := await asyncio.to_thread(self.store.table, ticket.fairness.table)):
            if sent.opened_by == opened_by:  # the same form once more
                return await self.find(sent.id)
            ticket = None
        if seed is None and start is None:
            row = fair_row(game, chairs, opened_by, public, ticket, number)
        else:
            row = table_row(secrets.token_urlsafe(9), game, opened_by, public, fresh_seed() if seed is None else seed)
        row["start"] = None if start is None else written(game, start)
        row["manners"] = manners.written() if manners else None
        try:
            await asyncio.to_thread(self._add, row, chairs, game, terms=terms)
        except IntegrityError:  # the same form, sent twice in one moment
            if ticket is None:
                raise
            return await self.open_table(game, chairs, opened_by, public, ticket=ticket, manners=manners, terms=terms)
        table = await self.find(row["id"])
        await self.do(table, Begin())
        return table

    async def rate(self, table: LiveTable) -> None:
        """A new table's match will count."""
        await asyncio.to_thread(mark, self.store, table.id)
        table.rated = True

    def _add(
        self, row: dict[str, Any], chairs: Sequence[Seat], game: Game, entries: Sequence[Decision] = (),
        terms: Terms | None = None,
    ) -> None:  # fmt: skip
        seats = [
            {"seat": seat, "kind": chair.kind, "level": chair.level, "name": chair.name, "key": chair.key}
            for seat, chair in enumerate(chairs)
        ]
        held = [(seat, player) for seat, chair in enumerate(chairs) for player in chair.holders]
        self.store.add_table(row, seats, held, entries, game.printed, vars(terms) if terms else None)

    async def rematch(
        self, table: LiveTable, asker: str = "", ticket: Ticket | None = None, number: str = ""
    ) -> LiveTable:
        """The same people at a new table, seats moved on by one; the second to ask finds the table of the first."""
        old, game = [*table.chairs[1:], table.chairs[0]], table.game.anew()
        chairs = [Seat(chair.kind, chair.level, chair.name, new_key(), set(chair.holders)) for chair in old]
        row = fair_row(game, chairs, asker, table.public, ticket, number) | {"opened_by": table.opened_by}
        row["manners"] = table.manners.written()

        def keep() -> None:
            with self.store.event(table.id, table.events):
                self._add(row, chairs, game, terms=table.clock.terms if table.clock else None)
                self.store.set_table(table.id, rematch=row["id"])
                if table.rated:
                    mark(self.store, str(row["id"]))

        async with table.lock:
            while table.rematch is None:
                try:
                    await asyncio.to_thread(keep)
                except Overtaken:
                    await self._catch_up(table)
                    continue
                except IntegrityError:  # the ticket leads to another table by now
                    row |= fair_row(game, chairs, table.opened_by, table.public)
                    continue
                table.rematch = str(row["id"])
                table.events += self.store.shared  # counted only where others must be told
                table.notify(change=True)
        again = await self.find(table.rematch)
        await self.do(again, Begin())
        return again

    async def import_match(self, text: str, player: str, name: str) -> LiveTable:
        """A table from a referee's file: whoever brings it holds every seat."""
        brought = await self.readers.read(text)
        id = secrets.token_urlsafe(9)
        game = brought.game
        row = table_row(id, game, player, False, brought.seed)
        row |= {"nonce": brought.nonce, "status": OVER if brought.over else PLAYING, "imported": True}
        row |= {"start": brought.start, "fair": brought.fair}
        names = [clean_name(given, f"{name} {seat + 1}") for seat, given in enumerate(brought.names)]
        chairs = [Seat("person", "", one, new_key(), {player}) for one in names]
        entries = [Decision(*one) for one in brought.decisions]
        await asyncio.to_thread(self._add, row | brought.stored, chairs, game, entries)
        return await self.find(id)

    # --- files -------------------------------------------------------------------------------------------

    async def file(self, table: LiveTable, viewer: Viewer) -> str:
        """What a viewer may take away: the whole match once it is over, a seat's file before."""
        if table.match is None:
            raise NotYourTurn(NOT_BEGUN)
        if table.over:
            return await asyncio.to_thread(dumps, table.match)
        match = table.match.at(table.behind.plies) if viewer is None and table.behind is not None else table.match
        return await asyncio.to_thread(dumps_seat, match, viewer)
