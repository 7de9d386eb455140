"""The table itself: its page, its events, and decisions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel, Field
from starlette.requests import Request
from starlette.responses import (
    HTMLResponse,
    JSONResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
    StreamingResponse,
)

from samizdat.bots import offered
from samizdat.kernel.errors import SamizdatError
from samizdat.kernel.game import Game
from samizdat.kernel.telling import Listing, Phrase
from samizdat.table.board_files import board_of
from samizdat.table.closed import closed_table, file_of
from samizdat.table.commands import Begin, Draft, Play, Seal, TakeBack
from samizdat.table.declined import Stale
from samizdat.table.drawings import draw_ahead, drawn, looked_at
from samizdat.table.ending import may_return
from samizdat.table.hearing import Ear
from samizdat.table.hints import NotReady, Tip
from samizdat.table.invitations import qr_code
from samizdat.table.language import Speaker, language
from samizdat.table.opening import level_name, level_words, variant_words
from samizdat.table.page_parts import draw
from samizdat.table.practice import PracticeTable
from samizdat.table.rendering import AND, named, sentence
from samizdat.table.routes.asking import (
    check_watching,
    hints,
    house,
    known_name,
    pages,
    seat_at,
    sessions,
    stored,
    title_of,
    viewer_at,
    visitor,
    visitors,
)
from samizdat.table.routes.inviting import linked
from samizdat.table.routes.talking import panel_of, reader_at
from samizdat.table.seats import GOOD_FOR, Viewer
from samizdat.table.streams import Follower, follow
from samizdat.table.tables import LiveTable
from samizdat.table.versions import OtherRules
from samizdat.table.viewing import read_only

router = APIRouter(include_in_schema=False)


LEARNED_ELSEWHERE = Phrase("What the search knows of this game was learned with everybody's box, not with this one.")


class SentDecision(BaseModel):
    """One decision, with the position it was made in."""

    seat: int
    version: int
    move: str = Field("", max_length=120)


class HintWish(BaseModel):
    """A question of a seat."""

    seat: int


class Change(BaseModel):
    """One change of a draft."""

    seat: int
    change: str = Field(pattern="^(add|take|clear)$")
    notation: str = Field("", max_length=120)


@router.get("/table/{id}")
async def table_page(
    request: Request, id: str, seat: int | None = None, still: bool = False, invite: int | None = None
) -> Response:
    """The board as this browser may see it; the waiting room while seats are open; a cover between hot seats. A page
    that is `still` is only read: browsers without script are sent there."""
    table = await house(request).find(id)
    who = visitor(request)
    if isinstance(table, PracticeTable):  # a scene that was opened once; nothing of it is kept
        return RedirectResponse(f"/scenes/{table.game.name}/{table.exercise.name}", 303)
    if table.match is None:
        await house(request).do(table, Begin())  # it may have failed when the last one sat down
    if table.match is None:
        return HTMLResponse(await waiting_room(request, table, invite))
    held = table.held_by(who.id)
    if seat is not None and seat not in held:  # it was given to somebody else, or the address was passed on
        return RedirectResponse(f"/table/{id}", 303)
    if len(held) > 1 and seat not in table.match.turn and not table.over:
        return RedirectResponse(f"/table/{id}/cover", 303)
    wanted = seat if seat is not None or len(held) < 2 else held[0]
    guided = bool(held) and not table.over and await stored(house(request).store.tour, id) is not None
    return await board_page(request, table, wanted, "tour" if guided else "", still)


async def board_page(
    request: Request, table: LiveTable, wanted: int | None, guide: str, still: bool = False
) -> Response:
    """A table through the eyes of a seat, with the slips of a tour or a scene beside it if there is a guide."""
    who = visitor(request)
    beside = None if table.fleeting else await linked(request, table)
    await draw_ahead(table, viewer_at(table, who.id, wanted), None, who.language, who.helps)
    held = table.held_by(who.id)
    viewer = viewer_at(table, who.id, wanted)
    talk = None if table.fleeting else await panel_of(request, table, viewer)
    if still:  # its words were found just now, for the drawing that it is not
        shown = read_only(looked_at(table, viewer))
        now = shown.clock.charged(house(request).time.now()) if shown.clock else None
        drawing = draw(replace(shown, clock=now), who.language, who.helps)
    else:
        drawing = drawn(table, viewer, None, who.language, who.helps)
    # What several share at one screen is never kept there; a page of one seat may be read without a network.
    kept = not (still or table.fleeting or len(held) > 1)
    return HTMLResponse(
        pages(request).render(
            "still.html.jinja" if still else "table.html.jinja", who, game=table.game.name,
            title=title_of(table, who), parts=drawing["parts"], opens=drawing["opens"],
            guide=guide if viewer is not None else "", talk=talk, returning=may_return(table, who.id),
            table=table, seat=viewer, held=held, steps=len(table.history(viewer).observations),
            version=table.history(viewer).version, change=table.changes.get(viewer, 0),
            host=table.opened_by == who.id, base=str(request.base_url).rstrip("/"),
            **spoken_levels(table.game, who.language), house_time=house(request).time.now(), linked=beside,
            person=visitors(request).sealed(who.id) if kept else "",
        ),
        headers={"Samizdat-Keep": "table"} if kept else None,
    )  # fmt: skip


async def waiting_room(request: Request, table: LiveTable, invite: int | None) -> str:
    """Who has sat down, and a link to pass on: to whoever opened the table that of a free seat, to others the
    table's own. `invite` is the free seat that is asked for; the first of them unless it is free."""
    who, base = visitor(request), str(request.base_url).rstrip("/")
    held, host = table.held_by(who.id), table.opened_by == who.id
    free = [seat for seat, chair in enumerate(table.chairs) if chair.kind == "open"]
    offered_seat = (invite if invite in free else free[0]) if host else None
    link = f"{base}/sit/{table.chairs[offered_seat].key}" if offered_seat is not None else f"{base}/table/{table.id}"
    label = sentence(Phrase("The link as a QR code"), who.language)
    return pages(request).render(
        "waiting.html.jinja", who, table=table, game=table.game.name, title=title_of(table, who),
        held=held, host=host, base=base, inks=board_of(table.game.name).INKS, change=table.changes.get(None, 0),
        name=await known_name(request), free=free, invite=offered_seat, link=link, good_for=GOOD_FOR,
        square=qr_code(link, label) if held or host else "", linked=await linked(request, table),
        variant=sentence(variant_words(board_of(table.game.name), table.game.variant), who.language),
        **spoken_levels(table.game, who.language),
    )  # fmt: skip


def spoken_levels(game: Game, code: str) -> dict[str, Any]:
    """The levels of bots in words, as choices and as names; those who have learnt a game may not know this one."""
    return {
        "levels": {level: sentence(level_words(level, game), code) for level in offered(game.definition)},
        "level_name": lambda level: sentence(level_name(level, game), code),
    }


@router.get("/table/{id}/turn")
async def turn(request: Request, id: str, seat: int) -> dict[str, bool]:
    """Whether a seat of one's own is to decide: all that a tab asks while nobody looks at it."""
    table = await house(request).find(id)
    mine = seat_at(table, visitor(request).id, seat)
    return {"yours": table.match is not None and not table.over and mine in table.match.turn}


@router.get("/table/{id}/cover")
async def cover(request: Request, id: str) -> Response:
    """Hot-seat: nothing is shown until the next player says "ready"."""
    table = await house(request).find(id)
    who = visitor(request)
    held = table.held_by(who.id)
    if table.match is None or len(held) < 2 or table.over:
        return RedirectResponse(f"/table/{id}", 303)
    ready = [seat for seat in held if seat in table.match.turn]
    everybody = named(table.names, who.language)
    names = [everybody[seat] for seat in table.match.turn]
    return HTMLResponse(
        pages(request).render(
            "cover.html.jinja", who, table=table, title=title_of(table, who), ready=ready,
            inks=board_of(table.game.name).INKS, version=table.match.history(None).version,
            waiting=sentence(Phrase("Waiting for {names}.", {"names": Listing(names, AND)}), who.language),
        )
    )  # fmt: skip


@router.get("/table/{id}/events")
async def events(
    request: Request, id: str, since: int = 0, seat: int | None = None, change: int | None = None,
    looking: bool = False, heard: str = "",
) -> Response:  # fmt: skip
    """Everything that happens from version `since` on, as this browser may see it. `change` counts what changed
    without a step of the match, when the page was made; a browser that comes back is sent all of it. `heard` says how
    far the page has come with what is said. A page that looks on is loaded anew when its browser has sat down
    meanwhile."""
    table = await house(request).find(id)
    who = visitor(request)
    check_watching(table, who.id)
    await draw_ahead(table, None if looking else viewer_at(table, who.id, seat), None, who.language, who.helps)
    reader = await reader_at(request, None)
    viewer = None if looking else viewer_at(table, who.id, seat)
    ear = Ear(table, replace(reader, viewer=viewer), heard)

    def allowed() -> bool:
        if table.gone:
            return False
        if (looking and table.held_by(who.id)) or (who.session and not sessions(request).alive(request)):
            return False
        return viewer is None or who.id in table.chairs[viewer].holders

    last = request.headers.get("last-event-id", "")
    version = int(last) if last.isascii() and last.isdigit() and len(last) < 9 else since
    follower = Follower(
        table, viewer, version, lambda viewer, step: drawn(table, viewer, step, who.language, who.helps), allowed,
        None if table.fleeting else ear,
    )  # fmt: skip
    if len(table.held_by(who.id)) > 1:  # the cover between seats at one screen is not behind
        follower.history = lambda: table.match.history(viewer) if table.match else table.history(viewer)
    started = table.match is not None
    if last or (change is not None and change != follower.change):
        follower.change = None
    elif started and version == table.history(viewer).version:
        follower.sent = dict(drawn(table, viewer, None, who.language, who.helps)["parts"])
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    stream = follow(table, follower, started, house(request).time.now)
    return StreamingResponse(stream, media_type="text/event-stream", headers=headers)


@router.get("/table/{id}/step/{number}")
async def past(request: Request, id: str, number: int, seat: int | None = None) -> Response:
    """An earlier step of the match, as that seat saw it then."""
    table = await house(request).find(id)
    who = visitor(request)
    viewer = viewer_at(table, who.id, seat)
    await draw_ahead(table, viewer, step_at(table, viewer, number), who.language, who.helps)
    viewer = viewer_at(table, who.id, seat)
    step, history = step_at(table, viewer, number), table.history(viewer)
    drawing = drawn(table, viewer, step, who.language, who.helps)
    last = len(history.observations) - 1
    step = last if step is None else step
    return JSONResponse({"step": step, "last": last, "version": history.version, "parts": drawing["parts"]})


def step_at(table: LiveTable, viewer: Viewer, number: int) -> int | None:
    """The step that is nearest to a number; None is the present one."""
    steps = len(table.history(viewer).observations)
    return max(0, number) if number < steps - 1 else None


# --- decisions -------------------------------------------------------------------------------------------


@router.post("/table/{id}/move")
async def move(request: Request, id: str, decision: SentDecision) -> Response:
    return await _done(request, id, Play(decision.seat, [decision.move], version=decision.version))


@router.post("/table/{id}/undo")
async def undo(request: Request, id: str, decision: SentDecision) -> Response:
    return await _done(request, id, TakeBack(decision.seat, version=decision.version))


@router.post("/table/{id}/seal")
async def seal(request: Request, id: str, decision: SentDecision) -> Response:
    return await _done(request, id, Seal(decision.seat, version=decision.version))


@router.post("/table/{id}/draft")
async def draft(request: Request, id: str, change: Change) -> Response:
    return await _done(request, id, Draft(change.seat, change.change, change.notation))


@router.post("/table/{id}/hint")
async def hint(request: Request, id: str, asked: HintWish) -> Response:
    """Up to three good decisions for a seat that is to decide, from what that seat knows; others learn nothing."""
    who = visitor(request)
    table = await house(request).find(id)
    seat_at(table, who.id, asked.seat)
    try:
        found = await hints(request).tips(table, asked.seat)
    except NotReady as error:
        return JSONResponse({"wait": pages(request).explain(error, who.language, table)[0]}, 202)
    except SamizdatError as error:
        return JSONResponse({"error": pages(request).explain(error, who.language, table)[0]}, 409)
    say = Speaker(language(who.language), table.game, named(table.names, who.language))
    drafting = table.composition(asked.seat) is not None
    summary = say(found.summary) if found.summary else ""
    if table.game.printed:
        summary = f"{summary} {say(LEARNED_ELSEWHERE)}".strip()
    return JSONResponse({"hints": [_told(tip, say, drafting) for tip in found.tips], "summary": summary})


def _told(tip: Tip, say: Speaker, drafting: bool) -> dict[str, Any]:
    """A hint in the reader's words; what is put together in a draft can be tried there."""
    return {
        "labels": [f"{times} × {say(label)}" if times > 1 else say(label) for label, times in tip.labels],
        "chance": tip.chance,
        "error": tip.error,
        "why": [{"sign": sign, "text": say(line), "rule": line.rule} for sign, line in tip.why],
        "places": tip.places,
        "from": tip.origin,
        "moves": tip.notations,
        "draft": tip.notations if drafting else (),
    }


async def _done(request: Request, id: str, command: Play | TakeBack | Seal | Draft) -> Response:
    """Do something for a seat; a refusal says why, in the reader's language, and changes nothing."""
    here = house(request)
    table = await here.find(id)
    seat_at(table, visitor(request).id, command.seat)
    try:
        await here.do(table, command)
    except SamizdatError as error:
        text, rule = pages(request).explain(error, visitor(request).language, table)
        link = f"/rules/{table.game.name}#{rule}" if rule and any(c.isdigit() for c in rule) else ""
        stale = isinstance(error, Stale)  # there is a newer position than the page knew
        return JSONResponse({"error": text, "rule": rule if link else "", "link": link, "stale": stale}, 409)
    return JSONResponse({"version": table.history(command.seat).version})


# --- seats -----------------------------------------------------------------------------------------------


@router.get("/table/{id}/file")
async def file(request: Request, id: str, seat: int | None = None) -> Response:
    """What this browser may take away."""
    who = visitor(request)
    try:
        table = await house(request).find(id)
    except OtherRules:
        closed = await stored(closed_table, house(request).store, id, who.id)
        return _attached(file_of(closed), closed.row.game, closed.over)
    text = await house(request).file(table, viewer_at(table, who.id, seat))
    return _attached(text, table.game.name, table.over)


def _attached(text: str, game: str, over: bool) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{game}-{"match" if over else "seat"}.json"'}
    return PlainTextResponse(text, media_type="application/json", headers=headers)
