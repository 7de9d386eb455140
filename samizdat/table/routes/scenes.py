"""Scenes: worked examples and puzzles, tried on the board, and matches that go on from them."""

from __future__ import annotations

import asyncio
from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel, Field
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from samizdat.kernel.exercises import Exercise, has_exercises
from samizdat.kernel.game import definitions
from samizdat.kernel.telling import Phrase
from samizdat.table.board_files import board_of
from samizdat.table.commands import Turn
from samizdat.table.declined import NoTable, NotAllowed
from samizdat.table.language import Speaker, language
from samizdat.table.lessons import lesson, lessons_of, seat_names, slip
from samizdat.table.opening import BOT, ME, STANDARD, USUAL_LEVEL, Wish, chosen_chairs, variant_words
from samizdat.table.practice import DONE, PracticeTable
from samizdat.table.rendering import named, sentence
from samizdat.table.routes.asking import house, name_here, pages, remember, seat_at, stored, visitor
from samizdat.table.routes.play import board_page

router = APIRouter(include_in_schema=False)


class TriedSlip(BaseModel):
    """What somebody did with the slip; nothing: only the table has changed."""

    seat: int
    act: str | None = Field(None, pattern="^(again|show|more)$")
    folded: bool | None = None


@router.get("/scenes/{name}")
async def scenes(request: Request, name: str) -> Response:
    """The worked examples and the puzzles of a game, and which of them this browser has solved."""
    if name not in definitions() or not has_exercises(definitions()[name]):
        raise NoTable(Phrase("There is no such scene."))
    who = visitor(request)
    solved = await stored(house(request).store.solved, who.id, name)
    return HTMLResponse(await asyncio.to_thread(_scenes_page, request, name, solved))


def _scenes_page(request: Request, name: str, solved: set[str]) -> str:
    who, found = visitor(request), definitions()[name]
    spoken = language(who.language)
    usual = next(iter(found.variants))

    def variant(one: Exercise) -> str:
        words = variant_words(board_of(name), one.game.variant)
        return "" if one.game.variant in (usual, STANDARD) else sentence(words, who.language)

    known = lessons_of(name)
    return pages(request).render(
        "scenes.html.jinja", who, definition=found, solved=solved, variant=variant,
        text=lambda words: spoken.gettext(words, game=name),
        examples=[one for one in known if one.puzzle is None], puzzles=[one for one in known if one.puzzle],
    )  # fmt: skip


@router.get("/scenes/{name}/{scene}")
async def scene_page(request: Request, name: str, scene: str) -> Response:
    """A scene on its board, for this visitor to try."""
    who = visitor(request)
    exercise = await asyncio.to_thread(lesson, name, scene)
    if exercise is None:
        raise NoTable(Phrase("There is no such scene."))
    table = PracticeTable(exercise, seat_names(exercise, language(who.language)), who.id)
    await house(request).lay_out(table)
    return await board_page(request, table, exercise.seat, guide="scene")


@router.post("/table/{id}/scene")
async def tried(request: Request, id: str, turned: TriedSlip) -> Response:
    """The slip of a scene, after its reader did something or asked for something."""
    who, here = visitor(request), house(request)
    table = await here.find(id)
    seat_at(table, who.id, turned.seat)
    if not isinstance(table, PracticeTable):
        raise NotAllowed(Phrase("There is no such scene."))
    if turned.folded is not None:
        await here.do(table, Turn("fold" if turned.folded else "unfold"))
    elif turned.act is not None:
        await here.do(table, Turn(turned.act))
    name, scene = table.game.name, table.exercise.name
    found = table.standing == DONE and not (table.shown and table.exercise.answer)
    if found and not table.kept:
        table.kept = True
        await remember(request, await name_here(request))
        await stored(here.store.keep_solved, who.id, name, scene)
    say = Speaker(language(who.language), table.game, named(table.names, who.language), turned.seat)
    shown: dict[str, Any] = await asyncio.to_thread(slip, table, say, found)
    return HTMLResponse(pages(request).render("scene.html.jinja", who, **shown))


@router.post("/scenes/{name}/{scene}/play")
async def play_on(request: Request, name: str, scene: str) -> Response:
    """A table that goes on from a scene, against easy bots; its match carries the position it began with."""
    who, here = visitor(request), house(request)
    exercise = await asyncio.to_thread(lesson, name, scene)
    start = await asyncio.to_thread(lambda: exercise.start) if exercise is not None else None
    if exercise is None or start is None:
        raise NoTable(Phrase("No match can go on from there."))
    game, mine = exercise.game, await name_here(request)
    await here.check_limit(who.id)
    await remember(request, mine)
    seats = {f"seat-{seat}": ME if seat == exercise.seat else f"{BOT}{USUAL_LEVEL}" for seat in range(game.players)}
    chairs = chosen_chairs(Wish(game.definition, seats), game, who.id, mine, who.language)
    table = await here.open_table(game, chairs, who.id, public=False, start=start)
    return RedirectResponse(f"/table/{table.id}", 303)
