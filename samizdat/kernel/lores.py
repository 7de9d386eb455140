"""Lores: what a game tells its bots about playing well, and what they believe where it tells nothing.

A game's `lore.py` ends with `LORE = Lore(evaluate=evaluate, ...)`; every part has a default. A lore is an
argument of the search: a bot may be given another one than its game's.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from samizdat.kernel.rule import rule

EXPLORE = 0.8  # shares of the win are between 0 and 1


@rule
def all_alike(box: Any, s: Any, out: Any) -> None:
    """Nobody is ahead."""
    for seat in range(s.seats):
        out[seat] = 1.0 / s.seats


@rule
def always_quiet(box: Any, s: Any) -> bool:
    return True


@rule
def suspect_nothing(box: Any, s: Any, dice: Any, seat: int) -> None:
    pass


@rule
def any_move(box: Any, s: Any, seat: int, moves: Any, n: int, weights: Any) -> None:
    """Every decision is as good."""
    for i in range(n):
        weights[i] = 1.0


@dataclass(frozen=True, eq=False)
class Lore:
    """What bots know of a game. Functions are rules: compiled code calls them."""

    # evaluate(box, s, out): the share of the win that each seat may expect, 0 to 1, into `out`
    evaluate: Callable[[Any, Any, Any], None] = all_alike
    # prior(box, s, seat, moves, n, weights): how promising each open decision looks, above 0, into `weights`
    prior: Callable[[Any, Any, int, Any, int, Any], None] = any_move
    # quiet(box, s): whether this is a moment at which `evaluate` may be trusted; playouts go on until one comes
    quiet: Callable[[Any, Any], bool] = always_quiet
    # suspect(box, s, dice, seat): changes a world that the seat has guessed, within what it may know, so that worlds
    # come as often as what everybody has done makes them likely; without it every guess of the rules is as likely
    suspect: Callable[[Any, Any, Any, int], None] = suspect_nothing
    # worth(box, s, out): what a finished game is worth, 0 to 1, where that is not the share of the win
    worth: Callable[[Any, Any, Any], None] | None = None
    horizon: int = 0  # after how many decisions a playout is cut off and evaluated (0: it is played to the end)
    explore: float = EXPLORE  # the weight of PUCT's bonus: less where decisions differ by little
    believed: tuple[float, float] | None = None  # how far chances are off, for people (bots/calibration.py)

    @property
    def rules(self) -> tuple[Callable[..., Any], ...]:
        """The functions that compiled code calls."""
        return (self.evaluate, self.prior, self.quiet, self.suspect, *([self.worth] if self.worth else []))

    @property
    def says_nothing(self) -> bool:
        """Whether playouts may as well be random."""
        return self.evaluate is all_alike and self.prior is any_move and self.worth is None


NO_LORE = Lore()
