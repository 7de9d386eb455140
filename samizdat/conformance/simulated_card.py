"""A graphics card without one: the GPU engine's own kernel in Numba's simulator, against interpreted games.

    NUMBA_ENABLE_CUDASIM=1 python -m samizdat.conformance.simulated_card [PACKAGE]

Numba simulates threads and blocks. Where a thread's memory is concerned it lends NumPy's records, in which rules do
not find their fields: here it lends the records that the interpreter works on.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numba
import numpy as np

from samizdat.conformance.__main__ import announced_by
from samizdat.conformance.games import CHOSEN, DOSE, label, plain_games
from samizdat.kernel import card, gpu, loops
from samizdat.kernel.game import Game
from samizdat.kernel.interpreted import Batch
from samizdat.kernel.luck import Dice, Luck
from samizdat.kernel.records import Record
from samizdat.kernel.scoring import Score

SEED = 1917


class OnCard:
    """An array on the card."""

    def __init__(self, array: Any, kinds: dict[np.dtype[Any], type[Record]]) -> None:
        self.array = array.copy()
        self.shape = array.shape
        self.kind = kinds.get(array.dtype)

    def __getitem__(self, index: int) -> Any:
        return self.array[index] if self.kind is None else self.kind(self.array[index : index + 1])

    def __setitem__(self, index: int, value: Any) -> None:
        self.array[index] = value

    def __len__(self) -> int:
        return len(self.array)

    def copy_to_host(self) -> Any:
        return self.array

    def copy_to_device(self, array: Any) -> None:
        self.array[:] = array


class SimulatedCard:
    """What the GPU engine uses of `numba.cuda`, for one game. What is not here, Numba's simulator has."""

    def __init__(self, game: Game) -> None:
        self.state = game.definition.state
        records = (self.state, game.definition.printed, Score, Luck, Dice)
        self._kinds = {record.dtype: record for record in records}
        self._types = {numba.from_dtype(record.dtype): record for record in records}
        self.local = SimpleNamespace(array=self._room)

    def __getattr__(self, name: str) -> Any:
        from numba.cuda.simulator.kernel import _get_kernel_context

        return getattr(_get_kernel_context(), name)  # type: ignore[no-untyped-call]

    def _room(self, size: int, kind: Any) -> Any:
        """Local memory, which holds anything when a thread begins."""
        if kind not in self._types:
            return [99] * size
        room = Batch(self._types[kind], size)
        for record in room.records:
            record.array.view(np.uint8)[:] = 99
        return room

    def record_at(self, words: Any, at: int, like: Any) -> Record:
        """The record that lies in shared memory."""
        size = self.state.dtype.itemsize // words.dtype.itemsize
        return self.state(words[at : at + size].view(self.state.dtype))

    def to_device(self, array: Any) -> OnCard:
        return OnCard(array, self._kinds)

    def synchronize(self) -> None:
        pass

    def jit(self, function: Any = None, *, max_registers: int = 0) -> Any:
        from numba import cuda

        return cuda.jit(function)  # type: ignore[no-untyped-call]


def differs(game: Game, games: int, launch: gpu.Launch) -> int | None:
    """The first game that the simulated card plays otherwise than the interpreter, if any."""
    simulated = SimulatedCard(game)
    card.load_cuda = lambda: simulated
    card.record_at = lambda: simulated.record_at
    states, scores, lengths = gpu.Gpu(game, launch).results(games, SEED)
    for number in range(games):
        state, score = game.blank(), Score()
        length = loops.random_game(
            game.box.record, state, score, Luck(), Dice(), SEED, number, [0] * game.capacity, game.longest
        )
        same = bytes(state) == states[number].tobytes() and bytes(score) == scores[number].tobytes()
        if not same or length != lengths[number]:
            return number
    return None


def main(packages: list[str]) -> None:
    if not numba.config.ENABLE_CUDASIM:  # type: ignore[attr-defined]
        sys.exit("samizdat: Numba simulates a card only with NUMBA_ENABLE_CUDASIM=1 in the environment.")
    for package in packages:
        CHOSEN.extend(found.name for found in announced_by(package))
    chosen = plain_games()
    shortest = min(chosen, key=lambda game: game.longest)
    for game in chosen:
        # Threads are this machine's and wait for each other in busy loops: few of them, and few launches.
        stay = game is shortest or DOSE > 1
        launch = replace(gpu.Launch.of(game), threads=2, together=3 if stay else 24, stay=stay, sorters=2)
        number = differs(game, 2 * DOSE, launch)
        if number is not None:
            sys.exit(f"samizdat: {label(game)}: game {number} of seed {SEED} differs on the simulated card.")


if __name__ == "__main__":
    main(sys.argv[1:])
