"""Counts of decision sequences from three chosen positions a game, stored with how each is known."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from samizdat.kernel.game import Definition, definitions
from samizdat.kernel.luck import Luck, seed_luck
from samizdat.kernel.scenes import Scene, set_scene
from tests.conftest import label

PERFT = Path(__file__).parents[1] / "perft"


def positions(definition: Definition) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = tomllib.loads((PERFT / f"{definition.name}.toml").read_text(encoding="utf-8"))[
        "position"
    ]
    return found


def count(definition: Definition, position: dict[str, Any]) -> int:
    """Sequences of `depth` decisions; with `seat`, of that seat alone. Luck is that of seed 0."""
    scene = Scene(
        Path(position["name"]),
        position["name"],
        "",
        "",
        (),
        position["game"],
        position.get("given", {}),
        [],
        False,
        "",
    )
    match = set_scene(definition, scene)
    levels = position["depth"] + 1
    states = np.zeros(levels, definition.state.dtype)
    states[0] = match._state.array[0]
    luck = Luck()
    seed_luck(luck, 0)
    return int(
        definition.native.perft(
            match.game.box.record.array, states, luck.array, position.get("seat", -1),
            match.game.moves_buffer(rows=levels), position["depth"],
            np.zeros(levels, np.int64), np.zeros(levels, np.int64),
        )
    )  # fmt: skip


@pytest.mark.parametrize("definition", definitions().values(), ids=label)
def test_perft(definition: Definition) -> None:
    chosen = positions(definition)
    assert len(chosen) >= 3
    for position in chosen:
        assert position["by"], f"{position['name']}: say how the number is known"
        assert count(definition, position) == position["count"], position["name"]
