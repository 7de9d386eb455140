"""Mali Powstańcy: what the board's template draws. Geometry is in `chart.py`."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from samizdat.games.mali_powstancy import chart
from samizdat.games.mali_powstancy import state as events
from samizdat.games.mali_powstancy.ending import winners_of
from samizdat.games.mali_powstancy.status import chooser, seat_word
from samizdat.games.mali_powstancy.words import ENDINGS, named
from samizdat.kernel.boards import Seen
from samizdat.kernel.game import Game
from samizdat.kernel.telling import Line, Listing, Phrase

MOVEMENT = ("card", "entry", "turn", "exchange")
WALKS = ("step", "jump", "squad")
TRAIL = (events.STEPS, events.JUMPS, events.ESCORTED, events.FLEES)


def picture(game: Game, seen: Seen) -> dict[str, Any]:
    """What the templates need besides the view: where everything lies, and what may be done with it."""
    view = seen.view
    city = chart.city(game.box)
    scouts = _scouts(game, seen, city)
    ways = _ways(game, seen, city)
    picked = _picked(seen, ways)
    crowds = Counter(one["space"] for one in scouts if not one["held"])
    return {
        "districts": chart.districts(game.box, view),
        "routes": chart.routes(game.box, view),
        "river": chart.river(game.box),
        "locations": chart.locations(game.box, view, crowds),
        "blanks": chart.blanks(game.box, view),
        "tags": chart.tags(view, crowds),
        "scouts": scouts,
        "prisoners": [one for one in scouts if one["held"] == "prison"],
        "escaped": [one for one in scouts if one["held"] == "hand"],
        "back": view["round"] + (1 if view["point"] in MOVEMENT else 2),
        "soldier": city[view["soldier"]] if view["soldier"] else None,
        "hunted": _nearest(game, view),
        "ways": ways,
        "marks": _marks(game, seen, city),
        "pals": _pals(game, seen, scouts),
        "picked": picked,
        "team": _own_team(game, seen, scouts, picked),
        "trail": _trail(game, seen, city),
        "fresh": _fresh(game, seen),
        "order_rows": {row["id"]: row for row in game.box.text.tables["orders"]},
        "objective_rows": {row["id"]: row for row in game.box.text.tables["objectives"]},
        "objective_names": {id: named(game, "objectives", id) for id in game.box.names["objectives"]},
        "cards": game.box.text.tables["cards"],
        "limits": _limits(game),
        "city": city,
        "cells": {"prison": chart.PRISON_CELL, "hand": chart.HAND_CELL},
        "deciding": {"scout": 0, "exchange": "", "points_left": None, "action_used": False}
        | (view["deciding"] or {}),
        "refusing": _refusing(game, seen, picked),
        "letters": _by_team(game, "name", 1),
        "ids": _by_team(game, "id", None),
        "card": _card(game, seen),
        "action": _card(game, seen).get("action", ""),
        "comes": _comes(game, view),
        "lookers": _lookers(game, view),
        "far_in_steps": bool(view["options"]["max_jumps_per_turn"]),
        "ending": Line(*ENDINGS[view["reason"]]) if view["reason"] else None,
        "winners": winners_of(view),
        "seats": view["turn_order"] or list(range(len(view["players_at_table"]))),
        "points": _own_points(game, seen),
    }


def _limits(game: Game) -> dict[str, int]:
    printed: Any = game.box.record
    return {
        "tokens": printed.base_defeat,
        "districts": printed.extended_defeat,
        "queue": printed.queue[list(game.definition.variants).index(game.variant)],
        "cards": printed.cards,
    }


def _refusing(game: Game, seen: Seen, picked: int) -> str:
    """What a click on a location means where it is not open: the refusal then cites the rule."""
    point = seen.view["point"]
    if point in ("entry", "way", "refuge"):
        return {"entry": "enter ", "way": "way ", "refuge": "refuge "}[point]
    if point not in ("turn", "red") or seen.seat is None:
        return ""
    scout = picked or 1
    here = seen.view["players_at_table"][seen.seat]["scouts"][scout - 1]["at"]
    jumps = point == "turn" and here in game.box.names["locations"]
    return f"{'jump' if jumps else 'step'} {scout} "


def _by_team(game: Game, column: str, letters: int | None) -> list[list[str]]:
    """What is printed on the tiles of each team."""
    rows = game.box.text.tables["scouts"]
    return [
        [row[column][:letters] for row in rows if row["colour"] == colour] for colour in game.box.names["colours"]
    ]


def _card(game: Game, seen: Seen) -> dict[str, Any]:
    """2.11.1: the card whose action belongs to this turn."""
    if game.variant != "extended" or seen.view["point"] not in ("turn", "exchange"):
        return {}
    played = seen.view["players_at_table"][chooser(seen)]["card"]
    return next(row for row in game.box.text.tables["cards"] if str(row["value"]) == played)


def _comes(game: Game, view: Mapping[str, Any]) -> int:
    """2.4.1: so many orders the next Orders phase reveals; 2.13.1: none once the Victory card has appeared."""
    if view["point"] == "over" or view["victory_card"] not in (None, "deck"):
        return 0
    printed: Any = game.box.record
    variant = list(game.definition.variants).index(game.variant)
    return min(int(printed.draws[variant, game.players, (view["round"] + 1) % 2]), int(view["deck"]["cards"]))


def _lookers(game: Game, view: Mapping[str, Any]) -> Phrase:
    """2.11.5: everybody saw who looked."""
    names = Listing([seat_word(game, seat) for seat in view["deck"]["looked_by"]], "and")
    return Phrase("The next cards are known to {names}.", {"names": names})


def _own_points(game: Game, seen: Seen) -> int:
    """2.15: the seat knows what its own pile is worth."""
    if seen.seat is None:
        return 0
    points = {row["id"]: row["points"] for row in game.box.text.tables["orders"]}
    return sum(points[order] for order in seen.view["players_at_table"][seen.seat]["pile"] or ())


def _scouts(game: Game, seen: Seen, city: Mapping[str, chart.ChartPoint]) -> list[dict[str, Any]]:
    """Every scout as a piece: where it stands, and aside of what it stands with."""
    rows = game.box.text.tables["scouts"]
    together: dict[str, list[dict[str, Any]]] = defaultdict(list)
    pieces = []
    moved = {(one.args[0], one.args[1]) for one in seen.last if one.event in MOVED}
    for seat, player in enumerate(seen.view["players_at_table"]):
        team = [row for row in rows if row["colour"] == player["colour"]]
        for number, (row, scout) in enumerate(zip(team, player["scouts"], strict=True)):
            piece = {
                "id": row["id"],
                "seat": seat,
                "number": number + 1,
                "letter": row["name"][0],
                "space": scout["at"],
                "carries": scout["carries"],
                "held": scout["at"] if scout["at"] in ("prison", "hand") else "",
                "moved": (seat, number) in moved,
            }
            pieces.append(piece)
            together[scout["at"]].append(piece)
    for space, group in together.items():
        for i, piece in enumerate(group):
            if space in city:
                piece["at"], (piece["dx"], piece["dy"]) = city[space], chart.beside(i, len(group))
                piece["size"] = 1.18 if len(group) < 3 else 1
            else:
                piece["size"] = 1.05
                piece["at"], (piece["dx"], piece["dy"]) = chart.cell(space, i)
    return pieces


MOVED = (*TRAIL, events.ENTERS, events.TAKES, events.DROPS, events.ARRESTS)


def _ways(game: Game, seen: Seen, city: Mapping[str, chart.ChartPoint]) -> list[dict[str, Any]]:
    """Each way a scout may go now, with the line it takes; `shared` where another of the team may go there too."""
    found = []
    for notation in seen.legal:
        move = game.notation.read(notation)
        if move.kind in WALKS:
            number = int(move.args["scout"])
            space = move.args.get("space") or move.args["location"]
            start = seen.view["players_at_table"][seen.seat]["scouts"][number - 1]["at"]
            found.append(
                {
                    "notation": notation,
                    "kind": move.kind,
                    "scout": number,
                    "space": space,
                    "at": city[space],
                    "location": space in game.box.names["locations"],
                    "line": chart.way(game.box, start, space),
                }
            )
    for one in found:
        one["shared"] = any(other["space"] == one["space"] and other["scout"] != one["scout"] for other in found)
    return sorted(found, key=lambda one: not one["location"])  # small areas lie above large ones


def _picked(seen: Seen, ways: Sequence[Mapping[str, Any]]) -> int:
    """The scout whose ways are marked at first: the one that just moved, or one that can."""
    able = [way["scout"] for way in ways]
    for one in reversed(seen.last):
        if one.event in MOVED and one.args[0] == seen.seat and one.args[1] + 1 in able:
            return one.args[1] + 1
    return min(able, default=0)


def _marks(game: Game, seen: Seen, city: Mapping[str, chart.ChartPoint]) -> list[dict[str, Any]]:
    """Open decisions that are places or routes and name no scout."""
    found: list[dict[str, Any]] = []
    for notation in seen.legal:
        move = game.notation.read(notation)
        if move.kind in ("enter", "way", "refuge"):
            space = move.args.get("space") or move.args["location"]
            location = space in game.box.names["locations"]
            found.append({"notation": notation, "space": space, "at": city[space], "location": location, "line": ""})
        elif move.kind == "block":
            route = move.args["route"]
            at = chart.token_place(game.box, route, seen.view)
            line = chart.line(game.box, route)
            found.append(
                {"notation": notation, "space": "", "at": at, "location": True, "line": line, "route": route}
            )
    return found


def _pals(game: Game, seen: Seen, scouts: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """2.11.2: pairs that may change places, drawn between the two."""
    own = {str(one["number"]): one for one in scouts if one["seat"] == seen.seat}
    found = []
    for notation in seen.legal:
        if notation.startswith("pals "):
            one, other = (own[number]["at"] for number in notation.split()[1].split("+"))
            between = chart.ChartPoint((one.x + other.x) / 2, (one.y + other.y) / 2)
            found.append({"notation": notation, "at": between, "line": chart.straight(one, other)})
    return found


def _own_team(game: Game, seen: Seen, scouts: Sequence[Mapping[str, Any]], picked: int) -> list[dict[str, Any]]:
    """The seat's own scouts: where each is, what it carries and how far it still has to go."""
    if seen.seat is None:
        return []
    team = []
    for piece in scouts:
        if piece["seat"] == seen.seat:
            row = dict(piece)
            row["place"] = named(game, "spaces", piece["space"]) if not piece["held"] else None
            row["picked"] = piece["number"] == picked
            row["far"] = None
            if piece["carries"] and not piece["held"]:
                order = game.box.names["orders"].index(piece["carries"])
                row["far"] = chart.far(game, seen.view, piece["space"], order)
            team.append(row)
    return team


def _nearest(game: Game, view: Mapping[str, Any]) -> int | None:
    """2.7.3, as a help: how far the soldier is from the nearest scout."""
    printed: Any = game.box.record
    if not view["soldier"]:
        return None
    spaces = game.box.names["spaces"]
    soldier = spaces.index(view["soldier"])
    far = [
        printed.distance[soldier, spaces.index(scout["at"])]
        for player in view["players_at_table"]
        for scout in player["scouts"]
        if scout["at"] in spaces
    ]
    return min(far, default=None)


def _trail(game: Game, seen: Seen, city: Mapping[str, chart.ChartPoint]) -> list[str]:
    """The lines of what went where in the latest decision."""
    spaces = game.box.names["spaces"]
    lines = []
    for one in seen.last:
        if one.event in TRAIL:
            start, end = spaces[one.args[2]], spaces[one.args[3]]
            if one.event == events.FLEES:
                lines.append(chart.straight(city[start], city[end]))
            else:
                lines.append(chart.way(game.box, start, end))
        elif one.event == events.MARCHES:
            lines.append(chart.march(game, spaces[one.args[0]], spaces[one.args[1]]))
        elif one.event == events.SWAPS:
            lines.append(chart.straight(city[spaces[one.args[3]]], city[spaces[one.args[4]]]))
    return [line for line in lines if line]


def _fresh(game: Game, seen: Seen) -> list[str]:
    """Ids of what came or changed in the latest decision."""
    names = game.box.names
    found = []
    for one in seen.last:
        if one.event == events.REVEALS:
            found.append(names["orders"][one.args[0]])
        elif one.event == events.EXCHANGES:
            found.extend(names["orders"][order] for order in one.args[1:3])
        elif one.event == events.TOKEN_ON_ROUTE:
            found.append(names["routes"][one.args[1]])
        elif one.event == events.DISTRICT_FALLS:
            found.append(names["districts"][one.args[0]])
        elif one.event == events.MARCHES:
            found.append("soldier")
    return found
