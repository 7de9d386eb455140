"""Puzzles: positions beyond the rulebook in which one decision is clearly best, found by search and checked by it.

A game's `puzzles.json` is a list of::

    {"name": "p01_last_delivery", "title": "…", "ask": "…", "rules": ["2.6.4"],
     "game": {"players": 2, "variant": "base"}, "seat": 0, "start": {…}, "answer": "jump 1 port",
     "exact": false, "simulations": 20000, "novice": 0.25,
     "chances": {"jump 1 port": [0.91, 0.02], "end": [0.22, 0.03], …}}

`start` is as in a match file (`kernel/starts.py`). `chances` has, for every open decision, the share of the win that
the seat may expect after it and half of its 95 % interval; where they are `exact`, each decision ends the match.
`novice` says how often an easy bot finds the answer: the puzzles of a game stand in that order.
`samizdat.lab.find_puzzles` finds such positions and judges them again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from samizdat.kernel.game import Definition, Game
from samizdat.kernel.match import Match
from samizdat.kernel.starts import read_start

FILE = "puzzles.json"


@dataclass(frozen=True)
class Puzzle:
    """One position, whose decision it is, and how good each decision is there."""

    name: str
    title: str
    ask: str
    rules: tuple[str, ...]
    options: Mapping[str, Any]  # what is chosen before the deal
    seat: int
    start: Mapping[str, Any]
    answer: str
    exact: bool
    simulations: int
    novice: float
    chances: Mapping[str, tuple[float, float]]

    @property
    def second(self) -> str:
        """The best of the other decisions."""
        return max((one for one in self.chances if one != self.answer), key=lambda one: self.chances[one][0])

    @property
    def margin(self) -> float:
        """By how much the answer is better than any other, at the least, as far as both are known."""
        share, error = self.chances[self.answer]
        return share - error - max(sum(chance) for one, chance in self.chances.items() if one != self.answer)

    def game(self, definition: Definition) -> Game:
        return definition.choose(**self.options)

    def match(self, definition: Definition, seed: int = 0) -> Match:
        """A match at the position of the puzzle."""
        game = self.game(definition)
        return Match(game, seed, start=read_start(game, self.start, trusted=True))


def read_puzzles(definition: Definition) -> list[Puzzle]:
    """The puzzles of a game, the easy ones first; none where it has no such file."""
    path = definition.folder / FILE
    if not path.is_file():
        return []
    return [_read(one) for one in json.loads(path.read_text(encoding="utf-8"))]


def _read(data: Mapping[str, Any]) -> Puzzle:
    chances = {notation: (float(share), float(error)) for notation, (share, error) in data["chances"].items()}
    return Puzzle(
        data["name"], data["title"], data["ask"], tuple(data["rules"]), data["game"], data["seat"], data["start"],
        data["answer"], data["exact"], data["simulations"], data["novice"], chances,
    )  # fmt: skip
