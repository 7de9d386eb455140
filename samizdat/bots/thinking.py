"""Thinking: a search within its budget, and what came of it.

The clock is read between chunks of simulations, each sized by the measured speed to a small part of the budget.
Between two decisions of a match the tree is kept: what the seat then knows is a node that is already there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from math import inf, sqrt
from numbers import Real
from statistics import fmean
from time import perf_counter
from typing import Any

import numpy as np

from samizdat.bots.at_once import OPEN, WON, WORLDS, sensible
from samizdat.bots.search import Desk, Style, search, set_up
from samizdat.bots.search_tree import SearchTree, clear, half_full, plant
from samizdat.bots.uncommit import before_the_others
from samizdat.kernel.arguments import clip, whole
from samizdat.kernel.errors import OptionError
from samizdat.kernel.game import Definition, Game
from samizdat.kernel.lores import Lore
from samizdat.kernel.match import Sight
from samizdat.kernel.moves import Move
from samizdat.kernel.records import Record

SEED_BITS = 62  # of a search
FIRST_CHUNK = 16
CHUNK_OF_BUDGET = 0.02
PUNCTUAL = 0.95  # of the budget: the last chunk may take longer than the ones before
LONGEST_CHUNK = 0.03  # seconds
LEAST = 0.1  # seconds of thinking that are left to whoever has the smallest share
MOST_SIMULATIONS = 10**12
SURE = 1.96  # standard errors on either side: 95 %
ONE = 1.001  # searches: no other tried the decision often enough to compare
LONE = 0.03  # the standard error of what one search alone has tried: others might have found otherwise

_searches: dict[tuple[type[Record], Lore], Any] = {}


def all_of_it() -> float:
    """Nobody else waits for the processor."""
    return 1.0


def check_budget(seconds: object, simulations: object) -> tuple[float | None, int | None]:
    """A budget for one decision, if it is one."""
    try:
        time = float(seconds) if not isinstance(seconds, bool) and isinstance(seconds, Real) else None
    except OverflowError:
        time = None
    if seconds is not None and not (time and 0 < time < inf):
        raise OptionError(f"seconds must be a number above 0, not {clip(seconds)}.")
    number = whole(simulations)
    if simulations is not None and (number is None or not 0 < number <= MOST_SIMULATIONS):
        most = f"{MOST_SIMULATIONS:,}"
        raise OptionError(f"simulations must be a whole number from 1 to {most}, not {clip(simulations)}.")
    return time, number


def check_search(seconds: object, simulations: object) -> tuple[float | None, int | None]:
    """The budget of a search, which would never end without one."""
    if seconds is None and simulations is None:
        raise OptionError("Give seconds or simulations to think for.")
    return check_budget(seconds, simulations)


def ready(definition: Definition, lore: Lore | None = None) -> bool:
    """Whether this process has the compiled search of a game at hand, with its own lore or another."""
    return (definition.state, lore or definition.lore) in _searches


def compiled_search(definition: Definition, lore: Lore) -> Any:
    """The search of a game as machine code; the first call in a process compiles it or reads it from disk."""
    if not ready(definition, lore):
        from samizdat.bots.compiled import native

        _searches[definition.state, lore] = native(definition, lore).compile(search)
    return _searches[definition.state, lore]


@dataclass(frozen=True)
class JudgedMove:
    """One open decision as a search saw it."""

    move: Move
    visits: int
    share: float  # of the win that the seat may expect after it
    played: float  # its part in the strategy to play; 1 or 0 where nothing is mixed
    spread: float = 0.0  # the variance of `share` as far as independent searches differ
    doubt: float | None = None  # half the 95 % interval of `share`, where it does not follow from the rest
    known: float = OPEN  # what it brings at once, where it ends the match in every world that was looked at

    @property
    def error(self) -> float:
        """Half the 95 % interval of `share`: no wider for anything between 0 and 1 than for wins and losses."""
        if self.doubt is not None:
            return self.doubt
        if not self.visits:
            return 1.0
        p = min(max(self.share, 0.0), 1.0)
        return SURE * sqrt(max(p * (1 - p), 0.25 / (self.visits + 1)) / self.visits + self.spread)


@dataclass(frozen=True)
class SearchResult:
    """What a search found: every open decision, and the share that the seat may expect by playing well."""

    options: tuple[JudgedMove, ...]
    simulations: int
    mixed: bool

    @property
    def choices(self) -> list[JudgedMove]:
        """The decisions that may be played at all: no win is passed over, and no loss preferred to going on."""
        return [self.options[place] for place in sensible([option.known for option in self.options])]

    @property
    def best(self) -> JudgedMove:
        return max(self.choices, key=lambda option: (option.played, option.visits, option.share))


def together(results: Sequence[SearchResult]) -> SearchResult:
    """Independent searches of one position as one; what was tried often counts more, as it was played on better."""
    return SearchResult(
        tuple(_merged(seen) for seen in zip(*(result.options for result in results), strict=True)),
        sum(result.simulations for result in results),
        any(result.mixed for result in results),
    )


def _merged(seen: Sequence[JudgedMove]) -> JudgedMove:
    """One decision as several searches saw it."""
    visits = sum(option.visits for option in seen)
    played = fmean(option.played for option in seen)
    known = seen[0].known if len({option.known for option in seen}) == 1 else OPEN
    if not visits:
        return JudgedMove(seen[0].move, 0, 0.0, played)
    weights = [option.visits / visits for option in seen]
    share = sum(weight * option.share for weight, option in zip(weights, seen, strict=True))
    apart = sum(weight * (option.share - share) ** 2 for weight, option in zip(weights, seen, strict=True))
    searches = 1 / sum(weight**2 for weight in weights)  # as many as would count alike
    spread = apart / (searches - 1) if searches > ONE else LONE**2
    return JudgedMove(seen[0].move, visits, share, played, spread if len(seen) > 1 else 0.0, known=known)


@dataclass
class Mind:
    """The memory of one bot: a tree of bounded size, kept from decision to decision of one match."""

    style: dict[str, Any] = field(default_factory=dict)  # what differs from the game's usual way of searching
    tree: SearchTree = field(default_factory=plant, repr=False)
    lore: Lore | None = None  # another than the game's own
    _game: Game | None = None
    _desk: Desk | None = None

    def think(
        self, sight: Sight, seed: int, seconds: float | None = None, simulations: int | None = None,
        share: Callable[[], float] = all_of_it,
    ) -> SearchResult:  # fmt: skip
        """Search for so many seconds or simulations, whichever is over first; one of them must be given. `share` is
        the part of the seconds that may be used: it may become less while others wait for the processor."""
        begun = perf_counter()
        desk, style = self._sit_down(sight)
        lore = self.lore or sight.game.definition.lore
        run = compiled_search(sight.game.definition, lore)
        box = sight.game.box.record.array
        chunk, done, node, slowest = FIRST_CHUNK, 0, 0, 0.0
        while simulations is None or done < simulations:
            chunk = chunk if simulations is None else min(chunk, simulations - done)
            before = perf_counter()
            node = run(lore, box, desk, self.tree, style, seed, done, chunk)
            now = perf_counter()
            done += chunk
            rate = chunk / max(now - before, 1e-9)
            if seconds is None:
                chunk = int(rate * LONGEST_CHUNK) + 1
                continue
            slowest = max(slowest, now - before)
            left = begun + PUNCTUAL * max(seconds * share(), min(seconds, LEAST)) - now
            chunk = max(1, int(rate * min(LONGEST_CHUNK, CHUNK_OF_BUDGET * seconds)))
            if left < slowest or self._settled(node, rate * left):
                break
        return self._result(sight, node, done)

    def __getstate__(self) -> dict[str, Any]:
        """For copies and other processes: without the desk, as some of its arrays are views of others; what is worked
        out on it does not outlast a search."""
        return {**vars(self), "_desk": None}

    def forget(self) -> None:
        """Begin anew, as if nothing had been thought of before."""
        clear(self.tree)

    def _sit_down(self, sight: Sight) -> tuple[Desk, Style]:
        definition = sight.game.definition
        if self._game != sight.game:
            self._game, self._desk = sight.game, None
            clear(self.tree)
        if self._desk is None:
            self._desk = set_up(definition.state, sight.game.capacity)
        if half_full(self.tree):
            clear(self.tree)
        self._desk.root[0] = before_the_others(sight).array[0]
        lore = self.lore or definition.lore
        usual = {"horizon": lore.horizon, "explore": lore.explore, "hidden": int(not definition.all_open)}
        return self._desk, Style(sight.seat, **{**usual, **self.style})

    def _edges(self, node: int) -> tuple[Any, Any]:
        at = self.tree.nodes[node]
        span = slice(int(at["first"]), int(at["first"]) + int(at["n"]))
        return self.tree.edges[span], self.tree.mixes[span]

    def _settled(self, node: int, left: float) -> bool:
        """Whether no other decision can overtake the one most visited, or one wins at once."""
        assert self._desk is not None
        edges, _ = self._edges(node)
        if self._desk.known[: len(edges)].max() >= WON:
            return True
        if self.tree.nodes[node]["mixed"]:
            return False
        visits = np.sort(edges["visits"])
        return bool(len(visits) == 1 or visits[-1] - visits[-2] > left)

    def _result(self, sight: Sight, node: int, simulations: int) -> SearchResult:
        assert self._desk is not None
        edges, mixes = self._edges(node)
        mixed = bool(self.tree.nodes[node]["mixed"])
        known = self._desk.known[: len(edges)]
        choices = sensible([float(share) for share in known])
        most = max(choices, key=lambda i: (edges[i]["visits"], edges[i]["mean"], i))
        total = float(mixes["played"][choices].sum())
        options = []
        for i, (edge, mix) in enumerate(zip(edges, mixes, strict=True)):
            part = float(i == most)
            if mixed and total:
                part = float(mix["played"]) / total if i in choices else 0.0
            move, visits = sight.game.notation.move(int(edge["move"])), int(edge["visits"])
            options.append(_with_known(JudgedMove(move, visits, float(edge["mean"]), part, known=float(known[i]))))
        return SearchResult(tuple(options), simulations, mixed)


def _with_known(option: JudgedMove) -> JudgedMove:
    """A win or a loss at once: the worlds that showed it are among those that were tried."""
    if option.known not in (0.0, WON):
        return option
    visits = option.visits + WORLDS
    return replace(option, visits=visits, share=(option.visits * option.share + WORLDS * option.known) / visits)
