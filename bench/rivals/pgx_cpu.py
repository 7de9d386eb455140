"""pgx: games as JAX arrays, a batch at a time, on the CPU.

Rules of `connect_four`, `kuhn_poker` and `leduc_holdem`, as far as they differ from OpenSpiel's:

- Which player moves first is drawn at the start, in all three; returns here are turned to the first mover's.
- Kuhn: the actions are numbered the other way round (0 bets, 1 passes). The tree is the same.
- Leduc: 0 calls or checks, 1 raises, 2 folds. All three cards are dealt at the start and the public one is
  shown later; cards are ranks, without suits. Who opened the first round opens the second. Betting, raise
  limits and payoffs are the same. So there are no chance nodes, and the tree is counted below by laying out
  each of the 120 ordered deals of six distinct cards; what happens before the public card is shown counts
  once for the four public cards that may follow.

After a game ends, pgx marks every action as legal and its steps do nothing: counts look at `terminated`.

JAX sizes its thread pool by the cores that the process may use when it starts, so one core means a process
that was pinned before this module is imported.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import permutations
from time import perf_counter
from typing import Any

os.environ.setdefault("JAX_PLATFORMS", "cpu")  # bench/gpu.py asks for the card instead

import jax
import jax.numpy as jnp
import numpy as np
import pgx
from pgx.core import Env, State

from bench.rivals.measured import NOTHING_PLAYED, Measured, Played, Tree, summary

_Carry = tuple[State, jax.Array, jax.Array]

# Steady play (see `random_games`) pays where games differ much in length, and where a new game is cheap to
# begin: the only luck in the start of Connect Four is which player moves first, so ended games may all go
# back to the positions they began with. In the card games each game needs a deal of its own.
STEADY = frozenset({"connect_four"})
STEPS = 420
BATCHES = {
    "connect_four": (1024, 4096, 32768),
    "kuhn_poker": (4096, 16384, 65536),
    "leduc_holdem": (4096, 16384, 65536),
}
TRIAL_SECONDS = 0.4


def _random_action(mask: jax.Array, bits: jax.Array) -> jax.Array:
    """One of the legal actions; 24 random bits against at most seven actions leave a bias below 1e-6."""
    rank = ((bits >> 8) * mask.sum(dtype=jnp.uint32)) >> 24
    return jnp.argmax(jnp.cumsum(mask.astype(jnp.uint32)) > rank)


def _without_observation(state: State) -> State:
    """No rival is asked for observations while it plays; dropped from the state, XLA removes their making."""
    return state.replace(observation=jnp.zeros((state.terminated.shape[0], 0), jnp.bool_))


def _advanced(env: Env, state: State, key: jax.Array) -> State:
    bits = jax.random.bits(key, state.terminated.shape, jnp.uint32)
    action = jax.vmap(_random_action)(state.legal_action_mask, bits)
    return _without_observation(jax.vmap(env.step)(state, action))


def _fresh(env: Env, key: jax.Array, batch: int) -> State:
    return _without_observation(jax.vmap(env.init)(jax.random.split(key, batch)))


@cache
def _whole_games(name: str, batch: int) -> Callable[[jax.Array], tuple[jax.Array, jax.Array]]:
    """Play a batch until its last game ends: lengths, and returns of the first mover."""
    env = pgx.make(name)

    def play(key: jax.Array) -> tuple[jax.Array, jax.Array]:
        deal, key = jax.random.split(key)
        start = _fresh(env, deal, batch)
        first = start.current_player

        def step(carry: tuple[State, jax.Array, jax.Array]) -> tuple[State, jax.Array, jax.Array]:
            state, returned, key = carry
            key, now = jax.random.split(key)
            state = _advanced(env, state, now)
            return state, returned + state.rewards[jnp.arange(batch), first], key

        state, returned, _ = jax.lax.while_loop(
            lambda carry: ~carry[0].terminated.all(), step, (start, jnp.zeros(batch), key)
        )
        return state._step_count, returned

    return jax.jit(play)


@cache
def _steady_games(name: str, batch: int) -> Callable[[jax.Array], jax.Array]:
    """Play STEPS steps in every place of a batch, a new game where one ends; tells how many games ended."""
    env = pgx.make(name)

    def play(key: jax.Array) -> jax.Array:
        deal, key = jax.random.split(key)
        # The start is made in here, not handed over: XLA then sees the constants in it, which makes steps
        # half again as fast.
        start = _fresh(env, deal, batch)

        def step(carry: _Carry, _: None) -> tuple[_Carry, None]:
            state, key, games = carry
            key, now = jax.random.split(key)
            state = _advanced(env, state, now)
            ended = state.terminated

            def chosen(new: jax.Array, old: jax.Array) -> jax.Array:
                return jnp.where(ended.reshape(ended.shape + (1,) * (new.ndim - 1)), new, old)

            return (jax.tree.map(chosen, start, state), key, games + ended.sum()), None

        carry, _ = jax.lax.scan(step, (start, key, jnp.int32(0)), None, length=STEPS)
        games: jax.Array = carry[2]
        return games

    return jax.jit(play)


def steady_run(name: str, batch: int, seconds: float, seed: int) -> tuple[int, float]:
    """Games and seconds of steady play; every place of the batch decides in each of its steps."""
    play = _steady_games(name, batch)
    key = jax.random.key(seed)
    int(play(key))  # compiles
    games = 0
    before = perf_counter()
    while (spent := perf_counter() - before) < seconds:
        key, now = jax.random.split(key)
        games += int(play(now))
    return games, spent


def _whole_run(name: str, batch: int, seconds: float, seed: int) -> tuple[Played, float]:
    play = _whole_games(name, batch)
    key = jax.random.key(seed)
    np.asarray(play(key)[0])  # compiles
    played = NOTHING_PLAYED
    before = perf_counter()
    while (spent := perf_counter() - before) < seconds:
        key, now = jax.random.split(key)
        steps, rewards = play(now)
        lengths = np.asarray(steps, np.int64)
        returned = np.asarray(rewards, np.float64)
        played += Played(
            games=batch,
            decisions=int(lengths.sum()),
            decisions_squared=int((lengths**2).sum()),
            returned=float(returned.sum()),
            returned_squared=float((returned**2).sum()),
        )
    return played, spent


@cache
def _best_batch(name: str) -> int:
    """The batch size that plays most games a second here, by short trials."""

    def rate(batch: int) -> float:
        if name in STEADY:
            games, spent = steady_run(name, batch, TRIAL_SECONDS, 0)
            return games / spent
        played, spent = _whole_run(name, batch, TRIAL_SECONDS, 0)
        return played.games / spent

    return max(BATCHES[name], key=rate)


def random_games(name: str, seconds: float, seed: int) -> Measured:
    """Random games in the better of two styles and the best of several batch sizes.

    Whole games: a batch is played until its last game ends. Steady: each ended game is replaced at once, so
    that no place of the batch idles; games that are unfinished when the steps run out are not counted, which
    costs Connect Four two or three in a hundred. Those that it sees end are the shorter ones, so the mean
    length and return then come from whole games, played apart from the timed run.
    """
    batch = _best_batch(name)
    cores = len(os.sched_getaffinity(0))
    where = f"batch {batch}, {cores} core{'s' if cores > 1 else ''}"
    if name not in STEADY:
        return summary(*_whole_run(name, batch, seconds, seed), f"jit and vmap, whole games, {where}")
    games, spent = steady_run(name, batch, seconds, seed)
    seen = summary(*_whole_run(name, 4096, max(seconds / 4, 0.5), seed), "")
    return replace(
        seen,
        games=games,
        decisions=round(games * seen.mean_length),
        seconds=spent,
        note=f"jit and vmap, steady, {where}; length from whole games",
    )


# --- Counting -----------------------------------------------------------------


@cache
def _batch_step(name: str) -> Callable[[State, jax.Array], State]:
    return jax.jit(jax.vmap(pgx.make(name).step))


class _Frontier:
    """Positions as one batch; a step takes every legal action of every position that is not the end."""

    def __init__(self, name: str, states: State) -> None:
        self._step = _batch_step(name)
        self.states = states

    def __len__(self) -> int:
        return int(self.states.terminated.shape[0])

    def terminated(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        return np.asarray(self.states.terminated)

    def legal(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        return np.asarray(self.states.legal_action_mask) & ~self.terminated()[:, None]

    def expand(self) -> np.ndarray[Any, np.dtype[np.intp]]:
        """Replace the positions by their children; the parent's index of each child."""
        parents, actions = np.nonzero(self.legal())
        count = len(parents)
        # Padded to a power of two: a shape that JAX has not seen costs a compilation.
        padding = (1 << max(count - 1, 0).bit_length()) - count
        index = np.pad(parents, (0, padding))
        gathered = jax.tree.map(lambda leaf: jnp.asarray(np.asarray(leaf)[index]), self.states)
        stepped = self._step(gathered, jnp.asarray(np.pad(actions, (0, padding)), jnp.int32))
        self.states = jax.tree.map(lambda leaf: np.asarray(leaf)[:count], stepped)
        return parents


def perft(depth: int, opening: tuple[int, ...] = ()) -> int:
    """Connect Four: legal move sequences of length `depth` after `opening`."""
    env = pgx.make("connect_four")
    state = jax.vmap(env.init)(jax.random.split(jax.random.key(0), 1))
    for column in opening:
        state = _batch_step("connect_four")(state, jnp.full(1, column, jnp.int32))
    frontier = _Frontier("connect_four", state)
    for _ in range(depth - 1):
        frontier.expand()
    return int(frontier.legal().sum())


def tree(name: str) -> Tree:
    """Kuhn or Leduc: decisions, ends, and random play's exact mean length and return, over all the deals."""
    env = pgx.make(name)
    if name == "kuhn_poker":
        deals = [list(deal) for deal in permutations(range(3), 2)]
    else:
        deals = [[card // 2 for card in deal] for deal in permutations(range(6), 3)]
    start: Any = jax.vmap(env.init)(jax.random.split(jax.random.key(0), len(deals)))
    zeros = jnp.zeros(len(deals), jnp.int32)
    start = start.replace(current_player=zeros, _cards=jnp.asarray(deals, jnp.int32))
    if name == "leduc_holdem":
        start = start.replace(_first_player=zeros)
    frontier = _Frontier(name, start)
    reach = [Fraction(1, len(deals))] * len(deals)
    share = _history_share(name, frontier.states)
    decisions = Fraction(0)
    terminals = Fraction(0)
    length = Fraction(0)
    returned = Fraction(0)
    depth = 0
    while len(frontier):
        options = frontier.legal().sum(axis=1)
        decisions += sum(part for part, count in zip(share, options, strict=True) if count)
        before = share
        parents = frontier.expand()
        depth += 1
        reach = [reach[parent] / int(options[parent]) for parent in parents]
        # An end belongs to the round of the decision that made it, whatever the state says afterwards.
        ended = frontier.terminated()
        now = _history_share(name, frontier.states)
        share = [before[parent] if end else part for parent, end, part in zip(parents, ended, now, strict=True)]
        rewards = np.asarray(frontier.states.rewards)[:, 0]
        for index in np.flatnonzero(ended):
            terminals += share[index]
            length += reach[index] * depth
            returned += reach[index] * Fraction(float(rewards[index]))
    if decisions.denominator != 1 or terminals.denominator != 1:
        raise AssertionError(f"{name}: histories were counted in parts")
    return Tree(None, int(decisions), int(terminals), length, returned)


def _history_share(name: str, states: Any) -> list[Fraction]:
    """Before the public card of Leduc is shown, four of our deals are one history."""
    if name == "kuhn_poker":
        return [Fraction(1)] * len(states.terminated)
    return [Fraction(1, 4) if int(number) == 0 else Fraction(1) for number in np.asarray(states._round)]
