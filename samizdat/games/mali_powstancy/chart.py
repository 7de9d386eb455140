"""Mali Powstańcy: the city as it is drawn. Points of the box become shares of the board, routes become lines."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

from samizdat.kernel.bits import size
from samizdat.kernel.box import Box
from samizdat.kernel.game import Game

WIDE, HIGH = 1000, 1400  # the drawing's own units


class ChartPoint(NamedTuple):
    """A place of the drawing; `left` and `top` are shares of the board in per cent."""

    x: float
    y: float

    @property
    def style(self) -> str:
        """How a piece comes to lie there: it follows every resize of the board, and glides when it changes."""
        return f"transform:translate({self.left}%,{self.top}%)"

    @property
    def left(self) -> float:
        return round(self.x / WIDE * 100, 2)

    @property
    def top(self) -> float:
        return round(self.y / HIGH * 100, 2)


# Where a name stands beside its place: anchor, x, y, and how many words its first line has (0 for one line). It is
# out of the frame of a chosen place, 25 pixels from its middle, and clear of names, tags and places nearby.
LABELS: dict[str, tuple[str, int, int, int]] = {
    "plac_wilsona": ("middle", 12, -30, 0),
    "cytadela": ("middle", 0, -30, 0),
    "wytwornia_papierow": ("start", 28, -9, 1),
    "starowka": ("start", 28, 20, 0),
    "bank_polski": ("end", -28, -2, 1),
    "budynek_pasty": ("start", 28, 13, 0),
    "elektrownia_powisle": ("start", 28, -1, 0),
    "plac_trzech_krzyzy": ("middle", 24, -30, 0),
    "dworzec_pocztowy": ("end", -28, 23, 0),
    "browary_warszawskie": ("end", 8, -46, 1),
    "palacyk_michla": ("end", -8, 42, 1),
    "plac_narutowicza": ("end", -28, -2, 1),
    "sggw": ("end", -28, -1, 0),
    "stary_mokotow": ("start", 8, 42, 0),
    "aleja_szucha": ("start", 28, 9, 1),
    "przyczolek_czerniakowski": ("start", 8, -46, 1),
    "port": ("start", 8, -30, 0),
}
# Where the tags of orders stand beside their origin: x, y of the first, and the step to the next.
TAGS: dict[str, tuple[int, int, int, int]] = {
    "plac_wilsona": (-44, 0, 0, -22),
    "cytadela": (44, 0, 0, 22),
    "wytwornia_papierow": (-44, -16, 0, 22),
    "starowka": (24, 38, 0, 22),
    "bank_polski": (-12, 38, 0, 22),
    "budynek_pasty": (12, 38, 0, 22),
    "elektrownia_powisle": (24, -38, 34, 0),
    "plac_trzech_krzyzy": (24, 36, 0, 22),
    "dworzec_pocztowy": (44, 30, 0, 22),
    "browary_warszawskie": (-12, 38, -34, 0),
    "palacyk_michla": (-24, -38, 0, -22),
    "plac_narutowicza": (0, 38, -34, 0),
    "sggw": (-12, 38, -34, 0),
    "stary_mokotow": (-44, 8, 0, 22),
    "aleja_szucha": (-44, 0, 0, -22),
    "przyczolek_czerniakowski": (0, 38, 0, 22),
    "port": (12, 38, 0, 22),
}
# Districts have no colours of their own: paper tones and patterns, and a name; a letter where a phone has no room.
LAND: dict[str, tuple[float, float, str, str, int]] = {
    "zoliborz": (120, 73, "sheet", "p-diag2", 22),
    "wola": (78, 484, "paper", "", 22),
    "srodmiescie": (508, 602, "yellow", "", 19),
    "powisle": (525, 420, "sheet", "p-vert", 16),
    "ochota": (105, 913, "sheet", "p-diag", 22),
    "mokotow": (356, 1294, "paper", "", 22),
    "czerniakow": (870, 1232, "sheet", "p-dots", 22),
}
CROWDED = 20  # a name set smaller than this has no room on a phone
# Where a large token lies if not under the name of its district: where it covers no space.
LOST: dict[str, tuple[float, float]] = {"srodmiescie": (527, 552), "powisle": (592, 580)}

PRISON_CELL = ChartPoint(26, 1266)  # the corner of the prison, and of the place of those who escaped from it
HAND_CELL = ChartPoint(26, 1130)


# --- Places ---------------------------------------------------------------------------------------------------


def city(box: Box) -> dict[str, ChartPoint]:
    """Every space by its id."""
    return _sketch(box).points


@dataclass(frozen=True)
class Sketch:
    """What never changes on the map of one box."""

    box: Box  # kept, so that its identity stays its own
    points: dict[str, ChartPoint]
    chains: dict[str, list[str]]  # the spaces of each route from end to end
    lines: dict[str, str]


_SKETCHES: dict[int, Sketch] = {}


def _sketch(box: Box) -> Sketch:
    if id(box) not in _SKETCHES:
        tables = box.text.tables
        chains = {
            row["id"]: [row["a"], *(f"{row['id']}_{i}" for i in range(1, row["length"])), row["b"]]
            for row in tables["routes"]
        }
        points = {row["id"]: ChartPoint(row["x"], row["y"]) for row in tables["locations"]}
        for route, chain in chains.items():
            blanks = [row for row in tables["blanks"] if row["route"] == route]
            points |= {id: ChartPoint(row["x"], row["y"]) for id, row in zip(chain[1:-1], blanks, strict=True)}
        lines = {route: _path([points[space] for space in chain]) for route, chain in chains.items()}
        _SKETCHES[id(box)] = Sketch(box, points, chains, lines)
    return _SKETCHES[id(box)]


def beside(i: int, count: int) -> tuple[int, int]:
    """The offset of the i-th of several pieces on one space, in pixels."""
    if count == 1:
        return 0, 0
    radius = 12 if count == 2 else 7 + 2.5 * count
    turn = math.pi if count == 2 else -math.pi / 2
    angle = turn + 2 * math.pi * i / count + (0.35 if count == 2 else 0)
    return round(radius * math.cos(angle)), round(radius * math.sin(angle))


def cell(held: str, i: int) -> tuple[ChartPoint, tuple[int, int]]:
    """Where the i-th prisoner, or the i-th escaped scout, waits."""
    row, column = divmod(i, 4)
    return (PRISON_CELL if held == "prison" else HAND_CELL), (24 + 29 * column, 51 + 30 * row)


def scout_id(box: Box, seat: int, scout: int) -> str:
    colour = box.names["colours"][seat]
    return str([row["id"] for row in box.text.tables["scouts"] if row["colour"] == colour][scout])


def aside(x: int, y: int, crowd: int) -> tuple[int, int]:
    """What stands beside a place steps aside for those who stand there, and for the frame around one of them."""
    if crowd < 2:
        return x, y
    push = 4 + 3 * crowd
    if abs(y) > abs(x):
        return x, y + (push if y > 0 else -push)
    return x + (push if x > 0 else -push), y


def locations(box: Box, view: Mapping[str, Any], crowds: Mapping[str, int]) -> list[dict[str, Any]]:
    """Every location with its name, and whether it is lost."""
    points = city(box)
    found = []
    for row in box.text.tables["locations"]:
        anchor, x, y, first = LABELS.get(row["id"], ("start", 28, 6, 0))
        x, y = aside(x, y, crowds.get(row["id"], 0))
        words = row["name"].split()
        found.append(
            {
                "id": row["id"],
                "style": points[row["id"]].style,
                "home": row["start"],
                "district": row["district"],
                "lost": row["district"] in view["fallen"],
                "lines": [" ".join(words[:first]), " ".join(words[first:])] if first else [row["name"]],
                "anchor": anchor,
                "x": x,
                "y": y,
            }
        )
    return found


def blanks(box: Box, view: Mapping[str, Any]) -> list[tuple[str, str, bool]]:
    """Every blank: its id, how it comes to its place, and whether nobody may go there any more."""
    printed: Any = box.record
    names = box.names
    points = city(box)
    lost = [district in view["fallen"] for district in names["districts"]]
    blocked = [route in view["blocked"] for route in names["routes"]]
    return [
        (id, points[id].style, lost[printed.district[space]] or blocked[printed.route_of[space]])
        for space, id in enumerate(names["spaces"])
        if space >= printed.locations
    ]


def tags(view: Mapping[str, Any], crowds: Mapping[str, int]) -> list[dict[str, Any]]:
    """Every active order at its origin (2.6.1), side by side where several begin."""
    there: dict[str, int] = {}
    found = []
    for space, orders in enumerate(view["queue"], 1):
        for order in orders:
            origin = order["origin"]
            x, y, dx, dy = TAGS.get(origin, (0, 38, 34, 0))
            x, y = aside(x, y, crowds.get(origin, 0))
            i = there.get(origin, 0)
            there[origin] = i + 1
            found.append({**order, "space": space, "x": x + i * dx, "y": y + i * dy})
    return found


# --- Land -----------------------------------------------------------------------------------------------------


def _points(numbers: Sequence[int]) -> str:
    return " ".join(f"{x},{y}" for x, y in zip(numbers[::2], numbers[1::2], strict=True))


def districts(box: Box, view: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Every district: its outline, its name, what has failed there (2.12.2) and whether it is lost (2.12.3)."""
    found = []
    for row in box.text.tables["districts"]:
        x, y, ground, pattern, letters = LAND.get(row["id"], (*row["label"], "sheet", "", 22))
        found.append(
            {
                "id": row["id"],
                "points": _points(row["outline"]),
                "at": ChartPoint(x, y),
                "ground": ground,
                "pattern": pattern,
                "letters": letters,
                "crowded": letters < CROWDED,
                "initial": row["name"][0],
                "failures": view["failures"].get(row["id"], 0),
                "lost": row["id"] in view["fallen"],
                "token": ChartPoint(*LOST.get(row["id"], (x, y + 50))),
                "small": row["id"] in LOST,
            }
        )
    return found


def river(box: Box) -> dict[str, str] | None:
    """The two banks, and the water between them."""
    banks = [row["line"] for row in box.text.tables["river"]]
    if len(banks) != 2:
        return None
    left, right = banks[0], [*banks[1], WIDE, 850]
    back = [number for pair in reversed(list(zip(right[::2], right[1::2], strict=True))) for number in pair]
    return {"left": _points(left), "right": _points(right), "water": _points([*left, *back])}


# --- Routes ---------------------------------------------------------------------------------------------------


def _curve(points: Sequence[ChartPoint]) -> list[str]:
    """A smooth line through points, piece by piece, each as the end of an SVG path that is at its start."""
    pieces = []
    for i, (near, far) in enumerate(pairwise(points)):
        before, after = points[max(i - 1, 0)], points[min(i + 2, len(points) - 1)]
        near_pull = ChartPoint(near.x + (far.x - before.x) / 6, near.y + (far.y - before.y) / 6)
        far_pull = ChartPoint(far.x - (after.x - near.x) / 6, far.y - (after.y - near.y) / 6)
        pieces.append(
            f"C{near_pull.x:.0f} {near_pull.y:.0f} {far_pull.x:.0f} {far_pull.y:.0f} {far.x:.0f} {far.y:.0f}"
        )
    return pieces


def _path(points: Sequence[ChartPoint], first: int = 0, last: int | None = None) -> str:
    pieces = _curve(points)[first:last]
    return f"M{points[first].x:.0f} {points[first].y:.0f}{''.join(pieces)}"


def line(box: Box, route: str) -> str:
    """A whole route as an SVG path."""
    return _sketch(box).lines[route]


def straight(one: ChartPoint, other: ChartPoint) -> str:
    return f"M{one.x:.0f} {one.y:.0f}L{other.x:.0f} {other.y:.0f}"


def way(box: Box, start: str, end: str) -> str:
    """The line of a step or jump along the route that both spaces lie on."""
    points = city(box)
    for chain in _sketch(box).chains.values():
        if start in chain and end in chain:
            near, far = sorted((chain.index(start), chain.index(end)))
            return _path([points[space] for space in chain], near, far)
    return straight(points[start], points[end])


def march(game: Game, start: str, end: str) -> str:
    """2.7.4: one shortest way of the soldier."""
    printed: Any = game.box.record
    spaces = game.box.names["spaces"]
    here, goal = spaces.index(start), spaces.index(end)
    pieces = []
    while here != goal:
        nearer = next(
            printed.adjacent[here, i]
            for i in range(printed.degree[here])
            if printed.distance[printed.adjacent[here, i], goal] < printed.distance[here, goal]
        )
        pieces.append(way(game.box, spaces[here], spaces[nearer]))
        here = nearer
    return "".join(pieces)


def routes(box: Box, view: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Every route as a line, with the place of its token where it is blocked."""
    return [
        {
            "id": row["id"],
            "line": line(box, row["id"]),
            "blocked": row["id"] in view["blocked"],
            "token": token_place(box, row["id"], view) if row["id"] in view["blocked"] else None,
        }
        for row in box.text.tables["routes"]
    ]


def token_place(box: Box, route: str, view: Mapping[str, Any]) -> ChartPoint:
    """Where a small token stands: in the middle, in the extended variant in a district that it was put there for."""
    points = city(box)
    chain = _sketch(box).chains[route]
    blanks = chain[1:-1]
    if not blanks:  # A5
        one, other = points[chain[0]], points[chain[-1]]
        return ChartPoint((one.x + other.x) / 2, (one.y + other.y) / 2)
    printed: Any = box.record
    there = [blank for blank in blanks if view["failures"].get(_district(box, printed, blank))]
    blanks = there or blanks
    return points[blanks[len(blanks) // 2]]


def _district(box: Box, printed: Any, space: str) -> str:
    number: int = printed.district[box.names["spaces"].index(space)]
    return box.names["districts"][number]


# --- How far --------------------------------------------------------------------------------------------------


def far(game: Game, view: Mapping[str, Any], start: str, order: int) -> dict[str, int] | None:
    """As a help: the fewest steps to an order's destination on the board as it is, and the fewest movement points
    with jumps; None where no way is left."""
    printed: Any = game.box.record
    here, goal = game.box.names["spaces"].index(start), printed.destination[order]
    steps = _fewest(_walks(game, view), here, goal)
    if steps is None:
        return None
    return {"steps": steps, "points": _fewest(_walks(game, view, jumps=True), here, goal) or 0}


def _walks(game: Game, view: Mapping[str, Any], jumps: bool = False) -> dict[int, list[int]]:
    """Where one movement point leads from each space: 2.5.5 to 2.5.8, 2.12.3."""
    printed: Any = game.box.record
    names = game.box.names
    blocked = {names["routes"].index(route) for route in view["blocked"]}
    fallen = {names["districts"].index(district) for district in view["fallen"]}
    lost = sum(1 << district for district in fallen)
    closed = {space for space in range(printed.spaces) if printed.district[space] in fallen}
    if view["soldier"]:
        closed.add(names["spaces"].index(view["soldier"]))
    ways: dict[int, list[int]] = {}
    for space in range(printed.spaces):
        near = [(printed.adjacent[space, i], printed.by_route[space, i]) for i in range(printed.degree[space])]
        if jumps and space < printed.locations:
            near += [
                (printed.neighbour[space, i], printed.along[space, i])
                for i in range(printed.neighbours[space])
                if size(printed.passes[printed.along[space, i]] & lost) == 0
            ]
        ways[space] = [other for other, route in near if route not in blocked and other not in closed]
    return ways


def _fewest(ways: Mapping[int, Iterable[int]], here: int, goal: int) -> int | None:
    known = {here: 0}
    waiting = deque([here])
    while waiting:
        near = waiting.popleft()
        if near == goal:
            return known[near]
        for other in ways[near]:
            if other not in known:
                known[other] = known[near] + 1
                waiting.append(other)
    return None
