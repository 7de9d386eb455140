"""What a guest has becomes an account's: everything in the database that names a player, whichever table it is in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlalchemy import Column, Connection, String, Table, UniqueConstraint, and_, cast, delete, select, update

from samizdat.table.store.schema import accounts, metadata, passkeys, players, seatings, sessions
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
        for table, column in named():
            if table in OWN:
                continue
            for unique in _unique_with(table, column):
                for row in db.execute(select(*unique).where(column == account)).all():
                    there = zip(unique, row, strict=True)
                    same = [one == value for one, value in there if one is not column]
                    db.execute(delete(table).where(column == guest, *same))
            db.execute(update(table).where(column == guest).values({column.name: account}))
        for row in db.execute(select(seatings).where(cast(seatings.c.held, String).contains(f'"{guest}"'))).all():
            held = sorted(account if one == guest else one for one in row.held)
            same_row = and_(seatings.c.table == row.table, seatings.c.n == row.n)
            db.execute(update(seatings).where(same_row).values(held=held))

    store.writer.do(write)


def _unique_with(table: Table, column: Column[Any]) -> Iterator[list[Column[Any]]]:
    """The columns of everything in a table that there may be but once for a player."""
    for constraint in (table.primary_key, *(one for one in table.constraints if isinstance(one, UniqueConstraint))):
        if column.name in constraint.columns:
            yield list(constraint.columns)


def has_something(store: Store, player: str) -> int:
    """How many tables somebody sits at or has opened."""
    return len(store.tables_of(player)) if player else 0
