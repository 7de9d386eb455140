"""Files of what a network has learnt: `weights.npz`, as `samizdat train` writes it and the package ships it.

An `.npz` archive of NumPy with two arrays: `numbers`, all weights in half precision, and `about`, a text in JSON that
says which game they are for and where they come from (docs/training.md). Nothing in it is ever executed.
"""

from __future__ import annotations

import functools
import json
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from samizdat.bots.network import Shape, fingerprint, shape_for
from samizdat.kernel.errors import SamizdatError
from samizdat.kernel.files import name_of
from samizdat.kernel.game import Definition, Game, definition
from samizdat.kernel.tensors import Floats

FORMAT = "samizdat weights 1"
LARGEST = 4 << 20  # bytes of a file that a game ships


class WeightsError(SamizdatError):
    """A file that is no weights, or not for this game."""


@dataclass(frozen=True, eq=False)
class Weights:
    """A network that has learnt, and what for."""

    about: dict[str, Any]
    shape: Shape
    numbers: Floats

    def fit(self, game: Game) -> bool:
        """Whether this is what it has learnt: the same game, variant, players, rules, box and options."""
        return bool(self.about["fingerprint"] == fingerprint(game))


def about(game: Game, shape: Shape) -> dict[str, Any]:
    """What weights are for."""
    return {
        "game": game.name,
        "variant": game.variant,
        "players": game.players,
        "options": dict(game.options),
        "rules": game.rules,
        "box": game.box.hash,
        "fingerprint": fingerprint(game),
        "hidden": list(shape.hidden),
    }


def write_weights(path: Path, told: dict[str, Any], numbers: Floats) -> None:
    text = json.dumps({"format": FORMAT, **told}, ensure_ascii=False, sort_keys=True)
    with path.open("wb") as file:
        np.savez(file, about=np.array(text), numbers=numbers.astype(np.float16))


def read_weights(path: Path) -> Weights:
    """Weights from a file; WeightsError says why it holds none."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as held:
            told, numbers = json.loads(str(held["about"])), held["numbers"].astype(np.float32)
        if told["format"] != FORMAT:
            raise ValueError
        first, second = told["hidden"]
        game = definition(told["game"]).recall(told["players"], told["variant"], None, told["options"], told["rules"])
        shape = shape_for(game, (int(first), int(second)))
        told["fingerprint"] = str(told["fingerprint"])
    except OSError as error:
        raise WeightsError(f"{name_of(path)}: cannot be read: {error.strerror}.") from None
    except (ValueError, KeyError, TypeError, AttributeError, EOFError, zipfile.BadZipFile):
        raise WeightsError(f"{name_of(path)}: not a file of weights that `samizdat train` has written.") from None
    if numbers.shape != (shape.count,) or not np.isfinite(numbers).all():
        raise WeightsError(f"{name_of(path)}: its numbers are not those of a network of this shape.")
    return Weights(told, shape, numbers)


def shipped_file(game: Game) -> Path:
    """Where the package keeps what was learnt of a game in this variant with so many players."""
    return game.definition.folder / "weights" / f"{game.variant}-{game.players}.npz"


def shipped_files(definition: Definition) -> list[Path]:
    """All that the package has of a game."""
    return sorted((definition.folder / "weights").glob("*.npz"))


@functools.cache
def _shipped(path: Path) -> Weights | None:
    return read_weights(path) if path.is_file() else None


def shipped(game: Game) -> Weights | None:
    """The weights that come with the package, if there are any for just this game."""
    found = _shipped(shipped_file(game))
    return found if found is not None and found.fit(game) else None
