"""Counting a whole game tree with scripted luck, apart from the tree that OpenSpiel is shown.

python -m tests.enumeration GAME    counts the tree of the game's reduced box
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

from samizdat.kernel import interpreted as engine
from samizdat.kernel.game import Game, definition
from samizdat.kernel.luck import RecordingLuck
from samizdat.kernel.records import Record


@dataclass(frozen=True)
class Count:
    """Nodes where a seat decides, where luck does, and where the game is over."""

    decisions: int = 0
    chances: int = 0
    ends: int = 0

    def __add__(self, other: Count) -> Count:
        return Count(self.decisions + other.decisions, self.chances + other.chances, self.ends + other.ends)


class Enumeration:
    """Counts from the deal on; what follows from a record depends on nothing else, so it is counted once."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.box = game.box.record
        self.known: dict[bytes, Count] = {}

    def whole(self) -> Count:
        return self.after(self.game.blank(), -1, -1, [])

    def after(self, record: Record, seat: int, move: int, script: list[int]) -> Count:
        """What follows a decision (or the deal) whose first outcomes of luck are given."""
        played, luck = record.copy(), RecordingLuck()
        luck.scripted = len(script)
        for i, outcome in enumerate(script):
            luck.script[i] = outcome
        if seat < 0:
            engine.deal(self.box, played, luck)
        else:
            engine.decide(self.box, played, luck, 1, seat, move)
        if luck.asked == len(script):
            return self.below(played)
        branches = luck.possible[len(script)]
        total = Count(chances=1 if branches > 1 else 0)
        for outcome in range(branches):
            total += self.after(record, seat, move, [*script, outcome])
        return total

    def below(self, record: Record) -> Count:
        key = bytes(record)
        if key not in self.known:
            seats = engine.acting(record)
            total = Count(decisions=1) if seats else Count(ends=1)
            for seat in seats[:1]:
                for move in engine.legal_moves(self.box, record, seat, self.game.capacity):
                    total += self.after(record, seat, move, [])
            self.known[key] = total
        return self.known[key]


def main() -> None:
    chosen: Any = definition(sys.argv[1]).choose(box="reduced")
    print(Enumeration(chosen).whole())


if __name__ == "__main__":
    main()
