"""Policies with the real PyTorch: `make test-torch`."""

from __future__ import annotations

import copy
import random
import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import samizdat
from samizdat.lab import policies_torch
from samizdat.lab.gymnasium import VectorEnv
from samizdat.lab.gymnasium import env as seat_env
from samizdat.lab.observations import Tensors, size
from samizdat.lab.policies import read
from samizdat.lab.pools import evaluate
from tests.lab.policies import by_hand
from tests.lab.test_policies import sights

pytestmark = [pytest.mark.torch, pytest.mark.filterwarnings("ignore")]  # of PyTorch about itself
EXAMPLES = Path(__file__).parents[2] / "examples" / "agents"
GAME = samizdat.game("revolution")


def module(seed: int = 0) -> Any:
    import torch

    torch.manual_seed(seed)
    return torch.nn.Sequential(
        torch.nn.Linear(size(GAME), 8), torch.nn.Dropout(0.5), torch.nn.ReLU(), torch.nn.Linear(8, GAME.capacity)
    )


def layers(of: Any) -> Any:
    linear = [part for part in of if hasattr(part, "weight")]
    return [(part.weight.detach().numpy().T, part.bias.detach().numpy()) for part in linear]


def test_a_module_and_its_export_choose_what_its_weights_say(tmp_path: Path) -> None:
    net = module()
    policies_torch.write(tmp_path / "p.pt2", GAME, net)
    assert net.training, "it goes on learning"
    by_file, expected = read(tmp_path / "p.pt2"), by_hand(layers(net))
    net.eval()
    live = policies_torch.policy(net, GAME)
    for sight in sights(GAME):
        logits = expected(Tensors(GAME).of(sight)[None])[0]
        best = max(sight.legal(), key=lambda move: logits[move.id]).id
        assert live.choose(sight) == by_file.choose(sight) == samizdat.bot(str(tmp_path / "p.pt2")).choose(sight).id
        assert live.choose(sight) == best


def test_an_exported_policy_plays_in_batches_and_in_an_arena(tmp_path: Path) -> None:
    file = tmp_path / "p.pt2"
    policies_torch.write(file, GAME, module())
    batch, single, rng = VectorEnv(GAME, 3, 0, str(file)), seat_env(GAME, 0, str(file)), random.Random(1)
    seen, _ = batch.reset(seed=3)
    alone, _ = single.reset(seed=3)
    for _ in range(20):
        assert np.array_equal(seen["observation"][0], alone["observation"])
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in seen["action_mask"]])
        seen, *_ = batch.step(actions)
        alone, _, over, _, _ = single.step(actions[0])
        if over:
            break
    assert {one.games for one in evaluate(str(file), "revolution", "random", games=4)} == {4}


def test_a_checkpoint_of_a_module_does_not_learn_on() -> None:
    import torch

    net = module().eval()
    policy = policies_torch.policy(net, GAME)
    frozen = copy.deepcopy(policy)
    rows, masks = np.random.default_rng(1).random((50, size(GAME)), np.float32), np.ones((50, GAME.capacity), np.int8)
    before = frozen.actions(rows, masks)
    with torch.no_grad():
        for part in net.parameters():
            part.neg_()
    assert np.array_equal(frozen.actions(rows, masks), before)
    assert not np.array_equal(policy.actions(rows, masks), before)


@pytest.mark.parametrize("more", [[], ["--self-play"]])
def test_the_example_trains_and_its_file_plays(
    more: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "p.pt2"
    monkeypatch.setattr("sys.argv", ["ppo.py", "dual-powers", str(file), "--rounds", "2", *more])
    runpy.run_path(str(EXAMPLES / "ppo.py"), run_name="__main__")
    read(file).check(samizdat.game("dual-powers"))
