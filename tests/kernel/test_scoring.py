"""Who wins how much: one rule, by the seat and for many games at once."""

from __future__ import annotations

import itertools

import numpy as np

from samizdat.kernel.bits import least, lowest, nth, size
from samizdat.kernel.scoring import MOST_SEATS, returns, shares_of_win, shares_of_wins


def test_winners_share_one_win() -> None:
    assert shares_of_win([1, 2, 1, 4]) == [0.5, 0.0, 0.5, 0.0]
    assert shares_of_win([2, 2]) == [0.0, 0.0]
    assert returns([1, 2, 2], 3) == [1 - 1 / 3, -1 / 3, -1 / 3]
    assert returns([1], 2) == [0.5]


def test_one_game_and_many_are_shared_out_alike() -> None:
    ranks = np.array(list(itertools.product((1, 2, 3), repeat=4)))
    assert shares_of_wins(ranks).tolist() == [shares_of_win(row) for row in ranks.tolist()]


def test_sets_of_seats() -> None:
    for seats in range(1, 1 << MOST_SEATS):
        members = [seat for seat in range(MOST_SEATS) if (seats >> seat) & 1]
        assert size(seats) == len(members)
        assert [nth(seats, n) for n in range(len(members))] == members
        assert least(seats) == lowest(seats) == members[0]
