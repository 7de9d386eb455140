"""Processes that think for bots and hints, and the queue before them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, MutableSequence, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import asynccontextmanager
from multiprocessing import get_context
from typing import Any, TypeVar

from samizdat.kernel.systems import be_polite
from samizdat.table.supervising import end_with_parent
from samizdat.table.turns import Job, allowance, left_of, order, share

T = TypeVar("T")

FORGOTTEN = 0.01  # seconds: a visitor who was served less lately is not remembered
SHARES: list[MutableSequence[float]] = []  # in a worker's process: what part of its time the job at a place may use


class NoAnswer(Exception):
    """Nothing could be worked out; its text is the kind of error alone."""


def begin(politeness: int, shares: MutableSequence[float]) -> None:
    """A worker's process begins: it thinks as politely as asked, and ends with the server, however that ended."""
    SHARES.append(shares)
    be_polite(politeness)
    end_with_parent()


def share_of(request: dict[str, Any]) -> float:
    """In a worker's process: the part of its time that a request may use, which changes with those who wait."""
    return SHARES[0][int(request["place"])]


class Workers:
    """Some processes, each with one job at a time; the others wait for their turn."""

    def __init__(self, number: int, politeness: int = 0, clock: Callable[[], float] = time.monotonic) -> None:
        self.number = number
        self.politeness = politeness
        self.clock = clock
        self._context = get_context("spawn")
        self._shares: Any = self._context.RawArray("d", [1.0] * number)
        self._pool: ProcessPoolExecutor | None = None
        self._waiting: dict[asyncio.Future[int], Job] = {}
        self._running: dict[int, Job] = {}  # by place
        self.rivals: Sequence[Job] = ()  # that wait elsewhere
        self._spent: dict[str, tuple[float, float]] = {}  # by visitor: seconds it was served, as they counted when

    async def run(self, work: Callable[[dict[str, Any]], T], request: dict[str, Any], job: Job) -> T:
        """Work in another process, in its turn; one that falls over is replaced before the error is told."""
        async with self._turn(job) as place:
            pool = self._pool = self._pool or self._opened()
            asked = request | {"place": place, "seconds": allowance(job, self.clock())}
            try:
                return await asyncio.get_running_loop().run_in_executor(pool, work, asked)
            except BrokenProcessPool:
                if self._pool is pool:
                    self._pool = None
                raise

    def _opened(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(self.number, self._context, begin, (self.politeness, self._shares))

    def stop(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)

    @property
    def load(self) -> tuple[int, int, int]:
        """How many jobs run, how many wait, and for how many there are places."""
        return len(self._running), len(self._waiting), self.number

    # --- the queue ---------------------------------------------------------------------------------------

    @asynccontextmanager
    async def _turn(self, job: Job) -> AsyncIterator[int]:
        """Wait for a turn; the place of whoever has it."""
        ticket: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._waiting[ticket] = job
        self._call_next()
        try:
            place = await ticket
        except asyncio.CancelledError:
            if not ticket.cancelled():  # the turn had come
                del self._running[ticket.result()]
            self._call_next()
            raise
        begun = self.clock()
        try:
            yield place
        finally:
            del self._running[place]
            self._served(job.visitor, begun)
            self._call_next()

    def _call_next(self) -> None:
        """Whoever is next takes a free place; what those who run may use follows from who still waits."""
        self._waiting = {ticket: job for ticket, job in self._waiting.items() if not ticket.cancelled()}
        free = [place for place in range(self.number) if place not in self._running]
        while free and self._waiting:
            tickets, jobs = list(self._waiting), list(self._waiting.values())
            first = order(jobs, list(self._running.values()), self._lately())[0]
            place = free.pop()
            self._running[place] = self._waiting.pop(tickets[first])
            tickets[first].set_result(place)
        waiting, running = [*self._waiting.values(), *self.rivals], list(self._running.values())
        for place, job in self._running.items():
            self._shares[place] = share(job, waiting, running, self.number)

    def _lately(self) -> dict[str, float]:
        """What each visitor was served, as far as it still counts."""
        now = self.clock()
        return {visitor: left_of(spent, now - when) for visitor, (spent, when) in self._spent.items()}

    def _served(self, visitor: str, begun: float) -> None:
        now = self.clock()
        lately = self._lately()
        lately[visitor] = lately.get(visitor, 0.0) + now - begun
        self._spent = {one: (spent, now) for one, spent in lately.items() if spent > FORGOTTEN}
