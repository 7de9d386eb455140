"""Single environments run compiled; the interpreted referee says what every number of them must be."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from samizdat.kernel.game import Game
from samizdat.kernel.luck import Dice, begin_dice, pick
from samizdat.kernel.match import Match
from samizdat.lab import vector
from samizdat.lab.faces import ILLEGAL
from samizdat.lab.gymnasium import VectorEnv
from samizdat.lab.gymnasium import env as seat_env
from samizdat.lab.observations import Tensors, TrueTensors
from samizdat.lab.pettingzoo import env, parallel_env
from samizdat.lab.policies import Uniform
from samizdat.lab.single import as_action
from tests.conftest import full_tables, label, plain_games

every_game = pytest.mark.parametrize("game", plain_games(), ids=label)
every_variant = pytest.mark.parametrize("game", full_tables(plain_games()), ids=label)


class Referee:
    """What seats must receive, worked out from a match by the interpreter."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.tensors, self.true = Tensors(game), TrueTensors(game)

    def seen(self, match: Match, seat: int) -> bytes:
        return self.tensors.of(match.sight(seat, memory=False)).tobytes()

    def mask(self, match: Match, seat: int, actions: int) -> list[int]:
        mask = [0] * actions
        for move in match.legal(seat):
            mask[move.id] = 1
        if actions > self.game.capacity and not any(mask):
            mask[-1] = 1
        return mask


@every_game
def test_a_cycle_gives_every_agent_what_the_referee_would(game: Game) -> None:
    rng, referee, cycle = random.Random(1), Referee(game), env(game)
    cycle.reset(seed=14)
    match = game.match(14)
    for decision in range(120):
        if decision % 6 == 0 or match.over:
            order = rng.sample(range(game.players), game.players)  # whoever asks first
            for seat in order:
                received = cycle.observe(f"player_{seat}")
                assert received["observation"].tobytes() == referee.seen(match, seat)
                assert received["action_mask"].tolist() == referee.mask(match, seat, game.capacity)
                told = cycle.infos[f"player_{seat}"]["action_mask"]
                assert told.tobytes() == received["action_mask"].tobytes()
            assert cycle.state().tobytes() == referee.true.of(match).tobytes()
        if match.over:
            break
        assert cycle.agent_selection == f"player_{match.turn[0]}"
        move = rng.choice(match.legal(match.turn[0])).id
        match.play(match.turn[0], move)
        cycle.step(move)
    assert cycle.unwrapped.match.raw == match.raw
    assert cycle.unwrapped.match.moves == match.moves


@every_variant
def test_a_parallel_step_gives_every_agent_what_the_referee_would(game: Game) -> None:
    rng, referee, parallel = random.Random(2), Referee(game), parallel_env(game)
    seen, _ = parallel.reset(seed=15)
    match = game.match(15)
    for _ in range(40):
        for seat, agent in enumerate(parallel.agents):
            assert seen[agent]["observation"].tobytes() == referee.seen(match, seat)
            assert seen[agent]["action_mask"].tolist() == referee.mask(match, seat, game.capacity + 1)
        if match.over:
            break
        actions = {agent: rng.choice(np.flatnonzero(one["action_mask"])) for agent, one in seen.items()}
        for seat in match.turn:
            match.play(seat, int(actions[f"player_{seat}"]))
        seen, *_ = parallel.step(actions)


def interpreted(game: Game, seat: int, seed: int, rng: random.Random) -> Iterator[tuple[Match, int | None]]:
    """An episode against random opponents as the interpreter plays it: the match when the seat is asked, with what it
    then does, and when all is over."""
    episode = 0
    while True:
        match, dice = game.match(seed + (episode << 64)), Dice()
        begin_dice(dice, seed, episode)
        asked = False
        while not match.over:
            if seat in match.turn:
                asked = True
                action = rng.choice(match.legal(seat)).id
                yield match, action
                match.play(seat, action)
            else:
                moves = match.legal(match.turn[0])
                match.play(match.turn[0], moves[pick(dice, len(moves))])
        if asked:
            yield match, None
            return
        episode += 1


@every_game
def test_a_seat_against_random_ones_receives_what_the_referee_would_give_it(game: Game) -> None:
    referee = Referee(game)
    for seat in {0, game.players - 1}:
        single = seat_env(game, seat)
        (seen, _), reward, over = single.reset(seed=16), 0.0, False
        for match, action in interpreted(game, seat, 16, random.Random(3)):
            assert seen["observation"].tobytes() == referee.seen(match, seat)
            assert seen["action_mask"].tolist() == referee.mask(match, seat, game.capacity)
            assert over == match.over
            if action is None:
                assert reward == match.returns[seat]
                assert single.match.raw == match.raw
            else:
                seen, reward, over, _, _ = single.step(action)


@every_variant
def test_what_was_handed_out_never_changes(game: Game) -> None:
    """Observations go into replay buffers."""
    rng, cycle, parallel, single = random.Random(4), env(game), parallel_env(game), seat_env(game)
    cycle.reset(seed=1)
    together, told = parallel.reset(seed=1)
    alone, info = single.reset(seed=1)
    kept: list[tuple[Any, bytes]] = []
    for _ in range(12):
        seen, _, _, _, cycle_info = cycle.last()
        given = [seen, cycle_info, *together.values(), *told.values(), alone, info, {"state": cycle.state()}]
        kept += [(part, part.tobytes()) for one in given for part in one.values() if isinstance(part, np.ndarray)]
        cycle.step(rng.choice(np.flatnonzero(seen["action_mask"])))
        actions = {agent: rng.choice(np.flatnonzero(one["action_mask"])) for agent, one in together.items()}
        together, _, _, _, told = parallel.step(actions)
        alone, _, over, _, info = single.step(rng.choice(np.flatnonzero(alone["action_mask"])))
        if over or not parallel.agents or any(cycle.terminations.values()):
            break
    assert all(part.tobytes() == before for part, before in kept)


@every_variant
def test_an_environment_plays_on_from_another_match(game: Game) -> None:
    rng, referee = random.Random(5), Referee(game)
    match = game.match(99)
    for _ in range(20):
        if len(match.turn):
            match.play(match.turn[0], rng.choice(match.legal(match.turn[0])))
    if match.over:
        pytest.skip("a game shorter than this test")
    cycle = env(game)
    cycle.reset(seed=1)
    cycle.unwrapped.match = match.copy()
    cycle.unwrapped._ask()
    for _ in range(20):
        seat = match.turn[0]
        assert cycle.last()[0]["observation"].tobytes() == referee.seen(match, seat)
        move = rng.choice(match.legal(seat))
        match.play(seat, move)  # luck falls as it would have
        cycle.step(move.id)
        if match.over:
            break
    assert cycle.unwrapped.match.raw == match.raw


@given(st.one_of(st.integers(), st.floats(), st.none(), st.text(), st.booleans(), st.integers(0, 72).map(np.int64)))
def test_only_what_equals_a_move_is_one(action: Any) -> None:
    """As `==` sees it, whatever is given; and nothing raises."""
    number = as_action(action)
    assert number == action if number >= 0 else not any(action == move for move in range(73))


@pytest.mark.parametrize("action", [None, "bid", 1 << 80, float("nan"), -1, 2.5])
def test_what_is_no_action_ends_the_game(action: Any) -> None:
    cycle, single, parallel = env("revolution"), seat_env("revolution"), parallel_env("revolution")
    cycle.reset(seed=1)
    agent = cycle.agent_selection
    cycle.step(action)
    assert cycle.rewards[agent] == ILLEGAL
    single.reset(seed=1)
    _, reward, over, _, info = single.step(action)
    assert (reward, over, info["illegal"]) == (ILLEGAL, True, True)
    seen, _ = parallel.reset(seed=1)
    actions = {agent: int(np.flatnonzero(one["action_mask"])[0]) for agent, one in seen.items()}
    _, rewards, terminations, _, _ = parallel.step({**actions, "player_2": action})
    assert rewards == {"player_0": 0.0, "player_1": 0.0, "player_2": ILLEGAL, "player_3": 0.0}
    assert all(terminations.values())


def test_the_match_of_an_environment_is_played_after_only_when_asked_for() -> None:
    single = seat_env("revolution")
    seen, _ = single.reset(seed=3)
    for _ in range(5):
        seen, *_ = single.step(int(seen["action_mask"].argmax()))
    first = single.match
    assert first.plies == int(single._single.arrays.plies[0]) >= 5
    assert single.match is first
    single.step(int(seen["action_mask"].argmax()))
    assert single.match is first


@every_variant
def test_all_environments_share_one_piece_of_machine_code(game: Game) -> None:
    """Whatever is asked of it: another way of calling it would compile all the rules once more."""
    cycle, parallel, single, batch = env(game), parallel_env(game), seat_env(game), VectorEnv(game, 2)
    cycle.reset(seed=1)
    cycle.state()
    cycle.step(int(cycle.last()[0]["action_mask"].argmax()))
    parallel.reset(seed=1)
    single.reset(seed=1)
    single.step(int(single.action_masks().argmax()))
    batch.reset(seed=1)
    batch.step(batch.arrays.masks.argmax(1))
    VectorEnv(game, 2, 0, Uniform(1)).reset(seed=1)
    assert len(vector.compiled(game.definition.native).overloads) == 1
