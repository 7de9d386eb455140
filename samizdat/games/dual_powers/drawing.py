"""Dual Powers: what lies where on the board, as plain data for its template."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from samizdat.games.dual_powers import state as st
from samizdat.games.dual_powers.geometry import RING, Cell, Spot, between, cell, turn
from samizdat.games.dual_powers.points import POINTS
from samizdat.games.dual_powers.rules_scoring import PRINTED_OCTOBER
from samizdat.games.dual_powers.show import FACTION_WORDS
from samizdat.kernel.boards import Seen
from samizdat.kernel.game import Game
from samizdat.kernel.telling import Told

View = Mapping[str, Any]

# Pictures of the six regions, and the second sign beside their colour; in the order of the ring.
ICONS = {
    "factory": "factory", "park": "park", "anchor": "anchor", "palace": "palace", "railway station": "station",
    "market": "stall",
}  # fmt: skip
PATTERNS = {
    "red": "p-diag", "green": "p-tick", "blue": "p-horiz", "white": "", "purple": "p-vert", "brown": "p-cross",
}  # fmt: skip
ACTION_GLYPHS = {"move": "move", "double_move": "double-move", "refresh": "refresh"}
SPECIAL_GLYPHS = {"inspire": "will", "espionage": "spy", "protest": "blockade"}


def _points_with(kind: str) -> tuple[str, ...]:
    return tuple(point.name for point in POINTS.all if kind in point.takes)


CHOOSING_TOKEN = _points_with("move")
CHOOSING_UNIT = _points_with("recruit")
CHOOSING_PLACE = _points_with("to")


# --- Looking things up --------------------------------------------------------------------------------------


def own_faction(view: View, seat: int | None) -> str | None:
    """The faction of a seat: D1.1, and S1.1 in solitaire; None for a spectator."""
    if seat is None or seat < 0:
        return None
    if view["variant"] == "solitaire":
        return next(str(one["faction"]) for one in view["factions"] if not one["opposition"])
    return FACTION_WORDS[seat]


def place_of(view: View, token: str) -> str | None:
    """The region a token is in."""
    for region in view["regions"]:
        if any(one["id"] == token for one in region["tokens"]):
            return str(region["id"])
    return None


# --- The picture --------------------------------------------------------------------------------------------


def picture(game: Game, seen: Seen) -> dict[str, Any]:
    view = seen.view
    own = own_faction(view, seen.seat)
    acts = seen.seat is not None and seen.seat in view["turn"]
    last = _last(game, seen.last)
    spots = _spots(game)
    return {
        "own": own,
        "solitaire": view["variant"] == "solitaire",
        "last": last,
        "islands": [_island(game, view, region, spots, acts) for region in view["regions"]],
        "bridges": [_bridge(game, seen, one, spots, acts) for one in game.box.text.tables["connections"]],
        "tokens": [*_tokens(game, view, spots, last, acts), *_supplies(game, view, own, acts)],
        "levels": _levels(game, view, spots, last),
        "level_supply": _level_supply(game, view),
        "ghost": _ghost(view, spots, last),
        "routes": _routes(game, view, spots, seen.legal),
        "cards": _cards(game, view, own),
        "track": _track(view, last),
        "months": months(game, view),
        "days": _calendar(game, view, own, last),
        "tracker": _tracker(game, view, own),
        "opposition": _opposition(game, view),
    }


def _spots(game: Game) -> dict[str, Spot]:
    """Where each region lies, following the connections round the ring; in another box, in the order of the box."""
    names = list(game.box.names["regions"])
    joins = [(one["one"], one["other"]) for one in game.box.text.tables["connections"]]
    order = [joins[0][0]] if joins else []
    while len(order) < len(names):
        onward = [b if a == order[-1] else a for a, b in joins if order[-1] in (a, b)] if order else []
        following = [one for one in onward if one not in order] or [one for one in names if one not in order]
        order.append(following[0])
    return dict(zip(order, RING, strict=False))


def _island(game: Game, view: View, region: View, spots: Mapping[str, Spot], acts: bool) -> dict[str, Any]:
    id = region["id"]
    notation = ""
    if acts and view["point"] in CHOOSING_PLACE:
        notation = f"to {id}"
    elif acts and view["point"] == "leading":
        notation = f"place {id}"
    spot = spots[id]
    return {
        "id": id, "icon": ICONS.get(game.box.text.row("regions", id)["icon"], "city"),
        "pattern": PATTERNS.get(id, ""),
        "wide": spot.wide, "tall": spot.tall, "corner": spot.corner, "notation": notation,
        "red": region["strength"]["red"], "white": region["strength"]["white"], "stronger": region["stronger"],
        "unrest": view["unrest"] == id,
        "markers": [number + 1 for number, place in enumerate(view["markers"]) if place == id],
        "tokens": [one["id"] for one in region["tokens"]], "opposition": region["opposition"],
    }  # fmt: skip


def _bridge(game: Game, seen: Seen, one: View, spots: Mapping[str, Spot], acts: bool) -> dict[str, Any]:
    view = seen.view
    leader = game.box.text.row("leaders", view["leader"]) if view["leader"] else None
    protests = acts and view["point"] == "leading" and leader is not None and leader["special"] == "protest"
    return {
        "id": one["id"], "one": one["one"], "other": one["other"], "blocked": view["blockade"] == one["id"],
        "notation": f"protest {one['id']}" if protests else "", **between(spots[one["one"]], spots[one["other"]]),
    }  # fmt: skip


def token_facts(game: Game, id: str) -> dict[str, Any]:
    """What is printed on a token."""
    tables = game.box.text.tables
    for unit in tables["units"]:
        if unit["id"] == id:
            return {**unit, "leader": False}
    for unit in tables["neutral_units"]:
        if unit["id"] == id:
            return {**unit, "faction": "neutral", "rank": 0, "leader": False}
    for leader in [*tables["leaders"], *tables["trotsky"]]:
        if leader["id"] == id:
            return {**leader, "rank": 0, "leader": True}
    raise KeyError(id)


OWNERS = ("red", "white", "neutral")


def _standing(game: Game, region: View) -> list[str]:
    """The tokens of a region in the order in which they stand there: by owner, leaders first."""
    facts = {one["id"]: token_facts(game, one["id"]) for one in region["tokens"]}
    return sorted(facts, key=lambda id: (OWNERS.index(facts[id]["faction"]), not facts[id]["leader"]))


def _groups(region: View) -> list[tuple[int, bool, int]]:
    """S5: the opposition's units of a region, as (level, exhausted, how many)."""
    found = [(one["level"], tired, one[side]) for one in region["opposition"]
             for tired, side in ((False, "fresh"), (True, "exhausted"))]  # fmt: skip
    return [group for group in found if group[2]]


def _tokens(game: Game, view: View, spots: Mapping[str, Spot], last: View, acts: bool) -> Iterator[dict[str, Any]]:
    point = view["point"]
    for region in view["regions"]:
        exhausted = {one["id"]: one["exhausted"] for one in region["tokens"]}
        groups = len(_groups(region))
        standing = _standing(game, region)
        for at, id in enumerate(standing):
            facts = token_facts(game, id)
            notation = refresh = ""
            if acts and point in CHOOSING_TOKEN:
                notation = f"move {id}"
                if point == "action" and game.box.text.row("commands", view["card"])["action"] == "refresh":
                    notation = f"refresh {id}"
                elif point != "action" and exhausted[id]:
                    refresh = f"refresh {id}"  # D6.9: a bonus action moves or refreshes the same token
            moving = view["token"] == id and point in CHOOSING_PLACE
            yield {
                "id": id, "facts": facts, "region": region["id"], "exhausted": exhausted[id],
                "value": facts["exhausted"] if exhausted[id] else facts["fresh"], "notation": notation,
                "refresh": refresh, "chosen": acts and moving, "last": id in last["tokens"] or (moving and not acts),
                "cell": cell(spots[region["id"]], at, len(standing) + groups),
            }  # fmt: skip


def _supplies(game: Game, view: View, own: str | None, acts: bool) -> Iterator[dict[str, Any]]:
    """D1.1: units and leaders in the open supplies, each in its place."""
    first = own or FACTION_WORDS[0]
    chosen = view["token"] if view["point"] == "bonus_recruiting" else None
    for faction in view["factions"]:
        word = faction["faction"]
        units = [one["id"] for one in game.box.text.tables["units"] if one["faction"] == word]
        leaders = [one["id"] for one in game.box.text.tables["leaders"] if one["faction"] == word]
        for place, id in enumerate([*units, *leaders]):
            if id not in faction["supply"] and id not in faction["leaders_to_come"]:
                continue
            mine = acts and word == own and view["point"] in CHOOSING_UNIT and id in units
            yield {
                "id": id, "facts": token_facts(game, id), "region": None, "exhausted": False,
                "value": token_facts(game, id)["fresh"], "notation": f"recruit {id}" if mine else "", "refresh": "",
                "chosen": acts and chosen == id, "last": not acts and chosen == id,
                "tray": {"side": FACTION_WORDS.index(word), "other": int(word != first), "place": place},
            }  # fmt: skip


def _levels(game: Game, view: View, spots: Mapping[str, Spot], last: View) -> list[dict[str, Any]]:
    """S5, S10: the opposition's units on the board, those of one kind in a pile."""
    found = []
    for region in view["regions"]:
        groups = _groups(region)
        standing = len(region["tokens"])
        for at, (level, tired, count) in enumerate(groups):
            fresh = game.box.text.tables["opposition"][level - 1]["fresh"]
            found.append({
                "id": f"{region['id']}-{level}-{'x' if tired else 'o'}", "level": level, "exhausted": tired,
                "count": count, "value": view["difficulty"] if tired else fresh, "other": view["difficulty"],
                "region": region["id"], "last": (level, region["id"]) in last["levels"] and not tired,
                "cell": cell(spots[region["id"]], standing + at, standing + len(groups)),
            })  # fmt: skip
    return found


def _level_supply(game: Game, view: View) -> list[dict[str, Any]]:
    if view["variant"] != "solitaire":
        return []
    against = next(one["faction"] for one in view["factions"] if one["opposition"])
    return [
        {
            "id": one["id"], "level": one["level"], "value": one["fresh"], "other": view["difficulty"],
            "count": view["opposition_supply"][one["id"]],
            "tray": {"side": FACTION_WORDS.index(against), "other": 1, "place": 2 * one["level"] - 2},
        }
        for one in game.box.text.tables["opposition"]
    ]  # fmt: skip


def _ghost(view: View, spots: Mapping[str, Spot], last: View) -> Cell | None:
    """Where the token that moved last stood before."""
    if last["start"] is None:
        return None
    region = next(one for one in view["regions"] if one["id"] == last["start"])
    standing = len(region["tokens"]) + len(_groups(region))
    return cell(spots[last["start"]], standing, standing)


def _routes(game: Game, view: View, spots: Mapping[str, Spot], legal: Sequence[str]) -> list[dict[str, Any]]:
    """D6.2, D6.3: the ways on which the chosen token can go, as arrows on the bridges."""
    if view["point"] not in ("moving", "bonus_moving") or not legal:
        return []
    goals = {one.split()[1] for one in legal}
    start = place_of(view, view["token"])
    steps = []
    frontier = [start]
    reached = {start}
    while frontier and not goals <= reached:
        onward = []
        for here in frontier:
            for one in game.box.text.tables["connections"]:
                if here in (one["one"], one["other"]) and one["id"] != view["blockade"]:
                    there = one["other"] if one["one"] == here else one["one"]
                    if there not in reached and here is not None:
                        steps.append((one["id"], here, there))
                        onward.append(there)
        reached |= set(onward)
        frontier = list(onward)
    return [
        {"id": id, **between(spots[here], spots[there]), **turn(spots[here], spots[there])}
        for id, here, there in steps
    ]


# What the latest decision changed, for the carbon dashes.


def _last(game: Game, told: Sequence[Told]) -> dict[str, Any]:
    names = game.box.names
    found: dict[str, Any] = {
        "tokens": set(), "start": None, "levels": set(), "blockade": False, "will": False, "day": None, "score": None,
        "card": None,
    }  # fmt: skip
    printed: Any = game.box.record
    days = 0
    for one in told:
        args = one.args
        if one.event in (st.RECRUITS, st.REFRESHES, st.PLACES, st.BONUS_RECRUITS, st.MOVES_TOKEN):
            found["tokens"].add(names["tokens"][args[1]])
            if one.event == st.MOVES_TOKEN:
                found["start"] = names["regions"][args[2]]
        elif one.event == st.STIRS:
            found["tokens"].add(names["tokens"][args[1]])
        elif one.event == st.TROTSKY_IS_BACK:
            found["tokens"].add("trotsky_neutral")
        elif one.event == st.TROTSKY_IS_RED:
            found["tokens"].add("trotsky_red")
        elif one.event == st.ADDS_UNIT:
            found["levels"].add((args[0] + 1, names["regions"][args[1]]))
        elif one.event in (st.BLOCKS, st.TILES):
            found["blockade"] = True
        elif one.event == st.WILL:
            found["will"] = True
        elif one.event in (st.PLAYS, st.TURNS_UP_CARD):
            card = args[1] if one.event == st.PLAYS else args[0]
            found["card"] = names["commands"][card]
            days = printed.days[card]
        elif one.event == st.LEADS:
            days = printed.leader_days[args[1]]
        elif one.event == st.DAY and days:
            before = args[0] - days
            if args[0] != printed.month_days and found["day"] is None:  # D5.6: on the last day it may have slid
                found["day"] = before if before > 0 else before + printed.month_days
        elif one.event == st.SCORES and found["score"] is None:
            found["score"] = args[2] + (-args[1] if args[0] == st.RED else args[1])
    return found


# Cards, the calendar, the support track.


def arrival(game: Game, view: View, days: int) -> dict[str, Any]:
    """D5.4, D5.6: where the day marker would stop, and what that brings."""
    printed: Any = game.box.record
    day = view["day"] + days
    passes = day > printed.month_days
    day -= printed.month_days if passes else 0
    day = printed.month_days if day >= printed.slide_from else day
    return {"day": day, "bonus": day in (printed.bonus_day, printed.month_days), "month": passes}


def card_facts(game: Game, id: str) -> dict[str, Any]:
    """What is printed on a command card, with its pictures."""
    card = game.box.text.row("commands", id)
    icon = ICONS.get(game.box.text.row("regions", card["region"])["icon"], "city")
    return {
        **card, "icon": icon, "pattern": PATTERNS.get(card["region"], ""), "glyph": ACTION_GLYPHS[card["action"]],
    }  # fmt: skip


def _cards(game: Game, view: View, own: str | None) -> dict[str, Any]:
    """The own hand with the card being played in front, and what lies open in this round."""
    mine = next((one for one in view["factions"] if one["faction"] == own), None)
    hand = list(mine["hand"] or []) if mine else []
    leaders = list(mine["leaders_to_come"]) if mine else []
    playing = own is not None and view["decides"] == own
    now = view["card"] if playing else None
    leads = view["leader"] if playing else None
    return {
        "hand": [
            {**card, "now": card["id"] == now, "ahead": arrival(game, view, card["days"])}
            for card in (card_facts(game, id) for id in ([now] if now else []) + hand)
        ],
        "leaders": [
            {
                **game.box.text.row("leaders", id), "now": id == leads,
                "glyph": SPECIAL_GLYPHS[game.box.text.row("leaders", id)["special"]],
                "ahead": arrival(game, view, game.box.text.row("leaders", id)["days"]),
            }
            for id in ([leads] if leads else []) + leaders
        ],
        "table": [card_facts(game, id) for id in view["on_table"]],
        "objectives": {
            one["faction"]: card_facts(game, one["objective"]) if one["objective"] else None
            for one in view["factions"]
        },
    }  # fmt: skip


def _track(view: View, last: View) -> dict[str, Any]:
    size = view["track"]
    return {
        "spaces": [size - at for at in range(2 * size + 1)], "size": size, "score": view["score"],
        "at": size - view["score"], "was": last["score"],
    }  # fmt: skip


def months(game: Game, view: View) -> list[dict[str, Any]]:
    months = list(game.box.text.tables["months"])
    ends = [at for at, one in enumerate(months) if one["ends"]]
    if not view["options"]["october_november_separate"]:
        months = months[: ends[0] + 1]
    now = [one["id"] for one in months].index(view["month"])
    replaced = view["options"]["unrest_vp_october"]
    return [
        {
            "id": one["id"], "ends": one["ends"] and view["variant"] != "solitaire", "event": one["event"],
            "points": replaced if one["ends"] and replaced != PRINTED_OCTOBER else one["unrest_vp"],
            "past": at < now, "now": at == now,
        }
        for at, one in enumerate(months)
    ]  # fmt: skip


def _calendar(game: Game, view: View, own: str | None, last: View) -> list[dict[str, Any]]:
    printed: Any = game.box.record
    mine = next((one for one in view["factions"] if one["faction"] == own), None)
    ahead: set[int] = set()
    if mine:
        days = [game.box.text.row("commands", id)["days"] for id in mine["hand"] or []]
        days += [game.box.text.row("leaders", id)["days"] for id in mine["leaders_to_come"]]
        ahead = {arrival(game, view, one)["day"] for one in days}
    return [
        {
            "day": day, "now": day == view["day"], "was": day == last["day"], "ahead": day in ahead,
            "bonus": day in (printed.bonus_day, printed.month_days),
            "slides": printed.slide_from <= day < printed.month_days,
        }
        for day in range(1, printed.month_days + 1)
    ]  # fmt: skip


def _tracker(game: Game, view: View, own: str | None) -> list[dict[str, Any]]:
    """A-30: which command cards were seen, and where; the rest lies in the deck or in other hands."""
    mine = next((one for one in view["factions"] if one["faction"] == own), None)
    hand = set(mine["hand"] or []) if mine else set()
    shown = {one["objective"] for one in view["factions"]} - {None}
    found = []
    for region in game.box.text.tables["regions"]:
        cards = []
        for card in game.box.text.tables["commands"]:
            if card["region"] == region["id"]:
                id = card["id"]
                place = (
                    "held" if id in hand
                    else "shown" if id in view["on_table"] or id in shown
                    else "away" if id in view["discarded"]
                    else "unseen"
                )  # fmt: skip
                cards.append({"id": id, "days": card["days"], "vp": card["vp"], "place": place})
        icon = ICONS.get(region["icon"], "city")
        found.append({"id": region["id"], "icon": icon, "cards": cards})
    return found


def _opposition(game: Game, view: View) -> dict[str, Any] | None:
    """S5, S9: the opposition's cards of this round, and the objective they make so far."""
    if view["variant"] != "solitaire":
        return None
    line = [card_facts(game, id) for id in view["line"]]
    sums: dict[str, list[int]] = {}
    for at, card in enumerate(line):
        days, cards, _ = sums.get(card["region"], [0, 0, 0])
        sums[card["region"]] = [days + card["days"], cards + 1, at]
    best = max(sums, key=lambda region: sums[region]) if sums else None
    objective = None
    for card in line:
        if card["region"] == best and (objective is None or card["vp"] >= objective["vp"]):
            objective = card  # of equal ones the card played last
    return {
        "line": line, "to_come": view["line_to_come"], "difficulty": view["difficulty"], "objective": objective,
        "sums": [{"region": region, "days": days} for region, (days, _, _) in sums.items()],
        "faction": next(one["faction"] for one in view["factions"] if one["opposition"]),
    }  # fmt: skip
