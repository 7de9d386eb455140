"""Lore: what a game's folder may tell its bots, and what they believe where it tells nothing.

A game's `lore.py` is optional, and so is each name in it:

- `evaluate(box, s, out)`: the share of the win that each seat may expect, 0 to 1, into `out`;
- `prior(box, s, seat, moves, n, weights)`: how promising each open decision looks, above 0, into `weights`;
- `HORIZON`: after how many decisions a playout is cut off and evaluated (0: it is played to the end);
- `EXPLORE`: the weight of PUCT's bonus: less where decisions differ by little in shares of the win;
- `quiet(box, s)`: whether this is a moment at which `evaluate` may be trusted; playouts go on until one comes;
- `suspect(box, s, dice, seat)`: changes a world that the seat has guessed, within what it may know, so that worlds
  come as often as what everybody has done makes them likely; without it every guess of the rules is as likely;
- `worth(box, s, out)`: what a finished game is worth, 0 to 1, where that is not the share of the win.

What people are told of a decision stands in `stakes.py` (`samizdat/kernel/stakes.py`).

Bots call the functions below; which game answers follows from the type of the state, as with the rules.
"""

from __future__ import annotations

from typing import Any

from samizdat.kernel.contract import score
from samizdat.kernel.luck import WORD, pick
from samizdat.kernel.records import Record
from samizdat.kernel.rule import rule
from samizdat.kernel.scoring import Score

LORE_OF: dict[type[Record], Any] = {}


class Unread:
    """What bots believe of a game without lore: whoever is ahead may win, and every decision is as good."""

    HORIZON = 0
    EXPLORE = 0.8  # shares are between 0 and 1

    @staticmethod
    def evaluate(box: Any, s: Any, out: Any) -> None:
        for seat in range(s.seats):
            out[seat] = 1.0 / s.seats

    @staticmethod
    def quiet(box: Any, s: Any) -> bool:
        return True

    @staticmethod
    def suspect(box: Any, s: Any, dice: Any, seat: int) -> None:
        pass

    @staticmethod
    def prior(box: Any, s: Any, seat: int, moves: Any, n: int, weights: Any) -> None:
        for i in range(n):
            weights[i] = 1.0


def read_by(state: type[Record]) -> Any:
    """The lore of the game with these states, once it was read."""
    return LORE_OF[state]


def advice(lore: Any, name: str) -> Any:
    """One name of a game's lore, or the belief without it."""
    return getattr(lore, name, getattr(Unread, name, None))


def evaluate(box: Any, s: Any, out: Any) -> None:
    advice(LORE_OF[type(s)], "evaluate")(box, s, out)


def prior(box: Any, s: Any, seat: int, moves: Any, n: int, weights: Any) -> None:
    advice(LORE_OF[type(s)], "prior")(box, s, seat, moves, n, weights)


def suspect(box: Any, s: Any, dice: Any, seat: int) -> None:
    advice(LORE_OF[type(s)], "suspect")(box, s, dice, seat)


def quiet(box: Any, s: Any) -> bool:
    found: bool = advice(LORE_OF[type(s)], "quiet")(box, s)
    return found


def settle(box: Any, s: Any, result: Score, out: Any) -> None:
    """What a finished game is worth to each seat."""
    worth = advice(LORE_OF[type(s)], "worth")
    if worth:
        worth(box, s, out)
    else:
        share_the_win(box, s, result, out)


@rule
def share_the_win(box: Any, s: Any, result: Score, out: Any) -> None:
    """1/k for each of k winners, nothing for anyone in a common defeat."""
    score(box, s, result)
    winners = 0
    for seat in range(s.seats):
        winners += 1 if result.rank[seat] == 1 else 0
    for seat in range(s.seats):
        out[seat] = 1.0 / winners if result.rank[seat] == 1 else 0.0


@rule
def choose_by_prior(box: Any, s: Any, seat: int, moves: Any, n: int, weights: Any, dice: Any) -> int:
    """The place of a decision, drawn by the prior."""
    prior(box, s, seat, moves, n, weights)
    total = 0.0
    for i in range(n):
        total += weights[i]
    drawn = total * (pick(dice, WORD) / WORD)
    for i in range(n):
        drawn -= weights[i]
        if drawn < 0.0:
            return i
    return n - 1
