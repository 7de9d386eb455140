"""What a match of a benchmark game shows: the hidden record as it is. Nobody plays these at the table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from samizdat.kernel.game import Game
from samizdat.kernel.moves import Move
from samizdat.kernel.records import Record
from samizdat.kernel.telling import Line, Told

FIGURES: dict[str, Callable[..., Any]] = {}


def view(game: Game, s: Record, seat: int) -> dict[str, Any]:
    return {"record": dict(s.items())}


def why_not(game: Game, s: Record, seat: int, move: Move) -> Line:
    return Line(game.name, "the rules do not offer it in this position.")


def tell(game: Game, told: list[Told], viewer: int) -> list[Line]:
    return []
