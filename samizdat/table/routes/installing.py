"""The table as an app on a phone or desk: its manifest, its service worker, and what it says without a network."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, Response

from samizdat.kernel.telling import Phrase
from samizdat.table.rendering import sentence
from samizdat.table.routes.asking import pages, visitor
from samizdat.table.scripts import STATIC, fingerprint

router = APIRouter(include_in_schema=False)

ABOUT = Phrase("A table for printed games: with friends by link, at one screen, or against bots.")
ICONS = (("icon-192.png", "192x192", "any"), ("icon-512.png", "512x512", "any"),
         ("icon-maskable.png", "512x512", "maskable"))  # fmt: skip
PAPER, INK = "#EFE9DC", "#1C1B20"


@router.get("/manifest.webmanifest")
async def manifest(request: Request) -> Response:
    """What a phone is told that is to keep the table as an app."""
    code = visitor(request).language
    icons = [
        {"src": f"/static/{name}?{fingerprint()}", "sizes": sizes, "type": "image/png", "purpose": purpose}
        for name, sizes, purpose in ICONS
    ]
    told = {
        "name": "Samizdat", "short_name": "Samizdat", "description": sentence(ABOUT, code), "lang": code, "id": "/",
        "start_url": "/", "scope": "/", "display": "standalone", "background_color": PAPER, "theme_color": INK,
        "icons": icons, "categories": ["games"],
    }  # fmt: skip
    headers = {"Cache-Control": "no-cache", "Vary": "Accept-Language, Cookie"}
    return JSONResponse(told, headers=headers, media_type="application/manifest+json")


@router.get("/service-worker.js")
async def service_worker() -> Response:
    """At the root, since a worker serves only what lies beneath it."""
    return FileResponse(
        STATIC / "service-worker.js", media_type="text/javascript", headers={"Cache-Control": "no-cache"}
    )


@router.get("/offline")
async def offline(request: Request) -> Response:
    """What the service worker shows where it has kept no page. Nobody's: it names no person and no table."""
    return HTMLResponse(pages(request).render("offline.html.jinja", visitor(request), back="/"))
