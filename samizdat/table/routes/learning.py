"""First games: a table with a guide."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel, Field
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from samizdat.kernel.game import definitions
from samizdat.kernel.telling import Phrase
from samizdat.kernel.tours import FIRST, Progress
from samizdat.table.declined import NoTable
from samizdat.table.drawings import looked_at
from samizdat.table.guides import acts_of, slip, toured_game, tours_of
from samizdat.table.language import Speaker, language
from samizdat.table.opening import Wish, chosen_chairs
from samizdat.table.rendering import named
from samizdat.table.routes.asking import added, house, name_here, pages, remember, seat_at, stored, visitor

router = APIRouter(include_in_schema=False)


class TurnedSlip(BaseModel):
    """What somebody did with the slip; nothing: only the table has changed."""

    seat: int
    step: int | None = Field(None, ge=0, le=99)
    folded: bool | None = None


@router.post("/learn/{name}")
async def learn(request: Request, name: str, tour: str = FIRST) -> Response:
    """A new table with a guide, against easy bots."""
    who, here = visitor(request), house(request)
    if name not in definitions() or tour not in tours_of(name):
        raise NoTable(Phrase("There is no such game."))
    game = toured_game(definitions()[name], tour)
    mine = await name_here(request)
    await here.check_limit(who.id)
    await remember(request, mine)
    chairs = chosen_chairs(Wish(game.definition), game, who.id, mine, who.language)
    table = await here.open_table(game, chairs, who.id, public=False, **added(request, await request.form()))
    await stored(here.store.keep_tour, table.id, tour, Progress())
    return RedirectResponse(f"/table/{table.id}", 303)


@router.post("/table/{id}/tour")
async def guide(request: Request, id: str, turned: TurnedSlip) -> Response:
    """The slip of the present step, after the reader turned it or the table changed; nothing without a guide."""
    who, here = visitor(request), house(request)
    table = await here.find(id)
    seat = seat_at(table, who.id, turned.seat)
    kept = await stored(here.store.tour, id)
    tour = tours_of(table.game.name).get(kept[0]) if kept else None
    if kept is None or tour is None or table.match is None:
        return Response(status_code=204)
    position = looked_at(table, seat)
    progress = kept[1]
    acts = acts_of(table.match, position)
    if turned.folded is not None:
        progress = replace(progress, folded=turned.folded)
    elif turned.step is not None:
        progress = progress.turn(tour, turned.step, acts)
    else:
        progress = progress.follow(tour, table.game, position.seen, acts)
    if progress != kept[1]:
        await stored(here.store.keep_tour, id, kept[0], progress)
    say = Speaker(language(who.language), table.game, named(table.names, who.language))
    shown: dict[str, Any] = slip(tour, progress, position, say)
    return HTMLResponse(pages(request).render("slip.html.jinja", who, game=table.game.name, **shown))
