"""Jobs in a database: taken in the same order as anywhere, answered once, and taken again from a worker that died."""

from __future__ import annotations

import asyncio
import pickle
import random
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

import samizdat
from samizdat.table import worker as worker_module
from samizdat.table.bots import choose, request_of
from samizdat.table.compiling import Warming
from samizdat.table.hints import advise
from samizdat.table.parcels import pack, unpack
from samizdat.table.queues import Queue, question_id
from samizdat.table.store.jobs import MOST_TRIES, Jobs, Question
from samizdat.table.store.schema import jobs as rows
from samizdat.table.store.store import Store
from samizdat.table.thinkers import SharedThinking
from samizdat.table.turns import Job, order
from samizdat.table.workers import NoAnswer
from tests.postgres import Postgres
from tests.table.conftest import Site


@pytest.fixture
def store(postgresql: Postgres) -> Iterator[Store]:
    found = Store(postgresql.fresh())
    yield found
    found.close()


def asked(jobs: Jobs, id: str, job: Job, aside: bool = False) -> None:
    jobs.ask(Question(id, "choose", b"", job, aside), 0.0)


def lapse(store: Store) -> None:
    """Every lease is over: whoever had one died."""
    with store.engine.begin() as db:
        db.execute(update(rows).where(rows.c.lease.is_not(None)).values(lease=0.0))


def test_jobs_are_taken_in_the_order_of_their_turns(store: Store) -> None:
    """The same function that a server's own queue goes by; two workers together go by it, too."""
    dice, jobs = random.Random(3), Jobs(store)
    wanted = [
        Job(dice.choice("abc"), -dice.random() * 20, dice.choice([0.0, 0.5, 3.0]), dice.random() < 0.7)
        for _ in range(12)
    ]
    for place, job in enumerate(wanted):
        asked(jobs, str(place), job)
    left, running = dict(enumerate(wanted)), list[Job]()
    while left:
        worker = dice.choice(["one", "other"])
        taken, others = jobs.take(worker, False, 0.0)
        places = list(left)
        first = places[order([left[place] for place in places], running, {})[0]]
        assert taken is not None
        assert taken.id == str(first)
        assert len(others) == len(left) - 1
        running.append(left.pop(first))
    assert jobs.take("one", False, 0.0)[0] is None


def test_what_is_asked_aside_is_another_queue(store: Store) -> None:
    jobs = Jobs(store)
    asked(jobs, "long", Job("a", 0.0, 1.0, True), aside=True)
    assert jobs.take("one", False, 0.0)[0] is None
    assert jobs.take("one", True, 0.0)[0] is not None


def test_a_job_of_a_dead_worker_is_taken_again_and_answered_once(store: Store) -> None:
    jobs = Jobs(store)
    asked(jobs, "a", Job("v", 0.0, 1.0, True))
    assert jobs.take("dead", False, 0.0)[0] is not None
    assert jobs.take("other", False, 0.0)[0] is None, "it is still the first one's"
    jobs.prolong("dead", ["a"])
    assert jobs.take("other", False, 0.0)[0] is None
    lapse(store)
    assert jobs.take("other", False, 0.0)[0] is not None
    assert not jobs.done("dead", "a", b"late"), "it was not dead at all, only slow"
    assert jobs.done("other", "a", b"found")
    assert not jobs.done("other", "a", b"again")
    assert jobs.answer("a") == (True, b"found", None)
    asked(jobs, "a", Job("v", 0.0, 1.0, True))  # the same question once more: it is answered already
    assert jobs.answer("a") == (True, b"found", None)
    assert jobs.take("other", False, 0.0)[0] is None


def test_a_job_that_ends_every_worker_is_given_up(store: Store) -> None:
    jobs = Jobs(store)
    asked(jobs, "a", Job("v", 0.0, 1.0, True))
    for _ in range(MOST_TRIES):
        assert jobs.take("one", False, 0.0)[0] is not None
        lapse(store)
    assert jobs.take("one", False, 0.0)[0] is None
    assert jobs.answer("a") == (True, None, "WorkersLost")
    jobs.drop("a")
    assert jobs.answer("a") is None


def test_what_somebody_was_served_lately_counts(store: Store) -> None:
    jobs = Jobs(store)
    asked(jobs, "before", Job("greedy", 0.0, 1.0, True))
    assert jobs.take("one", False, 0.0)[0] is not None
    with store.engine.begin() as db:
        db.execute(update(rows).values(began=rows.c.began - 20))
    jobs.done("one", "before", b"")
    asked(jobs, "greedy", Job("greedy", -5.0, 1.0, True))
    asked(jobs, "modest", Job("modest", 0.0, 1.0, True))
    taken, _ = jobs.take("one", False, 0.0)
    assert taken is not None
    assert taken.id == "modest"


def test_parcels_carry_our_own_data_and_nothing_else(site: Site) -> None:
    table = site.table(samizdat.game("revolution"))
    site.wander(table, 6)
    request = request_of(table, 0)
    again = unpack(pack(request))
    assert again == request
    assert question_id("choose", again) == question_id("choose", request)
    for evil in (print, Path("/"), asyncio.sleep, samizdat.game, pickle.Unpickler):
        with pytest.raises(pickle.UnpicklingError):
            unpack(pack(evil))

    class Trick:
        def __reduce__(self) -> Any:
            return eval, ("1 + 1",)

    with pytest.raises(pickle.UnpicklingError):
        unpack(pack(Trick()))


class Here:
    """Processes that are none: work is done at once."""

    def __init__(self, number: int, politeness: int = 0) -> None:
        self.number, self.rivals = number, list[Job]()
        self.clock = time.monotonic

    async def run(self, work: Any, request: dict[str, Any], job: Job) -> Any:
        return work(request | {"place": 0, "seconds": 0.0})

    def stop(self) -> None:
        pass


def test_bots_of_one_process_are_moved_by_a_worker_of_another(
    postgresql: Postgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody sits there but bots: a server without thinkers, and a worker, play the match to its end."""
    monkeypatch.setattr(worker_module, "Workers", Here)
    address = postgresql.fresh()
    with closing(Site(tmp_path, database=address, bot_workers=0, warm=False)) as site:
        table = site.table(samizdat.game("war-of-whispers", players=2), kinds="bb")
        assert table.match is not None
        shared = SharedThinking(site.house, site.app.state.settings)

        async def no_wait(_: float) -> None:
            pass

        monkeypatch.setattr(shared.bots, "_until", no_wait)

        async def evening() -> None:
            shared.start()
            work = asyncio.create_task(worker_module.Worker(site.house.store, 1, Warming(False)).run())
            while table.match is not None and table.match.plies < 25:
                assert not work.done(), work.exception()
                await asyncio.sleep(0.02)
            work.cancel()
            await shared.stop()

        site.run(evening())
        assert table.match.plies >= 25


def test_a_job_that_fails_is_asked_anew(store: Store) -> None:
    queue = Queue(Jobs(store), aside=False)

    async def ask() -> None:
        asking = asyncio.create_task(queue.run(choose, {"position": "x"}, Job("v", 0.0, 1.0, True)))
        while (taken := (await asyncio.to_thread(queue.jobs.take, "one", False, 0.0))[0]) is None:
            await asyncio.sleep(0.01)
        queue.jobs.done("one", taken.id, None, "NoDecision")
        queue.heard(taken.id)
        with pytest.raises(NoAnswer, match="NoDecision"):
            await asking
        assert queue.jobs.answer(taken.id) is None
        again = [asyncio.create_task(queue.run(advise, {"position": "x"}, Job("v", 0, 1, True))) for _ in range(2)]
        while (taken := (await asyncio.to_thread(queue.jobs.take, "one", False, 0.0))[0]) is None:
            await asyncio.sleep(0.01)
        queue.jobs.done("one", taken.id, pack("found"))
        queue.heard(taken.id)
        assert await asyncio.gather(*again) == ["found", "found"]
        assert (await asyncio.to_thread(queue.jobs.take, "one", False, 0.0))[0] is None, "one question is one job"

    asyncio.run(ask())
