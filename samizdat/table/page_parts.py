"""One position, as one viewer may see it, drawn as the parts of a page.

A part is a piece of HTML with an id of its own; the stream sends only those that changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from samizdat.table.contexts import Context
from samizdat.table.language import language
from samizdat.table.rendering import macros
from samizdat.table.viewing import PageView

PARTS = ("where", "strip", "status", "board", "hand", "seats", "tabs", "choices", "record", "votes", "back", "end")


def parts(position: PageView, code: str, helps: bool = True, wanted: Sequence[str] = PARTS) -> dict[str, str]:
    """The parts of the page, by name."""
    return _parts(Context(position, language(code), helps), code, wanted)


def _parts(c: Context, code: str, wanted: Sequence[str]) -> dict[str, str]:
    frame, game = macros(code, c.game.name)
    return {part: str(getattr(frame, part)(c, game)) for part in wanted}


def steps(position: PageView, code: str) -> list[dict[str, Any]]:
    """What the latest decision revealed, in the steps in which a reader follows it."""
    return _steps(Context(position, language(code), helps=True), code)


def _steps(c: Context, code: str) -> list[dict[str, Any]]:
    frame, game = macros(code, c.game.name)
    return [
        {"html": str(frame.step(c, game, reveal)), "focus": list(reveal.focus), "minor": reveal.minor}
        for reveal in c.position.reveals
    ]


def draw(position: PageView, code: str, helps: bool = True) -> dict[str, Any]:
    """The parts and the steps of one position."""
    c = Context(position, language(code), helps)
    shown = _parts(c, code, PARTS)
    told = {"html": str(macros(code, c.game.name)[0].story(c)), "lights": c.marks(position.told)} if c.tells else None
    found: dict[str, Any] = {"parts": shown, "steps": [], "story": told, "opens": c.opens}
    if position.reveals:
        found["steps"] = _steps(c, code) if helps else steps(position, code)
    return found


def result(position: PageView, code: str) -> str:
    """Who won a match that is over, and by what, as a spectator reads it."""
    return Context(position, language(code), helps=False).headline
