"""The host's page: for browsers that came by a link which `samizdat admin host-link` made. To everybody else there is
no such page, whatever is asked of it."""

from __future__ import annotations

import logging
import time

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from samizdat.kernel.telling import Phrase
from samizdat.table import freezing, host_page
from samizdat.table.backing import Backing
from samizdat.table.host import Host
from samizdat.table.opening import FormError
from samizdat.table.reports import close_report, list_reports
from samizdat.table.retention import WHAT, keep_for
from samizdat.table.routes.asking import house, pages, sent_form, stored, visitor, visitors
from samizdat.table.sessions import agent
from samizdat.table.store import barring, hosts

router = APIRouter(include_in_schema=False)
log = logging.getLogger("samizdat.host")

COOKIE, PATH = "samizdat-host", "/host"
MOST_PAGES = 1000
LONGEST_KEPT = 3650  # days
HOUR, DAY = 3600.0, 24 * 3600.0
SPANS = {"hour": HOUR, "day": DAY, "week": 7 * DAY, "month": 30 * DAY, "ever": None}
METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
NOBODY = Phrase("That is no address, no network and no name to sign in with.")
YOURSELF = Phrase("That would keep you out yourself.")
NO_DAYS = Phrase("Write whole days, from 0 to {most}; 0 is for ever.", {"most": LONGEST_KEPT})
NO_MORE = Phrase("A backup is being made already, or there is no folder for one.")


async def _host(request: Request) -> str:
    """What the host's browser carries; whoever has nothing of the kind finds no page."""
    token = request.cookies.get(COOKIE, "")
    if not await stored(hosts.is_host, house(request).store, token):
        raise HTTPException(404)
    return token


def _back(anchor: str = "") -> Response:
    return RedirectResponse(f"{PATH}#{anchor}" if anchor else PATH, 303)


def _number(given: str, most: int) -> int | None:
    return int(given) if given.isascii() and given.isdigit() and len(given) < 8 and int(given) <= most else None


# --- coming in, and going --------------------------------------------------------------------------------


@router.get("/host/enter/{secret}")
async def enter_page(request: Request, secret: str) -> Response:
    """Asks once: what only looks at links, to show what is behind them, must not use them up."""
    if not await stored(hosts.is_link, house(request).store, secret):
        raise HTTPException(404)
    return HTMLResponse(pages(request).render("host_enter.html.jinja", visitor(request), secret=secret, back="/"))


@router.post("/host/enter/{secret}")
async def enter(request: Request, secret: str) -> Response:
    token = await stored(hosts.enter, house(request).store, secret, agent(request))
    if token is None:
        raise HTTPException(404)
    log.info("a browser came in as the host's")
    response = _back()
    response.set_cookie(
        COOKIE, token, max_age=int(hosts.LASTS), path=PATH, httponly=True, samesite="strict",
        secure=visitors(request).secure(request),
    )  # fmt: skip
    return response


@router.post("/host/leave")
async def leave(request: Request) -> Response:
    """This browser, or all others, may see the page no longer."""
    token, form = await _host(request), await sent_form(request)
    others = form.get("who") == "others"
    await stored(hosts.leave, house(request).store, token, others)
    log.info("browsers are the host's no longer")
    response = _back("browsers") if others else RedirectResponse("/", 303)
    if not others:
        response.delete_cookie(COOKIE, path=PATH, httponly=True, samesite="strict")
    return response


# --- the page --------------------------------------------------------------------------------------------


@router.get("/host")
async def page(request: Request, tables: str = "0") -> Response:
    await _host(request)
    who, number = visitor(request), _number(tables, MOST_PAGES) or 0
    shown = await stored(host_page.read, house(request), _backing(request), who.language, number)
    for one in shown["kept_out"]:
        shown.setdefault("sealed", {})[one.whom] = _sealed(request, one.whom)
    return HTMLResponse(pages(request).render("host.html.jinja", who, spans=list(SPANS), **shown))


@router.post("/host/freeze")
async def freeze(request: Request) -> Response:
    await _host(request)
    form = await sent_form(request)
    await freezing.freeze(house(request), form.get("table", ""), " ".join(form.get("why", "").split()))
    log.info("a table was frozen")
    return _back("tables")


@router.post("/host/thaw")
async def thaw(request: Request) -> Response:
    await _host(request)
    if await freezing.thaw(house(request), (await sent_form(request)).get("table", "")):
        log.info("a table goes on")
    return _back("tables")


@router.post("/host/reports")
async def settle(request: Request) -> Response:
    """A report was read; whoever it is about may be kept out for a while."""
    await _host(request)
    form, here = await sent_form(request), house(request)
    known = {one.id: one for one in await stored(list_reports, here.store)}
    report = known.get(form.get("report", ""))
    if report is not None:
        if (span := form.get("span", "")) in SPANS:
            await _keep_out(request, report.about_player, span, form.get("why", ""))
        await stored(close_report, here.store, report.id)
        log.info("a report was settled")
    return _back("reports")


@router.post("/host/bans")
async def keep_out(request: Request) -> Response:
    await _host(request)
    form = await sent_form(request)
    try:
        whom = await stored(barring.whom, house(request).store, form.get("whom", "").strip())
    except barring.HostError:
        raise FormError(NOBODY) from None
    await _keep_out(request, whom, form.get("span", ""), form.get("why", ""))
    return _back("kept-out")


@router.post("/host/let-in")
async def let_in(request: Request) -> Response:
    await _host(request)
    form, store = await sent_form(request), house(request).store
    for row in await stored(barring.banned, store, time.time()):
        if _sealed(request, row.whom) == form.get("whom", ""):
            await stored(barring.unban, store, row.whom)
            log.info("somebody is let in again")
    await stored(_host_said(request).read)
    return _back("kept-out")


@router.post("/host/keeping")
async def keep(request: Request) -> Response:
    await _host(request)
    form = await sent_form(request)
    days = {what: _number(form.get(what, ""), LONGEST_KEPT) for what in WHAT}
    if None in days.values():
        raise FormError(NO_DAYS)
    await stored(keep_for, house(request).store, {what: float(n or 0) for what, n in days.items()})
    log.info("it was said for how long things are kept")
    return _back("keeping")


@router.post("/host/backup")
async def back_up(request: Request) -> Response:
    await _host(request)
    if not _backing(request).begin():
        raise FormError(NO_MORE)
    return _back("backups")


@router.api_route("/host", methods=METHODS)
@router.api_route("/host/{rest:path}", methods=METHODS)
async def nothing(request: Request) -> Response:
    """To whoever asks in another way: not even that it cannot be done like this."""
    raise HTTPException(404)


# --- what these have in common ---------------------------------------------------------------------------


def _backing(request: Request) -> Backing:
    found: Backing = request.app.state.backing
    return found


def _host_said(request: Request) -> Host:
    found: Host = request.app.state.host
    return found


def _sealed(request: Request, whom: str) -> str:
    """By what a form names somebody who is kept out: what they are called inside is nobody's business."""
    return visitors(request).sealed(f"ban:{whom}")


async def _keep_out(request: Request, whom: str, span: str, why: str) -> None:
    """For a while or for ever; known here at once, and elsewhere in some seconds."""
    store, here = house(request).store, request.client.host if request.client else ""
    seconds = SPANS.get(span, DAY)
    until = None if seconds is None else time.time() + seconds
    if whom == visitor(request).id or Host.includes(whom, here):
        raise FormError(YOURSELF)
    await stored(barring.ban, store, whom, until, " ".join(why.split()))
    await stored(_host_said(request).read)
    log.info("somebody is kept out")
