"""Interpreted equals native, byte for byte, along whole games."""

from __future__ import annotations

import numpy as np
import pytest

from samizdat.conformance.games import DOSE, every_game, label, plain_games
from samizdat.conformance.walks import native_trace, plain_trace
from samizdat.kernel import loops
from samizdat.kernel.game import Game
from samizdat.kernel.luck import Dice, RecordingLuck, pick
from samizdat.lab.simulation import Simulation


@pytest.mark.parametrize("game", every_game(), ids=label)
def test_interpreted_equals_native(game: Game) -> None:
    for number in range(1 * DOSE):
        native, acted = native_trace(game, 1917, number)
        plain, plain_acted = plain_trace(game, 1917, number, len(acted))
        assert np.array_equal(acted, plain_acted)
        for ply, state in enumerate(native):
            assert bytes(plain[ply]) == state.tobytes(), f"ply {ply}"


@pytest.mark.parametrize("game", plain_games(), ids=label)
def test_a_simulated_game_is_a_match(game: Game) -> None:
    """Game i of a simulation is the match whose seed it names: luck that records draws as the bare one does."""
    seed = 77
    results = Simulation(game, seed).play(3)
    for number in range(3):
        match = game.match(seed + (number << 64))
        dice, heard = Dice(), RecordingLuck()
        loops.begin_game(heard, dice, seed, number)
        while not match.over:
            seat = match.turn[0]
            moves = match.legal(seat)
            match.play(seat, moves[pick(dice, len(moves))])
        assert bytes(match._state) == results.states[number].tobytes()
        assert match.plies == results.lengths[number]
