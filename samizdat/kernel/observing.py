"""Observation tensors written by compiled code: the numbers of `observations.py`, one row after the other.

What that needs of a game lies in arrays that are made once (`Eyes`).
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from samizdat.kernel.contract import hide, seats_to_act
from samizdat.kernel.game import Game
from samizdat.kernel.rule import rule
from samizdat.kernel.tensors import BITS, SHARE, SHARES, columns, divisors, standing_still

REFEREE = -2  # a seat that is none, and not a spectator's either
LOGS = 1024  # logarithms that are kept ready: computing one takes as long as a small decision


class Eyes(NamedTuple):
    """Room for one hidden record, and how it is written down."""

    sight: Any  # the record, and the same memory as integers of 1, 2, 4 and 8 bytes
    bytes1: Any
    bytes2: Any
    bytes4: Any
    bytes8: Any
    still: Any  # an observation with what cannot vary
    columns: Any  # and what can, for each seat: see samizdat.kernel.tensors.columns
    measures: Any  # the logarithms of usual values, then what each number of an observation is divided by


def eyes(game: Game, whole: bool = False) -> Eyes:
    """To see a game with, from every seat; `whole`, to see its true record with."""
    sight = np.zeros(1, game.definition.state.dtype)
    raw = sight.view(np.uint8)
    return Eyes(
        sight=sight,
        # A record without fields of a width need not divide into elements of that width; then nobody reads them.
        bytes1=raw.view(np.int8),
        bytes2=raw[: raw.size // 2 * 2].view(np.int16),
        bytes4=raw[: raw.size // 4 * 4].view(np.int32),
        bytes8=raw[: raw.size // 8 * 8].view(np.int64),
        still=standing_still(game, whole),
        columns=np.array([list(columns(game, seat, whole)) for seat in range(game.players)], np.int64),
        measures=np.concatenate((np.array([math.log1p(n) for n in range(LOGS)], np.float32), divisors(game, whole))),
    )


# Rules take the arrays they need, never all of `Eyes`: handing over a tuple of arrays counts a reference to each.


@rule
def write_field(values: Any, columns: Any, measures: Any, seat: int, column: int, out: Any, row: int) -> None:
    """One field of the hidden record, seen as integers of its width, into a row of `out`."""
    scale, first, n = columns[seat, column, 0], columns[seat, column, 2], columns[seat, column, 3]
    digits, at = columns[seat, column, 4], columns[seat, column, 5]
    if scale == SHARE:
        bound = measures[LOGS + at]
        for i in range(n):
            out[row, at + i] = np.float32(values[first + i]) / bound
    elif scale == SHARES:
        for i in range(n):
            out[row, at + i] = np.float32(values[first + i]) / measures[LOGS + at + i]
    elif scale == BITS:
        for i in range(n):
            value = np.int64(values[first + i])
            for digit in range(digits):
                out[row, at + i * digits + digit] = (value >> digit) & 1
    else:
        for i in range(n):
            value = np.int64(values[first + i])
            share = np.float32(0.0)
            if value != 0:
                far = abs(value)
                share = (measures[far] if far < LOGS else np.float32(math.log1p(far))) / measures[LOGS + at + i]
            out[row, at + i] = share if value >= 0 else -share


@rule
def observe(
    box: Any, s: Any, sight: Any, bytes1: Any, bytes2: Any, bytes4: Any, bytes8: Any, still: Any, columns: Any,
    measures: Any, seat: int, players: int, out: Any, row: int,
) -> None:  # fmt: skip
    """Write what a seat sees of a game into a row of `out`; its hidden record stays in `sight`.

    REFEREE sees the true record: for what trains with hindsight, with eyes that are `whole`, and for nobody else.
    """
    sight[0] = s
    if seat != REFEREE:
        hide(box, sight[0], seat)
    seats = seats_to_act(sight[0])
    for i in range(len(still)):
        out[row, i] = still[i]
    for other in range(players):
        out[row, other] = other == seat
        out[row, players + other] = (seats >> other) & 1
    of = max(seat, 0)
    for column in range(columns.shape[1]):
        width = columns[of, column, 1]
        if width == 0:
            write_field(bytes1, columns, measures, of, column, out, row)
        elif width == 1:
            write_field(bytes2, columns, measures, of, column, out, row)
        elif width == 2:
            write_field(bytes4, columns, measures, of, column, out, row)
        else:
            write_field(bytes8, columns, measures, of, column, out, row)
