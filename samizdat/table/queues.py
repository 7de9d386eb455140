"""Thinking that other processes do: questions go into the database, and answers come back from there."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from hashlib import blake2b
from typing import Any, TypeVar

from samizdat.table.parcels import pack, unpack
from samizdat.table.store.jobs import Jobs, Question
from samizdat.table.turns import Job
from samizdat.table.workers import NoAnswer

T = TypeVar("T")

SLOWLY = 3.0  # seconds after which an answer is looked for also where nothing was told


class Queue:
    """One kind of work for the workers, asked for as of processes of one's own (`workers.Workers`)."""

    def __init__(self, jobs: Jobs, aside: bool, clock: Callable[[], float] = time.monotonic) -> None:
        self.jobs, self.aside, self.clock = jobs, aside, clock
        self._told: dict[str, asyncio.Event] = {}
        self._waiting: Counter[str] = Counter()

    async def run(self, work: Callable[[dict[str, Any]], T], request: dict[str, Any], job: Job) -> T:
        """The answer of whichever worker took the job. What two processes ask of one position is one job."""
        id, table = question_id(work.__name__, request), request.get("table")
        question = Question(id, work.__name__, pack(request), job, self.aside, table)
        told = self._told.setdefault(id, asyncio.Event())
        self._waiting[id] += 1
        try:
            await asyncio.to_thread(self.jobs.ask, question, self.clock())
            while True:
                told.clear()
                found = await asyncio.to_thread(self.jobs.answer, id)
                if found is None:  # another asker was told of an error, or it was swept away
                    await asyncio.to_thread(self.jobs.ask, question, self.clock())
                elif found[0]:
                    break
                with suppress(TimeoutError):
                    await asyncio.wait_for(told.wait(), SLOWLY)
        finally:
            self._waiting[id] -= 1
            if not self._waiting[id]:
                del self._waiting[id], self._told[id]
        _, answer, error = found
        if error is not None or answer is None:
            await asyncio.to_thread(self.jobs.drop, id)
            raise NoAnswer(error)
        result: T = unpack(answer)
        return result

    def heard(self, id: str) -> None:
        """A job was answered."""
        if id in self._told:
            self._told[id].set()

    def stop(self) -> None:
        """Whoever asked has gone; what is asked already is answered all the same."""


def question_id(work: str, request: dict[str, Any]) -> str:
    """The same for the same question about the same position."""
    position = request.get("position") or secrets.token_hex(16)
    said = f"{work} {position} {request.get('level')} {request.get('patient')}"
    return blake2b(said.encode(), digest_size=24).hexdigest()
