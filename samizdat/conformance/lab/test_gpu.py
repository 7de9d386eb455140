"""The GPU engine's kernel plays the games of the CPU, byte for byte; on a card if there is one, and without one."""

from __future__ import annotations

import pytest

from samizdat.conformance.card import Card
from samizdat.conformance.games import DOSE, label, plain_games
from samizdat.kernel import gpu
from samizdat.kernel.errors import SamizdatError
from samizdat.kernel.game import Game
from samizdat.lab.parity import compare_gpu

EVERY_GAME = pytest.mark.parametrize("game", plain_games(), ids=label)


@EVERY_GAME
def test_the_kernel_plays_the_same_games(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpu, "load_cuda", lambda: Card(game))
    assert compare_gpu(game, 2 * DOSE, seed=7).differs is None


@EVERY_GAME
def test_the_card_plays_the_same_games(game: Game) -> None:
    try:
        gpu.load_cuda()
    except SamizdatError as error:
        pytest.skip(str(error))
    assert compare_gpu(game, 2000 * DOSE, seed=7).differs is None
