"""A worker: takes jobs from the database as it has room for them, and answers them. `samizdat worker` is one; a
server has one of its own, unless it is told to have none."""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import signal
import socket
import time
from collections.abc import Callable, Iterable
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from typing import Any

from samizdat.table.bots import NoDecision, choose
from samizdat.table.compiling import Warming
from samizdat.table.hints import advise, judged, most_costly, to_judge
from samizdat.table.parcels import pack, unpack
from samizdat.table.store.jobs import ASKED, LEASE, Jobs, TakenJob
from samizdat.table.store.notices import listen
from samizdat.table.store.store import Store
from samizdat.table.workers import Workers

log = logging.getLogger("samizdat.worker")

WORKS: dict[str, Callable[[dict[str, Any]], Any]] = {
    work.__name__: work for work in (choose, advise, to_judge, judged, most_costly)
}
SLOWLY = 2.0  # seconds after which jobs are looked for also where nothing was told
ASIDE_POLITENESS = 10
SHORTEST_PAUSE, LONGEST_PAUSE = 1.0, 30.0  # seconds until a database that is away is tried again


class Bench:
    """The places of a worker for one kind of job."""

    def __init__(self, name: str, jobs: Jobs, places: int, aside: bool, warming: Warming) -> None:
        self.name, self.jobs, self.aside, self.warming = name, jobs, aside, warming
        self.processes = Workers(places, ASIDE_POLITENESS if aside else 0)
        self.told = asyncio.Event()
        self._running: dict[str, asyncio.Task[None]] = {}

    async def work(self) -> None:
        """Take jobs for as long as this runs."""
        pause, prolonged = SHORTEST_PAUSE, time.monotonic()
        try:
            while True:
                self.told.clear()
                try:
                    if self._running and time.monotonic() - prolonged > LEASE / 3:
                        await asyncio.to_thread(self.jobs.prolong, self.name, list(self._running))
                        prolonged = time.monotonic()
                    if len(self._running) < self.processes.number and await self._take():
                        continue
                    pause = SHORTEST_PAUSE
                except Exception as error:
                    log.error("jobs cannot be taken (%s); trying again", type(error).__name__)
                    await asyncio.sleep(pause)
                    pause = min(2 * pause, LONGEST_PAUSE)
                with suppress(TimeoutError):
                    await asyncio.wait_for(self.told.wait(), SLOWLY)
        finally:
            for task in self._running.values():
                task.cancel()
            self.processes.stop()

    async def _take(self) -> bool:
        """Whether there was a job, which is then worked on."""
        now = self.processes.clock()
        taken, left = await asyncio.to_thread(self.jobs.take, self.name, self.aside, now)
        self.processes.rivals = left
        if taken is None:
            return False
        self._running[taken.id] = asyncio.create_task(self._do(taken))
        return True

    async def _do(self, taken: TakenJob) -> None:
        answer, error = None, None
        try:
            request = unpack(taken.parcel)
            self.warming.hurry(request["game"])
            answer = pack(await self.processes.run(WORKS[taken.work], request, taken.job))
        except BrokenProcessPool:
            error = "BrokenProcessPool"
        except Exception as failure:  # its words may tell what is secret
            error = str(failure) if isinstance(failure, NoDecision) else type(failure).__name__
        try:
            if not await asyncio.to_thread(self.jobs.done, self.name, taken.id, answer, error):
                log.warning("a job was answered by another worker meanwhile")
        except Exception as failure:  # whoever takes it next will answer it
            log.error("an answer could not be kept (%s)", type(failure).__name__)
        finally:
            del self._running[taken.id]
            self.told.set()


class Worker:
    """Places to think in, one place for look-backs besides, and the search of every game compiled."""

    def __init__(self, store: Store, places: int, warming: Warming) -> None:
        self.name = f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(4)}"[:80]
        self.store, self.warming = store, warming
        self.jobs = Jobs(store)
        kinds = ((places, False), (1, True))
        self.benches = [Bench(self.name, self.jobs, number, aside, warming) for number, aside in kinds]

    async def run(self) -> None:
        works = [bench.work() for bench in self.benches]
        await _all([*works, self._report(), self.warming.compile(), self._listen()])

    async def _listen(self) -> None:
        def told(_: str) -> None:
            for bench in self.benches:
                bench.told.set()

        async def look_around() -> None:
            told("")

        await listen(self.store.engine, {ASKED: told}, look_around)

    async def _report(self) -> None:
        """Say now and then that this worker is there."""
        while True:
            try:
                places = self.benches[0].processes.number
                await asyncio.to_thread(self.jobs.report, self.name, places, sorted(self.warming.warm))
            except Exception as error:
                log.error("the database is not reached (%s); trying again", type(error).__name__)
            await asyncio.sleep(LEASE / 3)


async def _all(works: Iterable[Any]) -> None:
    async with asyncio.TaskGroup() as group:
        for work in works:
            group.create_task(work)


def work_until_told(address: str, places: int, warm: bool) -> None:
    """`samizdat worker`: until it is interrupted, or told to end."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    store = Store(address)
    try:
        with suppress(KeyboardInterrupt):
            asyncio.run(Worker(store, places, Warming(warm)).run())
    finally:
        store.close()
