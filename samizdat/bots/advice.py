"""Hints for people: the best decisions, how sure that is, and why; from what the person could know, and no more."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from samizdat.bots.calibration import calibrated
from samizdat.bots.reasons import NOTE, Candidate, Why, summary, why
from samizdat.bots.thinking import SEED_BITS, Mind, SearchResult, check_search, together
from samizdat.kernel import interpreted as engine
from samizdat.kernel.arguments import check_seed
from samizdat.kernel.history import Observation
from samizdat.kernel.lores import EXPLORE
from samizdat.kernel.luck import Luck, begin
from samizdat.kernel.match import Sight
from samizdat.kernel.moves import Move
from samizdat.kernel.telling import Line

HINTS = 3
SEARCHES = 4  # independent ones: where one settled by chance, the others show it
FURTHER = 400  # simulations for each further decision of a line
LONGEST_LINE = 40
WIDELY = EXPLORE  # also where bots do with less: the second and the third must be judged well, too

Complete = Callable[[Sequence[Move]], bool]


@dataclass(frozen=True)
class Hint:
    """A good decision: its winning chance with a 95 % interval, what that rests on, and why."""

    move: Move
    chance: float
    low: float
    high: float
    error: float  # half the interval, also where it would leave what a chance can be
    simulations: int
    why: tuple[Why, ...]  # what it wins and what it risks; never empty
    line: tuple[Move, ...]  # the decision with those that belong to it, such as all tokens of a bid


class Advice(list[Hint]):
    """The best decisions, the best first, and how they stand to each other."""

    summary: Line | None = None


def alone(line: Sequence[Move]) -> bool:
    """Every decision is a whole one."""
    return True


def hint(
    sight: Sight, seconds: float | None = 1.0, simulations: int | None = None, seed: int | None = None,
    complete: Complete = alone,
) -> Advice:  # fmt: skip
    """The three best decisions, the best first; none if the seat has nothing to decide. Where one choice is made of
    several decisions, `complete` says whether some of them are all of it."""
    seconds, simulations = check_search(seconds, simulations)
    rng = random.Random(None if seed is None else check_seed(seed))
    if not sight.legal():
        return Advice()
    forced, sight = _forced(sight, complete)
    if len(sight.legal()) < 2:
        only = Why(NOTE, Line("bots", "Nothing else is possible."))
        return Advice([Hint(forced[0], 1.0, 0.0, 1.0, 1.0, 0, (only,), tuple(forced))])
    mind = Mind({"explore": WIDELY})
    verdict = several_times(mind, sight, rng, seconds, simulations)
    tried = [option for option in verdict.options if option.visits] or list(verdict.options)
    best = sorted(tried, key=lambda option: (option.played, option.visits), reverse=True)[:HINTS]
    lines = [_line(mind, sight, [*forced, option.move], rng, complete) for option in best]
    candidates = [Candidate(option, *line) for option, line in zip(best, lines, strict=True)]
    reasons = why(sight, verdict.mixed, candidates, rng)
    advice = Advice(
        Hint(
            line[0],
            option.share,
            max(0.0, option.share - option.error),
            min(1.0, option.share + option.error),
            option.error,
            option.visits,
            reason,
            line,
        )
        for option, (line, _), reason in zip(best, lines, reasons, strict=True)
    )
    advice.summary = summary(verdict.mixed, candidates, reasons)
    return advice


def several_times(
    mind: Mind, sight: Sight, rng: random.Random, seconds: float | None, simulations: int | None
) -> SearchResult:
    """Independent searches that share a budget, as one verdict: how far they differ is part of how sure it is."""
    share = seconds and seconds / SEARCHES
    each = simulations and max(1, simulations // SEARCHES)
    verdicts = []
    for _ in range(SEARCHES):
        mind.forget()
        verdicts.append(mind.think(sight, rng.getrandbits(SEED_BITS), share, each))
    return calibrated(sight.game, together(verdicts))


def _forced(sight: Sight, complete: Complete) -> tuple[list[Move], Sight]:
    """The decisions that begin every choice because nothing else is possible, and what the seat sees after them, or
    before the last if that completes the choice."""
    line: list[Move] = []
    while len(moves := sight.legal()) == 1 and len(line) < LONGEST_LINE:
        line.append(moves[0])
        if complete(line):
            break
        sight = _after(sight, moves[0])
    return line, sight


def _line(
    mind: Mind, sight: Sight, line: list[Move], rng: random.Random, complete: Complete
) -> tuple[tuple[Move, ...], Sight]:  # fmt: skip
    """Decisions with those that go best with them, and what the seat sees before the last of them."""
    while not complete(line) and len(line) < LONGEST_LINE:
        onward = _after(sight, line[-1])
        moves = onward.legal()
        if not moves:
            break
        sight = onward
        found = mind.think(sight, rng.getrandbits(SEED_BITS), None, FURTHER).best.move if len(moves) > 1 else moves[0]
        line.append(found)
    return tuple(line), sight


def _after(sight: Sight, move: Move) -> Sight:
    """What the seat sees after a decision that brings nothing to light."""
    box, luck, state = sight.game.box.record, Luck(), sight.state.copy()
    begin(luck, 0)
    engine.decide(box, state, luck, 1, sight.seat, move.id)
    seen = engine.hidden(box, state, sight.seat)
    return Sight(sight.game, sight.seat, seen, (*sight.memory, Observation(move.id, (), bytes(seen))))
