"""A small network that has taught itself a game (`samizdat train`): what to decide, and who will win.

It reads the observation tensor of the seat that decides, as far as its numbers can vary, and has two layers
of rectified sums. What comes out is one number for every move id (the policy, among those that are open) and one for
each seat and for nobody (who will win). NumPy is all it needs.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from samizdat.kernel.game import Game
from samizdat.kernel.tensors import Floats, layout, varying

LAYERS = (128, 128)
NEVER = np.float32(-1e9)  # the policy's number for what is not open


@dataclass(frozen=True)
class Shape:
    """How many numbers go into a network, through it and out of it."""

    inputs: int
    hidden: tuple[int, int]
    moves: int
    players: int

    @property
    def sizes(self) -> list[tuple[int, ...]]:
        """Of its three layers: the weights, then what is added to each sum."""
        outputs = self.moves + self.players + 1
        widths = (self.inputs, *self.hidden, outputs)
        return [size for one, two in itertools.pairwise(widths) for size in ((one, two), (two,))]

    @property
    def count(self) -> int:
        return sum(int(np.prod(size)) for size in self.sizes)

    def parts(self, numbers: Floats) -> list[Floats]:
        """Views of a network's numbers, layer by layer."""
        ends = np.cumsum([int(np.prod(size)) for size in self.sizes])[:-1]
        return [part.reshape(size) for part, size in zip(np.split(numbers, ends), self.sizes, strict=True)]


def shape_for(game: Game, hidden: tuple[int, int] = LAYERS) -> Shape:
    return Shape(int(varying(game).sum()), hidden, game.capacity, game.players)


def fingerprint(game: Game) -> str:
    """Of what an observation's numbers and the move ids mean in a game: a network is of use where it is the same."""
    lines = [f"{game.name} {game.variant} {game.players} {game.rules} {game.box.hash} {game.capacity}"]
    lines += [f"{option} {value}" for option, value in sorted(game.options.items())]
    for span in layout(game):
        lines.append(f"{span.field} {span.offset} {span.shape} {span.scale} {span.divisors.tolist()}")
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]


def drawn(shape: Shape, rng: np.random.Generator) -> Floats:
    """A network that knows nothing: sums stay as large from layer to layer, and every open move is as likely."""
    numbers = np.zeros(shape.count, np.float32)
    parts = shape.parts(numbers)
    for weights in parts[0:4:2]:
        weights[:] = rng.standard_normal(weights.shape, np.float32) * np.sqrt(2 / weights.shape[0])
    return numbers


def forward(parts: Sequence[Floats], x: Floats) -> tuple[Floats, Floats, Floats]:
    """Both layers and what comes out of them, a row for each row of `x`."""
    first = np.maximum(x @ parts[0] + parts[1], 0)
    second = np.maximum(first @ parts[2] + parts[3], 0)
    return first, second, second @ parts[4] + parts[5]


def softmax(numbers: Floats) -> Floats:
    shares: Floats = np.exp(numbers - numbers.max(axis=1, keepdims=True))
    shares /= shares.sum(axis=1, keepdims=True)
    return shares


def policy(outputs: Floats, masks: npt.NDArray[Any], moves: int) -> Floats:
    """How likely each move id is to be chosen."""
    return softmax(np.where(masks != 0, outputs[:, :moves], NEVER))


def forecast(outputs: Floats, moves: int) -> Floats:
    """How likely each seat is to win; the last number is for nobody."""
    return softmax(outputs[:, moves:])
