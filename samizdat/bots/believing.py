"""Chances for people, where those of a search are known to be off: what they turned out to be worth.

A search knows its own seat's secrets and guesses the others'. Where it guesses them worse than it could by what they
do, each seat thinks better of its own chances than it should. A game's `lore.py` may say how much, by `BELIEVED =
(slope, shift)`: fitted to finished games, on the scale of log odds, counted from a fair share. Bots have no use for
it.
"""

from __future__ import annotations

from dataclasses import replace
from math import exp, log

from samizdat.bots.at_once import OPEN
from samizdat.bots.lore import advice
from samizdat.bots.reading import read_lore
from samizdat.bots.thinking import Verdict
from samizdat.kernel.game import Game

SUREST = 0.001  # an estimate proves no win


def believed(game: Game, verdict: Verdict) -> Verdict:
    """The same verdict with chances that come true as often as they say."""
    line: tuple[float, float] | None = advice(read_lore(game.definition), "BELIEVED")
    if line is None:
        return verdict
    slope, shift = line
    fair = _odds(1 / game.fair_seats)

    def chance(share: float) -> float:
        return 1 / (1 + exp(-(fair + shift + slope * (_odds(share) - fair))))

    options = []
    for option in verdict.options:
        if option.known != OPEN:  # it was not estimated
            options.append(option)
            continue
        steep = (chance(option.share + SUREST) - chance(option.share - SUREST)) / (2 * SUREST)
        options.append(replace(option, share=chance(option.share), doubt=steep * option.error))
    return replace(verdict, options=tuple(options))


def _odds(share: float) -> float:
    p = min(max(share, SUREST), 1 - SUREST)
    return log(p / (1 - p))
