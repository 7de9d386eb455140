"""Exercises: a scene or a puzzle as somebody tries it.

It opens at a position in which one seat is to decide. The answer is that seat's next decisions, in any order; what
the example then lets others do follows by itself. Some examples have nothing to decide: they are looked at, and what
the rules make of the position is shown.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from samizdat.kernel import interpreted as engine
from samizdat.kernel.errors import MatchFileError
from samizdat.kernel.game import Definition, Game
from samizdat.kernel.match import Match
from samizdat.kernel.puzzles import FILE, Puzzle, read_puzzles
from samizdat.kernel.records import Record
from samizdat.kernel.scenes import Scene, call, number, read_scenes, seat_and_move, set_scene
from samizdat.kernel.starts import Start, read_start, written

Scripted = tuple[int, str, tuple[int, ...]]  # a seat, its decision, and what luck brings


@dataclass(frozen=True)
class Exercise:
    """A position, whose eyes it is seen through, what is right there, and what follows."""

    game: Game
    name: str
    title: str
    ask: str
    example: str  # its number in the rulebook; "" for a puzzle
    rules: tuple[str, ...]
    seat: int
    opening: Record
    script: tuple[Scripted, ...]  # the answer, and what follows from it
    before: tuple[str, ...]  # what has happened when it opens
    says: tuple[str, ...]  # what the answer shows
    after: Record | None  # what the rules made of it without a decision, where they did
    offered: tuple[str, ...]  # the decisions that the seat has, where the example is about these
    puzzle: Puzzle | None = None

    @property
    def answer(self) -> tuple[str, ...]:
        """The decisions that whoever tries it has to make; none where there is nothing to decide."""
        found = []
        for seat, move, _ in self.script:
            if seat != self.seat:
                break
            found.append(move)
        return tuple(found)

    @functools.cached_property
    def start(self) -> Start | None:
        """Where a match can go on from here; None from a position that no match comes to. It takes a while."""
        wanted = self.opening if self.script or self.after is None else self.after
        try:
            return read_start(self.game, written(self.game, Start(wanted, self.name)))
        except MatchFileError:
            return None

    def match(self, position: Record | None = None) -> Match:
        """A match at the opening, or at another position of the exercise."""
        return Match(self.game, 0, start=Start((position or self.opening).copy(), self.name))


def has_exercises(definition: Definition) -> bool:
    """Whether a game brings scenes or puzzles; without reading them."""
    folder = definition.folder
    return any((folder / "scenes").glob("*.toml")) or (folder / FILE).is_file()


def exercises(definition: Definition) -> list[Exercise]:
    """All scenes of a game, and then its puzzles, each from easy to hard."""
    scenes = [of_scene(definition, scene) for scene in read_scenes(definition)]
    scenes.sort(key=_effort)
    return scenes + [of_puzzle(definition, puzzle) for puzzle in read_puzzles(definition)]


def _effort(exercise: Exercise) -> tuple[int, int, str]:
    """Examples to look at come first, then those with one decision, then longer ones; those that cite much, last."""
    return len(exercise.answer), len(exercise.rules), exercise.name


def of_scene(definition: Definition, scene: Scene) -> Exercise:
    match = set_scene(definition, scene)
    game = match.game
    plays = [seat_and_move(game, text) for step in scene.steps for text in step.get("play", [])]
    yours = number(game, definition.show.SEAT_NAMES, scene.yours) if scene.yours else plays[0][0] if plays else None
    opening: Record | None = None
    script: list[Scripted] = []
    before: list[str] = []
    says: list[str] = []
    called = False
    for step in scene.steps:
        moves = [seat_and_move(game, text) for text in step.get("play", [])]
        if opening is None and not moves and not (plays and "call" in step):
            opening = match._state.copy()  # what comes before is what others do, and the rules by themselves
        for place, (seat, move) in enumerate(moves):
            luck = tuple(step.get("luck", [])) if place == len(moves) - 1 else ()
            if opening is None and seat == yours:
                opening = match._state.copy()
            if opening is not None:
                script.append((seat, move, luck))
            match.play(seat, move, luck)
        if "call" in step:
            call(match, step["call"])
            called = opening is not None
        if "say" in step:
            (before if opening is None else says).append(step["say"])
    assert opening is not None
    seat = yours if yours is not None else next(iter(engine.acting(opening)), 0)
    return Exercise(
        game, scene.name, scene.title, scene.ask, scene.example, scene.rules, seat, opening, tuple(script),
        tuple(before), tuple(says), match._state.copy() if called else None, _offered(game, scene.steps, seat),
    )  # fmt: skip


def _offered(game: Game, steps: Sequence[dict[str, Any]], seat: int) -> tuple[str, ...]:
    """What an example without a decision says is open to a seat."""
    if any("play" in step for step in steps):
        return ()
    names = game.definition.show.SEAT_NAMES
    legal = [one for step in steps for one in step.get("expect", {}).get("legal", {}).items()]
    return tuple(move for who, moves in legal if number(game, names, who) == seat for move in moves)


def of_puzzle(definition: Definition, puzzle: Puzzle) -> Exercise:
    match = puzzle.match(definition)
    return Exercise(
        match.game, puzzle.name, puzzle.title, puzzle.ask, "", puzzle.rules, puzzle.seat, match._state.copy(),
        ((puzzle.seat, puzzle.answer, ()),), (), (), None, (), puzzle,
    )  # fmt: skip
