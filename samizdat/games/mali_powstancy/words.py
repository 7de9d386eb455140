"""Mali Powstańcy: the record of a match in sentences, each with the number of its rule."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from samizdat.games.mali_powstancy import state as events
from samizdat.games.mali_powstancy.state import NONE, REASONS
from samizdat.kernel.game import Game
from samizdat.kernel.telling import Line, Told, Word


@dataclass(frozen=True)
class Named(Word):
    """A component that the box itself can name."""

    text: str

    def __str__(self) -> str:
        return self.text


def named(game: Game, table: str, id: str) -> Word:
    """A component by its id, with what is printed on it."""
    rows: dict[str, list[dict[str, Any]]] = game.box.text.tables
    if table == "spaces":
        table = "locations" if id in game.box.names["locations"] else table
    row = next((row for row in rows.get(table, []) if row.get("id") == id), None)
    if row is None:
        return Word(table, id)
    if table == "orders":
        return Named(table, id, f"{id.upper()} ({_place(game, row['origin'])} → {_place(game, row['destination'])})")
    if table == "routes":
        return Named(table, id, f"{id.upper()} ({_place(game, row['a'])} – {_place(game, row['b'])})")
    if table == "objectives":
        return Named(table, id, f"{id.upper()} ({_objective(game, row)})")
    return Named(table, id, row["name"]) if "name" in row else Word(table, id)


def _place(game: Game, id: str) -> str:
    return str(next(row["name"] for row in game.box.text.tables["locations"] if row["id"] == id))


def _objective(game: Game, row: dict[str, Any]) -> str:
    """2.13.4 in a few words."""
    if row["type"] == "most_from":
        return f"most orders from {named(game, 'districts', row['district'])}"
    if row["type"] == "districts":
        return f"orders to {row['districts']} districts"
    return "most orders" if row["type"] == "most_orders" else "the most important order"


# Event: rule, sentence, and what its numbers mean ("seat", "scout" of that seat, "number", or a table of the box).
WALK = ("seat", "scout", "spaces:from_", "spaces:space")
SENTENCES: dict[int, tuple[str, str, tuple[str, ...]]] = {
    events.STARTS: ("2.2.5", "{seat} is the start player.", ("seat",)),
    events.DEALS: ("2.10.3", "You are dealt {objective}.", ("objectives:objective",)),
    events.DEALS_AGAIN: ("2.10.3", "A hand shows too few colours; the objectives are dealt again.", ()),
    events.KEEPS: ("2.10.3", "You keep {objective}.", ("objectives:objective",)),
    events.HAS_KEPT: ("2.10.3", "{seat} has chosen objectives.", ("seat",)),
    events.ROUND: ("2.3", "Round {round}.", ("number:round",)),
    events.REVEALS: ("2.4.1", "New order: {order}.", ("orders:order",)),
    events.VICTORY_APPEARS: ("2.13.1", "The Victory card appears in the queue.", ()),
    events.REMOVES: ("2.12.3", "Order {order} is removed: its district has fallen.", ("orders:order",)),
    events.NO_ORDERS: ("2.4.2", "No order is revealed.", ()),
    events.HAS_CHOSEN: ("2.5.1", "{seat} has chosen a movement card.", ("seat",)),
    events.SHOWS_CARD: ("2.5.2", "{seat} plays card {card}.", ("seat", "cards:card")),
    events.TURN_BEGINS: ("2.5.3", "{seat} has {points} movement points.", ("seat", "number:points")),
    events.ENTERS: ("2.5.4", "{scout} of {seat} comes back on {space}.", ("seat", "scout", "spaces:space")),
    events.STEPS: (
        "2.5.5", "{scout} of {seat} steps from {from_} to {space}.", WALK,
    ),
    events.JUMPS: (
        "2.5.5", "{scout} of {seat} jumps from {from_} to {space}.", WALK,
    ),
    events.TAKES: ("2.6.1", "{scout} of {seat} takes order {order}.", ("seat", "scout", "orders:order")),
    events.DROPS: ("2.6.3", "{scout} of {seat} drops order {order}.", ("seat", "scout", "orders:order")),
    events.DELIVERS: (
        "2.6.4", "{scout} of {seat} delivers an order at {space}, the team's number {orders}.",
        ("seat", "scout", "spaces:space", "number:orders"),
    ),
    events.EARNS: ("2.6.4", "It was {order}, worth {points}.", ("orders:order", "number:points")),
    events.TURN_ENDS: ("2.5.3", "{seat} ends the turn with {points} points unused.", ("seat", "number:points")),
    events.SWAPS: (
        "2.11.2", "{scout} and {other} of {seat} change places: {space} and {other_space}.",
        ("seat", "scout", "scout:other", "spaces:space", "spaces:other_space"),
    ),
    events.ESCORTED: (
        "2.11.3", "A squad brings {scout} of {seat} from {from_} to {space}.",
        WALK,
    ),
    events.EXCHANGES: (
        "2.11.4", "{seat} exchanges {order} with {other}; it now lies in space {space}.",
        ("seat", "orders:order", "orders:other", "number:space"),
    ),
    events.LOOKS: ("2.11.5", "{seat} looks at the next cards of the deck: {cards}.", ("seat", "number:cards")),
    events.SEES: ("2.11.5", "You see {order}.", ("orders:order",)),
    events.SEES_VICTORY: ("2.11.5", "You see the Victory card.", ()),
    events.ESCAPES: ("2.7.1", "{scout} of {seat} escapes from prison.", ("seat", "scout")),
    events.ROLLS: ("2.7.2", "{seat} rolls {face}.", ("seat", "face")),
    events.NOBODY_OUTSIDE: ("A14", "No scout is on the board; the soldier waits.", ()),
    events.MARCHES: (
        "2.7.4", "The soldier goes {steps} steps from {from_} to {space}.",
        ("spaces:from_", "spaces:space", "number:steps"),
    ),
    events.ARRESTS: ("2.7.4", "{scout} of {seat} is arrested.", ("seat", "scout")),
    events.RED_MOVE: ("2.7.5", "{scout} of {seat} may walk {steps} steps.", ("seat", "scout", "number:steps")),
    events.RED_ENDS: ("2.7.5", "{scout} of {seat} stops.", ("seat", "scout")),
    events.FAILS: ("2.8.1", "Order {order} has failed.", ("orders:order",)),
    events.TOKEN_ON_ROUTE: (
        "2.8.3", "{seat} puts small token number {tokens} on route {route}.",
        ("seat", "routes:route", "number:tokens"),
    ),
    events.TOKEN_BESIDE: (
        "A7", "No route is left at {location}; small token number {tokens} lies beside it.",
        ("locations:location", "number:tokens"),
    ),
    events.DISTRICT_FALLS: (
        "2.12.3", "{district} falls; districts lost so far: {fallen}.", ("districts:district", "number:fallen"),
    ),
    events.NOTHING_TO_LOSE: (
        "A51", "Order {order} went to {district}, where nothing is left to lose.",
        ("orders:order", "districts:district"),
    ),
    events.FLEES: (
        "2.8.6", "{scout} of {seat} flees from {from_} to {space}.", WALK,
    ),
    events.VICTORY_LEAVES: ("2.13.2", "The Victory card leaves the queue.", ()),
    events.MARKER: ("2.8.7", "{seat} is the new start player.", ("seat",)),
    events.ORDERS_SCORE: (
        "2.9.2", "{seat} scores {points} for {orders} orders.", ("seat", "number:orders", "number:points"),
    ),
    events.RETURN_SCORE: ("2.9.2", "{seat} scores {points} for returned scouts.", ("seat", "number:points")),
    events.OBJECTIVE_SCORE: (
        "2.13.4", "{seat} scores {points} for {objective}.", ("seat", "objectives:objective", "number:points"),
    ),
}  # fmt: skip

ENDINGS = {
    "last_order": ("2.9.1", "The last order has left the queue; the game ends."),
    "victory_card": ("2.13.2", "The Victory card has left the queue; the game ends."),
    "fourth_token": ("2.9.4", "Too many orders have failed: everybody loses."),
    "third_district": ("2.12.4", "Too many districts have fallen: everybody loses."),
}


def tell(game: Game, told: list[Told], viewer: int) -> list[Line]:
    """The log lines of one decision."""
    return [_line(game, one) for one in told]


def _line(game: Game, one: Told) -> Line:
    if one.event == events.ENDS:
        return Line(*ENDINGS[REASONS[one.args[0]]])
    if one.event == events.NEAREST:
        return _nearest(game, *one.args[:4])
    rule, text, arguments = SENTENCES[one.event]
    values: dict[str, object] = {}
    seat = NONE
    for argument, value in zip(arguments, one.args, strict=False):
        kind, _, name = argument.partition(":")
        if kind == "seat":
            seat = value
            values["seat"] = Word("colours", game.box.names["colours"][value])
        elif kind == "scout":
            values[name or "scout"] = _scout(game, seat, value)
        elif kind == "face":
            row = game.box.text.tables["die"][value]
            values["face"] = f"a {row['colour']} {row['number']}"
        elif kind == "number":
            values[name] = value
        else:
            values[name] = named(game, kind, game.box.names[kind][value])
    return Line(rule, text, values)


def _nearest(game: Game, seat: int, choices: int, scout: int, distance: int) -> Line:
    values: dict[str, object] = {"seat": Word("colours", game.box.names["colours"][seat]), "distance": distance}
    if choices > 1:
        return Line("2.7.3", "Several scouts of {seat} are nearest, at {distance}; {seat} chooses.", values)
    if choices == 0:
        return Line("2.7.5", "The nearest scouts of {seat} cannot move.", values)
    values["scout"] = _scout(game, seat, scout)
    return Line("2.7.3", "{scout} of {seat} is nearest, at {distance}.", values)


def _scout(game: Game, seat: int, scout: int) -> Word:
    colour = game.box.names["colours"][seat]
    team = [row["id"] for row in game.box.text.tables["scouts"] if row["colour"] == colour]
    return named(game, "scouts", team[scout])
