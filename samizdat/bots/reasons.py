"""Why a decision is advised: one sentence, said only if imagined games bear it out."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, stdev

from samizdat.bots.at_once import WON
from samizdat.bots.novice import imagine
from samizdat.bots.thinking import SEED_BITS, SURE, JudgedMove
from samizdat.kernel.match import Sight
from samizdat.kernel.moves import Move
from samizdat.kernel.telling import Line, Phrase, template

WORLDS = 16  # guessed; the same ones for every decision, so that luck does not tell them apart
CLEAR = 0.05  # points of a term below which nobody would notice a difference
RARELY, OFTEN = 0.1, 0.9  # how often a mixed decision is played so that it helps to say so

World = Sequence[float]  # what the lore measures in one imagined world, term by term

MOST = template("Compared with the others it does most for this: {term}.")
MORE = template("It does more than the first for this: {term}.")
SOMETIMES = template("Play it about {percent} % of the time, so that nobody can foresee it.")
LESS = template("It does less than the first for this: {term}.")


@dataclass(frozen=True)
class Candidate:
    """A decision to be advised: as the search saw it, the whole line, and what the seat sees before its last part."""

    option: JudgedMove
    line: tuple[Move, ...]
    before_last: Sight

    def clearly_below(self, other: Candidate) -> bool:
        return self.option.share + self.option.error < other.option.share - other.option.error


def why(sight: Sight, mixed: bool, candidates: Sequence[Candidate], rng: random.Random) -> list[Line]:
    """A sentence for each candidate; the best of them comes first."""
    seeds = [rng.getrandbits(SEED_BITS) for _ in range(WORLDS)]
    measured = [_measure(one, seeds) for one in candidates]
    terms = sight.game.definition.lore.terms
    reasons = []
    for place, one in enumerate(candidates):
        if one.option.known == WON:
            reasons.append(Line("bots", "It wins the match at once."))
        elif one.option.known == 0.0:
            reasons.append(Line("bots", "It loses the match at once."))
        elif mixed and len(one.line) == 1 and RARELY <= one.option.played < OFTEN:
            percent = round(100 * one.option.played)
            reasons.append(Line("bots", SOMETIMES, {"percent": percent}))
        elif place == 0:
            reasons.append(_of_the_first(terms, mixed, candidates, _lead(measured)))
        else:
            reasons.append(_of_another(terms, one, candidates[0], _differences(measured[place], measured[0])))
    return reasons


def _measure(one: Candidate, seeds: Sequence[int]) -> list[World]:
    """What the game's lore measures after a candidate, for the seat, in each of some guessed worlds."""
    sight = one.before_last
    measure = sight.game.definition.lore.measure
    if measure is None:
        return []
    worlds = (imagine(sight, one.line[-1].id, random.Random(seed)) for seed in seeds)
    return [measure(sight.game.box.record, world, sight.seat) for world in worlds]


def _lead(measured: Sequence[list[World]]) -> list[float]:
    """Term by term, what the first brings more than the others on average; 0 where one of them brings still more."""
    first, *others = measured
    gains = _differences(first, _average(others))
    ahead = [_differences(other, first) for other in others]
    return [0.0 if any(more[i] > 0 for more in ahead) else gain for i, gain in enumerate(gains)]


def _average(measured: Sequence[list[World]]) -> list[World]:
    """Several candidates as one, world by world."""
    return [[fmean(values) for values in zip(*worlds, strict=True)] for worlds in zip(*measured, strict=True)]


def _differences(own: Sequence[World], other: Sequence[World]) -> list[float]:
    """Term by term, what one brings more than the other; 0 where that may be luck. [] if nothing was measured."""
    if not own or not other:
        return []
    worlds = [[a - b for a, b in zip(*pair, strict=True)] for pair in zip(own, other, strict=True)]
    found = []
    for values in zip(*worlds, strict=True):
        mean, doubt = fmean(values), SURE * stdev(values) / sqrt(len(values))
        found.append(mean if abs(mean) > max(CLEAR, doubt) else 0.0)
    return found


def _of_the_first(
    terms: Sequence[Line], mixed: bool, candidates: Sequence[Candidate], gains: Sequence[float]
) -> Line:  # fmt: skip
    first, *others = candidates
    if max(gains, default=0.0) > 0:
        return _about(MOST, terms, gains.index(max(gains)))
    if others and all(other.clearly_below(first) for other in others):
        return Line("bots", "It won more often than the others in imagined games.")
    if mixed:
        return Line("bots", "Others are about as good: vary them, so that nobody can foresee what you do.")
    return Line("bots", "Imagined games could not tell it from the others.")


def _of_another(terms: Sequence[Line], one: Candidate, first: Candidate, gains: Sequence[float]) -> Line:
    worse = one.clearly_below(first)
    if max(gains, default=0.0) > 0 and not worse:
        return _about(MORE, terms, gains.index(max(gains)))
    if min(gains, default=0.0) < 0:
        return _about(LESS, terms, gains.index(min(gains)))
    if worse:
        return Line("bots", "It won less often than the first in imagined games.")
    return Line("bots", "Imagined games could not tell it from the first.")


def _about(sentence: str, terms: Sequence[Line], which: int) -> Line:
    return Line(terms[which].rule, sentence, {"term": Phrase(terms[which].text)})
