"""A War of Whispers: where things lie on the board and how they are marked, in plain numbers for the template."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from samizdat.games.war_of_whispers import state as e
from samizdat.games.war_of_whispers.flights import flights_of
from samizdat.games.war_of_whispers.state import NOBODY, POSITIONS
from samizdat.kernel.boards import Seen
from samizdat.kernel.box import BoxText
from samizdat.kernel.game import Game
from samizdat.kernel.telling import Many, Phrase, Told, Word

View = Mapping[str, Any]

# The part of the board of 1400 by 1000 (box.toml, outlines) that is shown: left, top, width, height.
FRAME = (84, 20, 1300, 905)
# Colour never works alone: the pattern of an empire's land and the foot of its banner (30 by 33 around 0, 0).
PATTERNS = {"bear": "dots", "eagle": "diag", "elephant": "vert", "lion": "", "horse": "tick"}
FEET = {
    "bear": "M-15-15H15V18L0 9-15 18Z",
    "eagle": "M-15-15H15V9L0 19-15 9Z",
    "elephant": "M-15-15H15V15H-15Z",
    "lion": "M-15-15H15V11L10 18 5 11 0 18-5 11-10 18-15 11Z",
    "horse": "M-15-15H15V18L-15 9Z",
}
# Names of waters that have room for one, in hundredths of the board.
SEAS = {"inner_sea": (59.5, 60.5), "southern_gulf": (43.8, 84.6), "outer_ocean": (87.0, 7.5)}
# Pieces and names moved from the middle of their region, in pixels, where a coast or a neighbour is in the way.
NUDGES = {
    "bear_3": (4, 2), "bear_4": (0, 4), "bear_6": (0, 0), "eagle_1": (2, 0), "eagle_4": (4, 0), "lion_2": (4, 4),
    "lion_7": (4, -4), "lion_8": (2, -2), "lion_9": (-2, -4), "horse_8": (10, 0), "horse_9": (8, -4),
    "horse_10": (4, -4), "horse_7": (8, 0), "elephant_2": (0, -6), "elephant_3": (-2, -4), "elephant_1": (4, -4),
}  # fmt: skip
# On a phone: where the sign of drafted banners, above banners, would lie on a neighbour.
PHONE_LAID = {"lion_1": (-14, -36), "lion_2": (-8, -36), "lion_5": (-14, -36)}
ICONS = ("city", "farm", "fortress")
# Kinds of decision by where they are made.
ON_REGIONS = ("recall", "station", "from", "to", "in", "place", "burn")
ON_SEATS = ("retrieve", "deploy", "seat")
ON_CARDS = ("pay", "discard")
WINDOWS = ("before", "source", "join", "after")

# How first place was decided (R16).
DECIDED = {
    "points": Phrase("decided by points"),
    "fewer_swaps": Phrase("decided by fewer swapped tokens"),
    "more_cards": Phrase("decided by more cards in hand"),
    "shared": Phrase("the victory is shared"),
}


def picture(game: Game, seen: Seen) -> dict[str, Any]:
    """Everything that the template draws besides the view."""
    view = seen.view
    kinds = {notation.partition(" ")[0] for notation in seen.legal}
    marks = marks_of(game, seen.last)
    drafted = Counter(seen.draft.chosen) if seen.draft else Counter[str]()
    regions = regions_of(game, view, kinds, marks, drafted)
    return {
        "frame": " ".join(str(number) for number in FRAME),
        "land": land_of(game),
        "seas": [(id, x, y) for id, (x, y) in SEAS.items() if id in game.box.text.ids("waters")],
        "regions": regions,
        "arrow": arrow_of(view, regions, marks),
        "flights": flights_of(game, view, seen.last),
        "region_move": next((kind for kind in ON_REGIONS if kind in kinds), None),
        "seat_move": next((kind for kind in ON_SEATS if kind in kinds), None),
        "card_move": next((kind for kind in ON_CARDS if kind in kinds), None),
        "plays": view["point"] in WINDOWS and "play" in kinds,
        "numbers": numbers_of(game, seen),
        "inks": inks_of(game),
        "feet": FEET,
        "councils": councils_of(game, view, kinds, marks),
        "hand": hand_of(game, seen, drafted),
        "values": {row["id"]: row["value"] for row in game.box.text.tables["slots"]},
        "worth": worth_of(game, seen),
        "swaps": swaps_of(seen),
        "drafted": drafted,
        "rounds": game.box.text.constants["rounds"],
        "hand_limit": game.box.text.constants["hand_limit"],
        "winners": winners_of(view),
        "decided": DECIDED[view["reason"]] if view["reason"] else None,
        "count": count,
        "lines": lines,
    }


def count(empire: str, banners: int) -> Many:
    """So many banners of an empire."""
    return Many("{n} {empire} banner", "{n} {empire} banners", banners, {"empire": Word("empires", empire)})


def lines(name: str, most: int = 15) -> list[str]:
    """A name on the map in one line, or in two of about the same length."""
    gaps = [place for place, letter in enumerate(name) if letter == " "]
    if len(name) <= most or not gaps:
        return [name]
    middle = min(gaps, key=lambda place: abs(2 * place - len(name)))
    return [name[:middle], name[middle + 1 :]]


def inks_of(game: Game) -> dict[str, str]:
    """The printing ink of each empire."""
    return {row["id"]: row["colour"] for row in game.box.text.tables["empires"]}


# --- The land -------------------------------------------------------------------------------------------


def share(x: float, y: float) -> tuple[float, float]:
    """A point of the board as hundredths of what is shown of it."""
    left, top, width, height = FRAME
    return round((x - left) / width * 100, 2), round((y - top) / height * 100, 2)


def corners(outline: Sequence[int]) -> list[tuple[int, int]]:
    """The corners of an outline, in tenths."""
    return list(zip(outline[::2], outline[1::2], strict=True))


def path(points: Sequence[tuple[int, int]], closed: bool = True) -> str:
    """The same as the path of an SVG."""
    steps = " ".join(f"{x / 10:g} {y / 10:g}" for x, y in points)
    return f"M{steps}Z" if closed else f"M{steps}"


_LANDS: dict[int, tuple[BoxText, dict[str, Any]]] = {}


def land_of(game: Game) -> dict[str, Any]:
    """The land of a box, worked out once; the box is kept beside it so that its id stays its own."""
    text = game.box.text
    if id(text) not in _LANDS:
        _LANDS[id(text)] = (text, draw_land(game))
    return _LANDS[id(text)][1]


def draw_land(game: Game) -> dict[str, Any]:
    """Outlines by region and by empire, and the edges along which two empires meet."""
    home = {row["id"]: row["empire"] for row in game.box.text.tables["regions"]}
    drawn = {row["region"]: corners(row["outline"]) for row in game.box.text.tables["outlines"]}
    empires = []
    for id, ink in inks_of(game).items():
        outline = "".join(path(points) for region, points in drawn.items() if home[region] == id)
        empires.append({"id": id, "ink": ink, "pattern": PATTERNS.get(id, ""), "path": outline})
    owner: dict[frozenset[tuple[int, int]], str] = {}
    fronts = []
    for region, points in drawn.items():
        for one, two in zip(points, [*points[1:], points[0]], strict=True):
            other = owner.setdefault(frozenset((one, two)), home[region])
            if other != home[region]:
                fronts.append(path((one, two), closed=False))
    outlines = {region: path(points) for region, points in drawn.items()}
    return {"empires": empires, "fronts": "".join(fronts), "outlines": outlines}


# --- What lies on it ------------------------------------------------------------------------------------


def regions_of(
    game: Game, view: View, kinds: set[str], marks: dict[str, set[str]], drafted: Counter[str]
) -> list[dict[str, Any]]:
    """Each region with its place, its banners and its marks."""
    drawn = {row["region"]: row for row in game.box.text.tables["outlines"]}
    outlines = land_of(game)["outlines"]
    inks = inks_of(game)
    doing = view["resolving"] or {}
    chosen = {doing.get("source"), doing.get("used_on")}
    added = {choice.split()[1]: n for choice, n in drafted.items() if choice.split()[0] in ("place", "burn", "from")}
    sign = 1 if "place" in kinds else -1
    regions = []
    for number, (row, now) in enumerate(zip(game.box.text.tables["regions"], view["regions"], strict=True)):
        id = row["id"]
        place = drawn.get(id)
        # A box without a drawing of its map has its regions in rows.
        x, y = share(place["x"], place["y"]) if place else (6 + number % 8 * 12.5, 8 + number // 8 * 18.0)
        icons = [icon for icon in ICONS if row[icon]]
        banner_x = (0, -20, -28, -40)[len(icons)]
        limit = game.box.text.constants["supply_limit_with_farm" if row["farm"] else "supply_limit"]
        regions.append(
            {
                "id": id,
                "x": x,
                "y": y,
                "nudge": NUDGES.get(id, (0, 0)),
                "path": outlines.get(id, ""),
                "home": row["empire"],
                "tint": inks[row["empire"]],
                "icons": icons,
                "banners": now["banners"],
                "holder": now["controlled_by"],
                "ink": inks[now["controlled_by"]],
                "agents": now["agents"],
                "above": now["banners"] > limit,
                "limit": limit,
                "banner_x": banner_x,
                "icon_x": _spread(len(icons), 18 if len(icons) == 1 else 16, bool(now["banners"])),
                "phone_x": [24 * k - 12 * (len(icons) - 1) for k in range(len(icons))],
                "chosen": id in chosen,
                "last": id in marks["regions"],
                "added": sign * added.get(id, 0),
                "laid": _laid(len(icons), banner_x if now["banners"] else None),
                "phone_laid": _laid_on_a_phone(id, bool(icons), bool(now["banners"])),
            }
        )
    return regions


def _spread(icons: int, x: int, beside_banner: bool) -> list[int]:
    """Where the icons of a region stand: beside its banner, or in its middle."""
    middle = x if beside_banner else 0
    return [middle + 24 * k - 12 * (icons - 1) for k in range(icons)]


def _laid(icons: int, banner_x: int | None) -> tuple[int, int]:
    """Where the sign of drafted banners stands: above the banners that are there, or above the icons."""
    if banner_x is not None:
        return banner_x + 2, -25
    return (0, -26) if icons else (0, -2)


def _laid_on_a_phone(id: str, icons: bool, banners: bool) -> tuple[int, int]:
    """The same on a phone, where banners stand above their icons and neighbours are near."""
    if banners and id in PHONE_LAID:
        return PHONE_LAID[id]
    if banners:
        return (4, -38) if icons else (4, -24)
    return (0, 25) if icons else (0, 0)


def arrow_of(view: View, regions: Sequence[View], marks: dict[str, set[str]]) -> dict[str, Any] | None:
    """The attack or march being decided, or else the latest one: from where, to where, with how many."""
    place = {region["id"]: region for region in regions}
    doing = view["resolving"] or {}
    source, target = doing.get("source"), doing.get("target")
    banners = doing.get("banners_attacking") or 0
    now = bool(source and target)
    if not now:
        latest = next(iter(marks["marches"]), None)
        if latest is None:
            return None
        source, target, number = latest.split()
        banners = int(number)
    one, two = place[source], place[target]
    # The line ends before the pieces it points to, and the banners stand in its middle.
    dx, dy = two["x"] - one["x"], two["y"] - one["y"]
    return {
        "x1": round(one["x"] + 0.24 * dx, 2), "y1": round(one["y"] + 0.24 * dy, 2),
        "x2": round(one["x"] + 0.78 * dx, 2), "y2": round(one["y"] + 0.78 * dy, 2),
        "x": round(one["x"] + 0.46 * dx, 2), "y": round(one["y"] + 0.46 * dy, 2), "from": (one["x"], one["y"]),
        "now": now, "banners": banners, "empire": doing.get("empire") if now else None,
    }  # fmt: skip


def marks_of(game: Game, last: Sequence[Told]) -> dict[str, set[str]]:
    """What the latest decision touched: regions, council seats, and banners on their way."""
    regions, posts = game.box.names["regions"], game.box.names["councils"]
    marks: dict[str, set[str]] = {"regions": set(), "posts": set(), "marches": set()}
    in_regions = {
        e.RECALLS: (1,), e.STATIONS: (1,), e.PLACES: (1,), e.ATTACKS: (1, 2), e.TAKES: (0,), e.HOLDS: (0,),
        e.EMPTIED: (0,), e.MARCHES: (1, 2), e.DESTROYS: (1,), e.DISPERSES: (1,), e.LIFTS: (1,),
    }  # fmt: skip
    on_seats = {e.RETRIEVES: (1,), e.DEPLOYS: (1,), e.SWAPS_SEATS: (1, 2), e.MOVES_AGENT: (1, 2), e.PASSES: (1,)}
    for told in last:
        marks["regions"] |= {regions[told.args[i]] for i in in_regions.get(told.event, ())}
        marks["posts"] |= {posts[told.args[i]] for i in on_seats.get(told.event, ())}
        if told.event in (e.ATTACKS, e.MARCHES):
            marks["marches"] = {f"{regions[told.args[1]]} {regions[told.args[2]]} {told.args[3]}"}
    return marks


def numbers_of(game: Game, seen: Seen) -> list[dict[str, Any]]:
    """The numbers of banners to choose from; for an attack with what would come of each (R10.5 to R10.7)."""
    numbers = [int(notation.split()[1]) for notation in seen.legal if notation.startswith("number ")]
    doing = seen.view["resolving"] or {}
    if seen.view["point"] != "force" or not numbers:
        return [{"n": n, "outcome": None, "left": 0} for n in numbers]
    target = next(region for region in seen.view["regions"] if region["id"] == doing["target"])
    rows = game.box.text.tables["regions"]
    fortress = next(row["fortress"] for row in rows if row["id"] == doing["target"])
    found = []
    for n in numbers:
        rest = n - fortress - target["banners"]
        outcome = "takes" if rest > 0 else "holds" if rest < 0 and target["banners"] else "empties"
        found.append({"n": n, "outcome": outcome, "left": abs(rest)})
    return found


# --- Councils -------------------------------------------------------------------------------------------


def yield_of(view: View, row: View, action: View) -> int | None:
    """What an action of a council seat would bring now (R7.1, R7.3, R8, A7); None for one that counts nothing."""
    empire = next(one for one in view["empires"] if one["id"] == row["empire"])
    icons = {"farm": empire["farms"], "fortress": empire["fortresses"]}
    amount = action["amount"] * (icons[action["icon"]] // max(1, action["per"]) if action["icon"] else 1)
    if action["kind"] == "add":
        return int(min(amount, empire["reserve"]))
    return int(min(amount, empire["deck"])) if action["kind"] == "draw" else None


def councils_of(game: Game, view: View, kinds: set[str], marks: dict[str, set[str]]) -> list[dict[str, Any]]:
    """The five councils with their seats; which have acted, which is at the marker, for which an action is taken."""
    tables = game.box.text.tables
    actions = {row["id"]: row for row in tables["actions"]}
    ids = list(game.box.names["councils"])
    marker = ids.index(view["marker"]) if view["marker"] else NOBODY
    finished = view["point"] in ("reset", "swap_loyalty", "over")
    doing = (view["resolving"] or {}).get("seat")
    councils = []
    for number, empire in enumerate(view["empires"]):
        seats = []
        for post in range(number * POSITIONS, (number + 1) * POSITIONS):
            row, now = tables["councils"][post], view["councils"][post]
            seats.append(
                {
                    "id": row["id"],
                    "position": row["position"],
                    "agent": now["agent"],
                    "controller": now["controller"],
                    "actions": [{**actions[id], "yield": yield_of(view, row, actions[id])} for id in row["actions"]],
                    "acts": row["id"] == doing and "act" in kinds,
                    "now": post == marker,
                    "used": row["id"] == doing and post != marker,
                    "done": finished or (marker != NOBODY and post < marker),
                    "last": row["id"] in marks["posts"],
                }
            )
        now_empire = marker != NOBODY and marker // POSITIONS == number
        councils.append({**empire, "ink": inks_of(game)[empire["id"]], "seats": seats, "now": now_empire})
    return councils


# --- Cards and tokens -----------------------------------------------------------------------------------


def hand_of(game: Game, seen: Seen, drafted: Counter[str]) -> list[dict[str, Any]]:
    """The cards in this seat's hand, one entry for each copy."""
    if seen.seat is None:
        return []
    tables = game.box.text.tables
    costs = {row["id"]: row["cost"] for row in tables["abilities"]}
    inks = inks_of(game)
    held = seen.view["players_at_table"][seen.seat]["hand"] or {}
    paid = (seen.view["resolving"] or {}).get("ability")
    cards = []
    for row in tables["cards"]:
        for copy in range(held.get(row["id"], 0)):
            cards.append(
                {
                    "id": row["id"],
                    "nth": copy,
                    "empire": row["empire"],
                    "ink": inks[row["empire"]],
                    "drafted": copy < drafted[f"discard {row['id']}"],
                    "lines": [{"id": id, "cost": costs[id], "chosen": id == paid} for id in row["abilities"]],
                }
            )
    return cards


def swaps_of(seen: Seen) -> list[tuple[str, str, str]]:
    """R14: the pairs of hidden tokens that may be swapped, as (notation, slot, other slot)."""
    found = [notation for notation in seen.legal if notation.startswith("swap ")]
    return [(notation, *notation.split()[1:3]) for notation in found]  # type: ignore[misc]


def worth_of(game: Game, seen: Seen) -> dict[str, int]:
    """R16, R17.3: what this seat's tokens would score if the match ended now, slot by slot and in all."""
    if seen.seat is None:
        return {}
    view = seen.view
    cities = Counter({one["id"]: one["cities"] for one in view["empires"]})
    cities.update(region["controlled_by"] for region in view["regions"] if seen.seat in region["agents"])
    tokens = view["players_at_table"][seen.seat]["loyalty"]
    worth = {row["id"]: row["value"] * cities[tokens[row["id"]]] for row in game.box.text.tables["slots"]}
    return {**worth, "total": sum(worth.values())}


def winners_of(view: View) -> list[int]:
    """R16, A34: who stands first at the end."""
    if "score_sheet" not in view:
        return []
    order = [(one["total"], -one["swapped"], one["cards"]) for one in view["score_sheet"]]
    return [seat for seat, one in enumerate(order) if one == max(order)]
