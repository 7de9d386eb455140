"""Pointing: what something on a board says when somebody asks about it, a game's legend, and a rule beside the board.

An answer is made from the same position as the board that was pointed at, and so from what that viewer may know. It
is asked for when somebody points, and is no part of the page: docs/decisions.md says why.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from samizdat.kernel.boards import Answer, Sign, Signs
from samizdat.kernel.game import Game
from samizdat.kernel.telling import Phrase
from samizdat.table.board_files import board_of
from samizdat.table.contexts import Context
from samizdat.table.language import Speaker, language
from samizdat.table.rendering import page
from samizdat.table.rulebooks import Clause, clauses, rulebook
from samizdat.table.viewing import PageView

AROUND = 1  # rules shown before and after the one that was asked for

# Signs that every board has.
TABLE = Signs(
    Phrase("At every table"),
    (
        Sign("hand", Phrase("your turn")),
        Sign("wait", Phrase("the table waits for this player")),
        Sign("check", Phrase("done: sealed, chosen or won")),
        Sign("zoom", Phrase("brings the map near")),
        Sign("crop", Phrase("red corners: you can choose this now")),
        Sign("dashes", Phrase("dashes: what was moved last")),
        Sign("hatch", Phrase("hatched: hidden from you")),
    ),
)
DRAWN = ("crop", "dashes", "hatch")  # of these, what the style sheet draws


def legend_of(game: Game) -> tuple[Signs, ...]:
    """Every sign of a game's board, its own first."""
    return (*board_of(game.name).legend(game), TABLE)


def legend(game: Game, code: str) -> str:
    """The legend as a piece of a page."""
    say = Speaker(language(code), game)
    title = language(code).title(game.definition)
    return page("legend.html.jinja", code, groups=legend_of(game), drawn=DRAWN, say=say, title=title)


def answer(position: PageView, about: str) -> Answer | None:
    """What something says in a position; None for what nobody could have pointed at there."""
    return board_of(position.game.name).answer(position.game, position.seen, about)


def answered(position: PageView, about: str, code: str) -> str | None:
    """The same as a piece of a page."""
    found = answer(position, about)
    if found is None:
        return None
    return page("answer.html.jinja", code, found=found, c=Context(position, language(code), helps=True))


@dataclass(frozen=True)
class Beside:
    """A rule with its neighbours, and the numbers to leaf to."""

    cited: Clause
    shown: tuple[Clause, ...]
    earlier: str | None
    later: str | None


def beside(name: str, number: str, code: str) -> Beside | None:
    """A rule to be read beside the board; a number that stands for a whole part opens the part's first rule."""
    book = clauses(name, code)
    wanted = next((i for i, one in enumerate(book) if one.number == number), None)
    if wanted is None:
        inside = re.compile(rf"{re.escape(number)}[.a-z]")
        wanted = next((i for i, one in enumerate(book) if inside.match(one.number)), None)
    if wanted is None:
        return None
    first, last = max(0, wanted - AROUND), min(len(book), wanted + AROUND + 1)
    return Beside(
        book[wanted],
        book[first:last],
        book[wanted - 1].number if wanted else None,
        book[wanted + 1].number if wanted + 1 < len(book) else None,
    )


def rule(name: str, number: str, code: str) -> str | None:
    """The same as a piece of a page."""
    found = beside(name, number, code)
    if found is None:
        return None
    return page("rule.html.jinja", code, found=found, game=name, spoken=rulebook(name, code).language)
