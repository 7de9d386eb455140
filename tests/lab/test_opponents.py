"""Opponents of ours, and of others, inside environments: at a chosen level, reproducible, and held to the rules."""

from __future__ import annotations

import copy
import pickle
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import samizdat
from samizdat.kernel.errors import IllegalMove, OptionError
from samizdat.kernel.game import Game, definitions
from samizdat.kernel.match import Sight
from samizdat.lab.gymnasium import VectorEnv
from samizdat.lab.gymnasium import env as seat_env
from samizdat.lab.pettingzoo import env, parallel_env
from samizdat.lab.policies import Policy, read
from tests.lab.policies import by_hand, layers_for, onnx_file

one_of_each = pytest.mark.parametrize(
    "game", [found.choose() for found in definitions().values()], ids=lambda g: g.name
)
LAST = """
class Last:
    def choose(self, sight):
        return sight.legal()[-1]
"""


def opens(rng: random.Random, mask: Any) -> int:
    return int(rng.choice(np.flatnonzero(mask)))


def play_seat(single: Any, steps: int, seed: int | None) -> list[Any]:
    rng, found = random.Random(1), []
    if seed is not None:
        single.reset(seed=seed)
    for _ in range(steps):
        seen, reward, over, _, _ = single.step(opens(rng, single.action_masks()))
        found.append((seen["observation"].tobytes(), reward, over))
        if over:
            found.append(single.reset()[0]["observation"].tobytes())
    return found


def play_batch(batch: VectorEnv, steps: int) -> None:
    batch.reset(seed=1)
    for _ in range(steps):
        batch.step(batch.arrays.masks.argmax(1))


@one_of_each
def test_levels_are_opponents_and_the_same_seed_brings_the_same_games(game: Game) -> None:
    wanted = [None] + ["novice:simulations=3"] * (game.players - 1)
    first, second = (play_seat(seat_env(game, 0, wanted), 12, 5) for _ in range(2))
    assert first == second
    assert first != play_seat(seat_env(game, 0, wanted), 12, 6)
    other = play_seat(seat_env(game, 0, "random"), 12, 5)
    assert other != first or game.players == 1


def test_a_level_decides_as_the_bot_itself_would() -> None:
    """Named opponents are the arena's bots, with a seed from the environment's, the game's number and the seat."""
    game = samizdat.game("revolution")
    asked: list[tuple[int, int]] = []

    def novice(sight: Sight) -> Any:
        asked.append((sight.seat, len(sight.memory)))
        return samizdat.bot("novice", simulations=3, seed=9).choose(sight)

    play_seat(seat_env(game, 0, novice), 6, 5)
    assert {seat for seat, _ in asked} == {1, 2, 3}
    assert all(memory for _, memory in asked), "a bot remembers what its seat observed"


@one_of_each
def test_a_policy_plays_the_same_in_a_batch_and_alone(game: Game, tmp_path: Path) -> None:
    """As a file, as an object and by way of a Sight; over the ends of games."""
    path = onnx_file(tmp_path / "p.onnx", game)
    policy = read(path)
    ways = [str(path), Policy(by_hand(layers_for(game)), game), policy.choose]
    batches: list[Any] = [VectorEnv(game, 2, 0, way) for way in ways] + [seat_env(game, 0, way) for way in ways[:2]]
    assert [batch._in_rows for batch in batches[:3]] == [game.players > 1] * 2 + [False] or game.players == 1
    found = []
    for one in batches:
        rng, rows = random.Random(3), []
        seen, _ = one.reset(seed=8)
        for _ in range(25):
            batched = isinstance(one, VectorEnv)
            mask = seen["action_mask"][0] if batched else seen["action_mask"]
            action = opens(rng, mask)
            if batched:
                other = int(np.flatnonzero(seen["action_mask"][1])[0])
                seen, rewards, over, _, _ = one.step(np.array([action, other]))
                rows.append((seen["observation"][0].tobytes(), rewards[0], over[0]))
            else:
                alone, reward, ended, _, _ = one.step(action)
                seen = one.reset()[0] if ended else alone
                rows.append((seen["observation"].tobytes(), reward, ended))
        found.append(rows)
    assert all(rows == found[0] for rows in found)


@pytest.mark.parametrize("how", ["greedy", "sampled"])
def test_batches_of_policies_are_reproducible(how: str, tmp_path: Path) -> None:
    game = samizdat.game("dual-powers")
    name = f"{onnx_file(tmp_path / 'p.onnx', game)}:{how}"

    def rows(batch: Any, steps: int) -> list[bytes]:
        found = []
        for _ in range(steps):
            seen, *_ = batch.step(batch.arrays.masks.argmax(1))
            found.append(seen["observation"].tobytes())
        return found

    batches = [VectorEnv(game, 3, 1, name) for _ in range(2)]
    for batch in batches:
        batch.reset(seed=4)
    assert rows(batches[0], 30) == rows(batches[1], 30)
    twin = pickle.loads(pickle.dumps(batches[0]))
    assert rows(twin, 20) == rows(batches[1], 20)


def test_opponents_by_seat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each seat has its own, from a file of Python too."""
    (tmp_path / "mine.py").write_text(LAST)
    monkeypatch.chdir(tmp_path)
    game = samizdat.game("revolution")
    single = seat_env(game, 1, ["mine.py:Last", None, "random", "novice:simulations=2"])
    play_seat(single, 8, 3)
    moves = single.match.moves
    lasts = [(ply, move) for ply, (seat, move) in enumerate(moves) if seat == 0]
    assert lasts
    for ply, move in lasts:
        assert single.match.at(ply).legal(0)[-1] == move


@one_of_each
def test_pettingzoo_has_opponents_too(game: Game, tmp_path: Path) -> None:
    """They are no agents; what the agents see is what they would see with the same decisions made by agents."""
    if game.players < 3:
        pytest.skip("no seat is left")
    path = str(onnx_file(tmp_path / "p.onnx", game))
    policy = read(Path(path))
    wanted: list[Any] = [None, path, None, *["random"] * (game.players - 3)]
    with_bots, without = env(game, opponents=wanted), env(game)
    assert with_bots.possible_agents == ["player_0", "player_2"]
    with_bots.reset(seed=7)
    without.reset(seed=7)
    rng = random.Random(2)
    for _ in range(30):
        if any(with_bots.terminations.values()):
            break
        for seat, move in with_bots.unwrapped.match.moves[without.unwrapped.match.plies :]:
            if seat == 1:
                mask = without.observe("player_1")
                chosen = policy.actions(mask["observation"][None], mask["action_mask"][None])
                assert chosen[0] == move.id
            without.unwrapped._single.decide(seat, move.id)
        agent = with_bots.agent_selection
        seen, *_ = with_bots.last()
        assert seen["observation"].tobytes() == without.observe(agent)["observation"].tobytes()
        with_bots.step(opens(rng, seen["action_mask"]))
    assert with_bots.unwrapped.match.plies > 20


@one_of_each
def test_whole_games_of_pettingzoo_against_opponents(game: Game) -> None:
    if game.players < 2:
        pytest.skip("no seat is left")
    seats: list[Any] = ["random"] * game.players
    seats[game.players - 1] = None
    rng = random.Random(4)
    cycle, parallel = env(game, opponents=seats), parallel_env(game, opponents=seats)
    agent = f"player_{game.players - 1}"
    cycle.reset(seed=2)
    while not cycle.terminations[agent]:
        cycle.step(opens(rng, cycle.last()[0]["action_mask"]))
    assert cycle.rewards == {agent: cycle.unwrapped.match.returns[-1]}
    seen, _ = parallel.reset(seed=2)
    rewards = {}
    while parallel.agents:
        seen, rewards, _, _, _ = parallel.step({agent: opens(rng, seen[agent]["action_mask"])})
    assert rewards == {agent: parallel.match.returns[-1]}


def test_an_environment_with_bots_travels(tmp_path: Path) -> None:
    single = seat_env("dual-powers", 0, "novice:simulations=3")
    play_seat(single, 5, 3)
    twin, sent = copy.deepcopy(single), pickle.loads(pickle.dumps(single))
    after = play_seat(single, 10, None)
    assert play_seat(twin, 10, None) == after
    assert play_seat(sent, 10, None) == after


def test_mistakes_are_named() -> None:
    game = samizdat.game("revolution")
    for wanted, why in (
        ("strong", "There is no bot “strong”"),
        ("novice,random", "a list by seat"),
        (["novice"], "one for each of 4 seats"),
        ([None, None, "random", "random"], "Seat 1 needs an opponent"),
        (["random"] * 4, "Seat 0 is the agent's"),
        (7, "An opponent is a bot's name"),
    ):
        with pytest.raises(OptionError, match=why):
            seat_env(game, 0, wanted)
    for seats in ("random", ["random"], ["random"] * 4):
        with pytest.raises(OptionError, match="one for each of 4 seats"):
            env(game, opponents=seats)
    with pytest.raises(OptionError, match="its game is dual-powers"):
        seat_env(game, 0, Policy(by_hand(layers_for(samizdat.game("dual-powers"))), samizdat.game("dual-powers")))
    for wrong in (lambda sight: "dance", lambda sight: 0 if sight.legal()[0].id else 1, lambda sight: 1 << 40):
        with pytest.raises(IllegalMove, match="The opponent on seat"):
            play_seat(seat_env(game, 3, wrong), 60, 1)

    class Closed:
        def actions(self, observations: Any, masks: Any) -> Any:
            return masks.argmin(1)

    with pytest.raises(IllegalMove, match="not open to it"):
        play_seat(seat_env(game, 3, Closed()), 60, 1)
    with pytest.raises(IllegalMove, match="not open to it"):
        play_batch(VectorEnv(game, 2, 3, Closed()), 60)
