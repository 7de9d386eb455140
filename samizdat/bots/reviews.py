"""A look back at a finished match: how a seat's chances went, and what cost it most, by what it could know then.

It can be worked out in parts, so that somebody who waits sees how far it has come: `decisions`, then `judge` for some
of them at a time, then `costly`.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from samizdat.bots.advice import several_times
from samizdat.bots.calibration import calibrated
from samizdat.bots.reasons import Why, compared
from samizdat.bots.thinking import SEED_BITS, Mind, SearchResult, check_search
from samizdat.kernel.arguments import check_seed
from samizdat.kernel.errors import SamizdatError
from samizdat.kernel.match import Match
from samizdat.kernel.moves import Move

COSTLY = 3
SUSPECTS = 6  # decisions looked at again: of many estimates the highest is one that was too high
CAREFULLY = 8  # times the budget, for those
CURIOUS = 4.0  # exploration in a review: the decision that was made must be judged well, too


@dataclass(frozen=True)
class JudgedDecision:
    """One decision of a finished match: the chance it began with, what was played, and what it cost."""

    ply: int
    chance: float
    played: Move
    best: Move
    cost: float
    error: float  # half the 95 % interval of the cost
    why: tuple[Why, ...] = ()  # what the best would have won and risked instead, for those that cost most


@dataclass(frozen=True)
class Review:
    """A seat's match: its chances over time, and up to three decisions that surely cost something, most first."""

    moments: tuple[JudgedDecision, ...]
    costly: tuple[JudgedDecision, ...]


def review(
    match: Match, seat: int, seconds_per_decision: float | None = 0.5, simulations: int | None = None, seed: int = 0
) -> Review:  # fmt: skip
    """Every decision of a seat that was one, judged by what the seat knew when it made it."""
    moments = judge(match, seat, decisions(match, seat), seconds_per_decision, simulations, seed)
    return Review(tuple(moments), tuple(costly(match, seat, moments, seconds_per_decision, simulations, seed)))


def decisions(match: Match, seat: int) -> list[int]:
    """The plies at which a seat had a choice."""
    if not match.over:
        raise SamizdatError("Only a finished match can be reviewed.")
    seat = match.sight(seat, memory=False).seat
    plies = [ply for ply, (acting, _) in enumerate(match.moves) if acting == seat]
    return [ply for ply in plies if len(match.past_sight(seat, ply).legal()) > 1]


def judge(
    match: Match, seat: int, plies: Sequence[int], seconds_per_decision: float | None = 0.5,
    simulations: int | None = None, seed: int = 0,
) -> list[JudgedDecision]:  # fmt: skip
    """Some decisions of a seat, each by what it knew then."""
    seconds, simulations = check_search(seconds_per_decision, simulations)
    mind, moments = Mind({"explore": CURIOUS}), []
    for ply in plies:
        verdict = mind.think(match.past_sight(seat, ply), _seed(seed, ply), seconds, simulations)
        moments.append(_judged(ply, match.moves[ply][1], calibrated(match.game, verdict)))
    return moments


def costly(
    match: Match, seat: int, moments: Sequence[JudgedDecision], seconds_per_decision: float | None = 0.5,
    simulations: int | None = None, seed: int = 0,
) -> list[JudgedDecision]:  # fmt: skip
    """Those that surely cost something, most first, and why the best would have been better."""
    seconds, simulations = check_search(seconds_per_decision, simulations)
    rng, mind, again = random.Random(check_seed(seed)), Mind({"explore": CURIOUS}), []
    for moment in sorted(moments, key=lambda moment: -moment.cost)[:SUSPECTS]:
        sight = match.past_sight(seat, moment.ply)
        longer = seconds and CAREFULLY * seconds
        verdict = several_times(mind, sight, rng, longer, simulations and CAREFULLY * simulations)
        again.append(_judged(moment.ply, moment.played, verdict))
    surely = [moment for moment in again if moment.cost > moment.error and moment.best.id != moment.played.id]
    return [
        _explained(match, seat, moment, rng) for moment in sorted(surely, key=lambda moment: -moment.cost)[:COSTLY]
    ]


def _explained(match: Match, seat: int, moment: JudgedDecision, rng: random.Random) -> JudgedDecision:
    why = compared(match.past_sight(seat, moment.ply), moment.best, moment.played, rng)
    return replace(moment, why=why)


def _seed(seed: int, ply: int) -> int:
    return random.Random(check_seed(seed) << SEED_BITS | ply).getrandbits(SEED_BITS)


def _judged(ply: int, move: Move, found: SearchResult) -> JudgedDecision:
    best = found.best
    played = next(option for option in found.options if option.move.id == move.id)
    chance = sum(option.played * option.share for option in found.options) if found.mixed else best.share
    cost = max(0.0, chance - played.share) if played.visits else 0.0
    return JudgedDecision(ply, chance, move, best.move, cost, best.error + played.error)
