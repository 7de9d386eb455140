"""Mali Powstańcy: what everything on the board says when somebody points at it; made from what one seat may know."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from samizdat.games.mali_powstancy.answers_map import ON_MAP, orders_told, points_word, seat_words
from samizdat.games.mali_powstancy.words import Name, named
from samizdat.kernel.boards import (
    NOBODY,
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


def _team(game: Game, seen: Seen, seat: int) -> Said:
    return YOU_FIRST if seat == seen.seat else seat_words(game, seen)[seat]


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
    for space, order in orders_told(seen):
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
    return Answer(named(game, "orders", id), points_word(row["points"]), (does,), ("2.6.1", "2.6.4"), tuple(now))


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
        {"names": Listing([seat_words(game, seen)[seat] for seat in others]) if others else NOBODY},
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
            now.append(Phrase("Delivered: {each}.", {"each": each(seen, seat_words(game, seen), counts)}))
        else:
            now.append(Phrase("Your best so far: {n}.", {"n": max((order["points"] for order in orders), default=0)}))
    return Answer(
        named(game, "objectives", id),
        points_word(row["points"]),
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
                "Worth {points}.",
                {"points": points_word(sum(game.box.text.row("orders", id)["points"] for id in pile))},
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
    **ON_MAP, "order": _order, "space": _row_of_queue, "victory": _victory, "deck": _deck, "card": _card,
    "cards": _cards, "objective": _objective, "delivered": _delivered, "seat": _seat, "played": _played,
    "return": _return, "total": _total,
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
