"""The loop of the GPU engine in Numba's simulator of a card, thread by thread, against interpreted games.

NUMBA_ENABLE_CUDASIM=1 python -m tests.simulated
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numba.cuda.simulator.kernelapi import FakeCUDALocal

from samizdat.kernel import gpu, loops
from samizdat.kernel.game import Game
from samizdat.kernel.luck import Dice, Luck
from samizdat.kernel.records import Record
from samizdat.kernel.scoring import Score
from tests.conftest import DOSE, plain_games

SEED = 1917
GARBAGE = 0x55  # what stands in the memory of a thread before anything is written there


class Records:
    """Memory of a card as the simulated loop indexes it: an array of records, each with its fields."""

    def __init__(self, kind: type[Record], array: Any) -> None:
        self.kind = kind
        self.array = array

    def __getitem__(self, index: int) -> Record:
        return self.kind(self.array[index : index + 1])


def local_memory(*kinds: type[Record]) -> Any:
    """The arrays of one thread; the simulator's own know no fields."""
    known = {numba.from_dtype(kind.dtype): kind for kind in kinds}

    def array(self: Any, shape: int, dtype: Any) -> Any:
        kind = known.get(dtype)
        if kind is None:
            return [GARBAGE] * shape
        return Records(kind, np.full(shape * kind.dtype.itemsize, GARBAGE, np.uint8).view(kind.dtype))

    return array


def simulated(game: Game, games: int) -> tuple[Any, Any, Any]:
    """States, scores and lengths of random games, as the card would leave them."""
    state = game.definition.state
    FakeCUDALocal.array = local_memory(state, Score, Luck, Dice)
    engine = gpu.Gpu(game)
    engine.boxes = Records(game.definition.printed, game.box.record.array)
    engine.options = Records(state, game.blank().array)
    states, scores = np.zeros(games, state.dtype), np.zeros(games, Score.dtype)
    lengths = gpu.cuda.to_device(np.zeros(games, np.int64))
    engine.simulate((Records(state, states), Records(Score, scores), lengths), SEED)
    return states, scores, lengths.copy_to_host()


def main() -> None:
    assert numba.config.ENABLE_CUDASIM, "set NUMBA_ENABLE_CUDASIM=1"  # type: ignore[attr-defined]
    for game in plain_games():
        states, scores, lengths = simulated(game, DOSE)
        for number in range(DOSE):
            state, score = game.blank(), Score()
            length = loops.random_game(
                game.box.record, state, score, Luck(), Dice(), SEED, number, [0] * game.capacity, game.longest
            )
            at = f"{game.name}, {game.variant}, {game.players} players, game {number}"
            assert bytes(state) == states[number].tobytes(), at
            assert bytes(score) == scores[number].tobytes(), at
            assert length == lengths[number] > 0, at
    print(f"{len(plain_games())} ways of setting a game up, {DOSE} games each: simulated as interpreted")


if __name__ == "__main__":
    main()
