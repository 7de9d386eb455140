"""Reach: what a game says its fields can hold, with one box and one choice of options, is never exceeded."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from samizdat.conformance.walks import native_trace
from samizdat.kernel import interpreted as engine
from samizdat.kernel.game import Definition, Game, definitions
from samizdat.kernel.interpreted import SPECTATOR
from samizdat.kernel.match import Match
from samizdat.kernel.reach import chosen_before_the_deal, out_of_reach, reach_of
from tests.conftest import DOSE, every_game, full_tables, label, plain_games

States = npt.NDArray[Any]


def reduced_games() -> list[Game]:
    """The small boxes, with every variant and number of players of their games."""
    return [
        definition.choose(players, variant, box="reduced")
        for definition in definitions().values()
        for variant, counts in definition.variants.items()
        for players in counts
    ]


def hidden(game: Game, states: States) -> Iterator[tuple[int, States]]:
    """The same states as each seat and a spectator see them."""
    kind = game.definition.state
    for viewer in (*range(game.players), SPECTATOR):
        seen = [engine.hidden(game.box.record, kind(one.reshape(1).copy()), viewer).array for one in states]
        yield viewer, np.concatenate(seen)


@pytest.mark.parametrize("game", [*every_game(), *reduced_games()], ids=label)
def test_nothing_is_out_of_reach(game: Game) -> None:
    """Every state of some random games, and what everybody sees of some of them."""
    for number in range(3 * DOSE):
        states, _ = native_trace(game, 11, number)
        assert out_of_reach(game, states[1:]) is None
        some = states[1 :: max(1, len(states) // 30)]
        for _, seen in hidden(game, np.concatenate((some, states[-1:]))):
            assert out_of_reach(game, seen) is None


@pytest.mark.parametrize("game", every_game(), ids=label)
def test_reach_lies_within_the_declared_bounds(game: Game) -> None:
    for name, (low, high) in reach_of(game).items():
        field = game.definition.state.fields[name]
        assert low.shape == high.shape == field.shape
        assert (field.low <= high).all(), name
        assert (high <= field.high).all(), name
        assert (low <= high).all(), name
        if name not in chosen_before_the_deal(game):
            # Rows of seats and things that are not there may hold 0 where the bound of the others begins above it.
            assert (low >= min(0, field.low)).all(), name


def pushed(game: Game) -> list[str]:
    """The fields whose reach is narrower than their declared bounds and counts something, for players to push."""
    fields = game.definition.state.fields
    return [
        name
        for name, (low, high) in reach_of(game).items()
        if (low < high).any() and high.max() < fields[name].high and fields[name].high > 7
    ]


def greedy(match: Match, name: str, sign: int, rng: random.Random) -> None:
    """One decision of whoever may act: the one after which the field is largest (or smallest), in its extremes."""
    seat = rng.choice(match.turn)
    moves = match.legal(seat)

    def after(move: Any) -> tuple[int, int, float]:
        twin = match.copy()
        twin.play(seat, move)
        values = sign * np.asarray(twin._state.array[name][0], np.int64)
        return int(values.max()), int(values.sum()), rng.random()

    few = rng.sample(moves, min(len(moves), 6))
    match.play(seat, max(few, key=after) if len(few) > 1 else few[0])


@pytest.mark.slow
@pytest.mark.parametrize("game", full_tables(plain_games()), ids=label)
def test_players_who_push_a_field_do_not_push_it_out_of_reach(game: Game) -> None:
    """Everybody together drives one field up, or down, as far as a greedy table can."""
    rng = random.Random(5)
    for name in pushed(game):
        for sign in (1, -1) if reach_of(game)[name].low.min() < -2 else (1,):
            match = game.match(rng.getrandbits(32))
            while not match.over and match.plies < 150 * DOSE:
                greedy(match, name, sign, rng)
                assert out_of_reach(game, match._state.array) is None


@pytest.mark.parametrize("definition", definitions().values(), ids=label)
def test_a_field_that_does_not_exist_is_noticed(definition: Definition) -> None:
    game = definition.choose()
    stated = dict(definition.reach(game))
    assert stated, "no game leaves its reach unsaid"
    assert set(stated) <= set(definition.state.fields)


@pytest.mark.parametrize("game", plain_games(), ids=label)
def test_rows_that_are_only_a_seats_own_are_hidden_from_the_others(game: Game) -> None:
    """Of these fields an observation holds nothing but the own row, and the rows after those of the seats."""
    own = game.definition.own_rows
    for number in range(2):
        states, _ = native_trace(game, 12, number)
        shown = dict.fromkeys(own, False)
        for viewer, seen in hidden(game, states[1 :: max(1, len(states) // 40)]):
            for name, rows in own.items():
                for seat in range(min(rows, game.players)):
                    if seat != viewer:
                        assert not seen[name][:, seat].any(), name
                    else:
                        shown[name] |= bool(seen[name][:, seat].any())
                for seat in range(game.players, rows):  # of a seat that nobody has: what everybody knows
                    assert not seen[name][:, seat].any() or (seen[name][:, seat] == seen[name][:, rows]).all()
