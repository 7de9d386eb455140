"""Ratings of people (OpenSkill, Plackett-Luce): a number and how sure it is, from matches at rated tables."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from samizdat.table.house import House
from samizdat.table.store import ratings as stored
from samizdat.table.store.ratings import Strength
from samizdat.table.tables import LiveTable

ENOUGH = 15  # rated matches from which on there is a number; before, there are only words
MIDDLE, SCALE = 1500, 24.0  # how a newcomer's mean is written, and what one of the model's points is on that scale
SURE = 1.96  # standard deviations to either side: 95 of 100


@functools.cache
def _model() -> Any:
    from openskill.models import PlackettLuce  # takes a moment to import, and most processes never rate

    return PlackettLuce()


def updated(before: Sequence[Strength | None], ranks: Sequence[int]) -> list[Strength]:
    """What a match makes of its players: the better the rank, and the less it was to be expected, the more."""
    model = _model()
    teams = [[model.rating() if one is None else model.rating(mu=one.mu, sigma=one.sigma)] for one in before]
    return [Strength(team[0].mu, team[0].sigma) for team in model.rate(teams, ranks=[float(rank) for rank in ranks])]


@dataclass(frozen=True)
class RatingPoint:
    """A rating as it is written."""

    value: int
    doubt: int  # to either side
    match: str
    at: float


@dataclass(frozen=True)
class Rating:
    """Somebody's rating in one game, and how it came to be."""

    game: str
    course: tuple[RatingPoint, ...]

    @property
    def matches(self) -> int:
        return len(self.course)

    @property
    def now(self) -> RatingPoint | None:
        """The number, once there is one."""
        return self.course[-1] if self.matches >= ENOUGH else None

    def change(self, match: str) -> int | None:
        """What a match changed, among those that were numbers."""
        for old, new in zip((RatingPoint(MIDDLE, 0, "", 0.0), *self.course), self.course, strict=False):
            if new.match == match:
                return new.value - old.value
        return None


def _point(row: Any) -> RatingPoint:
    value = MIDDLE + SCALE * (row.mu - _model().mu)
    return RatingPoint(round(value), round(SURE * SCALE * row.sigma), row.match, row.at)


class Ratings:
    """Counts matches as they end."""

    def __init__(self, house: House) -> None:
        self.house = house
        self._tasks: set[asyncio.Task[None]] = set()
        house.on_end = self.count

    def count(self, table: LiveTable) -> None:
        """A match has ended."""
        if table.rated:
            task = asyncio.get_running_loop().create_task(asyncio.to_thread(self.settle))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def settle(self) -> None:
        """Count what is over and was not counted: also what ended just before a process did."""
        for id in stored.pending(self.house.store):
            stored.settle(self.house.store, id, updated)

    def of(self, player: str) -> dict[str, Rating]:
        """A player's ratings by game."""
        found: dict[str, list[RatingPoint]] = {}
        for row in stored.steps(self.house.store, player):
            found.setdefault(row.game, []).append(_point(row))
        return {game: Rating(game, tuple(course)) for game, course in found.items()}
