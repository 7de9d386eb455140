"""Revolution!: what the board's template draws."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from samizdat.games.revolution.show import TOKEN_WORDS, gains
from samizdat.games.revolution.state import (
    EXCHANGES,
    PLACES_FOLLOWER,
    REPLACES,
    TIES,
    WINS,
)
from samizdat.games.revolution.status import laid, left_to_lay
from samizdat.games.revolution.town import FIRST_ROW, HEIGHT, PITCH, SHORE, WIDTH, Plot, berth, percent, plots, spaces
from samizdat.kernel.boards import Seen
from samizdat.kernel.game import Game
from samizdat.kernel.telling import Listing, Many, Phrase, Told, Word, template

CHOOSING = ("spy", "apothecary", "exchange")  # the points at which a place in town is named
PICTURES = {
    "general": "medal",
    "captain": "wheel",
    "innkeeper": "tavern",
    "magistrate": "market",
    "priest": "cathedral",
    "aristocrat": "crown",
    "merchant": "stall",
    "printer": "press",
    "rogue": "mask",
    "spy": "spy",
    "apothecary": "flask",
    "mercenary": "attack",
}
TASTES = {
    (False, False): template("takes every token"),
    (True, False): template("refuses Force"),
    (False, True): template("refuses Blackmail"),
    (True, True): template("takes Gold only"),
}
SPECIALS = {
    "replace": template("the right to replace a follower"),
    "swap": template("the right to exchange two followers"),
}
EMPTY_SPACE = "empty"  # the owner of a space that has none


def picture(game: Game, seen: Seen) -> dict[str, Any]:
    view = seen.view
    seats = len(view["players_at_table"])
    held = view["players_at_table"][seen.seat]["held"] if seen.seat is not None else {}
    left = left_to_lay(seen)
    laying = seen.seat is not None and view["left_to_lay"] is not None
    taken = sum(sum(area["followers"]) for area in view["areas"])
    areas = _areas(game, seen)
    return {
        "size": (WIDTH, HEIGHT),
        "shore": SHORE,
        "choosing": view["point"] in CHOOSING,
        "tokens": TOKEN_WORDS,
        "tray": [{"id": word, "left": left[word] if laying else 0, "of": held.get(word, 0)} for word in TOKEN_WORDS],
        "armed": next((word for word in TOKEN_WORDS if left[word]), None) if seen.draft else None,
        "characters": _characters(game, seen),
        "areas": areas,
        "routes": _routes(game, seen, areas),
        "berths": [
            {**berth(seat, seats), "stock": player["followers_in_stock"]}
            for seat, player in enumerate(view["players_at_table"])
        ],
        "taken": taken,
        "spaces": taken + sum(area["empty"] for area in view["areas"]),
        "track": _track(view),
        "with_areas": with_areas(game, view),
        "sheet": _sheet(game, view) if view["point"] == "over" else None,
    }


def _characters(game: Game, seen: Seen) -> list[dict[str, Any]]:
    """The twelve: what is printed on each, what lies there, and what became of the offers."""
    view = seen.view
    rows = game.box.text.tables["characters"]
    ids = [row["id"] for row in rows]
    now = ids.index(view["settling"]) if view["settling"] else -1
    opened = view["point"] in CHOOSING
    mine = laid(seen)
    before = _outcomes(seen.last)
    found = []
    for number, row in enumerate(rows):
        id = row["id"]
        offers = offers_for(view, id) if opened else []
        best = best_offer(offers)
        tokens = {word: mine.get(id, Counter())[word] for word in TOKEN_WORDS}
        found.append(
            {
                "id": id,
                "number": number + 1,
                "glyph": PICTURES.get(id, "person"),
                "refuses": [word for word in TOKEN_WORDS[:2] if row[f"no_{word}"]],
                "vp": row["vp"],
                "gives": [(word, row[word]) for word in TOKEN_WORDS if row[word]],
                "area": row["area"],
                "special": row["special"],
                "mine": tokens,
                "offers": offers,
                "best": best,
                "settled": opened and number < now,
                "now": number == now,
                "before": None if opened else before.get(number),
                "fact": _fact(row, tokens, offers),
            }
        )
    return found


def offers_for(view: Any, character: str) -> list[dict[str, Any]]:
    """The open offers for one character."""
    return [
        {"seat": seat, "colour": player["colour"], "tokens": player["bid"][character]}
        for seat, player in enumerate(view["players_at_table"])
        if player["bid"] and character in player["bid"]
    ]


def best_offer(offers: Sequence[Mapping[str, Any]]) -> int | None:
    """R6.2: the seat with the single strongest offer."""
    strengths = sorted(([offer["tokens"][word] for word in TOKEN_WORDS], offer["seat"]) for offer in offers)
    if not strengths or (len(strengths) > 1 and strengths[-1][0] == strengths[-2][0]):
        return None
    return int(strengths[-1][1])


def _outcomes(last: Sequence[Told]) -> dict[int, dict[str, Any]]:
    """What became of each character in the latest decision, where it was settled then."""
    found: dict[int, dict[str, Any]] = {}
    for one in last:
        if one.event == WINS:
            found[one.args[0]] = {"seat": one.args[1]}
        elif one.event == TIES:
            found[one.args[0]] = {"seat": None}
    return found


def _fact(row: Mapping[str, Any], mine: Mapping[str, int], offers: Sequence[Mapping[str, Any]]) -> Phrase:
    """A townsperson as a whole fact, for those who do not see the card."""
    brings: list[Any] = list(gains(row["vp"], *(row[word] for word in TOKEN_WORDS)).items)
    if row["area"]:
        brings.append(Phrase("a follower into the {area}", {"area": Word("areas", row["area"])}))
    special = row["special"]
    if special:
        brings.append(Phrase(SPECIALS[special]))
    card = Phrase(
        "{character}: {taste}; brings {brings}",
        {
            "character": Word("characters", row["id"]),
            "taste": Phrase(TASTES[bool(row["no_force"]), bool(row["no_blackmail"])]),
            "brings": Listing(brings),
        },
    )
    if offers:
        said = [
            Phrase("{seat} {offer}", {"seat": Word("owners", one["colour"]), "offer": _tokens(one["tokens"])})
            for one in offers
        ]
        return Phrase("{card}; offers: {offers}", {"card": card, "offers": Listing(said)})
    if any(mine.values()):
        return Phrase("{card}; your offer: {offer}", {"card": card, "offer": _tokens(mine)})
    return card


def _tokens(tokens: Mapping[str, int]) -> Listing:
    return gains(0, *(tokens[word] for word in TOKEN_WORDS))


# The town


def _areas(game: Game, seen: Seen) -> list[dict[str, Any]]:
    view = seen.view
    rows = game.box.text.tables["areas"]
    fresh = _arrivals(game, seen)
    found = []
    for number, (row, area, plot) in enumerate(zip(rows, view["areas"], plots(game.box.names["areas"]), strict=True)):
        places = spaces(plot, row["spaces"])
        most = max(area["followers"])
        found.append(
            {
                "id": row["id"],
                "number": number + 1,
                "glyph": row["id"].replace("_", "-"),
                "vp": row["vp"],
                "outline": plot.outline,
                "pattern": plot.pattern,
                **_anchor(plot),
                "size": min(1.0, _pitch(places) / PITCH),
                "groups": list(_groups(game, seen, number, places, fresh)),
                "leads": area["leads"],
                "tied": area["leads"] is None and most > 0,
                "locked": bool(view["options"]["domination"]) and area["dominated_by"] is not None,
                "fact": Phrase(
                    "{area}, worth {points}, {taken} of {spaces} spaces taken",
                    {
                        "area": Word("areas", row["id"]),
                        "points": Many("{n} point", "{n} points", row["vp"]),
                        "taken": row["spaces"] - area["empty"],
                        "spaces": row["spaces"],
                    },
                ),
            }
        )
    return found


def _anchor(plot: Plot) -> dict[str, float]:
    return {"x": percent(plot.x, WIDTH), "y": percent(plot.y, HEIGHT)}


def _pitch(places: Sequence[tuple[float, float]]) -> float:
    return abs(places[1][0] - places[0][0]) if len(places) > 1 else PITCH


def _groups(
    game: Game,
    seen: Seen,
    area: int,
    places: Sequence[tuple[float, float]],
    fresh: Mapping[tuple[int, int], list[Any]],
) -> Iterator[dict[str, Any]]:
    """Followers of one colour in an area stand together, and so do the empty spaces behind them (A-6)."""
    here = seen.view["areas"][area]
    start = 0
    for owner, number in enumerate((*here["followers"], here["empty"])):
        empty = owner == len(here["followers"])
        colour = EMPTY_SPACE if empty else game.box.names["owners"][owner]
        id = here["id"]
        arrived = fresh.get((area, owner), [])
        notation = f"take {id} {colour}"
        words = {"area": Word("areas", id), "owner": Word("owners", colour)}
        if number:
            yield {
                "seat": None if empty else owner,
                "colour": colour,
                "notation": notation,
                "runs": _runs(places[start : start + number]),
                "pieces": [
                    {
                        "id": f"f-{id}-{colour}-{index}",
                        "x": places[start + index][0],
                        "y": places[start + index][1],
                        # The newest stand last.
                        "origin": arrived[index - number] if number - index <= len(arrived) else None,
                        "chosen": index == number - 1 and seen.view["exchange_from"] == notation,
                    }
                    for index in range(number)
                ],
                "fact": Many("{n} empty space in the {area}", "{n} empty spaces in the {area}", number, words)
                if empty
                else Many(
                    "{n} follower of {owner} in the {area}", "{n} followers of {owner} in the {area}", number, words
                ),
            }
        start += number


def _runs(places: Sequence[tuple[float, float]]) -> list[dict[str, float]]:
    """Spaces side by side, to be marked together: the middle of each run and how many they are."""
    rows: dict[float, list[float]] = {}
    for x, y in places:
        rows.setdefault(y, []).append(x)
    return [{"x": (xs[0] + xs[-1]) / 2, "y": y, "number": len(xs)} for y, xs in rows.items()]


def _arrivals(game: Game, seen: Seen) -> dict[tuple[int, int], list[dict[str, float]]]:
    """Which followers the latest decision moved, by area and owner, and from where."""
    seats = len(seen.view["players_at_table"])
    anchors = [{**_anchor(plot), "dx": 0, "dy": FIRST_ROW} for plot in plots(game.box.names["areas"])]
    moved: list[tuple[int, int, dict[str, float]]] = []
    for one in seen.last:
        a, b, c, d, e, _ = one.args
        if one.event == PLACES_FOLLOWER:
            moved.append((a, b, berth(b, seats)))
        elif one.event == REPLACES:
            moved.append((b, a, berth(a, seats)))
        elif one.event == EXCHANGES:
            moved += [(d, c, anchors[b]), (b, e, anchors[d])]
    found: dict[tuple[int, int], list[dict[str, float]]] = {}
    for area, owner, origin in moved:
        if owner < seats:
            found.setdefault((area, owner), []).append(origin)
    return found


def _routes(game: Game, seen: Seen, areas: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """From where lines are drawn: the Spy's own stock, or what was chosen first; and the latest exchange."""
    view = seen.view
    names, owners = game.box.names["areas"], game.box.names["owners"]
    origin: dict[str, float] | None = None
    if view["point"] == "spy":
        origin = berth(view["turn"][0], len(view["players_at_table"]))
    elif view["point"] == "exchange":
        first = game.notation.read(view["exchange_from"])
        origin = _spot(areas, first.args["area"], first.args["owner"])
    done = []
    for one in seen.last:
        if one.event == EXCHANGES:
            _, area, owner, other_area, other_owner, _ = one.args
            ends = _spot(areas, names[other_area], owners[owner]), _spot(areas, names[area], owners[other_owner])
            if all(ends):
                done.append(ends)
    return {"origin": origin, "done": done}


def _spot(areas: Sequence[Mapping[str, Any]], id: str, colour: str) -> dict[str, float] | None:
    """Where the last of one colour stands in an area; None if another decision has taken it away since."""
    area = next(area for area in areas if area["id"] == id)
    for group in area["groups"]:
        if group["colour"] == colour:
            piece = group["pieces"][-1]
            return {"x": area["x"], "y": area["y"], "dx": piece["x"], "dy": piece["y"]}
    return None


# Points


def _track(view: Any) -> dict[str, Any]:
    """The score track, as long as it must be, and where the discs lie; discs on one spot lie on each other."""
    points = [
        view["score_sheet"][seat]["total"] if view["point"] == "over" else player["points"]
        for seat, player in enumerate(view["players_at_table"])
    ]
    top = 100 * (max(points) // 100 + 1)
    discs = []
    for seat, number in enumerate(points):
        below = sum(abs(other - number) < top / 40 for other in points[:seat])
        discs.append({"at": percent(number, top), "points": number, "below": below})
    return {"top": top, "marks": [top * tenth // 10 for tenth in range(11)], "discs": discs}


def with_areas(game: Game, view: Any) -> list[int]:
    """Each seat's points if the areas were scored now (R8.3)."""
    totals = [player["points"] for player in view["players_at_table"]]
    for row, area in zip(game.box.text.tables["areas"], view["areas"], strict=True):
        if area["leads"] is not None:
            dominated = view["options"]["domination"] and area["dominated_by"] is not None
            totals[area["leads"]] += row["vp"] + (game.box.text.constants["domination_vp"] if dominated else 0)
    return totals


def _sheet(game: Game, view: Any) -> dict[str, Any]:
    """R8.2-R8.4, line by line, with what the sum is after each line."""
    scores = view["score_sheet"]
    sums = [0] * len(scores)
    lines = []

    def line(name: Phrase | Word, glyph: str, about: str, gained: list[int], tokens: list[Any] | None = None) -> None:
        for seat, points in enumerate(gained):
            sums[seat] += points
        lines.append(
            {
                "name": name,
                "glyph": glyph,
                "about": about,
                "gained": gained,
                "sums": list(sums),
                "tokens": tokens,
            }
        )

    line(Phrase("Score track"), "point", "track", [score["track"] for score in scores])
    leftover = [player["held"] for player in view["players_at_table"]]
    line(Phrase("Leftover tokens"), "gold", "leftover", [score["tokens"] for score in scores], leftover)
    for id in game.box.names["areas"]:
        line(Word("areas", id), id.replace("_", "-"), f"area {id}", [score["areas"].get(id, 0) for score in scores])
    totals = [score["total"] for score in scores]
    return {"lines": lines, "totals": totals, "best": max(totals)}
