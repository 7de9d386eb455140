"""Splices: a part of a page that changed, told by what stays of the old one and what is new.

From step to step a long log gains a line and a board changes in a few places; sent whole, a step late in a match
weighed 50 to 150 KB.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import lru_cache

Piece = str | tuple[int, int]  # new lines, or from which line of the old text up to before which

NEAR = 3  # lines; one that stands there more than once is taken to be the same only so far ahead
FAR = 200  # the same for one that stands there once
KEPT = 32  # answers; several look through the same eyes


@lru_cache(maxsize=KEPT)
def splice(old: str, new: str) -> tuple[Piece, ...] | None:
    """What to make the new text of, line by line; None if little of the old one stays."""
    before, after = old.split("\n"), new.split("\n")
    head = _alike(before, after)
    tail = _alike(before[head:][::-1], after[head:][::-1])
    end = len(before) - tail
    where: dict[str, list[int]] = {}
    for number in range(head, end):
        where.setdefault(before[number], []).append(number)
    pieces: list[Piece] = [(0, head)] if head else []
    at = head
    for line in after[head : len(after) - tail]:
        found = _next(where.get(line, []), at)
        if found is None:
            _put(pieces, line)
        else:
            _stay(pieces, found, found + 1)
            at = found + 1
    if tail:
        _stay(pieces, end, len(before))
    told = sum(len(piece) for piece in pieces if isinstance(piece, str))
    return tuple(pieces) if told < len(new) / 2 else None


def _alike(before: list[str], after: list[str]) -> int:
    """How many lines both texts begin with."""
    number = 0
    for one, other in zip(before, after, strict=False):
        if one != other:
            break
        number += 1
    return number


def _next(places: list[int], at: int) -> int | None:
    index = bisect_left(places, at)
    reach = FAR if len(places) == 1 else NEAR
    return places[index] if index < len(places) and places[index] <= at + reach else None


def _put(pieces: list[Piece], line: str) -> None:
    last = pieces[-1] if pieces else None
    if isinstance(last, str):
        pieces[-1] = f"{last}\n{line}"
    else:
        pieces.append(line)


def _stay(pieces: list[Piece], first: int, end: int) -> None:
    last = pieces[-1] if pieces else None
    if isinstance(last, tuple) and last[1] == first:
        pieces[-1] = (last[0], end)
    else:
        pieces.append((first, end))
