"""Reports to the host: what somebody said, as whoever reports it read it, and what was said before.

A report is a copy: it stays when the table goes, until the host has closed it and some time has passed.
"""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select, update

from samizdat.kernel.telling import Phrase
from samizdat.table.declined import TooMany
from samizdat.table.hearing import Ear
from samizdat.table.store.schema import players, reports
from samizdat.table.store.store import Store
from samizdat.table.talk import Saying

BEFORE = 8  # lines that are kept with the one that is reported
MOST_A_DAY = 20  # reports of one person
DAY = 24 * 3600.0  # seconds
KEPT = 30 * DAY  # after a report was closed
TOO_MANY_REPORTS = Phrase("You have reported a lot today; the host will read it.")


@dataclass(frozen=True)
class Complaint:
    """What a host is shown."""

    id: str
    table: str
    reporter: str
    about: str
    why: str
    words: tuple[dict[str, Any], ...]  # name, sheet, text and moment of each line; the last is what it is about
    at: float
    closed: float | None
    about_player: str = ""  # by what a host keeps somebody out


def file_report(store: Store, ear: Ear, line: Saying, why: str) -> str:
    """Keep a line for the host, with those before it on the same sheet that its reader could read."""
    reporter = ear.reader.player
    seen = [one.line for one in ear.lines(line.sheet) if one.line.n <= line.n and not one.told][-BEFORE - 1 :]
    words = [{"name": one.name, "sheet": one.sheet, "text": one.text, "at": one.at} for one in seen]
    id = secrets.token_urlsafe(9)

    def write(db: Connection) -> str:
        today = select(func.count()).where(reports.c.reporter == reporter, reports.c.at > time.time() - DAY)
        if db.execute(today).scalar_one() >= MOST_A_DAY:
            raise TooMany(TOO_MANY_REPORTS)
        values = {"reporter": reporter, "about": line.player, "table": ear.table.id, "why": why, "words": words}
        db.execute(insert(reports).values(id=id, at=time.time(), closed=None, **values))
        return id

    return store.writer.do(write)


def list_reports(store: Store, closed: bool = False) -> list[Complaint]:
    """Reports that the host has not closed yet, or all that are kept; the oldest first."""
    told, heard = players.alias(), players.alias()
    wanted = select(reports, told.c.name.label("by"), heard.c.name.label("whom"))
    wanted = wanted.join(told, told.c.id == reports.c.reporter).join(heard, heard.c.id == reports.c.about)
    if not closed:
        wanted = wanted.where(reports.c.closed.is_(None))
    with store.reading() as db:
        rows = db.execute(wanted.order_by(reports.c.at)).all()
    return [
        Complaint(row.id, row.table, row.by, row.whom, row.why, tuple(row.words), row.at, row.closed, row.about)
        for row in rows
    ]


def in_words(report: Complaint) -> str:
    """A report as a terminal shows it: who about whom, and what was said, the line in question last."""
    when = datetime.fromtimestamp(report.at, UTC).isoformat(" ", "minutes")
    head = f"{report.id}  {when}  table {report.table}: {report.reporter} reports {report.about}"
    lines = [f"  [{one['sheet']}] {one['name']}: {one['text']}" for one in report.words]
    return "\n".join([head, *([f"  why: {report.why}"] if report.why else []), *lines])


def close_report(store: Store, id: str) -> bool:
    """The host has dealt with a report; whether there was one. Those closed long ago go."""
    now = time.time()

    def write(db: Connection) -> bool:
        db.execute(delete(reports).where(reports.c.closed < now - KEPT))
        open_one = update(reports).where(reports.c.id == id, reports.c.closed.is_(None))
        return bool(db.execute(open_one.values(closed=now)).rowcount)

    return store.writer.do(write)
