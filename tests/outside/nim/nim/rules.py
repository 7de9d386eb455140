"""Take the last stick of a heap.

- **N1** Two players take turns; at first there are fifteen sticks.
- **N2** Take one to three sticks. Whoever takes the last one wins.
"""

from __future__ import annotations

from typing import Any

from samizdat.kernel.luck import Luck
from samizdat.kernel.moves import Kind, MoveList, Names
from samizdat.kernel.points import Point, Points
from samizdat.kernel.records import Ints, Record, scalar
from samizdat.kernel.rule import rule
from samizdat.kernel.scoring import Score
from samizdat.kernel.telling import template

RULES_VERSION = 1

STICKS, MOST = 15, 3
BOTH_SEATS = 3  # as a bit set
REASONS = ("running", "last_stick")


class State(Record):
    sticks: int = scalar(0, STICKS, "N1")
    seats: int = scalar(2, 2, "N1")
    acting: int = scalar(0, BOTH_SEATS, "N1: who may act")
    winner: int = scalar(-1, 1, "N2; -1 for nobody yet")


MOVES = MoveList(Kind("take", number=Names.numbers("numbers", 1, MOST)))


@rule
def setup(box: Any, s: State, luck: Luck) -> None:
    """N1"""
    s.sticks = STICKS
    s.acting = 1
    s.winner = -1


@rule
def whose_turn(s: State) -> int:
    """N1"""
    return s.acting


@rule
def open_numbers(box: Any, s: State, seat: int, moves: Ints) -> int:
    """N2"""
    for number in range(min(MOST, s.sticks)):
        moves[number] = number
    return min(MOST, s.sticks)


@rule
def take(box: Any, s: State, luck: Luck, seat: int, number: int) -> None:
    """N2"""
    s.sticks -= number + 1
    s.acting ^= BOTH_SEATS
    if s.sticks == 0:
        s.winner = seat
        s.acting = 0


POINTS = Points(
    MOVES,
    Point(
        0, "turn", ("N2", "N1"), who=whose_turn, offers=open_numbers, takes={"take": take},
        asks=template("one to three sticks are taken."),
    ),
)  # fmt: skip


@rule
def score(box: Any, s: State, out: Score) -> None:
    """N2"""
    for seat in range(s.seats):
        out.points[seat] = 1 if s.winner == seat else 0
        out.rank[seat] = 1 if s.winner < 0 or s.winner == seat else 2
    out.reason = 1 if s.winner >= 0 else 0
