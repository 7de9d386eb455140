"""A bot that does not think: it decides by the policy of a network that taught itself the game.

It sees what its seat sees, as numbers, and draws one of the open decisions as likely as the network finds them; what
that finds hardly likely at all is left out. Where a game is hidden or decided at once, drawing is the point.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

import numpy as np

from samizdat.bots import weights as files
from samizdat.bots.network import forecast, forward, policy
from samizdat.bots.weights import Weights
from samizdat.kernel.game import Game
from samizdat.kernel.match import Sight
from samizdat.kernel.moves import Move
from samizdat.kernel.tensors import Floats, Tensors, varying

SELDOM = 0.1  # of the likeliest decision's chance: what is less likely is not played
MOST_READERS = 64


@dataclass(frozen=True, eq=False)
class Reader:
    """A network at one game: sights go in, chances come out."""

    game: Game
    weights: Weights
    tensors: Tensors
    reads: Any  # the numbers of an observation that the network knows
    parts: list[Floats]

    def _outputs(self, sight: Sight) -> Floats:
        return forward(self.parts, self.tensors.of(sight)[None, self.reads])[2]

    def chances(self, sight: Sight) -> list[tuple[Move, float]]:
        """Every open decision, and how likely the network would make it."""
        moves = sight.legal()
        mask = np.zeros((1, self.weights.shape.moves), np.int8)
        mask[0, [move.id for move in moves]] = 1
        found = policy(self._outputs(sight), mask, self.weights.shape.moves)[0]
        return [(move, float(found[move.id])) for move in moves]

    def forecast(self, sight: Sight) -> list[float]:
        """The share of the win that each seat may expect, as far as this one can tell."""
        found: list[float] = forecast(self._outputs(sight), self.weights.shape.moves)[0].tolist()
        return found[: self.game.players]

    def choose(self, sight: Sight, rng: random.Random) -> Move:
        found = self.chances(sight)
        enough = SELDOM * max(chance for _, chance in found)
        likely = [(move, chance) for move, chance in found if chance >= enough]
        return rng.choices([move for move, _ in likely], [chance for _, chance in likely])[0]


def read(game: Game, weights: Weights) -> Reader:
    reads = np.flatnonzero(varying(game))
    return Reader(game, weights, Tensors(game), reads, weights.shape.parts(weights.numbers))


_readers: dict[tuple[Any, ...], Reader | None] = {}


def reader(game: Game, weights: Weights | None = None) -> Reader | None:
    """The network for a game: of the weights given, or of those that come with the package; None where they are for
    another game, variant, number of players, box or set of options."""
    key = (
        id(weights), game.name, game.variant, game.players, game.rules, game.box.hash,
        tuple(sorted(game.options.items())),
    )  # fmt: skip
    if key not in _readers or (weights is not None and getattr(_readers[key], "weights", weights) is not weights):
        if len(_readers) >= MOST_READERS:
            _readers.clear()
        fitting = files.shipped(game) if weights is None else weights if weights.fit(game) else None
        _readers[key] = None if fitting is None else read(game, fitting)
    return _readers[key]
