"""Where the board of a game is found, and the files that it is drawn with."""

from __future__ import annotations

from pathlib import Path

from samizdat.kernel.boards import Board
from samizdat.kernel.game import Definition, definitions

PLAIN = Path(__file__).parent / "plain"  # what stands in for the files that a game does not bring


def board_of(name: str) -> Board:
    """The board of a game."""
    return definitions()[name].board


def board_file(definition: Definition, name: str) -> Path:
    """A style sheet or picture that a game brings, or the plain one that stands in for it."""
    own = definition.folder / name
    return own if own.is_file() else PLAIN / name
