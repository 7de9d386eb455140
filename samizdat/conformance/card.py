"""A graphics card without one: the GPU engine's own kernel, run thread by thread in the interpreter.

What the engine asks `numba.cuda` for is little: room of a thread's own, a thread's number, arrays on the card. It is
lent the records that the interpreter works on, which needs neither another process nor a setting before Numba is
imported, as Numba's simulator does; whatever the kernel does besides compiling is the same.
"""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numba
import numpy as np

from samizdat.kernel.game import Game
from samizdat.kernel.interpreted import Batch
from samizdat.kernel.luck import Dice, Luck
from samizdat.kernel.records import Record
from samizdat.kernel.scoring import Score


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


class Card:
    """What the GPU engine uses of `numba.cuda`, for one game."""

    def __init__(self, game: Game) -> None:
        records = (game.definition.state, game.definition.printed, Score, Luck, Dice)
        self._kinds = {record.dtype: record for record in records}
        self._types = {numba.from_dtype(record.dtype): record for record in records}
        self._thread = 0
        self.local = SimpleNamespace(array=self._room)

    def _room(self, size: int, kind: Any) -> Any:
        """Local memory, which holds anything when a thread begins."""
        if kind not in self._types:
            return [99] * size
        room = Batch(self._types[kind], size)
        for record in room.records:
            record.array.view(np.uint8)[:] = 99
        return room

    def to_device(self, array: Any) -> OnCard:
        return OnCard(array, self._kinds)

    def grid(self, axes: int) -> int:
        return self._thread

    def synchronize(self) -> None:
        pass

    def jit(self, **options: Any) -> Callable[[Callable[..., None]], Any]:
        card = self

        class Kernel:
            def __init__(self, function: Callable[..., None]) -> None:
                self.function = function

            def __getitem__(self, shape: tuple[int, int]) -> Callable[..., None]:
                def launch(*args: Any) -> None:
                    for card._thread in range(shape[0] * shape[1]):
                        self.function(*args)

                return launch

        return Kernel
