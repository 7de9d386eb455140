"""Connect Four by hand on two 64-bit boards: the near-limit that the kernel is measured against.

Nothing here is general: no state record, no contract, no match. It is the shortest loop that still plays
uniformly random games by the rules, so its rate says how much a general kernel costs.

Layout: column c owns the bits 7c to 7c+6, lowest row first. The seventh bit of a column stays empty, so a
shifted board never joins the top of one column to the bottom of the next.

Luck is counter-based (the finalizer of SplitMix64 over a Weyl sequence). A 64-bit word is read as a 60-bit
fraction that gives eight digits in base 7; the last of them is off uniform by 7**8 / 2**60, about 5e-12.
"""

from __future__ import annotations

import numpy as np
from numba import njit

COLUMNS = 7
ROWS = 6
CELLS = COLUMNS * ROWS

_ZERO = np.uint64(0)
_ONE = np.uint64(1)
_SEVEN = np.uint64(7)
_TOP_ROW = np.uint64(ROWS - 1)
_BOTTOMS = np.uint64(sum(1 << (7 * column) for column in range(COLUMNS)))

_WEYL = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_FRACTION = np.uint64(60)
_FRACTION_MASK = np.uint64((1 << 60) - 1)
_DIGITS_PER_WORD = 8


@njit(inline="always")
def _mixed(word: np.uint64) -> np.uint64:
    word = (word ^ (word >> np.uint64(30))) * _MIX_1
    word = (word ^ (word >> np.uint64(27))) * _MIX_2
    return word ^ (word >> np.uint64(31))


@njit(inline="always")
def _has_four(board: np.uint64) -> bool:
    """Four in a row: upright, level, and along both diagonals."""
    pairs = board & (board >> np.uint64(1))
    fours = pairs & (pairs >> np.uint64(2))
    pairs = board & (board >> np.uint64(7))
    fours |= pairs & (pairs >> np.uint64(14))
    pairs = board & (board >> np.uint64(6))
    fours |= pairs & (pairs >> np.uint64(12))
    pairs = board & (board >> np.uint64(8))
    fours |= pairs & (pairs >> np.uint64(16))
    return bool(fours != _ZERO)


@njit()
def playouts(seed: int, games: int) -> tuple[int, int, int, int]:
    """Play random games: sum of lengths, sum of their squares, wins of the first and of the second seat.

    A column is drawn from all seven and drawn again while it is full. That is exactly uniform over the open
    columns, and faster than counting them, because most columns are open in most positions.
    """
    counter = _mixed(np.uint64(seed))
    fraction = _ZERO
    digits = 0
    moves = 0
    squares = 0
    first = 0
    second = 0
    for _ in range(games):
        mine = _ZERO
        taken = _ZERO
        ply = 0
        while True:
            if digits == 0:
                counter += _WEYL
                fraction = _mixed(counter) & _FRACTION_MASK
                digits = _DIGITS_PER_WORD
            fraction = (fraction & _FRACTION_MASK) * _SEVEN
            digits -= 1
            shift = (fraction >> _FRACTION) * _SEVEN
            if (taken >> (shift + _TOP_ROW)) & _ONE:
                continue
            grown = taken | (taken + (_ONE << shift))
            mine |= grown ^ taken
            taken = grown
            ply += 1
            if _has_four(mine):
                if ply & 1:
                    first += 1
                else:
                    second += 1
                break
            if ply == CELLS:
                break
            mine ^= taken
        moves += ply
        squares += ply * ply
    return moves, squares, first, second


@njit()
def playouts_one_draw(seed: int, games: int) -> tuple[int, int, int, int]:
    """The same games with exactly one draw a move, from the counted open columns.

    This is the work that a kernel does which is told only what is legal: count, draw one of n, find it.
    Multiplying the open columns by one bit a column leaves in each column how many are open up to it.
    """
    counter = _mixed(np.uint64(seed))
    moves = 0
    squares = 0
    first = 0
    second = 0
    for _ in range(games):
        mine = _ZERO
        taken = _ZERO
        ply = 0
        while True:
            open_columns = (~taken >> _TOP_ROW) & _BOTTOMS
            up_to = open_columns * _BOTTOMS
            count = (up_to >> np.uint64(42)) & _SEVEN
            counter += _WEYL
            chosen = ((_mixed(counter) >> np.uint64(32)) * count) >> np.uint64(32)
            # Bit 6 of a column is set where more than `chosen` columns are open up to it.
            reached = (up_to + (np.uint64(63) - chosen) * _BOTTOMS) & (np.uint64(64) * _BOTTOMS)
            foot = (reached & (~reached + _ONE)) >> np.uint64(6)
            grown = taken | (taken + foot)
            mine |= grown ^ taken
            taken = grown
            ply += 1
            if _has_four(mine):
                if ply & 1:
                    first += 1
                else:
                    second += 1
                break
            if ply == CELLS:
                break
            mine ^= taken
        moves += ply
        squares += ply * ply
    return moves, squares, first, second


@njit()
def _sequences(mine: np.uint64, taken: np.uint64, depth: int) -> int:
    """Move sequences of length `depth` from here; `mine` belongs to the seat that is to move."""
    total = 0
    for column in range(COLUMNS):
        shift = np.uint64(7 * column)
        if (taken >> (shift + _TOP_ROW)) & _ONE:
            continue
        if depth == 1:
            total += 1
            continue
        grown = taken | (taken + (_ONE << shift))
        after = mine | (grown ^ taken)
        if not _has_four(after):
            total += _sequences(after ^ grown, grown, depth - 1)
    return total


def perft(depth: int, opening: tuple[int, ...] = ()) -> int:
    """Legal move sequences of length `depth` after the moves of `opening`, which must not end the game."""
    mine = 0
    taken = 0
    for column in opening:
        grown = taken | (taken + (1 << (7 * column)))
        mine = (mine | (grown ^ taken)) ^ grown
        taken = grown
    count: int = _sequences(np.uint64(mine), np.uint64(taken), depth)
    return count
