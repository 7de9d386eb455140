"""One's own data: taking it along, taking the name off, deleting; and the tables and seats one has."""

from __future__ import annotations

import time

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from samizdat.kernel.telling import Phrase
from samizdat.table.commands import Revoke
from samizdat.table.declined import NotAllowed, TooMany
from samizdat.table.exporting import archive
from samizdat.table.language import language
from samizdat.table.leaving import DAYS_TO_RETURN, WEEK
from samizdat.table.profiles import day
from samizdat.table.rendering import called
from samizdat.table.routes.asking import (
    accounts,
    house,
    leaving,
    pages,
    seat_at,
    sent_form,
    sessions,
    stored,
    title_of,
    visitor,
    visitors,
)
from samizdat.table.routes.signing import prove
from samizdat.table.sessions import drop

router = APIRouter(include_in_schema=False)

ARCHIVES = 10  # that somebody may take in an hour: each reads every match
HOUR = 3600.0
NOT_OPENER = Phrase("Only whoever opened the table may delete it.")
TOO_MANY_ARCHIVES = Phrase("You have taken your data along several times this hour; come back later.")


@router.get("/settings/data")
async def take_along(request: Request) -> Response:
    """Everything in one archive."""
    who = visitor(request)
    limit = [(visitors(request).sealed(f"archive:{who.id}"), ARCHIVES)]
    if not await stored(accounts(request).may_try, limit, time.time() - HOUR):
        raise TooMany(TOO_MANY_ARCHIVES)
    made = await archive(house(request), accounts(request), who.id)
    headers = {"Content-Disposition": 'attachment; filename="samizdat.zip"'}
    return Response(made, media_type="application/zip", headers=headers)


@router.get("/settings/leave")
async def leave_page(request: Request, name: bool = False) -> Response:
    """Asks once, and says what happens to the others."""
    who = visitor(request)
    return HTMLResponse(
        pages(request).render("leave.html.jinja", who, name_only=name, days=DAYS_TO_RETURN, back="/settings")
    )


@router.post("/settings/name-off")
async def take_name_off(request: Request) -> Response:
    who = visitor(request)
    if who.session and (away := prove(request)) is not None:
        return away
    await leaving(request).take_name_off(who.id)
    sessions(request).forget()
    return RedirectResponse("/settings#data", 303)


@router.post("/settings/delete")
async def delete_all(request: Request) -> Response:
    """An account goes in seven days unless its owner signs in before; a guest, who could not come back, at once."""
    who, response = visitor(request), RedirectResponse("/", 303)
    if not who.session:
        await leaving(request).erase(who.id)
        return response
    if (away := prove(request)) is not None:
        return away
    await leaving(request).hand_over_all(who.id)
    await stored(lambda: accounts(request).change(who.id, leaving=time.time() + WEEK))
    await stored(lambda: accounts(request).end(who.id))
    sessions(request).forget()
    house(request).wake(who.id)
    drop(response, visitors(request).secure(request))
    return response


# --- tables ----------------------------------------------------------------------------------------------


@router.get("/table/{id}/delete")
async def delete_page(request: Request, id: str) -> Response:
    who = visitor(request)
    row = await stored(leaving(request).row, id)
    stays = await stored(leaving(request).stays, id, who.id)
    if row.opened_by != who.id:
        raise NotAllowed(NOT_OPENER)
    return HTMLResponse(
        pages(request).render("delete.html.jinja", who, id=id, row=row, stays=stays, back=f"/table/{id}")
    )


@router.post("/table/{id}/delete")
async def delete_table(request: Request, id: str) -> Response:
    who = visitor(request)
    row = await stored(house(request).store.table, id)
    if row is None or row.opened_by != who.id:
        raise NotAllowed(NOT_OPENER)
    await leaving(request).remove_table(id, who.id)
    return RedirectResponse("/", 303)


# --- the browsers that hold a seat -----------------------------------------------------------------------


@router.get("/table/{id}/browsers")
async def browsers_page(request: Request, id: str) -> Response:
    """Who holds the seats of this browser: its owner may have come from several, or may have given the link away."""
    who, here = visitor(request), house(request)
    table = await here.find(id)
    held = table.held_by(who.id)
    if not held:
        raise NotAllowed("Only the seat's owner may see who holds it.")
    speech = language(who.language)
    others = {}
    for seat in held:
        rows = await stored(accounts(request).holders, sorted(table.chairs[seat].holders - {who.id}))
        others[seat] = [
            (_sealed(request, row.id), called(row.name, who.language), bool(row.account), day(row.made, speech))
            for row in rows
        ]
    return HTMLResponse(
        pages(request).render(
            "browsers.html.jinja", who, table=table, held=held, others=others, title=title_of(table, who),
            back=f"/table/{id}",
        )
    )  # fmt: skip


def _sealed(request: Request, player: str) -> str:
    """By what a form names another browser: what it is called inside is nobody's business."""
    return visitors(request).sealed(f"holder:{player}")


@router.post("/table/{id}/browsers")
async def revoke(request: Request, id: str) -> Response:
    """Another browser holds a seat no longer, or none but this one does; the seat's link is a new one."""
    who, form = visitor(request), await sent_form(request)
    table = await house(request).find(id)
    given = form.get("seat", "")
    seat = seat_at(table, who.id, int(given) if given.isascii() and given.isdigit() and len(given) < 3 else -1)
    gone = form.get("player", "")
    known = {_sealed(request, one): one for one in table.chairs[seat].holders}
    if not gone or gone in known:  # it may have gone already
        await house(request).do(table, Revoke(seat, who.id, known.get(gone, "")))
    return RedirectResponse(f"/table/{id}/browsers", 303)
