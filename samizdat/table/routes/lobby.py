"""The lobby: opening tables, taking seats, coming back to them."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from samizdat.bots import LEVELS
from samizdat.kernel.errors import OptionError
from samizdat.kernel.game import Game, definition, definitions
from samizdat.kernel.telling import Phrase
from samizdat.table.house import LiveTable, NoTable, NotAllowed, SeatHere, new_key
from samizdat.table.language import LANGUAGES
from samizdat.table.players import THEMES, YEAR
from samizdat.table.rendering import board_of, sentence
from samizdat.table.routes.asking import house, pages, visitor

router = APIRouter(include_in_schema=False)

LONGEST_NAME = 24
BOT_NAMES = ("Ada", "Boris", "Celina", "Dmitri", "Elvira", "Fedor", "Greta", "Hugo")
LARGEST_FILE = 4 * 1024 * 1024


@dataclass(frozen=True)
class Card:
    """A table as the lobby shows it."""

    id: str
    game: str
    title: str
    glyph: str
    status: str
    yours: bool  # it waits for this browser
    acting: tuple[int, ...]
    names: tuple[str, ...]
    kinds: tuple[str, ...]
    held: frozenset[int]
    inks: tuple[str, ...]
    winners: tuple[str, ...]
    changed: float


def clean_name(text: object, otherwise: str) -> str:
    """A name as others will read it: printable, one line, not too long."""
    letters = "".join(letter for letter in str(text or "") if letter.isprintable())
    return " ".join(letters.split())[:LONGEST_NAME] or otherwise


@router.get("/")
async def lobby(request: Request) -> Response:
    """Your tables, the shelf, and open seats."""
    who, store = visitor(request), house(request).store
    mine = cards(store, store.tables_of(who.id), who.id)
    mine.sort(key=lambda card: (not card.yours, card.status == "over", -card.changed))
    waiting = [card for card in cards(store, store.open_tables(), who.id) if not card.held]
    games = [(found, board_of(name)) for name, found in definitions().items()]
    return HTMLResponse(
        pages(request).render(
            "lobby.html.jinja", who, mine=mine, waiting=waiting, games=games, now=time.time(),
            say=lambda thing: sentence(thing, who.language), name=store.player_name(who.id) or "",
        )
    )  # fmt: skip


def cards(store: Any, rows: Any, player: str) -> list[Card]:
    ids = [row.id for row in rows]
    seats, held = store.seats_of(ids), store.held_by(player, ids)
    found = []
    for row in rows:
        if row.game not in definitions():
            continue
        module = board_of(row.game)
        acting = (
            tuple(seat for seat in range(row.players) if (row.acting >> seat) & 1) if row.status == "playing" else ()
        )
        mine = frozenset(held.get(row.id, ()))
        names = tuple(seat.name for seat in seats[row.id])
        ranks = row.result["ranks"] if row.result else []
        found.append(
            Card(
                row.id, row.game, definitions()[row.game].title, module.GLYPH, row.status, bool(mine & set(acting)),
                acting, names, tuple(seat.kind for seat in seats[row.id]), mine, module.INKS,
                tuple(name for name, rank in zip(names, ranks, strict=False) if rank == 1), row.changed,
            )
        )  # fmt: skip
    return found


# --- a new table -----------------------------------------------------------------------------------------


@router.get("/new/{name}")
async def new_table(request: Request, name: str) -> Response:
    who = visitor(request)
    if name not in definitions():
        raise NoTable("There is no such game.")
    found = definition(name)
    return HTMLResponse(
        pages(request).render(
            "new.html.jinja", who, definition=found, board=board_of(name), levels=LEVELS,
            most=max(max(counts) for counts in found.variants.values()),
            say=lambda thing: sentence(thing, who.language),
            name=house(request).store.player_name(who.id) or "",
        )
    )  # fmt: skip


@router.post("/new/{name}")
async def open_table(request: Request, name: str) -> Response:
    """Open a table as the form says: game, variant, options, seats."""
    who, here = visitor(request), house(request)
    form = await request.form()
    game = chosen_game(name, form)
    mine = clean_name(form.get("name"), sentence(Phrase("Player"), who.language))
    await remember(request, mine)
    chairs = chosen_chairs(game, form, who.id, mine, who.language)
    if form.get("shuffle"):
        random.SystemRandom().shuffle(chairs)
    table = await here.open_table(game, chairs, who.id, bool(form.get("public")))
    return RedirectResponse(f"/table/{table.id}", 303)


def chosen_game(name: str, form: FormData) -> Game:
    found = definition(name)
    variant = str(form.get("variant") or next(iter(found.variants)))
    counts = found.variants.get(variant)
    if counts is None:
        raise OptionError(f"{found.title} has no variant {variant!r}.")
    wanted = str(form.get("players") or counts[-1])
    options: dict[str, Any] = {}
    for option in found.options:
        if option.variants and variant not in option.variants:
            continue
        given = form.get(f"option-{option.name}")
        if isinstance(option.default, bool):
            options[option.name] = given is not None
        elif isinstance(given, str) and given:
            options[option.name] = option.parse(given)
    return found.choose(int(wanted) if wanted.isdigit() else 0, variant, None, **options)


def chosen_chairs(game: Game, form: FormData, player: str, name: str, code: str) -> list[SeatHere]:
    """Each seat as the form says: `me`, `here` (hot-seat), `open` (by link) or `bot-LEVEL`."""
    bots = list(BOT_NAMES)
    random.SystemRandom().shuffle(bots)
    chairs = []
    for seat in range(game.players):
        kind = str(form.get(f"seat-{seat}") or ("me" if seat == 0 else "bot-novice"))
        if kind == "me":
            chairs.append(SeatHere("person", "", name, new_key(), {player}))
        elif kind == "here":
            other = clean_name(form.get(f"name-{seat}"), f"{sentence(Phrase('Player'), code)} {seat + 1}")
            chairs.append(SeatHere("person", "", other, new_key(), {player}))
        elif kind.startswith("bot-") and kind[4:] in LEVELS:
            chairs.append(SeatHere("bot", kind[4:], bots[seat], new_key()))
        else:
            chairs.append(SeatHere("open", "", "", new_key()))
    return chairs


async def remember(request: Request, name: str) -> None:
    """The player behind this browser, under the name given last."""
    who, store = visitor(request), house(request).store
    if store.player_name(who.id) is None:
        store.add_player(who.id, name)
    else:
        store.rename_player(who.id, name)


# --- seats -----------------------------------------------------------------------------------------------


@router.get("/sit/{key}")
async def seat_link(request: Request, key: str) -> Response:
    """A seat's own link: whoever has it is that seat's owner. An open seat asks for a name first."""
    who, here = visitor(request), house(request)
    found = here.store.seat_of_key(key)
    if found is None:
        raise NoTable("This seat's link is no longer valid; ask whoever opened the table for a new one.")
    table = await here.find(found[0])
    chair = table.chairs[found[1]]
    if chair.kind == "open":
        return HTMLResponse(
            pages(request).render(
                "sit.html.jinja", who, table=table, seat=found[1], key=key, title=table.game.definition.title,
                name=here.store.player_name(who.id) or "", inks=board_of(table.game.name).INKS,
            )
        )  # fmt: skip
    if chair.kind == "person":
        await remember(request, here.store.player_name(who.id) or chair.name)
        await here.hold(table, found[1], who.id)
    return RedirectResponse(
        f"/table/{table.id}?seat={found[1]}" if chair.kind == "person" else f"/table/{table.id}", 303
    )


@router.post("/sit/{key}")
async def sit_down(request: Request, key: str) -> Response:
    here = house(request)
    found = here.store.seat_of_key(key)
    if found is None:
        raise NoTable("This seat's link is no longer valid; ask whoever opened the table for a new one.")
    return await _sit(request, await here.find(found[0]), found[1])


@router.post("/table/{id}/sit")
async def sit_at_table(request: Request, id: str) -> Response:
    """Take an open seat of a table one can see."""
    form = await request.form()
    table = await house(request).find(id)
    return await _sit(request, table, _seat(table, form.get("seat")))


async def _sit(request: Request, table: LiveTable, seat: int) -> Response:
    who, here = visitor(request), house(request)
    form = await request.form()
    if table.chairs[seat].kind != "open":
        raise NotAllowed("That seat is taken.")
    name = clean_name(form.get("name"), here.store.player_name(who.id) or sentence(Phrase("Player"), who.language))
    await remember(request, name)
    await here.set_seat(table, seat, "person", name, who.id)
    return RedirectResponse(f"/table/{table.id}", 303)


@router.post("/table/{id}/seats")
async def change_seat(request: Request, id: str) -> Response:
    """Whoever opened the table frees a seat, gives it to a bot, or sits another person here down on it."""
    who, here = visitor(request), house(request)
    table = await here.find(id)
    if table.opened_by != who.id:
        raise NotAllowed("Only whoever opened the table may change its seats.")
    form = await request.form()
    seat, kind = _seat(table, form.get("seat")), str(form.get("kind"))
    if kind == "open":
        await here.set_seat(table, seat, "open", "", None)
    elif kind == "here":
        name = clean_name(form.get("name"), f"{sentence(Phrase('Player'), who.language)} {seat + 1}")
        await here.set_seat(table, seat, "person", name, who.id)
    elif kind.startswith("bot-") and kind[4:] in LEVELS:
        taken = {chair.name for chair in table.chairs}
        free = [name for name in BOT_NAMES if name not in taken]
        await here.set_seat(table, seat, "bot", random.SystemRandom().choice(free), None, level=kind[4:])
    return RedirectResponse(f"/table/{table.id}", 303)


def _seat(table: LiveTable, given: object) -> int:
    if not (isinstance(given, str) and given.isascii() and given.isdigit() and int(given) < table.game.players):
        raise NotAllowed("There is no such seat at this table.")
    return int(given)


@router.post("/table/{id}/rematch")
async def rematch(request: Request, id: str) -> Response:
    """The same people at a new table, seats moved on by one; the second to click finds the table of the first."""
    who, here = visitor(request), house(request)
    table = await here.find(id)
    if not (table.held_by(who.id) or table.opened_by == who.id):
        raise NotAllowed("Only those who sat at this table may ask for a rematch.")
    async with table.lock:
        if table.rematch is None:
            old = [*table.chairs[1:], table.chairs[0]]
            chairs = [SeatHere(chair.kind, chair.level, chair.name, new_key(), set(chair.holders)) for chair in old]
            again = await here.open_table(table.game, chairs, table.opened_by, table.public)
            here.store.set_table(table.id, rematch=again.id)
            table.rematch = again.id
            table.tell(change=True)
    return RedirectResponse(f"/table/{table.rematch}", 303)


@router.post("/import")
async def import_file(request: Request) -> Response:
    """A match from a referee's file."""
    who, here = visitor(request), house(request)
    form = await request.form()
    upload: Any = form.get("file")
    if not hasattr(upload, "read"):
        raise NotAllowed("Choose a match file first.")
    raw = await upload.read(LARGEST_FILE + 1)
    if len(raw) > LARGEST_FILE:
        raise NotAllowed("The file is larger than any match.")
    name = here.store.player_name(who.id) or sentence(Phrase("Player"), who.language)
    await remember(request, name)
    table = await here.import_match(raw.decode("utf-8", "replace"), who.id, name)
    return RedirectResponse(f"/table/{table.id}", 303)


# --- preferences -----------------------------------------------------------------------------------------


@router.post("/preferences")
async def preferences(request: Request) -> Response:
    """Language, theme and helps: kept in the browser."""
    form = await request.form()
    back = str(form.get("back") or "/")
    response = RedirectResponse(back if back.startswith("/") and not back.startswith("//") else "/", 303)
    known = {"lang": tuple(LANGUAGES), "theme": (*THEMES, ""), "helps": ("on", "off")}
    for name, values in known.items():
        if (value := form.get(name)) in values:
            response.set_cookie(name, str(value), max_age=YEAR, samesite="lax")
    return response
