"""The lobby: opening tables, taking seats, coming back to them."""

from __future__ import annotations

import asyncio
import re
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from samizdat.bots import offered
from samizdat.kernel.boards import LEARNING
from samizdat.kernel.errors import MatchFileError
from samizdat.kernel.exercises import has_exercises
from samizdat.kernel.game import Definition, definitions
from samizdat.kernel.telling import Phrase
from samizdat.kernel.tours import FIRST
from samizdat.table.board_files import board_of
from samizdat.table.boxes import Offered
from samizdat.table.cards import cards
from samizdat.table.declined import NoTable, NotAllowed, TooMany
from samizdat.table.guides import tours_of
from samizdat.table.house_rules import OptionWords, offers
from samizdat.table.language import LANGUAGES
from samizdat.table.limits import LARGEST_FILE
from samizdat.table.names import clean_name
from samizdat.table.opening import (
    BOT,
    CLOCKS,
    DAYS_EACH,
    DELAYED,
    HERE,
    INCREMENTS,
    LINK,
    ME,
    MINUTES,
    WATCHED,
    FormError,
    Wish,
    check_rated,
    chosen_chairs,
    chosen_game,
    chosen_manners,
    chosen_terms,
    level_words,
    variant_words,
)
from samizdat.table.players import PACES, REVELATIONS, THEMES, YEAR
from samizdat.table.rendering import sentence
from samizdat.table.routes.asking import (
    added,
    boxes_for,
    brought_file,
    chosen_box,
    house,
    inside,
    known_name,
    name_here,
    pages,
    remember,
    sent_form,
    stored,
    visitor,
    visitors,
)
from samizdat.table.tables import OVER

router = APIRouter(include_in_schema=False)

ADDRESS = re.compile(r"(?:.*/)?(sit|table)/([A-Za-z0-9_-]+)")
LONGEST_LINK = 300
MOST_CALLING = 8  # tables that the bar lists; the lobby has all
MOST_AT_ONCE = 3  # tables of a kind that stand open in the lobby; the others are one click away


@router.get("/")
async def lobby(request: Request) -> Response:
    """Your tables, the shelf, and open seats."""
    return HTMLResponse(await asyncio.to_thread(lobby_page, request))


def lobby_page(request: Request, lost: str = "", wrong_file: str = "", link: str = "") -> str:
    """The lobby, with what went wrong at one of its two small forms."""
    who, store = visitor(request), house(request).store
    now = house(request).time.now()
    mine = cards(store, store.tables_of(who.id), who.id, who.language, now)
    mine.sort(key=lambda card: -card.changed)
    waiting = cards(store, store.open_tables(), who.id, who.language, now)
    games = [(found, board_of(name)) for name, found in definitions().items()]
    games.sort(key=lambda game: game[1].EFFORT.learning)  # the first is where a newcomer begins
    return pages(request).render(
        "lobby.html.jinja", who, back="/", newcomer=not mine,
        calling=sorted((card for card in mine if card.yours), key=lambda card: card.urgency),
        resting=[card for card in mine if not card.yours and card.status != "over"],
        finished=[card for card in mine if card.status == "over"],
        waiting=[card for card in waiting if not card.sits],
        games=games, learning=LEARNING, most=MOST_AT_ONCE,
        guided={name: tours_of(name)[FIRST].minutes for name in definitions() if tours_of(name)},
        name=store.player_name(who.id) or "", lost=lost, wrong_file=wrong_file, link=link,
        say=lambda thing: sentence(thing, who.language),
    )  # fmt: skip


@router.get("/elsewhere")
async def elsewhere(request: Request, here: str = "") -> Response:
    """A piece of every page's bar: the tables that wait for whoever reads it, the one with the least time left first;
    then those that wait for others."""
    return HTMLResponse(await asyncio.to_thread(_elsewhere, request, here))


def _elsewhere(request: Request, here: str) -> str:
    who, store = visitor(request), house(request).store
    rows = store.turns_of(who.id)
    found = cards(store, rows, who.id, who.language, house(request).time.now())
    own = next((row.game for row in rows if row.id == here), None)  # a board's page has the signs of its game alone
    return pages(request).render(
        "elsewhere.html.jinja", who, here=next((card for card in found if card.id == here), None),
        calling=sorted((card for card in found if card.yours and card.id != here), key=lambda card: card.urgency),
        resting=[card for card in found if not card.yours and card.id != here][:MOST_AT_ONCE],
        sprites={row.game for row in rows if own is not None and row.game != own} & definitions().keys(),
        most=MOST_CALLING, say=lambda thing: sentence(thing, who.language),
    )  # fmt: skip


@router.get("/go")
async def go(request: Request, link: str = "") -> Response:
    """A pasted link or code: to the table or seat that it names."""
    who, here = visitor(request), house(request)
    bare = link.strip()[:LONGEST_LINK].split("?")[0].split("#")[0].rstrip("/")
    found = ADDRESS.fullmatch(bare)
    kind, code = (found[1], found[2]) if found else ("", bare)
    if kind != "table" and await stored(here.store.seat_of_key, code):
        return RedirectResponse(f"/sit/{code}", 303)
    if kind != "sit" and await stored(here.store.table, code) is not None:
        return RedirectResponse(f"/table/{code}", 303)
    lost = Phrase("No table or seat has this link; it may be incomplete, or the seat was given away.")
    page = await asyncio.to_thread(lobby_page, request, sentence(lost, who.language), "", link[:LONGEST_LINK])
    return HTMLResponse(page, 404)


# --- a new table -----------------------------------------------------------------------------------------


@router.get("/new/{name}")
async def new_table(request: Request, name: str) -> Response:
    wish = Wish(_game(name), {"box": request.query_params.get("box", "")})
    boxes = await stored(boxes_for, request, wish.definition)
    return HTMLResponse(new_page(request, wish, boxes, await known_name(request)))


@router.post("/new/{name}")
async def open_table(request: Request, name: str) -> Response:
    """Open a table as the form says: variant, players, options, seats. Nothing sent means the usual table."""
    who, here = visitor(request), house(request)
    form = await sent_form(request)
    wish = Wish(_game(name), form)
    mine = clean_name(form.get("name"), await name_here(request))
    boxes = await stored(boxes_for, request, wish.definition)
    try:
        game = chosen_game(wish, chosen_box(wish, boxes))
        chairs = chosen_chairs(wish, game, who.id, mine, who.language)
        manners, terms = chosen_manners(wish), chosen_terms(wish)
        if rated := wish.on("rated", False):
            check_rated(game, chairs, bool(who.session))
    except FormError as error:
        wrong = pages(request).explain(error, who.language)[0]
        return HTMLResponse(new_page(request, wish, boxes, await known_name(request), wrong), 422)
    await here.check_limit(who.id)
    await remember(request, mine)
    more = added(request, form)
    public = wish.on("public", False)
    table = await here.open_table(game, chairs, who.id, public, manners=manners, terms=terms, **more)
    if rated:
        await here.rate(table)
    return RedirectResponse(f"/table/{table.id}", 303)


def new_page(request: Request, wish: Wish, boxes: list[Offered], name: str, wrong: str = "") -> str:
    who = visitor(request)
    module = board_of(wish.definition.name)
    known = [wish.definition.standard_box, *(one.box for one in boxes)]
    return pages(request).render(
        "new.html.jinja", who, wish=wish, definition=wish.definition, board=module, wrong=wrong,
        levels=offered(wish.definition),
        say=lambda thing: sentence(thing, who.language), variant_words=variant_words, level_words=level_words,
        name=wish.text("name") or name, boxes=boxes, scenes=has_exercises(wish.definition),
        watched=WATCHED, delayed=DELAYED,
        offers=offers(wish.definition, *known), form=OptionWords(wish.definition.name, who.language),
        kinds={"me": ME, "here": HERE, "link": LINK, "bot": BOT},
        clocks=CLOCKS, minutes=MINUTES, increments=INCREMENTS, days_each=DAYS_EACH,
    )  # fmt: skip


def _game(name: str) -> Definition:
    if name not in definitions():
        raise NoTable(Phrase("There is no such game."))
    return definitions()[name]


# --- matches again, and from files ---------------------------------------------------------------------------


@router.post("/table/{id}/rematch")
async def rematch(request: Request, id: str) -> Response:
    """The same people at a new table, seats moved on by one; the second to click finds the table of the first."""
    who, here = visitor(request), house(request)
    table = await here.find(id)
    if not (table.held_by(who.id) or table.opened_by == who.id):
        raise NotAllowed(Phrase("Only those who sat at this table may ask for a rematch."))
    if table.status != OVER:
        raise NotAllowed(Phrase("A rematch begins when this match is over."))
    again = await here.rematch(table, who.id, **added(request, await request.form()))
    return RedirectResponse(f"/table/{again.id}", 303)


@router.post("/import")
async def import_file(request: Request) -> Response:
    """A match from a referee's file."""
    who, here = visitor(request), house(request)
    async with request.form() as form:
        upload: Any = form.get("file")
        try:
            large = Phrase("The file is larger than any match.")
            raw = await brought_file(upload, LARGEST_FILE, Phrase("Choose a match file first."), large)
            await here.check_limit(who.id, imported=True)
            name = await name_here(request)
            await remember(request, name)
            table = await here.import_match(raw.decode("utf-8", "replace"), who.id, name)
        except (FormError, MatchFileError, TooMany) as error:
            wrong = pages(request).explain(error, who.language)[0]
            return HTMLResponse(await asyncio.to_thread(lobby_page, request, "", wrong), 422)
    return RedirectResponse(f"/table/{table.id}", 303)


# --- preferences -----------------------------------------------------------------------------------------


@router.post("/preferences")
async def preferences(request: Request) -> Response:
    """Language, theme, helps, revelations, pace and sound, kept in the browser; and the name one sits down under."""
    form = await sent_form(request)
    response = RedirectResponse(inside(form.get("back", "/"), "/"), 303)
    if name := clean_name(form.get("name"), ""):
        await remember(request, name)
    known = {"lang": tuple(LANGUAGES), "theme": (*THEMES, ""), "helps": ("on", "off"), "revelations": REVELATIONS}
    known |= {"pace": PACES, "sound": ("on", "off")}
    for name, values in known.items():
        if (value := form.get(name)) in values:
            response.set_cookie(
                name, str(value), max_age=YEAR, samesite="lax", secure=visitors(request).secure(request)
            )
    return response
