"""Random matches for tests that look at every position on the way, and other worlds that look the same."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from samizdat.kernel import contract, loops
from samizdat.kernel import interpreted as engine
from samizdat.kernel.game import Game
from samizdat.kernel.interpreted import SPECTATOR
from samizdat.kernel.luck import Dice, Luck, begin, seed_luck
from samizdat.kernel.match import Match

Acted = npt.NDArray[np.int64]  # (seat, move, number of choices) of each decision


def walk(match: Match, seed: int) -> Iterator[Match]:
    """The match before its next decision and after each of the random ones that end it."""
    dice = random.Random(seed)
    yield match
    while not match.over:
        seat = dice.choice(match.turn)
        match.play(seat, dice.choice(match.legal(seat)))
        yield match


def native_trace(game: Game, seed: int, number: int) -> tuple[npt.NDArray[Any], Acted]:
    """A random game in compiled code: the record before its first decision and after each, and the decisions."""
    states = np.zeros(game.longest + 1, game.definition.state.dtype)
    states[0] = game.blank().array[0]
    acted = np.zeros((game.longest + 1, 3), np.int64)
    length = game.definition.native.trace(
        game.box.record.array, states, np.zeros(1, Luck.dtype), np.zeros(1, Dice.dtype), seed, number,
        game.moves_buffer(), acted,
    )  # fmt: skip
    return states[: length + 1], acted[:length]


def plain_trace(game: Game, seed: int, number: int, most: int) -> tuple[engine.Batch, Acted]:
    """The same, interpreted, for a game of at most so many decisions."""
    states = engine.Batch(game.definition.state, most + 2)
    states[0] = game.blank()
    acted = np.zeros((most + 2, 3), np.int64)
    moves = [0] * game.capacity
    length = loops.trace([game.box.record], states, [Luck()], [Dice()], seed, number, moves, acted)
    return states, acted[:length]


def another_world(match: Match, viewer: int | None, seed: int) -> Match:
    """The same match in another state that this viewer cannot tell from the true one."""
    number = SPECTATOR if viewer is None else viewer
    luck = Luck()
    seed_luck(luck, seed)
    begin(luck, 1)
    twin = match.copy()
    twin._state = engine.hidden(match._box, match._state, number)
    contract.guess(match._box, twin._state, luck, number)
    twin._histories = {}
    return twin
