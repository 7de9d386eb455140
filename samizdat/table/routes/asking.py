"""What routes ask of a request: who it is, which table, which seat."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from starlette.requests import Request

from samizdat.kernel.box import Box
from samizdat.kernel.errors import BoxError
from samizdat.kernel.game import Definition, box_of
from samizdat.kernel.telling import Phrase
from samizdat.table.boxes import Offered
from samizdat.table.declined import NotAllowed
from samizdat.table.hints import Hints
from samizdat.table.house import House
from samizdat.table.language import language
from samizdat.table.leaving import Leaving
from samizdat.table.opening import FormError, Wish
from samizdat.table.pages import Pages
from samizdat.table.players import Visitor, Visitors
from samizdat.table.ratings import Ratings
from samizdat.table.rendering import sentence
from samizdat.table.replays import Replays
from samizdat.table.seats import Viewer
from samizdat.table.sessions import Sessions
from samizdat.table.store.accounts import Accounts
from samizdat.table.store.boxes import OwnBoxes
from samizdat.table.tables import LiveTable
from samizdat.table.tickets import Tickets, sent_number

T = TypeVar("T")
NOT_WATCHED = Phrase(
    "Whoever opened this table wants no spectators while the match runs; a link to a seat lets you in."
)


def visitor(request: Request) -> Visitor:
    found: Visitor = request.state.visitor
    return found


def _kept(name: str, kind: type[T]) -> Callable[[Request], T]:
    """What the application keeps under a name, for any request."""

    def ask(request: Request) -> T:
        found = getattr(request.app.state, name)
        assert isinstance(found, kind)
        return found

    return ask


house = _kept("house", House)
pages = _kept("pages", Pages)
hints = _kept("hints", Hints)
visitors = _kept("visitors", Visitors)
replays = _kept("replays", Replays)
own_boxes = _kept("own_boxes", OwnBoxes)
accounts = _kept("accounts", Accounts)
leaving = _kept("leaving", Leaving)
ratings = _kept("ratings", Ratings)
sessions = _kept("sessions", Sessions)
tickets = _kept("tickets", Tickets)


def added(request: Request, form: Mapping[str, Any]) -> dict[str, Any]:
    """What a browser adds to the luck of a table that it opens: a number, and the ticket that it was made for."""
    return {"ticket": tickets(request).read(form.get("ticket")), "number": sent_number(form.get("number"))}


async def stored(act: Callable[..., T], *args: object) -> T:
    """Something asked of the database, while the event loop goes on with others."""
    return await asyncio.to_thread(act, *args)


async def known_name(request: Request) -> str:
    """The name this browser sat down under last; empty if it never did."""
    return await stored(house(request).store.player_name, visitor(request).id) or ""


async def name_here(request: Request) -> str:
    """The same, or what somebody without a name is called."""
    return await known_name(request) or sentence(Phrase("Player"), visitor(request).language)


async def remember(request: Request, name: str) -> None:
    """The player behind this browser, under the name given last."""
    who = visitor(request)
    await stored(house(request).store.remember_player, who.id, name)
    if who.session and who.name != name:
        sessions(request).forget()


def inside(path: str, otherwise: str) -> str:
    """Where to go next, as the request says, if that is a page of ours."""
    return path if path.startswith("/") and not path.startswith(("//", "/\\")) else otherwise


async def sent_form(request: Request) -> dict[str, str]:
    """What a form says. A file where a text is meant says nothing."""
    async with request.form() as form:
        return {name: value for name, value in form.items() if isinstance(value, str)}


async def brought_file(given: Any, most: int, missing: Phrase, large: Phrase) -> bytes:
    """The file of a form; FormError with one of these sentences if there is none, or one of more bytes than that."""
    if not (hasattr(given, "read") and given.filename):
        raise FormError(missing)
    raw: bytes = await given.read(most + 1)
    if len(raw) > most:
        raise FormError(large)
    return raw


def viewer_at(table: LiveTable, player: str, seat: int | None) -> Viewer:
    """Whose eyes a browser looks through: the seat it names if it holds it, else the one it holds, else nobody's."""
    held = table.held_by(player)
    if seat is not None:
        if seat not in held:
            raise NotAllowed("Only the seat's owner may look through its eyes.")
        return seat
    check_watching(table, player)
    return held[0] if len(held) == 1 else None


def check_watching(table: LiveTable, player: str | None) -> None:
    """Whether somebody without a seat may look on."""
    if not table.watched_by(player):
        raise NotAllowed(NOT_WATCHED)


def seat_at(table: LiveTable, player: str, seat: int) -> int:
    """A seat the browser must hold to decide for it."""
    if not 0 <= seat < len(table.chairs) or player not in table.chairs[seat].holders:
        raise NotAllowed("Only the seat's owner may decide for it.")
    return seat


def title_of(table: LiveTable, who: Visitor) -> str:
    """The title of a table's game in the visitor's language."""
    return language(who.language).title(table.game.definition)


def boxes_for(request: Request, found: Definition) -> list[Offered]:
    """The boxes that somebody may open a table with: those of the server, then one's own that can be played."""
    own = own_boxes(request).of(visitor(request).id, found.name)
    offered: dict[str, list[Offered]] = request.app.state.offered
    mine = [Offered(one.id, box, own=True) for one in own if (box := _read(found, one.text))]
    return [*offered.get(found.name, ()), *mine]


def _read(found: Definition, text: str) -> Box | None:
    """A box of one's own, once nothing of it is to be mended."""
    try:
        return box_of(found.name, text)
    except BoxError:
        return None


def chosen_box(wish: Wish, boxes: Sequence[Offered]) -> Box | None:
    """The box that the form names; none is everybody's."""
    if not wish.box:
        return None
    found = next((one.box for one in boxes if one.key == wish.box), None)
    if found is None:
        raise FormError(Phrase("That box is not there, or something in it is still to be mended; choose another."))
    return found
