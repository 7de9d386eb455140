"""The house: all tables of a host, their matches in memory, and every change to them.

A change is played on a copy, stored in one transaction, and only then becomes the match that others are told of.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from weakref import WeakValueDictionary

from samizdat.kernel.boards import Composition, Seen
from samizdat.kernel.errors import GameOver, IllegalMove, NotYourTurn, SamizdatError
from samizdat.kernel.game import Game
from samizdat.kernel.luck import fresh_seed
from samizdat.kernel.match import SPECTATOR, Match
from samizdat.kernel.matchfile import commitment, dumps, dumps_seat
from samizdat.kernel.telling import Line, Phrase
from samizdat.table.chronicle import Chronicle
from samizdat.table.importing import Readers, stored_state
from samizdat.table.players import clean_name
from samizdat.table.rendering import Chair, Entry, Position, board_of
from samizdat.table.store.store import Deed, Seating, Store
from samizdat.table.versions import OtherRules, game_of

MOST_WEIGHT = 256 * 1024 * 1024  # bytes of matches in memory, about; others are read again when somebody comes
TABLE_WEIGHT, PLY_WEIGHT, STEP_WEIGHT, PICTURE_WEIGHT = 20_000, 900, 2_200, 120_000  # besides the records
OPEN, PLAYING, OVER = "open", "playing", "over"
LONGEST_DRAFT = 400
FAR_BEHIND = 10  # decisions; a chronicle takes one or two milliseconds for each
DAY = 24 * 3600.0  # seconds
GIVEN_AWAY = Phrase("This seat's link is no longer valid; ask whoever opened the table for a new one.")
TOO_MANY_TABLES = Phrase(
    "You have opened as many tables as one person may in a day; go on with one of them, or come back tomorrow."
)
TOO_MANY_MATCHES = Phrase(
    "You have brought as many matches as one person may in a day; go on with one of them, or come back tomorrow."
)
TAKEN = Phrase("That seat is taken.")
NOT_YOURS = Phrase("This hand waits for whoever had it, for a bot, or for somebody who was not at this table.")
NOT_BEGUN = Phrase("The match has not begun; the table still has open seats.")

Viewer = int | None


class Stale(SamizdatError):
    """The decision was made in a position that is no longer the present one."""


class NoTable(SamizdatError):
    """There is no such table."""


class NotAllowed(SamizdatError):
    """Only the seat's owner, or whoever opened the table, may do that."""


class TooMany(SamizdatError):
    """A visitor has done that as often as one may."""


@dataclass
class SeatHere:
    """One seat of a table."""

    kind: str
    level: str
    name: str
    key: str
    holders: set[str] = field(default_factory=set)


class LiveTable:
    """One table in memory."""

    def __init__(self, row: Any, game: Game, chairs: list[SeatHere]) -> None:
        self.id: str = row.id
        self.game = game
        self.chairs = chairs
        self.opened_by: str = row.opened_by
        self.public: bool = row.public
        self.status: str = row.status
        self.seed = int(row.seed, 16)
        self.nonce = int(row.nonce, 16)
        self.rematch: str | None = row.rematch
        self.imported: bool = row.imported
        self.match: Match | None = None
        self.deeds = 0  # lines of the journal
        self.seatings: list[Seating] = []  # changes of seats while the match runs
        self.drafts: dict[int, tuple[str, ...]] = {}
        self.chronicles: dict[Viewer, Chronicle] = {}
        self.behind: set[Viewer] = set()  # to whom nobody listens: their chronicles catch up when asked for
        self.lock = asyncio.Lock()
        self._writing = asyncio.Lock()
        self.listeners: dict[Viewer, set[asyncio.Event]] = {}
        self.changes: dict[Viewer, int] = {}  # of seats and of the viewer's own draft: no steps of the match
        self.pictures: dict[Viewer, dict[Any, Any]] = {}  # rendered parts, by what they were rendered from

    @property
    def commitment(self) -> str:
        return commitment(self.seed, self.nonce)

    @property
    def names(self) -> list[str]:
        return [chair.name for chair in self.chairs]

    @property
    def foreknown(self) -> bool:
        """Whether somebody can know what luck will bring: the seed of an imported match stands in its file."""
        return self.imported and self.status != OVER

    def held_by(self, player: str) -> list[int]:
        return [seat for seat, chair in enumerate(self.chairs) if player in chair.holders]

    def chronicle(self, viewer: Viewer) -> Chronicle:
        if self.match is None:
            raise NotYourTurn(NOT_BEGUN)
        found = self.chronicles.get(viewer)
        if found is None:
            found = self.chronicles[viewer] = Chronicle(self.match, viewer)
        elif viewer in self.behind and found.follow(self.match):
            self.pictures.pop(viewer, None)
        self.behind.discard(viewer)
        return found

    async def write_up(self, *viewers: Viewer) -> None:
        """Bring chronicles that are far behind up to date in a thread, while the event loop goes on with others;
        several who ask at once wait for one and the same. Nobody whose own is up to date waits for another's."""
        if not any(self._lag(viewer) > FAR_BEHIND for viewer in viewers):
            return
        async with self._writing:
            old = {viewer: self.chronicles.get(viewer) for viewer in viewers if self._lag(viewer) > FAR_BEHIND}
            if self.match is None or not old:
                return
            versions = {viewer: found.version for viewer, found in old.items() if found}
            begun = {viewer: found.copy() if found else None for viewer, found in old.items()}
            twin = self.match.copy()  # the match itself may be looked at meanwhile
            for viewer, written in (await asyncio.to_thread(_written, twin, begun)).items():
                now = self.chronicles.get(viewer)
                if now is old[viewer] and (now is None or now.version == versions[viewer]):
                    self.chronicles[viewer] = written
                    self.behind.add(viewer)  # the match may have gone on
                    self.pictures.pop(viewer, None)
            self.match.learn(twin)

    def _lag(self, viewer: Viewer) -> int:
        """How many decisions of the match a chronicle has not looked at."""
        found = self.chronicles.get(viewer)
        return 0 if self.match is None else self.match.plies - (found.plies if found else 0)

    def follow(self) -> None:
        """Let every viewer take in what was played."""
        if self.match is not None:
            for viewer in self.viewers:
                self.chronicle(viewer).follow(self.match)

    def advance(self, match: Match) -> list[Viewer]:
        """The match goes on: those to whom somebody listens take it in at once, the others when they are asked.
        Returns who of the former noticed anything."""
        self.match = match
        self.behind |= self.chronicles.keys() & set(self.viewers)
        heard = [viewer for viewer in self.viewers if self.listeners.get(viewer)]
        before = [self.chronicles[viewer].version if viewer in self.chronicles else -1 for viewer in heard]
        return [one for one, version in zip(heard, before, strict=True) if self.chronicle(one).version != version]

    def rewind(self, match: Match, seat: int) -> list[Viewer]:
        """A seat took something back: everybody has seen what was played until then, and sees what is left of it."""
        for viewer in self.viewers:
            self.chronicle(viewer)
        self._forget_last(seat)
        self.match = match
        return [viewer for viewer in self.viewers if self.chronicle(viewer).rewrite(match)]

    def _forget_last(self, seat: int) -> None:
        """The last decision of a seat goes: changes of seats after it move up by one."""
        assert self.match is not None
        last = max(number for number, (who, _) in enumerate(self.match.moves) if who == seat)
        for seating in self.seatings:
            seating.plies -= seating.plies > last

    def recall(self, deeds: Sequence[Deed], seatings: Sequence[Seating] = ()) -> None:
        """The match from its journal, and every viewer's versions as they were: a browser that comes back after a
        restart must not take another position for the one it knows. What a viewer saw is worked out when somebody
        looks, unless something was taken back: that counts, too."""
        self.match = Match(self.game, self.seed, nonce=self.nonce)
        self.deeds = len(deeds)
        coming = list(reversed(seatings))
        for number, deed in enumerate(deeds):
            self._seat_again(coming, number)
            if deed.move:
                self.match.play(deed.seat, deed.move, deed.luck)
                continue
            self.follow()
            self._forget_last(deed.seat)
            self.match.undo(deed.seat)
            for viewer in self.viewers:
                self.chronicle(viewer).rewrite(self.match)
        self._seat_again(coming, len(deeds))
        self.behind |= self.chronicles.keys()
        self.name_seats()

    def _seat_again(self, coming: list[Seating], number: int) -> None:
        """Changes of seats that came before this line of the journal, in their place."""
        assert self.match is not None
        while coming and coming[-1].after <= number:
            self.seatings.append(coming.pop())
            self.seatings[-1].plies = self.match.plies

    # --- changes of seats --------------------------------------------------------------------------------

    def entries(self, viewer: Viewer, upto: int | None = None) -> list[Entry]:
        """The record as a viewer reads it: what was told of the match, and every change of a seat in its place."""
        chronicle = self.chronicle(viewer)
        if not self.seatings or self.match is None:
            return chronicle.entries(upto)
        steps = self.match.noticed(viewer)
        return chronicle.entries(upto, [(steps[one.plies], seat_line(one)) for one in self.seatings])

    def owners(self, seat: int) -> frozenset[str]:
        """Whose hand a seat's is: the players who held it last."""
        return next((one.held for one in reversed(self.seatings) if one.seat == seat and one.held), frozenset())

    def was_here(self, player: str) -> bool:
        """Whether somebody is at this table, or was since the match began."""
        known = [*(chair.holders for chair in self.chairs), *(one.held for one in self.seatings), {self.opened_by}]
        return any(player in those for those in known)

    def name_seats(self) -> None:
        """The match's file says who played."""
        if self.match is not None:
            self.match.names = tuple(self.names)

    @property
    def weight(self) -> int:
        """About how many bytes this table takes: decisions, what everybody saw of them, and what was drawn."""
        size = self.game.definition.state.dtype.itemsize
        plies = self.match.plies if self.match is not None else 0
        steps = sum(len(chronicle.steps) for chronicle in self.chronicles.values())
        drawn = sum(len(pictures) for pictures in self.pictures.values())
        return TABLE_WEIGHT + plies * (size + PLY_WEIGHT) + steps * (size + STEP_WEIGHT) + drawn * PICTURE_WEIGHT

    @property
    def viewers(self) -> tuple[Viewer, ...]:
        return (None, *range(self.game.players))

    def tell(self, *viewers: Viewer, change: bool = False) -> None:
        """Wake those who look on."""
        for viewer in viewers or self.viewers:
            self.pictures.pop(viewer, None)
            self.changes[viewer] = self.changes.get(viewer, 0) + change
            for listener in self.listeners.get(viewer, ()):
                listener.set()

    def may_undo(self, seat: int) -> bool:
        """Whether a seat may take something back: never after the end, when seed and secrets are out."""
        return self.match is not None and not self.match.over and self.match.can_undo(seat)

    def composition(self, seat: int) -> Composition | None:
        """The seat's draft, if there is something to compose now."""
        chronicle = self.chronicle(seat)
        seen = chronicle.steps[-1].seen
        if not chronicle.notations(seen):
            return None
        composed: Composition | None = board_of(self.game.name).compose(
            self.game, chronicle.record(seen), seat, self.drafts.get(seat, ())
        )
        return composed

    def position(self, viewer: Viewer, step: int | None = None) -> Position:
        """The match as a viewer sees it now, or saw it at an earlier step."""
        chronicle = self.chronicle(viewer)
        number = len(chronicle.steps) - 1 if step is None else step
        past = number < len(chronicle.steps) - 1
        one = chronicle.steps[number]
        legal = chronicle.notations(one.seen) if not past else ()
        draft = self.composition(viewer) if viewer is not None and legal else None
        view = chronicle.view(one.seen)
        return Position(
            game=self.game,
            seen=Seen(view, viewer, legal, draft, one.told),
            chairs=[Chair(chair.name, chair.kind, chair.level) for chair in self.chairs],
            entries=self.entries(viewer, number),
            version=chronicle.version,
            can_undo=not past and viewer is not None and self.may_undo(viewer),
            over=not view["turn"],
            past=past,
            rematch=self.rematch if viewer is not None or self.public else None,
            told=[entry.line for entry in one.entries],
            mine=one.observed.move is not None,
            reveals=board_of(self.game.name).reveals(
                self.game, list(one.told), SPECTATOR if viewer is None else viewer
            ),
        )


class House:
    """Every table of the host."""

    def __init__(self, store: Store, tables_a_day: int, imports_a_day: int) -> None:
        self.store = store
        self.tables_a_day, self.imports_a_day = tables_a_day, imports_a_day
        self.tables: dict[str, LiveTable] = {}  # the one asked for last at the end
        self._held: WeakValueDictionary[str, LiveTable] = WeakValueDictionary()  # somebody still works with these
        self.on_change: Callable[[LiveTable], None] = lambda table: None  # the bots listen here
        self._loading: dict[str, asyncio.Task[LiveTable]] = {}
        self.readers = Readers()

    async def _stored(self, act: Callable[..., Any], *args: Any, **values: Any) -> Any:
        return await asyncio.to_thread(partial(act, *args, **values))

    # --- finding and making tables -----------------------------------------------------------------------

    async def find(self, id: str) -> LiveTable:
        """A table by its id, read from the store if it is not in memory."""
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
        row = await self._stored(self.store.table, id)
        if row is None:
            raise NoTable("There is no such table; the link may be incomplete.")
        held = await self._stored(self.store.holders, id)
        chairs = [
            SeatHere(seat.kind, seat.level, seat.name, seat.key, held.get(seat.seat, set()))
            for seat in await self._stored(self.store.seats, id)
        ]
        table = LiveTable(row, game_of(row), chairs)
        if row.status != OPEN:
            deeds = await self._stored(self.store.journal, id)
            try:
                await asyncio.to_thread(table.recall, deeds, await self._stored(self.store.seatings, id))
            except SamizdatError:  # its own words would tell whoever asks what a seat decided in secret
                raise OtherRules(id) from None
            table.drafts = await self._stored(self.store.drafts, id)
            if table.match is None or not table.match.agrees(row.state or b""):
                raise OtherRules(id)
        self._make_room(table)
        self.tables[id] = self._held[id] = table
        self.on_change(table)  # it may wait for a bot
        return table

    def _make_room(self, new: LiveTable) -> None:
        """Tables that nobody looks at leave, those not asked for longest first, until the others are light enough."""
        weight = new.weight + sum(table.weight for table in self.tables.values())
        for id, table in list(self.tables.items()):
            if weight <= MOST_WEIGHT:
                return
            if not any(table.listeners.values()) and not table.lock.locked():
                weight -= table.weight
                del self.tables[id]

    async def check_limit(self, player: str, imported: bool = False) -> None:
        """TooMany if a visitor has opened as many tables today, or brought as many matches, as one may."""
        most = self.imports_a_day if imported else self.tables_a_day
        if await self._stored(self.store.opened_since, player, time.time() - DAY, imported) >= most:
            raise TooMany(TOO_MANY_MATCHES if imported else TOO_MANY_TABLES)

    async def open_table(
        self, game: Game, chairs: Sequence[SeatHere], opened_by: str, public: bool, seed: int | None = None
    ) -> LiveTable:
        """A new table; its match begins at once if no seat is open."""
        id = secrets.token_urlsafe(9)
        row = self._row(id, game, opened_by, public, fresh_seed() if seed is None else seed)
        await self._add(row, chairs)
        table = await self.find(id)
        await self.begin_if_full(table)
        return table

    @staticmethod
    def _row(id: str, game: Game, opened_by: str, public: bool, seed: int) -> dict[str, Any]:
        return {
            "id": id, "game": game.name, "variant": game.variant, "players": game.players,
            "options": dict(game.options), "rules": game.rules, "box": game.box.hash, "public": public,
            "opened_by": opened_by, "status": OPEN, "seed": f"{seed:032x}", "nonce": secrets.token_hex(16),
            "acting": 0, "plies": 0, "state": None, "result": None, "rematch": None, "imported": False,
        }  # fmt: skip

    async def _add(self, row: dict[str, Any], chairs: Sequence[SeatHere], deeds: Sequence[Deed] = ()) -> None:
        seats = [
            {"seat": seat, "kind": chair.kind, "level": chair.level, "name": chair.name, "key": chair.key}
            for seat, chair in enumerate(chairs)
        ]
        held = [(seat, player) for seat, chair in enumerate(chairs) for player in chair.holders]
        await self._stored(self.store.add_table, row, seats, held, deeds)

    async def import_match(self, text: str, player: str, name: str) -> LiveTable:
        """A table from a referee's file: whoever brings it holds every seat."""
        brought = await self.readers.read(text)
        id = secrets.token_urlsafe(9)
        game = brought.game
        row = self._row(id, game, player, False, brought.seed)
        row |= {"nonce": brought.nonce, "status": OVER if brought.over else PLAYING, "imported": True}
        names = [clean_name(given, f"{name} {seat + 1}") for seat, given in enumerate(brought.names)]
        chairs = [SeatHere("person", "", one, new_key(), {player}) for one in names]
        await self._add(row | brought.stored, chairs, [Deed(*deed) for deed in brought.deeds])
        return await self.find(id)

    async def begin_if_full(self, table: LiveTable) -> None:
        """Deal, once every seat is taken."""
        async with table.lock:
            if table.status != OPEN or any(chair.kind == "open" for chair in table.chairs):
                return
            match = Match(table.game, table.seed, nonce=table.nonce)
            rules = {"rules": table.game.rules, "box": table.game.box.hash}  # those it is dealt by
            values = {"status": PLAYING, "changed": time.time(), **rules, **stored_state(match)}
            await self._stored(self.store.set_table, table.id, **values)
            table.status, table.match = PLAYING, match
            table.name_seats()
            table.tell(change=True)
        self.on_change(table)

    # --- seats -------------------------------------------------------------------------------------------

    async def set_seat(
        self, table: LiveTable, seat: int, kind: str, name: str, player: str | None, level: str = ""
    ) -> SeatHere:
        """Give a seat to a person, to a bot or to nobody."""
        async with table.lock:
            chair = await self._seat(table, seat, kind, name, player, level)
        await self.begin_if_full(table)
        self.on_change(table)
        return chair

    async def sit(self, table: LiveTable, seat: int, name: str, player: str) -> SeatHere:
        """A person takes an open seat. While a match runs there is a hand on it, which nobody may look into who knows
        another one."""
        async with table.lock:
            if table.chairs[seat].kind != "open":
                raise NotAllowed(TAKEN)
            if table.match is not None and player not in table.owners(seat) and table.was_here(player):
                raise NotAllowed(NOT_YOURS)
            chair = await self._seat(table, seat, "person", name, player)
        await self.begin_if_full(table)
        self.on_change(table)
        return chair

    async def _seat(
        self, table: LiveTable, seat: int, kind: str, name: str, player: str | None, level: str = ""
    ) -> SeatHere:
        """Change a seat: its old link stops working, its draft is forgotten, and the record of a match says so."""
        chair = SeatHere(kind, level, name, new_key(), {player} if player else set())
        seating = None
        if table.match is not None:
            old = table.chairs[seat]
            was = old.name or next((one.was for one in reversed(table.seatings) if one.seat == seat), "")
            back = old.kind == "open" and player in table.owners(seat)
            held = frozenset(old.holders)
            seating = Seating(seat, kind, name, was, back, held, table.deeds, table.match.plies)
        values = {"kind": kind, "level": level, "name": name, "key": chair.key}
        await self._stored(self.store.set_seat, table.id, seat, player, seating, len(table.seatings), **values)
        table.chairs[seat] = chair
        if seating is not None:
            table.seatings.append(seating)
        table.name_seats()
        table.drafts.pop(seat, None)
        table.tell(change=True)
        return chair

    async def hold(self, table: LiveTable, seat: int, key: str, player: str) -> None:
        """Another browser of the same person, who has the seat's key."""
        async with table.lock:
            chair = table.chairs[seat]
            if chair.kind != "person" or chair.key != key:
                raise NoTable(GIVEN_AWAY)
            await self._stored(self.store.hold, table.id, seat, player)
            chair.holders.add(player)

    # --- decisions ---------------------------------------------------------------------------------------

    async def play(
        self, table: LiveTable, seat: int, moves: Sequence[object], version: int | None, chair: SeatHere | None = None
    ) -> None:
        """Decisions of one seat, made in the position that had this version for it; all of them or none. `chair` is
        whoever sat there when they were thought of: a late answer must not decide for the next one."""

        await self._change(table, seat, version, lambda match: played(match, seat, moves), chair)

    async def undo(self, table: LiveTable, seat: int, version: int | None) -> None:
        """Take back the seat's last decision."""
        chair = table.chairs[seat]  # whoever asks

        def act(match: Match) -> list[Deed]:
            if match.over:
                raise GameOver(Phrase("The match is over; nobody decides any more."))
            match.undo(seat)
            return [Deed(seat, "")]

        await table.write_up(*table.viewers)  # everybody's history changes
        await self._change(table, seat, version, act, chair)

    async def _change(
        self,
        table: LiveTable,
        seat: int,
        version: int | None,
        act: Callable[[Match], list[Deed]],
        chair: SeatHere | None = None,
    ) -> None:
        chair = chair or table.chairs[seat]
        await table.write_up(seat)
        async with table.lock:
            if table.chairs[seat] is not chair:
                raise Stale("The seat was given to somebody else.")
            chronicle = table.chronicle(seat)
            if version is not None and version != chronicle.version:
                raise Stale("The position has changed since; look again and decide anew.")
            assert table.match is not None
            match = table.match.copy()
            deeds = act(match)
            status = OVER if match.over else PLAYING
            public = match.observations(None) != table.match.observations(None)
            drop = [] if any(not deed.move for deed in deeds) else [seat]
            await self._stored(
                self.store.record, table.id, table.deeds, deeds, drop, public, status=status, **stored_state(match)
            )
            table.status = status
            table.deeds += len(deeds)
            for one in drop:
                table.drafts.pop(one, None)
            noticed = table.advance(match) if drop else table.rewind(match, seat)
            if noticed:  # to the others nothing happened: no event, and nothing drawn anew, which takes time
                table.tell(*noticed)
        self.on_change(table)

    # --- drafts ------------------------------------------------------------------------------------------

    async def change_draft(self, table: LiveTable, seat: int, change: str, notation: str) -> None:
        """Add something to a seat's draft, take it out, or clear it. Nobody else can tell."""
        chair = table.chairs[seat]
        await table.write_up(seat)
        async with table.lock:
            if table.chairs[seat] is not chair:
                raise Stale("The seat was given to somebody else.")
            composed = table.composition(seat)
            if composed is None:
                raise NotYourTurn(Phrase("There is nothing to compose now."))
            chosen = list(composed.chosen)
            if change == "clear":
                chosen = []
            elif change == "take" and notation in chosen:
                chosen.remove(notation)
            elif change == "add":
                self._check_addition(table, seat, composed, notation)
                chosen.append(notation)
            draft = tuple(chosen[-LONGEST_DRAFT:])
            await self._stored(self.store.keep_draft, table.id, seat, draft)
            table.drafts[seat] = draft
            table.tell(seat, change=True)

    @staticmethod
    def _check_addition(table: LiveTable, seat: int, composed: Composition, notation: str) -> None:
        move = table.game.notation.read(notation)
        if notation not in composed.open:
            chronicle = table.chronicle(seat)
            record: Any = chronicle.record(chronicle.steps[-1].seen)
            board = board_of(table.game.name)
            explain = getattr(board, "why_not_added", None)
            if explain is not None:
                line = explain(table.game, record, seat, composed.chosen, move)
            else:
                line = table.game.definition.show.why_not(table.game, record, seat, move)
            raise IllegalMove(f"{move} is not possible now: {line}", line.rule, line)

    async def seal(self, table: LiveTable, seat: int, version: int | None) -> None:
        """Play what the seat has composed."""

        def act(match: Match) -> list[Deed]:
            composed = table.composition(seat)
            if composed is None:
                raise NotYourTurn(Phrase("There is nothing to seal now."))
            if composed.seal is None:
                raise NotYourTurn(Phrase("Something is still missing; the draft cannot be sealed yet."))
            return played(match, seat, composed.seal)

        await self._change(table, seat, version, act)

    # --- files -------------------------------------------------------------------------------------------

    async def file(self, table: LiveTable, viewer: Viewer) -> str:
        """What a viewer may take away: the whole match once it is over, a seat's file before."""
        if table.match is None:
            raise NotYourTurn(NOT_BEGUN)
        if table.match.over:
            return await asyncio.to_thread(dumps, table.match)
        return await asyncio.to_thread(dumps_seat, table.match, viewer)


def _written(match: Match, begun: dict[Viewer, Chronicle | None]) -> dict[Viewer, Chronicle]:
    """Chronicles of a match, each from where it was left; None is written from the beginning."""
    written = {viewer: chronicle or Chronicle(match, viewer) for viewer, chronicle in begun.items()}
    for chronicle in written.values():
        chronicle.follow(match)
    return written


def seat_line(one: Seating) -> Line:
    """What the record says of a change of a seat; names as they were then."""
    words = {"number": one.seat + 1, "name": one.name, "was": one.was}
    if one.kind == "open":
        return Line("", "Seat {number} is free; {was} played there.", words)
    if one.kind == "bot":
        return Line("", "Seat {number}: the bot {name} plays on for {was}.", words)
    if one.back:
        return Line("", "Seat {number}: {name} is back.", words)
    return Line("", "Seat {number}: {name} plays on for {was}.", words)


def new_key() -> str:
    return secrets.token_urlsafe(18)


def played(match: Match, seat: int, moves: Sequence[object]) -> list[Deed]:
    """Play decisions of one seat, and what the journal says of them."""
    for move in moves:
        match.play(seat, move)
    return [Deed(seat, str(move)) for move in match.last_moves(len(moves))]
