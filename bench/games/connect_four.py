"""Connect Four: two seats drop stones into seven columns of six; four in a row win.

The board is two bit sets. Column c owns the bits 7c to 7c+6, lowest row first; the seventh bit of a column
stays empty, so that a shifted board never joins the top of one column to the bottom of the next.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

from bench.games import show
from bench.games.common import BOTH_SEATS, only_box, settle
from samizdat.kernel.box import Box
from samizdat.kernel.game import Definition
from samizdat.kernel.luck import Luck
from samizdat.kernel.moves import Kind, MoveList, Names
from samizdat.kernel.records import Ints, Record, scalar
from samizdat.kernel.rule import rule
from samizdat.kernel.scoring import Score

RULES_VERSION = 1

COLUMNS = 7
ROWS = 6
HEIGHT = ROWS + 1  # bits of a column
BOTTOM = sum(1 << (HEIGHT * column) for column in range(COLUMNS))
TOP = BOTTOM << (ROWS - 1)
CELLS = BOTTOM * ((1 << ROWS) - 1)

REASONS = ("running", "four", "full")
FOUR, FULL = 1, 2


class Printed(Record):
    """The frame. The layout of the bit sets is made for this size, so the rules do not ask for it."""

    columns: int = scalar(COLUMNS, COLUMNS, "the frame")
    rows: int = scalar(ROWS, ROWS, "the frame")


def printed() -> Printed:
    box = Printed()
    box.columns = COLUMNS
    box.rows = ROWS
    return box


class State(Record):
    taken: int = scalar(0, CELLS, "every stone")
    waiting: int = scalar(0, CELLS, "the stones of the seat that moved last")
    seats: int = scalar(2, 2, "two play")
    acting: int = scalar(0, BOTH_SEATS, "who may act")
    reason: int = scalar(0, FULL, "why the game ended")
    winner: int = scalar(-1, 1, "who has four in a row; -1 for nobody")


MOVES = MoveList(Kind("drop", column=Names.numbers("columns", 1, COLUMNS)))


@rule
def setup(box: Printed, s: State, luck: Luck) -> None:
    s.acting = 1
    s.winner = -1


@rule
def seats_to_act(s: State) -> int:
    return s.acting


@rule
def legal(box: Printed, s: State, seat: int, moves: Ints) -> int:
    """A stone fits into every column whose top cell is empty."""
    full = s.taken & TOP
    if full == 0:
        # Most positions: seven writes that depend on nothing.
        for column in range(COLUMNS):
            moves[column] = column
        return COLUMNS
    n = 0
    for column in range(COLUMNS):
        # Written always, kept if it counts: the processor need not guess.
        moves[n] = column
        n += 1 - ((full >> (HEIGHT * column + ROWS - 1)) & 1)
    return n


@rule
def four_in_a_row(stones: int) -> bool:
    """Upright, level, and along both diagonals."""
    upright = stones & (stones >> 1)
    level = stones & (stones >> HEIGHT)
    falling = stones & (stones >> (HEIGHT - 1))
    rising = stones & (stones >> (HEIGHT + 1))
    fours = (
        (upright & (upright >> 2))
        | (level & (level >> (2 * HEIGHT)))
        | (falling & (falling >> (2 * (HEIGHT - 1))))
        | (rising & (rising >> (2 * (HEIGHT + 1))))
    )
    return fours != 0


@rule
def play(box: Printed, s: State, luck: Luck, seat: int, move: int) -> None:
    """Adding to the bottom of a column carries up to its lowest empty cell."""
    taken = s.taken | (s.taken + (1 << (HEIGHT * move)))
    moved = taken ^ s.waiting  # the mover's stones, with the new one
    s.taken = taken
    s.waiting = moved
    if four_in_a_row(moved):
        s.winner = s.acting >> 1
        s.acting = 0
        s.reason = FOUR
    elif taken == CELLS:
        s.acting = 0
        s.reason = FULL
    else:
        s.acting ^= BOTH_SEATS


@rule
def hide(box: Printed, s: State, seat: int) -> None:
    """Everything lies open."""


@rule
def guess(box: Printed, s: State, luck: Luck, seat: int) -> None:
    """Nothing is hidden."""


@rule
def score(box: Printed, s: State, out: Score) -> None:
    settle(out, s.reason, 1 - 2 * s.winner if s.winner >= 0 else 0)


# --- Laws ---------------------------------------------------------------------

LAWS = (
    "every law holds",
    "stones lie on cells, and on one another without gaps",
    "the seats have moved in turn",
    "nobody plays on after four in a row",
)


@rule
def stones_in(cells: int) -> int:
    n = 0
    while cells:
        cells &= cells - 1
        n += 1
    return n


@rule
def broken(box: Printed, s: State) -> int:
    if s.taken & ~CELLS or s.waiting & ~s.taken:
        return 1
    # One more on top of each column meets no stone if none floats.
    if (s.taken + BOTTOM) & s.taken:
        return 1
    ahead = stones_in(s.waiting) - stones_in(s.taken ^ s.waiting)
    if s.reason == 0 and (ahead < 0 or ahead > 1 or s.acting != 1 + (ahead & 1)):
        return 2
    if four_in_a_row(s.taken ^ s.waiting) or four_in_a_row(s.waiting) != (s.reason == FOUR):
        return 3
    return 0


# --- The game -----------------------------------------------------------------


def longest(box: Box, options: Mapping[str, Any], players: int) -> int:
    """Every decision fills a cell."""
    return COLUMNS * ROWS


GAME = Definition(
    name="connect-four",
    title="Connect Four",
    designers="Howard Wexler, Ned Strongin",
    publishers="Milton Bradley",
    variants={"standard": (2,)},
    options=(),
    state=State,
    printed=Printed,
    moves=MOVES,
    reasons=REASONS,
    read_box=only_box("connect-four", printed()),
    rules=sys.modules[__name__],
    laws=sys.modules[__name__],
    show=show,
    longest=longest,
    all_open=True,
)
