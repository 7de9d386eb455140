"""Lore: what a game's folder may tell its bots, and what they believe where it tells nothing.

A game's `lore.py` is optional, and so is each name in it:

- `evaluate(box, s, out)`: the share of the win that each seat may expect, 0 to 1, into `out`;
- `prior(box, s, seat, moves, n, weights)`: how promising each open decision looks, above 0, into `weights`;
- `HORIZON`: after how many decisions a playout is cut off and evaluated (0: it is played to the end);
- `TERMS` and `terms(box, s, seat, out)`: what the evaluation looks at, named and measured, for hints.

Bots call the functions below; which game answers follows from the type of the state, as with the rules.
"""

from __future__ import annotations

from typing import Any

from samizdat.kernel.contract import score
from samizdat.kernel.game import Game
from samizdat.kernel.records import Record
from samizdat.kernel.rule import rule
from samizdat.kernel.scoring import Score

LORE_OF: dict[type[Record], Any] = {}


class Unread:
    """What bots believe of a game without lore: whoever is ahead may win, and every decision is as good."""

    HORIZON = 0

    @staticmethod
    def evaluate(box: Any, s: Any, out: Any) -> None:
        for seat in range(s.seats):
            out[seat] = 1.0 / s.seats

    @staticmethod
    def prior(box: Any, s: Any, seat: int, moves: Any, n: int, weights: Any) -> None:
        for i in range(n):
            weights[i] = 1.0


def read_lore(game: Game) -> Any:
    """Make a game's lore known to `evaluate` and `prior`; returns it, or what stands for it."""
    definition = game.definition
    if definition.state not in LORE_OF:
        LORE_OF[definition.state] = definition.lore or Unread
    return LORE_OF[definition.state]


def advice(lore: Any, name: str) -> Any:
    """One name of a game's lore, or the belief without it."""
    return getattr(lore, name, getattr(Unread, name))


def evaluate(box: Any, s: Any, out: Any) -> None:
    advice(LORE_OF[type(s)], "evaluate")(box, s, out)


def prior(box: Any, s: Any, seat: int, moves: Any, n: int, weights: Any) -> None:
    advice(LORE_OF[type(s)], "prior")(box, s, seat, moves, n, weights)


@rule
def settle(box: Any, s: Any, result: Score, out: Any) -> None:
    """The shares of a finished game: 1/k for each of k winners, nothing for anyone in a common defeat."""
    score(box, s, result)
    winners = 0
    for seat in range(s.seats):
        winners += 1 if result.rank[seat] == 1 else 0
    for seat in range(s.seats):
        out[seat] = 1.0 / winners if result.rank[seat] == 1 else 0.0
