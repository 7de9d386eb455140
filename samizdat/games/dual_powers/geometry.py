"""Dual Powers: where things lie on the drawn board.

The city is a ring of six islands in two layouts: three columns and two rows, or on a phone two columns and three
rows. A place is told in shares: so many islands and gaps from the left (`x`, `gx`), so many islands and canals
from the top (`y`, `gy`), and what part of an island's heading is above it (`h`); with a `p` before, on a phone.
The style sheet knows how large those are.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Spot:
    """One place of the ring: column and row, wide and on a phone, and which corner of the wide board it is."""

    wide: tuple[int, int]
    tall: tuple[int, int]
    corner: str = ""


RING = (
    Spot((1, 0), (0, 0)),
    Spot((2, 0), (1, 0), "ne"),
    Spot((2, 1), (1, 1), "se"),
    Spot((1, 1), (1, 2)),
    Spot((0, 1), (0, 2), "sw"),
    Spot((0, 0), (0, 1), "nw"),
)


@dataclass(frozen=True)
class TokenGrid:
    """How tokens stand in an island: at most so many, in columns and rows, at a size."""

    most: int
    wide: tuple[int, int, float]
    tall: tuple[int, int, float]


CELLS = (
    TokenGrid(6, (4, 2, 1.0), (3, 2, 1.0)),
    TokenGrid(8, (4, 2, 1.0), (4, 3, 0.76)),
    TokenGrid(10, (5, 2, 0.86), (4, 3, 0.76)),
    TokenGrid(12, (5, 3, 0.7), (4, 3, 0.76)),
    TokenGrid(28, (7, 4, 0.5), (6, 5, 0.5)),
)
INSET = 0.03

Cell = dict[str, float]


def _one(spot: tuple[int, int], at: int, columns: int, rows: int) -> tuple[float, float, float, float, float]:
    at = min(at, columns * rows - 1)
    column, line = at % columns, at // columns
    across = INSET + (1 - 2 * INSET) * (column + 0.5) / columns
    down = (line + 0.5) / rows
    return spot[0] + across, spot[0], spot[1] + down, spot[1], 1 - down


@functools.cache
def cell(spot: Spot, at: int, tokens: int) -> Cell:
    """Where the token number `at` of so many stands in an island."""
    grid = next((one for one in CELLS if tokens <= one.most), CELLS[-1])
    wide = _one(spot.wide, at, *grid.wide[:2])
    tall = _one(spot.tall, at, *grid.tall[:2])
    return _place(wide, tall) | {"d": grid.wide[2], "pd": grid.tall[2]}


def _place(wide: tuple[float, ...], tall: tuple[float, ...]) -> Cell:
    names = ("x", "gx", "y", "gy", "h")
    found = {name: round(value, 4) for name, value in zip(names, wide, strict=True)}
    return found | {f"p{name}": round(value, 4) for name, value in zip(names, tall, strict=True)}


def _middle(one: tuple[int, int], other: tuple[int, int]) -> tuple[float, float, float, float, float]:
    """The middle of the water between two islands that lie side by side or one above the other."""
    if one[1] == other[1]:
        left = min(one[0], other[0])
        return left + 1, left + 0.5, one[1] + 0.5, one[1], 0
    top = min(one[1], other[1])
    return one[0] + 0.5, one[0], top + 1, top + 0.5, 0


@functools.cache
def between(one: Spot, other: Spot) -> dict[str, Any]:
    """Where a bridge lies, and whether it runs across (and on a phone)."""
    place = _place(_middle(one.wide, other.wide), _middle(one.tall, other.tall))
    return {"cell": place, "across": one.wide[1] == other.wide[1], "pacross": one.tall[1] == other.tall[1]}


def _angle(here: tuple[int, int], there: tuple[int, int]) -> int:
    if here[1] == there[1]:
        return 0 if there[0] > here[0] else 180
    return 90 if there[1] > here[1] else 270


def turn(here: Spot, there: Spot) -> dict[str, int]:
    """The direction of an arrow from one island to the next, in degrees."""
    return {"angle": _angle(here.wide, there.wide), "pangle": _angle(here.tall, there.tall)}
