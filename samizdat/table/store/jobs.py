"""Jobs in the database: what bots, hints and look-backs have to think about, for whichever worker takes them.

Only on PostgreSQL, where several processes share them. All times are those of its clock. A job is taken for a while
(its lease), which whoever took it prolongs; that of a worker that died is taken again. It is answered once, and the
answer kept for whoever asked, also in two processes at once: the same question is one job.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection, Float, cast, delete, extract, func, or_, select, update

from samizdat.table.store.databases import put
from samizdat.table.store.schema import jobs, workers
from samizdat.table.store.store import Store
from samizdat.table.turns import Job, left_of, order

ASKED, ANSWERED = "samizdat_asked", "samizdat_answered"  # the channels on which others are told
LEASE = 15.0  # seconds that a worker has a job for without saying that it still works on it
MOST_TRIES = 4  # of workers that died over a job; it is given up then
REMEMBERED = 120.0  # seconds for which an answer is kept, and what a visitor was served
FORSAKEN = 3600.0  # seconds after which nobody waits for an answer any more


@dataclass(frozen=True)
class Question:
    """A job as it is asked for."""

    id: str
    work: str
    parcel: bytes
    job: Job
    aside: bool  # long work that nobody's bot waits for
    table: str | None = None


@dataclass(frozen=True)
class TakenJob:
    """A job as a worker gets it, with the times of the worker's own clock."""

    id: str
    work: str
    parcel: bytes
    job: Job


def clock(db: Connection) -> float:
    """Seconds, by the only clock that all processes have in common."""
    return float(db.execute(select(cast(extract("epoch", func.clock_timestamp()), Float))).scalar_one())


class Jobs:
    """All jobs of a database."""

    def __init__(self, store: Store) -> None:
        self.engine = store.engine

    # --- asking ------------------------------------------------------------------------------------------

    def ask(self, question: Question, now: float) -> None:
        """A question; `now` by the clock of its job."""
        job = question.job
        with self.engine.begin() as db:
            ahead = clock(db) - now
            put(
                db, jobs, id=question.id, work=question.work, aside=question.aside, request=question.parcel,
                visitor=job.visitor, asked=job.asked + ahead, seconds=job.seconds, person=job.person,
                until=None if math.isinf(job.until) else job.until + ahead, tries=0, table=question.table,
            )  # fmt: skip
            db.execute(select(func.pg_notify(ASKED, "")))

    def answer(self, id: str) -> tuple[bool, bytes | None, str | None] | None:
        """Whether a job is answered, with what, or with what error; None if it is no longer there."""
        wanted = select(jobs.c.answered, jobs.c.answer, jobs.c.error).where(jobs.c.id == id)
        with self.engine.connect() as db:
            row = db.execute(wanted).first()
        return None if row is None else (row.answered is not None, row.answer, row.error)

    def drop(self, id: str) -> None:
        """A job that failed: whoever asks again asks anew."""
        with self.engine.begin() as db:
            db.execute(delete(jobs).where(jobs.c.id == id, jobs.c.error.is_not(None)))

    # --- working -----------------------------------------------------------------------------------------

    def take(self, worker: str, aside: bool, now: float) -> tuple[TakenJob | None, list[Job]]:
        """The job whose turn it is, if any waits, and those that still do then; `now` by the worker's clock."""
        with self.engine.begin() as db:
            there = clock(db)
            wanted = select(*(column for column in jobs.c if column.name not in ("request", "answer")))
            rows = db.execute(wanted.where(jobs.c.aside == aside)).all()
            free = [row for row in rows if row.answered is None and (row.lease is None or row.lease < there)]
            busy = [row for row in rows if row.answered is None and row.lease is not None and row.lease >= there]
            spent: dict[str, float] = {}
            for row in rows:
                if row.answered is not None:
                    served = left_of(row.answered - (row.began or row.answered), there - row.answered)
                    spent[row.visitor] = spent.get(row.visitor, 0.0) + served
            waiting = [_job(row, now - there) for row in free]
            for place in order(waiting, [_job(row, now - there) for row in busy], spent):
                if (taken := self._take(db, free[place], worker, there)) is not None:
                    left = [job for other, job in enumerate(waiting) if other != place]
                    return replace(taken, job=waiting[place]), left
        return None, []

    def _take(self, db: Connection, row: Any, worker: str, now: float) -> TakenJob | None:
        """A job, unless another worker takes it at this moment."""
        free = or_(jobs.c.lease.is_(None), jobs.c.lease < now)
        wanted = select(jobs.c.request).where(jobs.c.id == row.id, jobs.c.answered.is_(None), free)
        found = db.execute(wanted.with_for_update(skip_locked=True)).first()
        if found is None:
            return None
        known = update(jobs).where(jobs.c.id == row.id)
        if row.tries >= MOST_TRIES:  # it ends every process that tries it
            db.execute(known.values(answered=now, error="WorkersLost"))
            db.execute(select(func.pg_notify(ANSWERED, row.id)))
            return None
        db.execute(known.values(worker=worker, lease=now + LEASE, began=now, tries=row.tries + 1))
        return TakenJob(row.id, row.work, bytes(found.request), Job("", 0.0, 0.0, False))

    def prolong(self, worker: str, ids: Sequence[str]) -> None:
        """A worker still works on these."""
        with self.engine.begin() as db:
            mine = update(jobs).where(jobs.c.id.in_(ids), jobs.c.worker == worker, jobs.c.answered.is_(None))
            db.execute(mine.values(lease=clock(db) + LEASE))

    def done(self, worker: str, id: str, answer: bytes | None, error: str | None = None) -> bool:
        """The answer, or the kind of error; whether it counts: another worker may have the job by now."""
        with self.engine.begin() as db:
            mine = update(jobs).where(jobs.c.id == id, jobs.c.worker == worker, jobs.c.answered.is_(None))
            counts = bool(db.execute(mine.values(answered=clock(db), answer=answer, error=error)).rowcount)
            if counts:
                db.execute(select(func.pg_notify(ANSWERED, id)))
        return counts

    # --- workers, and what is old ------------------------------------------------------------------------

    def report(self, worker: str, places: int, games: Sequence[str]) -> None:
        """A worker says that it is there, and which games it has compiled; what is old is swept away."""
        with self.engine.begin() as db:
            now = clock(db)
            put(db, workers, "places", "games", "seen", id=worker, places=places, games=list(games), seen=now)
            db.execute(delete(workers).where(workers.c.seen < now - REMEMBERED))
            db.execute(delete(jobs).where(or_(jobs.c.answered < now - REMEMBERED, jobs.c.asked < now - FORSAKEN)))

    def present(self) -> tuple[int, set[str]]:
        """How many jobs the workers that are there can do at once, and the games that one of them has compiled."""
        with self.engine.connect() as db:
            rows = db.execute(select(workers).where(workers.c.seen > clock(db) - 3 * LEASE)).all()
        return sum(row.places for row in rows), {game for row in rows for game in row.games}

    def load(self) -> tuple[int, int, int]:
        """Jobs of bots that some worker has, that wait for one, and how many can be done at once."""
        with self.engine.connect() as db:
            now = clock(db)
            asked = db.execute(select(jobs.c.lease).where(jobs.c.answered.is_(None), ~jobs.c.aside)).scalars().all()
        taken = sum(lease is not None and lease >= now for lease in asked)
        return taken, len(asked) - taken, self.present()[0]

    def waiting(self) -> int:
        """Jobs that nobody has answered."""
        with self.engine.connect() as db:
            return db.execute(select(func.count()).where(jobs.c.answered.is_(None))).scalar_one()

    def asked_lately(self, tables: Sequence[str], seconds: float) -> set[str]:
        """The tables of which something was asked not long ago: some process looks after them."""
        with self.engine.connect() as db:
            lately = clock(db) - seconds
            known = select(jobs.c.table).where(jobs.c.table.in_(tables))
            return set(db.execute(known.where(or_(jobs.c.asked > lately, jobs.c.answered > lately))).scalars())


def _job(row: Any, ahead: float) -> Job:
    until = math.inf if row.until is None else row.until + ahead
    return Job(row.visitor, row.asked + ahead, row.seconds, row.person, until)
