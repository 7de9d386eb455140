"""A look back at a finished match: how a seat's chances went, and what cost it most, by what it could know then."""

from __future__ import annotations

import random
from dataclasses import dataclass

from samizdat.bots.calibration import calibrated
from samizdat.bots.hints import several_times
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


@dataclass(frozen=True)
class Review:
    """A seat's match: its chances over time, and up to three decisions that surely cost something, most first."""

    moments: tuple[JudgedDecision, ...]
    costly: tuple[JudgedDecision, ...]


def review(
    match: Match, seat: int, seconds_per_decision: float | None = 0.5, simulations: int | None = None, seed: int = 0
) -> Review:  # fmt: skip
    """Every decision of a seat that was one, judged by what the seat knew when it made it."""
    if not match.over:
        raise SamizdatError("Only a finished match can be reviewed.")
    seat = match.sight(seat, memory=False).seat
    seconds, simulations = check_search(seconds_per_decision, simulations)
    rng, moments = random.Random(check_seed(seed)), []
    mind = Mind({"explore": CURIOUS})
    for ply, (acting, move) in enumerate(match.moves):
        if acting == seat:
            sight = match.past_sight(seat, ply)
            if len(sight.legal()) > 1:
                verdict = mind.think(sight, rng.getrandbits(SEED_BITS), seconds, simulations)
                moments.append(_judged(ply, move, calibrated(match.game, verdict)))
    again = []
    for moment in sorted(moments, key=lambda moment: -moment.cost)[:SUSPECTS]:
        sight = match.past_sight(seat, moment.ply)
        longer = seconds and CAREFULLY * seconds
        verdict = several_times(mind, sight, rng, longer, simulations and CAREFULLY * simulations)
        again.append(_judged(moment.ply, moment.played, verdict))
    surely = [moment for moment in again if moment.cost > moment.error]
    return Review(tuple(moments), tuple(sorted(surely, key=lambda moment: -moment.cost)[:COSTLY]))


def _judged(ply: int, move: Move, found: SearchResult) -> JudgedDecision:
    best = found.best
    played = next(option for option in found.options if option.move.id == move.id)
    chance = sum(option.played * option.share for option in found.options) if found.mixed else best.share
    cost = max(0.0, chance - played.share) if played.visits else 0.0
    return JudgedDecision(ply, chance, move, best.move, cost, best.error + played.error)
