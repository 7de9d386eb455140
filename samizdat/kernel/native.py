"""The native engine: the same rules compiled by Numba, loop and all.

Each game gets its own compiled loops, cached on disk under a hash of everything they were made from (the loop's
module, the game's rules and laws, all that these import, Numba itself): a second process starts without compiling,
an edit to any rules file is noticed, also in functions that are merely called, and an edit to a board is not.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import inspect
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal

import numba
import numpy as np
from numba import types
from numba.extending import overload

from samizdat.kernel import checked, contract, loops, luck, rule
from samizdat.kernel.kept import Kept
from samizdat.kernel.linking import LinkedOnce
from samizdat.kernel.records import Record

PACKAGE = Path(__file__).resolve().parents[1]

_registered: set[int] = set()
_state_of: dict[Any, type[Record]] = {}


def _record_type(kind: Any) -> Any:
    return kind.dtype if isinstance(kind, types.Array) else kind


def _records(kind: Any) -> bool:
    return "script" in _record_type(kind).fields


def _by_record(name: str, source: dict[type[Record], Any]) -> Callable[..., Any]:
    def pick_game(*args: Any) -> Callable[..., Any]:
        state = args[0] if name == "seats_to_act" else args[1]
        return getattr(source[_state_of[_record_type(state)]], name)  # type: ignore[no-any-return]

    return pick_game


def answer(function: Any, choose: Callable[..., Any], inline: Literal["never", "always"] = "never") -> None:
    """Let compiled code that calls `function` call what `choose` names for the types given."""

    @functools.wraps(choose)
    def chosen(*args: Any) -> Any:
        return engine_form(choose(*args))

    overload(function, target="generic", strict=False, inline=inline)(chosen)


def engine_form(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function as compiled code gets it."""
    return checked.with_checks(function) if checked.CHECKED else function


def _draw_by_kind(luck_: Any, n: Any) -> Callable[..., Any]:
    return luck.draw_recorded if _records(luck_) else luck.draw_bare


def _tell_by_kind(
    luck_: Any, audience: Any, event: Any, a: Any = 0, b: Any = 0, c: Any = 0, d: Any = 0, e: Any = 0, f: Any = 0
) -> Callable[..., Any]:
    if _records(luck_):
        recorded = luck.tell_recorded

        def speak(luck: Any, audience: Any, event: Any, a: Any = 0, b: Any = 0, c: Any = 0, d: Any = 0,
                  e: Any = 0, f: Any = 0) -> None:  # fmt: skip
            recorded(luck, audience, event, a, b, c, d, e, f)

        return speak

    def silence(luck: Any, audience: Any, event: Any, a: Any = 0, b: Any = 0, c: Any = 0, d: Any = 0,
                e: Any = 0, f: Any = 0) -> None:  # fmt: skip
        pass

    return silence


def _reveal_by_kind(luck_: Any) -> Callable[..., Any]:
    def silence(luck: Any) -> None:
        pass

    return luck.reveal_recorded if _records(luck_) else silence


def _same(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *args: function


def register_rules() -> None:
    """Make every rule known so far callable from compiled code, on the CPU and on the GPU."""
    if not _registered:
        for name in contract.CONTRACT:
            answer(getattr(contract, name), _by_record(name, contract.RULES_OF))
        answer(contract.broken, _by_record("broken", contract.LAWS_OF))
        answer(luck.draw, _draw_by_kind)
        answer(luck.tell, _tell_by_kind)
        answer(luck.reveal, _reveal_by_kind)
        overload(checked.within, target="generic", strict=False)(_same(checked.within))
    for function in rule.RULES:
        if id(function) not in _registered:
            _registered.add(id(function))
            answer(function, _same(function), "always" if function in rule.INLINED else "never")
    for state in contract.RULES_OF:
        known = _state_of.setdefault(numba.from_dtype(state.dtype), state)
        if known is not state:  # compiled code knows a record by its layout alone
            raise TypeError(f"{known.__module__} and {state.__module__} declare the same fields: rename one of them.")


def sources(*files: Path) -> list[Path]:
    """Some of our modules and everything of ours that they import, directly or not."""
    found: set[Path] = set()
    left = [file.resolve() for file in files]
    while left:
        file = left.pop()
        if file not in found and file.is_file():
            found.add(file)
            left.extend(_imported(file))
    return sorted(found)


def _imported(file: Path) -> Iterator[Path]:
    for node in ast.walk(ast.parse(file.read_bytes())):
        names = []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        for name in names:
            *parents, last = name.split(".")
            if parents and parents[-1] == file.parent.name:
                yield file.parent / f"{last}.py"
            elif parents[:1] == [PACKAGE.name]:
                yield PACKAGE.joinpath(*parents[1:], f"{last}.py")


def sources_hash(*parts: Path | str) -> str:
    """A fingerprint of some modules, of what they import and of what compiles them; and of code given as text."""
    digest = hashlib.sha256(f"{numba.__version__} {np.__version__} {sys.implementation.cache_tag}".encode())
    for text in (part for part in parts if isinstance(part, str)):
        digest.update(text.encode() + b"\0")
    for file in sources(*(part for part in parts if isinstance(part, Path))):
        digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()[:20]


class Native:
    """Compiled loops for one game; `native.simulate(...)` and so on."""

    def __init__(self, *parts: Path | str) -> None:
        """For the game whose rules and laws stand in these modules; code that stands in none is given as text."""
        register_rules()
        self.parts = parts
        self.name = next(part for part in parts if isinstance(part, Path)).parent.name

    @functools.cached_property
    def simulate(self) -> Any:
        return self.compile(loops.simulate)

    @functools.cached_property
    def simulate_lawful(self) -> Any:
        return self.compile(loops.simulate_lawful)

    @functools.cached_property
    def trace(self) -> Any:
        return self.compile(loops.trace)

    @functools.cached_property
    def check_secrets(self) -> Any:
        return self.compile(loops.check_secrets)

    @functools.cached_property
    def perft(self) -> Any:
        return self.compile(loops.perft)

    def compile(self, function: Callable[..., Any]) -> Any:
        """Compile any function that calls the contract for this game, cached on disk."""
        register_rules()  # the function's own module may have been imported after this object was made
        if function.__closure__:
            raise TypeError(f"{function.__qualname__} is a closure: what it holds does not show in its source.")
        own = Path(inspect.getfile(function))
        form = "-checked" if checked.CHECKED else ""
        folder = f"{self.name}-{sources_hash(own, Path(__file__), *self.parts)}{form}"
        compiled = numba.njit(error_model="numpy", pipeline_class=LinkedOnce)(engine_form(function))
        compiled._cache = Kept(f"{function.__module__}.{function.__qualname__}", folder)  # type: ignore[attr-defined]
        return compiled
