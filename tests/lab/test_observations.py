"""Observation tensors: the layout says what is where, nothing is lost, and nothing hidden is told."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from samizdat.conformance.lab.test_secrets import other_world
from samizdat.kernel.game import Definition, Game, definition, definitions
from samizdat.kernel.match import Match
from samizdat.kernel.reach import chosen_before_the_deal, reach_of
from samizdat.kernel.records import Field
from samizdat.lab.observations import (
    BITS,
    LOG,
    SHARE,
    Span,
    Tensors,
    TrueTensors,
    describe,
    layout,
    scale_of,
    scaled,
    size,
    varying,
)
from tests.conftest import all_options, every_game, label, plain_games
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


def shown(span: Span, values: Any, seat: int) -> Any:
    """What of a field's values is in an observation: of some the own row only, and those that are no seat's."""
    return np.concatenate((values[seat : seat + 1], values[span.seats :])) if span.seats else values


@pytest.mark.parametrize("game", plain_games(), ids=label)
def test_the_hidden_record_can_be_read_back(game: Game) -> None:
    """The tensor holds the whole hidden record, each field where the layout says, and nothing out of [-1, 1]."""
    tensors = Tensors(game)
    moving = varying(game)
    first: Any = None
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
                values = shown(span, sight.state.array[span.field][0], seat)
                assert np.array_equal(unscaled(span, part), values), span.field
            first = tensor if first is None else first
            assert (tensor[~moving] == first[~moving]).all(), "what cannot vary did"


@pytest.mark.parametrize("game", plain_games(), ids=label)
def test_the_true_record_can_be_read_back(game: Game) -> None:
    """The referee's tensor holds every row of every field, and no seat that looks."""
    tensors = TrueTensors(game)
    for match in positions(game, 7)[::5]:
        tensor = tensors.of(match)
        assert np.abs(tensor).max() <= 1
        assert not tensor[: game.players].any()
        for span in tensors.layout[2:]:
            part = tensor[span.offset : span.offset + span.size]
            assert np.array_equal(unscaled(span, part), match._state.array[span.field][0]), span.field


@pytest.mark.parametrize("definition", definitions().values(), ids=label)
def test_one_layout_for_all_variants_boxes_and_options(definition: Definition) -> None:
    """Field by field the same numbers; only `you` and `to_act` have one for each player."""
    layouts = set()
    for variant, counts in definition.variants.items():
        for box in (None, "reduced"):
            for players in counts:
                for options in all_options(definition, variant):
                    game = definition.choose(players, variant, box, **options)
                    layouts.add(tuple((span.field, span.shape, span.scale, span.seats) for span in layout(game)[2:]))
    assert len(layouts) == 1


@pytest.mark.parametrize("game", every_game(), ids=label)
def test_the_ends_of_the_reach_are_the_ends_of_the_numbers(game: Game) -> None:
    """Whatever can come about lies in [-1, 1]; the largest of what can vary is 1 or -1 exactly."""
    reaches = reach_of(game)
    for span in layout(game, whole=True)[2:]:
        divisors = span.divisors
        low, high = (np.asarray(scaled(span, divisors, end), np.float32) for end in reaches[span.field])
        assert np.abs(low).max() <= 1, span.field
        assert np.abs(high).max() <= 1, span.field
        if span.scale != BITS and span.field not in chosen_before_the_deal(game):
            furthest = np.maximum(np.abs(low), np.abs(high))[span.varies.ravel()]
            assert (furthest == 1).all(), span.field


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
    for whole in (False, True):
        at = 0
        for span in layout(game, whole):
            assert span.offset == at
            at += span.size
        assert at == size(game, whole)
        assert [span.field for span in layout(game, whole)[2:]] == list(found.state.fields)
    assert varying(game).shape == (size(game),)


def test_fields_of_either_kind_are_told_apart() -> None:
    assert scale_of(Field((), 0, 7, "")) == BITS
    assert scale_of(Field((), 0, 8, "")) == SHARE
    assert scale_of(Field((), 0, 40, "a count, or the number of one of forty things")) == SHARE
    assert scale_of(Field((), 0, 48, "a count that goes far")) == LOG
    assert scale_of(Field((), -1, 95, "a number of something, or none")) == SHARE
    assert scale_of(Field((), -300, 300, "points")) == LOG


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
