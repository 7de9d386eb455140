"""What one reads: the rules of each game, and finished matches."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from functools import partial
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from samizdat.kernel.exercises import has_exercises
from samizdat.kernel.flow import read_flow
from samizdat.kernel.game import definition, definitions
from samizdat.kernel.telling import Phrase
from samizdat.table.board_files import board_of
from samizdat.table.contexts import opened
from samizdat.table.declined import NoTable, NotAllowed
from samizdat.table.drawings import looked_at
from samizdat.table.flow_picture import flow_picture
from samizdat.table.hints import NotReady
from samizdat.table.language import Speaker, language
from samizdat.table.opening import variant_words
from samizdat.table.page_parts import parts, result
from samizdat.table.rendering import named, page, sentence
from samizdat.table.replays import Replay
from samizdat.table.routes.asking import hints, house, pages, replays, title_of, visitor
from samizdat.table.routes.inviting import linked
from samizdat.table.rulebooks import components, illustrated, rulebook
from samizdat.table.seats import Viewer
from samizdat.table.tables import LiveTable
from samizdat.table.viewing import PageView

router = APIRouter(include_in_schema=False)

REPLAYED = ("where", "board", "hand", "seats", "end")
PROVENANCE = {
    "rulebook": Phrase("as the rulebook prints it"),
    "public": Phrase("from public sources"),
    "reconstructed": Phrase("reconstructed by us"),
}


# --- rules -----------------------------------------------------------------------------------------------


@router.get("/rules")
async def all_rules(request: Request) -> Response:
    """Which games have rules to read here."""
    return HTMLResponse(await asyncio.to_thread(_shelf_of_rules, request))


def _shelf_of_rules(request: Request) -> str:
    who = visitor(request)
    games = [
        (found, sentence(board_of(name).BLURB, who.language), rulebook(name, who.language))
        for name, found in definitions().items()
    ]
    return pages(request).render("shelf.html.jinja", who, games=games, has_scenes=has_exercises)


@router.get("/rules/{name}")
async def rules(request: Request, name: str) -> Response:
    """A game's numbered rules and rulings, in our own words; each number is an anchor."""
    if name not in definitions():
        raise NoTable(Phrase("There is no such game."))
    return HTMLResponse(await asyncio.to_thread(_rulebook_page, request, name))


def _rulebook_page(request: Request, name: str) -> str:
    who = visitor(request)
    found, spoken = definition(name), language(who.language)
    title = spoken.gettext("The course of the game")
    flows = [
        (sentence(variant_words(found.board, variant), who.language), flow_picture(found, variant, spoken, title))
        for variant in read_flow(found)
    ]
    return pages(request).render(
        "rules.html.jinja", who, definition=found, flows=flows, book=rulebook(name, who.language),
        text=illustrated(name, who.language), components=components(name),
        scenes=has_exercises(found),
        tours=[(key, sentence(one.title, who.language), one.minutes) for key, one in found.tours.items()],
        provenance={kind: sentence(words, who.language) for kind, words in PROVENANCE.items()},
    )  # fmt: skip


# --- finished matches ------------------------------------------------------------------------------------


@router.get("/table/{id}/replay")
async def replay(request: Request, id: str, step: int = 0, seat: int | None = None, open: bool = False) -> Response:
    """A finished match once more, with every hidden thing open to everybody who has the link."""
    who = visitor(request)
    table, viewer = await finished(request, id, seat)
    found = await replays(request).of(table)
    number = max(0, min(step, found.last))
    names = named(table.names, who.language)
    say = Speaker(language(who.language), table.game, names)
    module = board_of(table.game.name)
    write = partial(
        pages(request).render, "replay.html.jinja", who, table=table, game=table.game.name,
        title=title_of(table, who), replay=found, step=number, seat=viewer, open=open,
        parts=await _picture(table, found, viewer, number, who.language, open),
        say=say, inks=module.INKS, names=names, result=result(looked_at(table, None), who.language),
        held=table.held_by(who.id), host=table.opened_by == who.id,
        seed=f"{table.seed:032x}", nonce=f"{table.nonce:032x}", record=json.dumps(recorded(table)),
        linked=await linked(request, table),
    )  # fmt: skip
    return HTMLResponse(await asyncio.to_thread(write))


def recorded(table: LiveTable) -> dict[str, Any]:
    """What a browser's receipt is compared with: of the match's file, all that it speaks of."""
    game, fair = table.game, table.fairness
    return {
        "fair": fair and fair.written(), "commitment": table.commitment, "game": game.name, "rules": game.rules,
        "box": game.box.hash, "variant": game.variant, "players": game.players, "options": dict(game.options),
    }  # fmt: skip


@router.get("/table/{id}/replay/{number}")
async def replayed_step(
    request: Request, id: str, number: int, seat: int | None = None, open: bool = False
) -> Response:
    """One step of a replay, for pages that move without loading again."""
    table, viewer = await finished(request, id, seat)
    found = await replays(request).of(table)
    step = max(0, min(number, found.last))
    picture = await _picture(table, found, viewer, step, visitor(request).language, open)
    return JSONResponse({"step": step, "last": found.last, "parts": picture})


@router.get("/table/{id}/review")
async def review(request: Request, id: str, seat: int) -> Response:
    """How a seat's chances went, and which decisions cost it most; worked out when somebody first asks."""
    who = visitor(request)
    table, viewer = await finished(request, id, seat)
    if viewer is None:
        raise NotAllowed(Phrase("There is no such seat."))
    try:
        found = await hints(request).look_back(table, viewer)
    except NotReady as error:
        told = pages(request).explain(error, who.language, table)[0]
        come = {"done": error.progress.done, "all": error.progress.all} if error.progress else {}
        return JSONResponse({"wait": told} | come, 202)
    assert table.match is not None
    names = named(table.names, who.language)
    html = page(
        "review.html.jinja", who.language, found=found, table=table, seat=viewer, name=names[viewer],
        last=table.match.plies, fair=100 / table.game.fair_seats,
        say=Speaker(language(who.language), table.game, names)
    )  # fmt: skip
    return JSONResponse({"html": html})


async def finished(request: Request, id: str, seat: int | None) -> tuple[LiveTable, Viewer]:
    table = await house(request).find(id)
    if table.match is None or not table.match.over:
        raise NotAllowed(Phrase("The match still runs; it can be watched again when it is over."))
    return table, seat if seat is not None and 0 <= seat < table.game.players else None


async def _picture(
    table: LiveTable, found: Replay, viewer: Viewer, step: int, code: str, open: bool
) -> dict[str, Any]:
    """The board as one viewer saw it then, or with all that anybody saw; drawn in a thread. Not kept: a match has
    more steps than memory has room for boards."""
    seen = found.moments[step].steps
    if not open:
        return await asyncio.to_thread(_drawn, looked_at(table, viewer, seen[viewer]), [], code)
    seats = [replace(looked_at(table, seat, seen[seat]), opened=True) for seat in range(table.game.players)]
    return await asyncio.to_thread(_drawn, looked_at(table, None, seen[None]), seats, code)


def _drawn(shown: PageView, seats: list[PageView], code: str) -> dict[str, Any]:
    whole = parts(shown, code, wanted=REPLAYED)
    return whole | {"hand": opened(seats, code)} if seats else whole
