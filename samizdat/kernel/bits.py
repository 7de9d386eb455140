"""Small sets, as bits of a number: seats that may decide, cards seen, scouts chosen."""

from __future__ import annotations

from samizdat.kernel.rule import rule


@rule
def size(members: int) -> int:
    """How many members a set has."""
    n = 0
    while members:
        members &= members - 1
        n += 1
    return n


@rule
def nth(members: int, n: int) -> int:
    """The n-th member of a set, counted from 0."""
    member = 0
    while True:
        if (members >> member) & 1:
            if n == 0:
                return member
            n -= 1
        member += 1


@rule
def least(members: int) -> int:
    """The first member of a set that is not empty."""
    member = 0
    while (members >> member) & 1 == 0:
        member += 1
    return member


@rule
def lowest(seats: int) -> int:
    """The same for a set of seats, below eight; without a loop, as the seat in turn is hard to foresee."""
    first = seats & -seats
    return (1 if first & 0xAA else 0) | (2 if first & 0xCC else 0) | (4 if first & 0xF0 else 0)
