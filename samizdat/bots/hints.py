"""Hints for people, and a look back at a finished match: both from what the person could know, and no more."""

from __future__ import annotations

import random
from dataclasses import dataclass
from statistics import fmean

from samizdat.bots.lore import advice
from samizdat.bots.novice import imagine
from samizdat.bots.reading import read_lore
from samizdat.bots.thinking import Mind, Option, Verdict
from samizdat.kernel.errors import SamizdatError
from samizdat.kernel.match import Match, Sight
from samizdat.kernel.moves import Move
from samizdat.kernel.telling import Line, Phrase

HINTS = 3
WORLDS = 8  # guessed for a sentence why
CLEAR = 0.05  # points of a term below which nobody would notice a difference
OFTEN = 0.9  # a mixed decision played more often than this needs no mixing
CURIOUS = 4.0  # exploration in a review: the decision that was made must be judged well, too
SEED_BITS = 62


@dataclass(frozen=True)
class Hint:
    """A good decision: its winning chance with a 95 % interval, what that rests on, and one sentence why."""

    move: Move
    chance: float
    low: float
    high: float
    simulations: int
    why: Line


@dataclass(frozen=True)
class Moment:
    """One decision of a finished match: the chance it began with, what was played, and what it cost."""

    ply: int
    chance: float
    played: Move
    best: Move
    cost: float
    error: float  # half the 95 % interval of the cost


@dataclass(frozen=True)
class Review:
    """A seat's match: its chances over time, and the three decisions that most surely cost most."""

    moments: tuple[Moment, ...]
    costly: tuple[Moment, ...]


def hint(
    sight: Sight, seconds: float | None = 1.0, simulations: int | None = None, seed: int | None = None
) -> list[Hint]:  # fmt: skip
    """The three best decisions, the best first; [] if the seat has nothing to decide."""
    rng = random.Random(seed)
    moves = sight.legal()
    if not moves:
        return []
    if len(moves) == 1:
        return [Hint(moves[0], 1.0, 0.0, 1.0, 0, Line("bots", "Nothing else is possible."))]
    verdict = Mind().think(sight, rng.getrandbits(SEED_BITS), seconds, simulations)
    best = sorted(verdict.options, key=lambda option: (option.played, option.visits), reverse=True)[:HINTS]
    measured = {option.move.id: _terms(sight, option.move, rng) for option in best}
    return [
        Hint(
            option.move,
            option.share,
            max(0.0, option.share - option.error),
            min(1.0, option.share + option.error),
            option.visits,
            _why(sight, verdict, option, measured),
        )
        for option in best
    ]


def _terms(sight: Sight, move: Move, rng: random.Random) -> list[float]:
    """What the game's lore measures after a decision, for the seat, on average over guessed worlds."""
    terms = advice(read_lore(sight.game.definition), "terms")
    if not terms:
        return []
    worlds = [terms(sight.game.box.record, imagine(sight, move.id, rng), sight.seat) for _ in range(WORLDS)]
    return [fmean(values) for values in zip(*worlds, strict=True)]


def _why(sight: Sight, verdict: Verdict, option: Option, measured: dict[int, list[float]]) -> Line:
    if verdict.mixed and option.played < OFTEN:
        often = {"percent": round(100 * option.played)}
        return Line("bots", "Play it about {percent} % of the time, so that nobody can foresee it.", often)
    others = [values for id, values in measured.items() if id != option.move.id]
    own = measured[option.move.id]
    if own and others:
        gains = [value - fmean(other[i] for other in others) for i, value in enumerate(own)]
        most = max(range(len(gains)), key=lambda i: gains[i])
        if gains[most] > CLEAR:
            term = advice(read_lore(sight.game.definition), "TERMS")[most]
            return Line(
                term.rule, "Compared with the others it does most for this: {term}.", {"term": Phrase(term.text)}
            )
    return Line("bots", "It did well in {visits} imagined games.", {"visits": option.visits})


def review(
    match: Match, seat: int, seconds_per_decision: float | None = 0.5, simulations: int | None = None, seed: int = 0
) -> Review:  # fmt: skip
    """Every decision of a seat that was one, judged by what the seat knew when it made it."""
    if not match.over:
        raise SamizdatError("Only a finished match can be reviewed.")
    rng, moments = random.Random(seed), []
    mind = Mind({"explore": CURIOUS})
    for ply, (acting, move) in enumerate(match.moves):
        if acting == seat:
            sight = match.past_sight(seat, ply)
            if len(sight.legal()) > 1:
                verdict = mind.think(sight, rng.getrandbits(SEED_BITS), seconds_per_decision, simulations)
                moments.append(_moment(ply, move, verdict))
    return Review(tuple(moments), tuple(sorted(moments, key=lambda moment: moment.error - moment.cost)[:HINTS]))


def _moment(ply: int, move: Move, verdict: Verdict) -> Moment:
    best = verdict.best
    played = next(option for option in verdict.options if option.move.id == move.id)
    chance = sum(option.played * option.share for option in verdict.options) if verdict.mixed else best.share
    cost = max(0.0, chance - played.share) if played.visits else 0.0
    return Moment(ply, chance, move, best.move, cost, best.error + played.error)
