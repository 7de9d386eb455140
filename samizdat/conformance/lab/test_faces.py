"""Bots and the research faces play the game: random and novice, observations, PettingZoo, OpenSpiel."""

from __future__ import annotations

import random

import numpy as np
import pytest

import samizdat
from samizdat.conformance.games import chosen, label, plain_games
from samizdat.conformance.walks import walk
from samizdat.kernel.game import Definition, Game
from samizdat.lab.observations import Tensors

DECISIONS = 60  # of a match that a bot plays along
ASKED = {"random": 1, "novice": 6}  # every so many of them: a novice that is not compiled thinks long
EVERY_GAME = pytest.mark.parametrize("game", plain_games(), ids=label)


@EVERY_GAME
@pytest.mark.parametrize("level", ASKED)
def test_bots_choose_what_is_open(game: Game, level: str) -> None:
    match, bot, dice = game.match(5), samizdat.bot(level, seed=1), random.Random(5)
    while not match.over and match.plies < DECISIONS:
        seat = match.turn[0]
        move = dice.choice(match.legal(seat))
        if match.plies % ASKED[level] == 0:
            move = bot.choose(match.sight(seat), patient=False)
            assert move in match.legal(seat)
        match.play(seat, move)


@EVERY_GAME
def test_observations_are_numbers_within_bounds(game: Game) -> None:
    tensors = Tensors(game)
    for match in walk(game.match(3), 3):
        if match.plies % 5 == 0 or match.over:
            for seat in range(game.players):
                row = tensors.of(match.sight(seat, memory=False))
                assert np.isfinite(row).all()
                assert np.abs(row).max() <= 1.0


@EVERY_GAME
def test_pettingzoo_plays_it(game: Game) -> None:
    pytest.importorskip("pettingzoo")
    from samizdat.lab.pettingzoo import env

    table, dice = env(game), random.Random(2)
    table.reset(seed=2)
    for _ in table.agent_iter(20 * game.longest):
        seen, _, ended, cut, _ = table.last()
        open_to_it = None if ended or cut else [int(move) for move in np.flatnonzero(seen["action_mask"])]
        table.step(dice.choice(open_to_it) if open_to_it else None)
    assert not table.agents


@pytest.mark.parametrize("definition", chosen(), ids=label)
def test_openspiel_plays_it(definition: Definition) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    from samizdat.lab import openspiel

    game = pyspiel.load_game(openspiel.PREFIX + definition.snake)
    state, dice = game.new_initial_state(), random.Random(1)
    while not state.is_terminal():
        state.apply_action(dice.choice(state.legal_actions()))
    assert len(state.returns()) == game.num_players()
