"""The GPU engine's kernel plays the games of the CPU, byte for byte; on a card if there is one, and simulated."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from samizdat.conformance.games import DOSE, GIVEN, label, plain_games
from samizdat.kernel import card
from samizdat.kernel.errors import SamizdatError
from samizdat.kernel.game import Game
from samizdat.lab.parity import compare_gpu


def test_the_simulated_card_plays_the_same_games() -> None:
    """In a process of its own: whether Numba simulates is settled when it is imported."""
    ran = subprocess.run(
        [sys.executable, "-m", "samizdat.conformance.simulated_card", *GIVEN],
        env=os.environ | {"NUMBA_ENABLE_CUDASIM": "1"}, check=False, capture_output=True, text=True,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr


@pytest.mark.parametrize("game", plain_games(), ids=label)
def test_the_card_plays_the_same_games(game: Game) -> None:
    try:
        card.load_cuda()
    except SamizdatError as error:
        pytest.skip(str(error))
    assert compare_gpu(game, 2000 * DOSE, seed=7).differs is None
