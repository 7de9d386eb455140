"""Policies in PyTorch: modules as they are trained, and programs of `torch.export` as files (`.pt2`).

Only whoever has one imports this module; PyTorch comes with no extra of ours.
"""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from samizdat.kernel.errors import OptionError
from samizdat.kernel.game import Game
from samizdat.lab.observations import size
from samizdat.lab.policies import GREEDY, KEY, Model, Policy, Purpose


def _torch() -> Any:
    try:
        import torch
    except ImportError:
        raise OptionError("A policy in PyTorch needs it: pip install torch.") from None
    return torch


class TorchModel:
    """A module, or any function of tensors, that gives logits for a batch of observations."""

    def __init__(self, module: Any) -> None:
        self.module = module

    def __call__(self, observations: npt.NDArray[np.float32]) -> Any:
        torch = _torch()
        with torch.inference_mode():
            # Copied: a tensor shares memory, and an environment writes its observations anew.
            return self.module(torch.from_numpy(np.array(observations, np.float32, order="C")))


def policy(module: Any, game: Game, how: str = GREEDY, seed: int | None = None, name: str = "module") -> Policy:
    """A module as a bot, as long as this process lives; `write` keeps one."""
    return Policy(TorchModel(module), game, how, seed, name)


def write(path: Path | str, game: Game, module: Any) -> None:
    """A module as a file that plays without its source, for `--bots policy.pt2`."""
    torch = _torch()
    was_training = module.training
    module.eval()  # what drops out while it learns must not drop out of the file
    try:
        rows = torch.zeros(2, size(game))
        program = torch.export.export(module, (rows,), dynamic_shapes=({0: torch.export.Dim("batch")},))
    finally:
        module.train(was_training)
    torch.export.save(program, str(path), extra_files={KEY: Purpose.of(game).text()})


def exported(content: bytes) -> tuple[Model, str]:
    """A model from the bytes of such a file, and what it was trained for."""
    import torch

    said = {KEY: ""}
    program = torch.export.load(io.BytesIO(content), extra_files=said)
    text: Any = said[KEY]
    return TorchModel(program.module()), text.decode() if isinstance(text, bytes) else text
