"""What one asks by pointing: about something on a board, what its signs mean, what a rule says."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from samizdat.kernel.game import definitions
from samizdat.kernel.telling import Phrase
from samizdat.table import pointing
from samizdat.table.declined import NoTable
from samizdat.table.routes.asking import house, replays, viewer_at, visitor
from samizdat.table.routes.play import step_at
from samizdat.table.routes.reading import finished
from samizdat.table.viewing import PageView, look

router = APIRouter(include_in_schema=False)

What = Annotated[str, Query(max_length=120)]


@router.get("/table/{id}/about")
async def about(request: Request, id: str, what: What, step: int, seat: int | None = None) -> Response:
    """What something on the board says, as it stood at a step of this viewer's."""
    table = await house(request).find(id)
    who = visitor(request)
    viewer = viewer_at(table, who.id, seat)
    return await _said(look(table, viewer, step_at(table, viewer, step)), what, who.language)


@router.get("/table/{id}/replay/{number}/about")
async def about_then(request: Request, id: str, number: int, what: What, seat: int | None = None) -> Response:
    """The same in a match that is over, through anybody's eyes."""
    table, viewer = await finished(request, id, seat)
    found = await replays(request).of(table)
    seen = found.moments[max(0, min(number, found.last))].steps
    return await _said(look(table, viewer, seen[viewer]), what, visitor(request).language)


async def _said(position: PageView, what: str, code: str) -> Response:
    html = await asyncio.to_thread(pointing.answered, position, what, code)
    return HTMLResponse(html) if html is not None else Response(status_code=204)


@router.get("/table/{id}/legend")
async def legend(request: Request, id: str) -> Response:
    """The signs of a table's game and what they mean."""
    table = await house(request).find(id)
    return HTMLResponse(await asyncio.to_thread(pointing.legend, table.game, visitor(request).language))


@router.get("/rules/{name}/{number}")
async def rule(request: Request, name: str, number: str) -> Response:
    """One rule with its neighbours, to be read beside a board."""
    html = pointing.rule(name, number, visitor(request).language) if name in definitions() else None
    if html is None:
        raise NoTable(Phrase("There is no such rule."))
    return HTMLResponse(html)
