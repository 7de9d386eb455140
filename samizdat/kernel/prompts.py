"""Prompts: what the status line says at each decision point, in the order in which a game declares its points."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from samizdat.kernel.boards import Seen, Status
from samizdat.kernel.points import Points
from samizdat.kernel.telling import Phrase

if TYPE_CHECKING:
    from samizdat.kernel.game import Game

Prompt = Callable[["Game", Seen], Status]


class Prompts:
    """A game's status lines, by the names of its points.

    A point that brings none is asked as it was declared. A name that no point has is refused when the game is loaded.
    """

    def __init__(self, points: Points, own: Mapping[str, Prompt]) -> None:
        self.asks = {point.name: point.asks for point in points.all}
        self.own = own
        if unknown := own.keys() - self.asks.keys():
            raise TypeError(f"There are no decision points of these names: {', '.join(sorted(unknown))}.")

    def status(self, game: Game, seen: Seen) -> Status:
        """What the seat that is to act is asked for."""
        point = seen.view["point"]
        if point in self.own:
            return self.own[point](game, seen)
        return Status(Phrase("It is your turn: {asked}", {"asked": Phrase(self.asks[point])}))
