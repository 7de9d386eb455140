"""What routes ask of a request: who it is, which table, which seat."""

from __future__ import annotations

from starlette.requests import Request

from samizdat.table.hints import Hints
from samizdat.table.house import House, LiveTable, NotAllowed, Viewer
from samizdat.table.language import language
from samizdat.table.pages import Pages
from samizdat.table.players import Visitor


def visitor(request: Request) -> Visitor:
    found: Visitor = request.state.visitor
    return found


def house(request: Request) -> House:
    found: House = request.app.state.house
    return found


def pages(request: Request) -> Pages:
    found: Pages = request.app.state.pages
    return found


def hints(request: Request) -> Hints:
    found: Hints = request.app.state.hints
    return found


def viewer_at(table: LiveTable, player: str, seat: int | None) -> Viewer:
    """Whose eyes a browser looks through: the seat it names if it holds it, else the one it holds, else nobody's."""
    held = table.held_by(player)
    if seat is not None:
        if seat not in held:
            raise NotAllowed("Only the seat's owner may look through its eyes.")
        return seat
    return held[0] if len(held) == 1 else None


def seat_at(table: LiveTable, player: str, seat: int) -> int:
    """A seat the browser must hold to decide for it."""
    if seat not in table.held_by(player):
        raise NotAllowed("Only the seat's owner may decide for it.")
    return seat


def title_of(table: LiveTable, who: Visitor) -> str:
    """The title of a table's game in the visitor's language."""
    return language(who.language).title(table.game.definition)
