"""How the house fares: four numbers and their course over a day.

Each process looks twice a minute and keeps one row for each half hour in the database, so the course is that of all
processes, and outlives them; a day of rows is all there ever is. Of decisions only the time that their answers took
is kept, and nothing is said of fewer than some: that somebody decided is itself a secret at some tables.
"""

from __future__ import annotations

import asyncio
import bisect
import logging
import os
import secrets
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from samizdat.table.house import House
from samizdat.table.house_log import HouseLog
from samizdat.table.store.faring import SLOT, SLOTS, count_tables, day_of, keep_sample, slot_of

log = logging.getLogger("samizdat.host")

EVERY = 5.0  # seconds between two looks at the log
TICK = 30.0  # and between two samples
LATELY = 3 * TICK  # a process that was not heard of since has ended
ENOUGH = 20  # answers, below which nothing is said of them
# Milliseconds; what is told is that an answer took less than one of these.
BOUNDS = (1, 2, 3, 4, 5, 6, 8, 10, 13, 16, 20, 25, 32, 40, 50, 63, 80, 100, 125, 160, 200, 250, 320, 400, 500, 630,
          800, 1000, 1250, 1600, 2000, 2500, 3200, 4000, 5000, 6300, 8000, 10_000, 100_000)  # fmt: skip
DECISIONS = {"/table/{id}/move", "/table/{id}/seal", "/api/tables/{id}/play"}

Load = Callable[[], tuple[int, int, int]]  # bots that think, that wait, and how many can at once


@dataclass(frozen=True)
class Faring:
    """How the house fares now, and how it did."""

    tables: int  # that are not over
    live: int  # of them by a live clock
    boards: int  # that somebody looks at
    watching: int  # of them without a seat
    below: int | None  # milliseconds that 95 of 100 answers took less than; None: too few to say
    busy: float  # part of the time that bots thought, of the places they have
    places: int
    waited: int  # bots that waited for a place, at most
    failed: int  # answers that failed in this half hour and the one before
    memory: int  # bytes of all processes
    began: float  # when the oldest process began
    processes: int
    course: dict[str, list[float]] = field(default_factory=dict)  # by half hours, the last one now


class Course:
    """What this process sees of it."""

    def __init__(self, house: House, load: Load) -> None:
        self.house, self.load = house, load
        self.process, self.began = secrets.token_hex(6), time.time()
        self.log = HouseLog(house.store, self.process)
        self._slot = 0
        self._sums: dict[str, float] = {}
        self._answers = [0] * (len(BOUNDS) + 1)
        self._failed = 0
        self._task: asyncio.Task[None] | None = None

    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        """A request was answered."""
        if status >= 500:
            self._failed += 1
        elif method == "POST" and route in DECISIONS and status < 400:
            self._answers[bisect.bisect_left(BOUNDS, 1000 * seconds)] += 1

    def sample(self) -> None:
        """What there is to see now, added to this half hour's row; in a thread."""
        now, thinking, waiting, places = time.time(), *self.load()
        if slot_of(now) != self._slot:
            self._slot, self._sums, self._failed = slot_of(now), {}, 0
            self._answers = [0] * (len(BOUNDS) + 1)
        there = [*self.house.tables.values(), *self.house.fleeting.values()]
        listeners = [(viewer, len(those)) for table in there for viewer, those in list(table.listeners.items())]
        boards, watching = sum(n for _, n in listeners), sum(n for viewer, n in listeners if viewer is None)
        for name, value in (("boards", boards), ("thinking", thinking)):
            self._sums[name] = self._sums.get(name, 0.0) + value
        self._sums["waited"] = max(waiting, self._sums.get("waited", 0.0))
        figures = {
            "sums": self._sums, "answers": self._answers, "failed": self._failed, "places": places,
            "tables": count_tables(self.house.store)[0], "boards": boards, "watching": watching, "memory": memory(),
            "began": self.began,
        }  # fmt: skip
        keep_sample(self.house.store, self.process, now, figures)

    # --- as long as the house is open --------------------------------------------------------------------

    def start(self) -> None:
        self.log.listen()
        self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        self.log.stop()
        with suppress(Exception):  # the database is away
            await asyncio.to_thread(self.log.write)

    async def _run(self) -> None:
        told = True
        next_sample = 0.0
        while True:
            try:
                if time.monotonic() >= next_sample:
                    next_sample = time.monotonic() + TICK
                    await asyncio.to_thread(self.sample)
                await asyncio.to_thread(self.log.write)
                told = False
            except Exception as error:  # the database is away; said once
                if not told:
                    log.warning("how the house fares cannot be written (%s)", type(error).__name__)
                    told = True
            await asyncio.sleep(EVERY)


def memory() -> int:
    """Bytes that this process has in memory; 0 where the system does not say."""
    with suppress(OSError, ValueError, AttributeError):
        return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0


def below(counts: Sequence[int], part: float = 0.95) -> int | None:
    """The milliseconds that a part of all answers took less than; None for too few answers."""
    total, seen = sum(counts), 0
    if total < ENOUGH:
        return None
    for bound, n in zip((*BOUNDS, BOUNDS[-1]), counts, strict=True):
        seen += n
        if seen >= part * total:
            return bound
    return BOUNDS[-1]


def faring(house: House, now: float) -> Faring:
    """What all processes have seen."""
    rows = day_of(house.store, now)
    slots: dict[int, list[Any]] = {}
    for row in rows:
        slots.setdefault(row.slot, []).append(row.figures)
    last = slot_of(now)
    # A process that went on into this half hour was seen in the one before, too.
    here = sorted((row for row in rows if row.seen > now - LATELY), key=lambda row: row.slot)
    present = list({row.process: row.figures for row in here}.values())
    tables, live = count_tables(house.store)
    answers = [sum(column) for column in zip(*(one.figures["answers"] for one in rows), strict=True)]
    places = max((one["places"] for one in present), default=0)
    lately = [*slots.get(last - 1, ()), *slots.get(last, ())]
    return Faring(
        tables, live, sum(one["boards"] for one in present), sum(one["watching"] for one in present),
        below(answers) if answers else None,
        _mean(slots.get(last, ()), "thinking", now % SLOT) / max(1, places), places,
        int(max((one["sums"]["waited"] for one in lately), default=0)), sum(one["failed"] for one in lately),
        sum(one["memory"] for one in present), min((one["began"] for one in present), default=now), len(present),
        {name: [_value(name, slots.get(last - SLOTS + 1 + n, []), now, n) for n in range(SLOTS)]
         for name in ("tables", "boards", "answers", "thinking")},
    )  # fmt: skip


def _value(name: str, rows: Sequence[Any], now: float, n: int) -> float:
    """One bar: of what all processes see alike, the most that one of them said; of what each sees for itself, the
    sum."""
    if name == "tables":
        return float(max((one["tables"] for one in rows), default=0))
    if name == "answers":
        counts = [sum(column) for column in zip(*(one["answers"] for one in rows), strict=True)]
        return float((below(counts) if counts else None) or 0)
    return _mean(rows, name, now % SLOT if n == SLOTS - 1 else SLOT)


def _mean(rows: Sequence[Any], name: str, seconds: float) -> float:
    """How many there were on the average; while nobody served, nobody."""
    seen = [one["sums"].get(name, 0.0) for one in rows]
    return (max(seen, default=0.0) if name == "thinking" else sum(seen)) / max(1.0, seconds // TICK)
