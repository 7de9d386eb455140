"""What one measurement says, and the loop that makes it."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from time import perf_counter


@dataclass(frozen=True)
class Played:
    """Sums over a number of finished games. Returns are those of the seat that moves first."""

    games: int
    decisions: int
    decisions_squared: int
    returned: float
    returned_squared: float

    def __add__(self, other: Played) -> Played:
        return Played(
            self.games + other.games,
            self.decisions + other.decisions,
            self.decisions_squared + other.decisions_squared,
            self.returned + other.returned,
            self.returned_squared + other.returned_squared,
        )


NOTHING_PLAYED = Played(0, 0, 0, 0.0, 0.0)


@dataclass(frozen=True)
class Measured:
    """One timed run. Decisions are those of players; what chance does is not counted.

    `mean_length` is in decisions, `mean_return` is that of the seat that moves first, both with the standard
    error beside them: they say whether this was the same game, not how fast it went.
    """

    games: int
    decisions: int
    seconds: float
    mean_length: float
    note: str
    length_error: float
    mean_return: float
    return_error: float

    @property
    def games_per_s(self) -> float:
        return self.games / self.seconds

    @property
    def decisions_per_s(self) -> float:
        return self.decisions / self.seconds


@dataclass(frozen=True)
class Tree:
    """A whole game tree, one node a history, and what uniformly random play does in it, exactly.

    `chance` is None where a rival deals inside its reset and so has no such nodes.
    """

    chance: int | None
    decisions: int
    terminals: int
    mean_length: Fraction
    mean_return: Fraction


# What a row's rules reach, by name: positions, nodes of a tree, exact means.
Counts = dict[str, Fraction]


def tree_counts(tree: Tree) -> Counts:
    counts = {
        "decisions": Fraction(tree.decisions),
        "terminals": Fraction(tree.terminals),
        "mean length": tree.mean_length,
        "mean return": tree.mean_return,
    }
    if tree.chance is not None:
        counts["chance"] = Fraction(tree.chance)
    return counts


def mean_and_error(total: float, squares: float, count: int) -> tuple[float, float]:
    mean = total / count
    return mean, sqrt(max(squares / count - mean * mean, 0.0) / count)


def summary(played: Played, seconds: float, note: str) -> Measured:
    length, length_error = mean_and_error(played.decisions, played.decisions_squared, played.games)
    returned, return_error = mean_and_error(played.returned, played.returned_squared, played.games)
    return Measured(
        games=played.games,
        decisions=played.decisions,
        seconds=seconds,
        mean_length=length,
        note=note,
        length_error=length_error,
        mean_return=returned,
        return_error=return_error,
    )


def timed(play: Callable[[int], Played], seconds: float, note: str) -> Measured:
    """Play for at least `seconds`.

    The first, short call is not counted: it compiles and warms up. Calls then grow until each is long enough
    that looking at the clock between them costs nothing.
    """
    play(1)
    size = 1
    total = NOTHING_PLAYED
    spent = 0.0
    while spent < seconds:
        before = perf_counter()
        played = play(size)
        took = perf_counter() - before
        total += played
        spent += took
        if took < seconds / 100:
            size *= 2
    return summary(total, spent, note)


def best(runs: list[Measured]) -> Measured:
    return max(runs, key=lambda run: run.games_per_s)


def median_games_per_s(runs: list[Measured]) -> float:
    return statistics.median(run.games_per_s for run in runs)
