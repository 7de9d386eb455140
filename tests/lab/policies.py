"""Small policies for the tests of agents: plain layers of random weights."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from samizdat.kernel.game import Game
from samizdat.lab.observations import size
from samizdat.lab.policies import write_onnx

Layers = list[tuple[Any, Any]]


def layers_for(game: Game, seed: int = 0, hidden: int = 8) -> Layers:
    rng = np.random.default_rng(seed)
    shapes = [(size(game), hidden), (hidden, game.capacity)]
    return [
        (rng.normal(size=shape).astype(np.float32), rng.normal(size=shape[1]).astype(np.float32)) for shape in shapes
    ]


def by_hand(layers: Layers) -> Any:
    """What such layers give, in NumPy."""

    def model(observations: Any) -> Any:
        (w0, b0), (w1, b1) = layers
        return np.maximum(observations @ w0 + b0, 0) @ w1 + b1

    return model


def onnx_file(path: Path, game: Game, seed: int = 0) -> Path:
    write_onnx(path, game, layers_for(game, seed))
    return path
