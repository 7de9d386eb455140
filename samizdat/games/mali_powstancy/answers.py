"""Mali Powstańcy: what everything on the board says when somebody points at it; made from what one seat may know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from samizdat.games.mali_powstancy.chart import far
from samizdat.games.mali_powstancy.status import seat_word
from samizdat.games.mali_powstancy.words import Name, named
from samizdat.kernel.boards import (
    NOBODY,
    YOU,
    YOU_FIRST,
    Answer,
    Said,
    Seen,
    Sign,
    Signs,
    each,
    seat_named,
    told_about,
)
from samizdat.kernel.game import Game
from samizdat.kernel.telling import Listing, Many, Phrase, template

ACTIONS = {
    "pals": template("Action: exchange two of your scouts that are in one district."),
    "squad": template("Action: one scout on a named place jumps to a neighbour for nothing."),
    "exchange": template("Action: two orders in neighbouring spaces of the queue change places."),
    "gossip": template("Action: look at the orders that come next."),
    "": template("No action."),
}
ACTION_RULES = {"pals": "2.11.2", "squad": "2.11.3", "exchange": "2.11.4", "gossip": "2.11.5", "": "2.11.6"}
GOALS = {
    "most_from": template("Met if nobody delivered more orders from {district} than you, and you at least one."),
    "most_orders": template("Met if nobody delivered more orders than you."),
    "districts": template("Met if your delivered orders went to at least {n} different districts."),
    "most_important": template("Met if you delivered an order of the highest points that anybody delivered."),
}
GOAL_RULES = {
    "most_from": "2.13.4a", "most_orders": "2.13.4b", "districts": "2.13.4c", "most_important": "2.13.4d",
}  # fmt: skip


def answer(game: Game, seen: Seen, about: str) -> Answer | None:
    return told_about(KINDS, game, seen, about)


def _points(number: int) -> Many:
    return Many("{n} point", "{n} points", number)


def _names(game: Game, seen: Seen) -> list[Said]:
    return [seat_word(game, seat) for seat in range(len(seen.view["players_at_table"]))]


def _team(game: Game, seen: Seen, seat: int) -> Said:
    return YOU_FIRST if seat == seen.seat else _names(game, seen)[seat]


# --- The map ------------------------------------------------------------------------------------------------


def _orders(seen: Seen) -> list[tuple[int, Mapping[str, Any]]]:
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
    here = [named(game, "locations", order["destination"]) for _, order in _orders(seen) if order["origin"] == id]
    there = [named(game, "locations", order["origin"]) for _, order in _orders(seen) if order["destination"] == id]
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
    to = sum(game.box.text.row("locations", row["destination"])["district"] == id for _, row in _orders(seen))
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


def _prison(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    held = [
        scout["name"]
        for player in seen.view["players_at_table"]
        for scout in player["scouts"]
        if scout["at"] == "prison"
    ]
    does = Phrase("Whoever is arrested sits out the next movement phase, and comes back in the one after it.")
    now = Phrase("Held now: {scouts}.", {"scouts": Listing(held) if held else NOBODY})
    return Answer(Phrase("Prison"), Phrase("base game"), (does,), ("2.7.6",), (now,))


def _escaped(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    held = [
        scout["name"]
        for player in seen.view["players_at_table"]
        for scout in player["scouts"]
        if scout["at"] == "hand"
    ]
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
        values = {"place": named(game, "locations", order["destination"]), "points": _points(order["points"])}
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
    owner = YOU if seat == seen.seat else _names(game, seen)[seat]
    return Answer(named(game, "scouts", id), owner, (does,), ("2.5.5", "2.6.2"), tuple(now))


# --- Orders -------------------------------------------------------------------------------------------------


def _order(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    (id,) = words
    row = game.box.text.row("orders", id)
    values = {
        "origin": named(game, "locations", row["origin"]),
        "destination": named(game, "locations", row["destination"]),
    }
    does = Phrase("Fetch it at {origin}, bring it to {destination}; taking it costs nothing.", values)
    last = len(seen.view["queue"])
    now: list[Said] = []
    for space, order in _orders(seen):
        if order["order"] == id:
            left = last - space
            now.append(
                Many("Fails after {n} more round.", "Fails after {n} more rounds.", left)
                if left
                else Phrase("Fails at the end of this round.")
            )
            carriers = [_carrier(game, seat, number) for seat, number in order["tiles"]]
            if carriers:
                now.append(
                    Phrase("Carried by: {scouts}. The first to arrive gets it.", {"scouts": Listing(carriers)})
                )
    if not now:
        now.append(_whereabouts(seen, id))
    return Answer(named(game, "orders", id), _points(row["points"]), (does,), ("2.6.1", "2.6.4"), tuple(now))


def _carrier(game: Game, seat: int, number: int) -> Name:
    colour = game.box.names["colours"][seat]
    team = [one["id"] for one in game.box.text.tables["scouts"] if one["colour"] == colour]
    return named(game, "scouts", team[number - 1])


def _whereabouts(seen: Seen, id: str) -> Phrase:
    view = seen.view
    if any(id in (player["pile"] or ()) for player in view["players_at_table"]):
        return Phrase("Delivered.")
    if id in (view["deck"]["next"] or ()):
        return Phrase("Next in the deck: you have looked.")
    if id in view["gone"] or id in view["failing"] or id == view["resolving"]:
        return Phrase("Failed or removed.")
    return Phrase("Not seen yet.")


def _row_of_queue(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    (number,) = words
    last = len(seen.view["queue"])
    space = [str(one) for one in range(1, last + 1)].index(number) + 1
    does = Phrase("New orders come into space 1; all sink one space a round, and fail after space {n}.", {"n": last})
    rules = ("2.1.6", "2.8.1") if game.variant == "base" else ("2.1.6", "2.12.1")
    return Answer(
        Phrase("Space {n}", {"n": space}),
        Phrase("queue"),
        (does,),
        rules,
        (
            Phrase("These fail at the end of this round.")
            if space == last
            else Many("These have {n} more round.", "These have {n} more rounds.", last - space),
        ),
    )


def _victory(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    does = Phrase("Sinks like an order; when it leaves the queue, the game ends. It cannot be taken or exchanged.")
    return Answer(Phrase("Victory card"), Phrase("queue"), (does,), ("2.13.1", "2.13.2"))


def _deck(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    deck = seen.view["deck"]
    does = Phrase("New orders come from it at the beginning of each round.")
    now: list[Said] = []
    if deck["orders_above_victory"] is not None and seen.view["victory_card"] == "deck":
        now.append(
            Many(
                "{n} order lies above the Victory card.",
                "{n} orders lie above the Victory card.",
                deck["orders_above_victory"],
            )
        )
    return Answer(
        Phrase("Deck"), Many("{n} card", "{n} cards", deck["cards"]), (does,), ("2.4.1", "2.4.2"), tuple(now)
    )


# --- Cards, objectives, seats ---------------------------------------------------------------------------------


def _card(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    (id,) = words
    row = next(row for row in game.box.text.tables["cards"] if str(row["value"]) == id)
    does: list[Said] = [
        Many(
            "{n} movement point, for all your scouts together.",
            "{n} movement points, for all your scouts together.",
            row["points"],
        )
    ]
    rules = ["2.5.2", "2.5.3"]
    if game.variant == "extended":
        text = ACTIONS[row["action"]]
        does.append(Phrase(text))
        rules.append(ACTION_RULES[row["action"]])
    others = [
        seat
        for seat, player in enumerate(seen.view["players_at_table"])
        if seat != seen.seat and any(int(card) < row["value"] for card in player["hand"])
    ]
    now: Said = Phrase(
        "Low cards act first; whoever could still play lower: {names}.",
        {"names": Listing([_names(game, seen)[seat] for seat in others]) if others else NOBODY},
    )
    return Answer(Phrase("Card {n}", {"n": row["value"]}), Phrase("movement card"), tuple(does), tuple(rules), (now,))


def _cards(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    printed: Any = game.box.record
    does = Phrase(
        "Each card is played once; when all {n} are played, everybody takes them back.", {"n": printed.cards}
    )
    return Answer(Phrase("Movement cards"), Phrase("one a round"), (does,), ("2.5.1", "2.5.9"))


def _objective(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    (id,) = words
    row = game.box.text.row("objectives", id)
    kind = row["type"]
    text = GOALS[kind]
    values: dict[str, Any] = {"n": row["districts"]}
    if row["district"]:
        values["district"] = named(game, "districts", row["district"])
    now: list[Said] = []
    me = seen.view["players_at_table"][seen.seat] if seen.seat is not None else None
    if me is not None and me["pile"] is not None:
        orders = [game.box.text.row("orders", order) for order in me["pile"]]
        if kind == "districts":
            reached = {game.box.text.row("locations", order["destination"])["district"] for order in orders}
            now.append(Phrase("So far: {n} of {all}.", {"n": len(reached), "all": row["districts"]}))
        elif kind == "most_from":
            mine = sum(
                game.box.text.row("locations", order["origin"])["district"] == row["district"] for order in orders
            )
            now.append(Phrase("Yours from there so far: {n}.", {"n": mine}))
        elif kind == "most_orders":
            counts = {seat: player["delivered"] for seat, player in enumerate(seen.view["players_at_table"])}
            now.append(Phrase("Delivered: {each}.", {"each": each(seen, _names(game, seen), counts)}))
        else:
            now.append(Phrase("Your best so far: {n}.", {"n": max((order["points"] for order in orders), default=0)}))
    return Answer(
        named(game, "objectives", id),
        _points(row["points"]),
        (Phrase(text, values),),
        (GOAL_RULES[kind],),
        tuple(now),
    )


def _delivered(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    seat = seat_named(seen, words)
    number = seen.view["players_at_table"][seat]["delivered"]
    pile = seen.view["players_at_table"][seat]["pile"]
    does = Phrase("How many orders somebody has delivered is open, which ones and for how much is not.")
    now: tuple[Said, ...] = ()
    if pile is not None:
        now = (
            Phrase(
                "Worth {points}.", {"points": _points(sum(game.box.text.row("orders", id)["points"] for id in pile))}
            ),
        )
    return Answer(
        _team(game, seen, seat),
        Many("{n} delivered order", "{n} delivered orders", number),
        (does,),
        ("2.15", "2.9.2"),
        now,
    )


def _seat(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    seat = seat_named(seen, words)
    view = seen.view
    one = view["players_at_table"][seat]
    does = Phrase("Cards left in hand: {cards}.", {"cards": Listing(one["hand"]) if one["hand"] else Phrase("none")})
    now: list[Said] = []
    if view["turn_order"] is not None:
        turn = view["turn_order"].index(seat) + 1
        now.append(Phrase("Acts as number {n} in this round.", {"n": turn}))
    if seat == view["start_player"]:
        now.append(Phrase("Start player: goes first among equal cards."))
    return Answer(
        _team(game, seen, seat),
        Many("{n} delivered order", "{n} delivered orders", one["delivered"]),
        (does,),
        ("2.5.2", "2.15"),
        tuple(now),
    )


def _played(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    seat = seat_named(seen, words)
    one = seen.view["players_at_table"][seat]
    if one["card"] is None:
        what: Said = Phrase("chosen") if one["has_chosen"] else Phrase("not chosen yet")
    else:
        what = Phrase("card {n}", {"n": one["card"]})
    does = Phrase("All choose in secret; then the lowest card acts first, and its number is its movement points.")
    return Answer(_team(game, seen, seat), what, (does,), ("2.5.1", "2.5.2"))


def _return(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    lines = [
        Phrase("{scouts}: {points}", {"scouts": row["scouts"], "points": row["points"]})
        for row in game.box.text.tables["return_bonus"]
    ]
    does = Phrase(
        "Scouts on starting places at the end, any scout on any of them: {lines}.", {"lines": Listing(lines)}
    )
    return Answer(Phrase("Back home"), Phrase("score sheet"), (does,), ("2.9.2",))


def _total(game: Game, seen: Seen, words: Sequence[str]) -> Answer:
    does = Phrase("Most points win; then most delivered orders; then the victory is shared.")
    return Answer(Phrase("Total"), Phrase("score sheet"), (does,), ("2.9.3",))


KINDS = {
    "place": _place, "blank": _blank, "district": _district, "route": _route, "losses": _losses, "soldier": _soldier,
    "die": _die, "prison": _prison, "escaped": _escaped, "scout": _scout, "order": _order, "space": _row_of_queue,
    "victory": _victory, "deck": _deck, "card": _card, "cards": _cards, "objective": _objective,
    "delivered": _delivered, "seat": _seat, "played": _played, "return": _return, "total": _total,
}  # fmt: skip


# --- The legend -----------------------------------------------------------------------------------------------


def legend(game: Game) -> tuple[Signs, ...]:
    orders = (
        Sign("order", Phrase("an order: waiting, or carried by a scout")),
        Sign("origin", Phrase("fetch it here")),
        Sign("destination", Phrase("bring it here")),
        Sign("tank", Phrase("a tank: a failed order, a blocked route")),
        Sign("point", Phrase("points of what you delivered")),
    )
    city = (
        Sign("home", Phrase("starting place: be back here at the end")),
        Sign("scout", Phrase("a scout; red on the die: it may run")),
        Sign("move", Phrase("movement points")),
        Sign("cards", Phrase("cards left in hand")),
        Sign("fresh", Phrase("start player")),
    )
    more: tuple[Sign, ...]
    if game.variant == "base":
        more = (
            Sign("soldier", Phrase("the soldier; black on the die: he comes")),
            Sign("prison", Phrase("prison")),
        )
    else:
        more = (
            Sign("swap", Phrase("exchange two scouts or two orders")),
            Sign("double-move", Phrase("a free jump")),
            Sign("spy", Phrase("a look at the orders that come next")),
            Sign("medal", Phrase("Victory card: when it leaves, the game ends")),
        )
    return (
        Signs(Phrase("Orders"), orders),
        Signs(Phrase("In the city"), city),
        Signs(Phrase("In this variant"), more),
    )
