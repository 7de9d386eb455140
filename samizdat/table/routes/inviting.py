"""What is read beside a link before it is opened: words for every page of a table, and a picture."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from samizdat.table.invitations import LinkPreview, link_preview
from samizdat.table.language import LANGUAGES
from samizdat.table.link_pictures import picture
from samizdat.table.routes.asking import house, stored, visitor
from samizdat.table.tables import LiveTable

router = APIRouter(include_in_schema=False)

HOUR = 3600  # seconds that a picture may be kept; what changes it changes its address


@dataclass(frozen=True)
class Linked:
    """A link preview, and where its picture is found."""

    words: LinkPreview
    picture: str


async def linked(request: Request, table: LiveTable, code: str = "") -> Linked:
    """What messengers may tell of a table, in the language of the page that they read."""
    code = code or visitor(request).language
    host = await stored(house(request).store.player_name, table.opened_by) or ""
    words = link_preview(table, host, code)
    base = str(request.base_url).rstrip("/")
    return Linked(words, f"{base}/table/{table.id}/picture.png?lang={code}&v={words.version}")


@router.get("/table/{id}/picture.png")
async def link_picture(request: Request, id: str, lang: str = "", v: str = "") -> Response:
    """The picture itself, as the table is now; an address with an older version leads to the present one."""
    table = await house(request).find(id)
    code = lang if lang in LANGUAGES else visitor(request).language
    found = await linked(request, table, code)
    if v != found.words.version:
        return RedirectResponse(found.picture.removeprefix(str(request.base_url).rstrip("/")), 302)
    png = await asyncio.to_thread(picture, found.words)
    return Response(png, media_type="image/png", headers={"Cache-Control": f"public, max-age={HOUR}"})
