"""The processes that think, and the queue before them: with real processes and nothing to think about."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

from samizdat.table.supervising import end_with_parent
from samizdat.table.turns import PATIENCE, Job
from samizdat.table.workers import Workers, share_of


@pytest.fixture
def workers() -> Iterator[Workers]:
    found = Workers(1)
    yield found
    found.stop()


def told(request: dict[str, Any]) -> dict[str, Any]:
    return request


def alone(request: dict[str, Any]) -> float:
    """Thinks for as long as nobody else waits; what is left to it then."""
    while share_of(request) == 1.0:
        pass
    return share_of(request)


def falls_over(request: dict[str, Any]) -> None:
    os._exit(1)


def job(visitor: str, seconds: float = 3.0, person: bool = True, asked: float = 0.0) -> Job:
    return Job(visitor, asked, seconds, person)


def test_whoever_waits_shortens_what_runs_and_has_the_next_turn(workers: Workers) -> None:
    """One process: an expert thinks, three experts of the same visitor wait, then a novice of another one comes."""
    answered: list[str] = []

    async def asked(name: str, work: Any, one: Job) -> Any:
        found = await workers.run(work, {}, one)
        answered.append(name)
        return found

    async def afternoon() -> Any:
        first = asyncio.create_task(asked("first", alone, job("many")))
        await asyncio.sleep(0)
        rest = [asyncio.create_task(asked(f"expert {n}", told, job("many"))) for n in range(3)]
        rest += [asyncio.create_task(asked("bots alone", told, job("two", 0.0, person=False)))]
        rest += [asyncio.create_task(asked("novice", told, job("one", 0.0)))]
        await asyncio.gather(*rest)
        return await first

    assert asyncio.run(afternoon()) < 1.0
    assert answered == ["first", "novice", "expert 0", "expert 1", "expert 2", "bots alone"]


def test_what_may_be_used_is_told_when_the_turn_has_come(workers: Workers) -> None:
    now = workers.clock()
    fresh = asyncio.run(workers.run(told, {"level": "expert"}, job("one", asked=now)))
    assert fresh == {"level": "expert", "place": 0, "seconds": 3.0}
    waited = asyncio.run(workers.run(told, {}, job("one", asked=now - PATIENCE - 1)))
    assert 0.0 < waited["seconds"] < 1.0, "less thought"


def test_a_process_that_falls_over_is_replaced(workers: Workers) -> None:
    async def twice() -> Any:
        with pytest.raises(BrokenProcessPool):
            await workers.run(falls_over, {}, job("one"))
        return await workers.run(told, {}, job("one"))

    assert asyncio.run(twice())["place"] == 0


def test_whoever_gives_up_waiting_leaves_the_queue(workers: Workers) -> None:
    async def afternoon() -> Any:
        first = asyncio.create_task(workers.run(alone, {}, job("one")))
        await asyncio.sleep(0)
        second = asyncio.create_task(workers.run(told, {}, job("two")))
        await first
        third = asyncio.create_task(workers.run(told, {}, job("three")))
        await asyncio.sleep(0)
        for task in (second, third):  # one has just been given its turn, the other waits
            task.cancel()
        await asyncio.gather(second, third, return_exceptions=True)
        return await workers.run(told, {}, job("four"))

    assert asyncio.run(afternoon())["place"] == 0


def orphan(file: Path) -> None:
    """Begins so slowly that its parent has died meanwhile."""
    parent = os.getppid()
    file.write_text(str(os.getpid()))
    while os.getppid() == parent:
        pass
    end_with_parent()
    threading.Event().wait()


def mother(file: Path) -> None:
    get_context("spawn").Process(target=orphan, args=(file,)).start()
    while not file.exists() or not file.read_text():
        pass
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_process_whose_parent_was_killed_before_it_began_ends(tmp_path: Path) -> None:
    file = tmp_path / "pid"
    parent = get_context("spawn").Process(target=mother, args=(file,))
    parent.start()
    parent.join()
    parent.close()
    there = Path("/proc", file.read_text(), "stat")
    while there.exists() and there.read_text().split()[2] != "Z":  # as many turns as it takes
        time.sleep(0.01)
