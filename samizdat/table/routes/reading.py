"""What one reads: the rules of each game, and finished matches."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from samizdat.kernel.game import definitions
from samizdat.table.house import NoTable
from samizdat.table.routes.asking import pages, visitor
from samizdat.table.rulebooks import rulebook

router = APIRouter(include_in_schema=False)


@router.get("/rules/{name}")
async def rules(request: Request, name: str) -> Response:
    """A game's numbered rules and rulings, in our own words; each number is an anchor."""
    if name not in definitions():
        raise NoTable("There is no such game.")
    return HTMLResponse(
        pages(request).render(
            "rules.html.jinja", visitor(request), definition=definitions()[name], book=rulebook(name, "en")
        )
    )
