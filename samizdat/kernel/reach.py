"""Reach: what the fields of a state can hold with the box, the options and the players that were chosen.

The bounds in a game's `state.py` hold for every box and every option there can be: the longest game with the most
tokens. Its `reach.py` says what can come about in one game, field by field, as numbers or as arrays with one number
for each element; a field it does not name keeps the bounds of `state.py`. What cannot vary has a low equal to its
high.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from samizdat.kernel.game import Game


class Reach(NamedTuple):
    """The least and the largest value of a field, or of each of its elements."""

    low: Any
    high: Any


def up_to(high: Any) -> Reach:
    return Reach(0, high)


def fixed(value: Any) -> Reach:
    return Reach(value, value)


NEVER = fixed(0)


def first(n: int, capacity: int, inside: Any, outside: int = 0) -> npt.NDArray[np.int64]:
    """An array with a value for its first n rows, those that this box or this table has, and one for the rest."""
    return np.where(np.arange(capacity) < n, inside, outside)


def members(n: int) -> int:
    """The set of the first n things, as bits."""
    return (1 << n) - 1


def chosen_before_the_deal(game: Game) -> set[str]:
    """The fields that hold what was chosen before the deal: they tell games apart, and never change in one."""
    return {"seats", "variant", "rules", *(option.name for option in game.definition.options)}


def reach_of(game: Game) -> dict[str, Reach]:
    """The reach of every field of a game's state, one number for each element."""
    stated = dict(game.definition.reach(game))
    fields = game.definition.state.fields
    before = chosen_before_the_deal(game)
    blank = game.blank()
    found = {}
    for name, field in fields.items():
        low, high = stated.pop(name, Reach(field.low, field.high))
        if name in before:
            low = high = blank.array[name][0]
        low, high = (np.broadcast_to(np.asarray(end, np.int64), field.shape) for end in (low, high))
        found[name] = Reach(low, high)
    if stated:
        raise ValueError(f"{game.name} has no field {', '.join(stated)}.")
    return found


def out_of_reach(game: Game, states: npt.NDArray[Any]) -> str | None:
    """The first value in an array of states that its game cannot reach, in words; None if there is none."""
    for name, (low, high) in reach_of(game).items():
        values = states[name]
        wrong = (values < low) | (values > high)
        if wrong.any():
            where = tuple(int(i) for i in np.argwhere(wrong)[0])
            ends = f"{low[where[1:]]}..{high[where[1:]]}"
            return f"{game.name}: {name}{list(where[1:])} holds {values[where]}, out of its reach {ends}"
    return None
