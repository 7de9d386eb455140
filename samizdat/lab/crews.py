"""Crews: tasks in, results out in the order of the tasks, wherever somebody works on them.

    for result in in_order(play, fixtures, workers=3): ...

One worker is this process. More are processes of this machine, or a crew that was hired elsewhere (`ray_crew.py`).
What is true of all of them stands here. Only so many tasks are under way that memory stays bounded however many there
are. A task whose worker died is worked on again: tasks say all that their results depend on, so that it does not show
who worked on them, when, or how often. A task that kills every worker ends the work with one sentence.
"""

from __future__ import annotations

import os
import pickle
import signal
import time
import traceback
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing import active_children, get_context
from multiprocessing.process import BaseProcess
from queue import Empty, SimpleQueue
from typing import Any, Generic, Protocol, TypeVar

from samizdat.kernel.errors import SamizdatError

QUEUED = 2  # batches for each place: one is worked on, one waits for it
AHEAD = 4  # batches for each place that may be begun before the oldest is back
LARGEST_BATCH = 64  # tasks
TRIES = 5  # workers that may die over one task
LOOK = 1.0  # seconds after which a crew is looked at again when nothing comes back

Task = TypeVar("Task")
Done = TypeVar("Done")


class CrewError(SamizdatError):
    """A crew that cannot be hired, that is gone, or that one task kills again and again."""


@dataclass(frozen=True)
class Worked(Generic[Done]):
    """What came of a batch: the results of its tasks, up to one that failed."""

    results: list[Done]
    seconds: float
    failure: Exception | None = None
    where: str = ""  # it happened, which no exception takes along


def labour(work: Callable[[Task], Done], tasks: Sequence[Task]) -> Worked[Done]:
    """Work on a batch; runs in any process, on any machine."""
    begun, results = time.perf_counter(), []
    for task in tasks:
        try:
            results.append(work(task))
        except Exception as failure:
            return Worked(results, time.perf_counter() - begun, _sendable(failure), traceback.format_exc())
    return Worked(results, time.perf_counter() - begun)


def _sendable(failure: Exception) -> Exception:
    """The failure, or one that says the same where it cannot be sent."""
    try:
        pickle.loads(pickle.dumps(failure))
    except Exception:
        return RuntimeError(f"{type(failure).__name__}: {failure}")
    return failure


class Crew(Protocol):
    """Whoever works on batches of tasks."""

    @property
    def batch_seconds(self) -> float:
        """Tasks go in batches of about so much work; 0: one by one."""

    @property
    def deaths(self) -> tuple[type[Exception], ...]:
        """What a batch fails with when its worker is gone."""

    def places(self) -> int:
        """How many batches can be worked on at the same time, just now; CrewError if nobody is left."""

    def begin(self, work: Callable[[Task], Done], tasks: Sequence[Task]) -> Future[Worked[Done]]:
        """Begin with a batch."""

    def give_up(self) -> None:
        """Let everybody stop at once, whatever they are at."""


def in_order(
    work: Callable[[Task], Done], tasks: Iterator[Task], workers: int | Crew = 1
) -> Generator[Done, None, None]:  # fmt: skip
    """Work on tasks and hand on their results in the order of the tasks.

    Tasks are taken from their iterator only shortly before somebody is free for them. When the iterator of results
    is closed, or an interrupt comes, whatever is still being worked on is given up at once.
    """
    if workers == 1:
        yield from map(work, tasks)
    elif isinstance(workers, int):
        yield from _Line(Processes(workers), work, tasks).results()
    else:
        yield from _Line(workers, work, tasks).results()


@dataclass(eq=False)
class _Batch(Generic[Task, Done]):
    tasks: list[Task]
    deaths: int = 0
    worked: Worked[Done] | None = None


@dataclass
class _Line(Generic[Task, Done]):
    """The batches that were begun and whose results were not handed on yet, in the order of their tasks."""

    crew: Crew
    work: Callable[[Task], Done]
    tasks: Iterator[Task]
    line: deque[_Batch[Task, Done]] = field(default_factory=deque)
    again: deque[_Batch[Task, Done]] = field(default_factory=deque)  # in the line, and nobody works on them
    back: SimpleQueue[tuple[_Batch[Task, Done], Future[Worked[Done]]]] = field(default_factory=SimpleQueue)
    running: int = 0
    exhausted: bool = False  # there are no more tasks than those in the line
    pace: float | None = None  # seconds that a task takes

    def results(self) -> Generator[Done, None, None]:
        with closing(self._steps()) as steps:
            yield from steps

    def _steps(self) -> Generator[Done, None, None]:
        try:
            while self.line or not self.exhausted:
                self._begin_some()
                self._take_back()
                while self.line and (worked := self.line[0].worked) is not None:
                    self.line.popleft()
                    yield from worked.results
                    if worked.failure is not None:
                        worked.failure.add_note(worked.where)
                        raise worked.failure
        finally:
            self.crew.give_up()

    def _begin_some(self) -> None:
        """Begin as many batches as somebody is free for."""
        places = self.crew.places()
        while self.running < QUEUED * places:
            if self.again:
                self._begin(self.again.popleft())
            elif not self.exhausted and len(self.line) < AHEAD * places:
                tasks = list(islice(self.tasks, self._size()))
                self.exhausted = not tasks
                if tasks:
                    self.line.append(_Batch(tasks))
                    self._begin(self.line[-1])
            else:
                return

    def _size(self) -> int:
        if self.pace is None:
            return 1
        return max(1, min(LARGEST_BATCH, int(self.crew.batch_seconds / max(self.pace, 1e-6))))

    def _begin(self, batch: _Batch[Task, Done]) -> None:
        self.running += 1
        future = self.crew.begin(self.work, batch.tasks)
        future.add_done_callback(lambda done: self.back.put((batch, done)))

    def _take_back(self) -> None:
        """Wait until a batch is back, if any is under way; not for ever, as places come and go."""
        if self.exhausted and not self.line:
            return
        try:
            batch, future = self.back.get(timeout=LOOK)
        except Empty:
            return
        self.running -= 1
        try:
            batch.worked = future.result()
        except self.crew.deaths as died:
            self._try_again(batch, died)
            return
        pace = batch.worked.seconds / len(batch.tasks)
        self.pace = pace if self.pace is None else 0.9 * self.pace + 0.1 * pace

    def _try_again(self, batch: _Batch[Task, Done], died: Exception) -> None:
        """Its tasks again, each by itself: if one of them kills its worker, the others do not die with it."""
        deaths = batch.deaths + 1
        if deaths == TRIES:
            task = str(batch.tasks[0])[:300]
            raise CrewError(f"{TRIES} workers died over the same task, so it is not tried again: {task}") from died
        single: list[_Batch[Task, Done]] = [_Batch([task], deaths) for task in batch.tasks]
        place = self.line.index(batch)
        del self.line[place]
        for number, one in enumerate(single):
            self.line.insert(place + number, one)
        self.again.extend(single)


# --- This machine -------------------------------------------------------------


def usual_workers() -> int:
    """All cores but one, which is left to whoever sits at the machine."""
    return max(1, (os.cpu_count() or 2) - 1)


def _begin_work() -> None:
    """An interrupt from the keyboard is the parent's to answer."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@dataclass
class _Place:
    """One process. A pool of one, so that whoever dies takes nobody else along."""

    pool: ProcessPoolExecutor | None = None
    processes: set[BaseProcess] = field(default_factory=set)
    futures: list[Future[Any]] = field(default_factory=list)

    def load(self) -> int:
        self.futures = [one for one in self.futures if not one.done()]
        return len(self.futures)

    def begin(self, work: Callable[[Task], Done], tasks: Sequence[Task]) -> Future[Worked[Done]]:
        others = set(active_children())
        future: Future[Worked[Done]]
        try:
            future = self._pool().submit(labour, work, tasks)
        except BrokenProcessPool:
            self.pool = None
            future = self._pool().submit(labour, work, tasks)
        self.processes = self.processes | (set(active_children()) - others)
        self.futures.append(future)
        return future

    def _pool(self) -> ProcessPoolExecutor:
        if self.pool is None:
            self.pool = ProcessPoolExecutor(1, get_context("spawn"), _begin_work)
        return self.pool

    def give_up(self) -> None:
        if self.pool is not None:
            self.pool.shutdown(wait=False, cancel_futures=True)
        for process in self.processes:
            process.terminate()
            process.join()
        self.pool, self.processes, self.futures = None, set(), []


class Processes:
    """Processes of this machine."""

    batch_seconds = 0.0
    deaths = (BrokenProcessPool,)

    def __init__(self, workers: int) -> None:
        self._places = [_Place() for _ in range(workers)]

    def places(self) -> int:
        return len(self._places)

    def begin(self, work: Callable[[Task], Done], tasks: Sequence[Task]) -> Future[Worked[Done]]:
        return min(self._places, key=_Place.load).begin(work, tasks)

    def give_up(self) -> None:
        for place in self._places:
            place.give_up()
