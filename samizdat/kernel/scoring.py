"""What a game's `score` writes, and what a result is worth to each seat."""

from __future__ import annotations

from samizdat.kernel.records import Ints, Record, grid, scalar

MOST_SEATS = 6
RUNNING = 0  # the first reason of every game: it has not ended


class Score(Record):
    """Points and ranks by seat, and why the game ended."""

    points: Ints = grid(MOST_SEATS, -(1 << 31), (1 << 31) - 1, "points as the rulebook counts them")
    rank: Ints = grid(MOST_SEATS, 0, MOST_SEATS + 1, "1 for the winners; nobody has 1 in a common defeat")
    reason: int = scalar(0, 255, "index into the game's REASONS; 0 while it runs")


def returns(ranks: list[int], fair_seats: int) -> list[float]:
    """Each seat's share of the win minus a fair share (design: worth).

    1/k - 1/n for each of k winners among n seats, -1/n for the others; in a common defeat -1/n for all.
    The solitaire counts as two seats, the second being the game itself.
    """
    winners = sum(rank == 1 for rank in ranks)
    return [(1 / winners if rank == 1 else 0.0) - 1 / fair_seats for rank in ranks]
