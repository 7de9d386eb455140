"""Signing in and out, and becoming an account. Nothing here says whether a name exists."""

from __future__ import annotations

import asyncio
import time
from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel, Field
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from samizdat.kernel.telling import Phrase
from samizdat.table import passkeys
from samizdat.table.declined import NotAllowed, TooMany
from samizdat.table.limits import sender
from samizdat.table.names import clean_name
from samizdat.table.opening import FormError
from samizdat.table.passwords import (
    LONGEST_LOGIN,
    LONGEST_PASSWORD,
    SHORTEST_PASSWORD,
    hashed,
    login_of,
    matches,
    new_paper,
    paper_digest,
    read_paper,
)
from samizdat.table.routes.asking import (
    accounts,
    house,
    inside,
    known_name,
    name_here,
    pages,
    sent_form,
    sessions,
    stored,
    visitor,
    visitors,
)
from samizdat.table.sessions import agent, drop, keep
from samizdat.table.store.belonging import has_something

router = APIRouter(include_in_schema=False)

HOME = "/you"  # where somebody goes who has signed in
WINDOW = 15 * 60.0  # seconds in which tries are counted
TRIES_OF_NAME, TRIES_FROM = 10, 40  # at one name, and from one address
ACCOUNTS_FROM = 20  # new accounts from one address, in the same time
AT_ONCE = asyncio.Semaphore(2)  # a password takes 64 MB and a processor for a moment
WRONG_PASSWORD = Phrase(
    "This name and this password do not belong together. Check both, or use a passkey or the paper key."
)
WRONG_PAPER = Phrase("No account has these words. Eight of them are needed, in their order; four letters of each do.")
TOO_MANY_TRIES = Phrase("That was tried too often; wait a quarter of an hour, or sign in another way.")
SHORT = Phrase(
    "A password has at least {least} characters; a few words in a row are a good one.", {"least": SHORTEST_PASSWORD}
)
HAS_ACCOUNT = Phrase("You are signed in already.")
NOT_SIGNED_IN = Phrase("Sign in first.")


class PasskeyAnswer(BaseModel):
    """What a browser's passkey says."""

    answer: dict[str, Any]
    name: str = Field("", max_length=100)


class PasskeyWish(BaseModel):
    """For whom a passkey is wanted."""

    name: str = Field("", max_length=100)


# --- signing in ------------------------------------------------------------------------------------------


@router.get("/sign-in")
async def sign_in_page(request: Request, next: str = HOME) -> Response:
    who = visitor(request)
    if who.session and who.proved:
        return RedirectResponse(inside(next, HOME), 303)
    return HTMLResponse(await asyncio.to_thread(_sign_in_page, request, next))


def _sign_in_page(request: Request, next: str, login: str = "", wrong: str = "", wrong_words: str = "") -> str:
    who = visitor(request)
    return pages(request).render(
        "sign_in.html.jinja", who, next=inside(next, HOME), login=login, wrong=wrong, wrong_words=wrong_words,
        can_passkeys=passkeys.place(request).has_passkeys, count=has_something(house(request).store, who.guest),
    )  # fmt: skip


@router.post("/sign-in")
async def sign_in(request: Request) -> Response:
    """With a name and a password. Unknown names get the same answer after the same work, and are counted alike."""
    form = await sent_form(request)
    login = form.get("login", "").strip().lower()[:LONGEST_LOGIN]
    password = form.get("password", "")[: LONGEST_PASSWORD + 1]
    next, key = form.get("next", ""), _counted(request, "login", login)
    try:
        await _count(request, (key, TRIES_OF_NAME))
        row = await stored(accounts(request).by_login, login)
        async with AT_ONCE:
            if not await stored(matches, password, row.password if row else None) or row is None:
                raise FormError(WRONG_PASSWORD)
    except (FormError, TooMany) as error:
        return await _refused(request, next, error, login=login)
    await stored(accounts(request).forget_tries, key)
    return await _welcome(request, row.player, next)


@router.post("/sign-in/paper")
async def sign_in_by_paper(request: Request) -> Response:
    """With the eight words alone: they say whose they are."""
    form = await sent_form(request)
    next = form.get("next", "")
    try:
        await _count(request)
        words = read_paper(form.get("words", "")[:400])
        player = await stored(accounts(request).by_paper, paper_digest(words)) if words else None
        if player is None:
            raise FormError(WRONG_PAPER)
    except (FormError, TooMany) as error:
        return await _refused(request, next, error, paper=True)
    return await _welcome(request, player, next)


async def _refused(request: Request, next: str, error: Exception, login: str = "", paper: bool = False) -> Response:
    words = pages(request).explain(error, visitor(request).language)[0]
    told = {"wrong_words": words} if paper else {"wrong": words}
    page = await asyncio.to_thread(lambda: _sign_in_page(request, next, login, **told))
    return HTMLResponse(page, 429 if isinstance(error, TooMany) else 422)


@router.post("/sign-in/passkey/ask")
async def ask_to_sign_in(request: Request) -> Response:
    return await _ask(request, *passkeys.asking_to_sign_in(passkeys.place(request)))


@router.post("/sign-in/passkey")
async def sign_in_by_passkey(request: Request, sent: PasskeyAnswer, next: str = "") -> Response:
    """With a passkey, which says itself whose it is."""
    await _count(request)
    challenge = await _answered(request, sent.answer)
    id = passkeys.id_of(sent.answer)
    known = await stored(accounts(request).passkey, id)
    count = passkeys.signed(sent.answer, challenge, passkeys.place(request), known)
    if known is None or not await stored(accounts(request).used_passkey, id, known.count, count):
        raise passkeys.NoPasskey(passkeys.NOT_FROM_HERE)
    token = await stored(sessions(request).begin, request, known.player)
    response = JSONResponse({"to": inside(next, HOME)})
    keep(response, token, visitors(request).secure(request))
    return response


@router.post("/sign-out")
async def sign_out(request: Request) -> Response:
    who = visitor(request)
    response = RedirectResponse("/", 303)
    if who.session:
        await stored(lambda: accounts(request).end(who.id, only=who.session))
        sessions(request).forget()
        house(request).wake(who.id)
    drop(response, visitors(request).secure(request))
    return response


# --- becoming an account ---------------------------------------------------------------------------------


@router.get("/account")
async def account_page(request: Request) -> Response:
    if visitor(request).session:
        return RedirectResponse("/settings", 303)
    return HTMLResponse(await _account_page(request, await known_name(request)))


async def _account_page(request: Request, name: str, wrong: str = "") -> str:
    who = visitor(request)
    return pages(request).render(
        "account.html.jinja", who, name=name, wrong=wrong, shortest=SHORTEST_PASSWORD,
        can_passkeys=passkeys.place(request).has_passkeys,
        count=await stored(has_something, house(request).store, who.guest),
    )  # fmt: skip


@router.post("/account")
async def open_with_password(request: Request) -> Response:
    """A guest becomes an account with a password."""
    _guest(request)
    form = await sent_form(request)
    name = clean_name(form.get("name"), await name_here(request))
    try:
        password = await _new_password(form.get("password"))
        player = await _open(request, name)
    except (FormError, TooMany) as error:
        words = pages(request).explain(error, visitor(request).language)[0]
        status = 429 if isinstance(error, TooMany) else 422
        return HTMLResponse(await _account_page(request, form.get("name", "")[:100], words), status)
    await stored(accounts(request).set_password, player, login_of(name), password)
    return await _welcome(request, player, "/account/paper")


@router.post("/account/passkey/ask")
async def ask_for_passkey(request: Request, sent: PasskeyWish) -> Response:
    """For a guest who becomes an account, or one more for somebody who has shown lately who they are."""
    who = visitor(request)
    if who.session and not who.proved:
        return JSONResponse({"to": "/sign-in?next=/settings"})
    name = who.name or clean_name(sent.name, await name_here(request))
    known = [row.id for row in await stored(accounts(request).passkeys, who.id)]
    return await _ask(request, *passkeys.asking_for_new(passkeys.place(request), name, known))


@router.post("/account/passkey")
async def take_passkey(request: Request, sent: PasskeyAnswer) -> Response:
    who, here = visitor(request), passkeys.place(request)
    if who.session and not who.proved:
        raise NotAllowed(NOT_SIGNED_IN)
    challenge = await _answered(request, sent.answer)
    made = passkeys.made(sent.answer, challenge, here)
    if await stored(accounts(request).passkey, made.id) is not None:
        raise passkeys.NoPasskey(passkeys.NOT_FROM_HERE)
    player = who.id if who.session else await _open(request, clean_name(sent.name, await name_here(request)))
    values = {"id": made.id, "key": made.key, "count": made.count, "site": here.site, "name": agent(request)}
    if not await stored(lambda: accounts(request).add_passkey(player, **values)):
        raise passkeys.NoPasskey(passkeys.NOT_FROM_HERE)
    if who.session:
        return JSONResponse({"to": "/settings"})
    token = await stored(sessions(request).begin, request, player)
    response = JSONResponse({"to": "/account/paper"})
    keep(response, token, visitors(request).secure(request))
    return response


@router.post("/account/password")
async def change_password(request: Request) -> Response:
    who = visitor(request)
    if (away := prove(request)) is not None:
        return away
    form = await sent_form(request)
    password = await _new_password(form.get("password"))
    await stored(accounts(request).set_password, who.id, login_of(who.name), password)
    return RedirectResponse("/settings", 303)


@router.get("/account/paper")
async def paper_page(request: Request) -> Response:
    return prove(request, "/account/paper") or HTMLResponse(await _paper_page(request, ()))


@router.post("/account/paper")
async def make_paper(request: Request) -> Response:
    """Eight new words, shown once: only their hash is kept, and the old ones are worth nothing any more."""
    who = visitor(request)
    if (away := prove(request, "/account/paper")) is not None:
        return away
    words = new_paper()
    values = {"paper": paper_digest(words), "paper_made": time.time()}
    await stored(lambda: accounts(request).change(who.id, **values))
    return HTMLResponse(await _paper_page(request, words))


async def _paper_page(request: Request, words: tuple[str, ...]) -> str:
    who = visitor(request)
    row = await stored(accounts(request).find, who.id)
    return pages(request).render(
        "paper.html.jinja", who, words=words, known=bool(row and row.paper), back="/settings"
    )


@router.post("/account/bring")
async def bring_along(request: Request) -> Response:
    """What this browser has as a guest becomes the account's; its owner has to say so, as others may have used it."""
    who = visitor(request)
    if not who.session:
        raise NotAllowed(NOT_SIGNED_IN)
    await house(request).come_along(who.guest, who.id)
    return RedirectResponse("/settings", 303)


# --- what all of them need -------------------------------------------------------------------------------


def _guest(request: Request) -> None:
    if visitor(request).session:
        raise NotAllowed(HAS_ACCOUNT)


def prove(request: Request, next: str = "/settings") -> Response | None:
    """Where somebody is sent who has to sign in first, or has not lately shown that it is them."""
    who = visitor(request)
    return None if who.session and who.proved else RedirectResponse(f"/sign-in?next={next}", 303)


async def _open(request: Request, name: str) -> str:
    """A new account with everything that this guest has: the cookie of the guest is worth nothing for it."""
    where = sender(request)
    await _count(request, *([(_counted(request, "account", where), ACCOUNTS_FROM)] if where else ()))
    player = await stored(accounts(request).open, name)
    await house(request).come_along(visitor(request).guest, player)
    return player


async def _new_password(given: object) -> str:
    password = given if isinstance(given, str) else ""
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        raise FormError(SHORT)
    async with AT_ONCE:
        return await stored(hashed, password)


async def _welcome(request: Request, player: str, next: str) -> Response:
    token = await stored(sessions(request).begin, request, player)
    response = RedirectResponse(inside(next, HOME), 303)
    keep(response, token, visitors(request).secure(request))
    return response


async def _ask(request: Request, challenge: str, options: Any) -> Response:
    until = time.time() + 60 * passkeys.MINUTES_TO_ANSWER
    await stored(accounts(request).ask, challenge, visitor(request).guest, until)
    return JSONResponse({"ask": options})


async def _answered(request: Request, answer: Any) -> str:
    challenge = passkeys.challenge_of(answer)
    if not await stored(accounts(request).answered, challenge, visitor(request).guest):
        raise passkeys.NoPasskey(passkeys.NOT_FROM_HERE)
    return challenge


def _counted(request: Request, kind: str, value: str) -> str:
    return visitors(request).sealed(f"{kind}:{value}")


async def _count(request: Request, *limits: tuple[str, int]) -> None:
    """One more try; TooMany if there were enough. This machine itself is not counted, as everywhere."""
    where = sender(request)
    wanted = [*limits, *([(_counted(request, "from", where), TRIES_FROM)] if where else ())]
    if not await stored(accounts(request).may_try, wanted, time.time() - WINDOW):
        raise TooMany(TOO_MANY_TRIES)
