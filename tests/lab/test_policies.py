"""Policies as bots: from ONNX files, from any function, and (with a stand-in) from PyTorch."""

from __future__ import annotations

import io
import json
import pickle
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import onnx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

import samizdat
from samizdat.cli import app
from samizdat.kernel.errors import IllegalMove, OptionError
from samizdat.kernel.game import Game, definitions
from samizdat.lab import policies_torch
from samizdat.lab.arena import Arena, Setting, read_entrants
from samizdat.lab.observations import Tensors, fingerprint, size
from samizdat.lab.policies import Policy, Purpose, read, stamp, write_onnx
from tests.lab.policies import by_hand, layers_for, onnx_file

one_of_each = pytest.mark.parametrize("name", definitions())
GAME = samizdat.game("revolution")


def sights(game: Game, seed: int = 3, most: int = 12) -> list[Any]:
    """What seats see on the way through a match of first and last moves."""
    match, found = game.match(seed), []
    while not match.over and len(found) < most:
        found.append(match.sight(match.turn[0]))
        moves = match.legal(match.turn[0])
        match.play(match.turn[0], moves[-1 if len(found) % 2 else 0])
    return found


# --- Choosing -----------------------------------------------------------------


@one_of_each
def test_a_policy_takes_the_highest_logit_that_is_open(name: str, tmp_path: Path) -> None:
    """The file, the function and the sum by hand agree."""
    game = samizdat.game(name)
    model = by_hand(layers_for(game))
    from_file = read(onnx_file(tmp_path / "p.onnx", game))
    from_function = Policy(model, game)
    for sight in sights(game):
        logits = model(Tensors(game).of(sight)[None])[0]
        best = max(sight.legal(), key=lambda move: logits[move.id]).id
        assert from_file.choose(sight) == from_function.choose(sight) == best


@given(st.data())
def test_nothing_that_is_closed_is_ever_chosen(data: st.DataObject) -> None:
    """Whatever a model says, infinities included."""
    number = data.draw(st.integers(1, 12))
    open_ = data.draw(st.lists(st.booleans(), min_size=number, max_size=number).filter(any))
    logits = data.draw(st.lists(st.floats(width=32, allow_nan=False), min_size=number, max_size=number))
    policy = Policy(lambda rows: [logits] * len(rows), GAME, data.draw(st.sampled_from(["greedy", "sampled"])), 1)
    chosen = policy.actions(np.zeros((3, 4), np.float32), np.array([open_] * 3, np.int8))
    assert all(open_[action] for action in chosen)


def test_sampling_follows_the_softmax_and_its_seed() -> None:
    logits = np.log([0.5, 0.3, 0.2, 0.9])
    masks = np.array([[1, 1, 1, 0]] * 4000, np.int8)
    rows = np.zeros((4000, 1), np.float32)
    drawn = [
        Policy(lambda x: np.tile(logits, (len(x), 1)), GAME, "sampled", seed).actions(rows, masks)
        for seed in (1, 1, 2)
    ]
    assert np.array_equal(drawn[0], drawn[1])
    assert not np.array_equal(drawn[0], drawn[2])
    assert np.bincount(drawn[0], minlength=4) / 4000 == pytest.approx([0.5, 0.3, 0.2, 0.0], abs=0.04)


def test_what_is_no_number_is_no_choice() -> None:
    policy = Policy(lambda rows: np.full((len(rows), GAME.capacity), np.nan), GAME)
    with pytest.raises(IllegalMove, match="no number"):
        policy.choose(sights(GAME)[0])


# --- Fitting ------------------------------------------------------------------


def test_a_policy_plays_what_it_was_trained_for_and_nothing_else(tmp_path: Path) -> None:
    path = onnx_file(tmp_path / "p.onnx", GAME)
    read(path).check(GAME)
    for other, why in (
        (samizdat.game("dual-powers"), "its game is revolution, not dual-powers"),
        (samizdat.game("revolution", players=3), "its number of players is 4, not 3"),
    ):
        with pytest.raises(OptionError, match=why):
            read(path).check(other)
        with pytest.raises(OptionError, match=why):
            read(path).choose(sights(other)[0])
    ours = Purpose.of(GAME)
    for field, value, why in (
        ("rules_version", ours.rules_version + 1, "version of the rules is"),
        ("variant", "grand", "its variant is grand, not standard"),
        ("observations", "0" * 20, "another box or other options"),
    ):
        other_purpose = Purpose(**{**json.loads(ours.text()), field: value})
        with pytest.raises(OptionError, match=why):
            Policy(by_hand(layers_for(GAME)), other_purpose).check(GAME)


@one_of_each
def test_the_fingerprint_tells_apart_what_observations_mean(name: str) -> None:
    found = definitions()[name]
    games = [
        found.choose(variant=variant, players=players)
        for variant in found.variants
        for players in found.variants[variant]
    ]
    assert len({fingerprint(game) for game in games}) == len(games)
    assert fingerprint(found.choose()) == fingerprint(found.choose())


def test_files_that_do_not_fit_are_refused_in_one_sentence(tmp_path: Path) -> None:
    game, path = GAME, tmp_path / "p.onnx"
    (w0, b0), (w1, b1) = layers_for(game)
    with pytest.raises(OptionError, match="73 logits from 247 numbers; revolution has 73 moves"):
        write_onnx(path, game, [(w0[:-1], b0), (w1, b1)])
    stamp(onnx_file(path, samizdat.game("dual-powers")), game)  # a file that is wrong about itself
    with pytest.raises(OptionError, match=r"does not take 1 rows of 248 numbers"):
        read(path).check(game)
    with pytest.raises(OptionError, match=r"gives 72 numbers for one observation; revolution has 73 moves"):
        Policy(by_hand([(w0, b0), (w1[:, :-1], b1[:-1])]), game).check(game)
    onnx_file(path, game)
    model = onnx.load(str(path))
    for said, why in (
        (None, "does not say what it was trained for"),
        ("[]", "in our words"),
        ('{"game": 1}', "in our words"),
    ):
        onnx.helper.set_model_props(model, {} if said is None else {"samizdat": said})
        onnx.save(model, str(path))
        with pytest.raises(OptionError, match=why):
            read(path)
    stamp(path, game)
    read(path).check(game)
    path.write_bytes(b"no model")
    with pytest.raises(OptionError, match="cannot be read as a policy"):
        read(path)
    with pytest.raises(OptionError, match="there is no policy to be read"):
        read(tmp_path / "nowhere.onnx")
    with pytest.raises(OptionError, match="greedy or sampled, not “boldly”"):
        read(onnx_file(path, game), "boldly")


def test_without_the_extra_one_sentence_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = onnx_file(tmp_path / "p.onnx", GAME, seed=71)
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(OptionError, match=r"needs onnxruntime: pip install 'samizdat\[agents\]'"):
        read(path)
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(OptionError, match=r"needs onnx: pip install 'samizdat\[agents\]'"):
        stamp(path, GAME)
    monkeypatch.setitem(sys.modules, "torch", None)
    (tmp_path / "p.pt2").write_bytes(b"x")
    with pytest.raises(OptionError, match="needs torch: pip install torch"):
        read(tmp_path / "p.pt2")
    with pytest.raises(OptionError, match="pip install torch"):
        policies_torch.policy(lambda rows: rows, GAME).choose(sights(GAME)[0])


# --- Bots ---------------------------------------------------------------------


def test_a_policy_is_a_bot_by_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    onnx_file(tmp_path / "p.onnx", GAME)
    sight = sights(GAME)[0]
    assert samizdat.bot("p.onnx").choose(sight).id == read(tmp_path / "p.onnx").choose(sight)
    assert {samizdat.bot("p.onnx:sampled", seed=seed).choose(sight) for seed in (4, 4)}.__len__() == 1
    with pytest.raises(OptionError, match="takes no simulations"):
        samizdat.bot("p.onnx", simulations=5)
    entrants = read_entrants("p.onnx,p.onnx:sampled,random", simulations=7)
    assert [str(one) for one in entrants] == ["p.onnx", "p.onnx:sampled", "random"]


def test_an_arena_refuses_a_policy_of_another_game_before_it_begins(tmp_path: Path) -> None:
    path = onnx_file(tmp_path / "p.onnx", GAME)
    with pytest.raises(OptionError, match="its game is revolution"):
        Arena(Setting("dual-powers"), read_entrants(f"{path},random"))


def test_the_command_line_plays_a_policy(tmp_path: Path) -> None:
    path = onnx_file(tmp_path / "p.onnx", samizdat.game("dual-powers"))
    done = CliRunner().invoke(app, ["arena", "dual-powers", "--bots", f"{path},random", "-n", "4", "--workers", "1"])
    assert done.exit_code == 0, done.output
    assert "4 games" in done.output
    done = CliRunner().invoke(app, ["arena", "revolution", "--bots", f"{path},random", "-n", "4"])
    assert isinstance(done.exception, OptionError)


def test_a_policy_travels_with_what_it_drew(tmp_path: Path) -> None:
    path = onnx_file(tmp_path / "p.onnx", GAME)
    policy = read(path, "sampled", 5)
    found = sights(GAME)
    policy.choose(found[0])
    twin = pickle.loads(pickle.dumps(policy))
    path.unlink()
    assert [twin.choose(sight) for sight in found] == [policy.choose(sight) for sight in found]


def test_a_model_for_single_rows_is_asked_row_by_row(tmp_path: Path) -> None:
    path = onnx_file(tmp_path / "p.onnx", GAME)
    model = onnx.load(str(path))
    model.graph.input[0].type.tensor_type.shape.dim[0].dim_value = 1
    model.graph.output[0].type.tensor_type.shape.dim[0].dim_value = 1
    single = tmp_path / "single.onnx"
    onnx.save(model, str(single))
    rows, masks = np.random.default_rng(1).random((5, size(GAME)), np.float32), np.ones((5, GAME.capacity), np.int8)
    assert np.array_equal(read(single).actions(rows, masks), read(path).actions(rows, masks))


# --- PyTorch, with a stand-in; tests/lab/test_policies_torch.py has the real one ------------------------


class Tensor:
    """As much of a tensor as policies touch."""

    def __init__(self, array: Any) -> None:
        self.array = array

    def detach(self) -> Tensor:
        return self

    def cpu(self) -> Tensor:
        return self

    def numpy(self) -> Any:
        return self.array


@pytest.fixture
def torch(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Exports are pickles here; everything else is as PyTorch names it."""
    fake: Any = ModuleType("torch")
    watched: list[str] = []

    class Inference:
        def __enter__(self) -> None:
            watched.append("inference")

        def __exit__(self, *args: object) -> None:
            pass

    def load(file: io.BytesIO, extra_files: dict[str, Any]) -> Any:
        stored = pickle.loads(file.read())
        extra_files.update(stored["extra"])
        return SimpleNamespace(module=lambda: lambda rows: Tensor(by_hand(stored["layers"])(rows.array)))

    def save(program: Any, path: str, extra_files: dict[str, str]) -> None:
        Path(path).write_bytes(pickle.dumps({"layers": program, "extra": extra_files}))

    fake.from_numpy = Tensor
    fake.zeros = lambda *shape: Tensor(np.zeros(shape, np.float32))
    fake.inference_mode = Inference
    fake.export = SimpleNamespace(
        load=load, save=save, Dim=lambda name: name, export=lambda module, args, dynamic_shapes: module.layers
    )
    fake.watched = watched
    monkeypatch.setitem(sys.modules, "torch", fake)
    return fake


class Module:
    """A network that knows whether it is learning."""

    def __init__(self, game: Game) -> None:
        self.layers = layers_for(game)
        self.training = True

    def eval(self) -> None:
        self.training = False

    def train(self, mode: bool) -> None:
        self.training = mode

    def __call__(self, rows: Tensor) -> Tensor:
        return Tensor(by_hand(self.layers)(rows.array))


def test_a_module_is_a_policy_and_its_export_a_bot(torch: Any, tmp_path: Path) -> None:
    module = Module(GAME)
    policy = policies_torch.policy(module, GAME)
    path = tmp_path / "p.pt2"
    policies_torch.write(path, GAME, module)
    assert module.training, "it goes on learning"
    expected = Policy(by_hand(layers_for(GAME)), GAME)
    for sight in sights(GAME):
        assert policy.choose(sight) == samizdat.bot(str(path)).choose(sight).id == expected.choose(sight)
    assert torch.watched
    with pytest.raises(OptionError, match="its game is revolution"):
        read(path).check(samizdat.game("dual-powers"))


def test_a_module_never_holds_the_memory_of_an_environment(torch: Any) -> None:
    kept: list[Any] = []

    def module(rows: Tensor) -> Tensor:
        kept.append(rows.array)
        return Tensor(np.zeros((len(rows.array), GAME.capacity)))

    rows = np.zeros((2, size(GAME)), np.float32)
    policies_torch.policy(module, GAME).actions(rows, np.ones((2, GAME.capacity), np.int8))
    assert not np.shares_memory(kept[0], rows)
