"""What a bot believes: a game's lore (`kernel/lores.py`) as the functions that a search calls.

The lore is their first argument. Interpreted code asks it directly; in compiled code each lore is a type of its own
(`compiled.py`), so that two of them in one process are two searches.
"""

from __future__ import annotations

from typing import Any

from samizdat.kernel.contract import score
from samizdat.kernel.lores import Lore
from samizdat.kernel.luck import WORD, pick
from samizdat.kernel.rule import rule
from samizdat.kernel.scoring import Score, share_of_win


def evaluate(lore: Lore, box: Any, s: Any, out: Any) -> None:
    lore.evaluate(box, s, out)


def prior(lore: Lore, box: Any, s: Any, seat: int, moves: Any, n: int, weights: Any) -> None:
    lore.prior(box, s, seat, moves, n, weights)


def suspect(lore: Lore, box: Any, s: Any, dice: Any, seat: int) -> None:
    lore.suspect(box, s, dice, seat)


def quiet(lore: Lore, box: Any, s: Any) -> bool:
    return lore.quiet(box, s)


def settle(lore: Lore, box: Any, s: Any, result: Score, out: Any) -> None:
    """What a finished game is worth to each seat."""
    if lore.worth is not None:
        lore.worth(box, s, out)
    else:
        share_the_win(box, s, result, out)


@rule
def share_the_win(box: Any, s: Any, result: Score, out: Any) -> None:
    """Each seat's share of it, where the lore does not say what an end is worth."""
    score(box, s, result)
    for seat in range(s.seats):
        out[seat] = share_of_win(result.rank, s.seats, seat)


@rule
def choose_by_prior(lore: Any, box: Any, s: Any, seat: int, moves: Any, n: int, weights: Any, dice: Any) -> int:
    """The place of a decision, drawn by the prior."""
    prior(lore, box, s, seat, moves, n, weights)
    total = 0.0
    for i in range(n):
        total += weights[i]
    drawn = total * (pick(dice, WORD) / WORD)
    for i in range(n):
        drawn -= weights[i]
        if drawn < 0.0:
            return i
    return n - 1
