"""The search of a game as machine code: compiled once, cached on disk, ready when somebody has asked for it.

Importing this module imports the compiler; bots do so only when they are about to search.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba import types

from samizdat.bots import lore, search
from samizdat.bots.lore import LORE_OF, Unread, advice
from samizdat.bots.reading import read_lore
from samizdat.kernel.game import Definition
from samizdat.kernel.native import Native, answer
from samizdat.kernel.records import Record

_state_of: dict[Any, type[Record]] = {}
_natives: dict[type[Record], Native] = {}


def _lore_of(kind: Any) -> Any:
    return LORE_OF[_state_of[kind.dtype if isinstance(kind, types.Array) else kind]]


def _from_lore(name: str) -> Callable[..., Any]:
    return lambda box, s, *rest: advice(_lore_of(s), name)


def _settle(box: Any, s: Any, result: Any, out: Any) -> Callable[..., Any]:
    worth = advice(_lore_of(s), "worth")
    if not worth:
        return lore.share_the_win

    def as_told(box: Any, s: Any, result: Any, out: Any) -> None:
        worth(box, s, out)

    return as_told


def _playout(box: Any, desk: Any, style: Any, ply: Any) -> Callable[..., Any]:
    world = desk.types[desk.fields.index("world")]
    return search.random_playout if _lore_of(world) is Unread else search.guided_playout


for _name in ("evaluate", "prior", "quiet", "suspect"):
    answer(getattr(lore, _name), _from_lore(_name))
answer(lore.settle, _settle)
answer(search.playout, _playout)


def native(definition: Definition) -> Native:
    """The compiler for a game's bots: its code depends on the lore as well as on the rules."""
    found = _natives.get(definition.state)
    if found is None:
        told = read_lore(definition)
        own = [] if told is Unread else [Path(inspect.getfile(told))]
        found = _natives[definition.state] = Native(*definition.compiled_from, *own)
        _state_of[numba.from_dtype(definition.state.dtype)] = definition.state
    return found
