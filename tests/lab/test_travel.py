"""Environments are copied and sent to other processes in the middle of an episode, and play on the same."""

from __future__ import annotations

import copy
import functools
import pickle
import random
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import cloudpickle
import gymnasium
import numpy as np
import pytest

import samizdat
from samizdat.kernel.game import Game, definitions
from samizdat.kernel.match import Sight
from samizdat.lab.gymnasium import VectorEnv
from samizdat.lab.gymnasium import env as seat_env
from samizdat.lab.pettingzoo import env as cycle_env
from samizdat.lab.pettingzoo import parallel_env
from tests.conftest import full_tables, label, plain_games

Steps = list[Any]
Again = Callable[[Any], Any]


def sent(thing: Any) -> Any:
    return pickle.loads(pickle.dumps(thing))


def sent_by_ray(thing: Any) -> Any:
    """As Ray and Gymnasium's own workers do it."""
    return pickle.loads(cloudpickle.dumps(thing))


every_way = pytest.mark.parametrize("again", [sent, sent_by_ray, copy.deepcopy])
every_game = pytest.mark.parametrize("game", full_tables(plain_games()), ids=label)
one_of_each = pytest.mark.parametrize(
    "game", [definition.choose() for definition in definitions().values()], ids=label
)


def opens(rng: random.Random, mask: Any) -> int:
    return int(rng.choice(np.flatnonzero(mask)))


def as_bytes(seen: dict[str, Any]) -> tuple[bytes, ...]:
    return tuple(np.ascontiguousarray(part).tobytes() for part in seen.values())


# --- How each kind of environment plays on; everything it gives on the way --------------------------------


def play_cycle(env: Any, seed: int, steps: int) -> Steps:
    rng, found = random.Random(seed), []
    for _ in range(steps):
        if not env.agents:
            env.reset()  # the next episode of the same seed
        seen, reward, terminated, _, info = env.last()
        found.append((env.agent_selection, as_bytes(seen), reward, terminated, as_bytes(info), env.state().tobytes()))
        env.step(None if terminated else opens(rng, seen["action_mask"]))
    return found


def play_parallel(env: Any, seed: int, steps: int) -> Steps:
    rng, found = random.Random(seed), []
    for _ in range(steps):
        if not env.agents:
            env.reset()
        actions = {agent: opens(rng, env.observe(agent)["action_mask"]) for agent in env.agents}
        seen, rewards, terminations, _, _ = env.step(actions)
        found.append(([as_bytes(one) for one in seen.values()], rewards, terminations))
    return found


def play_seat(env: Any, seed: int, steps: int) -> Steps:
    rng, found = random.Random(seed), []
    for _ in range(steps):
        seen, reward, over, _, _ = env.step(opens(rng, env.unwrapped.action_masks()))
        found.append((as_bytes(seen), reward, over))
        if over:
            found.append(as_bytes(env.reset()[0]))
    return found


def play_batch(env: Any, seed: int, steps: int) -> Steps:
    rng, found = random.Random(seed), []
    for _ in range(steps):
        actions = np.array([opens(rng, mask) for mask in env.unwrapped.action_masks()])
        seen, rewards, terminated, _, infos = env.step(actions)
        found.append((as_bytes(seen), rewards.tolist(), terminated.tolist(), infos["illegal"].tolist()))
    return found


def begun(kind: str, game: Game) -> tuple[Any, Callable[[Any, int, int], Steps]]:
    """An environment in the middle of an episode, and how to play on."""
    makers: dict[str, tuple[Callable[[], Any], Callable[[Any, int, int], Steps]]] = {
        "cycle": (functools.partial(cycle_env, game), play_cycle),
        "parallel": (functools.partial(parallel_env, game), play_parallel),
        "seat": (functools.partial(seat_env, game, game.players - 1), play_seat),
        "batch": (functools.partial(VectorEnv, game, 3), play_batch),
    }
    make, play = makers[kind]
    env = make()
    env.reset(seed=77)
    play(env, 1, 25)
    return env, play


KINDS = ("cycle", "parallel", "seat", "batch")


@every_way
@every_game
@pytest.mark.parametrize("kind", KINDS)
def test_a_copy_in_mid_episode_plays_on_the_same(kind: str, game: Game, again: Again) -> None:
    env, play = begun(kind, game)
    twin = again(env)
    assert play(twin, 2, 40) == play(env, 2, 40)
    assert play(again(twin), 3, 10) == play(env, 3, 10), "and once more, from where both have come to"


@one_of_each
def test_new_processes_play_on_the_same(game: Game) -> None:
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        for kind in KINDS:
            env, play = begun(kind, game)
            assert pool.submit(play, env, 4, 40).result() == play(env, 4, 40), kind


@pytest.mark.parametrize("kind", KINDS)
def test_before_the_first_reset_there_is_something_to_send_too(kind: str) -> None:
    """Workers are handed environments that have not begun."""
    game = samizdat.game("revolution")
    made = {"cycle": cycle_env(game), "parallel": parallel_env(game), "seat": seat_env(game),
            "batch": VectorEnv(game, 2)}[kind]  # fmt: skip
    sent(made).reset(seed=1)


def test_a_copied_batch_keeps_its_views_together() -> None:
    """What compiled code sees of a hidden record is the memory of that record, in the copy as in the original."""
    batch = VectorEnv("revolution", 2)
    batch.reset(seed=1)
    for twin in (sent(batch), copy.deepcopy(batch), copy.copy(batch)):
        for name in ("bytes1", "bytes2", "bytes4", "bytes8"):
            assert np.shares_memory(getattr(twin.arrays, name), twin.arrays.sight)
            assert not np.shares_memory(getattr(twin.arrays, name), batch.arrays.sight)
        assert not np.shares_memory(twin.arrays.states, batch.arrays.states)


def the_first(sight: Sight) -> Any:
    return sight.legal()[0]


@one_of_each
@pytest.mark.parametrize("mode", ["sync", "async", "spawn"])
def test_gymnasiums_own_workers_carry_ours(game: Game, mode: str) -> None:
    """Its vector environments, in this process and in others, beside single ones."""
    name = f"samizdat/{seat_env(game).metadata['name'].replace('_v', '-v')}"
    makers = [functools.partial(gymnasium.make, name, opponents=the_first) for _ in range(2)]
    if mode == "sync":
        batch: Any = gymnasium.vector.SyncVectorEnv(makers)
    else:
        # The observations of a Dict go through a pipe in a new process: shared memory is inherited only.
        batch = gymnasium.vector.AsyncVectorEnv(
            makers, shared_memory=mode == "async", context="spawn" if mode == "spawn" else "fork"
        )
    singles = [make() for make in makers]
    try:
        seen, _ = batch.reset(seed=5)
        alone = [single.reset(seed=5 + i)[0] for i, single in enumerate(singles)]
        rng = random.Random(1)
        for _ in range(12):
            for i, one in enumerate(alone):
                assert one["observation"].tobytes() == seen["observation"][i].tobytes()
            actions = [opens(rng, one["action_mask"]) for one in alone]
            seen, rewards, *_ = batch.step(np.array(actions))
            steps = [single.step(action) for single, action in zip(singles, actions, strict=True)]
            alone = [step[0] for step in steps]
            assert rewards.tolist() == [step[1] for step in steps]
            if any(step[2] for step in steps):
                break
    finally:
        batch.close()
