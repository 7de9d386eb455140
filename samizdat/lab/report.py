"""What a simulation found, in numbers with their uncertainty."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
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


@dataclass
class SeatReport:
    """One seat over all games: shares of the win, points."""

    wins: float  # a victory shared by two counts half
    points: npt.NDArray[Any]


@dataclass
class Report:
    """Everything `samizdat sim` prints."""

    game: Game
    games: int
    seats: list[SeatReport]
    lost_by_all: int
    reasons: dict[str, int]
    lengths: npt.NDArray[np.int64]
    figures: dict[str, npt.NDArray[Any]] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """The same as plain data."""
        return {
            "game": self.game.name,
            "variant": self.game.variant,
            "players": self.game.players,
            "options": dict(self.game.options),
            "games": self.games,
            "seats": [
                {
                    "win_share": seat.wins / self.games,
                    "win_share_95": share_interval(seat.wins, self.games),
                    "points": summary(seat.points),
                }
                for seat in self.seats
            ],
            "lost_by_all": self.lost_by_all,
            "reasons": self.reasons,
            "decisions": summary(self.lengths),
            "figures": {name: summary(values) for name, values in self.figures.items()},
        }


def summary(values: npt.NDArray[Any]) -> dict[str, float]:
    """Mean, spread and quantiles of one number a game."""
    low, quarter, median, three_quarters, high = np.quantile(values, [0, 0.25, 0.5, 0.75, 1])
    return {
        "mean": float(values.mean()), "sd": float(values.std()), "min": float(low), "q1": float(quarter),
        "median": float(median), "q3": float(three_quarters), "max": float(high),
    }  # fmt: skip


def make_report(game: Game, pieces: Iterable[Results]) -> Report:
    """Add up the pieces of a simulation; states are looked at piece by piece, so that memory stays small."""
    parts: list[npt.NDArray[Any]] = []
    long: list[npt.NDArray[np.int64]] = []
    found: dict[str, list[npt.NDArray[Any]]] = {name: [] for name in game.definition.show.FIGURES}
    for piece in pieces:
        parts.append(piece.scores)
        long.append(piece.lengths)
        for name, figure in game.definition.show.FIGURES.items():
            found[name].append(figure(piece.states))
    scores, lengths = np.concatenate(parts), np.concatenate(long)
    ranks = scores["rank"][:, : game.players]
    shares = shares_of_wins(ranks)
    names, counts = np.unique(scores["reason"], return_counts=True)
    return Report(
        game=game,
        games=len(lengths),
        seats=[SeatReport(float(shares[:, seat].sum()), scores["points"][:, seat]) for seat in range(game.players)],
        lost_by_all=int((shares.sum(axis=1) == 0).sum()),
        reasons={game.definition.reasons[int(name)]: int(number) for name, number in zip(names, counts, strict=True)},
        lengths=lengths,
        figures={name: np.concatenate(values) for name, values in found.items()},
    )
