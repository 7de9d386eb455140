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
    begin = old.rfind("\n", 0, _alike(old, new)) + 1  # where lines begin to differ
    end = old.find("\n", len(old) - _alike_at_the_end(old, new, min(len(old), len(new)) - begin))
    stop = len(new) + end - len(old)  # and where they are the same again
    before = old[begin:end].split("\n") if end >= 0 else old[begin:].split("\n")
    after = new[begin:stop].split("\n") if end >= 0 else new[begin:].split("\n")
    head, tail = old.count("\n", 0, begin), old.count("\n", end) if end >= 0 else 0
    last, where = head + len(before), dict[str, list[int]]()
    pieces: list[Piece] = []
    since, at = 0, head  # lines of the old text that stay, so far
    for line in after:
        if at < last and before[at - head] == line:
            at += 1
            continue
        where = where or _places(before, head)
        found = _next(where.get(line, []), at)
        _stay(pieces, since, at)
        if found is None:
            _put(pieces, line)
        since, at = (at, at) if found is None else (found, found + 1)
    _stay(pieces, since, at)
    _stay(pieces, last, last + tail)
    told = sum(len(piece) for piece in pieces if isinstance(piece, str))
    return tuple(pieces) if told < len(new) / 2 else None


def _alike(old: str, new: str) -> int:
    """How many characters both texts begin with; halved again and again, since whole slices are compared at once."""
    low, high = 0, min(len(old), len(new))
    while low < high:
        middle = (low + high + 1) // 2
        if old[low:middle] == new[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _alike_at_the_end(old: str, new: str, most: int) -> int:
    """How many they end with."""
    low, high, one, other = 0, most, len(old), len(new)
    while low < high:
        middle = (low + high + 1) // 2
        if old[one - middle : one - low] == new[other - middle : other - low]:
            low = middle
        else:
            high = middle - 1
    return low


def _places(lines: list[str], first: int) -> dict[str, list[int]]:
    """The numbers of each line."""
    where: dict[str, list[int]] = {}
    for number, line in enumerate(lines, first):
        where.setdefault(line, []).append(number)
    return where


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
    elif first < end:
        pieces.append((first, end))
