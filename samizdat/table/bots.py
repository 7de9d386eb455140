"""Bots at the table: in processes of their own, on what their seat sees, and restarted when one falls over.

They wait for their turn (`turns.py`) and answer at a moment that tells nothing (`pacing.py`)."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from typing import Any, Protocol, TypeVar

from samizdat.kernel.errors import SamizdatError
from samizdat.kernel.game import box_of, definition
from samizdat.kernel.match import Match, Sight
from samizdat.kernel.systems import in_time
from samizdat.table.commands import Play
from samizdat.table.compiling import Warming
from samizdat.table.declined import Stale
from samizdat.table.house import House
from samizdat.table.pacing import Pace, pace, public_seed, thinking_time
from samizdat.table.seats import Seat
from samizdat.table.tables import LiveTable
from samizdat.table.turns import Job
from samizdat.table.workers import NoAnswer, share_of

log = logging.getLogger("samizdat.bots")
T = TypeVar("T")

TRIES = 3
GUESTS_MAY_TAKE = 10.0  # seconds: a bot from outside that has no answer then has none
SHORTEST_PAUSE, LONGEST_PAUSE = 1.0, 30.0  # seconds until a bot that could not move tries again
REMEMBERED = 64  # the latest observations that a bot is handed: enough for the decision it is in


class NoDecision(Exception):
    """A bot could not decide; its text is the kind of error alone, as the words may tell what is secret."""


def request_of(table: LiveTable, seat: int) -> dict[str, Any]:
    """What another process needs to know of a seat's sight, from that seat's history alone."""
    return {
        "game": table.game.name, "variant": table.game.variant, "players": table.game.players,
        "options": dict(table.game.options), "rules": table.game.rules, "printed": table.game.printed, "seat": seat,
        "memory": tuple(table.history(seat).observations[-REMEMBERED:]), "table": table.id,
        "position": f"{table.id} {seat} {table.history(seat).version}",
    }  # fmt: skip


def sight_of(request: dict[str, Any]) -> Sight:
    """The sight that a request speaks of."""
    box = box_of(request["game"], request["printed"])
    game = definition(request["game"]).recall(
        request["players"], request["variant"], box, request["options"], request["rules"]
    )
    memory = request["memory"]
    return Sight(game, request["seat"], game.definition.state.from_bytes(memory[-1].seen), memory)


def choose(request: dict[str, Any]) -> str:
    """Runs in a bot's process: one decision from one sight. The search is read from disk also where there is nothing
    to choose: that the first answer of a process comes later must not tell more than that."""
    from samizdat import bots

    if request["level"] not in (*bots.LEVELS, *bots.LEARNT):
        return _ask_a_guest(request)
    try:
        sight, found = sight_of(request), bots.bot(request["level"])
        if request["patient"] and bots.searches(found.level, sight.game) and not bots.ready(sight.game):
            bots.warm(sight.game)
        found.seconds = min(found.seconds or request["seconds"], request["seconds"]) or None
        return str(found.choose(sight, request["patient"], lambda: share_of(request)))
    except SamizdatError as error:  # not every error can be sent on whole, and one that cannot ends the process
        raise NoDecision(type(error).__name__) from None


def _ask_a_guest(request: dict[str, Any]) -> str:
    """One decision of a bot from outside, whose errors may be anything and may tell anything."""
    from samizdat import bots

    try:
        with in_time(GUESTS_MAY_TAKE):
            return str(bots.bot(request["level"]).choose(sight_of(request)))
    except Exception as error:
        raise NoDecision(type(error).__name__) from None


def noticed(match: Match, seat: int, move: str) -> bool:
    """Whether anybody but the seat itself would see anything of a decision."""
    twin = match.copy()
    twin.play(seat, move)
    others = [viewer for viewer in (None, *range(match.seats)) if viewer != seat]
    return any(twin.history(viewer).version != match.history(viewer).version for viewer in others)


class Thinkers(Protocol):
    """Whoever does the thinking: processes of one's own, or workers that take jobs from the database."""

    async def run(self, work: Callable[[dict[str, Any]], T], request: dict[str, Any], job: Job) -> T: ...

    def stop(self) -> None: ...


class Bots:
    """Moves every seat that is a bot's, as soon as it is to act."""

    def __init__(self, house: House, thinkers: Thinkers, aside: Thinkers, warming: Warming) -> None:
        self.house = house
        self.warming = warming
        self.clock = time.monotonic
        self._thinkers, self._aside = thinkers, aside
        self._metronome = ThreadPoolExecutor(1)  # for counting decisions: whatever is stored must not wait behind it
        self._begun = False
        self._busy: set[tuple[str, int]] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self.looked_after: Callable[[list[str]], set[str]] = lambda ids: set()  # tables that another process moves
        house.on_change = self.look

    def start(self) -> None:
        self._begun = True
        self._keep(self.wake())

    def _keep(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._thinkers.stop()
        self._aside.stop()
        self._metronome.shutdown(wait=False, cancel_futures=True)

    async def wake(self) -> None:
        """After a start: matches that wait for a bot go on, one after the other, while people already come in; except
        those that another process moves."""
        for id in await self._waiting():
            try:
                if await asyncio.to_thread(self.looked_after, [id]):
                    continue
                self.look(await self.house.find(id))
            except SamizdatError as error:
                log.warning("table %s stays as it is: %s", id, error)
            except Exception as error:  # one table must not keep the others waiting; its words may hold a secret
                log.error("table %s cannot be read (%s)", id, type(error).__name__)

    async def _waiting(self) -> list[str]:
        """The tables that wait for a bot; a busy database is asked again."""
        pause = SHORTEST_PAUSE
        while True:
            try:
                return await asyncio.to_thread(self.house.store.waiting_for_bots)
            except Exception as error:
                log.error("the tables that wait for bots cannot be read: %s", type(error).__name__)
                await asyncio.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE)

    def is_warm(self, name: str) -> bool:
        """Whether the search of a game is compiled, so that nobody need wait for that."""
        return name in self.warming.warm

    def stays_cold(self, name: str) -> bool:
        """Whether there is no use in waiting for it."""
        return name in self.warming.cold

    def look(self, table: LiveTable) -> None:
        """Let the bots of a table that are to act do so."""
        if table.match is None or not self._begun or table.over or table.frozen is not None:
            return
        if table.match.turn:
            self.warming.hurry(table.game.name)
        for seat in table.match.turn:
            if table.chairs[seat].kind == "bot" and (table.id, seat) not in self._busy:
                self._busy.add((table.id, seat))
                self._keep(self._act(table, seat))

    async def _act(self, table: LiveTable, seat: int) -> None:
        """All decisions that a bot is to make now. What fails is tried again, later each time: a full disk or a busy
        database must not end a match."""
        pause, own = SHORTEST_PAUSE, None
        try:
            while self._waits_for(table, seat):
                try:
                    own = own or await self._pace(table, seat)
                    if await self._decide(table, seat, own):
                        own = None
                    pause = SHORTEST_PAUSE
                except Stale:
                    continue
                except Exception as error:  # without its words, which may tell what the seat wanted to do in secret
                    name = type(error).__name__
                    log.error("the bot of seat %d at table %s could not move: %s", seat, table.id, name)
                    await asyncio.sleep(pause)
                    pause = min(2 * pause, LONGEST_PAUSE)
        finally:
            self._busy.discard((table.id, seat))

    @staticmethod
    def _waits_for(table: LiveTable, seat: int) -> bool:
        """Whether a match waits for the bot of a seat."""
        waits = table.match is not None and not table.over and seat in table.match.turn and table.frozen is None
        return waits and table.chairs[seat].kind == "bot"

    async def _pace(self, table: LiveTable, seat: int) -> Pace:
        """The pace of a bot that everybody waits for from now on."""
        now, chair = self.clock(), table.chairs[seat]
        assert table.match is not None
        public = table.match.history(None)
        seed = public_seed(table.id, public.version, seat)
        shown = table.game.definition.state.from_bytes(public.seen)
        prepared = self.is_warm(table.game.name)
        asked = partial(pace, table.game, chair.level, prepared, shown, seat, seed, now)
        if not thinking_time(chair.level, prepared):
            return asked()
        return await asyncio.get_running_loop().run_in_executor(self._metronome, asked)

    async def _decide(self, table: LiveTable, seat: int, own: Pace) -> bool:
        """One decision; whether anybody could see it, and so not before it was time."""
        chair = table.chairs[seat]
        version = self._present(table, seat, chair)
        move = await self._ask(table, seat, own)
        if self._present(table, seat, chair) != version:
            raise Stale("The position has changed since.")
        assert table.match is not None
        seen = noticed(table.match, seat, move)
        if seen:
            await self._until(own.release(self.clock()))
        await self.house.do(table, Play(seat, [move], version=version, by=chair))
        own.made += 1
        return seen

    def _present(self, table: LiveTable, seat: int, chair: Seat) -> int:
        """The version of the position in which a bot is to decide."""
        if table.chairs[seat] is not chair:
            raise Stale("The seat was given to somebody else.")
        if not self._waits_for(table, seat):
            raise Stale("Somebody took a decision back, all have agreed to end, or the host has frozen the table.")
        return table.history(seat).version

    async def _until(self, moment: float) -> None:
        await asyncio.sleep(max(0.0, moment - self.clock()))

    async def _ask(self, table: LiveTable, seat: int, own: Pace) -> str:
        level, now = table.chairs[seat].level, self.clock()
        request = request_of(table, seat) | {"level": level, "patient": self.is_warm(table.game.name)}
        people = any(chair.kind == "person" for chair in table.chairs)
        job = Job(table.opened_by, now, thinking_time(level, True), people, own.next_until(now))
        for _ in range(TRIES):
            try:
                return await self.run(choose, request, job)
            except BrokenProcessPool:
                log.warning("a bot's process fell over at table %s; starting it again", table.id)
            except Exception as error:  # whatever is wrong with one bot, the match goes on
                kind = str(error) if isinstance(error, (NoDecision, NoAnswer)) else type(error).__name__
                log.warning("the bot of seat %d at table %s failed: %s", seat, table.id, kind)
        request["level"] = "random"  # three crashes on one position: the match goes on all the same
        return await self.run(choose, request, job)

    async def run(self, work: Callable[[dict[str, Any]], T], request: dict[str, Any], job: Job) -> T:
        """Work in a bot's process, in its turn."""
        return await self._thinkers.run(work, request, job)

    async def run_aside(self, work: Callable[[dict[str, Any]], T], request: dict[str, Any], job: Job) -> T:
        """Long work in a process of its own, politely: nobody's bot waits for it."""
        return await self._aside.run(work, request, job)
