"""Where the board of a game is found."""

from __future__ import annotations

import functools
import importlib
import importlib.util
from types import ModuleType

from samizdat.kernel.game import definitions


@functools.cache
def board_of(name: str) -> ModuleType:
    """The `board.py` of a game."""
    return importlib.import_module(f"{definitions()[name].rules.__package__}.board")


@functools.cache
def has_board(name: str) -> bool:
    """Whether a game can be played at the table: one without a board is for the lab only."""
    return importlib.util.find_spec(f"{definitions()[name].rules.__package__}.board") is not None
