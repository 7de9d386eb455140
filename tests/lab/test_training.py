"""A player who teaches itself: every seat sees what its match would show, gradients are right, and a seed is all."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bench.games import kuhn
from samizdat.bots.network import Shape, drawn, forecast, forward, policy, shape_for
from samizdat.bots.weights import WeightsError, read_weights
from samizdat.kernel.game import Game, definition
from samizdat.kernel.tensors import Tensors
from samizdat.lab import learning, selfplay, vector
from samizdat.lab.learning import Learner, Lessons
from samizdat.lab.selfplay import Tables, choose, hindsight
from samizdat.lab.training import Training, resume
from tests.conftest import label, plain_games
from tests.test_cli import run

REVOLUTION = definition("revolution").choose(players=3)
FILES = ("checkpoint.npz", "weights.npz", "curve.csv", "curve.svg")


def small(seed: int = 3, game: Game = REVOLUTION) -> Training:
    return Training(game, seed, games=24, decisions=8, looked_at=400, duels=6)


@pytest.mark.parametrize("choices", [False, True])
@pytest.mark.parametrize("game", plain_games(), ids=label)
def test_every_seat_is_shown_what_its_match_would_show(game: Game, choices: bool) -> None:
    """Compiled tables beside matches with the same seeds: seats, observations, masks, rewards and ends."""
    games, seed, rng = 3, 5, random.Random(7)
    a = vector.arrays(game, games)
    a.seeds[:] = np.arange(games) + seed
    a.episodes[:] = -1
    vector.step(game, a, np.zeros(games, np.int64), True, vector.EVERY_SEAT, choices)
    tensors = Tensors(game)

    def forced(match: Any) -> None:
        while choices and not match.over and len(match.legal(match.turn[0])) == 1:
            match.play(match.turn[0], match.legal(match.turn[0])[0])

    matches = [game.match(seed + i) for i in range(games)]
    for match in matches:
        forced(match)
    for _ in range(120):
        actions = np.zeros(games, np.int64)
        for i, match in enumerate(matches):
            seat = match.turn[0]
            assert a.seats[i] == seat
            assert a.observations[i].tobytes() == tensors.of(match.sight(seat)).tobytes()
            assert np.flatnonzero(a.masks[i]).tolist() == [move.id for move in match.legal(seat)]
            actions[i] = rng.choice(match.legal(seat)).id
        vector.step(game, a, actions, False, vector.EVERY_SEAT, choices)
        for i, match in enumerate(matches):
            match.play(match.turn[0], int(actions[i]))
            forced(match)
            assert a.terminated[i] == match.over
            assert a.rewards[i].tolist() == (match.returns if match.over else [0.0] * game.players)
            if match.over:
                matches[i] = game.match(int(a.seeds[i]) + (int(a.episodes[i]) << 64))
                forced(matches[i])


def test_an_action_that_is_not_open_costs_its_own_seat_alone() -> None:
    tables = Tables(REVOLUTION, 2, 0)
    a = tables.arrays
    seats = a.seats.copy()
    tables.step(np.full(2, REVOLUTION.capacity))
    assert a.illegal.all()
    assert a.terminated.all()
    for game, seat in enumerate(seats):
        assert a.rewards[game].tolist() == [-1.0 if other == seat else 0.0 for other in range(3)]


def lessons(shape: Shape, rng: np.random.Generator, n: int) -> Lessons:
    masks = (rng.random((n, shape.moves)) < 0.6).astype(np.int8)
    masks[:, 0] = 1
    chosen = np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])
    ends = rng.dirichlet(np.ones(shape.players + 1), n).astype(np.float32)
    x = rng.standard_normal((n, shape.inputs)).astype(np.float32)
    gain = rng.standard_normal(n).astype(np.float32)
    return Lessons(x, masks, chosen, np.full(n, 0.3, np.float32), gain, ends)


def loss_of(learner: Learner, told: Lessons, gain: Any, pull: float) -> float:
    """What `Learner._grade` goes down, in so many words."""
    moves = learner.shape.moves
    out = forward(learner.shape.parts(learner.numbers), told.x)[2]
    chances, expected = policy(out, told.masks, moves), forecast(out, moves)
    ratio = chances[np.arange(len(gain)), told.chosen] / told.chances
    kept = np.minimum(ratio * gain, np.clip(ratio, 1 - learning.CLIP, 1 + learning.CLIP) * gain)
    even = -(chances * np.log(chances + learning.BARELY)).sum(axis=1)
    forecasts = -(told.ends * np.log(expected + learning.BARELY)).sum(axis=1)
    return float((-kept - pull * even + learning.FORECAST * forecasts).astype(np.float64).mean())


def test_the_gradient_is_the_slope_of_the_loss() -> None:
    rng = np.random.default_rng(1)
    shape = Shape(7, (6, 5), 4, 2)
    learner = Learner(shape, rng.standard_normal(shape.count).astype(np.float32).astype(np.float64) * 0.5)  # type: ignore[arg-type]
    told = lessons(shape, rng, 40)
    told = told._replace(x=told.x.astype(np.float64), ends=told.ends.astype(np.float64))
    gain = told.better.astype(np.float64)
    learner.gradient = np.zeros(shape.count)  # type: ignore[assignment]
    learner._grade(told, gain, np.arange(40), 0.05)
    found, step = learner.gradient.copy(), 1e-6
    for place in range(shape.count):
        learner.numbers[place] += step
        above = loss_of(learner, told, gain, 0.05)
        learner.numbers[place] -= 2 * step
        below = loss_of(learner, told, gain, 0.05)
        learner.numbers[place] += step
        assert found[place] == pytest.approx((above - below) / (2 * step), abs=2e-6), place


def test_hindsight_comes_from_the_seats_own_next_decisions_and_from_the_end() -> None:
    """One table: seats 0, 1, 0, then seat 1 ends the game, then seat 0 begins another that goes on."""
    seats = np.array([[0], [1], [0], [1], [0]])
    expected = np.array(
        [[[0.5, 0.4, 0.1]], [[0.6, 0.3, 0.1]], [[0.7, 0.2, 0.1]], [[0.2, 0.7, 0.1]], [[0.3, 0.3, 0.4]]]
    )
    over = np.array([[False], [False], [False], [True], [False]])
    ends = np.zeros((5, 1, 3))
    ends[3, 0] = (0, 1, 0)
    known, targets = hindsight(seats, expected.astype(np.float32), over, ends.astype(np.float32))
    assert known[:, 0].tolist() == [True, True, True, True, False]
    later = selfplay.LATER
    won = np.array([0, 1, 0])
    assert targets[3, 0] == pytest.approx(won)
    assert targets[2, 0] == pytest.approx(won)
    assert targets[1, 0] == pytest.approx((1 - later) * expected[3, 0] + later * won)
    assert targets[0, 0] == pytest.approx((1 - later) * expected[2, 0] + later * won)


def test_what_is_impossible_is_never_chosen() -> None:
    rng = np.random.default_rng(0)
    chances = rng.dirichlet(np.full(9, 0.1), 5000).astype(np.float32)
    chances[chances < 1e-3] = 0

    class Last:
        """Draws as high as can be."""

        def random(self, size: Any, kind: Any) -> Any:
            return np.full(size, np.nextafter(np.float32(1), np.float32(0)), kind)

    for drawing in (rng, Last()):
        chosen = choose(chances, drawing)  # type: ignore[arg-type]
        assert (chances[np.arange(5000), chosen] > 0).all()
    even = np.full((30_000, 3), 1 / 3, np.float32)
    assert np.bincount(choose(even, rng), minlength=3) == pytest.approx([10_000] * 3, rel=0.05)


def test_it_finds_out_by_itself_that_a_fold_never_wins() -> None:
    """In Kuhn's poker a share of the win is all that counts here, and whoever folds has none."""
    game = kuhn.GAME.choose()
    training = Training(game, 1, games=128, decisions=16, looked_at=1 << 30)
    for _ in range(60):
        training.iterate()
    tables, asked = training.tables, 0
    for _ in range(20):
        a = tables.arrays
        chances = policy(forward(training.shape.parts(training.learner.average), tables.seen())[2], a.masks, 2)
        facing = a.states["bets"] == 1
        asked += int(facing.sum())
        assert (chances[facing, kuhn.PASS] < 0.1).all()
        tables.step(choose(chances, training.rng))
    assert asked > 100


# --- the same bytes -----------------------------------------------------------


def test_a_seed_is_the_whole_training(tmp_path: Path) -> None:
    for name, seed in (("one", 3), ("two", 3), ("other", 4)):
        training = small(seed)
        for _ in range(5):
            training.iterate()
        training.save(tmp_path / name)
    for file in FILES:
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()
    assert (tmp_path / "one" / FILES[1]).read_bytes() != (tmp_path / "other" / FILES[1]).read_bytes()


def test_a_training_that_was_stopped_and_resumed_is_the_same(tmp_path: Path) -> None:
    whole = small()
    for i in range(6):
        whole.iterate()
        if i == 2:
            whole.save(tmp_path / "stopped")
    whole.save(tmp_path / "whole")
    again = resume(tmp_path / "stopped", REVOLUTION)
    assert again.curve == whole.curve[: len(again.curve)]
    for _ in range(3):
        again.iterate()
    again.save(tmp_path / "stopped")
    assert len(again.curve) == 2
    for file in FILES:
        assert (tmp_path / "stopped" / file).read_bytes() == (tmp_path / "whole" / file).read_bytes()


def test_weights_say_what_they_are_for(tmp_path: Path) -> None:
    small().save(tmp_path)
    found = read_weights(tmp_path / "weights.npz")
    assert found.shape == shape_for(REVOLUTION)
    assert found.about["seed"] == 3
    assert found.fit(REVOLUTION)
    assert not found.fit(definition("revolution").choose(players=4))
    assert not found.fit(definition("revolution").choose(players=3, refund=True))
    assert not found.fit(definition("revolution").choose(box="reduced"))


@pytest.mark.parametrize("damage", ["missing", "cut", "text", "other", "wide"])
def test_files_that_are_none_are_refused_with_a_sentence(tmp_path: Path, damage: str) -> None:
    small().save(tmp_path)
    for file, read in (("checkpoint.npz", lambda: resume(tmp_path, REVOLUTION)),
                       ("weights.npz", lambda: read_weights(tmp_path / "weights.npz"))):  # fmt: skip
        path = tmp_path / file
        if damage == "missing":
            path.unlink()
        elif damage == "cut":
            path.write_bytes(path.read_bytes()[:1000])
        elif damage == "text":
            path.write_text("hello")
        elif damage == "other":
            np.savez(path, other=np.zeros(3))
        else:
            with np.load(path) as held:
                parts = dict(held)
            told = json.loads(str(parts["about"]))
            parts["about"] = np.array(json.dumps({**told, "hidden": [5, 5]}))
            parts["numbers"] = parts["numbers"][:7]
            np.savez(path, **parts)
        with pytest.raises(WeightsError, match=file):
            read()


def test_the_command(tmp_path: Path) -> None:
    out = str(tmp_path / "learnt")
    common = ("train", "revolution", "--players", "3", "--out", out)
    first = run(*common, "--steps", "1")
    assert (first.returncode, first.stdout) == (0, f"{out}: 65,536 decisions in 0 games.\n")
    assert {path.name for path in Path(out).iterdir()} == set(FILES)
    again = run(*common, "--steps", "1")
    assert again.returncode == 2
    assert "--resume" in again.stderr
    assert run(*common, "--steps", "65536", "--resume", "--png").stdout == first.stdout  # nothing is left to do
    assert (tmp_path / "learnt" / "curve.png").read_bytes().startswith(b"\x89PNG")
    other = run("train", "revolution", "--players", "4", "--out", out, "--resume")
    assert other.returncode == 2
    assert "another game" in other.stderr
    assert run(*common, "--steps", "5", "--minutes", "1").returncode == 2
    assert run(*common, "--minutes", "-1").returncode == 2


def test_a_network_that_knows_nothing_finds_every_open_move_as_likely() -> None:
    shape = shape_for(REVOLUTION)
    numbers = drawn(shape, np.random.default_rng(0))
    tables = Tables(REVOLUTION, 8, 0)
    chances = policy(forward(shape.parts(numbers), tables.seen())[2], tables.arrays.masks, shape.moves)
    assert chances == pytest.approx(tables.arrays.masks / tables.arrays.open[:, None])
