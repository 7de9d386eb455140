"""Parity: the same games on every engine, compared byte for byte."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from samizdat.kernel import loops
from samizdat.kernel.game import Game
from samizdat.kernel.luck import Dice, Luck
from samizdat.kernel.scoring import Score
from samizdat.lab.simulation import Results, Simulation


@dataclass(frozen=True)
class Parity:
    """How many games and decisions were compared, and the first game that differs, if any."""

    games: int
    decisions: int
    differs: int | None


def compare_interpreted(game: Game, games: int, seed: int) -> Parity:
    """Interpreted against native."""
    native = Simulation(game, seed).play(games)
    for number in range(games):
        state, score = game.blank(), Score()
        length = loops.random_game(
            game.box.record, state, score, Luck(), Dice(), seed, number, [0] * game.capacity, game.longest
        )
        same = bytes(state) == native.states[number].tobytes() and bytes(score) == native.scores[number].tobytes()
        if not same or length != native.lengths[number]:
            return Parity(games, int(native.lengths.sum()), number)
    return Parity(games, int(native.lengths.sum()), None)


def compare_gpu(game: Game, games: int, seed: int) -> Parity:
    """GPU against native."""
    from samizdat.kernel.gpu import Gpu

    native = Simulation(game, seed).play(games)
    return _compare(native, Results(*Gpu(game).results(games, seed)))


def _compare(one: Results, other: Results) -> Parity:
    games = len(one.lengths)
    decisions = int(one.lengths.sum())
    rows = [np.ascontiguousarray(array).view(np.uint8).reshape(games, -1) for array in
            (one.states, other.states, one.scores, other.scores, one.lengths, other.lengths)]  # fmt: skip
    differs = (rows[0] != rows[1]).any(1) | (rows[2] != rows[3]).any(1) | (rows[4] != rows[5]).any(1)
    return Parity(games, decisions, int(differs.argmax()) if differs.any() else None)
