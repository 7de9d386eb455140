"""Observation tensors: what a seat sees, as a row of float32, made from its hidden record and nothing else.

The layout follows from the fields that a game's state record declares, in their order, by one rule for all
games; `docs/observations.md` explains it and `samizdat observations GAME` prints a game's table.

- a field from 0 to 2**k - 1 with k of 2 or more becomes k numbers, its binary digits, lowest first: bit sets
  come apart into their members, and no set is too large for a float32;
- a field whose bounds stay within 255 is divided by the larger of them: 0 stays 0, "none" (-1) stays negative;
- a wider field (points, tokens) grows with the logarithm of its size, so that usual values are told apart.

Before the fields come two things a record does not hold: which seat is looking, and which seats may act.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from samizdat.kernel import interpreted as engine
from samizdat.kernel.game import Game
from samizdat.kernel.match import Sight
from samizdat.kernel.records import Field

Floats = npt.NDArray[np.float32]

# How the values of a field are scaled.
SHARE, BITS, LOG = 0, 1, 2
SCALES = ("value / bound", "binary digits", "log(1 + value) / log(1 + bound)")
WIDEST_SHARE = 255  # above this bound, usual values would all look like 0
WIDTHS = (1, 2, 4, 8)  # bytes of the integer types a record may hold


class Span(NamedTuple):
    """Where one field lies in the tensor: `shape` numbers from `offset` on."""

    field: str
    offset: int
    shape: tuple[int, ...]
    low: int
    high: int
    scale: int
    why: str

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    @property
    def bound(self) -> int:
        """What the values are measured by."""
        return max(-self.low, self.high, 1)

    @property
    def digits(self) -> int:
        """Numbers that one value of the field becomes."""
        return self.shape[-1] if self.scale == BITS else 1


def scale_of(field: Field) -> int:
    if field.low == 0 and field.high >= 3 and field.high & (field.high + 1) == 0:
        return BITS
    return SHARE if max(-field.low, field.high) <= WIDEST_SHARE else LOG


def layout(game: Game) -> list[Span]:
    """Every part of a game's observation tensor, in order."""
    seats = (game.players,)
    spans = [
        Span("you", 0, seats, 0, 1, SHARE, "1 for the seat that is looking"),
        Span("to_act", game.players, seats, 0, 1, SHARE, "1 for every seat that may act now"),
    ]
    for name, field in game.definition.state.fields.items():
        scale = scale_of(field)
        shape = (*field.shape, field.high.bit_length()) if scale == BITS else field.shape
        offset = spans[-1].offset + spans[-1].size
        spans.append(Span(name, offset, shape, field.low, field.high, scale, field.why))
    return spans


def size(game: Game) -> int:
    """How many numbers an observation of this game has."""
    last = layout(game)[-1]
    return last.offset + last.size


class Tensors:
    """Writes the observations of one game; the layout is worked out once."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.layout = layout(game)
        self.size = size(game)

    def of(self, sight: Sight) -> Floats:
        """What a seat sees. A sight holds the hidden record only, so there is nothing here that could leak."""
        out = np.zeros(self.size, np.float32)
        players = self.game.players
        out[sight.seat] = 1
        for seat in engine.acting(sight.state):
            out[players + seat] = 1
        for span in self.layout[2:]:
            out[span.offset : span.offset + span.size] = scaled(span, sight.state.array[span.field][0])
        return out


def scaled(span: Span, values: Any) -> Any:
    """The numbers of one field, flat."""
    flat = np.atleast_1d(values).ravel()
    if span.scale == BITS:
        return (flat.astype(np.int64)[:, None] >> np.arange(span.digits) & 1).ravel()
    if span.scale == LOG:
        # The C library's logarithm, as in compiled code: NumPy's own may differ in the last bit.
        whole = math.log1p(span.bound)
        return [math.copysign(math.log1p(abs(value)) / whole, value) for value in flat.tolist()]
    return flat.astype(np.float32) / np.float32(span.bound)


def columns(game: Game) -> Iterator[tuple[int, int, int, int, int]]:
    """The layout as compiled code reads it; for each field: scale, width, first element, elements, digits.

    An element is counted in the record seen as an array of integers of that width (`WIDTHS[width]` bytes).
    """
    dtype = game.definition.state.dtype
    for span in layout(game)[2:]:
        kind, offset = dtype.fields[span.field][:2]  # type: ignore[index]
        width = kind.base.itemsize
        yield span.scale, WIDTHS.index(width), int(offset) // width, span.size // span.digits, span.digits


def describe(game: Game) -> str:
    """The layout of a game as a table in plain text."""
    title = f"{game.definition.title} ({game.variant}, {game.players} players): {size(game)} numbers"
    rows = [("offset", "field", "shape", "values", "scale", "meaning")]
    for span in layout(game):
        shape = "×".join(map(str, span.shape)) or "1"
        rows.append((str(span.offset), span.field, shape, f"{span.low}..{span.high}", SCALES[span.scale], span.why))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join([title, *lines])
