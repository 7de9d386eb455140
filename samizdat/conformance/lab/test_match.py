"""The Python face on every game: order of simultaneous choices, undo, files, errors."""

from __future__ import annotations

import itertools
import json
import random

import pytest

import samizdat
from samizdat.conformance.games import DOSE, label, plain_games
from samizdat.kernel.game import Game
from samizdat.kernel.match import Match
from samizdat.kernel.shows import PlainShow


def snapshot(match: Match, deep: bool = False) -> tuple[object, ...]:
    """Everything a match can be asked; with `deep` also each seat's whole memory."""
    seats = [*range(match.seats), None]
    return (
        bytes(match._state), match.turn, match.moves, match.scores, match.winners, match.reason,
        [match.view(seat) for seat in seats], [match.log(seat) for seat in seats],
        [match.observations(seat) for seat in seats if deep],
        [match.legal(seat) for seat in range(match.seats)],
    )  # fmt: skip


def random_match(game: Game, seed: int, plies: int | None = None) -> Match:
    rng = random.Random(seed)
    match = game.match(seed)
    while not match.over and (plies is None or match.plies < plies):
        seat = rng.choice(match.turn)
        match.play(seat, rng.choice(match.legal(seat)))
    return match


@pytest.mark.parametrize("game", plain_games(), ids=label)
def test_the_order_of_simultaneous_commits_does_not_matter(game: Game) -> None:
    rng = random.Random(7)
    tried = 0
    match = game.match(12)
    for _ in range(120 * DOSE):
        if match.over or tried >= 4:
            break
        acting = match.turn
        if len(acting) > 1:
            tried += 1
            check_orders(match, rng)
        seat = rng.choice(match.turn)
        match.play(seat, rng.choice(match.legal(seat)))


def check_orders(match: Match, rng: random.Random) -> None:
    """Let every acting seat finish its part of this simultaneous choice, in every order of seats and interleaved."""
    acting = match.turn
    plans: dict[int, list[int]] = {}
    for seat in acting:
        alone = match.copy()
        plans[seat] = []
        while seat in alone.turn and len(alone.turn) > 1:
            move = rng.choice(alone.legal(seat))
            plans[seat].append(move.id)
            alone.play(seat, move)
    results = set()
    for order in itertools.permutations(acting):
        world = match.copy()
        for seat in order:
            for id in plans[seat]:
                if seat in world.turn:
                    world.play(seat, id)
        results.add(bytes(world._state))
    for _ in range(4):
        world, rest = match.copy(), {seat: list(moves) for seat, moves in plans.items()}
        while any(rest.values()):
            seat = rng.choice([seat for seat, moves in rest.items() if moves])
            world.play(seat, rest[seat].pop(0))
        results.add(bytes(world._state))
    assert len(results) == 1, f"seats {acting}: {len(results)} different results"


@pytest.mark.parametrize("game", plain_games(), ids=label)
def test_undo_restores_everything(game: Game) -> None:
    """In as many matches as it takes to take something back: small games seldom allow it."""
    rng = random.Random(5)
    undone = 0
    for seed in range(100 * DOSE):
        if seed >= DOSE and undone:
            break
        match = game.match(seed)
        while not match.over and match.plies < 150:
            seat = rng.choice(match.turn)
            move = rng.choice(match.legal(seat))
            if rng.random() < 0.15:
                before = snapshot(match)
                trial = match.copy()
                trial.play(seat, move)
                if trial.can_undo(seat):
                    trial.undo(seat)
                    undone += 1
                    assert snapshot(trial) == before
                else:
                    after = snapshot(trial)
                    with pytest.raises(samizdat.IllegalMove):
                        trial.undo(seat)
                    assert snapshot(trial) == after
                assert snapshot(match) == before, "playing on a copy changed the original"
            match.play(seat, move)
    assert undone


@pytest.mark.parametrize("game", plain_games(), ids=label)
def test_files_are_exact(game: Game) -> None:
    for seed in range(DOSE):
        for plies in (0, 17, None):
            match = random_match(game, seed, plies)
            text = match.dumps()
            again = samizdat.loads(text)
            assert snapshot(again, deep=True) == snapshot(match, deep=True)
            assert again.dumps() == text, "read and written again it is the same file"
            verdict = samizdat.verify(text)
            assert verdict.good == match.over, verdict.why


@pytest.mark.parametrize("game", plain_games(), ids=label)
def test_seat_files_hold_no_more_than_the_seat_knows(game: Game) -> None:
    match = random_match(game, 3, 25)
    for seat in (*range(game.players), None):
        text = match.dumps_seat(seat)
        data = json.loads(text)
        assert data["view"] == json.loads(json.dumps(match.view(seat)))
        assert f"{match.seed:032x}" not in text
        with pytest.raises(samizdat.MatchFileError, match="seat's file"):
            samizdat.loads(text)


@pytest.mark.parametrize("game", plain_games(), ids=label)
def test_wrong_moves_are_refused_and_change_nothing(game: Game) -> None:
    """Of whoever is to act, of everybody else, and of nobody; where all decisions are open at all times, none of the
    first are wrong."""
    rng = random.Random(8)
    match = game.match(8)
    known = [move for move in game.notation.all if move is not None]
    while not match.over and match.plies < 120:
        if rng.random() < 0.25 or match.plies == 0:
            before = snapshot(match)
            for seat in range(game.players):
                open_to = {one.id for one in match.legal(seat)}
                wrong = [move for move in known if move.id not in open_to]
                if seat not in match.turn:
                    with pytest.raises(samizdat.NotYourTurn, match=f"Seat {seat}"):
                        match.play(seat, rng.choice(known))
                elif wrong:
                    with pytest.raises(samizdat.IllegalMove) as caught:
                        match.play(seat, rng.choice(wrong))
                    assert caught.value.rule
                    assert str(caught.value).endswith(f"({caught.value.rule})")
            for bad in ("", "castle kingside", "é" * 300, -1, 10**9, None, 2.5, True, ["bid"]):
                with pytest.raises(samizdat.MoveError):
                    match.play(match.turn[0], bad)
            for nobody in (-1, game.players, True, "0", None):
                with pytest.raises(samizdat.NotYourTurn):
                    match.play(nobody, match.legal(match.turn[0])[0])  # type: ignore[arg-type]
            assert snapshot(match) == before
        seat = rng.choice(match.turn)
        match.play(seat, rng.choice(match.legal(seat)))


@pytest.mark.parametrize("game", plain_games(), ids=label)
def test_nothing_after_the_end(game: Game) -> None:
    match = random_match(game, 1)
    before = snapshot(match)
    assert match.turn == ()
    assert match.reason in game.definition.reasons[1:]
    with pytest.raises(samizdat.GameOver):
        match.play(0, 0)
    assert all(match.legal(seat) == [] for seat in range(game.players))
    assert snapshot(match) == before
    assert sum(match.returns) == pytest.approx(0) or game.fair_seats != game.players or not match.winners


@pytest.mark.parametrize("game", plain_games(), ids=label)
def test_notation_round_trips(game: Game) -> None:
    match = random_match(game, 4, 60)
    for move in (move for move in game.notation.all if move is not None):
        assert game.notation.read(str(move)) == move
        assert game.notation.read(move.id) == move
    for seat, move in match.moves:
        assert game.notation.read(str(move)).id == move.id
        assert 0 <= seat < game.players


@pytest.mark.parametrize("game", plain_games(), ids=label)
def test_views_and_logs_are_plain_and_repeatable(game: Game) -> None:
    one, two = random_match(game, 6), random_match(game, 6)
    for seat in (*range(game.players), None):
        assert json.loads(json.dumps(one.view(seat))) == one.view(seat), "a view must survive JSON unchanged"
        assert [str(line) for line in one.log(seat)] == [str(line) for line in two.log(seat)]
        assert all(line.rule and str(line).strip() for line in one.log(seat))
    show = game.definition.show
    assert one.log(None) or (isinstance(show, PlainShow) and not show.SENTENCES), "its sentences are never said"
