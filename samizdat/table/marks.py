"""Marks: which elements of a page show what a sentence speaks of.

A game's board says under which id it draws the rows of a table of its box (`MARKS`); where a sentence goes from one
place to another, the mark is an arrow, `from>to`.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from samizdat.kernel.game import Game
from samizdat.kernel.telling import Described, Line, Listing, Many, Phrase, Word
from samizdat.table.language import seat_word

Seats = Mapping[Word, int]


def seat_names(game: Game) -> Seats:
    """Of each seat, the word by which a record speaks of it."""
    return {seat_word(game, seat): seat for seat in range(game.players)}


def words(thing: Any) -> Iterator[Word]:
    """The components that something told speaks of, in its order."""
    if isinstance(thing, Word):
        yield thing
    elif isinstance(thing, Described):
        yield thing.word
    elif isinstance(thing, Line | Phrase | Many):
        for value in thing.values.values():
            yield from words(value)
    elif isinstance(thing, Listing):
        for item in thing.items:
            yield from words(item)


def marks(lines: Sequence[Line], patterns: Mapping[str, str], seats: Seats) -> list[str]:
    """Ids and arrows, each once."""
    found: dict[str, None] = {}
    for line in lines:
        named = [word for word in words(line) if word.table in patterns]
        ids = [patterns[word.table].format(word.id) for word in named]
        ways = [f"{a}>{b}" for a, b in itertools.pairwise(ids) if a != b and a.split("-")[0] == b.split("-")[0]]
        if len(ways) == 1 and "from" in line.text:
            found.setdefault(ways[0])
        found |= dict.fromkeys(ids)
    if not found:
        spoken = [word for line in lines for word in words(line)]
        found = dict.fromkeys(f"seat-{seats[one]}" for one in spoken if one in seats)
    return list(found)
