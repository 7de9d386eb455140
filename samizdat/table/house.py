"""The house: all tables of a host, and every change to them.

What is asked for (`commands.py`) comes to an event, which is stored in one transaction. Only then it changes the
table that others look at.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from typing import Any
from weakref import WeakValueDictionary

from samizdat.kernel.errors import MatchFileError, NotYourTurn, SamizdatError
from samizdat.kernel.game import Game
from samizdat.kernel.luck import fresh_seed
from samizdat.kernel.matchfile import dumps, dumps_seat
from samizdat.kernel.starts import Start, written
from samizdat.kernel.telling import Phrase
from samizdat.table.commands import Begin, Command, OfSeat
from samizdat.table.declined import NoTable, TooMany
from samizdat.table.events import Begun, Drafted, Event, Held, Played, Revoked, SeatChanged, TookBack
from samizdat.table.importing import Readers, stored_state
from samizdat.table.journal import Decision
from samizdat.table.names import clean_name
from samizdat.table.seats import Seat, Viewer, new_key
from samizdat.table.store.belonging import move
from samizdat.table.store.leaving import remove_table
from samizdat.table.store.ratings import is_rated, mark
from samizdat.table.store.store import Store, key_of
from samizdat.table.tables import NOT_BEGUN, OPEN, OVER, PLAYING, LiveTable
from samizdat.table.versions import OtherRules, game_of

MOST_FLEETING = 400  # scenes that somebody has open
MOST_WEIGHT = 160 * 1024 * 1024  # bytes of matches in memory, about; others are read again when somebody comes
DAY = 24 * 3600.0  # seconds
TOO_MANY_TABLES = Phrase(
    "You have opened as many tables as one person may in a day; go on with one of them, or come back tomorrow."
)
TOO_MANY_MATCHES = Phrase(
    "You have brought as many matches as one person may in a day; go on with one of them, or come back tomorrow."
)


class House:
    """Every table of the host."""

    def __init__(self, store: Store, tables_a_day: int, imports_a_day: int) -> None:
        self.store = store
        self.tables_a_day, self.imports_a_day = tables_a_day, imports_a_day
        self.tables: dict[str, LiveTable] = {}  # the one asked for last at the end
        self.fleeting: dict[str, LiveTable] = {}  # scenes being tried; the newest at the end
        self._held: WeakValueDictionary[str, LiveTable] = WeakValueDictionary()  # somebody still works with these
        self.on_change: Callable[[LiveTable], None] = lambda table: None  # the bots listen here
        self.on_end: Callable[[LiveTable], None] = lambda table: None  # and ratings there
        self._loading: dict[str, asyncio.Task[LiveTable]] = {}
        self.readers = Readers()

    # --- changes -----------------------------------------------------------------------------------------

    async def do(self, table: LiveTable, command: Command) -> Event | None:
        """What comes of a command; an error says why it was refused, and nothing has changed."""
        if isinstance(command, OfSeat) and command.by is None:
            command = replace(command, by=table.chairs[command.seat])
        async with table.lock:
            if table.gone:
                raise NoTable("There is no such table; the link may be incomplete.")
            event = command.decide(table)
            if event is None:
                return None
            await asyncio.to_thread(self._keep, table, event)
            table.apply(event)
        if isinstance(event, SeatChanged):
            await self.do(table, Begin())
        if isinstance(event, Played) and table.status == OVER:
            self.on_end(table)
        self.on_change(table)
        return event

    def _keep(self, table: LiveTable, event: Event) -> None:
        """Store what happened: when this returns, it is on disk."""
        if table.fleeting:
            return
        match event:
            case Played() | TookBack():
                values = {"status": PLAYING if event.match.turn else OVER, **stored_state(event.match)}
                drop, public = [event.seat] if isinstance(event, Played) else [], None in event.noticed
                self.store.append(table.id, table.journaled, event.entries, drop, public, **values)
            case Begun():
                rules = {"rules": table.game.rules, "box": table.game.box.hash}  # those it is dealt by
                values = {"status": PLAYING, "changed": time.time(), **rules, **stored_state(event.match)}
                self.store.set_table(table.id, **values)
            case Drafted():
                self.store.keep_draft(table.id, event.seat, event.draft)
            case SeatChanged():
                chair, number = event.chair, len(table.seatings)
                values = {"kind": chair.kind, "level": chair.level, "name": chair.name, "key": chair.key}
                self.store.set_seat(table.id, event.seat, event.player, event.seating, number, **values)
            case Held():
                self.store.hold(table.id, event.seat, event.player)
            case Revoked():
                self.store.revoke(table.id, event.seat, event.gone, event.key)

    # --- finding and making tables -----------------------------------------------------------------------

    async def find(self, id: str) -> LiveTable:
        """A table by its id, read from the store if it is not in memory."""
        if id in self.fleeting:
            return self.fleeting[id]
        found = self.tables.pop(id, None) or self._held.get(id)
        if found is not None:
            self.tables[id] = found
            return found
        task = self._loading.get(id)
        if task is None:
            task = self._loading[id] = asyncio.create_task(self._load(id))
            task.add_done_callback(lambda _: self._loading.pop(id, None))
        return await asyncio.shield(task)

    async def _load(self, id: str) -> LiveTable:
        table = await asyncio.to_thread(self._read, id)
        self._make_room(table)
        self.tables[id] = self._held[id] = table
        self.on_change(table)  # it may wait for a bot
        return table

    def _read(self, id: str) -> LiveTable:
        """A table from the store; in a thread, as its match is played through again."""
        row = self.store.table(id)
        if row is None:
            raise NoTable("There is no such table; the link may be incomplete.")
        chairs = self._chairs(id)
        game = game_of(row, self.store.printed)
        try:
            table = LiveTable(row, game, chairs)
        except MatchFileError:  # a start that this program would not take
            raise OtherRules(id) from None
        table.rated = is_rated(self.store, id)
        if row.status != OPEN:
            try:
                table.recall(self.store.journal(id), self.store.seatings(id))
            except SamizdatError:  # its own words would tell whoever asks what a seat decided in secret
                raise OtherRules(id) from None
            table.drafts = self.store.drafts(id)
            if table.match is None or not table.match.agrees(row.state or b""):
                raise OtherRules(id)
        return table

    async def come_along(self, guest: str, account: str) -> None:
        """Everything that somebody has as a guest becomes an account's."""
        await asyncio.to_thread(move, self.store, guest, account)
        await asyncio.gather(*self._loading.values(), return_exceptions=True)  # they may have been read before
        for table in list(self._held.values()):
            if table.was_here(guest):
                await self.read_again(table.id)

    async def read_again(self, id: str) -> None:
        """Names, links and rights at a table were changed in the database."""
        table = self._held.get(id)
        if table is None:
            return
        async with table.lock:
            row = await asyncio.to_thread(self.store.table, id)
            chairs = await asyncio.to_thread(self._chairs, id)
            seatings = await asyncio.to_thread(self.store.seatings, id)
            if row is not None:
                table.reseat(row.opened_by, chairs, seatings)

    async def remove(self, id: str) -> None:
        """A table goes with everything that was played there; whoever looks on is told so."""
        table = self._held.get(id)
        async with table.lock if table is not None else nullcontext():
            await asyncio.to_thread(remove_table, self.store, id)
            self.tables.pop(id, None)
            self._held.pop(id, None)
            if table is not None:
                table.gone = True
                table.notify()

    def wake(self, player: str) -> None:
        """Somebody's right to look on has changed: open streams see to it."""
        for table in list(self._held.values()):
            if table.held_by(player):
                table.notify()

    def _chairs(self, id: str) -> list[Seat]:
        held = self.store.holders(id)
        return [
            Seat(seat.kind, seat.level, seat.name, seat.key, held.get(seat.seat, set()))
            for seat in self.store.seats(id)
        ]

    def _make_room(self, new: LiveTable) -> None:
        """Tables that nobody looks at leave, those not asked for longest first, until the others are light enough."""
        weight = new.weight + sum(table.weight for table in self.tables.values())
        for id, table in list(self.tables.items()):
            if weight <= MOST_WEIGHT:
                return
            if not any(table.listeners.values()) and not table.lock.locked():
                weight -= table.weight
                del self.tables[id]

    def lay_out(self, table: LiveTable) -> None:
        """A table of which nothing is stored, for as long as there is room; those that nobody looks at go first."""
        self.fleeting[table.id] = table
        for id, other in list(self.fleeting.items()):
            if len(self.fleeting) <= MOST_FLEETING:
                return
            if not any(other.listeners.values()) and other is not table:
                del self.fleeting[id]

    async def check_limit(self, player: str, imported: bool = False) -> None:
        """TooMany if a visitor has opened as many tables today, or brought as many matches, as one may."""
        most = self.imports_a_day if imported else self.tables_a_day
        since = time.time() - DAY
        if await asyncio.to_thread(self.store.opened_since, player, since, imported) >= most:
            raise TooMany(TOO_MANY_MATCHES if imported else TOO_MANY_TABLES)

    async def open_table(
        self, game: Game, chairs: Sequence[Seat], opened_by: str, public: bool, seed: int | None = None,
        start: Start | None = None,
    ) -> LiveTable:  # fmt: skip
        """A new table; its match begins at once if no seat is open, and with the position of `start` if there is
        one."""
        id = secrets.token_urlsafe(9)
        row = self._row(id, game, opened_by, public, fresh_seed() if seed is None else seed)
        row["start"] = None if start is None else written(game, start)
        await self._add(row, chairs, game)
        table = await self.find(id)
        await self.do(table, Begin())
        return table

    async def rate(self, table: LiveTable) -> None:
        """A new table's match will count."""
        await asyncio.to_thread(mark, self.store, table.id)
        table.rated = True

    @staticmethod
    def _row(id: str, game: Game, opened_by: str, public: bool, seed: int) -> dict[str, Any]:
        return {
            "id": id, "game": game.name, "variant": game.variant, "players": game.players,
            "options": dict(game.options), "rules": game.rules, "box": game.box.hash, "public": public,
            "opened_by": opened_by, "status": OPEN, "seed": f"{seed:032x}", "nonce": secrets.token_hex(16),
            "acting": 0, "plies": 0, "state": None, "result": None, "rematch": None, "imported": False,
            "printed": key_of(game.printed) if game.printed else None,
            "start": None,
        }  # fmt: skip

    async def _add(
        self, row: dict[str, Any], chairs: Sequence[Seat], game: Game, entries: Sequence[Decision] = ()
    ) -> None:
        seats = [
            {"seat": seat, "kind": chair.kind, "level": chair.level, "name": chair.name, "key": chair.key}
            for seat, chair in enumerate(chairs)
        ]
        held = [(seat, player) for seat, chair in enumerate(chairs) for player in chair.holders]
        await asyncio.to_thread(partial(self.store.add_table, row, seats, held, entries, game.printed))

    async def import_match(self, text: str, player: str, name: str) -> LiveTable:
        """A table from a referee's file: whoever brings it holds every seat."""
        brought = await self.readers.read(text)
        id = secrets.token_urlsafe(9)
        game = brought.game
        row = self._row(id, game, player, False, brought.seed)
        row |= {"nonce": brought.nonce, "status": OVER if brought.over else PLAYING, "imported": True}
        row["start"] = brought.start
        names = [clean_name(given, f"{name} {seat + 1}") for seat, given in enumerate(brought.names)]
        chairs = [Seat("person", "", one, new_key(), {player}) for one in names]
        await self._add(row | brought.stored, chairs, game, [Decision(*one) for one in brought.decisions])
        return await self.find(id)

    # --- files -------------------------------------------------------------------------------------------

    async def file(self, table: LiveTable, viewer: Viewer) -> str:
        """What a viewer may take away: the whole match once it is over, a seat's file before."""
        if table.match is None:
            raise NotYourTurn(NOT_BEGUN)
        if table.match.over:
            return await asyncio.to_thread(dumps, table.match)
        return await asyncio.to_thread(dumps_seat, table.match, viewer)
