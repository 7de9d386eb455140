"""What somebody's matches come to in numbers: how often they win, with how much doubt, and what would be fair."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from samizdat.kernel.scoring import share_of_win
from samizdat.table.store import matches
from samizdat.table.store.store import Store

ENOUGH = 10  # matches from which on there is a win rate
MOST_ROWS = 6
MOST_BARS = 12


@dataclass(frozen=True)
class Opponent:
    """Whoever else sat there."""

    name: str
    level: str  # of a bot; empty for people


@dataclass(frozen=True)
class Finished:
    """One finished match, as one of its players looks back on it."""

    row: Any
    seats: tuple[int, ...]  # their own
    others: tuple[Opponent, ...]

    @property
    def seat(self) -> int:
        return self.seats[0]

    @property
    def rank(self) -> int:
        return int(min(self.row.result["ranks"][seat] for seat in self.seats))

    @property
    def lost_by_all(self) -> bool:
        return 1 not in self.row.result["ranks"]

    @property
    def score(self) -> int:
        return int(self.row.result["scores"][self.seat])

    @property
    def best_other(self) -> int | None:
        rest = [score for seat, score in enumerate(self.row.result["scores"]) if seat not in self.seats]
        return max(rest) if rest else None

    @property
    def won(self) -> float:
        """The share of the win: it is divided among those who share it."""
        return share_of_win(self.row.result["ranks"], self.row.players, self.seat)

    @property
    def counts(self) -> bool:
        """Whether it says something: one seat among several, from the deal to the end."""
        return len(self.seats) == 1 and self.row.players > 1 and not self.row.imported and self.row.start is None


def looked_back(store: Store, player: str) -> list[Finished]:
    """All finished matches of somebody, the newest first."""
    rows = matches.finished(store, player)
    ids = [row.id for row in rows]
    chairs, held = store.seats_of(ids), store.held_by(player, ids)
    return [
        Finished(
            row, tuple(sorted(held[row.id])),
            tuple(Opponent(chair.name, chair.level) for chair in chairs[row.id] if chair.seat not in held[row.id]),
        )
        for row in rows
    ]  # fmt: skip


@dataclass(frozen=True)
class Share:
    """How often somebody wins in matches of one kind."""

    label: str
    matches: int
    value: float
    low: float  # with the next, 95 of 100 such intervals hold the truth
    high: float
    fair: float

    @property
    def enough(self) -> bool:
        return self.matches >= ENOUGH


def share(label: str, played: Sequence[Finished]) -> Share:
    n = len(played)
    value = sum(one.won for one in played) / n
    low, high = wilson(value, n)
    return Share(label, n, value, low, high, sum(1 / one.row.players for one in played) / n)


def wilson(share: float, n: int, z: float = 1.96) -> tuple[float, float]:
    """Wilson's interval: honest also for few matches and at the edges."""
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return max(0.0, middle - half), min(1.0, middle + half)


def shares(played: Iterable[Finished], labels: Callable[[Finished], Iterable[str]]) -> list[Share]:
    """One share for each label that a match can have, the most frequent first."""
    groups: dict[str, list[Finished]] = {}
    for one in played:
        for label in dict.fromkeys(labels(one)):
            groups.setdefault(label, []).append(one)
    found = [share(label, those) for label, those in groups.items()]
    return sorted(found, key=lambda one: -one.matches)[:MOST_ROWS]


@dataclass(frozen=True)
class Bars:
    """How often what was scored: equal steps from the first edge on."""

    first: int
    step: int
    counts: tuple[int, ...]
    mean: float


def bars(scores: Sequence[int]) -> Bars:
    """Steps of a round width, so many that the whole fits."""
    low, high = min(scores), max(scores)
    step = next(
        size * 10**power for power in range(10) for size in (1, 2, 5)
        if (high // (size * 10**power)) - (low // (size * 10**power)) < MOST_BARS
    )  # fmt: skip
    first = low // step * step
    counts = [0] * ((high - first) // step + 1)
    for score in scores:
        counts[(score - first) // step] += 1
    return Bars(first, step, tuple(counts), sum(scores) / len(scores))
