"""Settings: keys to sign in with, and the browsers that are signed in."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from samizdat.kernel.telling import Phrase
from samizdat.table import passkeys
from samizdat.table.language import Language, language
from samizdat.table.names import clean_name
from samizdat.table.opening import FormError
from samizdat.table.passwords import SHORTEST_PASSWORD
from samizdat.table.players import Visitor
from samizdat.table.profiles import ago, day
from samizdat.table.routes.asking import accounts, house, pages, sent_form, sessions, stored, visitor
from samizdat.table.routes.signing import prove
from samizdat.table.routes.talking import unwanted
from samizdat.table.store.belonging import has_something

router = APIRouter(include_in_schema=False)

LAST_KEY = Phrase("This is the only key to the account; add another one, a password or the paper key first.")
PHONES = ("Android", "iPhone", "iPad")


@dataclass(frozen=True)
class Device:
    """A passkey or a browser in the list of settings."""

    id: str
    name: str
    made: str
    used: str
    here: bool = False

    @property
    def glyph(self) -> str:
        return "phone" if any(one in self.name for one in PHONES) else "desk"


def _kept(rows: Sequence[Any], name: str, speech: Language, session: str = "") -> list[Device]:
    return [
        Device(row.id, getattr(row, name), day(row.made, speech), ago(row.used, speech), row.id == session)
        for row in rows
    ]


@router.get("/settings")
async def settings_page(request: Request) -> Response:
    return HTMLResponse(await asyncio.to_thread(_settings, request, visitor(request)))


def _settings(request: Request, who: Visitor) -> str:
    known, store, speech = accounts(request), house(request).store, language(who.language)
    account = known.find(who.id) if who.session else None
    return pages(request).render(
        "settings.html.jinja", who, account=account, name=store.player_name(who.id) or "",
        keys=_kept(known.passkeys(who.id), "name", speech), paper=account and account.paper,
        devices=_kept(known.sessions(who.id), "agent", speech, who.session),
        can_passkeys=passkeys.place(request).has_passkeys, shortest=SHORTEST_PASSWORD,
        count=has_something(store, who.guest), back="/settings", **unwanted(request),
    )  # fmt: skip


@router.post("/settings/passkey")
async def change_passkey(request: Request) -> Response:
    """Another name for one, or none any more."""
    who = visitor(request)
    if (away := prove(request)) is not None:
        return away
    form = await sent_form(request)
    id = form.get("id", "")[: passkeys.LONGEST_ID]
    if "remove" not in form:
        await stored(accounts(request).rename_passkey, who.id, id, clean_name(form.get("name"), ""))
    elif not await stored(accounts(request).remove_passkey, who.id, id):
        raise FormError(LAST_KEY)
    return RedirectResponse("/settings", 303)


@router.post("/settings/sign-out")
async def sign_out_elsewhere(request: Request) -> Response:
    """End another browser's session, or those of all others. What is open there goes at once."""
    who = visitor(request)
    if not who.session:
        return RedirectResponse("/sign-in?next=/settings", 303)
    form = await sent_form(request)
    id = form.get("id", "")[:16]
    await stored(lambda: accounts(request).end(who.id, only=id, but=who.session))
    sessions(request).forget()
    house(request).wake(who.id)
    return RedirectResponse("/settings#devices", 303)
