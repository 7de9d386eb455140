"""Reading and writing the database. Each method is one transaction."""

from __future__ import annotations

import functools
import hashlib
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, Exists, Row, bindparam, delete, func, insert, select, update

from samizdat.kernel.tours import Progress
from samizdat.table.journal import Decision, GoingBack, JournalEntry, Seating, TakingBack
from samizdat.table.settings import Claim, ServeError
from samizdat.table.store.databases import POSTGRESQL, bring_up, connected, put
from samizdat.table.store.schema import (
    clocks,
    drafts,
    frozen,
    holders,
    journal,
    players,
    printed,
    seatings,
    seats,
    shared,
    solved,
    tables,
    tours,
)
from samizdat.table.store.writing import Writer

SECRET = "secret"
CHANNEL = "samizdat"  # on which PostgreSQL tells of every event: the table and its number
# What every decision does: to put a statement together takes longer than to run it.
LINE = insert(journal)
OF_TABLE = update(tables).where(tables.c.id == bindparam("of"))


WENT_BACK = "<<"  # in the journal, where a move would stand


def _entry(row: Row[Any]) -> JournalEntry:
    if row.move == WENT_BACK:
        return GoingBack(row.seat)
    return Decision(row.seat, row.move, tuple(row.luck or ())) if row.move else TakingBack(row.seat)


def _frozen() -> Exists:
    """That a table is one at which nobody decides for now."""
    return select(frozen.c.table).where(frozen.c.table == tables.c.id).exists()


def key_of(box: str) -> str:
    """By what a table finds its box again: a box of another text has another one."""
    return hashlib.sha256(box.encode()).hexdigest()


class Overtaken(Exception):
    """Another process changed the table first: whoever decided did so on a copy that is behind."""


class Store:
    """The database of one host."""

    def __init__(self, address: str, claim: Claim | None = None) -> None:
        self.claim = claim  # on the folder: it ends when the database is closed
        self.engine = connected(address)
        self.shared = self.engine.dialect.name == POSTGRESQL  # other processes may change what is in it
        try:
            bring_up(self.engine)
        except ServeError:
            self._let_go()
            raise
        self.writer = Writer(self.engine)
        self._mine = threading.local()
        self.printed = functools.lru_cache(maxsize=256)(self._printed)  # none of them ever changes

    def close(self) -> None:
        self.writer.close()
        self._let_go()

    def _let_go(self) -> None:
        self.engine.dispose()
        if self.claim is not None:
            self.claim.close()

    def ping(self) -> None:
        """An error, if the database does not answer."""
        with self.engine.connect() as db:
            db.execute(select(1))

    def secret(self, fresh: str) -> str:
        """The key that signs cookies, for all processes that share the database: the one that came first."""
        self.writer.do(lambda db: put(db, shared, name=SECRET, value=fresh))
        with self.reading() as db:
            return str(db.execute(select(shared.c.value).where(shared.c.name == SECRET)).scalar_one())

    # --- several at once ---------------------------------------------------------------------------------

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection to read with: the thread's own while it takes a `snapshot`."""
        if (own := getattr(self._mine, "snapshot", None)) is not None:
            yield own
            return
        with self.engine.connect() as db:
            yield db

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """What this thread reads meanwhile was all there at one moment, whatever other processes write."""
        with self.engine.connect() as db:
            if self.shared:
                db.execution_options(isolation_level="REPEATABLE READ")
            self._mine.snapshot = db
            try:
                yield
            finally:
                self._mine.snapshot = None

    def event(self, id: str, number: int, keep: Callable[[], None]) -> Future[None]:
        """All that `keep` writes is the event of a table with this number: all of it or nothing; done when it is on
        disk. Where processes share the database, nothing also if another one stored an event of that number before
        (Overtaken); and they are told of it."""
        with self.writer.gathering() as works:
            keep()

        def write(db: Connection) -> None:
            if self.shared:
                counted = update(tables).where(tables.c.id == id, tables.c.events == number).values(events=number + 1)
                if db.execute(counted.returning(func.pg_notify(CHANNEL, f"{id} {number + 1}"))).first() is None:
                    raise Overtaken(id)
            for work in works:
                work(db)

        return self.writer.ask(write, id)

    def stir(self, db: Connection, ids: Collection[str]) -> None:
        """Names or rights at some tables are changed beside their events: every process reads them again."""
        db.execute(update(tables).where(tables.c.id.in_(ids)).values(events=tables.c.events + 1))
        if self.shared:
            for id, number in db.execute(select(tables.c.id, tables.c.events).where(tables.c.id.in_(ids))).all():
                db.execute(select(func.pg_notify(CHANNEL, f"{id} {number}")))

    def events(self, ids: Sequence[str]) -> dict[str, int]:
        """How many events of each table are stored, of those that there are."""
        with self.reading() as db:
            rows = db.execute(select(tables.c.id, tables.c.events).where(tables.c.id.in_(ids)))
            return {row.id: row.events for row in rows}

    # --- players -----------------------------------------------------------------------------------------

    def remember_player(self, id: str, name: str) -> None:
        """A player under the name given last."""

        def write(db: Connection) -> None:
            put(db, players, "name", id=id, name=name, made=time.time())

        self.writer.do(write)

    def player_name(self, id: str) -> str | None:
        with self.reading() as db:
            return db.execute(select(players.c.name).where(players.c.id == id)).scalar()

    # --- tables and seats --------------------------------------------------------------------------------

    def add_table(
        self, row: Mapping[str, Any], chairs: Sequence[Mapping[str, Any]], held: Sequence[tuple[int, str]],
        entries: Sequence[JournalEntry] = (), box: str | None = None, clock: Mapping[str, Any] | None = None,
    ) -> None:  # fmt: skip
        """A new table with its seats, who holds them and, for an imported match, what was played; the box, if it has
        one of its own, and the clock, if it has any."""
        now = time.time()

        def write(db: Connection) -> None:
            if box:
                put(db, printed, key=key_of(box), text=box)
            db.execute(insert(tables).values(made=now, changed=now, **row))
            db.execute(insert(seats), [{"table": row["id"], "keyed": now, **chair} for chair in chairs])
            for seat, player in held:
                db.execute(insert(holders).values(table=row["id"], seat=seat, player=player))
            if clock:
                db.execute(insert(clocks).values(table=row["id"], **clock))
            self._write(db, row["id"], 0, entries, now)

        self.writer.do(write)

    def table(self, id: str) -> Row[Any] | None:
        with self.reading() as db:
            return db.execute(select(tables).where(tables.c.id == id)).first()

    def seats(self, id: str) -> Sequence[Row[Any]]:
        with self.reading() as db:
            return db.execute(select(seats).where(seats.c.table == id).order_by(seats.c.seat)).all()

    def holders(self, id: str) -> dict[int, set[str]]:
        """Which players hold which seat."""
        found: dict[int, set[str]] = {}
        with self.reading() as db:
            for seat, player in db.execute(select(holders.c.seat, holders.c.player).where(holders.c.table == id)):
                found.setdefault(seat, set()).add(player)
        return found

    def seat_of_key(self, key: str) -> tuple[str, int] | None:
        with self.reading() as db:
            found = db.execute(select(seats.c.table, seats.c.seat).where(seats.c.key == key)).first()
        return (found[0], found[1]) if found else None

    def set_seat(
        self, id: str, seat: int, player: str | None, seating: Seating | None = None, number: int = 0,
        fair: Mapping[str, Any] | None = None, left: tuple[int | None, str] = (None, ""), **values: Any,
    ) -> None:  # fmt: skip
        """Change a seat; whoever held it does so no longer, and `player` does. `seating` with its number is what
        the log says of it, `fair` what the luck follows from now; `left` is a free
        seat that takes over a link."""
        now = time.time()

        def write(db: Connection) -> None:
            db.execute(update(seats).where(seats.c.table == id, seats.c.seat == seat).values(keyed=now, **values))
            if left[0] is not None:
                kept = {"key": left[1], "keyed": now}
                db.execute(update(seats).where(seats.c.table == id, seats.c.seat == left[0]).values(**kept))
            db.execute(delete(holders).where(holders.c.table == id, holders.c.seat == seat))
            db.execute(delete(drafts).where(drafts.c.table == id, drafts.c.seat == seat))
            if player is not None:
                db.execute(insert(holders).values(table=id, seat=seat, player=player))
            if seating is not None:
                db.execute(
                    insert(seatings).values(
                        table=id, n=number, after=seating.after, seat=seat, kind=seating.kind, name=seating.name,
                        was=seating.was, back=seating.back, held=sorted(seating.held), at=now, how=seating.how,
                    )
                )  # fmt: skip
            luck = {"fair": fair} if fair is not None else {}
            db.execute(update(tables).where(tables.c.id == id).values(changed=now, **luck))

        self.writer.do(write)

    def seatings(self, id: str, first: int = 0) -> list[Seating]:
        """Every change of a seat while the match ran, in order; from a number on."""
        wanted = select(seatings).where(seatings.c.table == id, seatings.c.n >= first).order_by(seatings.c.n)
        with self.reading() as db:
            rows = db.execute(wanted)
            return [
                Seating(row.seat, row.kind, row.name, row.was, row.back, frozenset(row.held), row.after, how=row.how)
                for row in rows
            ]

    def hold(self, id: str, seat: int, player: str) -> None:
        """One more browser of the same person."""

        def write(db: Connection) -> None:
            put(db, holders, table=id, seat=seat, player=player)

        self.writer.do(write)

    def revoke(self, id: str, seat: int, gone: Collection[str], key: str) -> None:
        """Some players hold a seat no longer, and its link is another one."""

        def write(db: Connection) -> None:
            those = (holders.c.table == id, holders.c.seat == seat, holders.c.player.in_(gone))
            db.execute(delete(holders).where(*those))
            fresh = {"key": key, "keyed": time.time()}
            db.execute(update(seats).where(seats.c.table == id, seats.c.seat == seat).values(**fresh))

        self.writer.do(write)

    def set_table(self, id: str, **values: Any) -> None:
        """Change a table; when it last changed for people is the caller's to say."""

        def write(db: Connection) -> None:
            db.execute(update(tables).where(tables.c.id == id).values(**values))

        self.writer.do(write)

    # --- boxes that matches are played with --------------------------------------------------------------

    def _printed(self, key: str) -> str | None:
        with self.reading() as db:
            return db.execute(select(printed.c.text).where(printed.c.key == key)).scalar()

    # --- the match ---------------------------------------------------------------------------------------

    def append(
        self, id: str, first: int, entries: Sequence[JournalEntry], drop_drafts: Sequence[int], public: bool,
        **values: Any,
    ) -> None:  # fmt: skip
        """Lines of the journal, the new state, who is to act and what became of drafts: all of it or nothing.

        The lobby tells when a table last changed: it must not tell of what was done in secret."""
        now = time.time()
        if public:
            values["changed"] = now

        def write(db: Connection) -> None:
            self._write(db, id, first, entries, now)
            for seat in drop_drafts:
                db.execute(delete(drafts).where(drafts.c.table == id, drafts.c.seat == seat))
            db.execute(OF_TABLE, {"of": id, **values})

        self.writer.do(write)

    @staticmethod
    def _write(db: Connection, id: str, first: int, entries: Sequence[JournalEntry], now: float) -> None:
        """A taking back is a line without a move; one that all agreed to has a sign there that no move has."""
        for n, one in enumerate(entries, first):
            move, luck = WENT_BACK if isinstance(one, GoingBack) else "", None
            if isinstance(one, Decision):
                move, luck = one.move, list(one.luck) or None
            db.execute(LINE, {"table": id, "n": n, "seat": one.seat, "move": move, "luck": luck, "at": now})

    def journal(self, id: str, first: int = 0) -> list[JournalEntry]:
        """What was decided and taken back, from a line on."""
        wanted = select(journal).where(journal.c.table == id, journal.c.n >= first).order_by(journal.c.n)
        with self.reading() as db:
            rows = db.execute(wanted)
            return [_entry(row) for row in rows]

    def drafts(self, id: str) -> dict[int, tuple[str, ...]]:
        with self.reading() as db:
            rows = db.execute(select(drafts.c.seat, drafts.c.draft).where(drafts.c.table == id))
            return {seat: tuple(draft) for seat, draft in rows}

    def keep_draft(self, id: str, seat: int, draft: Sequence[str]) -> None:

        def write(db: Connection) -> None:
            if draft:
                put(db, drafts, "draft", table=id, seat=seat, draft=list(draft))
            else:
                db.execute(delete(drafts).where(drafts.c.table == id, drafts.c.seat == seat))

        self.writer.do(write)

    def tour(self, id: str) -> tuple[str, Progress] | None:
        """The guide of a table, and how far it has come."""
        with self.reading() as db:
            row = db.execute(select(tours).where(tours.c.table == id)).first()
        return (row.tour, Progress(row.met, row.shown, row.folded, row.acts)) if row else None

    def keep_tour(self, id: str, tour: str, progress: Progress) -> None:

        def write(db: Connection) -> None:
            put(db, tours, "tour", *vars(progress), table=id, tour=tour, **vars(progress))

        self.writer.do(write)

    # --- scenes ------------------------------------------------------------------------------------------

    def solved(self, player: str, game: str) -> set[str]:
        """The scenes and puzzles of a game that a player has solved."""
        wanted = select(solved.c.scene).where(solved.c.player == player, solved.c.game == game)
        with self.reading() as db:
            return set(db.execute(wanted).scalars())

    def keep_solved(self, player: str, game: str, scene: str) -> None:
        """A scene is solved, for a player that the database knows."""

        def write(db: Connection) -> None:
            put(db, solved, player=player, game=game, scene=scene, at=time.time())

        self.writer.do(write)

    # --- the lobby ---------------------------------------------------------------------------------------

    def tables_of(self, player: str, limit: int = 200) -> Sequence[Row[Any]]:
        """Tables where a player sits or that the player opened, latest first."""
        mine = select(holders.c.table).where(holders.c.player == player)
        wanted = select(tables).where((tables.c.opened_by == player) | tables.c.id.in_(mine))
        with self.reading() as db:
            return db.execute(wanted.order_by(tables.c.changed.desc()).limit(limit)).all()

    def turns_of(self, player: str, limit: int = 60) -> Sequence[Row[Any]]:
        """Running matches at which a player sits, those first that changed last; none that the host has frozen."""
        mine = select(holders.c.table).where(holders.c.player == player)
        wanted = select(tables).where(tables.c.status == "playing", tables.c.id.in_(mine), ~_frozen())
        with self.reading() as db:
            return db.execute(wanted.order_by(tables.c.changed.desc()).limit(limit)).all()

    def opened_since(self, player: str, when: float, imported: bool) -> int:
        """How many tables a player has opened, or brought as files, since some moment."""
        wanted = select(func.count()).where(
            tables.c.opened_by == player, tables.c.made > when, tables.c.imported == imported
        )
        with self.reading() as db:
            return db.execute(wanted).scalar_one()

    def open_tables(self, limit: int = 50) -> Sequence[Row[Any]]:
        """Public tables that wait for people."""
        wanted = select(tables).where(tables.c.status == "open", tables.c.public)
        with self.reading() as db:
            return db.execute(wanted.order_by(tables.c.changed.desc()).limit(limit)).all()

    def seats_of(self, ids: Sequence[str]) -> dict[str, list[Row[Any]]]:
        """The seats of several tables at once."""
        found: dict[str, list[Row[Any]]] = {id: [] for id in ids}
        with self.reading() as db:
            for row in db.execute(select(seats).where(seats.c.table.in_(ids)).order_by(seats.c.seat)):
                found[row.table].append(row)
        return found

    def held_by(self, player: str, ids: Sequence[str]) -> dict[str, set[int]]:
        found: dict[str, set[int]] = {}
        wanted = select(holders.c.table, holders.c.seat).where(holders.c.player == player, holders.c.table.in_(ids))
        with self.reading() as db:
            for table, seat in db.execute(wanted):
                found.setdefault(table, set()).add(seat)
        return found

    def waiting_for_bots(self) -> list[str]:
        """Running matches in which a bot is to act, latest first: after a restart it has to be asked again."""
        bots = select(tables.c.id, tables.c.acting, seats.c.seat).join(seats, seats.c.table == tables.c.id)
        wanted = bots.where(tables.c.status == "playing", seats.c.kind == "bot", ~_frozen())
        wanted = wanted.order_by(tables.c.changed.desc())
        with self.reading() as db:
            return list(dict.fromkeys(id for id, acting, seat in db.execute(wanted) if (acting >> seat) & 1))
