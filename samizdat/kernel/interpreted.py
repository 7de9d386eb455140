"""The interpreted engine: the rules as they are written, on one record at a time.

Nothing to compile, so a first move never waits; every write is checked against the field's type.
"""

from __future__ import annotations

from typing import Any

from samizdat.kernel.contract import RULES_OF
from samizdat.kernel.luck import Luck, begin
from samizdat.kernel.records import Record
from samizdat.kernel.scoring import Score


class Batch:
    """An array of records as the loops expect it: elements are views, assignment copies bytes."""

    def __init__(self, kind: type[Record], size: int) -> None:
        self.records = [kind() for _ in range(size)]

    def __len__(self) -> int:
        return len(self.records)

    def __getitem__(self, index: int) -> Record:
        return self.records[index]

    def __setitem__(self, index: int, value: Record) -> None:
        self.records[index].become(value)


def legal_moves(box: Record, state: Record, seat: int, capacity: int) -> list[int]:
    """The ids of the decisions open to a seat, ascending."""
    moves: Any = [0] * capacity
    return list(moves[: RULES_OF[type(state)].legal(box, state, seat, moves)])


def acting(state: Record) -> tuple[int, ...]:
    """The seats that may decide now."""
    seats = RULES_OF[type(state)].seats_to_act(state)
    return tuple(seat for seat in range(seats.bit_length()) if (seats >> seat) & 1)


SPECTATOR = -1  # the number of a viewer without a seat


def hidden(box: Record, state: Record, seat: int) -> Record:
    """A copy of a state with all and only what that seat, or a spectator, may know."""
    view = state.copy()
    RULES_OF[type(view)].hide(box, view, seat)
    return view


def scored(box: Record, state: Record) -> Score:
    out = Score()
    RULES_OF[type(state)].score(box, state, out)
    return out


def deal(box: Record, state: Record, luck: Luck) -> None:
    begin(luck, 0)
    RULES_OF[type(state)].setup(box, state, luck)


def decide(box: Record, state: Record, luck: Luck, ply: int, seat: int, move: int) -> None:
    begin(luck, ply)
    RULES_OF[type(state)].play(box, state, luck, seat, move)
