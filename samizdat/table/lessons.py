"""Lessons: the scenes and puzzles of all games, and what a slip says of one to its reader."""

from __future__ import annotations

import functools
import random
from collections.abc import Sequence
from typing import Any

from samizdat.bots.reasons import compared
from samizdat.kernel.exercises import Exercise, exercises
from samizdat.kernel.game import definitions
from samizdat.kernel.match import Sight, view_of
from samizdat.kernel.puzzles import Puzzle
from samizdat.kernel.telling import Line, Phrase
from samizdat.table.board_files import board_of
from samizdat.table.drawings import said
from samizdat.table.hints import Reasons, as_it_was
from samizdat.table.language import Language, Speaker, seat_word
from samizdat.table.places import places
from samizdat.table.practice import ASTRAY, DONE, PracticeTable

SEED = 17  # of the worlds in which reasons are counted: the same for everybody
MOST_TOLD = 4  # sentences of what a decision brought, or decisions in words
NEXT_BEST = Phrase("the next best")


@functools.cache
def lessons_of(name: str) -> tuple[Exercise, ...]:
    """The exercises of a game: its worked examples and its puzzles, each from easy to hard."""
    return tuple(exercises(definitions()[name]))


def lesson(name: str, scene: str) -> Exercise | None:
    """One of them by its name."""
    return next((one for one in lessons_of(name) if one.name == scene), None) if name in definitions() else None


def after(exercise: Exercise) -> Exercise | None:
    """The one that comes next."""
    known = lessons_of(exercise.game.name)
    place = known.index(exercise) + 1
    return known[place] if place < len(known) else None


def seat_names(exercise: Exercise, spoken: Language) -> list[str]:
    """Everybody at the table is called as the rules call the seat."""
    game = exercise.game
    words = [spoken.word(game.name, seat_word(game, seat)) for seat in range(game.players)]
    return [word[:1].upper() + word[1:] for word in words]


@functools.lru_cache(maxsize=200)
def reasons(game: str, scene: str) -> Reasons:
    """What the answer of a puzzle wins or risks against the next best decision, counted in imagined worlds."""
    exercise = lesson(game, scene)
    assert exercise is not None
    assert exercise.puzzle is not None
    best, second = (exercise.game.notation.read(move) for move in (exercise.puzzle.answer, exercise.puzzle.second))
    why = compared(exercise.match().sight(exercise.seat), best, second, random.Random(SEED), NEXT_BEST)
    return tuple((one.sign, one.line) for one in why)


def slip(table: PracticeTable, say: Speaker, solved: bool) -> dict[str, Any]:
    """What a reader is told now."""
    exercise, standing = table.exercise, table.standing
    puzzle = exercise.puzzle
    spoken, name = say.language, exercise.game.name
    text = functools.partial(spoken.gettext, game=name)
    answer = exercise.offered or ((table.next,) if table.next else ())
    offered = answer if table.shown else ()
    return {
        "game": name,
        "scene": exercise.name,
        "title": text(exercise.title),
        "example": exercise.example,
        "rules": exercise.rules,
        "puzzle": puzzle is not None,
        "standing": standing,
        "shown": table.shown,
        "solved": solved,
        "decides": bool(exercise.answer),
        "before": [text(one) for one in exercise.before],
        "ask": text(exercise.ask),
        "says": [text(one) for one in exercise.says] if standing == DONE else [],
        "told": [say.markup(line) for line in _told(table)] if standing == ASTRAY else [],
        "chances": say(_chances(puzzle, table.made)) if puzzle and standing in (ASTRAY, DONE) else "",
        "why": _why(exercise, say) if puzzle and standing == DONE else [],
        "labels": _labels(table, offered, say) if len(offered) <= MOST_TOLD else [],
        "marks": _marks(table, offered),
        "more": exercise.after is not None and not table.beyond and standing == DONE,
        "plays_on": standing == DONE and exercise.start is not None,
        "next": getattr(after(exercise), "name", ""),
        "folded": table.folded,
    }


def _chances(puzzle: Puzzle, made: Sequence[str]) -> Phrase:
    """How good what was decided is, and the best of the rest."""
    decided = made[0]
    other = puzzle.second if decided == puzzle.answer else puzzle.answer
    shares = {"n": round(100 * puzzle.chances[decided][0]), "other": round(100 * puzzle.chances[other][0])}
    if decided == puzzle.answer:
        return Phrase("It wins about {n} of 100 games from here; the next best decision {other}.", shares)
    return Phrase("It wins about {n} of 100 games from here; the best decision {other}.", shares)


def _why(exercise: Exercise, say: Speaker) -> list[dict[str, Any]]:
    """What the answer of a puzzle wins and risks, once it is found: before, that would give it away."""
    found = reasons(exercise.game.name, exercise.name)
    return [{"sign": sign, "text": say(line), "rule": line.rule} for sign, line in found]


def _told(table: PracticeTable) -> list[Line]:
    """What the last decision brought, as its seat heard it."""
    last = len(table.history(table.exercise.seat).observations) - 1
    return [entry.line for entry in said(table, table.exercise.seat, last)][:MOST_TOLD]


def _labels(table: PracticeTable, offered: Sequence[str], say: Speaker) -> list[str]:
    """The decisions of the answer in words."""
    game, sight = table.game, _sight(table)
    view = view_of(game, sight.state, sight.seat)
    return [say(board_of(game.name).label(game, view, game.notation.read(move))) for move in offered]


def _marks(table: PracticeTable, offered: Sequence[str]) -> list[dict[str, Any]]:
    """Where the answer is drawn on the board."""
    if not offered:
        return []
    sight = _sight(table)
    view = view_of(table.game, sight.state, sight.seat)
    at = places(as_it_was(sight, view), offered)
    origin = board_of(table.game.name).origin
    read = table.game.notation.read
    return [
        {"ids": at[move], "move": move, "from": origin(table.game, view, read(move)) if len(offered) == 1 else ""}
        for move in offered
    ]


def _sight(table: PracticeTable) -> Sight:
    assert table.match is not None
    return table.match.sight(table.exercise.seat, memory=False)
