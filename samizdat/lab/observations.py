"""Observations as numbers for learning: every field of a hidden record, scaled by its declared bounds.

The layout is that of the game's `State`: its fields in the order of `state.py`, grids row by row. A value is 0
at the field's lower bound and 1 at its upper one. Only hidden records are ever turned into numbers, so what a
seat may not know cannot be in them.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from samizdat.kernel.game import Game
from samizdat.kernel.records import Record

Floats = npt.NDArray[np.float32]


def layout(state: type[Record]) -> dict[str, slice]:
    """Where each field stands in the tensor."""
    places: dict[str, slice] = {}
    start = 0
    for name, field in state.fields.items():
        places[name] = slice(start, start + math.prod(field.shape))
        start = places[name].stop
    return places


@dataclass(frozen=True)
class Scale:
    """How the bytes of a record become numbers: runs of equal integers in memory, then the order and the bounds."""

    runs: tuple[tuple[int, int, np.dtype[Any]], ...]  # first byte, how many numbers, type
    order: npt.NDArray[np.intp]  # for each number of the tensor: its place in memory
    low: Floats
    width: Floats


@functools.cache
def _scale(state: Any) -> Scale:
    kinds: dict[str, Any] = dict(state.dtype.fields or {})
    runs: list[tuple[int, int, np.dtype[Any]]] = []
    places: dict[str, range] = {}
    total = 0
    for name in sorted(state.fields, key=lambda name: kinds[name][1]):
        field, offset = state.fields[name], kinds[name][1]
        count, kind = math.prod(field.shape), np.dtype(field.type)
        if runs and runs[-1][2] == kind:
            runs[-1] = (runs[-1][0], runs[-1][1] + count, kind)
        else:
            runs.append((offset, count, kind))
        places[name] = range(total, total + count)
        total += count
    fields = state.fields.values()
    sizes = [math.prod(field.shape) for field in fields]
    return Scale(
        tuple(runs),
        np.array([place for name in state.fields for place in places[name]], np.intp),
        np.repeat([field.low for field in fields], sizes).astype(np.float32),
        np.repeat([max(field.high - field.low, 1) for field in fields], sizes).astype(np.float32),
    )


def size(game: Game) -> int:
    """How many numbers an observation has."""
    return sum(math.prod(field.shape) for field in game.definition.state.fields.values())


def tensor(game: Game, hidden: Record | bytes) -> Floats:
    """A hidden record as numbers, each 0 at its field's lower bound and 1 at its upper one."""
    state: Any = game.definition.state  # mypy takes the type of an unhashable thing for unhashable
    scale, data = _scale(state), bytes(hidden)
    runs = [np.frombuffer(data, kind, count, start) for start, count, kind in scale.runs]
    values = np.concatenate(runs).astype(np.float32)[scale.order]
    return (values - scale.low) / scale.width
