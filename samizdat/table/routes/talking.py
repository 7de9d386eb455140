"""Talk at a table: lines, stamps, what can be done about a line, and what somebody does not want to read."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from samizdat.kernel.telling import Phrase
from samizdat.table.declined import NotAllowed
from samizdat.table.hearing import Ear, Listener, panel
from samizdat.table.names import clean_name
from samizdat.table.rendering import environment, sentence
from samizdat.table.reports import file_report
from samizdat.table.routes.asking import (
    house,
    known_name,
    name_here,
    pages,
    remember,
    sent_form,
    stored,
    viewer_at,
    visitor,
    visitors,
)
from samizdat.table.saying import NO_SUCH_LINE, NOT_YOUR_SHEET, Say, Stamp
from samizdat.table.seats import Viewer
from samizdat.table.store.talk import BLOCKED, MUTED, blocks_any, keep_off, keep_words, kept_off, wishes
from samizdat.table.tables import LiveTable
from samizdat.table.talk import Saying, clean_words, pair

router = APIRouter(include_in_schema=False)

NOT_FROM_YOU = Phrase("This seat takes no private words from you.")
NOT_YOURSELF = Phrase("That is your own line.")
MOST_WORDS, LONGEST_WORD = 50, 40  # that somebody mutes
ACTS = {"mute": (MUTED, True), "unmute": (MUTED, False), "block": (BLOCKED, True), "unblock": (BLOCKED, False)}


async def reader_at(request: Request, viewer: Viewer) -> Listener:
    """Whoever asks, as a reader of talk."""
    who = visitor(request)
    return Listener(who.id, viewer, who.language, await stored(wishes, house(request).store, who.id))


async def panel_of(request: Request, table: LiveTable, viewer: Viewer) -> dict[str, Any]:
    """What the panel of a page is drawn from. Whoever has no name yet is asked for one."""
    reader = await reader_at(request, viewer)
    name = await known_name(request)
    return panel(table, reader, "" if name == sentence(Phrase("Player"), reader.code) else name)


def _number(given: object) -> int:
    return int(given) if isinstance(given, str) and given.isascii() and given.isdigit() and len(given) < 9 else -1


async def _asked(request: Request, id: str) -> tuple[Any, LiveTable, Viewer]:
    """A form that was sent to a table, and through whose eyes its sender looks on."""
    form = await sent_form(request)
    table = await house(request).find(id)
    seat = form.get("seat")
    return form, table, viewer_at(table, visitor(request).id, None if seat is None else _number(seat))


def _done(request: Request, table: LiveTable, viewer: Viewer) -> Response:
    """Back to the page for a browser without script; nothing but that it was done for one with it."""
    if "text/html" not in request.headers.get("accept", ""):
        return JSONResponse({})
    seat = "" if viewer is None else f"seat={viewer}&"
    return RedirectResponse(f"/table/{table.id}?{seat}still=true#talk", 303)


@router.get("/table/{id}/talk")
async def talk_panel(request: Request, id: str, seat: int | None = None) -> Response:
    """The panel alone, as its reader wants it now."""
    table = await house(request).find(id)
    viewer = viewer_at(table, visitor(request).id, seat)
    macros: Any = environment(visitor(request).language).get_template("talk.html.jinja").module
    return HTMLResponse(str(macros.panel(await panel_of(request, table, viewer))))


@router.post("/table/{id}/talk")
async def say(request: Request, id: str) -> Response:
    """A line on a sheet."""
    form, table, viewer = await _asked(request, id)
    who, sheet = visitor(request), form.get("sheet", "")
    if sheet not in table.sheets(viewer):
        raise NotAllowed(NOT_YOUR_SHEET)
    for seat in pair(sheet) or ():
        others = sorted(table.chairs[seat].holders)
        if seat != viewer and await stored(blocks_any, house(request).store, others, who.id):
            raise NotAllowed(NOT_FROM_YOU)
    if viewer is None:
        name = clean_name(form.get("name"), await name_here(request))
        await remember(request, name)
    else:
        name = table.chairs[viewer].name
    await house(request).do(table, Say(sheet, viewer, who.id, name, form.get("words", "")))
    return _done(request, table, viewer)


@router.post("/table/{id}/stamp")
async def stamp(request: Request, id: str) -> Response:
    """A stamp on a line, or off it."""
    form, table, viewer = await _asked(request, id)
    sheet, n, what = form.get("sheet", ""), _number(form.get("n")), form.get("stamp", "")
    command = Stamp(sheet, viewer, visitor(request).id, n, what)
    command.decide(table)  # whoever is refused is not remembered, either
    await remember(request, await name_here(request))
    await house(request).do(table, command)
    return _done(request, table, viewer)


# --- about one line --------------------------------------------------------------------------------------


def _line(ear: Ear, sheet: str, n: int) -> Saying:
    """A line that its reader may read."""
    here = ear.table.said(ear.reader.viewer, sheet) if sheet in ear.sheets else []
    found = next((line for line in here if line.n == n), None)
    if found is None:
        raise NotAllowed(NO_SUCH_LINE)
    return found


@router.get("/table/{id}/talk/{sheet}/{n}")
async def line_page(
    request: Request, id: str, sheet: str, n: int, seat: int | None = None, part: bool = False
) -> Response:
    """What can be done about a line: a page, or the part of it that a dialog shows."""
    who, table = visitor(request), await house(request).find(id)
    viewer = viewer_at(table, who.id, seat)
    reader = await reader_at(request, viewer)
    ear = Ear(table, reader)
    line = _line(ear, sheet, n)
    state = {"muted": line.player in reader.wishes.muted, "blocked": line.player in reader.wishes.blocked}
    shown = {"t": panel(table, reader, ""), "one": ear.view(line), "state": state}
    if part:
        macros: Any = environment(who.language).get_template("talk.html.jinja").module
        return HTMLResponse(str(macros.tools(**shown)))
    return HTMLResponse(pages(request).render("line.html.jinja", who, game=table.game.name, **shown))


@router.post("/table/{id}/line")
async def about_line(request: Request, id: str) -> Response:
    """Mute or block who said something, or report it to the host."""
    form, table, viewer = await _asked(request, id)
    who, store = visitor(request), house(request).store
    ear = Ear(table, await reader_at(request, viewer))
    line = _line(ear, form.get("sheet", ""), _number(form.get("n")))
    if line.player == who.id:
        raise NotAllowed(NOT_YOURSELF)
    await remember(request, await name_here(request))
    act = form.get("act", "")
    if act == "report":
        await stored(file_report, store, ear, line, clean_words(form.get("why")))
    elif act in ACTS:
        await stored(keep_off, store, who.id, line.player, *ACTS[act])
    return _done(request, table, viewer)


# --- settings --------------------------------------------------------------------------------------------


def unwanted(request: Request) -> dict[str, Any]:
    """What settings list of it; other people by what a form may name them by."""
    store, who = house(request).store, visitor(request)
    people = [
        (kind, _sealed(request, kind, other), name)
        for kind, those in kept_off(store, who.id).items()
        for other, name in those
    ]
    return {"unwanted": people, "muted_words": wishes(store, who.id).words}


def _sealed(request: Request, kind: str, player: str) -> str:
    return visitors(request).sealed(f"{kind}:{player}")


@router.post("/settings/talk")
async def change_wishes(request: Request) -> Response:
    """Other words to mute; or somebody is read, or let in, again."""
    form, who, store = await sent_form(request), visitor(request), house(request).store
    if (given := form.get("words")) is not None:
        words = dict.fromkeys(clean_words(word)[:LONGEST_WORD] for word in given.split(","))
        await remember(request, await name_here(request))
        await stored(keep_words, store, who.id, [word for word in words if word][:MOST_WORDS])
    again = form.get("again", "")
    for kind, those in (await stored(kept_off, store, who.id)).items():
        for other, _ in those:
            if _sealed(request, kind, other) == again:
                await stored(keep_off, store, who.id, other, kind, False)
    return RedirectResponse("/settings#talk", 303)
