"""Guests: bots from outside. A bot is anything with `choose(sight)`.

One is named as `package.module:Class` or `file.py:Class`, or by the name under which an installed package announces
it (an entry point of the group `samizdat.bots`). Class or function, it is called with those of `seconds`,
`simulations` and `seed` that it takes. What it chooses, a Move, its id or its notation, must be open to its seat.

A policy is named by its file, `policy.onnx` or `policy.pt2`, with `:sampled` where it shall draw its moves; the lab
reads it. An agent may have a `check(game)` that says, with an OptionError, why it cannot play a game.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
import inspect
import logging
import re
import sys
from collections.abc import Callable, Mapping
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any, Protocol

from samizdat.kernel.arguments import clip, printable
from samizdat.kernel.errors import IllegalMove, MoveError, OptionError
from samizdat.kernel.match import Sight
from samizdat.kernel.moves import Move

OUTSIDE = "samizdat.bots"
NAME = re.compile(r"[a-z0-9][a-z0-9_.-]{0,39}")  # it stands in forms and on pages

# Files that are no Python, by their ending, and what reads them: named, as it stands in a room above this one.
POLICY = re.compile(r"(?P<path>.+\.(?:onnx|pt2))(?::(?P<how>\w+))?")
POLICIES = "samizdat.lab.policies"

log = logging.getLogger("samizdat.bots")

_brought: dict[Path, Path] = {}  # files of another machine: what they are called there, and where they lie here


class Agent(Protocol):
    """All that a bot must be."""

    def choose(self, sight: Sight) -> Move | int | str:
        """One of the decisions open to the sight's seat."""


@functools.cache
def announced(taken: tuple[str, ...] = ()) -> Mapping[str, EntryPoint]:
    """The bots that installed packages announce, by name; one that has a name of ours is left out."""
    found: dict[str, EntryPoint] = {}
    for entry in sorted(entry_points(group=OUTSIDE)):
        if entry.name in taken or entry.name in found or not NAME.fullmatch(entry.name):
            log.error("The bot announced as %s (%s) is left out: it needs another name.", entry.name, entry.value)
        else:
            found[entry.name] = entry
    return found


def maker(name: str) -> Callable[..., Agent]:
    """What makes the bot of a name; OptionError says why there is none."""
    if name in announced():
        found: Callable[..., Agent] = _loaded(name, announced()[name].load)
        return found
    if policy := POLICY.fullmatch(name):
        path = Path(policy["path"])
        given = [policy["how"]] if policy["how"] else []
        return functools.partial(importlib.import_module(POLICIES).read, _brought.get(path, path), *given)
    where, colon, what = name.rpartition(":")
    if not (colon and where and what):
        raise OptionError(f"There is no bot {clip(name)}.")
    if (file := file_of(name)) is not None:
        return _part(_loaded(name, lambda: _from_file(_brought.get(file, file))), what, name)
    return _part(_loaded(name, lambda: _from_package(where)), what, name)


def is_named(name: str) -> bool:
    """Whether a name says where a bot from outside is to be found."""
    return ":" in name or POLICY.fullmatch(name) is not None


def file_of(name: str) -> Path | None:
    """The file that a bot is written in, if it was named by one."""
    if name in announced():
        return None
    if policy := POLICY.fullmatch(name):
        return Path(policy["path"])
    where, _, _ = name.rpartition(":")
    return Path(where) if where.endswith(".py") else None


def bring(path: Path, here: Path) -> None:
    """Let a bot that was named by a file of another machine be read from this one."""
    _brought[path] = here


def _loaded(name: str, load: Callable[[], Any]) -> Any:
    try:
        return load()
    except OptionError:
        raise
    except Exception as error:
        raise OptionError(f"The bot {clip(name)} cannot be read: {printable(str(error))[:300]}.") from error


def _part(module: Any, what: str, name: str) -> Callable[..., Agent]:
    found = vars(module).get(what)
    if not callable(found):
        raise OptionError(f"The bot {clip(name)} cannot be read: there is no {clip(what)} in it.")
    return found  # type: ignore[no-any-return]


def _from_package(name: str) -> Any:
    here = str(Path.cwd())
    if here not in sys.path:  # as `python -m` would have it
        sys.path.append(here)
    return importlib.import_module(name)


@functools.cache
def _from_file(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(f"samizdat_guest_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def make(name: str, seconds: float | None, simulations: int | None, seed: int | None) -> Agent:
    """A bot from outside, with the budget that it was given if it takes one."""
    made = maker(name)
    takes = inspect.signature(made).parameters
    anything = any(one.kind is one.VAR_KEYWORD for one in takes.values())
    given: dict[str, Any] = {"seconds": seconds, "simulations": simulations, "seed": seed}
    for budget in ("seconds", "simulations"):
        if given[budget] is not None and budget not in takes and not anything:
            raise OptionError(f"The bot {clip(name)} takes no {budget}.")
    wanted = {key: value for key, value in given.items() if value is not None and (anything or key in takes)}
    agent = _loaded(name, lambda: made(**wanted))
    if not callable(getattr(agent, "choose", None)):
        raise OptionError(f"The bot {clip(name)} has no choose(sight).")
    return agent  # type: ignore[no-any-return]


def takes_budget(name: str, budget: str) -> bool:
    """Whether a bot from outside can be told how long to think, in seconds or in simulations."""
    takes = inspect.signature(maker(name)).parameters
    return budget in takes or any(one.kind is one.VAR_KEYWORD for one in takes.values())


def choose(name: str, agent: Agent, sight: Sight) -> Move:
    """What a bot from outside chooses; IllegalMove if that is not open to its seat."""
    answer = agent.choose(sight)
    try:
        move = sight.game.notation.read(answer)
    except MoveError as error:
        raise IllegalMove(f"The bot {clip(name)} chose what is no move: {error}", "bots") from None
    if move not in sight.legal():
        raise IllegalMove(f"The bot {clip(name)} chose {move}, which is not open to it.", "bots")
    return move
