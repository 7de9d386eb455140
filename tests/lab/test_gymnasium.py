"""Gymnasium's own checker, the vectorised environment beside single ones, and the memory it hands out."""

from __future__ import annotations

import random
import subprocess
import sys
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.utils.env_match import check_environments_match
from gymnasium.wrappers import PassiveEnvChecker

import samizdat
from samizdat.conformance.lab.test_secrets import other_world
from samizdat.kernel.errors import OptionError
from samizdat.kernel.game import Game, definitions
from samizdat.kernel.match import Sight
from samizdat.lab.faces import ILLEGAL, versioned
from samizdat.lab.gymnasium import VectorEnv, env
from tests.conftest import full_tables, label, plain_games

every_game = pytest.mark.parametrize("game", plain_games(), ids=label)
every_variant = pytest.mark.parametrize("game", full_tables(plain_games()), ids=label)  # seats make no difference


def choose(rng: random.Random, mask: Any) -> int:
    return int(rng.choice(np.flatnonzero(mask)))


@every_variant
def test_check_env(game: Game) -> None:
    """Made by its id, so that the checker makes it anew in every render mode."""
    made = gymnasium.make(
        f"samizdat/{versioned(game, '-')}",
        variant=game.variant, players=game.players, seat=game.players - 1,
    )  # fmt: skip
    check_env(made.unwrapped)


@every_variant
def test_gymnasium_finds_two_environments_alike(game: Game) -> None:
    pair = [env(game, render_mode="ansi") for _ in range(2)]
    check_environments_match(*pair, num_steps=30, seed=3)


@every_variant
def test_gymnasium_checks_while_playing(game: Game) -> None:
    """Its passive checker wraps an environment and looks at every step."""
    checked = PassiveEnvChecker(env(game))
    rng = random.Random(3)
    seen, _ = checked.reset(seed=2)
    over = False
    while not over:
        seen, _, over, _, _ = checked.step(choose(rng, seen["action_mask"]))


@every_variant
def test_masks_by_the_name_that_stable_baselines_asks_for(game: Game) -> None:
    """Its MaskablePPO finds `action_masks` on an environment or on what it wraps, and on a batch by `get_attr`."""
    made = gymnasium.make(f"samizdat/{versioned(game, '-')}", variant=game.variant, players=game.players)
    seen, _ = made.reset(seed=4)
    rng = random.Random(4)
    over = False
    while not over:
        masks = made.get_wrapper_attr("action_masks")()
        assert masks.dtype == np.bool_
        assert masks.shape == (made.action_space.n,)
        assert np.array_equal(masks, seen["action_mask"])
        seen, _, over, _, _ = made.step(choose(rng, masks))
    batch = VectorEnv(game, 3)
    seen, _ = batch.reset(seed=4)
    assert batch.action_masks().dtype == np.bool_
    assert np.array_equal(batch.action_masks(), seen["action_mask"])


def the_last(sight: Sight) -> Any:
    """An opponent that is easily told from a random one."""
    return sight.legal()[-1]


@every_game
@pytest.mark.parametrize("opponents", ["random", the_last])
def test_vectorised_equals_single(game: Game, opponents: Any) -> None:
    """Every number of every step, over the ends of games and the deals that follow; first and last seat."""
    rng = random.Random(7)
    for seat in {0, game.players - 1}:
        number = 3
        batch = VectorEnv(game, number, seat, opponents)
        singles = [env(game, seat, opponents) for _ in range(number)]
        seen, _ = batch.reset(seed=100)
        for i, single in enumerate(singles):
            same(single.reset(seed=100 + i)[0], seen, i)
        ended = 0
        while not ended:
            # Now and then an action that is not open: it must cost the same here and there.
            actions = [
                choose(rng, mask) if rng.random() < 0.999 else rng.randrange(game.capacity)
                for mask in seen["action_mask"]
            ]
            seen, rewards, terminated, truncated, infos = batch.step(np.array(actions))
            assert not truncated.any()
            for i, single in enumerate(singles):
                observation, reward, over, _, info = single.step(actions[i])
                assert (reward, over, info["illegal"]) == (rewards[i], terminated[i], infos["illegal"][i])
                if over:
                    ended += not infos["illegal"][i]
                    assert infos["_final_obs"][i]
                    assert np.array_equal(observation["observation"], infos["final_obs"][i])
                    observation, _ = single.reset()
                same(observation, seen, i)


def same(single: dict[str, Any], batch: dict[str, Any], i: int) -> None:
    for key in ("observation", "action_mask"):
        assert single[key].tobytes() == batch[key][i].tobytes(), key
        assert single[key].dtype == batch[key].dtype


@every_game
def test_an_episode_is_a_match(game: Game) -> None:
    """The environment's match, and one with the seed it names and the same moves, are one."""
    rng = random.Random(8)
    single = env(game)
    for episode in range(2):
        seen, info = single.reset(seed=40 if episode == 0 else None)
        over, reward = False, 0.0
        while not over:
            assert single.match.legal(0) == [
                game.notation.move(int(id)) for id in np.flatnonzero(info["action_mask"])
            ]
            seen, reward, over, _, info = single.step(choose(rng, seen["action_mask"]))
        match = game.match(40 + (episode << 64))
        for seat, move in single.match.moves:
            match.play(seat, move)
        assert match.over
        assert reward == match.returns[0]
        assert bytes(match._state) == bytes(single.match._state)


@every_game
def test_rewards_are_what_a_game_is_worth(game: Game) -> None:
    """All seats of the same games of random play: each batch is rewarded with the returns its seat can have."""
    worth = {-1 / game.fair_seats} | {1 / k - 1 / game.fair_seats for k in range(1, game.players + 1)}
    batch = VectorEnv(game, 64)
    seen, _ = batch.reset(seed=1)
    rng = np.random.default_rng(1)
    found: list[float] = []
    while len(found) < 64:
        actions = (seen["action_mask"] * rng.random(seen["action_mask"].shape)).argmax(1)
        seen, rewards, terminated, _, infos = batch.step(actions)
        assert not infos["illegal"].any()
        assert not rewards[~terminated].any()
        found += rewards[terminated].tolist()
    assert set(found) <= worth


@every_game
def test_opponents_are_given_what_they_may_know(game: Game) -> None:
    """A function may play for the others; it is asked with a sight of its own seat."""
    asked: list[int] = []

    def first(sight: Sight) -> Any:
        asked.append(sight.seat)
        return sight.legal()[0]

    rng = random.Random(2)
    single = env(game, seat=0, opponents=first)
    seen, _ = single.reset(seed=3)
    for _ in range(60):
        seen, _, over, _, _ = single.step(choose(rng, seen["action_mask"]))
        if over:
            break
    assert set(asked) == set(range(1, game.players))


@every_game
def test_the_vectorised_observation_is_made_from_what_the_seat_knows(game: Game) -> None:
    """The secrecy law in compiled code: a step into the same position of another world shows the same."""
    rng = random.Random(5)
    for seat in range(game.players):
        batch = VectorEnv(game, 1, seat)
        single = env(game, seat)
        seen, _ = batch.reset(seed=9)
        single.reset(seed=9)
        for _ in range(5):
            action = choose(rng, seen["action_mask"])
            seen, _, over, _, _ = batch.step(np.array([action]))
            single.step(action)
            if over[0]:
                break
        else:
            world = other_world(single.match, seat, rng)
            before = seen["observation"].tobytes(), seen["action_mask"].tobytes()
            batch.arrays.states[0] = world._state.array[0]
            closed = np.array([game.capacity])
            _, _, _, _, infos = batch.step(closed)  # ends the game where it is and shows it once more
            assert infos["final_obs"][0].tobytes() == before[0]


def test_the_arrays_are_always_the_same_memory() -> None:
    """Nothing is copied on the way to a tensor library, unless asked for."""
    batch = VectorEnv("revolution", 4)
    first, _ = batch.reset(seed=1)
    torch_would_see = np.from_dlpack(first["observation"])
    before = torch_would_see.copy()
    actions = first["action_mask"].argmax(1)
    second, rewards, *_ = batch.step(actions)
    assert np.shares_memory(first["observation"], second["observation"])
    assert np.shares_memory(torch_would_see, second["observation"])
    assert not np.array_equal(before, torch_would_see)
    second["observation"][...] = 7  # whatever a learner does to them: they are written anew, every number
    assert np.abs(batch.step(second["action_mask"].argmax(1))[0]["observation"]).max() <= 1
    batch.reset(seed=1)
    second, rewards, *_ = batch.step(actions)
    assert np.from_dlpack(rewards).shape == (4,)
    copying = VectorEnv("revolution", 4, copy=True)
    first, _ = copying.reset(seed=1)
    second, *_ = copying.step(actions)
    assert not np.shares_memory(first["observation"], second["observation"])
    assert np.array_equal(first["observation"], before)
    assert np.array_equal(second["observation"], torch_would_see)


@pytest.mark.parametrize("name", definitions())
def test_gymnasium_makes_vectorised_environments(name: str) -> None:
    batch = gymnasium.make_vec(f"samizdat/{versioned(samizdat.game(name), '-')}", 5)
    assert isinstance(batch.unwrapped, VectorEnv)
    seen, _ = batch.reset(seed=[5, 4, 3, 2, 1])
    assert seen in batch.observation_space
    assert batch.action_space.shape == (5,)
    again, _ = batch.reset(seed=[5, 4, 3, 2, 1])
    assert np.array_equal(seen["observation"], again["observation"])
    batch.close()


def test_make_vec_takes_opponents_as_make_does() -> None:
    name = f"samizdat/{versioned(samizdat.game('dual-powers'), '-')}"
    batch = gymnasium.make_vec(name, 2, opponents=the_last)
    single = gymnasium.make(name, opponents=the_last)
    seen, _ = batch.reset(seed=8)
    alone, _ = single.reset(seed=8)
    assert np.array_equal(seen["observation"][0], alone["observation"])
    actions = seen["action_mask"].argmax(1)
    seen, *_ = batch.step(actions)
    alone, *_ = single.step(actions[0])
    assert np.array_equal(seen["observation"][0], alone["observation"])
    with pytest.raises(OptionError, match="There is no bot “strong”"):
        gymnasium.make_vec(name, 2, opponents="strong")


def test_mistakes_are_named() -> None:
    with pytest.raises(OptionError, match="seat"):
        env("revolution", seat=4)
    with pytest.raises(OptionError, match="There is no bot “strong”"):
        env("revolution", opponents="strong")
    batch = VectorEnv("revolution", 2)
    with pytest.raises(gymnasium.error.ResetNeeded):
        batch.step(np.array([0, 0]))
    with pytest.raises(OptionError, match="2 environments"):
        batch.reset(seed=[1, 2, 3])
    with pytest.raises(OptionError, match="seed"):
        batch.reset(seed=1 << 63)
    batch.reset(seed=1)
    with pytest.raises(OptionError, match="shape"):
        batch.step(np.array([0]))
    _, rewards, terminated, _, infos = batch.step(np.array([-1, 10_000]))
    assert rewards.tolist() == [ILLEGAL, ILLEGAL]
    assert terminated.all()
    assert infos["illegal"].all()


@pytest.mark.parametrize(("module", "library"), [("pettingzoo", "PettingZoo"), ("gymnasium", "Gymnasium")])
def test_without_the_extra_one_sentence_says_what_to_install(module: str, library: str) -> None:
    code = f"""
import sys
sys.modules["{module}"] = None
import samizdat
try:
    import samizdat.lab.{module}
except samizdat.SamizdatError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == f"samizdat.lab.{module} needs {library}: pip install 'samizdat[research]'.\n"
