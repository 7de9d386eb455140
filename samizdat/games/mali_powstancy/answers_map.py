"""Mali Powstańcy: what the map and those on it say when somebody points at them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from samizdat.games.mali_powstancy.chart import far
from samizdat.games.mali_powstancy.status import seat_word
from samizdat.games.mali_powstancy.words import named
from samizdat.kernel.boards import (
    NOBODY,
    YOU,
    Answer,
    Said,
    Seen,
)
from samizdat.kernel.game import Game
from samizdat.kernel.telling import Listing, Many, Phrase


def points_word(number: int) -> Many:
    return Many("{n} point", "{n} points", number)


def seat_words(game: Game, seen: Seen) -> list[Said]:
    return [seat_word(game, seat) for seat in range(len(seen.view["players_at_table"]))]


def orders_told(seen: Seen) -> list[tuple[int, Mapping[str, Any]]]:
    """The orders in the queue, each with its space."""
    return [(space, row) for space, rows in enumerate(seen.view["queue"], 1) for row in rows]


def _place(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    (id,) = words
    row = game.box.text.row("locations", id)
    near = [
        named(game, "locations", route["b"] if route["a"] == id else route["a"])
        for route in game.box.text.tables["routes"]
        if id in (route["a"], route["b"]) and route["id"] not in seen.view["blocked"]
    ]
    does: Said = Phrase("For one point a scout jumps from here to: {places}.", {"places": Listing(near)})
    if row["district"] in seen.view["fallen"]:
        does = Phrase("Its district has fallen: no scout may enter it.")
    elif not near:
        does = Phrase("Every route from here is blocked.")
    now: list[Said] = []
    here = [named(game, "locations", order["destination"]) for _, order in orders_told(seen) if order["origin"] == id]
    there = [
        named(game, "locations", order["origin"]) for _, order in orders_told(seen) if order["destination"] == id
    ]
    if here:
        now.append(Phrase("Orders wait here, bound for: {places}.", {"places": Listing(here)}))
    if there:
        now.append(Phrase("Orders are bound for here, from: {places}.", {"places": Listing(there)}))
    rules = ["2.5.5b"]
    what: Said = named(game, "districts", row["district"])
    if row["start"]:
        what = Phrase("starting place, {district}", {"district": what})
        rules.append("2.9.2")
        bonus = Listing([line["points"] for line in game.box.text.tables["return_bonus"]])
        if len(now) < 2:
            now.append(
                Phrase(
                    "Scouts on starting places at the end bring {points} for one, two or three.", {"points": bonus}
                )
            )
    return Answer(named(game, "locations", id), what, (does,), tuple(rules), tuple(now))


def _blank(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    does = Phrase("An unnamed space of a route: one point a step. From here no scout can jump.")
    return Answer(Phrase("Space"), Phrase("on the way"), (does,), ("2.5.5a", "2.5.6"))


def _district(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    (id,) = words
    game.box.text.row("districts", id)
    to = sum(game.box.text.row("locations", row["destination"])["district"] == id for _, row in orders_told(seen))
    now: list[Said] = [Many("{n} order in the queue goes here.", "{n} orders in the queue go here.", to)]
    if game.variant == "base":
        does = Phrase("One of the districts. Every space belongs to one; in the base game they have no effect.")
        return Answer(named(game, "districts", id), Phrase("district"), (does,), ("2.1.4",), tuple(now))
    limit = game.box.text.constants["extended_defeat"]
    does = Phrase(
        "The first failed order to it blocks a route, the second loses it; {n} lost districts lose the game for all.",
        {"n": limit},
    )
    failures = seen.view["failures"].get(id, 0)
    state = (
        Phrase("Lost: no scout may enter it.")
        if id in seen.view["fallen"]
        else Many("{n} failure so far.", "{n} failures so far.", failures)
    )
    return Answer(named(game, "districts", id), Phrase("district"), (does,), ("2.12.2", "2.12.3"), (state, *now))


def _route(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    (id,) = words
    row = game.box.text.row("routes", id)
    ends = {"a": named(game, "locations", row["a"]), "b": named(game, "locations", row["b"])}
    blocked = id in seen.view["blocked"]
    does = Phrase("A tank blocks the whole route for the rest of the game, on foot and for jumps.")
    now = Phrase("Blocked.") if blocked else Phrase("Open: {n} steps from end to end.", {"n": row["length"]})
    return Answer(Phrase("{a} – {b}", ends), Phrase("route"), (does,), ("2.8.5", "2.5.8"), (now,))


def _losses(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    if game.variant == "base":
        limit = game.box.text.constants["base_defeat"]
        does = Phrase(
            "Each order that fails puts a tank on a route; number {n} loses the game for everybody.", {"n": limit}
        )
        now = Phrase("{n} of {all} so far.", {"n": seen.view["small_tokens"], "all": limit})
        return Answer(Phrase("Failed orders"), Phrase("tanks"), (does,), ("2.8.3", "2.8.4"), (now,))
    limit = game.box.text.constants["extended_defeat"]
    does = Phrase(
        "The second failed order to a district loses it; {n} lost districts lose the game for everybody.",
        {"n": limit},
    )
    now = Phrase("{n} of {all} so far.", {"n": len(seen.view["fallen"]), "all": limit})
    return Answer(Phrase("Lost districts"), Phrase("tanks"), (does,), ("2.12.3", "2.12.4"), (now,))


def _soldier(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    printed: Any = game.box.record
    spaces = game.box.names["spaces"]
    here = spaces.index(seen.view["soldier"])
    does = Phrase("After everybody's turn he goes towards the nearest scout and arrests all whose space he enters.")
    distances = [
        (int(printed.distance[here, spaces.index(scout["at"])]), seat, scout["name"])
        for seat, player in enumerate(seen.view["players_at_table"])
        for scout in player["scouts"]
        if scout["at"] in spaces
    ]
    now: tuple[Said, ...] = ()
    if distances:
        steps = min(distances)[0]
        near = Listing([name for one, _, name in distances if one == steps])
        now = (
            Many(
                "Nearest now, {n} step away: {scouts}.",
                "Nearest now, {n} steps away: {scouts}.",
                steps,
                {"scouts": near},
            ),
        )
    return Answer(
        Phrase("The soldier"), named(game, "spaces", seen.view["soldier"]), (does,), ("2.7.3", "2.7.4"), now
    )


def _die(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    die = seen.view["die"]
    if die["colour"] == "black":
        does = Many(
            "Black: the soldier goes {n} step towards the nearest scout.",
            "Black: the soldier goes {n} steps towards the nearest scout.",
            die["number"],
        )
        return Answer(Phrase("Die"), Phrase("black {n}", {"n": die["number"]}), (does,), ("2.7.4",))
    does = Many(
        "Red: the nearest scout may run up to {n} step.",
        "Red: the nearest scout may run up to {n} steps.",
        die["number"],
    )
    return Answer(Phrase("Die"), Phrase("red {n}", {"n": die["number"]}), (does,), ("2.7.5",))


def _names_at(seen: Seen, place: str) -> list[str]:
    """The scouts in a place that is no space of the map."""
    everybody = (scout for player in seen.view["players_at_table"] for scout in player["scouts"])
    return [scout["name"] for scout in everybody if scout["at"] == place]


def _prison(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    held = _names_at(seen, "prison")
    does = Phrase("Whoever is arrested sits out the next movement phase, and comes back in the one after it.")
    now = Phrase("Held now: {scouts}.", {"scouts": Listing(held) if held else NOBODY})
    return Answer(Phrase("Prison"), Phrase("base game"), (does,), ("2.7.6",), (now,))


def _escaped(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    held = _names_at(seen, "hand")
    does = Phrase("Out of prison: first thing in their owner's turn they are put on almost any space.")
    now = Phrase("Now: {scouts}.", {"scouts": Listing(held) if held else NOBODY})
    return Answer(Phrase("Escaped"), Phrase("scouts"), (does,), ("2.5.4",), (now,))


def _scout(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    (id,) = words
    row = game.box.text.row("scouts", id)
    seat = [player["colour"] for player in seen.view["players_at_table"]].index(row["colour"])
    team = [one["id"] for one in game.box.text.tables["scouts"] if one["colour"] == row["colour"]]
    scout = seen.view["players_at_table"][seat]["scouts"][team.index(id)]
    if scout["at"] == "prison":
        where: Said = Phrase("In prison: sits out a movement phase.")
    elif scout["at"] == "hand":
        where = Phrase("Escaped: comes back first thing in the owner's turn.")
    else:
        where = Phrase("Stands: {space}.", {"space": named(game, "spaces", scout["at"])})
    does = Phrase("A scout steps or jumps for one point each, and carries one order at most.")
    now = [where]
    if scout["carries"]:
        order = game.box.text.row("orders", scout["carries"])
        values = {"place": named(game, "locations", order["destination"]), "points": points_word(order["points"])}
        way = None
        if scout["at"] in game.box.names["spaces"]:
            way = far(game, seen.view, scout["at"], game.box.names["orders"].index(scout["carries"]))
        if way is None:
            now.append(Phrase("Carries an order to {place} for {points}; no way is left.", values))
        else:
            steps = {**values, "n": way["points"], "steps": way["steps"]}
            now.append(
                Phrase("Carries an order to {place} for {points}: {n} movement points, {steps} steps on foot.", steps)
            )
    owner = YOU if seat == seen.seat else seat_words(game, seen)[seat]
    return Answer(named(game, "scouts", id), owner, (does,), ("2.5.5", "2.6.2"), tuple(now))


ON_MAP = {
    "place": _place, "blank": _blank, "district": _district, "route": _route, "losses": _losses,
    "soldier": _soldier, "die": _die, "prison": _prison, "escaped": _escaped, "scout": _scout,
}  # fmt: skip
