"""The loop of the GPU engine in Numba's simulator of a card, with a block of threads, against interpreted games.

NUMBA_ENABLE_CUDASIM=1 python -m tests.simulated
"""

from __future__ import annotations

from typing import Any

import numba
from numba import cuda
from numba.cuda.simulator.kernel import _get_kernel_context

from samizdat.conformance.card import Card
from samizdat.kernel import gpu, loops
from samizdat.kernel.luck import Dice, Luck
from samizdat.kernel.scoring import Score
from tests.conftest import DOSE, plain_games

SEED = 1917


class Simulated(Card):
    """Memory in which rules find their fields, threads as Numba simulates them."""

    def grid(self, axes: int) -> int:
        return int(_get_kernel_context().grid(axes))  # type: ignore[no-untyped-call]

    def jit(self, max_registers: int, **options: Any) -> Any:
        return cuda.jit(**options)  # type: ignore[no-untyped-call]


def main() -> None:
    assert numba.config.ENABLE_CUDASIM, "set NUMBA_ENABLE_CUDASIM=1"  # type: ignore[attr-defined]
    for game in plain_games():
        gpu.load_cuda = lambda game=game: Simulated(game)  # type: ignore[misc]
        states, scores, lengths = gpu.Gpu(game).results(DOSE, SEED)
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
