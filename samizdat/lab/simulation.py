"""Simulation: many random games of one game, in compiled code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from samizdat.kernel.arguments import SIM_SEED_BITS, check_seed
from samizdat.kernel.game import Game
from samizdat.kernel.luck import Dice, Luck
from samizdat.kernel.scoring import Score

CHUNK = 4096  # games that are played before anybody looks at them


@dataclass(frozen=True)
class Results:
    """Finished games: final states, scores and numbers of decisions."""

    states: npt.NDArray[Any]
    scores: npt.NDArray[Any]
    lengths: npt.NDArray[np.int64]


class Simulation:
    """Plays games `first`, `first + 1`, … of a seed; game i is the match with seed `seed + (i << 64)`."""

    def __init__(self, game: Game, seed: int = 0) -> None:
        self.game = game
        self.seed = check_seed(seed, SIM_SEED_BITS)
        self._options = game.blank().array
        self._moves = game.moves_buffer()
        self._luck = np.zeros(1, Luck.dtype)
        self._dice = np.zeros(1, Dice.dtype)

    def play(self, games: int, first: int = 0) -> Results:
        """So many games at once."""
        room = Results(
            np.zeros(games, self.game.definition.state.dtype), np.zeros(games, Score.dtype), np.zeros(games, np.int64)
        )
        self.play_into(room, first)
        return room

    def play_into(self, room: Results, first: int = 0) -> None:
        """Play as many games as `room` holds, over whatever is in it: fresh memory costs short games a fifth."""
        self.game.definition.native.simulate(
            self.game.box.record.array, self._options, room.states, room.scores, room.lengths,
            self._luck, self._dice, self.seed, first, self._moves, self.game.longest,
        )  # fmt: skip
