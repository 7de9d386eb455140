"""Bots at the table: in processes of their own, on what their seat sees, and restarted when one falls over."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Coroutine
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import Any

from samizdat.kernel.errors import SamizdatError
from samizdat.kernel.game import definitions
from samizdat.table.house import House, LiveTable, Stale

log = logging.getLogger("samizdat.bots")

TRIES = 3
REMEMBERED = 64  # the latest observations that a bot is handed: enough for the decision it is in


def choose(request: dict[str, Any]) -> str:
    """Runs in a bot's process: one decision from one sight."""
    from samizdat.bots import bot
    from samizdat.kernel.game import definition
    from samizdat.kernel.match import Sight

    game = definition(request["game"]).choose(request["players"], request["variant"], None, **request["options"])
    memory = request["memory"]
    sight = Sight(game, request["seat"], game.definition.state.from_bytes(memory[-1].seen), memory)
    return str(bot(request["level"]).choose(sight, patient=request["patient"]))


def warm(name: str) -> None:
    """Runs in a process of its own: compiled code goes to disk, where the bots' processes find it."""
    from samizdat import bots
    from samizdat.kernel.game import definition

    os.nice(15)
    bots.warm(definition(name).choose())


class Bots:
    """Moves every seat that is a bot's, as soon as it is to act."""

    def __init__(self, house: House, workers: int, warm: bool) -> None:
        self.house = house
        self.workers = workers
        self.warm = warm
        self._pool: ProcessPoolExecutor | None = None
        self._busy: set[tuple[str, int]] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._warm: set[str] = set()  # games whose search is compiled
        house.on_change = self.look

    def start(self) -> None:
        self._pool = ProcessPoolExecutor(self.workers, get_context("spawn"))
        if self.warm:
            self._keep(self._warm_up())

    def _keep(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _warm_up(self) -> None:
        """Compile every game's search, one after the other and politely, while people are still in the lobby; until
        then bots answer at once, with less thought."""
        for name in definitions():
            process = get_context("spawn").Process(target=warm, args=(name,), daemon=True)
            process.start()
            try:
                while process.is_alive():
                    await asyncio.sleep(0.5)
            finally:
                if process.is_alive():
                    process.terminate()
            if process.exitcode == 0:
                self._warm.add(name)

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)

    async def wake(self) -> None:
        """After a start: matches that wait for a bot go on."""
        for id in await asyncio.to_thread(self.house.store.unfinished):
            try:
                self.look(await self.house.find(id))
            except SamizdatError as error:
                log.warning("table %s stays as it is: %s", id, error)

    def look(self, table: LiveTable) -> None:
        """Let the bots of a table that are to act do so."""
        if table.match is None or self._pool is None:
            return
        for seat in table.match.turn:
            if table.chairs[seat].kind == "bot" and (table.id, seat) not in self._busy:
                self._busy.add((table.id, seat))
                self._keep(self._act(table, seat))

    async def _act(self, table: LiveTable, seat: int) -> None:
        try:
            while table.match is not None and seat in table.match.turn and table.chairs[seat].kind == "bot":
                version = table.chronicle(seat).version
                move = await self._ask(table, seat)
                try:
                    await self.house.play(table, seat, [move], version)
                except Stale:
                    continue
        except SamizdatError:
            log.exception("the bot of seat %d at table %s could not move", seat, table.id)
        finally:
            self._busy.discard((table.id, seat))

    async def _ask(self, table: LiveTable, seat: int) -> str:
        chronicle = table.chronicle(seat)
        request = {
            "game": table.game.name, "variant": table.game.variant, "players": table.game.players,
            "options": dict(table.game.options), "seat": seat,
            "memory": tuple(step.observed for step in chronicle.steps[-REMEMBERED:]),
            "level": table.chairs[seat].level, "patient": table.game.name in self._warm,
        }  # fmt: skip
        for _ in range(TRIES):
            pool = self._pool
            assert pool is not None
            try:
                return await asyncio.get_running_loop().run_in_executor(pool, choose, request)
            except BrokenProcessPool:
                log.warning("a bot's process fell over at table %s; starting it again", table.id)
                if self._pool is pool:
                    self._pool = ProcessPoolExecutor(self.workers, get_context("spawn"))
        request["level"] = "random"  # three crashes on one position: the match goes on all the same
        assert self._pool is not None
        return await asyncio.get_running_loop().run_in_executor(self._pool, choose, request)
