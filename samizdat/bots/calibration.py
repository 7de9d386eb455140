"""Chances for people, where those of a search are known to be off: what they turned out to be worth.

A search knows its own seat's secrets and guesses the others'. Where it guesses them worse than it could by what they
do, each seat thinks better of its own chances than it should. A game's lore may say how much, by `believed =
(slope, shift)`: fitted to finished games, on the scale of log odds, counted from a fair share. Bots have no use for
it.
"""

from __future__ import annotations

from dataclasses import replace
from math import exp, log

from samizdat.bots.at_once import OPEN
from samizdat.bots.thinking import SearchResult
from samizdat.kernel.game import Game

SUREST = 0.001  # an estimate proves no win


def calibrated(game: Game, found: SearchResult) -> SearchResult:
    """The same result with chances that come true as often as they say."""
    if game.definition.lore.believed is None:
        return found
    slope, shift = game.definition.lore.believed
    fair = _odds(1 / game.fair_seats)

    def chance(share: float) -> float:
        return 1 / (1 + exp(-(fair + shift + slope * (_odds(share) - fair))))

    options = []
    for option in found.options:
        if option.known != OPEN:  # it was not estimated
            options.append(option)
            continue
        steep = (chance(option.share + SUREST) - chance(option.share - SUREST)) / (2 * SUREST)
        options.append(replace(option, share=chance(option.share), doubt=steep * option.error))
    return replace(found, options=tuple(options))


def _odds(share: float) -> float:
    p = min(max(share, SUREST), 1 - SUREST)
    return log(p / (1 - p))
