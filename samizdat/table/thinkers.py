"""Who thinks for a server's bots: processes of its own, or workers that share its database, of which it is one."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress

from samizdat.table.bots import Bots
from samizdat.table.compiling import Warming
from samizdat.table.house import House
from samizdat.table.queues import Queue
from samizdat.table.settings import Settings
from samizdat.table.store.jobs import ANSWERED, Jobs
from samizdat.table.store.notices import Hear, listen
from samizdat.table.store.store import CHANNEL
from samizdat.table.worker import Worker
from samizdat.table.workers import Workers

log = logging.getLogger("samizdat.bots")

LATELY = 30.0  # seconds: a table of which something was asked since is looked after


class OwnThinking:
    """One process with a database of its own: its bots think in processes beside it."""

    def __init__(self, house: House, settings: Settings) -> None:
        self.warming = Warming(settings.warm)
        self.thinkers = Workers(max(1, settings.bot_workers))
        self.bots = Bots(house, self.thinkers, Workers(1, politeness=10), self.warming)
        self._compiling: asyncio.Task[None] | None = None

    def start(self) -> None:
        self.bots.start()
        self._compiling = asyncio.create_task(self.warming.compile())

    def load(self) -> tuple[int, int, int]:
        """Bots that think, that wait, and how many can think at once."""
        return self.thinkers.load

    async def stop(self) -> None:
        await _ended(self._compiling)
        await self.bots.stop()


class SharedThinking:
    """One of several processes: questions go into the database, and whoever has a free place answers them."""

    def __init__(self, house: House, settings: Settings) -> None:
        self.house = house
        self.jobs = Jobs(house.store)
        self.queues = Queue(self.jobs, aside=False), Queue(self.jobs, aside=True)
        own = settings.bot_workers > 0
        self.warming = Warming(settings.warm and own)  # of the worker here
        self.bots = Bots(house, *self.queues, Warming(settings.warm))  # what any worker has compiled
        self.bots.looked_after = lambda ids: self.jobs.asked_lately(ids, LATELY)
        self.worker = Worker(house.store, settings.bot_workers, self.warming) if own else None
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        def changed(notice: str) -> None:
            id, _, events = notice.rpartition(" ")
            self.house.heard(id, int(events))

        def answered(id: str) -> None:
            for queue in self.queues:
                queue.heard(id)

        channels: dict[str, Hear] = {CHANNEL: changed, ANSWERED: answered}
        self.bots.start()
        self._tasks.append(asyncio.create_task(listen(self.house.store.engine, channels, self._look_around)))
        if self.worker is not None:
            self._tasks.append(asyncio.create_task(self.worker.run()))

    def load(self) -> tuple[int, int, int]:
        """The same of all processes; every one of them sees all."""
        return self.jobs.load()

    async def stop(self) -> None:
        for task in self._tasks:
            await _ended(task)
        await self.bots.stop()

    async def _look_around(self) -> None:
        """What may have been missed: tables that changed, games that were compiled, bots whose process died."""
        places, self.bots.warming.warm = await asyncio.to_thread(self.jobs.present)
        if not places and self.worker is None:
            log.warning("there is no worker: bots and hints wait until `samizdat worker` is started")
        await self.house.look_around()
        await self.bots.wake()


async def _ended(task: asyncio.Task[None] | None) -> None:
    if task is not None:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


def thinking(house: House, settings: Settings) -> OwnThinking | SharedThinking:
    return SharedThinking(house, settings) if house.store.shared else OwnThinking(house, settings)
