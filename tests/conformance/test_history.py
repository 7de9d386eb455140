"""One history for each viewer: kept up with the match, it is what working the match through again would give."""

from __future__ import annotations

import random

import pytest

from samizdat.kernel.errors import SamizdatError
from samizdat.kernel.game import Game
from samizdat.kernel.history import History
from samizdat.kernel.match import Match
from tests.conftest import DOSE, label, plain_games


def viewers(match: Match) -> list[int | None]:
    return [None, *range(match.seats)]


def again(match: Match) -> Match:
    """The same decisions once more, looked at by nobody."""
    twin = Match(match.game, match.seed)
    for seat, move in match.moves:
        twin.play(seat, move)
    return twin


def known(history: History) -> object:
    return history.seat, list(history.observations), list(history.upto), history.version, history.rewritten


@pytest.mark.parametrize("game", plain_games(), ids=label)
def test_a_history_that_is_kept_up_is_the_one_worked_out_later(game: Game) -> None:
    undone = 0
    for seed in range(2 * DOSE):
        dice, match = random.Random(seed), Match(game, seed)
        watched = viewers(match)
        for viewer in watched:
            assert match.history(viewer).version == 1  # the deal
        for _ in range(60):
            if match.over:
                break
            seat = dice.choice(match.turn)
            old = {viewer: match.history(viewer).at(match.plies) for viewer in watched}
            match.play(seat, dice.choice(match.legal(seat)))
            for viewer in watched:
                history = match.history(viewer)
                added = len(history.observations) - len(old[viewer].observations)
                assert history.version == old[viewer].version + added
                assert added in (0, 1)
                assert added or viewer != seat
                assert history.upto[-1] == len(history.observations)
            if match.can_undo(seat) and dice.random() < 0.5:
                before = {viewer: match.history(viewer).at(match.plies) for viewer in watched}
                match.undo(seat)
                undone += 1
                for viewer in watched:
                    history, was = match.history(viewer), before[viewer]
                    changed = history.observations != was.observations
                    assert history.version == was.version + changed
                    assert history.rewritten == (history.version if changed else was.rewritten)
                assert match.history(seat).rewritten == match.history(seat).version
        fresh = again(match)
        for viewer in watched:
            late, kept = fresh.history(viewer), match.history(viewer)
            assert late.observations == kept.observations
            assert late.upto == kept.upto
            assert late.version == len(late.observations)
    assert undone


@pytest.mark.parametrize("game", plain_games(), ids=label)
def test_a_history_of_the_past_is_what_was_known_then(game: Game) -> None:
    dice, match = random.Random(1), Match(game, 1)
    then = []
    for _ in range(30):
        if match.over:
            break
        then.append([match.sight(seat) for seat in range(match.seats)])
        seat = dice.choice(match.turn)
        match.play(seat, dice.choice(match.legal(seat)))
    for ply, sights in enumerate(then):
        for seat, sight in enumerate(sights):
            past = match.past_sight(seat, ply)
            assert past.memory == sight.memory
            assert bytes(past.state) == bytes(sight.state)


@pytest.mark.parametrize("game", plain_games(), ids=label)
def test_a_copy_goes_its_own_way(game: Game) -> None:
    match = Match(game, 3)
    before = [known(match.history(viewer)) for viewer in viewers(match)]
    twin = match.copy()
    for _ in range(5):
        seat = twin.turn[0]
        twin.play(seat, twin.legal(seat)[0])
    assert [known(match.history(viewer)) for viewer in viewers(match)] == before
    assert [known(twin.history(viewer)) for viewer in viewers(twin)] != before


@pytest.mark.parametrize("game", plain_games(), ids=label)
def test_a_decision_that_is_refused_leaves_no_trace(game: Game) -> None:
    match = Match(game, 3)
    before = [known(match.history(viewer)) for viewer in viewers(match)]
    seat = match.turn[0]
    with pytest.raises(SamizdatError):
        match.play(seat, match.legal(seat)[0], luck=[10**9] * 500)
    assert [known(match.history(viewer)) for viewer in viewers(match)] == before
