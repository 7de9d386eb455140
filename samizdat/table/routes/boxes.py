"""Boxes: what of each game is sourced, and the values of one's own copy."""

from __future__ import annotations

import asyncio
import re
import secrets
from dataclasses import replace
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from samizdat.kernel.box import BoxFile, BoxText
from samizdat.kernel.boxfile import LONGEST_BOX, game_of_box, write_box
from samizdat.kernel.errors import BoxError, SamizdatError
from samizdat.kernel.game import Definition, definition, definitions
from samizdat.kernel.telling import Phrase
from samizdat.table.box_pages import ORIGIN_WORDS, BoxPage, share, summary
from samizdat.table.boxes import (
    MOST_BOXES,
    StaleForm,
    Typed,
    house_text,
    name_in,
    read_draft,
    renamed,
    sound,
    typed_in,
)
from samizdat.table.declined import NoTable, TooMany
from samizdat.table.language import Speaker, language
from samizdat.table.limits import LARGEST_BOX
from samizdat.table.opening import FormError
from samizdat.table.rendering import sentence
from samizdat.table.routes.asking import (
    brought_file,
    house,
    name_here,
    own_boxes,
    pages,
    remember,
    sent_form,
    stored,
    visitor,
)
from samizdat.table.store.boxes import OwnBox

router = APIRouter(include_in_schema=False)

HOUSE = "house"  # the box that everybody has, instead of one's own
TOML = "application/toml; charset=utf-8"
ACTS = ("copy", "house", "add", "remove")
UNSAFE = re.compile(r"[^\w-]+")
NO_BOX = Phrase("There is no such box; it may have been thrown away.")
NOTHING_PRINTED = Phrase("Nothing is printed in this game that a box could change.")
TOO_MANY_BOXES = Phrase("You keep as many boxes as one person may; throw one away first.")
MY_COPY = Phrase("My copy")


def _game(name: str) -> Definition:
    if name not in definitions():
        raise NoTable(Phrase("There is no such game."))
    if definitions()[name].read_box is None:
        raise NoTable(NOTHING_PRINTED)
    return definitions()[name]


@router.get("/boxes")
async def all_boxes(request: Request) -> Response:
    """What of every game is sourced, and what not."""
    return HTMLResponse(await asyncio.to_thread(overview, request))


def overview(request: Request, wrong: str = "") -> str:
    who = visitor(request)
    speech = language(who.language)
    found = [
        (one, BoxPage(one, one.standard_box.text, speech, right=True))
        for one in definitions().values()
        if one.read_box is not None
    ]
    return pages(request).render(
        "boxes.html.jinja", who, games=found, origins=ORIGIN_WORDS, say=Speaker(speech), share=share,
        summary=lambda counts: summary(counts, speech), wrong=wrong,
    )  # fmt: skip


# --- one box ---------------------------------------------------------------------------------------------


@router.get("/box/{name}")
async def your_box(request: Request, name: str, table: str = "") -> Response:
    """The box somebody typed last, or everybody's."""
    mine = await stored(own_boxes(request).of, visitor(request).id, _game(name).name)
    return await _page(request, _game(name), mine[0] if mine else None, table)


@router.get("/box/{name}/{id}")
async def one_box(request: Request, name: str, id: str, table: str = "") -> Response:
    return await _page(request, _game(name), await _own(request, name, id), table)


@router.post("/box/{name}/{id}")
async def type_in(request: Request, name: str, id: str) -> Response:
    """What was typed into one table; the first value typed into everybody's box makes it one's own."""
    found, who = _game(name), visitor(request)
    form = await sent_form(request)
    own = await _own(request, name, id)
    changed, table = await asyncio.to_thread(_typed, found, own, form, who.language)
    if own is None:
        own = await _keep(request, found, changed)
    else:
        await stored(own_boxes(request).change, replace(own, text=write_box(changed)))
    return RedirectResponse(f"/box/{name}/{own.id}?table={table}", 303)


def _typed(found: Definition, own: OwnBox | None, form: dict[str, str], code: str) -> tuple[BoxText, str]:
    text = _text(found, own)
    if own is None:
        text = replace(text, name=sentence(MY_COPY, code))
    page = BoxPage(found, text, language(code), form.get("table", ""), right=True)  # not asked for yet
    pressed = next(((act, form[act]) for act in ACTS if act in form), ("", ""))
    fields = {key: value for key, value in form.items() if key.startswith("c-") or key == "rows"}
    try:
        changed = typed_in(text, house_text(found), Typed(page.table, fields, *pressed), page.find)
    except StaleForm as error:
        raise FormError(error.args[0]) from None
    return renamed(changed, form.get("name", "")), page.table


@router.post("/box/{name}/{id}/delete")
async def throw_away(request: Request, name: str, id: str) -> Response:
    """Matches that are played with it keep theirs."""
    if await _own(request, name, id) is not None:
        await stored(own_boxes(request).remove, visitor(request).id, id)
    return RedirectResponse(f"/box/{name}", 303)


@router.get("/box/{name}/{id}/file")
async def download(request: Request, name: str, id: str) -> Response:
    """The box as a file, for `--box` and for others."""
    found, own = _game(name), await _own(request, name, id)
    return _file(found, write_box(_text(found, own)), own is not None)


def _file(found: Definition, text: str, own: bool) -> Response:
    called = f"{found.name}{'-mine' if own else ''}.toml"
    return Response(text, media_type=TOML, headers={"Content-Disposition": f'attachment; filename="{called}"'})


@router.post("/boxes/upload")
async def upload(request: Request) -> Response:
    """A box file somebody brings: one more box of theirs. One that is no box is refused in a sentence."""
    who = visitor(request)
    async with request.form() as form:
        given: Any = form.get("file")
        try:
            large = Phrase("The file is larger than any box: at most {most} KB.", {"most": LONGEST_BOX // 1024})
            raw = await brought_file(given, LARGEST_BOX, Phrase("Choose a box file first."), large)
            called = UNSAFE.sub("_", str(given.filename).removesuffix(".toml"))[:40] or "box"
            found, text = await asyncio.to_thread(_brought, f"{called}.toml", raw)
            own = await _keep(request, found, text)
        except (FormError, BoxError, TooMany) as error:
            words = pages(request).explain(error, who.language)[0]
            return HTMLResponse(await asyncio.to_thread(overview, request, words), 422)
    return RedirectResponse(f"/box/{found.name}/{own.id}", 303)


def _brought(called: str, raw: bytes) -> tuple[Definition, BoxText]:
    try:
        words = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BoxError(Phrase("{file}: not a text file in UTF-8.", {"file": called})) from None
    try:
        found = definition(game_of_box(BoxFile(called, words)))
    except BoxError:
        raise
    except SamizdatError as error:
        raise BoxError(Phrase("{file}: {why}", {"file": called, "why": error.args[0]})) from None
    if found.read_box is None:
        raise BoxError(NOTHING_PRINTED)
    return found, read_draft(found, called, words)


async def _keep(request: Request, found: Definition, text: BoxText) -> OwnBox:
    """One more box of one's own."""
    who, own = visitor(request), own_boxes(request)
    if await stored(own.count, who.id) >= MOST_BOXES:
        raise TooMany(TOO_MANY_BOXES)
    await remember(request, await name_here(request))
    box = OwnBox(secrets.token_urlsafe(9), who.id, found.name, write_box(text))
    await stored(own.add, box)
    return box


async def _own(request: Request, name: str, id: str) -> OwnBox | None:
    """One's own box; None is everybody's."""
    if id == HOUSE:
        return None
    own = await stored(own_boxes(request).find, visitor(request).id, id)
    if own is None or own.game != name:
        raise NoTable(NO_BOX)
    return own


def _text(found: Definition, own: OwnBox | None) -> BoxText:
    return house_text(found) if own is None else read_draft(found, "box.toml", own.text)


async def _page(request: Request, found: Definition, own: OwnBox | None, table: str) -> Response:
    mine = await stored(own_boxes(request).of, visitor(request).id, found.name)
    return HTMLResponse(await asyncio.to_thread(_written, request, found, own, mine, table))


def _written(request: Request, found: Definition, own: OwnBox | None, mine: list[OwnBox], table: str) -> str:
    who = visitor(request)
    speech = language(who.language)
    page = BoxPage(found, _text(found, own), speech, table, right=own is None)
    others = [(one.id, name_in(one.text), sound(found.name, one.text)) for one in mine]
    return pages(request).render(
        "box.html.jinja", who, definition=found, page=page, id=own.id if own else HOUSE, own=own is not None,
        others=others, path=f"/box/{found.name}/{own.id if own else HOUSE}", **_words(speech),
    )  # fmt: skip


def _words(speech: Any) -> dict[str, Any]:
    return {
        "origins": ORIGIN_WORDS, "say": Speaker(speech), "share": share,
        "summary": lambda counts: summary(counts, speech),
    }  # fmt: skip


# --- the box of a table ----------------------------------------------------------------------------------


@router.get("/table/{id}/box")
async def box_of_table(request: Request, id: str, table: str = "") -> Response:
    """What a match is played with: everybody at the table may read it, as they would turn the cards over at home."""
    who, there = visitor(request), await house(request).find(id)
    found, speech = there.game.definition, language(who.language)
    _game(found.name)
    page = await asyncio.to_thread(BoxPage, found, there.game.box.text, speech, table, True)
    write = pages(request).render(
        "box.html.jinja", who, definition=found, page=page, id="", own=False, others=[], path=f"/table/{id}/box",
        of_table=there, **_words(speech),
    )  # fmt: skip
    return HTMLResponse(write)


@router.get("/table/{id}/box/file")
async def file_of_table(request: Request, id: str) -> Response:
    there = await house(request).find(id)
    found = _game(there.game.name)
    return _file(found, write_box(there.game.box.text), there.game.printed is not None)
