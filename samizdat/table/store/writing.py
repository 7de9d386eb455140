"""Writing: one thread does it, so that what several ask for at the same time goes to disk together.

A transaction ends when the disk has it (`synchronous=FULL`), which takes a few milliseconds; whoever asks meanwhile
is in the next one. Nobody is answered before.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any, TypeVar, cast

from sqlalchemy import Connection, Engine

T = TypeVar("T")
Work = Callable[[Connection], Any]


class Writer:
    """Everything that is written into one database."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._asked: deque[tuple[str, Work, Future[Any]]] = deque()
        self._mine = threading.local()  # what a thread gathers
        self._changed = threading.Condition()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="writer", daemon=True)
        self._thread.start()

    @property
    def waiting(self) -> int:
        """How many ask for a transaction that has not begun."""
        return len(self._asked)

    @contextmanager
    def gathering(self) -> Iterator[list[Work]]:
        """All that this thread asks for meanwhile is gathered and nothing of it is done: whoever gathers asks for all
        of it at once."""
        gathered = self._mine.works = list[Work]()
        try:
            yield gathered
        finally:
            self._mine.works = None

    def do(self, work: Callable[[Connection], T], key: str = "") -> T:
        """What `work` returns, once all it wrote is on disk. It may be run twice, and then only the second counts."""
        if (gathered := getattr(self._mine, "works", None)) is not None:
            gathered.append(work)
            return cast(T, None)
        return self.ask(work, key).result()

    def ask(self, work: Callable[[Connection], T], key: str = "") -> Future[T]:
        """The same for who waits for it elsewhere: it cannot be called off. What is written together goes by its key:
        processes that lock the same rows do so in the same order."""
        answer: Future[T] = Future()
        answer.set_running_or_notify_cancel()
        with self._changed:
            if self._closed:
                raise RuntimeError("The database is closed.")
            self._asked.append((key, work, answer))
            self._changed.notify()
        return answer

    def close(self) -> None:
        """Write what was asked for, then end."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        self._thread.join()

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._asked or self._closed)
                asked = sorted(self._asked, key=lambda one: one[0])
                self._asked.clear()
            if not asked:
                return
            if not self._written(asked) and len(asked) > 1:
                for one in asked:  # whose fault it was is found out one by one
                    self._written([one])

    def _written(self, asked: list[tuple[str, Work, Future[Any]]]) -> bool:
        """One transaction for all of them, or for none; one that fails alone is told why."""
        try:
            with self.engine.begin() as db:
                results = [work(db) for _, work, _ in asked]
        except BaseException as error:
            if len(asked) == 1:
                asked[0][2].set_exception(error)
            return False
        for (_, _, answer), result in zip(asked, results, strict=True):
            answer.set_result(result)
        return True
