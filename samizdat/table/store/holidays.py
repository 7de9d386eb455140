"""Days on which somebody is away, and the tables where that matters."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date, timedelta

from sqlalchemy import Connection, delete, insert, select, update

from samizdat.table.clocks import DAYS
from samizdat.table.store.schema import clocks, holders, holidays, reaches, tables
from samizdat.table.store.store import Store


def holidays_of(store: Store, player: str) -> list[tuple[date, date]]:
    """First and last days, in order."""
    wanted = select(holidays).where(holidays.c.player == player).order_by(holidays.c.first)
    with store.reading() as db:
        return [(date.fromisoformat(row.first), date.fromisoformat(row.last)) for row in db.execute(wanted)]


def add_holiday(store: Store, player: str, first: date, last: date) -> None:
    row = {"player": player, "first": first.isoformat(), "last": last.isoformat()}
    store.writer.do(lambda db: db.execute(insert(holidays).values(**row)) and None)


def end_holiday(store: Store, player: str, first: date, today: date) -> None:
    """Somebody is back, or does not go; days that were taken stay taken."""

    def write(db: Connection) -> None:
        mine = (holidays.c.player == player, holidays.c.first == first.isoformat())
        if first >= today:
            db.execute(delete(holidays).where(*mine))
        elif first < today:
            yesterday = (today - timedelta(1)).isoformat()
            db.execute(update(holidays).where(*mine, holidays.c.last > yesterday).values(last=yesterday))

    store.writer.do(write)


def around(store: Store, day: date) -> Sequence[tuple[str, date, date, str]]:
    """Who may be away on a day, wherever they are: player, first and last day, time zone."""
    wanted = select(holidays, reaches.c.zone).outerjoin(reaches, reaches.c.player == holidays.c.player)
    early, late = (day - timedelta(1)).isoformat(), (day + timedelta(1)).isoformat()
    with store.reading() as db:
        rows = db.execute(wanted.where(holidays.c.first <= late, holidays.c.last >= early)).all()
    return [(row.player, date.fromisoformat(row.first), date.fromisoformat(row.last), row.zone or "") for row in rows]


def timed_tables(store: Store, players: Collection[str]) -> Sequence[str]:
    """Running matches with days for each decision at which some of these sit, or a dial stands still."""
    theirs = select(holders.c.table).where(holders.c.player.in_(players))
    wanted = select(clocks.c.table).join(tables, tables.c.id == clocks.c.table)
    wanted = wanted.where(tables.c.status == "playing", clocks.c.kind == DAYS)
    with store.reading() as db:
        return db.execute(wanted.where(clocks.c.paused | clocks.c.table.in_(theirs))).scalars().all()
