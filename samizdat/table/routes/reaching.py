"""How somebody is reached who is not at the table: ways, quiet hours, holidays, the calendar, and one switch."""

from __future__ import annotations

import asyncio
import json
import re
import secrets
import time
from datetime import UTC, date, datetime, timedelta
from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel, Field
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from samizdat.kernel.telling import Phrase
from samizdat.table.calendars import Deadline, calendar
from samizdat.table.cards import cards
from samizdat.table.declined import NoTable, TooMany
from samizdat.table.language import language
from samizdat.table.opening import FormError
from samizdat.table.outgoing import Unreachable, check_url
from samizdat.table.postman import Postman
from samizdat.table.profiles import ago
from samizdat.table.quiet import HOLIDAYS_A_YEAR, LONGEST_AHEAD, days_taken, today, zones
from samizdat.table.rendering import sentence
from samizdat.table.routes.asking import accounts, house, pages, sent_form, stored, visitor, visitors
from samizdat.table.sessions import agent
from samizdat.table.store.holidays import add_holiday, end_holiday, holidays_of
from samizdat.table.store.messages import CONFIRM, HOOK, MAIL, PUSH, TRIAL, Outbox
from samizdat.table.transports import public_key

router = APIRouter(include_in_schema=False)

MAIL_ADDRESS = re.compile(r"[\w.+%-]{1,64}@[\w-]{1,63}(\.[\w-]{1,63}){0,8}", re.ASCII)
TIME = re.compile(r"([01]\d|2[0-3]):([0-5]\d)")
HOUR = 3600.0
LETTERS_AN_HOUR, TRIALS_AN_HOUR = 5, 20
PLACE = "/settings/notices"
NO_MAIL = Phrase("This host sends no letters; choose another way.")
NO_ADDRESS = Phrase("This is not an address for letters.")
TOO_OFTEN = Phrase("That was asked for several times this hour; come back later.")
ENOUGH = Phrase("You have as many ways to be reached as one may; remove one first.")
NO_LINK = Phrase("This link is over: the address was removed, or confirmed from elsewhere.")
NO_HOURS = Phrase("Quiet hours begin and end at a time of day, such as 23:00 and 07:00; leave both empty for none.")
NO_ZONE = Phrase("There is no such time zone; choose one of the list.")
NO_DAYS = Phrase("Holidays have a first and a last day, from today on.")
TOO_LONG = Phrase("You can take {days} days a year off; that would be {wanted}.")
OVERLAP = Phrase("You are away on some of these days already.")
NO_BROWSER = Phrase("This browser cannot be reached by the push service it named.")


class Keys(BaseModel):
    """What a browser gives to whoever may write to it."""

    p256dh: str = Field(max_length=120)
    auth: str = Field(max_length=60)


class Subscription(BaseModel):
    """A browser that wants to be told."""

    endpoint: str = Field(max_length=1000)
    keys: Keys


def outbox(request: Request) -> Outbox:
    return postman(request).outbox


def postman(request: Request) -> Postman:
    found: Postman = request.app.state.postman
    return found


def _first(request: Request) -> dict[str, Any]:
    """How somebody is reached who has said nothing yet."""
    base = str(request.base_url).rstrip("/")[:200]
    return {"stopped": False, "language": visitor(request).language, "zone": "UTC", "base": base}


async def _known(request: Request, **values: Any) -> None:
    """Somebody says something about being reached; in which language, and where they found the house, is kept up."""
    first = _first(request)
    kept = {"language": first["language"], "base": first["base"]}
    await stored(lambda: outbox(request).set_reach(visitor(request).id, first, **kept, **values))


def _done() -> Response:
    return RedirectResponse(PLACE, 303)


async def _limit(request: Request, what: str, most: int, *more: tuple[str, int]) -> None:
    limits = [(f"{what}:{visitor(request).id}", most), *more]
    sealed = [(visitors(request).sealed(key), count) for key, count in limits]
    if not await stored(accounts(request).may_try, sealed, time.time() - HOUR):
        raise TooMany(TOO_OFTEN)


# --- the page --------------------------------------------------------------------------------------------


@router.get(PLACE)
async def notices_page(request: Request) -> Response:
    return HTMLResponse(await asyncio.to_thread(_page, request))


def _page(request: Request, wrong: str = "", where: str = "") -> str:
    who, box, settings = visitor(request), outbox(request), request.app.state.settings
    speech = language(who.language)
    reach = box.reach(who.id)
    zone = reach.zone if reach else "UTC"
    away, now = holidays_of(house(request).store, who.id), today(zone, time.time())
    return pages(request).render(
        "notices.html.jinja", who, reach=reach, zone=zone, zones=zones(), wrong=wrong, where=where,
        ways=[(row, ago(row.failed, speech) if row.failed else "") for row in box.ways(who.id)],
        mails=bool(settings.smtp and settings.mail_from), push_key=public_key(postman(request).vapid()),
        away=[(first, last, speech.day(first), speech.day(last)) for first, last in away if last >= now],
        days_left=HOLIDAYS_A_YEAR - days_taken(away, now.year), most_days=HOLIDAYS_A_YEAR, today=now.isoformat(),
        clock=lambda minutes: "" if minutes is None else f"{minutes // 60:02}:{minutes % 60:02}",
        base=str(request.base_url).rstrip("/"), back=PLACE,
    )  # fmt: skip


async def _refused(request: Request, error: Exception, where: str) -> Response:
    words = pages(request).explain(error, visitor(request).language)[0]
    return HTMLResponse(await asyncio.to_thread(_page, request, words, where), 422)


# --- ways ------------------------------------------------------------------------------------------------


@router.post(f"{PLACE}/push")
async def add_browser(request: Request, wanted: Subscription) -> Response:
    """This browser, through the push service of whoever made it."""
    who = visitor(request)
    try:
        check_url(wanted.endpoint, request.app.state.settings.private_hooks)
    except Unreachable:
        return JSONResponse({"error": sentence(NO_BROWSER, who.language)}, 422)
    await _known(request)
    keys = json.dumps(wanted.keys.model_dump())
    label = agent(request)
    way = await stored(outbox(request).add_way, who.id, PUSH, wanted.endpoint, keys, label, True)
    if way is None:
        return JSONResponse({"error": sentence(ENOUGH, who.language)}, 409)
    return JSONResponse({"way": way})


@router.post(f"{PLACE}/mail")
async def add_mail(request: Request) -> Response:
    """An address for letters; nothing but one question is sent before it is confirmed."""
    who, settings, form = visitor(request), request.app.state.settings, await sent_form(request)
    address = str(form.get("address") or "").strip()
    try:
        if not (settings.smtp and settings.mail_from):
            raise FormError(NO_MAIL)
        if not MAIL_ADDRESS.fullmatch(address):
            raise FormError(NO_ADDRESS)
        await _limit(request, "letter", LETTERS_AN_HOUR, (f"letter-to:{address.lower()}", LETTERS_AN_HOUR))
        await _known(request)
        way = await stored(
            outbox(request).add_way, who.id, MAIL, address, secrets.token_urlsafe(24), "", False
        )  # fmt: skip
        if way is None:
            raise FormError(ENOUGH)
    except (FormError, TooMany) as error:
        return await _refused(request, error, MAIL)
    await stored(outbox(request).ask, who.id, way, CONFIRM)
    return _done()


@router.post(f"{PLACE}/hook")
async def add_hook(request: Request) -> Response:
    """A server of one's own, which is sent a signed message."""
    who, form = visitor(request), await sent_form(request)
    url = str(form.get("url") or "").strip()
    try:
        check_url(url, request.app.state.settings.private_hooks)
        await _known(request)
        way = await stored(outbox(request).add_way, who.id, HOOK, url, secrets.token_urlsafe(32), "", True)
        if way is None:
            raise FormError(ENOUGH)
    except (FormError, Unreachable) as error:
        return await _refused(request, error, HOOK)
    return _done()


@router.post(f"{PLACE}/way")
async def change_way(request: Request) -> Response:
    """Try one, or remove it."""
    who, form = visitor(request), await sent_form(request)
    id = str(form.get("id") or "")[:16]
    if "remove" in form:
        await stored(outbox(request).remove_way, who.id, id)
    elif "try" in form:
        try:
            await _limit(request, "trial", TRIALS_AN_HOUR)
        except TooMany as error:
            return await _refused(request, error, "ways")
        await stored(outbox(request).ask, who.id, id, TRIAL)
    return _done()


@router.post(f"{PLACE}/stop")
async def stop_all(request: Request) -> Response:
    """The one switch: nothing at all, or as before."""
    form = await sent_form(request)
    await _known(request, stopped=form.get("stopped") == "on")
    return _done()


@router.post(f"{PLACE}/hours")
async def quiet_hours(request: Request) -> Response:
    form = await sent_form(request)
    begin, end, zone = (str(form.get(name) or "").strip() for name in ("from", "to", "zone"))
    times = [TIME.fullmatch(given) for given in (begin, end)]
    try:
        if zone not in zones():
            raise FormError(NO_ZONE)
        if (begin or end) and not all(times):
            raise FormError(NO_HOURS)
    except FormError as error:
        return await _refused(request, error, "hours")
    hours = [int(found[1]) * 60 + int(found[2]) if found else None for found in times]
    await _known(request, quiet_from=hours[0], quiet_to=hours[1], zone=zone)
    return _done()


# --- letters: what their links do, for whoever has them ----------------------------------------------------


@router.get("/confirm/{secret}")
@router.get("/stop/{secret}")
async def letter_page(request: Request, secret: str) -> Response:
    """Asks once: programs that look into letters open every link."""
    way = await stored(outbox(request).by_link, secret)
    if way is None:
        raise NoTable(NO_LINK)
    confirms = request.url.path.startswith("/confirm/")
    return HTMLResponse(
        pages(request).render(
            "letter.html.jinja", visitor(request), confirms=confirms, secret=secret, address=way.address, done="",
            back="/",
        )
    )  # fmt: skip


@router.post("/confirm/{secret}")
async def confirm(request: Request, secret: str) -> Response:
    return await _letter(request, secret, True)


@router.post("/stop/{secret}")
async def stop_letters(request: Request, secret: str) -> Response:
    """Also what mail programs send by themselves when somebody wants no more (RFC 8058)."""
    return await _letter(request, secret, False)


async def _letter(request: Request, secret: str, confirms: bool) -> Response:
    way = await stored(outbox(request).by_link, secret)
    if way is None:
        raise NoTable(NO_LINK)
    await stored(outbox(request).confirm if confirms else outbox(request).gone, way.id)
    return HTMLResponse(
        pages(request).render(
            "letter.html.jinja", visitor(request), confirms=confirms, secret="", address=way.address, done="yes",
            back="/",
        )
    )  # fmt: skip


# --- holidays --------------------------------------------------------------------------------------------


@router.post(f"{PLACE}/holiday")
async def holiday(request: Request) -> Response:
    """Days on which clocks of days stand still, so many a year; and that somebody is back sooner."""
    who, form, store = visitor(request), await sent_form(request), house(request).store
    reach = await stored(outbox(request).reach, who.id)
    now = today(reach.zone if reach else "UTC", time.time())
    try:
        first = _day(form.get("first"))
        if "remove" in form:
            await stored(end_holiday, store, who.id, first, now)
            return _done()
        last = _day(form.get("last"))
        if not now <= first <= last <= now + timedelta(LONGEST_AHEAD):
            raise FormError(NO_DAYS)
        taken = await stored(holidays_of, store, who.id)
        if any(first <= there and here <= last for here, there in taken):
            raise FormError(OVERLAP)
        for year in {first.year, last.year}:
            wanted = days_taken([*taken, (first, last)], year)
            if wanted > HOLIDAYS_A_YEAR:
                raise FormError(Phrase(TOO_LONG.text, {"days": HOLIDAYS_A_YEAR, "wanted": wanted}))
    except FormError as error:
        return await _refused(request, error, "holiday")
    await _known(request)
    await stored(add_holiday, store, who.id, first, last)
    return _done()


def _day(given: object) -> date:
    try:
        return date.fromisoformat(str(given))
    except ValueError:
        raise FormError(NO_DAYS) from None


# --- the calendar ----------------------------------------------------------------------------------------


@router.post(f"{PLACE}/feed")
async def change_feed(request: Request) -> Response:
    """A new address of one's calendar, or none: the old one stops working."""
    form = await sent_form(request)
    await _known(request, feed=None if "remove" in form else secrets.token_urlsafe(24))
    return _done()


@router.get("/calendar/{feed}.ics")
async def feed(request: Request, feed: str) -> Response:
    """Until when somebody has to decide, for whichever program has the address."""
    reach = await stored(outbox(request).by_feed, feed)
    if reach is None:
        raise NoTable(NO_LINK)
    return Response(await asyncio.to_thread(_calendar, request, reach), media_type="text/calendar; charset=utf-8")


def _calendar(request: Request, reach: Any) -> str:
    here, now = house(request), time.time()
    found = cards(here.store, here.store.turns_of(reach.player), reach.player, reach.language, here.time.now())
    deadlines = [
        Deadline(
            card.id, sentence(Phrase("It is your turn: {game}", {"game": card.title}), reach.language),
            f"{reach.base}/table/{card.id}", now + card.left,
        )
        for card in found
        if card.yours and card.left_words
    ]  # fmt: skip
    return calendar("Samizdat", deadlines, datetime.now(UTC).timestamp())
