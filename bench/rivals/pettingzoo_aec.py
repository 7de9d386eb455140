"""PettingZoo's classic games through its agent-environment cycle.

- `classic/connect_four-v3`: the usual rules, in Python lists; `player_0` moves first; +1, 0 or -1.
- `classic/leduc_holdem-v4`: a wrapper around RLCard's Leduc, so "Leduc with blinds" (see `rlcard_env`), with
  the same tree. Rewards are in big blinds.

The environments are the documented ones, with their order and legality wrappers. The loop stops at the first
agent that is told of the end; PettingZoo's own loop would also step the dead agents, which only costs time.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pettingzoo

from bench.rivals.measured import Measured, Played, timed

CHIPS_PER_PAYOFF = {"classic/connect_four-v3": 1, "classic/leduc_holdem-v4": 2}


def _play(env: Any, scale: int, luck: Random, games: int) -> Played:
    uniform = luck.random
    decisions = 0
    squares = 0
    returned = 0.0
    returned_squared = 0.0
    for _ in range(games):
        env.reset()
        first = env.agent_selection
        length = 0
        while True:
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                break
            actions = observation["action_mask"].nonzero()[0]
            env.step(int(actions[int(uniform() * len(actions))]))
            length += 1
        decisions += length
        squares += length * length
        value = float(env.rewards[first]) * scale
        returned += value
        returned_squared += value * value
    return Played(games, decisions, squares, returned, returned_squared)


def random_games(name: str, seconds: float, seed: int) -> Measured:
    """Random games with `reset`, `last` and `step`."""
    env = pettingzoo.make("aec", name)
    env.reset(seed=seed)
    luck = Random(seed)
    scale = CHIPS_PER_PAYOFF[name]
    return timed(lambda games: _play(env, scale, luck, games), seconds, "Python loop over last and step")


def perft(depth: int, opening: tuple[int, ...] = ()) -> int:
    """Connect Four: legal move sequences of length `depth` after `opening`.

    The environment can neither copy itself cheaply nor go back, so each line is played from the start.
    """
    return _sequences(pettingzoo.make("aec", "classic/connect_four-v3"), list(opening), depth)


def _sequences(env: Any, moves: list[int], depth: int) -> int:
    env.reset()
    for column in moves:
        env.step(column)
    observation, _, terminated, truncated, _ = env.last()
    if terminated or truncated:
        return 0
    columns = [int(column) for column in observation["action_mask"].nonzero()[0]]
    if depth == 1:
        return len(columns)
    return sum(_sequences(env, [*moves, column], depth - 1) for column in columns)
