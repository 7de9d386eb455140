"""The house: all tables of a host, and every change to them.

What is asked for (`commands.py`) comes to an event, which is stored in one transaction (`storing.py`). Only then it
changes the table that others look at.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import Any

from sqlalchemy.exc import IntegrityError

from samizdat.kernel.errors import NotYourTurn, SamizdatError
from samizdat.kernel.game import Game
from samizdat.kernel.luck import fresh_seed
from samizdat.kernel.matchfile import dumps, dumps_seat
from samizdat.kernel.starts import Start, written
from samizdat.kernel.telling import Phrase
from samizdat.table.at_hand import NO_TABLE, TablesAtHand
from samizdat.table.clocks import Clock, Terms
from samizdat.table.commands import ALWAYS, Begin, Command, OfSeat
from samizdat.table.declined import NoTable, NotAllowed, TooMany
from samizdat.table.events import Event, Played, SeatChanged, Voted
from samizdat.table.freezing import frozen_words
from samizdat.table.house_time import HouseTime
from samizdat.table.importing import Readers
from samizdat.table.journal import Decision
from samizdat.table.manners import Manners
from samizdat.table.names import clean_name
from samizdat.table.new_tables import fair_row, table_row
from samizdat.table.seats import Seat, Viewer, new_key
from samizdat.table.store.belonging import move
from samizdat.table.store.leaving import remove_table
from samizdat.table.store.ratings import mark
from samizdat.table.store.store import Overtaken, Store
from samizdat.table.storing import keep
from samizdat.table.tables import NOT_BEGUN, OVER, PLAYING, LiveTable
from samizdat.table.tickets import Ticket
from samizdat.table.timing import clock_after

DAY = 24 * 3600.0  # seconds
TOO_MANY_TABLES = Phrase(
    "You have opened as many tables as one person may in a day; go on with one of them, or come back tomorrow."
)
TOO_MANY_MATCHES = Phrase(
    "You have brought as many matches as one person may in a day; go on with one of them, or come back tomorrow."
)


class House(TablesAtHand):
    """Every table of the host."""

    def __init__(self, store: Store, tables_a_day: int, imports_a_day: int) -> None:
        super().__init__(store)
        self.tables_a_day, self.imports_a_day = tables_a_day, imports_a_day
        self.on_end: Callable[[LiveTable], None] = lambda table: None  # ratings listen here
        self.on_event: Callable[[Event], None] = lambda event: None  # and whoever counts
        self.readers = Readers()
        self.time = HouseTime(store)

    # --- changes -----------------------------------------------------------------------------------------

    async def do(self, table: LiveTable, command: Command, anyway: bool = False) -> Event | None:
        """What comes of a command; an error says why it was refused, and nothing has changed. At a frozen table all
        are refused, unless it has to be `anyway`."""
        if isinstance(command, OfSeat) and command.by is None:
            command = replace(command, by=table.chairs[command.seat])
        async with table.lock:
            while True:
                try:
                    if table.gone:
                        raise NoTable(NO_TABLE)
                    if table.frozen is not None and not (anyway or isinstance(command, ALWAYS)):
                        raise NotAllowed(frozen_words(table.frozen))
                    event = command.decide(table)
                    if event is None:
                        return None
                    clock = clock_after(table, event, self.time.now())
                    await self._keep(table, event, clock)
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

    async def _keep(self, table: LiveTable, event: Event, clock: Clock | None) -> None:
        """Store what happened: when this returns, it is on disk."""
        if not table.fleeting:
            stored = self.store.event(table.id, table.events, lambda: keep(self.store, table, event, clock))
            await asyncio.wrap_future(stored)
        elif self.elsewhere is not None:
            await asyncio.to_thread(self.elsewhere.keep, table, event)

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

    def known_frozen(self) -> dict[str, str | None]:
        """The tables here, with what the host says at those that are frozen, as far as this process knows."""
        return {id: table.frozen for id, table in list(self._held.items())}

    async def remove(self, id: str) -> None:
        """A table goes with everything that was played there; whoever looks on is told so."""
        table = self._held.get(id)
        async with table.lock if table is not None else nullcontext():
            await asyncio.to_thread(remove_table, self.store, id)
            self._vanished(id)

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

    # --- new tables --------------------------------------------------------------------------------------

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

        def add() -> None:
            self._add(row, chairs, game, terms=table.clock.terms if table.clock else None)
            self.store.set_table(table.id, rematch=row["id"])
            if table.rated:
                mark(self.store, str(row["id"]))

        async with table.lock:
            while table.rematch is None:
                try:
                    await asyncio.wrap_future(self.store.event(table.id, table.events, add))
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
