"""The picture that messengers show beside a link: what it is about at the left, the game's poster at the right.

It is drawn from a `LinkPreview` and nothing else. Always light, 1200 × 630, PNG, since few messengers take anything
else. The letters are our own faces (`letters/`, see `tools/drawn.py`); no font of the machine is asked for.
"""

from __future__ import annotations

import base64
import functools
import json
import re
import threading
from collections.abc import Sequence
from pathlib import Path

import resvg_py
from markupsafe import escape

from samizdat.kernel.game import definitions
from samizdat.table.invitations import LinkPreview
from samizdat.table.rendering import environment

LETTERS = Path(__file__).parent / "letters"
STATIC = Path(__file__).parent / "static"
WIDTH, HEIGHT, POSTER = 1200, 630, 456
EDGE, ROOM = 52, 662  # where the words begin, and how wide they may be
SIZES = ((113, 2), (96, 2), (80, 3), (64, 3), (52, 4))  # of the headline, and how many lines each may take
SMALL, SMALLER = 32, 26
KEPT = 100  # pictures in memory, some 40 KB each
COLOURS = {"pi": "#1C1B20", "pp": "#F4EEE0", "pr": "#C4241B", "well": "#E2DBC9", "ink": "#1C1B20", "sheet": "#FBF8F0"}
INK, PAPER, RED, GREY, EDGES = "#1C1B20", "#F4EEE0", "#C4241B", "#45434A", "#827A6C"
ONE = threading.Lock()  # drawing takes a whole processor; nobody's page waits for several


@functools.cache
def widths() -> dict[str, dict[str, float]]:
    """How wide each letter is, in ems; letters that are not there cannot be drawn."""
    found: dict[str, dict[str, float]] = json.loads((LETTERS / "widths.json").read_text(encoding="utf-8"))
    return found


@functools.cache
def inks() -> dict[str, str]:
    """Colours of seats by name, as the light page has them."""
    light = (STATIC / "tokens.css").read_text(encoding="utf-8").partition("@media")[0]
    return dict(reversed(re.findall(r"--c-(\w+): (#\w+)", light)))


def drawable(text: str, face: str = "poster") -> bool:
    return all(letter in widths()[face] for letter in text)


def wide(text: str, size: float, face: str) -> float:
    return size * sum(widths()[face].get(letter, 0.6) for letter in text)


def cut(text: str, size: float, face: str) -> str:
    """As much of a line as there is room for."""
    if wide(text, size, face) <= ROOM:
        return text
    while text and wide(f"{text}…", size, face) > ROOM:
        text = text[:-1]
    return f"{text.rstrip()}…"


def broken(text: str, size: float, room: float = ROOM) -> list[str]:
    """A headline in lines, each as full as it can be; a word that is too wide has a line of its own."""
    lines: list[str] = []
    for word in text.split():
        if lines and wide(f"{lines[-1]} {word}", size, "poster") <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def even(text: str, size: float) -> list[str]:
    """The same number of lines, about as wide as one another."""
    lines = broken(text, size)
    rooms = (room for room in range(ROOM // 3, ROOM, 20))
    return next((tried for room in rooms if len(tried := broken(text, size, room)) == len(lines)), lines)


def headline(text: str) -> tuple[int, list[str]]:
    """The largest size in which a headline fits, and its lines."""
    for size, most in SIZES:
        lines = even(text, size)
        if len(lines) <= most and all(wide(line, size, "poster") <= ROOM for line in lines):
            return size, lines
    size, most = SIZES[-1]
    return size, [cut(line, size, "poster") for line in broken(text, size)[:most]]


@functools.lru_cache(maxsize=KEPT)
def picture(preview: LinkPreview) -> bytes:
    """The picture as a PNG; takes a while the first time."""
    with ONE:
        return _png(drawing(preview))


def _png(svg: str) -> bytes:
    fonts = [str(LETTERS / "poster.ttf"), str(LETTERS / "typed.ttf")]
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True, font_files=fonts))


def drawing(preview: LinkPreview) -> str:
    size, lines = headline(preview.headline if drawable(preview.headline) else preview.plain)
    top = 72 + size
    words = [_text(line, EDGE, top + 0.94 * size * number, size) for number, line in enumerate(lines)]
    below = top + 0.94 * size * (len(lines) - 1) + 0.36 * size
    for line in preview.lines:
        size = SMALL if wide(line, SMALL, "typed") <= ROOM else SMALLER
        below += size * 1.4
        words.append(_text(cut(line, size, "typed"), EDGE, below, size, "typed", GREY))
    mark = f'{_text("SAMIZDAT", EDGE, 75, 35, space=3.1)}<rect x="191" y="61" width="15" height="15" fill="{RED}"/>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{PAPER}"/>{mark}{"".join(words)}{_seats(preview.seats)}'
        f'<image x="{WIDTH - POSTER}" y="0" width="{POSTER}" height="{HEIGHT}" href="{poster(preview.game)}"/></svg>'
    )


def _text(
    line: str, x: float, y: float, size: float, face: str = "poster", ink: str = INK, space: float = 0
) -> str:  # fmt: skip
    spaced = f' letter-spacing="{space}"' if space else ""
    where = f'x="{x}" y="{y:.0f}" font-family="Samizdat {face}" font-size="{size}" fill="{ink}"'
    return f"<text {where}{spaced}>{escape(line)}</text>"


def _seats(seats: Sequence[str]) -> str:
    """Each seat's shape in its colour; those that are free are dashed."""
    shapes = (
        '<circle r="20"/>', '<path d="M-18-18H18V18H-18Z"/>',
        '<path d="M0-24 24 18H-24Z"/>', '<path d="M0-26 26 0 0 26-26 0Z"/>',
    )  # fmt: skip
    free = f'fill="none" stroke="{EDGES}" stroke-width="2.6" stroke-dasharray="6 5"'
    drawn = []
    for number, ink in enumerate(seats):
        taken = f'fill="{inks().get(ink, GREY)}" stroke="{INK}" stroke-width="2.6"'
        place = f"translate({83 + 77 * number} 561)"
        drawn.append(f'<g transform="{place}" {taken if ink else free}>{shapes[min(number, 3)]}</g>')
    return "".join(drawn)


@functools.cache
def poster(game: str) -> str:
    """A game's poster, in the colours of a light page, drawn once: its many cuts take longer than all the rest, and
    nobody else is served while a picture is drawn. A game that brings none has its title there."""
    found = definitions()[game]
    html = environment("en").get_template(f"{game}/poster.svg").render(found=found)
    inside = html[html.index("<svg") :].partition(">")[2].rpartition("</svg>")[0]
    inside = re.sub(r"font:800 (\d+)px var\(--f-poster\)", r"font-family:'Samizdat poster';font-size:\1px", inside)
    inside = re.sub(r"var\(--([\w-]+)\)", lambda name: COLOURS.get(name[1]) or inks().get(name[1][2:], INK), inside)
    size = f'width="{POSTER}" height="{HEIGHT}" viewBox="0 0 300 400" preserveAspectRatio="xMidYMid slice"'
    ground = f'<rect x="-60" width="420" height="400" fill="{PAPER}"/>'
    png = _png(f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{ground}{inside}</svg>')
    return f"data:image/png;base64,{base64.b64encode(png).decode()}"
