"""The profile: ratings, numbers with their doubt, and the matches somebody has played."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from samizdat.kernel.game import definitions
from samizdat.kernel.telling import Phrase
from samizdat.table.declined import NoTable
from samizdat.table.figures import ENOUGH, Finished, looked_back
from samizdat.table.plots import line_plot
from samizdat.table.profiles import ProfileReader, day
from samizdat.table.ratings import ENOUGH as ENOUGH_RATED
from samizdat.table.ratings import Rating
from samizdat.table.rendering import called
from samizdat.table.routes.asking import accounts, house, pages, ratings, sent_form, stored, visitor
from samizdat.table.store import matches

router = APIRouter(include_in_schema=False)

A_PAGE = 30  # matches in a list
DAY = 24 * 3600.0
PERIODS = {"30": 30 * DAY, "365": 365 * DAY, "": 0.0}
RESULTS = ("won", "lost")
LONGEST_OPPONENT = 40
NOBODY = Phrase("There is no such profile, or its owner does not show it.")


@dataclass(frozen=True)
class Wanted:
    """What of the list is asked for."""

    game: str
    result: str
    opponent: str
    period: str
    page: int

    def takes(self, one: Finished, reader: ProfileReader) -> bool:
        if self.game and one.row.game != self.game:
            return False
        if self.result and (one.rank == 1) != (self.result == "won"):
            return False
        names = " ".join(called(other.name, reader.code) for other in one.others)
        return self.opponent.casefold() in names.casefold()

    def link(self, **other: object) -> str:
        """The same page with something else chosen."""
        asked = {"game": self.game, "result": self.result, "opponent": self.opponent, "period": self.period, **other}
        return "?" + urlencode({name: value for name, value in asked.items() if value})


def wanted(request: Request) -> Wanted:
    given = request.query_params
    number = given.get("page", "")
    return Wanted(
        game=given.get("game", "") if given.get("game") in definitions() else "",
        result=given.get("result", "") if given.get("result") in RESULTS else "",
        opponent=given.get("opponent", "").strip()[:LONGEST_OPPONENT],
        period=given.get("period", "") if given.get("period") in PERIODS else "",
        page=int(number) if number.isascii() and number.isdigit() and len(number) < 5 else 0,
    )


def _lately(played: list[Finished], period: str) -> list[Finished]:
    """Matches that say something, of the last days that are asked for."""
    first = time.time() - PERIODS[period] if PERIODS[period] else 0.0
    return [one for one in played if one.counts and one.row.changed >= first]


@router.get("/you")
async def you(request: Request) -> Response:
    return HTMLResponse(await asyncio.to_thread(_you, request))


def _you(request: Request) -> str:
    who, store, asked = visitor(request), house(request).store, wanted(request)
    ratings(request).settle()  # what ended in a process that did not live to count it
    reader = ProfileReader(store, who.language)
    played, rated = looked_back(store, who.id), ratings(request).of(who.id)
    chosen = [one for one in played if asked.takes(one, reader)]
    first = asked.page * A_PAGE
    account = accounts(request).find(who.id) if who.session else None
    return pages(request).render(
        "you.html.jinja", who, name=store.player_name(who.id) or "", account=account, asked=asked,
        **_head(request, reader, who.id, played), rated=_rated(rated, reader),
        figures=reader.figures(_lately(played, asked.period), own=True),
        number=len(played), counted=len(_lately(played, asked.period)), enough=ENOUGH, enough_rated=ENOUGH_RATED,
        found=len(chosen), lines=[reader.line(one, rated) for one in chosen[first : first + A_PAGE]],
        older=first + A_PAGE < len(chosen), games=_games(played, reader), back=f"/you{asked.link(page=asked.page)}",
        base=str(request.base_url).rstrip("/"), own=True,
    )  # fmt: skip


def _head(request: Request, reader: ProfileReader, player: str, played: list[Finished]) -> dict[str, Any]:
    since = matches.since(house(request).store, player)
    return {"since": day(since, reader.speech) if since else "", "matches": len(played)}


def _games(played: list[Finished], reader: ProfileReader) -> list[tuple[str, str, str]]:
    names = sorted({one.row.game for one in played if one.row.game in definitions()}, key=reader.title)
    return [(name, reader.title(name), reader.glyph(name)) for name in names]


def _rated(rated: Mapping[str, Rating], reader: ProfileReader) -> list[dict[str, Any]]:
    return [
        {"title": reader.title(game), "glyph": reader.glyph(game), "rating": one,
         "plot": line_plot(one.course) if one.now else ""}
        for game, one in sorted(rated.items())
    ]  # fmt: skip


@router.post("/you/show")
async def show(request: Request) -> Response:
    """Whether others may read the profile: ratings and numbers, never which matches they come from."""
    who, form = visitor(request), await sent_form(request)
    if not who.session:
        return RedirectResponse("/sign-in?next=/you", 303)
    await stored(lambda: accounts(request).change(who.id, shown=form.get("shown") == "on"))
    return RedirectResponse("/you", 303)


@router.get("/people/{page}")
async def somebody(request: Request, page: str) -> Response:
    """A profile that its owner shows: ratings and how often, from rated matches; nothing of any match."""
    return HTMLResponse(await asyncio.to_thread(_somebody, request, page))


def _somebody(request: Request, page: str) -> str:
    account = accounts(request).by_page(page[:16])
    if account is None or not account.shown or account.leaving is not None:
        raise NoTable(NOBODY)
    who, store = visitor(request), house(request).store
    reader, rated = ProfileReader(store, who.language), ratings(request).of(account.player)
    counted = {point.match for one in rated.values() for point in one.course}
    played = [one for one in looked_back(store, account.player) if one.row.id in counted]
    return pages(request).render(
        "you.html.jinja", who, name=account.name, account=account, asked=wanted(request),
        **_head(request, reader, account.player, played), rated=_rated(rated, reader),
        figures=reader.figures([one for one in played if one.counts], own=False), number=len(played),
        counted=len(played), enough=ENOUGH, enough_rated=ENOUGH_RATED, own=False,
    )  # fmt: skip
