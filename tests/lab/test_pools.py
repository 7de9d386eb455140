"""Earlier selves as opponents, and evaluations that are arenas."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import samizdat
from samizdat.kernel.errors import OptionError
from samizdat.kernel.match import Sight
from samizdat.lab.arena import Arena, Setting, read_entrants
from samizdat.lab.gymnasium import VectorEnv
from samizdat.lab.policies import Policy
from samizdat.lab.pools import Pool, evaluate
from samizdat.lab.standings import Scoreboard
from tests.lab.policies import by_hand, layers_for

GAME = samizdat.game("dual-powers")


class Fixed:
    """Takes the first or the last open action."""

    def __init__(self, last: bool) -> None:
        self.last = last

    def actions(self, observations: Any, masks: Any) -> Any:
        return masks.shape[1] - 1 - masks[:, ::-1].argmax(1) if self.last else masks.argmax(1)


def rows(opponents: Any, steps: int = 20) -> list[bytes]:
    batch = VectorEnv(GAME, 2, 0, opponents)
    batch.reset(seed=3)
    return [batch.step(batch.arrays.masks.argmax(1))[0]["observation"].tobytes() for _ in range(steps)]


def test_a_batch_plays_against_whom_the_pool_has_drawn() -> None:
    pool = Pool([Fixed(last=False)], latest=1.0)
    assert rows(pool) == rows(Fixed(last=False))
    pool.add(Fixed(last=True))
    assert rows(pool) == rows(Fixed(last=False)), "nobody was drawn yet"
    pool.draw(random.Random(1))
    assert rows(pool) == rows(Fixed(last=True)) != rows(Fixed(last=False))


def test_all_members_are_drawn_and_the_newest_most() -> None:
    pool = Pool([Fixed(False), Fixed(True), Fixed(False)])
    rng = random.Random(2)
    drawn = [pool.members.index(pool.draw(rng)) for _ in range(600)]
    counts = np.bincount(drawn, minlength=3) / 600
    assert counts == pytest.approx([1 / 6, 1 / 6, 4 / 6], abs=0.06)


def test_a_checkpoint_does_not_learn_on() -> None:
    layers = layers_for(GAME)
    policy = Policy(Network(layers), GAME)
    pool = Pool()
    pool.add(policy)
    before = rows(pool.members[-1])
    for weights, _ in layers:
        weights[:] = -weights
    assert rows(pool.members[-1]) == before
    assert rows(policy) != before
    with pytest.raises(OptionError, match="member of a pool"):
        pool.add(lambda sight: 0)


class Network:
    """A model that can be copied, as networks can."""

    def __init__(self, layers: Any) -> None:
        self.layers = layers

    def __call__(self, observations: Any) -> Any:
        return by_hand(self.layers)(observations)


def test_a_pool_of_another_game_is_refused() -> None:
    pool = Pool([Policy(by_hand(layers_for(GAME)), GAME)])
    with pytest.raises(OptionError, match="its game is dual-powers"):
        VectorEnv("revolution", 2, 0, pool)


def test_an_evaluation_is_an_arena() -> None:
    """Same deals, all rotations, the same statistics as for a bot by name."""

    class Random:
        def seeded(self, seed: int) -> Any:
            return samizdat.bot("random", seed=seed)

    found = {str(one.entrant): one for one in evaluate(Random(), "dual-powers", "novice:simulations=2", games=8)}
    board = Scoreboard(Arena(Setting("dual-powers"), read_entrants("random,novice:simulations=2")))
    for result in board.arena.play(8):
        board.add(result)
    expected = {str(one.entrant): one for one in board.standings()}
    assert found["agent"].games == expected["random"].games == 8
    for own, theirs in (("agent", "random"), ("novice:simulations=2", "novice:simulations=2")):
        assert (found[own].share, found[own].low, found[own].high) == (
            expected[theirs].share, expected[theirs].low, expected[theirs].high,
        )  # fmt: skip


def test_anything_that_chooses_can_be_evaluated_and_is_held_to_the_rules() -> None:
    class First:
        def choose(self, sight: Sight) -> Any:
            return sight.legal()[0]

    assert {str(one.entrant) for one in evaluate(First(), "dual-powers", games=2, name="first")} == {
        "first",
        "random",
    }
    by_name = evaluate("novice:simulations=2", Setting("revolution", players=3), "random", games=3)
    assert [one.games for one in by_name] == [3, 3]
    with pytest.raises(OptionError, match="its game is dual-powers"):
        evaluate(Policy(by_hand(layers_for(GAME)), GAME), "revolution")
