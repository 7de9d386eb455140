"""The search of a game as machine code: compiled once, cached on disk, ready when somebody has asked for it.

Importing this module imports the compiler; bots do so only when they are about to search. A lore reaches compiled
code as an argument that holds nothing, of a type that says which lore it is.
"""

from __future__ import annotations

import inspect
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba import types
from numba.extending import NativeValue, models, register_model, typeof_impl, unbox

from samizdat.bots import asking_lore as asked
from samizdat.bots import search
from samizdat.bots.asking_lore import share_the_win
from samizdat.kernel.game import Definition
from samizdat.kernel.lores import Lore
from samizdat.kernel.native import Native, answer

_known: dict[str, Lore] = {}  # by the names of their types


class LoreType(types.Type):
    """One lore, by the names of its functions: what was compiled for them is found again by other processes."""

    def __init__(self, name: str) -> None:
        super().__init__(name=name)

    @property
    def lore(self) -> Lore:
        return _known[self.name]


register_model(LoreType)(models.OpaqueModel)


@typeof_impl.register(Lore)
def type_of(lore: Lore, context: Any = None) -> LoreType:
    name = " ".join(f"{rule.__module__}.{rule.__qualname__}" for rule in lore.rules)
    if _known.setdefault(name, lore).rules == lore.rules:
        return LoreType(name)
    for other, known in _known.items():
        if known.rules == lore.rules:
            return LoreType(other)
    name = (
        f"{name} {secrets.token_hex(8)}"  # others of the same names: what is compiled for them is never found again
    )
    _known[name] = lore
    return LoreType(name)


@unbox(LoreType)  # type: ignore[no-untyped-call, untyped-decorator]
def _unbox(kind: Any, thing: Any, context: Any) -> Any:
    return NativeValue(context.context.get_dummy_value())  # type: ignore[no-untyped-call]


def _evaluate(lore: Any, box: Any, s: Any, out: Any) -> Callable[..., Any]:
    told = lore.lore.evaluate

    def evaluate(lore: Any, box: Any, s: Any, out: Any) -> None:
        told(box, s, out)

    return evaluate


def _prior(lore: Any, box: Any, s: Any, seat: Any, moves: Any, n: Any, weights: Any) -> Callable[..., Any]:
    told = lore.lore.prior

    def prior(lore: Any, box: Any, s: Any, seat: Any, moves: Any, n: Any, weights: Any) -> None:
        told(box, s, seat, moves, n, weights)

    return prior


def _quiet(lore: Any, box: Any, s: Any) -> Callable[..., Any]:
    told = lore.lore.quiet

    def quiet(lore: Any, box: Any, s: Any) -> bool:
        return told(box, s)  # type: ignore[no-any-return]

    return quiet


def _suspect(lore: Any, box: Any, s: Any, dice: Any, seat: Any) -> Callable[..., Any]:
    told = lore.lore.suspect

    def suspect(lore: Any, box: Any, s: Any, dice: Any, seat: Any) -> None:
        told(box, s, dice, seat)

    return suspect


def _settle(lore: Any, box: Any, s: Any, result: Any, out: Any) -> Callable[..., Any]:
    worth = lore.lore.worth
    if worth is None:

        def share(lore: Any, box: Any, s: Any, result: Any, out: Any) -> None:
            share_the_win(box, s, result, out)

        return share

    def settle(lore: Any, box: Any, s: Any, result: Any, out: Any) -> None:
        worth(box, s, out)

    return settle


def _playout(lore: Any, box: Any, desk: Any, style: Any, ply: Any) -> Callable[..., Any]:
    return search.random_playout if lore.lore.says_nothing else search.guided_playout


answer(asked.evaluate, _evaluate)
answer(asked.prior, _prior)
answer(asked.quiet, _quiet)
answer(asked.suspect, _suspect)
answer(asked.settle, _settle)
answer(search.playout, _playout)


def native(definition: Definition, lore: Lore) -> Native:
    """The compiler for a game's bots: its code depends on the lore as well as on the rules."""
    own = dict.fromkeys(Path(inspect.getfile(function)) for function in lore.rules)
    return Native(*definition.compiled_from, *own)
