"""Hints at the table, and the look back at a finished match: worked out in other processes, kept for a while.

A hint is made from the asking seat's history alone, with a seed that follows from what the seat sees: nobody else
learns that it was asked for, and asking again gives the same answer. A look back judges each decision of a seat by
what that seat knew when it made it.
"""

from __future__ import annotations

import asyncio
import functools
import hashlib
from collections import Counter, OrderedDict
from collections.abc import Coroutine, Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import Any

from samizdat.bots.hints import Complete, Hint, alone
from samizdat.bots.reviews import Review
from samizdat.kernel.boards import Words
from samizdat.kernel.errors import NotYourTurn, SamizdatError
from samizdat.kernel.match import Match, Sight, view_of
from samizdat.kernel.moves import Move
from samizdat.kernel.telling import Phrase
from samizdat.table.boards import board_of
from samizdat.table.bots import Bots, request_of, sight_of
from samizdat.table.tables import LiveTable
from samizdat.table.turns import Job

HINT_SECONDS, REVIEW_SECONDS = 1.0, 0.15  # for a hint, for one decision of a look back
HINT: dict[str, Any] = {"seconds": HINT_SECONDS, "simulations": 20_000}  # whichever is over first
REVIEW: dict[str, Any] = {"seconds_per_decision": REVIEW_SECONDS, "simulations": 2_000}
PATIENCE = 2.0  # seconds that a page waits before it is told to ask again
MOST_KEPT = 64
SEED_BYTES = 7
ENOUGH = "done"  # the decision that a choice of several is finished, in every game that has such
THINKING = Phrase("Thinking …")
AGAIN = Phrase("Every decision is thought through once more …")

Work = asyncio.Task[Any]


class NotReady(SamizdatError):
    """The answer is still being worked out, or what works it out is not compiled yet."""


class NoSearch(SamizdatError):
    """The search was not compiled, and will not be."""


def advise(request: dict[str, Any]) -> list[Hint]:
    """Runs in a bot's process; reading compiled code from disk is not part of the time to think."""
    from samizdat.bots import ready, warm
    from samizdat.bots.hints import hint

    sight = sight_of(request)
    if not ready(sight.game):
        warm(sight.game)
    return hint(sight, seed=request["seed"], complete=composed(sight), **HINT)


def composed(sight: Sight) -> Complete:
    """Whether some decisions are all that one choice is made of: tokens of a bid, banners placed together."""
    compose = functools.partial(board_of(sight.game.name).compose, sight.game, sight.state, sight.seat)
    if compose(()) is None:
        return alone

    def complete(line: Sequence[Move]) -> bool:
        draft = compose(tuple(str(move) for move in line))
        assert draft is not None
        if draft.seal is None:
            return len(draft.chosen) < len(line)
        may_go_on = draft.open and draft.seal[-1] == ENOUGH
        return not may_go_on or len(draft.chosen) < len(line)

    return complete


def laid(line: Sequence[Move]) -> Sequence[Move]:
    """What of a choice is laid out in a draft: that it is enough is said by sealing it."""
    return line[:-1] if len(line) > 1 and str(line[-1]) == ENOUGH else line


def look_back(request: dict[str, Any]) -> Review:
    """Runs in a process of its own."""
    from samizdat.bots.reviews import review
    from samizdat.kernel.matchfile import loads

    return review(loads(request["file"]), request["seat"], **REVIEW)


@dataclass(frozen=True)
class Tip:
    """A hint as a reader gets it: all that belongs to the decision, each with how often; chances in percent, or None
    where nothing had to be estimated."""

    notations: tuple[str, ...]
    labels: tuple[tuple[Words, int], ...]
    chance: int | None
    error: int | None
    why: Phrase


@dataclass(frozen=True)
class Regret:
    """A decision that cost something: its place in the replay, what was done, what was better."""

    step: int
    played: Words
    better: Words
    cost: int
    error: int


@dataclass(frozen=True)
class LookBack:
    """A seat's chances over the match, in percent by step of the replay, and what cost it most."""

    chances: tuple[tuple[int, float], ...]
    costly: tuple[Regret, ...]


def in_words(match: Match, seat: int, review: Review) -> LookBack:
    """A review as a reader gets it; it looks at earlier positions, which are worked out again."""
    label, regrets = board_of(match.game.name).label, []
    for moment in review.costly:
        view = view_of(match.game, match.past_sight(seat, moment.ply).state, seat)
        played, better = (label(match.game, view, move) for move in (moment.played, moment.best))
        cost, error = _percent(moment.cost), _percent(moment.error)
        if cost > 0 and moment.played.id != moment.best.id:
            regrets.append(Regret(moment.ply + 1, played, better, cost, error))
    chances = tuple((moment.ply + 1, 100 * min(max(moment.chance, 0.0), 1.0)) for moment in review.moments)
    return LookBack(chances, tuple(regrets))


class Hints:
    """Whatever was asked for last, done or still in the making."""

    def __init__(self, bots: Bots) -> None:
        self.bots = bots
        self._kept: OrderedDict[tuple[Any, ...], Work] = OrderedDict()

    async def tips(self, table: LiveTable, seat: int) -> list[Tip]:
        """Up to three good decisions for the seat that is to decide."""
        match = table.match
        if match is None or seat not in match.turn:
            raise NotYourTurn(Phrase("There is a hint only for whoever is to decide now."))
        self._check_warm(table)
        history = table.history(seat)
        request = request_of(table, seat) | {"seed": _seed(history.seen)}
        job = self._job(table, seat, HINT_SECONDS)
        found = await self._answer(("tips", table.id, seat, history.version), self.bots.run(advise, request, job))
        view, label = view_of(table.game, sight_of(request).state, seat), board_of(table.game.name).label
        return [
            Tip(
                tuple(str(move) for move in laid(hint.line)),
                tuple((label(table.game, view, move), times) for move, times in Counter(laid(hint.line)).items()),
                _percent(hint.chance) if hint.simulations else None,
                _percent(hint.error) if hint.simulations else None,
                Phrase(hint.why.text, hint.why.values),
            )
            for hint in found
        ]

    async def look_back(self, table: LiveTable, seat: int) -> LookBack:
        """A finished match as one seat could have judged it."""
        match = table.match
        assert match is not None
        self._check_warm(table)
        job = self._job(table, seat, REVIEW_SECONDS * match.plies / match.seats)

        async def work() -> Review:
            file = await asyncio.to_thread(match.dumps)
            return await self.bots.run_aside(look_back, {"file": file, "seat": seat}, job)

        review: Review = await self._answer(("review", table.id, seat), work(), AGAIN)
        return await asyncio.to_thread(in_words, match.copy(), seat, review)  # others may look at it meanwhile

    def _job(self, table: LiveTable, seat: int, seconds: float) -> Job:
        """Something that whoever sits there waits for."""
        visitor = min(table.chairs[seat].holders, default=table.opened_by)
        return Job(visitor, self.bots.clock(), seconds, person=True)

    def _check_warm(self, table: LiveTable) -> None:
        if self.bots.stays_cold(table.game.name):
            raise NoSearch(
                Phrase("Good decisions cannot be searched for on this server: the search is not prepared.")
            )
        if not self.bots.is_warm(table.game.name):
            raise NotReady(
                Phrase("The search for good decisions is still being prepared; ask again in a few minutes.")
            )

    async def _answer(
        self, key: tuple[Any, ...], work: Coroutine[Any, Any, Any], meanwhile: Phrase = THINKING
    ) -> Any:  # fmt: skip
        """The result of some work, begun only once; NotReady if it takes longer than a page should wait."""
        task = self._kept.get(key)
        if task is None or (task.done() and (task.cancelled() or task.exception())):
            task = self._kept[key] = asyncio.create_task(work)
        else:
            work.close()
        self._kept.move_to_end(key)
        found = [one for one, kept in self._kept.items() if kept.done()]  # whoever waits keeps its place in the queue
        for one in found[: max(0, len(self._kept) - MOST_KEPT)]:
            del self._kept[one]
        done, _ = await asyncio.wait([task], timeout=PATIENCE)
        if not done:
            raise NotReady(meanwhile)
        try:
            return task.result()
        except BrokenProcessPool:
            raise SamizdatError(Phrase("Nothing could be worked out this time; ask again.")) from None


def _seed(seen: bytes) -> int:
    return int.from_bytes(hashlib.blake2b(seen, digest_size=SEED_BYTES).digest())


def _percent(share: float) -> int:
    return round(100 * min(max(share, 0.0), 1.0))
