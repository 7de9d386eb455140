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

from samizdat.bots.advice import Advice, Complete, alone
from samizdat.bots.reasons import Why
from samizdat.bots.reviews import CAREFULLY, SUSPECTS, JudgedDecision, Review
from samizdat.kernel.boards import Seen, Words
from samizdat.kernel.errors import NotYourTurn, SamizdatError
from samizdat.kernel.match import Match, Sight, view_of
from samizdat.kernel.matchfile import loads
from samizdat.kernel.moves import Move
from samizdat.kernel.telling import Line, Phrase
from samizdat.table.board_files import board_of
from samizdat.table.bots import Bots, request_of, sight_of
from samizdat.table.page_parts import parts
from samizdat.table.places import SHOWN, places
from samizdat.table.tables import LiveTable
from samizdat.table.turns import Job
from samizdat.table.viewing import Log, PageView, SeatView
from samizdat.table.workers import NoAnswer

HINT_SECONDS, REVIEW_SECONDS = 1.0, 0.15  # for a hint, for one decision of a look back
HINT: dict[str, Any] = {"seconds": HINT_SECONDS, "simulations": 20_000}  # whichever is over first
REVIEW: dict[str, Any] = {"seconds_per_decision": REVIEW_SECONDS, "simulations": 2_000}
PATIENCE = 2.0  # seconds that a page waits before it is told to ask again
AT_ONCE = 8  # decisions of a look back that are judged before whoever waits hears how far it has come
MOST_KEPT = 64
SEED_BYTES = 7
ENOUGH = "done"  # the decision that a choice of several is finished, in every game that has such
THINKING = Phrase("Thinking …")

Work = asyncio.Task[Any]


@dataclass
class ReviewProgress:
    """How far a look back has come, in decisions."""

    done: int = 0
    all: int = 0

    @property
    def told(self) -> Phrase:
        if not self.all:
            return THINKING
        words = {"done": self.done, "all": self.all}
        return Phrase("Every decision is thought through once more: {done} of {all} …", words)


class NotReady(SamizdatError):
    """The answer is still being worked out, or what works it out is not compiled yet."""

    def __init__(self, told: Phrase, progress: ReviewProgress | None = None) -> None:
        super().__init__(told)
        self.progress = progress


class NoSearch(SamizdatError):
    """The search was not compiled, and will not be."""


def advise(request: dict[str, Any]) -> Advice:
    """Runs in a bot's process; reading compiled code from disk is not part of the time to think."""
    from samizdat.bots import ready, warm
    from samizdat.bots.advice import hint

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


# The parts of a look back; they run in a process of their own, which remembers the match from part to part.


@functools.lru_cache(maxsize=1)
def _match(file: str) -> Match:
    return loads(file)


def to_judge(request: dict[str, Any]) -> list[int]:
    from samizdat.bots.reviews import decisions

    return decisions(_match(request["file"]), request["seat"])


def judged(request: dict[str, Any]) -> list[JudgedDecision]:
    from samizdat.bots.reviews import judge

    return judge(_match(request["file"]), request["seat"], request["plies"], **REVIEW)


def most_costly(request: dict[str, Any]) -> list[JudgedDecision]:
    from samizdat.bots.reviews import costly

    return costly(_match(request["file"]), request["seat"], request["moments"], **REVIEW)


Reasons = tuple[tuple[str, Line], ...]  # each with its sign


@dataclass(frozen=True)
class Tip:
    """A hint as a reader gets it: all that belongs to the decision, each with how often; chances in percent, or None
    where nothing had to be estimated; and the ids of what it is drawn on."""

    notations: tuple[str, ...]
    labels: tuple[tuple[Words, int], ...]
    chance: int | None
    error: int | None
    why: Reasons
    places: tuple[str, ...]
    origin: str  # the id of what moves there; empty where nothing does


@dataclass(frozen=True)
class Tips:
    """All hints for a position, and how they stand to each other."""

    tips: tuple[Tip, ...]
    summary: Line | None


@dataclass(frozen=True)
class Regret:
    """A decision that cost something: where the replay stands before it, what was done, what was better and why, and
    the ids of what either is drawn on."""

    step: int
    played: Words
    better: Words
    chance: int
    cost: int
    error: int
    why: Reasons
    played_at: tuple[str, ...]
    better_at: tuple[str, ...]


@dataclass(frozen=True)
class LookBack:
    """A seat's chances over the match, in percent by the step of the replay at which it had to decide, what cost it
    most, and how many decisions cost nothing that could be noticed."""

    chances: tuple[tuple[int, float], ...]
    costly: tuple[Regret, ...]

    @property
    def others(self) -> int:
        return len(self.chances) - len(self.costly)


def in_words(match: Match, seat: int, review: Review) -> LookBack:
    """A review as a reader gets it; it looks at earlier positions, which are worked out again."""
    label, regrets = board_of(match.game.name).label, []
    for moment in review.costly:
        sight = match.past_sight(seat, moment.ply)
        view = view_of(match.game, sight.state, seat)
        moves = (moment.played, moment.best)
        played, better = (label(match.game, view, move) for move in moves)
        cost, error = _percent(moment.cost), _percent(moment.error)
        if cost > 0 and moment.played.id != moment.best.id:
            at = places(as_it_was(sight, view), [str(move) for move in moves])
            here, there = (at[str(move)] for move in moves)
            chance, why = _percent(moment.chance), _reasons(moment.why)
            regrets.append(Regret(moment.ply, played, better, chance, cost, error, why, here, there))
    chances = tuple((moment.ply, 100 * min(max(moment.chance, 0.0), 1.0)) for moment in review.moments)
    return LookBack(chances, tuple(regrets))


def as_it_was(sight: Sight, view: Any) -> dict[str, str]:
    """The parts of a page on which a past decision could be made. Only its ids are of use: nobody sits there."""
    legal = tuple(str(move) for move in sight.legal())
    draft = board_of(sight.game.name).compose(sight.game, sight.state, sight.seat, ())
    chairs = [SeatView("", "person") for _ in range(sight.game.players)]
    shown = PageView(sight.game, Seen(view, sight.seat, legal, draft, ()), chairs, Log(sight.game, sight.seat), (), 0)
    return parts(shown, "en", wanted=SHOWN)


def _reasons(why: Sequence[Why]) -> Reasons:
    return tuple((one.sign, one.line) for one in why)


def told(sight: Sight, advice: Advice) -> Tips:
    """Hints as a reader gets them."""
    view, label = view_of(sight.game, sight.state, sight.seat), board_of(sight.game.name).label
    lines = [laid(hint.line) for hint in advice]
    at = places(as_it_was(sight, view), {str(move) for line in lines for move in line})
    tips = tuple(
        Tip(
            tuple(str(move) for move in line),
            tuple((label(sight.game, view, move), times) for move, times in Counter(line).items()),
            _percent(hint.chance) if hint.simulations else None,
            _percent(hint.error) if hint.simulations else None,
            _reasons(hint.why),
            tuple(dict.fromkeys(id for move in line for id in at[str(move)])),
            board_of(sight.game.name).origin(sight.game, view, line[0]) if len(line) == 1 else "",
        )
        for hint, line in zip(advice, lines, strict=True)
    )
    return Tips(tips, advice.summary)


class Hints:
    """Whatever was asked for last, done or still in the making."""

    def __init__(self, bots: Bots) -> None:
        self.bots = bots
        self._kept: OrderedDict[tuple[Any, ...], Work] = OrderedDict()
        self._progress: dict[tuple[Any, ...], ReviewProgress] = {}

    async def tips(self, table: LiveTable, seat: int) -> Tips:
        """Up to three good decisions for the seat that is to decide."""
        match = table.match
        if match is None or seat not in match.turn:
            raise NotYourTurn(Phrase("There is a hint only for whoever is to decide now."))
        self._check_warm(table)
        history = table.history(seat)
        request = request_of(table, seat) | {"seed": _seed(history.seen)}
        job = self._job(table, seat, HINT_SECONDS)
        found = await self._answer(("tips", table.id, seat, history.version), self.bots.run(advise, request, job))
        return await asyncio.to_thread(told, sight_of(request), found)

    async def look_back(self, table: LiveTable, seat: int) -> LookBack:
        """A finished match as one seat could have judged it."""
        match = table.match
        assert match is not None
        self._check_warm(table)
        key = ("review", table.id, seat)
        progress = self._progress.setdefault(key, ReviewProgress())
        try:
            found: LookBack = await self._answer(key, self._reviewed(table, match, seat, progress), progress)
        finally:
            if self._kept[key].done():
                self._progress.pop(key, None)
        return found

    async def _reviewed(self, table: LiveTable, match: Match, seat: int, progress: ReviewProgress) -> LookBack:
        """Part by part, each in its turn: others need not wait for the whole of it."""
        request = {"file": await asyncio.to_thread(match.dumps), "seat": seat}

        async def part(work: Any, decisions: int, **more: Any) -> Any:
            return await self.bots.run_aside(work, request | more, self._job(table, seat, REVIEW_SECONDS * decisions))

        plies = await part(to_judge, 1)
        progress.all, moments = len(plies), []
        for first in range(0, len(plies), AT_ONCE):
            some = plies[first : first + AT_ONCE]
            moments += await part(judged, len(some), plies=some)
            progress.done = len(moments)
        costly = await part(most_costly, SUSPECTS * CAREFULLY, moments=moments)
        review = Review(tuple(moments), tuple(costly))
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
        self, key: tuple[Any, ...], work: Coroutine[Any, Any, Any], progress: ReviewProgress | None = None
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
            raise NotReady(progress.told if progress else THINKING, progress)
        try:
            return task.result()
        except (BrokenProcessPool, NoAnswer):
            raise SamizdatError(Phrase("Nothing could be worked out this time; ask again.")) from None


def _seed(seen: bytes) -> int:
    return int.from_bytes(hashlib.blake2b(seen, digest_size=SEED_BYTES).digest())


def _percent(share: float) -> int:
    return round(100 * min(max(share, 0.0), 1.0))
