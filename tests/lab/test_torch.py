"""Games as tensors: the numbers of the vectorised environment, in memory that nobody copies. With PyTorch itself in
`make test-torch`, with a stand-in for it elsewhere."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from samizdat.kernel.errors import OptionError
from samizdat.kernel.game import Game, definitions
from samizdat.lab.gymnasium import VectorEnv
from tests.conftest import label

ADDRESS = "samizdat.lab.torch"
GAMES = [definition.choose() for definition in definitions().values()]


class Tensor:
    """As much of a tensor as games need: a view of an array."""

    def __init__(self, array: Any) -> None:
        self.array = array
        self.shape = array.shape

    def numpy(self) -> Any:
        return self.array

    def detach(self) -> Tensor:
        return self

    def cpu(self) -> Tensor:
        return self


@pytest.fixture(params=["a stand-in", pytest.param("PyTorch", marks=pytest.mark.torch)])
def torch(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """What `samizdat.lab.torch` finds when it is imported."""
    if request.param == "a stand-in":
        standing: Any = ModuleType("torch")
        standing.from_numpy = Tensor
        monkeypatch.setitem(sys.modules, "torch", standing)
    monkeypatch.delitem(sys.modules, ADDRESS, raising=False)
    yield importlib.import_module("torch")
    sys.modules.pop(ADDRESS, None)


def games_of(*args: Any, **options: Any) -> Any:
    return importlib.import_module(ADDRESS).Games(*args, **options)


def some(masks: Any, rng: np.random.Generator) -> Any:
    return (masks * rng.random(masks.shape)).argmax(1)


@pytest.mark.parametrize("game", GAMES, ids=label)
def test_with_one_seat_the_numbers_are_those_of_the_vectorised_environment(torch: Any, game: Game) -> None:
    for seat in {0, game.players - 1}:
        rng = np.random.default_rng(2)
        batch, games = VectorEnv(game, 3, seat), games_of(game, 3, seat)
        seen, _ = batch.reset(seed=4)
        now = games.reset(seed=4)
        for step in range(90):
            for name, tensor in (("observation", now.observations), ("action_mask", now.masks)):
                assert seen[name].tobytes() == tensor.numpy().tobytes()
            assert (now.seats.numpy() == seat).all()
            actions = some(seen["action_mask"], rng) if step % 40 != 39 else np.full(3, game.capacity)
            seen, rewards, over, _, infos = batch.step(actions)
            now = games.step(torch.from_numpy(actions))
            assert rewards.tobytes() == now.rewards.numpy()[:, seat].tobytes()
            assert over.tobytes() == now.ended.numpy().tobytes()
            assert infos["illegal"].tobytes() == now.illegal.numpy().tobytes()
            if over.any():
                assert infos["final_obs"][over].tobytes() == now.finals.numpy()[over].tobytes()


def test_tensors_are_the_memory_of_the_engine(torch: Any) -> None:
    games = games_of("revolution", 5, players=3)
    first = games.reset(seed=1)
    before = first.observations.numpy().copy()
    second = games.step(torch.from_numpy(some(first.masks.numpy(), np.random.default_rng(1))))
    for one, two, array in zip(first, second, (games.arrays.observations, games.arrays.masks), strict=False):
        assert one is two
        assert np.shares_memory(one.numpy(), array)
    assert not np.array_equal(before, first.observations.numpy())


@pytest.mark.parametrize("choices", [False, True])
def test_saved_games_go_on_the_same(torch: Any, choices: bool) -> None:
    games = games_of("revolution", 4, players=3, choices=choices)
    games.reset(seed=6)

    def played(games: Any, steps: int) -> list[bytes]:
        rng, found = np.random.default_rng(8), []
        for _ in range(steps):
            now = games.step(torch.from_numpy(some(games.now.masks.numpy(), rng)))
            found += [tensor.numpy().tobytes() for tensor in now[:6]]
        return found

    played(games, 50)
    saved = games.save()
    one = played(games, 300)
    other = games_of("revolution", 4, players=3, choices=choices)
    other.restore(saved)
    assert played(other, 300) == one
    games.restore(saved)
    assert played(games, 300) == one


def test_every_seat_is_asked_and_a_reset_without_a_seed_deals_the_next(torch: Any) -> None:
    games = games_of("revolution", 2, players=4)
    games.reset(seed=[3, 3])
    asked, rng = set(), np.random.default_rng(1)
    for _ in range(60):
        asked |= set(games.now.seats.numpy().tolist())
        games.step(torch.from_numpy(some(games.now.masks.numpy(), rng)))
    assert asked == {0, 1, 2, 3}
    before = games.arrays.episodes.copy()
    games.reset()
    assert (games.arrays.episodes == before + 1).all()


def test_what_cannot_be_is_refused_with_a_sentence(torch: Any) -> None:
    games = games_of("revolution", 2, players=3)
    with pytest.raises(OptionError, match="Call reset"):
        games.step(torch.from_numpy(np.zeros(2, np.int64)))
    with pytest.raises(OptionError, match="2 games, but 3 seeds"):
        games.reset(seed=[1, 2, 3])
    games.reset(seed=1)
    with pytest.raises(OptionError, match=r"actions have shape \(3,\)"):
        games.step(torch.from_numpy(np.zeros(3, np.int64)))
    with pytest.raises(OptionError, match="saved games"):
        games_of("revolution", 3, players=3).restore(games.save())
    with pytest.raises(OptionError, match="saved games"):
        games.restore({})
    for wrong in ({"seat": 3}, {"number": 0}, {"device": "cuda"}):
        with pytest.raises(OptionError):
            games_of("revolution", **{"number": 2, **wrong}, players=3)


def test_without_pytorch_a_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    from samizdat.kernel.errors import SamizdatError

    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.delitem(sys.modules, ADDRESS, raising=False)
    with pytest.raises(SamizdatError, match="pip install torch"):
        importlib.import_module(ADDRESS)
