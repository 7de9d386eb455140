"""Connect Four: the record and the rules. Column c of the board owns the bits 7c to 7c+6, lowest first; the seventh
stays empty, so that a shifted board never joins the top of one column to the bottom of the next.
"""

from __future__ import annotations

from typing import Any

from samizdat.kernel.luck import EVERYONE, Luck, tell
from samizdat.kernel.moves import Kind, MoveList, Names
from samizdat.kernel.points import Point, Points
from samizdat.kernel.records import Ints, Record, scalar
from samizdat.kernel.rule import rule
from samizdat.kernel.scoring import Score
from samizdat.kernel.telling import template

RULES_VERSION = 1

COLUMNS, ROWS = 7, 6
CELLS_IN_ALL = COLUMNS * ROWS
HEIGHT = ROWS + 1  # bits of a column
BOTTOM = sum(1 << (HEIGHT * column) for column in range(COLUMNS))
TOP = BOTTOM << (ROWS - 1)
CELLS = BOTTOM * ((1 << ROWS) - 1)
BOTH_SEATS = 3  # as a bit set
REASONS = ("running", "four", "full")
FOUR, FULL = 1, 2
DROPS = 1  # what is told: who, and into which column


class State(Record):
    taken: int = scalar(0, CELLS, "C2: every disc")
    waiting: int = scalar(0, CELLS, "C2: the discs of the seat that moved last")
    seats: int = scalar(2, 2, "C1")
    acting: int = scalar(0, BOTH_SEATS, "C1: who may act")
    reason: int = scalar(0, FULL, "C3, C4")
    winner: int = scalar(-1, 1, "C3: who has four in a row; -1 for nobody")


MOVES = MoveList(Kind("drop", column=Names.numbers("columns", 1, COLUMNS)))


@rule
def setup(box: Any, s: State, luck: Luck) -> None:
    """C1"""
    s.acting = 1
    s.winner = -1


@rule
def whose_turn(s: State) -> int:
    """C1"""
    return s.acting


@rule
def open_columns(box: Any, s: State, seat: int, moves: Ints) -> int:
    """C2: a disc fits into every column whose top cell is empty."""
    full = s.taken & TOP
    if full == 0:  # most positions: seven writes that depend on nothing
        for column in range(COLUMNS):
            moves[column] = column
        return COLUMNS
    n = 0
    for column in range(COLUMNS):
        moves[n] = column  # written always, kept if it counts: the processor need not guess
        n += 1 - ((full >> (HEIGHT * column + ROWS - 1)) & 1)
    return n


@rule
def four_in_a_row(discs: int) -> bool:
    """C3: upright, level, and along both diagonals."""
    upright = discs & (discs >> 1)
    level = discs & (discs >> HEIGHT)
    falling = discs & (discs >> (HEIGHT - 1))
    rising = discs & (discs >> (HEIGHT + 1))
    fours = upright & (upright >> 2)
    fours |= level & (level >> (2 * HEIGHT))
    fours |= falling & (falling >> (2 * (HEIGHT - 1)))
    fours |= rising & (rising >> (2 * (HEIGHT + 1)))
    return fours != 0


@rule
def drop(box: Any, s: State, luck: Luck, seat: int, column: int) -> None:
    """C2: adding to the bottom of a column carries up to its lowest empty cell."""
    tell(luck, EVERYONE, DROPS, seat, column)
    taken = s.taken | (s.taken + (1 << (HEIGHT * column)))
    moved = taken ^ s.waiting  # the mover's discs, with the new one
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


POINTS = Points(
    MOVES,
    Point(
        0, "turn", ("C2", "C1"), who=whose_turn, offers=open_columns, takes={"drop": drop},
        asks=template("a disc goes into a column that has room."),
    ),
)  # fmt: skip


@rule
def score(box: Any, s: State, out: Score) -> None:
    """C3, C4"""
    for seat in range(2):
        out.points[seat] = 0 if s.winner < 0 else (1 if s.winner == seat else -1)
        out.rank[seat] = 1 if s.winner < 0 or s.winner == seat else 2
    out.reason = s.reason
