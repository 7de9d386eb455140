"""What a game's `score` writes, and what a result is worth to each seat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from samizdat.kernel.records import Ints, Record, grid, scalar
from samizdat.kernel.rule import rule

MOST_SEATS = 6  # of any game: results, audiences and what the table shows have room for so many
RUNNING = 0  # the first reason of every game: it has not ended


class Score(Record):
    """Points and ranks by seat, and why the game ended."""

    points: Ints = grid(MOST_SEATS, -(1 << 31), (1 << 31) - 1, "points as the rulebook counts them")
    rank: Ints = grid(MOST_SEATS, 0, MOST_SEATS + 1, "1 for the winners; nobody has 1 in a common defeat")
    reason: int = scalar(0, 255, "index into the game's REASONS; 0 while it runs")


@rule
def share_of_win(ranks: Any, seats: int, seat: int) -> float:
    """1/k for each of k winners, nothing for anyone else, nor for anybody in a common defeat."""
    if ranks[seat] != 1:
        return 0.0
    winners = 0
    for other in range(seats):
        if ranks[other] == 1:
            winners += 1
    return 1.0 / winners


def shares_of_win(ranks: Sequence[int]) -> list[float]:
    """That of every seat."""
    return [share_of_win(ranks, len(ranks), seat) for seat in range(len(ranks))]


def shares_of_wins(ranks: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """The same for many games at once, a row each."""
    won = ranks == 1
    shares: npt.NDArray[np.float64] = won / np.maximum(won.sum(axis=1, keepdims=True), 1)
    return shares


def returns(ranks: Sequence[int], fair_seats: int) -> list[float]:
    """Each seat's share of the win minus a fair share (design: worth).

    1/k - 1/n for each of k winners among n seats, -1/n for the others; in a common defeat -1/n for all.
    The solitaire counts as two seats, the second being the game itself.
    """
    return [share - 1 / fair_seats for share in shares_of_win(ranks)]
