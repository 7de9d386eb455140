"""The secrecy law: what a seat can receive does not depend on what it may not know."""

from __future__ import annotations

import random

import numpy as np
import pytest

from samizdat.conformance.games import DOSE, every_game, label, plain_games
from samizdat.kernel import contract, loops
from samizdat.kernel import interpreted as engine
from samizdat.kernel.errors import SamizdatError
from samizdat.kernel.game import Game
from samizdat.kernel.luck import Dice, Luck, seed_luck
from samizdat.kernel.match import Match

CHANNELS = {value: name for name, value in vars(loops).items() if name.isupper() and isinstance(value, int)}


@pytest.mark.parametrize("game", every_game(), ids=label)
def test_no_channel_leaks(game: Game) -> None:
    """Every seat and a spectator, at every decision of whole games: hide, guess, hide again, legal moves, turn."""
    definition = game.definition
    states = np.zeros(5, definition.state.dtype)
    states[4] = game.blank().array[0]
    found = np.zeros(4, np.int64)
    raw = states.view(np.uint8).reshape(5, definition.state.dtype.itemsize)
    games = 15 * DOSE
    checked = definition.native.check_secrets(
        game.box.record.array, states, raw, np.zeros(2, Luck.dtype), np.zeros(2, Dice.dtype), 1980, 0, games,
        game.players, game.moves_buffer(rows=2), game.longest, found,
    )  # fmt: skip
    number, ply, seat, channel = (int(value) for value in found)
    assert channel == 0, f"game {number}, ply {ply}, seat {seat}: {CHANNELS[channel]}"
    assert checked > games * game.players


@pytest.mark.parametrize("game", plain_games(), ids=label)
def test_two_worlds_look_alike(game: Game) -> None:
    """A match in the true world and one in a guessed world: everything the Python face hands a seat is the same."""
    rng = random.Random(44)
    for seed in range(2 * DOSE):
        match = game.match(seed)
        while not match.over:
            if rng.random() < 0.04:
                for seat in range(game.players):
                    compare_worlds(match, other_world(match, seat, rng), seat, rng)
            seat = rng.choice(match.turn)
            match.play(seat, rng.choice(match.legal(seat)))


def other_world(match: Match, seat: int, rng: random.Random) -> Match:
    """The same match as the seat sees it, with everything it may not know drawn anew."""
    world = match.copy()
    state = engine.hidden(match._box, match._state, seat)
    luck = Luck()
    seed_luck(luck, rng.getrandbits(128))
    contract.guess(match._box, state, luck, seat)
    world._state.become(state)
    return world


def compare_worlds(true: Match, other: Match, seat: int, rng: random.Random) -> None:
    assert true.view(seat) == other.view(seat)
    assert true.legal(seat) == other.legal(seat)
    assert true.turn == other.turn
    assert bytes(true.sight(seat, memory=False).state) == bytes(other.sight(seat, memory=False).state)
    for _ in range(3):
        move = rng.choice([move for move in true.game.notation.all if move is not None])
        assert refusal(true, seat, move.id) == refusal(other, seat, move.id), move


def refusal(match: Match, seat: int, move: int) -> str:
    """What a seat is told when it tries a move (on a copy)."""
    try:
        match.copy().play(seat, move)
    except SamizdatError as error:
        return f"{type(error).__name__}: {error}"
    return "played"


@pytest.mark.parametrize("game", plain_games(), ids=label)
def test_what_others_do_unseen_is_not_observed(game: Game) -> None:
    """A step that shows a seat nothing adds nothing to its observations, its log or its right to take back."""
    rng = random.Random(1)
    match = game.match(3)
    hidden_steps = composing = 0
    for _ in range(60):
        if match.over:
            break
        together = len(match.turn) > 1
        seat = rng.choice(match.turn)
        others = [other for other in range(game.players) if other != seat]
        before = {other: (match.view(other), match.observations(other), match.can_undo(other)) for other in others}
        match.play(seat, rng.choice(match.legal(seat)))
        composing += together and seat in match.turn  # part of a secret choice, not yet committed
        for other in others:
            after = (match.view(other), match.observations(other), match.can_undo(other))
            if after[0] == before[other][0] and len(after[1]) == len(before[other][1]):
                hidden_steps += 1
                assert after == before[other]
    if composing:
        assert hidden_steps


@pytest.mark.parametrize("game", plain_games(), ids=label)
def test_undo_never_peeks(game: Game) -> None:
    """If a decision can be taken back, the seat learned nothing from it: in any possible world it sees the same."""
    rng = random.Random(9)
    for seed in range(2 * DOSE):
        match = game.match(seed)
        while not match.over:
            seat = rng.choice(match.turn)
            move = rng.choice(match.legal(seat))
            world = other_world(match, seat, rng) if rng.random() < 0.1 else None
            match.play(seat, move)
            if world is not None and match.can_undo(seat):
                world.play(seat, move)
                assert match.view(seat) == world.view(seat), f"{move} can be undone but showed something"
                assert match.turn == world.turn
