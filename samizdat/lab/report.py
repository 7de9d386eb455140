"""What a simulation found, in numbers with their uncertainty."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from samizdat.kernel.game import Game
from samizdat.kernel.scoring import shares_of_wins
from samizdat.lab.simulation import Results

Z = 1.96  # 95 % of a normal distribution lie within so many standard deviations


def share_interval(successes: float, trials: int, z: float = Z) -> tuple[float, float]:
    """Wilson's interval for a share, 95 % unless told otherwise."""
    if trials == 0:
        return 0.0, 1.0
    p = successes / trials
    centre = (p + z * z / (2 * trials)) / (1 + z * z / trials)
    half = z * math.sqrt(p * (1 - p) / trials + z * z / (4 * trials * trials)) / (1 + z * z / trials)
    return max(0.0, centre - half), min(1.0, centre + half)


@dataclass(frozen=True)
class Distribution:
    """How often each value came up: as exact as a list of them all, and no longer than there are different ones."""

    values: npt.NDArray[Any]  # from the least to the greatest
    counts: npt.NDArray[np.int64]

    @classmethod
    def of(cls, found: npt.NDArray[Any]) -> Distribution:
        values, counts = np.unique(found, return_counts=True)
        return cls(values, counts.astype(np.int64))

    def __add__(self, other: Distribution) -> Distribution:
        values = np.union1d(self.values, other.values)
        counts = np.zeros(len(values), np.int64)
        for one in (self, other):
            counts[np.searchsorted(values, one.values)] += one.counts
        return Distribution(values, counts)

    @property
    def number(self) -> int:
        return int(self.counts.sum())

    @property
    def total(self) -> float:
        return float(self.values @ self.counts)

    def summary(self) -> dict[str, float]:
        """Mean, spread and quantiles."""
        mean = self.total / self.number
        low, quarter, median, three_quarters, high = (self._quantile(part) for part in (0, 0.25, 0.5, 0.75, 1))
        return {
            "mean": mean, "sd": math.sqrt(float((self.values - mean) ** 2 @ self.counts) / self.number), "min": low,
            "q1": quarter, "median": median, "q3": three_quarters, "max": high,
        }  # fmt: skip

    def _quantile(self, part: float) -> float:
        """Between two neighbours in the list of all values, in proportion."""
        place = part * (self.number - 1)
        below = math.floor(place)
        ends = np.cumsum(self.counts)
        low, high = (
            float(self.values[np.searchsorted(ends, rank, side="right")])
            for rank in (below, min(below + 1, self.number - 1))
        )
        return low + (high - low) * (place - below)


@dataclass(frozen=True)
class Report:
    """Everything that `samizdat sim` says of some games; two of them add up to that of all their games."""

    games: int
    wins: list[float]  # by seat: a victory shared by two counts half
    points: list[Distribution]  # by seat
    lost_by_all: int
    reasons: Distribution  # as the game numbers them
    lengths: Distribution
    figures: dict[str, Distribution]

    @classmethod
    def of(cls, game: Game, results: Results) -> Report:
        scores = results.scores
        shares = shares_of_wins(scores["rank"][:, : game.players])
        return cls(
            len(results.lengths),
            [float(shares[:, seat].sum()) for seat in range(game.players)],
            [Distribution.of(scores["points"][:, seat]) for seat in range(game.players)],
            int((shares.sum(axis=1) == 0).sum()),
            Distribution.of(scores["reason"]),
            Distribution.of(results.lengths),
            {name: Distribution.of(of(results.states)) for name, of in game.definition.show.FIGURES.items()},
        )

    def __add__(self, other: Report) -> Report:
        return Report(
            self.games + other.games,
            [one + more for one, more in zip(self.wins, other.wins, strict=True)],
            [one + more for one, more in zip(self.points, other.points, strict=True)],
            self.lost_by_all + other.lost_by_all,
            self.reasons + other.reasons,
            self.lengths + other.lengths,
            {name: one + other.figures[name] for name, one in self.figures.items()},
        )

    def reasons_of(self, game: Game) -> dict[str, int]:
        """How often games ended how."""
        names = game.definition.reasons
        return {
            names[int(reason)]: int(count)
            for reason, count in zip(self.reasons.values, self.reasons.counts, strict=True)
        }

    def to_json(self, game: Game) -> dict[str, Any]:
        """The same as plain data."""
        return {
            "game": game.name,
            "variant": game.variant,
            "players": game.players,
            "options": dict(game.options),
            "games": self.games,
            "seats": [
                {
                    "win_share": wins / self.games,
                    "win_share_95": share_interval(wins, self.games),
                    "points": points.summary(),
                }
                for wins, points in zip(self.wins, self.points, strict=True)
            ],
            "lost_by_all": self.lost_by_all,
            "reasons": self.reasons_of(game),
            "decisions": self.lengths.summary(),
            "figures": {name: values.summary() for name, values in self.figures.items()},
        }
