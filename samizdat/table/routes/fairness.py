"""Fair luck: what it proves, and a page that checks a match, also from disk and without this server."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from samizdat.table.routes.asking import pages, visitor
from samizdat.table.scripts import STATIC, carried

router = APIRouter(include_in_schema=False)

SAVED = "samizdat-check.html"


@router.get("/fair")
async def fair(request: Request) -> Response:
    """What fair luck is, and whether a match had it."""
    return HTMLResponse(pages(request).render("fair.html.jinja", visitor(request)))


@router.get(f"/fair/{SAVED}")
async def fair_file(request: Request) -> Response:
    """The same check as a file that needs nothing else."""
    who = visitor(request)

    def write() -> str:
        style = (STATIC / "tokens.css").read_text(encoding="utf-8")
        return carried(pages(request).render("fair_file.html.jinja", who, style=style))

    headers = {"Content-Disposition": f'attachment; filename="{SAVED}"'}
    return HTMLResponse(await asyncio.to_thread(write), headers=headers)
