"""Seats: taking one, coming back to one, and changing who sits there."""

from __future__ import annotations

import random

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from samizdat.bots import offered
from samizdat.kernel.telling import Phrase
from samizdat.kernel.tours import FIRST
from samizdat.table.board_files import board_of
from samizdat.table.commands import GIVEN_AWAY, TAKEN, ChangeSeat, Hold, TakeSeat
from samizdat.table.declined import NoTable, NotAllowed
from samizdat.table.ending import Return, handed_over
from samizdat.table.guides import tours_of
from samizdat.table.language import Speaker, language, seat_word
from samizdat.table.names import clean_name
from samizdat.table.opening import BOT, BOT_NAMES, HERE, LINK, variant_words
from samizdat.table.rendering import sentence
from samizdat.table.routes.asking import (
    house,
    known_name,
    name_here,
    pages,
    remember,
    sent_form,
    stored,
    title_of,
    visitor,
)
from samizdat.table.routes.inviting import linked
from samizdat.table.store.talk import blocks_any
from samizdat.table.tables import LiveTable
from samizdat.table.tickets import sent_number

router = APIRouter(include_in_schema=False)

TOO_OLD = Phrase("This invitation is too old, or a newer one took its place; ask whoever opened the table.")
COUNTS = Phrase("While a rated match runs, a seat is given away by its owner alone.")
KEPT_OUT = Phrase("Whoever opened this table does not want you to sit here; you may look on.")
ITS_OWN = Phrase("While the match runs, a seat can only be freed or given to a bot: its hand stays its own.")


@router.get("/sit/{key}")
async def seat_link(request: Request, key: str) -> Response:
    """A seat's own link: it shows which seat that is, and asks. Nothing changes until somebody says yes: programs
    that show a preview of a link open it, too."""
    who = visitor(request)
    table, seat = await _linked(request, key)
    chair = table.chairs[seat]
    if chair.kind == "bot" and handed_over(table, seat) is None:
        return RedirectResponse(f"/table/{table.id}", 303)
    if who.id in chair.holders:
        return RedirectResponse(f"/table/{table.id}?seat={seat}", 303)
    board, say = board_of(table.game.name), Speaker(language(who.language), table.game)
    return HTMLResponse(
        pages(request).render(
            "sit.html.jinja", who, table=table, seat=seat, key=key, title=title_of(table, who), game=table.game.name,
            name=await known_name(request), inks=board.INKS, linked=await linked(request, table),
            sides=[say(seat_word(table.game, number)) for number in range(table.game.players)],
            variant=sentence(variant_words(board, table.game.variant), who.language),
            learn=tours_of(table.game.name).get(FIRST),
        )
    )  # fmt: skip


@router.post("/sit/{key}")
async def sit_down(request: Request, key: str) -> Response:
    """Sit down on an open seat; or come back to one's own from another browser: whoever has its key is its owner."""
    table, seat = await _linked(request, key)
    chair = table.chairs[seat]
    if handed_over(table, seat) is not None:
        await remember(request, await known_name(request) or chair.name)
        await house(request).do(table, Return(seat, visitor(request).id, key))
        return RedirectResponse(f"/table/{table.id}?seat={seat}", 303)
    if chair.kind != "person":
        form = await sent_form(request)
        chosen = _seat(table, form.get("seat")) if "seat" in form else seat
        return await _sit(request, table, chosen, invited=seat)
    await remember(request, await known_name(request) or chair.name)
    await house(request).do(table, Hold(seat, key, visitor(request).id))
    return RedirectResponse(f"/table/{table.id}?seat={seat}", 303)


async def _linked(request: Request, key: str) -> tuple[LiveTable, int]:
    here = house(request)
    found = await stored(here.store.seat_of_key, key)
    if found is None:
        raise NoTable(GIVEN_AWAY)
    table, seat = await here.find(found[0]), found[1]
    if table.chairs[seat].outdated:
        raise NoTable(TOO_OLD)
    return table, seat


@router.post("/table/{id}/sit")
async def sit_at_table(request: Request, id: str) -> Response:
    """Take an open seat of a table one can see."""
    form = await sent_form(request)
    table = await house(request).find(id)
    if table.match is None and table.held_by(visitor(request).id):
        raise NotAllowed(Phrase("You sit at this table already; whoever opened it may give you another seat."))
    return await _sit(request, table, _seat(table, form.get("seat")))


async def _sit(request: Request, table: LiveTable, seat: int, invited: int | None = None) -> Response:
    form = await sent_form(request)
    if table.chairs[seat].kind != "open":
        raise NotAllowed(TAKEN)
    if await stored(blocks_any, house(request).store, [table.opened_by], visitor(request).id):
        raise NotAllowed(KEPT_OUT)
    name = clean_name(form.get("name"), await name_here(request))
    await remember(request, name)
    number, so_far = sent_number(form.get("number")), str(form.get("so_far", ""))
    await house(request).do(table, TakeSeat(seat, name, visitor(request).id, number, so_far, invited))
    return RedirectResponse(f"/table/{table.id}", 303)


@router.post("/table/{id}/seats")
async def change_seat(request: Request, id: str) -> Response:
    """Whoever opened the table frees a seat, gives it to a bot, or sits another person here down on it."""
    who, here = visitor(request), house(request)
    table = await here.find(id)
    if table.opened_by != who.id:
        raise NotAllowed(Phrase("Only whoever opened the table may change its seats."))
    if table.over:
        raise NotAllowed(Phrase("The match is over; ask for a rematch instead."))
    form = await sent_form(request)
    seat, kind = _seat(table, form.get("seat")), form.get("kind", "")
    if table.rated and table.match is not None and who.id not in table.chairs[seat].holders:
        raise NotAllowed(COUNTS)
    if kind == LINK:
        await here.do(table, ChangeSeat(seat, "open", ""))
    elif kind == HERE and table.match is not None and who.id not in table.chairs[seat].holders:
        raise NotAllowed(ITS_OWN)
    elif kind == HERE:
        name = clean_name(form.get("name"), f"{sentence(Phrase('Player'), who.language)} {seat + 1}")
        await here.do(table, ChangeSeat(seat, "person", name, who.id))
    elif kind.startswith(BOT) and kind.removeprefix(BOT) in offered():
        taken = {chair.name for chair in table.chairs}
        free = [name for name in BOT_NAMES if name not in taken]
        name = random.SystemRandom().choice(free)
        await here.do(table, ChangeSeat(seat, "bot", name, level=kind.removeprefix(BOT)))
    return RedirectResponse(f"/table/{table.id}", 303)


def _seat(table: LiveTable, given: object) -> int:
    number = given if isinstance(given, str) and given.isascii() and given.isdigit() and len(given) < 4 else "999"
    if int(number) >= table.game.players:
        raise NotAllowed(Phrase("There is no such seat at this table."))
    return int(number)
