"""Guides: the tours of all games, and what a slip says to one reader."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from markupsafe import Markup, escape

from samizdat.kernel.errors import OptionError
from samizdat.kernel.game import Definition, Game, definitions
from samizdat.kernel.match import Match
from samizdat.kernel.telling import Phrase
from samizdat.kernel.tours import Progress, Tour
from samizdat.table.language import Speaker
from samizdat.table.viewing import PageView

MOST_IN_DRAFT = 1000
BOLD = re.compile(r"\*\*(.+?)\*\*")


def tours_of(name: str) -> Mapping[str, Tour]:
    """The tours of a game by name."""
    return definitions()[name].tours


def toured_game(definition: Definition, tour: str) -> Game:
    """The game that a tour plays."""
    found = tours_of(definition.name).get(tour)
    if found is None:
        raise OptionError(Phrase("This game has no such tour."))
    return definition.choose_from(found.options, found.players, found.variant)


def acts_of(match: Match, position: PageView) -> int:
    """How much a seat has done: its decisions, and what lies in its draft."""
    draft = position.seen.draft
    decided = sum(seat == position.seen.seat for seat, _ in match.moves)
    return decided * MOST_IN_DRAFT + (len(draft.chosen) if draft else 0)


def slip(tour: Tour, progress: Progress, position: PageView, say: Speaker) -> dict[str, Any]:
    """What a reader is shown of the present step."""
    step = tour.steps[progress.shown]
    made = step.says(position.game, position.seen)

    def spoken(phrase: Phrase | None) -> Markup | None:
        if phrase is None:
            return None
        return Markup(BOLD.sub(r"<b>\1</b>", str(escape(say(phrase)))))

    return {
        "title": say(made.title),
        "goal": spoken(made.goal),
        "done": spoken(made.done),
        "todo": spoken(made.todo),
        "text": [spoken(phrase) for phrase in made.text],
        "rules": made.rules,
        "at": made.at,
        "pressed": step.pressed,
        "number": progress.shown,
        "steps": len(tour.steps),
        "folded": progress.folded,
        "tour": say(tour.title),
    }
