"""What a guest has becomes an account's: everything in the database that names a player, whichever table it is in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import (
    Column,
    Connection,
    Row,
    String,
    Table,
    UniqueConstraint,
    and_,
    cast,
    delete,
    or_,
    select,
    update,
)

from samizdat.table.store.schema import accounts, holders, metadata, passkeys, players, seatings, sessions, tables
from samizdat.table.store.store import Store

OWN = (accounts, passkeys, sessions)  # of an account itself


def named() -> Iterator[tuple[Table, Column[Any]]]:
    """Every column that says which player something belongs to."""
    for table in metadata.sorted_tables:
        for column in table.columns:
            if any(key.column is players.c.id for key in column.foreign_keys):
                yield table, column


def move(store: Store, guest: str, account: str) -> None:
    """All that a guest has, in one transaction; of what both have, the account's stays."""

    def write(db: Connection) -> None:
        there = seatings_of(db, guest)
        store.stir(db, {*tables_with(db, guest), *(row.table for row in there)})
        for table, column in named():
            if table in OWN:
                continue
            for unique in _unique_with(table, column):
                for row in db.execute(select(*unique).where(column == account)).all():
                    values = zip(unique, row, strict=True)
                    same = [one == value for one, value in values if one is not column]
                    db.execute(delete(table).where(column == guest, *same))
            db.execute(update(table).where(column == guest).values({column.name: account}))
        for row in there:
            held = sorted(account if one == guest else one for one in row.held)
            same_row = and_(seatings.c.table == row.table, seatings.c.n == row.n)
            db.execute(update(seatings).where(same_row).values(held=held))

    store.writer.do(write)


def tables_with(db: Connection, player: str) -> Sequence[str]:
    """Every table that somebody opened, or sits at; the one changed last first."""
    mine = select(holders.c.table).where(holders.c.player == player)
    wanted = select(tables.c.id).where(or_(tables.c.opened_by == player, tables.c.id.in_(mine)))
    return db.execute(wanted.order_by(tables.c.changed.desc())).scalars().all()


def seatings_of(db: Connection, player: str) -> Sequence[Row[Any]]:
    """Every change of a seat that somebody had until then."""
    return db.execute(select(seatings).where(cast(seatings.c.held, String).contains(f'"{player}"'))).all()


def _unique_with(table: Table, column: Column[Any]) -> Iterator[list[Column[Any]]]:
    """The columns of everything in a table that there may be but once for a player."""
    for constraint in (table.primary_key, *(one for one in table.constraints if isinstance(one, UniqueConstraint))):
        if column.name in constraint.columns:
            yield list(constraint.columns)


def has_something(store: Store, player: str) -> int:
    """How many tables somebody sits at or has opened."""
    return len(store.tables_of(player)) if player else 0
