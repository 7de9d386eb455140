"""Pictures for a rulebook: pieces of a board, drawn by the board's own macros at a position that a file describes.

`pictures.toml` in a game's folder says where the match stands, through whose eyes, and what is cut out of the
drawing; `pictures.html.jinja` beside it has a macro of the same name that draws it with the macros of the board:

    [at.evening]                    # a position, as kernel/positions.py reads it
    given.followers.tavern = { red = 2 }

    [picture.tavern]
    at = "evening"
    seat = "red"                    # nobody's eyes if left out
    draft = ["bid priest gold"]     # what this seat has composed so far
    wide = 900                      # pixels in which it is drawn
    cut = [0, 40, 400, 200]         # left, top, width and height of what is shown of it, in those pixels
    scale = 0.75

Pictures are made of the same elements and styles as boards, so they speak the reader's language and know the dark.
"""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from samizdat.kernel.game import Definition, definition
from samizdat.kernel.positions import arranged, seat_called
from samizdat.table.board_files import board_file
from samizdat.table.contexts import Context
from samizdat.table.language import language
from samizdat.table.preview import position
from samizdat.table.rendering import environment

DESK = (1280, 900)  # the screen that pictures are drawn for, whatever screen they are read on

# What makes an element of a board answer. A picture only shows; and it may show a thing twice, so that nothing in it
# has an id: styles find `data-id` instead.
LIVE = re.compile(r' (?:for|name|role|tabindex|title|aria-label)="[^"]*"|(?<=<a) href="[^"]*"')
ID = re.compile(r' id="([^"]*)"')
REFERRED = re.compile(r"url\(#(?!p-)([\w-]+)\)")  # patterns belong to the page
BUTTON = re.compile(r"(</?)button\b")
INPUT = re.compile(r"<input\b")


@dataclass(frozen=True)
class Picture:
    """What is drawn, and what is shown of it."""

    name: str
    at: str
    seat: str | None
    draft: tuple[str, ...]
    wide: int
    cut: tuple[int, int, int, int]
    scale: float

    @property
    def style(self) -> str:
        left, top, wide, high = (round(value * self.scale, 1) for value in self.cut)
        return f"--wide:{self.wide}px;--left:{-left}px;--top:{-top}px;--w:{wide}px;--h:{high}px;--scale:{self.scale}"


def _read(found: Definition) -> tuple[Mapping[str, Any], list[Picture]]:
    """The positions of a game's pictures, and the pictures."""
    file = found.folder / "pictures.toml"
    data = tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {"at": {}, "picture": {}}
    pictures = [
        Picture(
            name, one["at"], one.get("seat"), tuple(one.get("draft", ())), one["wide"], tuple(one["cut"]),
            one.get("scale", 1.0),
        )
        for name, one in data["picture"].items()
    ]  # fmt: skip
    return data["at"], pictures


@functools.cache
def pictures(name: str, code: str) -> Mapping[str, Markup]:
    """All pictures of a game in one language, by name."""
    found = definition(name)
    positions, wanted = _read(found)
    if not wanted:
        return {}
    macros = environment(code, name).get_template(f"{name}/pictures.html.jinja").module
    matches = {at: arranged(found, data) for at, data in positions.items()}
    drawn = {}
    for one in wanted:
        match = matches[one.at]
        seat = None if one.seat is None else seat_called(match.game, one.seat)
        context = Context(position(match, seat, one.draft), language(code), helps=True)
        board = Markup('<div class="board" data-game="{}">{}</div>').format(name, getattr(macros, one.name)(context))
        board = still(board, one.name)
        drawn[one.name] = Markup('<div class="cutout" style="{}" aria-hidden="true"><div>{}</div></div>').format(
            one.style, board
        )
    return drawn


def still(html: Markup, name: str) -> Markup:
    """A piece of a board that nothing can be done with; what it refers to by id gets one of the picture's own."""
    shown = str(html)
    for id in set(REFERRED.findall(shown)):
        shown = shown.replace(f"url(#{id})", f"url(#{name}-{id})").replace(f' id="{id}"', f' own-id="{name}-{id}"')
    shown = ID.sub(r' data-id="\1"', LIVE.sub("", shown)).replace(" own-id=", " id=")
    return Markup(INPUT.sub("<input disabled", BUTTON.sub(r"\1span", shown)))


# --- the style sheet -----------------------------------------------------------------------------------------

MEDIA = re.compile(r"@media ([^{]*)\{")
NAMED = re.compile(r"(?<!url\()#(?=[a-z])([\w-]+)")  # an id in a selector; colours come from tokens.css
SIZE = re.compile(r"\((min|max)-(width|height):(\d+)px\)")


@functools.cache
def desk_style(name: str) -> str:
    """A game's style sheet as it is on a desk: a cut would show something else where a board folds for a phone."""
    css = board_file(definition(name), "board.css").read_text(encoding="utf-8")
    return NAMED.sub(r"[data-id=\1]", _resolved(css))


def _resolved(css: str) -> str:
    """A style sheet without questions about the size of the screen: what holds on the desk stays, the rest goes."""
    found, at = [], 0
    while match := MEDIA.search(css, at):
        found.append(css[at : match.start()])
        end, depth = match.end(), 1
        while depth:
            depth += {"{": 1, "}": -1}.get(css[end], 0)
            end += 1
        if not SIZE.search(match[1]):
            found.append(css[match.start() : end])
        elif any(_holds(part) for part in match[1].split(",")):
            found.append(_resolved(css[match.end() : end - 1]))
        at = end
    return "".join([*found, css[at:]])


def _holds(condition: str) -> bool:
    there = dict(zip(("width", "height"), DESK, strict=True))
    return all(
        there[side] >= int(pixels) if limit == "min" else there[side] <= int(pixels)
        for limit, side, pixels in SIZE.findall(condition)
    )
