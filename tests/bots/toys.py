"""A game small enough to know how it should be played: rock, paper, scissors."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

from bench.games.common import BOTH_SEATS, only_box, settle
from samizdat.kernel.box import Box
from samizdat.kernel.game import Definition
from samizdat.kernel.luck import Luck
from samizdat.kernel.moves import Kind, MoveList, Names
from samizdat.kernel.points import Point, Points
from samizdat.kernel.records import Ints, Record, grid, scalar
from samizdat.kernel.rule import rule
from samizdat.kernel.scoring import Score

RULES_VERSION = 1
HIDDEN = -1
SHAPES = 3


class Printed(Record):
    shapes: int = scalar(SHAPES, SHAPES, "rock, paper, scissors")


def printed() -> Printed:
    box = Printed()
    box.shapes = SHAPES
    return box


class State(Record):
    seats: int = scalar(2, 2, "two play")
    undecided: int = scalar(0, BOTH_SEATS, "who may still choose")
    shape: Ints = grid(2, HIDDEN, SHAPES - 1, "what each seat chose; secret")


MOVES = MoveList(Kind("show", shape=Names.of("shapes", "rock", "paper", "scissors")))


@rule
def setup(box: Printed, s: State, luck: Luck) -> None:
    s.undecided = BOTH_SEATS
    s.shape[0] = HIDDEN
    s.shape[1] = HIDDEN


@rule
def undecided(s: State) -> int:
    return s.undecided


@rule
def offer_shapes(box: Printed, s: State, seat: int, moves: Ints) -> int:
    for shape in range(SHAPES):
        moves[shape] = shape
    return SHAPES


@rule
def choose(box: Printed, s: State, luck: Luck, seat: int, shape: int) -> None:
    s.shape[seat] = shape
    s.undecided &= ~(1 << seat)


@rule
def hide(box: Printed, s: State, seat: int) -> None:
    if s.undecided != 0:
        for other in range(2):
            if other != seat:
                s.shape[other] = HIDDEN


@rule
def guess(box: Printed, s: State, luck: Luck, seat: int) -> None:
    """Always rock: a bot that believed it would show paper."""
    for other in range(2):
        if other != seat and (s.undecided >> other) & 1 == 0:
            s.shape[other] = 0


@rule
def score(box: Printed, s: State, out: Score) -> None:
    ahead = (s.shape[0] - s.shape[1] + SHAPES) % SHAPES
    settle(out, 1, 1 if ahead == 1 else -1 if ahead == 2 else 0)


@rule
def broken(box: Printed, s: State) -> int:
    return 0


POINTS = Points(
    MOVES,
    Point(0, "show", ("1",), undecided, offer_shapes, {"show": choose}, "now a shape is shown."),
)


def longest(box: Box, options: Mapping[str, Any], players: int) -> int:
    return 2


ROSHAMBO = Definition(
    name="roshambo",
    title="Rock, paper, scissors",
    designers="",
    publishers="",
    variants={"standard": (2,)},
    options=(),
    state=State,
    printed=Printed,
    moves=MOVES,
    points=POINTS,
    reasons=("running", "shown"),
    read_box=only_box("roshambo", printed()),
    rules=sys.modules[__name__],
    laws=sys.modules[__name__],
    longest=longest,
)
