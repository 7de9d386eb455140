"""Observation tensors: the layout says what is where, nothing is lost, and nothing hidden is told."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from samizdat.kernel.game import Definition, Game, definition, definitions
from samizdat.kernel.match import Match
from samizdat.lab.observations import BITS, LOG, Span, Tensors, describe, layout, scaled, size
from tests.conformance.test_secrets import other_world
from tests.conftest import label, plain_games
from tests.test_cli import run


def positions(game: Game, seed: int) -> list[Match]:
    """The first fifty positions of a random game, then every twentieth, and the end."""
    rng = random.Random(seed)
    match = game.match(seed)
    found = [match.copy()]
    while not match.over:
        seat = rng.choice(match.turn)
        match.play(seat, rng.choice(match.legal(seat)))
        if match.over or match.plies < 50 or match.plies % 20 == 0:
            found.append(match.copy())
    return found


def unscaled(span: Span, numbers: Any) -> Any:
    """The values of a field from its part of a tensor."""
    if span.scale == BITS:
        digits = numbers.reshape(*span.shape).astype(np.int64)
        return (digits << np.arange(span.digits)).sum(axis=-1)
    wide = numbers.astype(np.float64).reshape(span.shape)
    if span.scale == LOG:
        return np.rint(np.sign(wide) * np.expm1(np.abs(wide) * np.log1p(span.bound))).astype(np.int64)
    return np.rint(wide * span.bound).astype(np.int64)


@pytest.mark.parametrize("game", plain_games(), ids=label)
def test_the_hidden_record_can_be_read_back(game: Game) -> None:
    """The tensor holds the whole hidden record, each field where the layout says, and nothing out of [-1, 1]."""
    tensors = Tensors(game)
    for match in positions(game, 5):
        for seat in range(game.players):
            sight = match.sight(seat, memory=False)
            tensor = tensors.of(sight)
            assert tensor.dtype == np.float32
            assert np.abs(tensor).max() <= 1
            assert tensor[: game.players].tolist() == [other == seat for other in range(game.players)]
            assert tensor[game.players : 2 * game.players].tolist() == [
                other in match.turn for other in range(game.players)
            ]
            for span in tensors.layout[2:]:
                part = tensor[span.offset : span.offset + span.size]
                assert np.array_equal(unscaled(span, part), sight.state.array[span.field][0]), span.field


@pytest.mark.parametrize("game", plain_games(), ids=label)
def test_two_worlds_give_one_tensor(game: Game) -> None:
    """The secrecy law: a seat's tensor is the same in every world that the seat could be in."""
    tensors = Tensors(game)
    rng = random.Random(11)
    told_apart = 0
    for match in positions(game, 6):
        for seat in range(game.players):
            world = other_world(match, seat, rng)
            true, other = (tensors.of(one.sight(seat, memory=False)) for one in (match, world))
            assert true.tobytes() == other.tobytes()
            told_apart += bytes(match._state) != bytes(world._state)
    assert told_apart, "no guessed world differed from the true one: the test shows nothing"


@pytest.mark.parametrize("found", definitions().values(), ids=label)
def test_the_layout_covers_every_field_once(found: Definition) -> None:
    game = found.choose()
    at = 0
    for span in layout(game):
        assert span.offset == at
        at += span.size
    assert at == size(game)
    assert [span.field for span in layout(game)[2:]] == list(found.state.fields)
    for span in layout(game)[2:]:
        for extreme in (span.low, span.high):
            numbers = np.asarray(scaled(span, np.full(found.state.fields[span.field].shape, extreme)), np.float32)
            assert len(numbers) == span.size
            assert np.abs(numbers).max() <= 1


@pytest.mark.parametrize("name", definitions())
def test_the_command_prints_the_layout(name: str) -> None:
    game = definition(name).choose()
    assert run("observations", name).stdout == describe(game) + "\n"
    for span in layout(game):
        assert f"{span.offset}  " in describe(game)
        assert span.why in describe(game)


def test_the_command_refuses_in_one_sentence() -> None:
    done = run("observations", "chess")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
