"""Decision points: each declared once, with everything that follows from it.

A game lists its points in the order of its rulebook. For each it says by which rules it is there, who decides, what
is offered, what taking each kind of decision does, and what is asked in words. `seats_to_act`, `legal` and `play` of
the contract are made from that list, as plain Python that the engines compile like any rule; prompts, refusals,
scenes and the drawn flow of the game read it, too.

Functions of a point are rules (`@rule`):

| | |
|---|---|
| `who(s)` | bit set of the seats that may decide |
| `offers(box, s, seat, moves)` | writes the ids of the open decisions, ascending; how many |
| `takes[kind](box, s, luck, seat, which)` | plays one of them; `which` is its number within its kind |
"""

from __future__ import annotations

import linecache
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from samizdat.kernel.moves import MoveList
from samizdat.kernel.rule import rule

Who = Callable[[Any], int]
Offers = Callable[[Any, Any, int, Any], int]
Takes = Callable[[Any, Any, Any, int, int], None]
Then = Callable[[Any, Any, Any], None]

OVER = "over"


@dataclass(frozen=True)
class Point:
    """One decision point."""

    id: int  # what the field `point` of the state says
    name: str  # as views, scenes and the flow say it
    rules: tuple[str, ...]  # the numbers it is there by; the first is cited when something else is tried
    who: Who
    offers: Offers
    takes: Mapping[str, Takes]  # by kind of decision
    asks: str  # what is asked, as the answer to a decision of another kind: "now an agent is placed."
    rare: bool = False  # seldom reached: kept out of the way of the others in compiled code


class Points:
    """All decision points of a game, and the three functions of the contract that follow from them.

    `over` is the id at which nobody decides any more. `then` goes on after every decision to the next point that asks
    somebody something. A game whose state has no field `point` has one point, and `who` says 0 at its end.
    """

    def __init__(self, moves: MoveList, *points: Point, over: int | None = None, then: Then | None = None) -> None:
        self.moves = moves
        self.all = points
        self.over = over
        self.by_id = {point.id: point for point in points}
        if len(self.by_id) != len(points) or (over is None and len(points) != 1) or over in self.by_id:
            raise TypeError("Every decision point has an id of its own, and so has the end of the game.")
        self._known: dict[str, Any] = {}
        self.source = "\n\n".join((self._seats_to_act(), *self._legal(), *self._play(then)))
        functions = self._functions()
        self.seats_to_act: Who = functions["seats_to_act"]
        self.legal: Offers = functions["legal"]
        self.play: Takes = functions["play"]

    @property
    def words(self) -> tuple[str, ...]:
        """The name of every id; empty for one at which nothing is asked."""
        named = {point.id: point.name for point in self.all} | ({} if self.over is None else {self.over: OVER})
        return tuple(named.get(id, "") for id in range(max(named) + 1))

    @property
    def functions(self) -> tuple[Callable[..., Any], ...]:
        """Everything that the declared points call."""
        return tuple(self._known.values())

    def at(self, s: Any) -> Point:
        """The point that a position is at; only for one in which somebody decides."""
        return self.all[0] if self.over is None else self.by_id[s.point]

    # --- Writing the functions of the contract -----------------------------------------------------------

    def _call(self, function: Callable[..., Any]) -> str:
        """A name for one of the game's functions in the written code."""
        name = function.__name__
        while self._known.setdefault(name, function) is not function:
            name += "_"
        return name

    def _seats_to_act(self) -> str:
        deciders: dict[Who, list[Point]] = {}
        for point in self.all:
            deciders.setdefault(point.who, []).append(point)
        usual = max(deciders, key=lambda who: len(deciders[who]))
        lines = ["def seats_to_act(s):"]
        if self.over is not None:
            lines.append("    point = s.point")
        for who, points in deciders.items():
            if who is not usual:
                lines += [f"    if {self._at(*points)}:", f"        return {self._call(who)}(s)"]
        if self.over is not None:
            lines += [f"    if point == {self.over}:", "        return 0"]
        return "\n".join([*lines, f"    return {self._call(usual)}(s)"])

    def _at(self, *points: Point) -> str:
        return " or ".join(f"point == {point.id}" for point in points)

    def _legal(self) -> list[str]:
        def offer(point: Point) -> list[str]:
            return [f"return {self._call(point.offers)}(box, s, seat, moves)"]

        return self._chain("legal", "box, s, seat, moves", offer, answers=True)

    def _play(self, then: Then | None) -> list[str]:
        def take(point: Point) -> list[str]:
            kinds = sorted(point.takes, key=self.moves.first.__getitem__)
            lines = []
            for kind, after in zip(kinds, [*kinds[1:], None], strict=True):
                number = f"move - {self.moves.first[kind]}" if self.moves.first[kind] else "move"
                call = f"{self._call(point.takes[kind])}(box, s, luck, seat, {number})"
                if len(kinds) == 1:
                    return [call]
                word = "if" if kind == kinds[0] else "elif"
                head = "else:" if after is None else f"{word} move < {self.moves.first[after]}:"
                lines += [head, "    " + call]
            return lines

        written = self._chain("play", "box, s, luck, seat, move", take, answers=False)
        if then:
            written[-1] += f"\n    {self._call(then)}(box, s, luck)"
        return written

    def _chain(self, name: str, arguments: str, body: Callable[[Point], list[str]], *, answers: bool) -> list[str]:
        """`if point == 0: … elif point == 1: …`, the rare ones in a function of their own."""
        often = [point for point in self.all if not point.rare]
        rare = [point for point in self.all if point.rare]
        written = []
        last = None
        if rare:
            written.append(self._written(f"{name}_rare", arguments, rare, body, None))
            last = f"{'return ' if answers else ''}{name}_rare({arguments})"
        return [*written, self._written(name, arguments, often, body, last)]

    def _written(
        self, name: str, arguments: str, points: list[Point], body: Callable[[Point], list[str]], last: str | None
    ) -> str:
        alike: dict[tuple[str, ...], list[Point]] = {}
        for point in points:
            alike.setdefault(tuple(body(point)), []).append(point)
        ways = [(self._at(*there), todo) for todo, there in alike.items()]
        if last is not None:
            ways.append(("", (last,)))
        lines = [f"def {name}({arguments}):"]
        if len(ways) == 1:
            return "\n".join([*lines, *("    " + line for line in ways[0][1])])
        lines.append("    point = s.point")
        for number, (here, todo) in enumerate(ways):
            word = "else" if number == len(ways) - 1 else f"elif {here}" if number else f"if {here}"
            lines += [f"    {word}:", *("        " + line for line in todo)]
        return "\n".join(lines)

    def _functions(self) -> dict[str, Any]:
        """The written code, run; debuggers, tracebacks and the checks of indices can read it."""
        owner = self.all[0].offers.__module__
        name = f"<decision points of {owner}>"
        linecache.cache[name] = (len(self.source), None, self.source.splitlines(keepends=True), name)
        space: dict[str, Any] = {"__name__": owner, **self._known}
        exec(compile(self.source, name, "exec"), space)
        made = {key: value for key, value in space.items() if getattr(value, "__code__", None) is not None}
        for key in made.keys() - self._known.keys():
            rule(made[key])
        return made
