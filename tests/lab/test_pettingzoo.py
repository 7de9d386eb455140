"""PettingZoo's own tests on every game, variant and number of players, and what they do not look at."""

from __future__ import annotations

import contextlib
import functools
import io
import random
import warnings
from typing import Any

import numpy as np
import pytest

import samizdat
from samizdat.conformance.lab.test_secrets import other_world
from samizdat.kernel.errors import OptionError
from samizdat.kernel.game import Game
from samizdat.lab.faces import ILLEGAL
from samizdat.lab.observations import CHANGES, Tensors, TrueTensors
from samizdat.lab.pettingzoo import env, parallel_env
from tests.conftest import label, plain_games

with warnings.catch_warnings():
    # PettingZoo's tests import one of its own games by a way it has since deprecated.
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import (
        api_test,
        bombardment_test,
        parallel_api_test,
        parallel_seed_test,
        render_test,
        seed_test,
        state_test,
    )
    from pettingzoo.test import test_save_obs as save_obs_test
    from pettingzoo.test.example_envs import generated_agents_env_action_mask_obs_v0, generated_agents_env_v0

CYCLES = 40  # of PettingZoo's tests, for each agent; whole games are played below

# PettingZoo knows by name which of its own environments observe a dict with a mask, and warns of all others; so
# it does of the mask of an agent whose game is over.
warns_of_masks = pytest.mark.filterwarnings(
    "ignore:Observation is not a NumPy array",
    "ignore:Observation space for each agent probably should be",
    "ignore:Action mask numpy array is all zeros",
)
every_game = pytest.mark.parametrize("game", plain_games(), ids=label)


@warns_of_masks
@every_game
def test_pettingzoo_api(game: Game) -> None:
    api_test(env(game), num_cycles=CYCLES)


@every_game
def test_pettingzoo_parallel_api(game: Game) -> None:
    parallel_api_test(parallel_env(game), num_cycles=CYCLES)


@every_game
def test_pettingzoo_seeds(game: Game) -> None:
    seed_test(functools.partial(env, game), num_cycles=CYCLES)
    parallel_seed_test(functools.partial(parallel_env, game), num_cycles=CYCLES)


@every_game
def test_pettingzoo_render(game: Game) -> None:
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        render_test(functools.partial(env, game))
    assert game.definition.title in printed.getvalue()


@every_game
def test_pettingzoo_state(game: Game) -> None:
    state_test(env(game), parallel_env(game), num_cycles=CYCLES)


@every_game
def test_the_state_is_the_true_record(game: Game) -> None:
    """The same in both kinds of environment, whoever's turn it is, and not what any seat sees."""
    cycle, parallel = env(game), parallel_env(game)
    rng = random.Random(4)
    cycle.reset(seed=6)
    tensors = TrueTensors(game)
    secrets = 0
    while cycle.agents and not any(cycle.terminations.values()):
        state = cycle.state()
        assert state in cycle.state_space
        assert np.array_equal(state, tensors.of(cycle.unwrapped.match))
        world = other_world(cycle.unwrapped.match, game.players - 1, rng)
        secrets += not np.array_equal(tensors.of(world), state)
        cycle.step(rng.choice(np.flatnonzero(cycle.last()[0]["action_mask"])))
    assert secrets or game.definition.all_open, "another world looked the same to the referee"
    cycle.reset(seed=6)
    parallel.reset(seed=6)
    assert np.array_equal(parallel.state(), cycle.state())
    assert parallel.state_space == cycle.state_space


@pytest.mark.filterwarnings("ignore")  # of what it does to its own environments
def test_pettingzoo_bombardment_fails_on_its_own_environments_too() -> None:
    """It wants the shape of a dict where there is a mask, and where there is none, that of what `step` returns."""
    for made in (generated_agents_env_action_mask_obs_v0.env(), env("revolution")):
        with pytest.raises(AttributeError, match="'dict' object has no attribute 'shape'"):
            bombardment_test(made, cycles=1)
    with pytest.raises(AssertionError, match="outside of its observation space"):
        bombardment_test(generated_agents_env_v0.env(), cycles=1)


def test_pettingzoo_save_obs(capsys: pytest.CaptureFixture[str]) -> None:
    """It saves observations that are pictures; ours are not, and it says so."""
    made = env("revolution")
    save_obs_test(made)
    assert "did not save the observations" in capsys.readouterr().out


@every_game
def test_a_cycle_is_a_match(game: Game) -> None:
    """A random episode, decision by decision, beside a match with the same seed and the same moves."""
    rng = random.Random(3)
    cycle = env(game)
    tensors = Tensors(game)
    for episode in range(2):
        cycle.reset(seed=29 if episode == 0 else None)
        match = game.match(29 + (episode << 64))
        while not match.over:
            seat = match.turn[0]
            assert cycle.agent_selection == f"player_{seat}"
            observation, reward, terminated, truncated, info = cycle.last()
            assert not terminated
            assert not truncated
            assert reward == 0
            assert np.array_equal(observation["observation"], tensors.of(match.sight(seat, memory=False)))
            legal = [move.id for move in match.legal(seat)]
            assert np.flatnonzero(observation["action_mask"]).tolist() == legal
            assert np.array_equal(info["action_mask"], observation["action_mask"])
            move = rng.choice(legal)
            cycle.step(move)
            match.play(seat, move)
        assert list(cycle.rewards.values()) == match.returns
        assert all(cycle.terminations.values())
        for seat in range(game.players):
            cycle.step(None)
            assert len(cycle.agents) == game.players - seat - 1


@every_game
def test_a_parallel_episode_is_a_match(game: Game) -> None:
    rng = random.Random(4)
    parallel = parallel_env(game)
    observations, infos = parallel.reset(seed=31)
    match = game.match(31)
    while not match.over:
        actions: dict[str, Any] = {}
        for seat, agent in enumerate(parallel.agents):
            mask = observations[agent]["action_mask"]
            assert np.array_equal(infos[agent]["action_mask"], mask)
            expected = [move.id for move in match.legal(seat)] or [game.capacity]
            assert np.flatnonzero(mask).tolist() == expected
            actions[agent] = rng.choice(expected)
        deciding = match.turn
        observations, rewards, terminations, truncations, infos = parallel.step(actions)
        for seat in reversed(deciding):  # the other way round than the environment plays them
            match.play(seat, actions[f"player_{seat}"])
        assert list(rewards.values()) == match.returns
        assert set(terminations.values()) == {match.over}
        assert not any(truncations.values())
    assert parallel.agents == []


@every_game
def test_an_action_that_is_not_open_ends_the_game(game: Game) -> None:
    cycle = env(game)
    cycle.reset(seed=1)
    agent = cycle.agent_selection
    closed = int(np.flatnonzero(cycle.observe(agent)["action_mask"] == 0)[0])
    for action in (closed, game.capacity):
        cycle.reset(seed=1)
        cycle.step(action)
        assert cycle.rewards == {one: ILLEGAL if one == agent else 0.0 for one in cycle.possible_agents}
        assert all(cycle.terminations.values())
    parallel = parallel_env(game)
    observations, _ = parallel.reset(seed=1)
    actions = {one: int(np.flatnonzero(seen["action_mask"])[0]) for one, seen in observations.items()}
    _, rewards, terminations, _, _ = parallel.step(actions | {agent: closed})
    assert rewards == {one: ILLEGAL if one == agent else 0.0 for one in parallel.possible_agents}
    assert all(terminations.values())


@every_game
def test_no_agent_receives_what_it_may_not_know(game: Game) -> None:
    """The secrecy law on all that an agent receives: observation, mask, info, and the rendered view of its seat."""
    rng = random.Random(12)
    cycle = env(game, render_mode="ansi")
    cycle.reset(seed=2)
    raw = cycle.unwrapped
    while not any(cycle.terminations.values()):
        if rng.random() < 0.05:
            true = raw.match
            for seat, agent in enumerate(raw.agents):
                raw.render_seat = seat
                received = cycle.observe(agent), cycle.render()
                raw.match = other_world(true, seat, rng)
                again = cycle.observe(agent), cycle.render()
                raw.match = true
                assert received[1] == again[1]
                for key in ("observation", "action_mask"):
                    assert received[0][key].tobytes() == again[0][key].tobytes()
        cycle.step(rng.choice(np.flatnonzero(cycle.last()[0]["action_mask"])))


def test_names_carry_a_version_that_rises_with_rules_and_observations() -> None:
    for name, facts in samizdat.games().items():
        expected = f"samizdat_{name.replace('-', '_')}_v{facts['rules_version'] + CHANGES}"
        assert env(name).metadata["name"] == expected
        assert parallel_env(name).metadata["name"] == expected


def test_mistakes_are_named() -> None:
    with pytest.raises(OptionError, match="render mode"):
        env("revolution", render_mode="rgb_array")
    with pytest.raises(OptionError, match="has no option"):
        env("revolution", colour="red")
    with pytest.raises(OptionError, match="already chosen"):
        env(samizdat.game("revolution"), players=3)
    cycle = env("revolution")
    with pytest.raises(OptionError, match="seed"):
        cycle.reset(seed=-1)
