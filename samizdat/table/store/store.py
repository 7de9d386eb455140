"""Reading and writing the database. Each method is one transaction."""

from __future__ import annotations

import functools
import hashlib
import os
import sqlite3
import time
from collections.abc import Collection, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection, Engine, Row, create_engine, delete, event, func, insert, select, update
from sqlalchemy.exc import DatabaseError

from samizdat.kernel.tours import Progress
from samizdat.table.journal import Decision, JournalEntry, Seating, TakingBack
from samizdat.table.settings import Claim, ServeError
from samizdat.table.store.schema import (
    drafts,
    holders,
    journal,
    players,
    printed,
    seatings,
    seats,
    solved,
    tables,
    tours,
)
from samizdat.table.store.writing import Writer


def _tune(connection: Any, _: object) -> None:
    """Write-ahead logging: readers never wait. A decision is on disk when its transaction ends: only FULL waits for
    the disk each time (NORMAL does so now and then, and a power cut loses what was acknowledged since)."""
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.execute("PRAGMA busy_timeout=5000")
    cursor.close()


def key_of(box: str) -> str:
    """By what a table finds its box again: a box of another text has another one."""
    return hashlib.sha256(box.encode()).hexdigest()


def migrations() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    return config


def migrate(engine: Engine) -> None:
    """Bring the database up to the present schema; what was there before is kept beside it."""
    config = migrations()
    known = ScriptDirectory.from_config(config)
    with engine.begin() as connection:
        present = MigrationContext.configure(connection).get_current_revision()
        if present == known.get_current_head():
            return
        known.get_revision(present or "base")  # CommandError if a newer program wrote it
        if present is not None and engine.dialect.name == "sqlite" and engine.url.database:
            keep_copy(connection, Path(engine.url.database), present)
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def keep_copy(connection: Connection, database: Path, revision: str) -> Path:
    """A copy of a database file under the number of its schema: whole, write-ahead log included, or not at all."""
    moment = time.strftime("%Y%m%d-%H%M%S")
    copy = database.with_name(f"{database.stem}-{revision}-{moment}{database.suffix}")
    fresh = copy.with_name(f"{copy.name}.new")
    try:
        os.close(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))
        with closing(sqlite3.connect(fresh)) as target:
            connection.connection.dbapi_connection.backup(target)  # type: ignore[union-attr]
        with fresh.open("rb") as written:
            os.fsync(written.fileno())
        fresh.replace(copy)
    except (OSError, sqlite3.Error) as error:
        fresh.unlink(missing_ok=True)
        raise ServeError(
            f"This program needs the database in a newer form, and no copy of it could be kept before the change "
            f"({error}); nothing was changed. Make room in {database.parent}, or choose another folder with --data."
        ) from None
    return copy


class Store:
    """The database of one host."""

    def __init__(self, address: str, claim: Claim | None = None) -> None:
        self.claim = claim  # on the folder: it ends when the database is closed
        # An error's words go to the log: no decisions there.
        self.engine = create_engine(address, hide_parameters=True)
        if self.engine.dialect.name == "sqlite":
            event.listen(self.engine, "connect", _tune)
        try:
            self._bring_up()
        except ServeError:
            self._let_go()
            raise
        self.writer = Writer(self.engine)
        self.printed = functools.lru_cache(maxsize=256)(self._printed)  # none of them ever changes

    def _bring_up(self) -> None:
        try:
            migrate(self.engine)
        except DatabaseError as error:
            raise ServeError(
                f"The database cannot be opened ({error.orig}); choose another folder with --data."
            ) from None
        except CommandError:  # a revision that this program does not know
            raise ServeError(
                "The database was written by a newer version of this program; start that one, or choose another "
                "folder with --data. Nothing was changed."
            ) from None

    def close(self) -> None:
        self.writer.close()
        self._let_go()

    def _let_go(self) -> None:
        self.engine.dispose()
        if self.claim is not None:
            self.claim.close()

    # --- players -----------------------------------------------------------------------------------------

    def remember_player(self, id: str, name: str) -> None:
        """A player under the name given last."""

        def write(db: Connection) -> None:
            if not db.execute(update(players).where(players.c.id == id).values(name=name)).rowcount:
                db.execute(insert(players).values(id=id, name=name, made=time.time()))

        self.writer.do(write)

    def player_name(self, id: str) -> str | None:
        with self.engine.connect() as db:
            return db.execute(select(players.c.name).where(players.c.id == id)).scalar()

    # --- tables and seats --------------------------------------------------------------------------------

    def add_table(
        self, row: Mapping[str, Any], chairs: Sequence[Mapping[str, Any]], held: Sequence[tuple[int, str]],
        entries: Sequence[JournalEntry] = (), box: str | None = None,
    ) -> None:  # fmt: skip
        """A new table with its seats, who holds them and, for an imported match, what was played; and the box, if it
        has one of its own."""
        now = time.time()

        def write(db: Connection) -> None:
            if box and db.execute(select(printed.c.key).where(printed.c.key == key_of(box))).first() is None:
                db.execute(insert(printed).values(key=key_of(box), text=box))
            db.execute(insert(tables).values(made=now, changed=now, **row))
            db.execute(insert(seats), [{"table": row["id"], **chair} for chair in chairs])
            for seat, player in held:
                db.execute(insert(holders).values(table=row["id"], seat=seat, player=player))
            self._write(db, row["id"], 0, entries, now)

        self.writer.do(write)

    def table(self, id: str) -> Row[Any] | None:
        with self.engine.connect() as db:
            return db.execute(select(tables).where(tables.c.id == id)).first()

    def seats(self, id: str) -> Sequence[Row[Any]]:
        with self.engine.connect() as db:
            return db.execute(select(seats).where(seats.c.table == id).order_by(seats.c.seat)).all()

    def holders(self, id: str) -> dict[int, set[str]]:
        """Which players hold which seat."""
        found: dict[int, set[str]] = {}
        with self.engine.connect() as db:
            for seat, player in db.execute(select(holders.c.seat, holders.c.player).where(holders.c.table == id)):
                found.setdefault(seat, set()).add(player)
        return found

    def seat_of_key(self, key: str) -> tuple[str, int] | None:
        with self.engine.connect() as db:
            found = db.execute(select(seats.c.table, seats.c.seat).where(seats.c.key == key)).first()
        return (found[0], found[1]) if found else None

    def set_seat(
        self, id: str, seat: int, player: str | None, seating: Seating | None = None, number: int = 0, **values: Any
    ) -> None:
        """Change a seat; whoever held it does so no longer, and `player` does. `seating` with its number is what
        the log says of it."""
        now = time.time()

        def write(db: Connection) -> None:
            db.execute(update(seats).where(seats.c.table == id, seats.c.seat == seat).values(**values))
            db.execute(delete(holders).where(holders.c.table == id, holders.c.seat == seat))
            db.execute(delete(drafts).where(drafts.c.table == id, drafts.c.seat == seat))
            if player is not None:
                db.execute(insert(holders).values(table=id, seat=seat, player=player))
            if seating is not None:
                db.execute(
                    insert(seatings).values(
                        table=id, n=number, after=seating.after, seat=seat, kind=seating.kind, name=seating.name,
                        was=seating.was, back=seating.back, held=sorted(seating.held), at=now,
                    )
                )  # fmt: skip
            db.execute(update(tables).where(tables.c.id == id).values(changed=now))

        self.writer.do(write)

    def seatings(self, id: str) -> list[Seating]:
        """Every change of a seat while the match ran, in order."""
        with self.engine.connect() as db:
            rows = db.execute(select(seatings).where(seatings.c.table == id).order_by(seatings.c.n))
            return [
                Seating(row.seat, row.kind, row.name, row.was, row.back, frozenset(row.held), row.after)
                for row in rows
            ]

    def hold(self, id: str, seat: int, player: str) -> None:
        """One more browser of the same person."""

        def write(db: Connection) -> None:
            known = select(holders.c.seat).where(
                holders.c.table == id, holders.c.seat == seat, holders.c.player == player
            )
            if db.execute(known).first() is None:
                db.execute(insert(holders).values(table=id, seat=seat, player=player))

        self.writer.do(write)

    def revoke(self, id: str, seat: int, gone: Collection[str], key: str) -> None:
        """Some players hold a seat no longer, and its link is another one."""

        def write(db: Connection) -> None:
            those = (holders.c.table == id, holders.c.seat == seat, holders.c.player.in_(gone))
            db.execute(delete(holders).where(*those))
            db.execute(update(seats).where(seats.c.table == id, seats.c.seat == seat).values(key=key))

        self.writer.do(write)

    def set_table(self, id: str, **values: Any) -> None:
        """Change a table; when it last changed for people is the caller's to say."""

        def write(db: Connection) -> None:
            db.execute(update(tables).where(tables.c.id == id).values(**values))

        self.writer.do(write)

    # --- boxes that matches are played with --------------------------------------------------------------

    def _printed(self, key: str) -> str | None:
        with self.engine.connect() as db:
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
            db.execute(update(tables).where(tables.c.id == id).values(**values))

        self.writer.do(write)

    @staticmethod
    def _write(db: Connection, id: str, first: int, entries: Sequence[JournalEntry], now: float) -> None:
        """A taking back is a line without a move."""
        for n, one in enumerate(entries, first):
            move, luck = (one.move, list(one.luck) or None) if isinstance(one, Decision) else ("", None)
            db.execute(insert(journal).values(table=id, n=n, seat=one.seat, move=move, luck=luck, at=now))

    def journal(self, id: str) -> list[JournalEntry]:
        with self.engine.connect() as db:
            rows = db.execute(select(journal).where(journal.c.table == id).order_by(journal.c.n))
            return [
                Decision(row.seat, row.move, tuple(row.luck or ())) if row.move else TakingBack(row.seat)
                for row in rows
            ]

    def drafts(self, id: str) -> dict[int, tuple[str, ...]]:
        with self.engine.connect() as db:
            rows = db.execute(select(drafts.c.seat, drafts.c.draft).where(drafts.c.table == id))
            return {seat: tuple(draft) for seat, draft in rows}

    def keep_draft(self, id: str, seat: int, draft: Sequence[str]) -> None:

        def write(db: Connection) -> None:
            db.execute(delete(drafts).where(drafts.c.table == id, drafts.c.seat == seat))
            if draft:
                db.execute(insert(drafts).values(table=id, seat=seat, draft=list(draft)))

        self.writer.do(write)

    def tour(self, id: str) -> tuple[str, Progress] | None:
        """The guide of a table, and how far it has come."""
        with self.engine.connect() as db:
            row = db.execute(select(tours).where(tours.c.table == id)).first()
        return (row.tour, Progress(row.met, row.shown, row.folded, row.acts)) if row else None

    def keep_tour(self, id: str, tour: str, progress: Progress) -> None:

        def write(db: Connection) -> None:
            db.execute(delete(tours).where(tours.c.table == id))
            db.execute(insert(tours).values(table=id, tour=tour, **vars(progress)))

        self.writer.do(write)

    # --- scenes ------------------------------------------------------------------------------------------

    def solved(self, player: str, game: str) -> set[str]:
        """The scenes and puzzles of a game that a player has solved."""
        wanted = select(solved.c.scene).where(solved.c.player == player, solved.c.game == game)
        with self.engine.connect() as db:
            return set(db.execute(wanted).scalars())

    def keep_solved(self, player: str, game: str, scene: str) -> None:
        """A scene is solved, for a player that the database knows."""

        def write(db: Connection) -> None:
            known = (solved.c.player == player, solved.c.game == game, solved.c.scene == scene)
            if db.execute(select(solved.c.scene).where(*known)).first() is None:
                db.execute(insert(solved).values(player=player, game=game, scene=scene, at=time.time()))

        self.writer.do(write)

    # --- the lobby ---------------------------------------------------------------------------------------

    def tables_of(self, player: str, limit: int = 200) -> Sequence[Row[Any]]:
        """Tables where a player sits or that the player opened, latest first."""
        mine = select(holders.c.table).where(holders.c.player == player)
        wanted = select(tables).where((tables.c.opened_by == player) | tables.c.id.in_(mine))
        with self.engine.connect() as db:
            return db.execute(wanted.order_by(tables.c.changed.desc()).limit(limit)).all()

    def opened_since(self, player: str, when: float, imported: bool) -> int:
        """How many tables a player has opened, or brought as files, since some moment."""
        wanted = select(func.count()).where(
            tables.c.opened_by == player, tables.c.made > when, tables.c.imported == imported
        )
        with self.engine.connect() as db:
            return db.execute(wanted).scalar_one()

    def open_tables(self, limit: int = 50) -> Sequence[Row[Any]]:
        """Public tables that wait for people."""
        wanted = select(tables).where(tables.c.status == "open", tables.c.public)
        with self.engine.connect() as db:
            return db.execute(wanted.order_by(tables.c.changed.desc()).limit(limit)).all()

    def seats_of(self, ids: Sequence[str]) -> dict[str, list[Row[Any]]]:
        """The seats of several tables at once."""
        found: dict[str, list[Row[Any]]] = {id: [] for id in ids}
        with self.engine.connect() as db:
            for row in db.execute(select(seats).where(seats.c.table.in_(ids)).order_by(seats.c.seat)):
                found[row.table].append(row)
        return found

    def held_by(self, player: str, ids: Sequence[str]) -> dict[str, set[int]]:
        found: dict[str, set[int]] = {}
        wanted = select(holders.c.table, holders.c.seat).where(holders.c.player == player, holders.c.table.in_(ids))
        with self.engine.connect() as db:
            for table, seat in db.execute(wanted):
                found.setdefault(table, set()).add(seat)
        return found

    def waiting_for_bots(self) -> list[str]:
        """Running matches in which a bot is to act, latest first: after a restart it has to be asked again."""
        bots = select(tables.c.id, tables.c.acting, seats.c.seat).join(seats, seats.c.table == tables.c.id)
        wanted = bots.where(tables.c.status == "playing", seats.c.kind == "bot").order_by(tables.c.changed.desc())
        with self.engine.connect() as db:
            return list(dict.fromkeys(id for id, acting, seat in db.execute(wanted) if (acting >> seat) & 1))
