"""The GPU engine: the same rules compiled by numba-cuda, one game a thread.

Records live in the thread's local memory while a game is played (neighbouring threads then touch neighbouring
addresses) and are written back once at the end. Needs the `gpu` extra and an NVIDIA card.
"""

from __future__ import annotations

import functools
from typing import Any

import numba
import numpy as np
import numpy.typing as npt
from numba.extending import overload

from samizdat.kernel import checked, contract, loops
from samizdat.kernel.errors import SamizdatError
from samizdat.kernel.game import Game
from samizdat.kernel.luck import Dice, Luck
from samizdat.kernel.native import register_rules
from samizdat.kernel.records import Record
from samizdat.kernel.scoring import Score

THREADS = 128  # in a block
REGISTERS = 64  # a thread; with more, fewer threads wait for memory at the same time


def load_cuda() -> Any:
    """The numba.cuda module, if there is a card to run on; otherwise one clear sentence."""
    if not hasattr(np, "row_stack"):
        np.row_stack = np.vstack  # numba-cuda 0.30 asks NumPy for a name it dropped
    try:
        from numba import cuda
    except ImportError as error:
        raise SamizdatError(f"The GPU engine needs numba-cuda: pip install 'samizdat[gpu]' ({error}).") from None
    if not cuda.is_available():  # type: ignore[no-untyped-call]
        raise SamizdatError("The GPU engine found no NVIDIA card on this machine.")
    return cuda


def say_wild(index: int, size: int, place: int) -> int:
    """What `within` does on the card, which cannot raise: it prints its numbers and takes the first element."""
    if index < 0 or index >= size:
        print("wild index:", place, index, size)
        return 0
    return index


@functools.cache
def check_on_the_card() -> None:
    overload(checked.within, target="cuda", strict=False)(lambda index, size, place: say_wild)


def copier(record: type[Record]) -> Any:
    """A function that copies a record field by field.

    Assigning whole records would make the compiler carry every byte of them through registers.
    """
    lines = ["def copy_record(to, source):"]
    for name, field in record.fields.items():
        index = ", ".join(f"i{axis}" for axis in range(len(field.shape)))
        for axis, size in enumerate(field.shape):
            lines.append(f"{'    ' * (axis + 1)}for i{axis} in range({size}):")
        place = f"{name}[{index}]" if field.shape else name
        lines.append(f"{'    ' * (len(field.shape) + 1)}to.{place} = source.{place}")
    namespace: dict[str, Any] = {}
    exec("\n".join(lines), namespace)
    function = namespace["copy_record"]
    overload(function, target="generic", strict=False)(lambda to, source: function)
    return function


class Gpu:
    """Plays batches of random games of one game on the card and leaves the results there."""

    def __init__(self, game: Game, registers: int = REGISTERS) -> None:
        self.cuda = load_cuda()
        self.registers = registers
        register_rules()
        if checked.CHECKED:
            check_on_the_card()
        self.game = game
        self.boxes = self.cuda.to_device(game.box.record.array)
        self.options = self.cuda.to_device(game.blank().array)
        self._kernel = self._compile()

    def _compile(self) -> Any:
        cuda = self.cuda
        capacity = self.game.capacity
        state_type = numba.from_dtype(self.game.definition.state.dtype)
        score_type = numba.from_dtype(Score.dtype)
        luck_type = numba.from_dtype(Luck.dtype)
        dice_type = numba.from_dtype(Dice.dtype)
        too_long = loops.TOO_LONG
        copy_state, copy_score = copier(self.game.definition.state), copier(Score)

        @cuda.jit(max_registers=self.registers)  # type: ignore[untyped-decorator]
        def play_all(
            boxes: Any, options: Any, states: Any, scores: Any, lengths: Any, seed: int, first: int, most: int
        ) -> None:
            state = cuda.local.array(1, state_type)
            score = cuda.local.array(1, score_type)
            luck = cuda.local.array(1, luck_type)
            dice = cuda.local.array(1, dice_type)
            moves = cuda.local.array(capacity, numba.int16)
            box, s, out = boxes[0], state[0], score[0]
            i = cuda.grid(1)
            if i >= lengths.shape[0]:
                return
            # One game a thread, all begun together: neighbours are then mostly at the same point of the rules, which
            # gains more than is lost while they wait for the longest game among them.
            copy_state(s, options[0])
            loops.begin_game(luck[0], dice[0], seed, first + i)
            contract.setup(box, s, luck[0])
            ply = 0
            seats = contract.seats_to_act(s)
            while seats != 0 and ply < most:
                ply += 1
                loops.one_decision(box, s, luck[0], dice[0], moves, ply, seats)
                seats = contract.seats_to_act(s)
            copy_score(out, scores[i])
            contract.score(box, s, out)
            copy_state(states[i], s)
            copy_score(scores[i], out)
            lengths[i] = ply if seats == 0 else too_long

        return play_all

    def arrays(self, games: int) -> tuple[Any, Any, Any]:
        """Room on the card for the states, scores and lengths of so many games, zeroed."""
        cuda = self.cuda
        kinds = (self.game.definition.state.dtype, Score.dtype, np.dtype(np.int64))
        states, scores, lengths = (cuda.to_device(np.zeros(games, kind)) for kind in kinds)
        return states, scores, lengths

    def simulate(self, arrays: tuple[Any, Any, Any], seed: int, first: int = 0) -> None:
        """Play one game into each element of the arrays; returns when the card has finished."""
        states, scores, lengths = arrays
        blocks = (len(lengths) + THREADS - 1) // THREADS
        self._kernel[blocks, THREADS](
            self.boxes, self.options, states, scores, lengths, seed, first, self.game.longest
        )
        self.cuda.synchronize()

    def results(self, games: int, seed: int, first: int = 0) -> tuple[npt.NDArray[Any], ...]:
        """States, scores and lengths of so many games, copied back."""
        arrays = self.arrays(games)
        self.simulate(arrays, seed, first)
        return tuple(array.copy_to_host() for array in arrays)
