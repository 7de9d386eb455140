"""A network against itself: many games at once, every seat played by the same policy."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from samizdat.bots.network import Shape, forecast, forward, policy
from samizdat.kernel.game import Game
from samizdat.kernel.tensors import Floats, varying
from samizdat.lab import vector
from samizdat.lab.learning import Lessons

LATER = 0.95  # how much of what is expected at a decision comes from after the next one


class Tables:
    """Games of one kind that go on for ever, each followed by the next; whoever has a choice is asked."""

    def __init__(self, game: Game, games: int, seed: int) -> None:
        self.game = game
        self.arrays = vector.arrays(game, games)
        self.arrays.seeds[:] = np.arange(games) + seed
        self.arrays.episodes[:] = -1
        self.reads = np.flatnonzero(varying(game))  # of an observation: what the network reads
        self._actions = np.zeros(games, np.int64)
        self.step(self._actions, anew=True)

    def __len__(self) -> int:
        return len(self._actions)

    def step(self, actions: npt.NDArray[np.int64], anew: bool = False) -> None:
        vector.step(self.game, self.arrays, actions, anew, vector.EVERY_SEAT, choices=True)

    def seen(self) -> Floats:
        """What those who are asked see, as the network reads it."""
        x: Floats = self.arrays.observations[:, self.reads]
        return x

    def ends(self) -> Floats:
        """Who won, where a game has just ended: a share for each seat, and what is left is nobody's."""
        shares = (self.arrays.rewards + 1 / self.game.fair_seats).astype(np.float32)
        return np.concatenate((shares, 1 - shares.sum(axis=1, keepdims=True)), axis=1)


def choose(chances: Floats, rng: np.random.Generator) -> npt.NDArray[np.int64]:
    """One of the columns for each row, as likely as they say."""
    sums = chances.cumsum(axis=1)
    drawn = rng.random((len(chances), 1), np.float32) * sums[:, -1:]
    found = (sums <= drawn).sum(axis=1)
    # Rounding may point past the last column that is possible at all.
    last = chances.shape[1] - 1 - (chances[:, ::-1] > 0).argmax(axis=1)
    possible: npt.NDArray[np.int64] = np.minimum(found, last)
    return possible


def play(tables: Tables, shape: Shape, numbers: Floats, rng: np.random.Generator, steps: int) -> Lessons:
    """So many decisions at each table, as lessons."""
    a, games, players = tables.arrays, len(tables), tables.game.players
    parts = shape.parts(numbers)
    x = np.empty((steps, games, shape.inputs), np.float32)
    masks = np.empty((steps, games, shape.moves), np.int8)
    chosen = np.empty((steps, games), np.int64)
    chances = np.empty((steps, games), np.float32)
    seats = np.empty((steps, games), np.int64)
    expected = np.empty((steps, games, players + 1), np.float32)
    over = np.empty((steps, games), np.bool_)
    ends = np.zeros((steps, games, players + 1), np.float32)
    rows = np.arange(games)
    for t in range(steps):
        x[t], masks[t], seats[t] = tables.seen(), a.masks, a.seats
        _, _, out = forward(parts, x[t])
        likely = policy(out, masks[t], shape.moves)
        expected[t] = forecast(out, shape.moves)
        chosen[t] = choose(likely, rng)
        chances[t] = likely[rows, chosen[t]]
        tables.step(chosen[t])
        over[t] = a.terminated
        if over[t].any():
            ends[t] = tables.ends()
    known, targets = hindsight(seats, expected, over, ends)
    gain = np.take_along_axis(targets - expected, seats[..., None], axis=2)[..., 0]
    return Lessons(x[known], masks[known], chosen[known], chances[known], gain[known], targets[known])


def hindsight(
    seats: npt.NDArray[np.int64], expected: Floats, over: npt.NDArray[np.bool_], ends: Floats
) -> tuple[npt.NDArray[np.bool_], Floats]:
    """Who won, as far as each decision's seat learnt it later: from its own next decisions and from the end of the
    game. Of the last decision of a seat in a game that goes on nothing is known yet."""
    steps, games, _ = expected.shape
    known, targets = np.zeros((steps, games), np.bool_), np.zeros_like(expected)
    rows = np.arange(games)
    next_known = np.zeros((games, int(seats.max()) + 1), np.bool_)
    later = np.zeros((*next_known.shape, expected.shape[2]), np.float32)
    for t in range(steps - 1, -1, -1):
        next_known[over[t]] = True
        later[over[t]] = ends[t, over[t], None]
        seat = seats[t]
        known[t] = next_known[rows, seat]
        targets[t] = later[rows, seat]
        beyond = np.where(known[t, :, None], targets[t], expected[t])
        later[rows, seat] = (1 - LATER) * expected[t] + LATER * beyond
        next_known[rows, seat] = True
    return known, targets


def duel(game: Game, shape: Shape, one: Floats, others: Floats | None, games: int, seed: int) -> float:
    """The share of the win of one network among others (or random players): in the first game of so many tables, its
    seat another from table to table."""
    tables = Tables(game, games, seed)
    rng = np.random.default_rng(seed)
    own = np.arange(games) % game.players
    won = np.zeros(games)
    left = np.ones(games, np.bool_)
    a: Any = tables.arrays
    while left.any():
        x, masks = tables.seen(), a.masks
        likely = policy(forward(shape.parts(one), x)[2], masks, shape.moves)
        against = masks.astype(np.float32)
        if others is not None:
            against = policy(forward(shape.parts(others), x)[2], masks, shape.moves)
        tables.step(choose(np.where((a.seats == own)[:, None], likely, against), rng))
        ended = left & a.terminated
        won[ended] = tables.ends()[ended, own[ended]]
        left &= ~ended
    return float(won.mean())
