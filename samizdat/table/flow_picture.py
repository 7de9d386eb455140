"""The flow of a game as a picture: its decision points in the order of the rulebook, and the ways between them.

Points stand one below the other. Ways are arcs, the wider the oftener: those to a later point on the left, those back
to an earlier one on the right. Beside each point stands what is decided there most often and where that leads.
"""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from math import sqrt

from babel.numbers import format_percent
from markupsafe import Markup, escape

from samizdat.kernel.flow import DEAL, Flow, read_flow
from samizdat.kernel.game import Definition
from samizdat.kernel.points import OVER
from samizdat.table.language import Language

LEFT, RIGHT = 150, 150  # room for arcs
BOX = 300
WAYS = 250
GAP, LINE, PAD = 18, 17, 10
MOST_WAYS = 4  # named beside a point; the rest is summed up
ASKED_WIDTH = 39  # characters in a line of what is asked
WIDEST = 9.0
SMALLEST = 0.01  # share that is said as a number


@dataclass
class DrawnPoint:
    """A point of the picture."""

    name: str
    asked: list[str]
    rules: str
    ways: list[str]
    top: float = 0.0

    @property
    def height(self) -> float:
        return 2 * PAD + LINE * max(1 + len(self.asked), len(self.ways), 1)

    @property
    def middle(self) -> float:
        return self.top + self.height / 2


def flow_picture(definition: Definition, variant: str, language: Language, title: str) -> Markup:
    """An SVG that takes its colours from the page, or has our own where there is none."""
    flow = read_flow(definition)[variant]
    places = _places(definition, flow, language)
    y = float(GAP)
    for place in places.values():
        place.top = y
        y += place.height + GAP
    most = max(flow.times.values())
    arcs = [_arc(places, way, times, most) for way, times in _joined(flow).items()]
    width = LEFT + BOX + RIGHT + WAYS
    parts = [
        f'<svg class="flow" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {y:.0f}" width="{width}" '
        f'height="{y:.0f}" role="img" aria-label="{escape(title)}" '
        'font-family="IBM Plex Mono, monospace" font-size="12" color="var(--ink,#1c1b20)">',
        *arcs,
        *(_drawn(place) for place in places.values()),
        "</svg>",
    ]
    return Markup("\n".join(parts))


def _places(definition: Definition, flow: Flow, language: Language) -> dict[str, DrawnPoint]:
    """The deal, the points that this variant meets, the end."""

    def percent(share: float) -> str:
        rounded = format_percent(share, locale=language.locale)
        return rounded if share >= SMALLEST else f"< {format_percent(SMALLEST, locale=language.locale)}"

    met = {way.start for way in flow.times} | {way.end for way in flow.times}
    places = {DEAL: DrawnPoint(DEAL, [], "", [])}
    for point in definition.points.all:
        if point.name in met:
            asked = textwrap.wrap(language.gettext(point.asks, definition.name), ASKED_WIDTH)
            places[point.name] = DrawnPoint(point.name, asked, " ".join(point.rules), [])
    places[OVER] = DrawnPoint(OVER, [], "", [])
    for place in places.values():
        leaving = flow.leaving(place.name) if place.name != DEAL else []
        place.ways = [f"{way.kind} → {_plain(way.end)} {percent(share)}" for way, share in leaving[:MOST_WAYS]]
        if leaving[MOST_WAYS:]:
            place.ways.append(f"… {percent(sum(share for _, share in leaving[MOST_WAYS:]))}")
    return places


def _plain(name: str) -> str:
    return name.replace("_", " ")


def _joined(flow: Flow) -> dict[tuple[str, str], int]:
    """Arcs: by whatever kind of decision."""
    arcs: dict[tuple[str, str], int] = {}
    for way, times in flow.times.items():
        arcs[way.start, way.end] = arcs.get((way.start, way.end), 0) + times
    return arcs


def _arc(places: dict[str, DrawnPoint], way: tuple[str, str], times: int, most: int) -> str:
    start, end = places[way[0]], places[way[1]]
    order = list(places)
    wide = max(0.75, WIDEST * sqrt(min(1.0, times / most)))
    forth = order.index(start.name) < order.index(end.name)
    side, turn = (LEFT, -1) if forth else (LEFT + BOX, 1)
    room = (LEFT if forth else RIGHT) - 12
    y1, y2 = start.middle, end.middle
    if start is end:
        y1, y2 = start.middle - start.height / 4, start.middle + start.height / 4
        out = room * 0.35
    else:
        out = min(room * 1.3, 26 + abs(y2 - y1) * 0.28)
    x = side + turn * 4
    ink = "var(--edge,#827a6c)" if forth else "var(--carbon,#39447a)"
    head = 4 + wide / 2
    bend = side + turn * out
    title = escape(f"{_plain(start.name)} → {_plain(end.name)}: {times}")
    return (
        f'<g fill="none" stroke="{ink}" stroke-opacity=".7"><title>{title}</title>'
        f'<path d="M{side} {y1:.1f}C{bend:.1f} {y1:.1f} {bend:.1f} {y2:.1f} {x + turn * head:.1f} {y2:.1f}" '
        f'stroke-width="{wide:.2f}"/>'
        f'<path d="M{x:.1f} {y2:.1f}l{turn * head * 1.4:.1f} {-head * 0.7:.1f}v{head * 1.4:.1f}z" '
        f'fill="{ink}" stroke="none"/></g>'
    )


def _drawn(place: DrawnPoint) -> str:
    plain = not place.rules
    fill = "var(--well,#e3dbca)" if plain else "var(--sheet,#faf7ef)"
    top = place.top + PAD + 12
    rows = [
        f'<rect x="{LEFT}" y="{place.top:.1f}" width="{BOX}" height="{place.height:.1f}" rx="2" fill="{fill}" '
        'stroke="currentColor"/>',
        _written('fill="currentColor" font-weight="600"', [_line(LEFT + 10, top, _plain(place.name))]),
    ]
    if place.rules:
        numbers = _line(LEFT + BOX - 10, top, _shortened(place.rules))
        rows.append(_written('fill="var(--carbon,#39447a)" font-size="10" text-anchor="end"', [numbers]))
    asked = [_line(LEFT + 10, top + LINE * number, line) for number, line in enumerate(place.asked, 1)]
    ways = [_line(LEFT + BOX + RIGHT, top + LINE * number, line) for number, line in enumerate(place.ways)]
    rows.append(_written('fill="var(--ink-2,#45434a)" font-size="11"', [*asked, *ways]))
    return "\n".join(rows)


def _line(x: float, y: float, text: str) -> str:
    return f'<text x="{x}" y="{y:.1f}">{escape(text)}</text>'


def _written(how: str, lines: list[str]) -> str:
    """Lines of one look. It is their group's: the page's style says how text in pictures looks, but for what these
    inherit."""
    return f"<g {how}>{''.join(lines)}</g>" if lines else ""


def _shortened(rules: str) -> str:
    """The first numbers of a point."""
    first = rules.split()
    return " ".join(first[:3]) + (" …" if len(first) > 3 else "")
