"""Whole random games of everything: laws after every decision, a named end within the stated bound, bounds held."""

from __future__ import annotations

import numpy as np
import pytest

from samizdat.conformance.games import DOSE, every_game, label, plain_games
from samizdat.conformance.walks import native_trace
from samizdat.kernel.game import Game
from samizdat.kernel.loops import NOTHING_OPEN, TOO_LONG
from samizdat.kernel.luck import Dice, Luck
from samizdat.kernel.scoring import Score, returns

DECISIONS = 400_000 * DOSE  # checked for each way of setting up a game, at least


@pytest.mark.parametrize("game", every_game(), ids=label)
def test_laws_hold_after_every_decision(game: Game) -> None:
    definition = game.definition
    batch = 250
    checked, first = 0, 0
    lucks, dices = np.zeros(1, Luck.dtype), np.zeros(1, Dice.dtype)
    found = np.zeros(3, np.int64)
    while checked < DECISIONS:
        states = np.zeros(batch, definition.state.dtype)
        scores = np.zeros(batch, Score.dtype)
        lengths = np.zeros(batch, np.int64)
        checked += definition.native.simulate_lawful(
            game.box.record.array, game.blank().array, states, scores, lengths,
            lucks, dices, 1944, first, game.moves_buffer(), game.longest, found,
        )  # fmt: skip
        number, ply, law = (int(value) for value in found)
        assert law != NOTHING_OPEN, f"game {number}, ply {ply}: a seat was asked but had nothing to decide"
        assert law == 0, f"game {number}, ply {ply}: {definition.laws.LAWS[law]}"
        assert (lengths != TOO_LONG).all(), f"longer than the stated bound of {game.longest} decisions"
        assert definition.state.out_of_bounds(states) is None
        check_scores(game, scores)
        first += batch


def check_scores(game: Game, scores: np.ndarray) -> None:
    """Every game ended for a named reason, and ranks are ranks."""
    assert (scores["reason"] > 0).all()
    assert (scores["reason"] < len(game.definition.reasons)).all()
    ranks = scores["rank"][:, : game.players]
    assert (ranks >= 1).all()
    for row in np.unique(ranks, axis=0):
        worth = returns([int(rank) for rank in row], game.fair_seats)
        assert all(-1 <= value <= 1 for value in worth)
        if 1 in row and game.fair_seats == game.players:
            assert sum(worth) == pytest.approx(0)


@pytest.mark.parametrize("game", plain_games(), ids=label)
def test_every_field_stays_within_its_bounds_along_the_way(game: Game) -> None:
    """Not only at the end: every state of some games, against every declared bound."""
    for number in range(6 * DOSE):
        assert game.definition.state.out_of_bounds(native_trace(game, 5, number)[0]) is None


@pytest.mark.parametrize("game", plain_games(), ids=label)
def test_the_box_stays_within_its_bounds(game: Game) -> None:
    assert game.definition.printed.out_of_bounds(game.box.record.array) is None
