"""Positions written down as data: what is chosen, what is given, what is then played; fields and words as in a scene.

game = { players = 4 }
seed = 3                                  # of the deal; 0 if left out
given = { point = "spy", chooser = "yellow" }
play = ["yellow take cathedral blue"]
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from samizdat.kernel.game import Definition, Game
from samizdat.kernel.match import Match
from samizdat.kernel.scenes import SceneError, number, write

WRITTEN = frozenset({"game", "seed", "given", "play"})


def arranged(definition: Definition, position: Mapping[str, Any]) -> Match:
    """The match at a position; what breaks a law of the game is refused."""
    unknown = set(position) - WRITTEN
    if unknown:
        raise SceneError(f"a position of {definition.name} has unknown {', '.join(sorted(unknown))}")
    match = definition.choose(**position.get("game", {})).match(seed=position.get("seed", 0))
    given = position.get("given", {})
    write(match.game, match._state, given)
    if given:
        definition.show.arrange(match.game, match._state, given)
    law = definition.laws.broken(match.game.box.record, match._state)
    if law:
        raise SceneError(f"a position of {definition.name} breaks a law: {definition.laws.LAWS[law]}")
    for text in position.get("play", ()):
        who, _, move = text.partition(" ")
        match.play(seat_called(match.game, who), move)
    return match


def seat_called(game: Game, word: str) -> int:
    """A seat by the word that scenes have for it."""
    return number(game, game.definition.show.SEAT_NAMES, word)
