"""Clocks of tables, and the time of the house that they run by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, Row, select, update

from samizdat.table.clocks import Clock, Terms, read_clock
from samizdat.table.store.databases import put
from samizdat.table.store.schema import clocks, frozen, served
from samizdat.table.store.store import Store

ONE = 1  # the only row of `served`


def keep_clock(store: Store, table: str, clock: Clock) -> None:
    """Part of the event by which the clock has changed."""
    values = {"state": clock.plain(), "due": clock.due, "paused": any(dial.paused for dial in clock.dials)}
    now = update(clocks).where(clocks.c.table == table)
    store.writer.do(lambda db: db.execute(now.values(**values)) and None)


def stored_clock(store: Store, table: str, seats: int) -> Clock | None:
    return stored_clocks(store, {table: seats}).get(table)


def stored_clocks(store: Store, tables: Mapping[str, int]) -> dict[str, Clock]:
    """The clocks of several tables at once, of those that have one; each table with the number of its seats."""
    wanted = select(clocks, frozen.c.at.label("stopped")).outerjoin(frozen, frozen.c.table == clocks.c.table)
    with store.reading() as db:
        rows = db.execute(wanted.where(clocks.c.table.in_(tables))).all()
    return {row.table: _read(row, tables[row.table]) for row in rows}


def _read(row: Row[Any], seats: int) -> Clock:
    """A clock as it stands; that of a frozen table stopped when it was frozen."""
    clock = read_clock(Terms(row.kind, row.seconds, row.increment, row.others), seats, row.state)
    return clock if row.stopped is None else clock.stopped(row.stopped)


def go_on(db: Connection, table: str, stopped: float, now: float) -> None:
    """A clock that stood still since one moment of the house goes on at another: what was between is nobody's."""
    row = db.execute(select(clocks).where(clocks.c.table == table)).first()
    if row is None or row.state is None:
        return
    clock = read_clock(Terms(row.kind, row.seconds, row.increment, row.others), len(row.state["dials"]), row.state)
    clock = replace(clock.charged(stopped), at=max(clock.at, stopped, now))
    db.execute(update(clocks).where(clocks.c.table == table).values(state=clock.plain(), due=clock.due))


def due_tables(store: Store, now: float, most: int) -> Sequence[str]:
    """Tables at which something is due by the clock, the one that waits longest first; at none that is frozen."""
    still = select(frozen.c.table).where(frozen.c.table == clocks.c.table).exists()
    wanted = select(clocks.c.table).where(clocks.c.due <= now, ~still).order_by(clocks.c.due).limit(most)
    with store.reading() as db:
        return db.execute(wanted).scalars().all()


# --- the time of the house -------------------------------------------------------------------------------


def served_seconds(store: Store) -> float:
    with store.reading() as db:
        return float(db.execute(select(served.c.seconds)).scalar() or 0.0)


def add_served(store: Store, wall: float, gone: float) -> float:
    """What a process has served, less what others have written down since; the time of the house then. Where the
    clock on the wall was set back, nothing is added."""

    def write(db: Connection) -> float:
        put(db, served, id=ONE, seconds=0.0, seen=wall)
        row = db.execute(select(served).with_for_update()).one()
        seconds = row.seconds + max(0.0, min(gone, wall - row.seen))
        db.execute(update(served).values(seconds=seconds, seen=wall))
        return float(seconds)

    return store.writer.do(write)
