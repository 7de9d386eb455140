"""Names, seats and tables that go: what somebody leaves behind, and what goes with them. Each function is one
transaction."""

from __future__ import annotations

import time
from collections.abc import Sequence

from sqlalchemy import Connection, delete, select, update

from samizdat.table.names import SOMEBODY
from samizdat.table.store import belonging
from samizdat.table.store.schema import (
    accounts,
    blocks,
    boxes,
    holders,
    holidays,
    messages,
    metadata,
    muted_words,
    mutes,
    players,
    rating_steps,
    reaches,
    seatings,
    seats,
    solved,
    stamps,
    tables,
    talk,
    ways,
)
from samizdat.table.store.store import Store


def tables_with(store: Store, player: str) -> Sequence[str]:
    """Every table that somebody opened, or sits at."""
    with store.engine.connect() as db:
        return belonging.tables_with(db, player)


def tables_told(store: Store, player: str) -> Sequence[str]:
    """The same, and every table where somebody has said something."""
    said = select(talk.c.table).where(talk.c.player == player).distinct()
    with store.engine.connect() as db:
        return [*dict.fromkeys((*belonging.tables_with(db, player), *db.execute(said).scalars()))]


def remove_table(store: Store, id: str) -> None:
    """A table with everything that belongs to it, whichever part of the house keeps it."""

    def write(db: Connection) -> None:
        for table in reversed(metadata.sorted_tables):
            for column in table.columns:
                if any(key.column is tables.c.id for key in column.foreign_keys):
                    db.execute(delete(table).where(column == id))
        db.execute(update(tables).where(tables.c.rematch == id).values(rematch=None))
        db.execute(delete(tables).where(tables.c.id == id))

    store.writer.do(write)


def let_go(store: Store, id: str, player: str, heir: str) -> None:
    """Somebody leaves a table for good: the match is the others' from now on, and the name is off."""

    def write(db: Connection) -> None:
        _said_anew(store, db, [id])
        _nameless(db, player, id)
        db.execute(delete(holders).where(holders.c.table == id, holders.c.player == player))
        mine = (tables.c.id == id, tables.c.opened_by == player)
        db.execute(update(tables).where(*mine).values(opened_by=heir, changed=time.time()))

    store.writer.do(write)


def take_name_off(store: Store, player: str) -> None:
    """Whoever it was is "somebody", in every match."""

    def write(db: Connection) -> None:
        db.execute(update(players).where(players.c.id == player).values(name=SOMEBODY))
        had = {row.table for row in belonging.seatings_of(db, player)}
        said = db.execute(select(talk.c.table).where(talk.c.player == player).distinct()).scalars()
        there = {*belonging.tables_with(db, player), *had, *said}
        _said_anew(store, db, sorted(there))
        _nameless(db, player)

    store.writer.do(write)


def erase(store: Store, player: str) -> None:
    """Everything else of somebody who has left all tables; what finished matches of others point at has no name."""

    def write(db: Connection) -> None:
        db.execute(update(players).where(players.c.id == player).values(name=SOMEBODY))
        said = select(talk.c.table).where(talk.c.player == player).distinct()
        _said_anew(store, db, db.execute(said).scalars().all())
        db.execute(update(talk).where(talk.c.player == player).values(words=""))
        reached = (messages, ways, reaches, holidays)
        for table in (boxes, solved, rating_steps, stamps, mutes, blocks, muted_words, *reached, *belonging.OWN):
            for column in table.columns:
                if any(key.column is players.c.id for key in column.foreign_keys):
                    db.execute(delete(table).where(column == player))

    store.writer.do(write)


def _said_anew(store: Store, db: Connection, ids: Sequence[str]) -> None:
    """What was said at some tables is changed beside their events: every process reads it again."""
    store.stir(db, ids)
    db.execute(update(tables).where(tables.c.id.in_(ids)).values(talked=tables.c.events))


def due(store: Store, now: float) -> Sequence[str]:
    """The accounts whose seven days are over."""
    with store.engine.connect() as db:
        return db.execute(select(accounts.c.player).where(accounts.c.leaving <= now)).scalars().all()


def _nameless(db: Connection, player: str, id: str = "") -> None:
    """The name off the seats that somebody has or had, at one table or at all."""
    held = select(holders).where(holders.c.player == player)
    for row in db.execute(held.where(holders.c.table == id) if id else held).all():
        here = (seats.c.table == row.table, seats.c.seat == row.seat)
        name = db.execute(select(seats.c.name).where(*here)).scalar_one()
        db.execute(update(seats).where(*here).values(name=SOMEBODY))
        _unsay(db, row.table, row.seat, name)
    said = update(talk).where(talk.c.player == player).values(name=SOMEBODY)
    db.execute(said.where(talk.c.table == id) if id else said)
    for row in belonging.seatings_of(db, player):
        if row.table == id or not id:
            _unsay(db, row.table, row.seat, row.was)


def _unsay(db: Connection, table: str, seat: int, name: str) -> None:
    """What the log says of changes of a seat, without a name."""
    for column in (seatings.c.name, seatings.c.was):
        there = (seatings.c.table == table, seatings.c.seat == seat, column == name)
        db.execute(update(seatings).where(*there).values({column.name: SOMEBODY}))
