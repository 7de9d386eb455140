"""How the house fares and what its processes told last, as it is stored: a day of the one, some hundred lines of the
other. Each function is one transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Row, delete, func, insert, select

from samizdat.table.clocks import LIVE
from samizdat.table.store.databases import put
from samizdat.table.store.schema import clocks, log_lines, samples, tables
from samizdat.table.store.store import Store

SLOT = 1800.0  # seconds of one sample
SLOTS = 48  # a day
MOST_LINES = 500
LINES_LAST = 14 * 24 * 3600.0  # seconds


def slot_of(now: float) -> int:
    return int(now // SLOT)


def keep_sample(store: Store, process: str, now: float, figures: Mapping[str, Any]) -> None:
    """What a process saw in this half hour so far; what is older than a day goes."""
    slot = slot_of(now)

    def write(db: Connection) -> None:
        put(db, samples, "seen", "figures", slot=slot, process=process, seen=now, figures=dict(figures))
        db.execute(delete(samples).where(samples.c.slot <= slot - SLOTS - 1))

    store.writer.do(write)


def day_of(store: Store, now: float) -> Sequence[Row[Any]]:
    """Everything of the last day."""
    with store.reading() as db:
        return db.execute(select(samples).where(samples.c.slot > slot_of(now) - SLOTS)).all()


def count_tables(store: Store) -> tuple[int, int]:
    """Tables that are not over, and how many of them are played by a live clock."""
    there = select(func.count()).select_from(tables).where(tables.c.status != "over")
    live = select(func.count()).select_from(tables).join(clocks, clocks.c.table == tables.c.id)
    live = live.where(tables.c.status == "playing", clocks.c.kind == LIVE)
    with store.reading() as db:
        return db.execute(there).scalar_one(), db.execute(live).scalar_one()


def keep_lines(store: Store, process: str, lines: Sequence[tuple[float, int, str, str]]) -> None:
    """Lines of the log: moment, number, level and words. As many stay as somebody reads."""

    def write(db: Connection) -> None:
        for at, n, level, words in lines:
            db.execute(insert(log_lines).values(at=at, process=process, n=n, level=level, words=words))
        oldest = select(log_lines.c.at).order_by(log_lines.c.at.desc()).offset(MOST_LINES).limit(1)
        edge = max(db.execute(oldest).scalar() or 0.0, lines[-1][0] - LINES_LAST)
        db.execute(delete(log_lines).where(log_lines.c.at <= edge))

    store.writer.do(write)


def last_lines(store: Store, most: int) -> Sequence[Row[Any]]:
    """The latest first."""
    wanted = select(log_lines).order_by(log_lines.c.at.desc(), log_lines.c.n.desc()).limit(most)
    with store.reading() as db:
        return db.execute(wanted).all()
