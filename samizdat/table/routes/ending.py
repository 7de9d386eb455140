"""Leaving a match, coming back to it, and ending it."""

from __future__ import annotations

import random

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from samizdat.bots import offered
from samizdat.table.consent import AnswerBack, AskBack
from samizdat.table.ending import GoOn, HandOver, Return, Vote
from samizdat.table.opening import BOT_NAMES, USUAL_LEVEL
from samizdat.table.page_parts import parts
from samizdat.table.routes.asking import house, pages, seat_at, sent_form, title_of, visitor
from samizdat.table.tables import LiveTable
from samizdat.table.viewing import look

router = APIRouter(include_in_schema=False)

STAND_IN = "regular"  # who plays on for somebody


def stand_in(table: LiveTable) -> tuple[str, str]:
    """A bot to play on: its name, and how strong it is."""
    free = [name for name in BOT_NAMES if name not in table.names]
    return random.SystemRandom().choice(free), STAND_IN if STAND_IN in offered() else USUAL_LEVEL


def _number(given: object) -> int:
    return int(given) if isinstance(given, str) and given.isascii() and given.isdigit() and len(given) < 3 else -1


@router.get("/table/{id}/leave")
async def ways(request: Request, id: str, seat: int) -> Response:
    """The ways to leave, as a page of its own."""
    who, table = visitor(request), await house(request).find(id)
    seat_at(table, who.id, seat)
    if table.match is None or table.over:
        return RedirectResponse(f"/table/{id}", 303)
    shown = parts(look(table, seat), who.language, wanted=("votes", "back"))
    return HTMLResponse(
        pages(request).render(
            "ways.html.jinja", who, game=table.game.name, title=title_of(table, who), table=table, seat=seat,
            parts=shown,
        )
    )  # fmt: skip


@router.post("/table/{id}/leave")
async def leave(request: Request, id: str) -> Response:
    """Hand a seat to a bot, give it up, agree to end or not, or let a match go on though somebody is late."""
    form, who, here = await sent_form(request), visitor(request), house(request)
    table = await here.find(id)
    seat = seat_at(table, who.id, _number(form.get("seat")))
    way = form.get("way", "")
    if way in ("bot", "resign"):
        await here.do(table, HandOver(seat, who.id, *stand_in(table), resign=way == "resign"))
        return RedirectResponse(f"/table/{id}", 303)
    if way in ("agree", "refuse"):
        await here.do(table, Vote(who.id, way == "agree"))
    if way == "go-on":
        for late in sorted(table.late):
            await here.do(table, GoOn(late, who.id))
    return RedirectResponse(f"/table/{id}?seat={seat}", 303)


@router.post("/table/{id}/back")
async def take_back(request: Request, id: str) -> Response:
    """Ask for the last decision of a seat back, or answer to somebody who does."""
    form, who, here = await sent_form(request), visitor(request), house(request)
    table = await here.find(id)
    seat = seat_at(table, who.id, _number(form.get("seat")))
    way = form.get("way", "")
    if way == "ask":
        await here.do(table, AskBack(seat, who.id))
    elif way in ("agree", "refuse"):
        await here.do(table, AnswerBack(who.id, form.get("plea", ""), way == "agree"))
    return RedirectResponse(f"/table/{id}?seat={seat}", 303)


@router.post("/table/{id}/return")
async def come_back(request: Request, id: str) -> Response:
    """Have a seat back that one has handed to a bot."""
    form, who, here = await sent_form(request), visitor(request), house(request)
    table = await here.find(id)
    seat = _number(form.get("seat"))
    if not 0 <= seat < table.game.players:
        return RedirectResponse(f"/table/{id}", 303)
    await here.do(table, Return(seat, who.id))
    return RedirectResponse(f"/table/{id}?seat={seat}", 303)
