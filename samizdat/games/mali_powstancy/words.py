"""Mali Powstańcy: the record of a match in sentences, each with the number of its rule."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from samizdat.games.mali_powstancy import state as events
from samizdat.games.mali_powstancy.state import NONE, REASONS
from samizdat.kernel.game import Game
from samizdat.kernel.telling import Described, Line, Many, Phrase, Told, Word, template


@dataclass(frozen=True)
class Named(Word):
    """A component that the box itself can name."""

    text: str

    def __str__(self) -> str:
        return self.text


Name = Word | Phrase | Many


def named(game: Game, table: str, id: str) -> Name:
    """A component by its id: what is printed on it, or, where nothing is, what it is."""
    if table == "spaces":
        return space_name(game, id)
    row = next((row for row in game.box.text.tables.get(table, []) if row.get("id") == id), None)
    if row is None:
        return Word(table, id)
    if table == "orders":
        ends = {"origin": named(game, "locations", row["origin"])}
        ends["destination"] = named(game, "locations", row["destination"])
        return Described("{origin} → {destination}", ends, Word(table, id))
    if table == "routes":
        return Described("{a} – {b}", _ends(game, row), Word(table, id))
    if table == "objectives":
        return objective_name(game, row)
    return Named(table, id, row["name"]) if "name" in row else Word(table, id)


def _ends(game: Game, route: dict[str, Any]) -> dict[str, Any]:
    return {end: named(game, "locations", route[end]) for end in ("a", "b")}


def space_name(game: Game, id: str) -> Name:
    """A location by its name, a blank by the locations it lies between."""
    if id in game.box.names["locations"]:
        return named(game, "locations", id)
    route, _, number = id.rpartition("_")
    row = next(row for row in game.box.text.tables["routes"] if row["id"] == route)
    word = Word("spaces", id)
    from_a, from_b = int(number), row["length"] - int(number)
    if from_a == from_b:
        return Described("the space between {a} and {b}", _ends(game, row), word)
    ends = _ends(game, row) | {"near": named(game, "locations", row["a" if from_a < from_b else "b"])}
    if min(from_a, from_b) == 1:
        return Described("the space between {a} and {b}, next to {near}", ends, word)
    away = {"steps": COUNTS["steps"](min(from_a, from_b))}
    return Described("the space between {a} and {b}, {steps} from {near}", ends | away, word)


def objective_name(game: Game, row: dict[str, Any]) -> Name:
    """2.13.4 in a few words."""
    if row["type"] == "most_from":
        return Phrase("most orders from {district}", {"district": named(game, "districts", row["district"])})
    if row["type"] == "districts":
        return Many("orders to {n} district", "orders to {n} districts", row["districts"])
    return Phrase("most orders") if row["type"] == "most_orders" else Phrase("the most important order")


# Numbers of things, as parts of a sentence.
COUNTS: dict[str, Callable[[int], Many]] = {
    "movement": lambda n: Many("{n} movement point", "{n} movement points", n),
    "steps": lambda n: Many("{n} step", "{n} steps", n),
    "delivered": lambda n: Many("{n} order", "{n} orders", n),
}
FACES: dict[str, Callable[[int], Phrase]] = {
    "black": lambda number: Phrase("a black {number}", {"number": number}),
    "red": lambda number: Phrase("a red {number}", {"number": number}),
}


# Event: rule, sentence, and what its numbers mean ("seat", "scout" of that seat, "number", a key of COUNTS, or a
# table of the box).
WALK = ("seat", "scout", "spaces:from_", "spaces:space")
SENTENCES: dict[int, tuple[str, str, tuple[str, ...]]] = {
    events.STARTS: ("2.2.5", template("{seat} is the start player."), ("seat",)),
    events.DEALS: ("2.10.3", template("You are dealt the objective “{objective}”."), ("objectives:objective",)),
    events.DEALS_AGAIN: ("2.10.3", template("A hand shows too few colours; the objectives are dealt again."), ()),
    events.KEEPS: ("2.10.3", template("You keep the objective “{objective}”."), ("objectives:objective",)),
    events.HAS_KEPT: ("2.10.3", template("{seat} has chosen objectives."), ("seat",)),
    events.ROUND: ("2.3", template("Round {round} begins."), ("number:round",)),
    events.REVEALS: ("2.4.1", template("New order: {order}."), ("orders:order",)),
    events.VICTORY_APPEARS: ("2.13.1", template("The Victory card appears in the queue."), ()),
    events.REMOVES: ("2.12.3", template("Order {order} is removed: its district has fallen."), ("orders:order",)),
    events.NO_ORDERS: ("2.4.2", template("No order is revealed."), ()),
    events.HAS_CHOSEN: ("2.5.1", template("{seat} has chosen a movement card."), ("seat",)),
    events.SHOWS_CARD: ("2.5.2", template("{seat} plays card {card}."), ("seat", "card")),
    events.TURN_BEGINS: ("2.5.3", template("{seat} has {points}."), ("seat", "movement:points")),
    events.ENTERS: ("2.5.4", template("{scout} of {seat} comes back on {space}."), ("seat", "scout", "spaces:space")),
    events.STEPS: (
        "2.5.5", template("{scout} of {seat} steps from {from_} to {space}."), WALK,
    ),
    events.JUMPS: (
        "2.5.5", template("{scout} of {seat} jumps from {from_} to {space}."), WALK,
    ),
    events.TAKES: ("2.6.1", template("{scout} of {seat} takes order {order}."), ("seat", "scout", "orders:order")),
    events.DROPS: ("2.6.3", template("{scout} of {seat} drops order {order}."), ("seat", "scout", "orders:order")),
    events.DELIVERS: (
        "2.6.4", template("{scout} of {seat} delivers an order at {space}, the team's number {orders}."),
        ("seat", "scout", "spaces:space", "number:orders"),
    ),
    events.EARNS: ("2.6.4", template("It was {order}, worth {points}."), ("orders:order", "number:points")),
    events.TURN_ENDS: ("2.5.3", template("{seat} ends the turn with {points} unused."), ("seat", "movement:points")),
    events.SWAPS: (
        "2.11.2", template("{scout} and {other} of {seat} change places: {space} and {other_space}."),
        ("seat", "scout", "scout:other", "spaces:space", "spaces:other_space"),
    ),
    events.ESCORTED: (
        "2.11.3", template("A squad brings {scout} of {seat} from {from_} to {space}."),
        WALK,
    ),
    events.EXCHANGES: (
        "2.11.4", template("{seat} exchanges {order} with {other}; it now lies in space {space}."),
        ("seat", "orders:order", "orders:other", "number:space"),
    ),
    events.LOOKS: (
        "2.11.5", template("{seat} looks at the next cards of the deck: {cards}."), ("seat", "number:cards"),
    ),
    events.SEES: ("2.11.5", template("You see {order}."), ("orders:order",)),
    events.SEES_VICTORY: ("2.11.5", template("You see the Victory card."), ()),
    events.ESCAPES: ("2.7.1", template("{scout} of {seat} escapes from prison."), ("seat", "scout")),
    events.ROLLS: ("2.7.2", template("{seat} rolls {face}."), ("seat", "face")),
    events.NOBODY_OUTSIDE: ("A14", template("No scout is on the board; the soldier waits."), ()),
    events.MARCHES: (
        "2.7.4", template("The soldier goes {steps} from {from_} to {space}."),
        ("spaces:from_", "spaces:space", "steps:steps"),
    ),
    events.ARRESTS: ("2.7.4", template("{scout} of {seat} is arrested."), ("seat", "scout")),
    events.RED_MOVE: ("2.7.5", template("{scout} of {seat} may walk {steps}."), ("seat", "scout", "steps:steps")),
    events.RED_ENDS: ("2.7.5", template("{scout} of {seat} stops."), ("seat", "scout")),
    events.FAILS: ("2.8.1", template("Order {order} has failed."), ("orders:order",)),
    events.TOKEN_ON_ROUTE: (
        "2.8.3", template("{seat} puts small token number {tokens} on route {route}."),
        ("seat", "routes:route", "number:tokens"),
    ),
    events.TOKEN_BESIDE: (
        "A7", template("No route is left at {location}; small token number {tokens} lies beside it."),
        ("locations:location", "number:tokens"),
    ),
    events.DISTRICT_FALLS: (
        "2.12.3", template("{district} falls; districts lost so far: {fallen}."),
        ("districts:district", "number:fallen"),
    ),
    events.NOTHING_TO_LOSE: (
        "A51", template("Order {order} went to {district}, where nothing is left to lose."),
        ("orders:order", "districts:district"),
    ),
    events.FLEES: (
        "2.8.6", template("{scout} of {seat} flees from {from_} to {space}."), WALK,
    ),
    events.VICTORY_LEAVES: ("2.13.2", template("The Victory card leaves the queue."), ()),
    events.MARKER: ("2.8.7", template("{seat} is the new start player."), ("seat",)),
    events.ORDERS_SCORE: (
        "2.9.2", template("{seat} scores {points} for {orders}."), ("seat", "delivered:orders", "number:points"),
    ),
    events.RETURN_SCORE: (
        "2.9.2", template("{seat} scores {points} for returned scouts."), ("seat", "number:points"),
    ),
    events.OBJECTIVE_SCORE: (
        "2.13.4", template("{seat} scores {points} for the objective “{objective}”."),
        ("seat", "objectives:objective", "number:points"),
    ),
}  # fmt: skip

# Where the rule depends on why a thing happened: which number of the event says why, and the rules for its values.
WALKS = (4, ("2.5.5", "2.7.5"))
REASONED: dict[int, tuple[int, tuple[str, ...]]] = {
    events.REVEALS: (1, ("2.4.1", "2.12.2", "2.12.3b", "A32", "A51")),
    events.NO_ORDERS: (0, ("2.4.2", "2.13.1")),
    events.STEPS: WALKS,
    events.JUMPS: WALKS,
    events.FLEES: (4, ("2.8.6", "2.12.3c")),
}
# And where the extended variant has a rule of its own.
EXTENDED: dict[int, str] = {
    events.FAILS: "2.12.1",
    events.TOKEN_ON_ROUTE: "2.12.2",
    events.MARKER: "2.12.5",
    events.ORDERS_SCORE: "2.13.3",
    events.RETURN_SCORE: "2.13.3",
}

ENDINGS = {
    "last_order": ("2.9.1", template("The last order has left the queue; the game ends.")),
    "victory_card": ("2.13.2", template("The Victory card has left the queue; the game ends.")),
    "fourth_token": ("2.9.4", template("Too many orders have failed: everybody loses.")),
    "third_district": ("2.12.4", template("Too many districts have fallen: everybody loses.")),
}


def tell(game: Game, told: list[Told], viewer: int) -> list[Line]:
    """The log lines of one decision."""
    return [_line(game, one) for one in told]


def _line(game: Game, one: Told) -> Line:
    if one.event == events.ENDS:
        return Line(*ENDINGS[REASONS[one.args[0]]])
    if one.event == events.TURN_ENDS and one.args[1] == 0:
        return Line(
            "2.5.3", "{seat} ends the turn.", {"seat": Word("colours", game.box.names["colours"][one.args[0]])}
        )
    if one.event == events.NEAREST:
        return _nearest(game, *one.args[:4])
    rule, text, arguments = SENTENCES[one.event]
    if one.event in REASONED:
        place, rules = REASONED[one.event]
        rule = rules[one.args[place]]
    elif game.variant == "extended":
        rule = EXTENDED.get(one.event, rule)
    values: dict[str, object] = {}
    seat = NONE
    for argument, value in zip(arguments, one.args, strict=False):
        kind, _, name = argument.partition(":")
        if kind == "seat":
            seat = value
            values["seat"] = Word("colours", game.box.names["colours"][value])
        elif kind == "scout":
            values[name or "scout"] = scout_word(game, seat, value)
        elif kind == "face":
            row = game.box.text.tables["die"][value]
            values["face"] = FACES[row["colour"]](row["number"])
        elif kind == "number":
            values[name] = value
        elif kind == "card":
            values["card"] = game.box.names["cards"][value]
        elif kind in COUNTS:
            values[name] = COUNTS[kind](value)
        else:
            values[name] = named(game, kind, game.box.names[kind][value])
    return Line(rule, text, values)


def _nearest(game: Game, seat: int, choices: int, scout: int, distance: int) -> Line:
    values: dict[str, object] = {"seat": Word("colours", game.box.names["colours"][seat]), "distance": distance}
    if choices > 1:
        return Line("2.7.3", "Several scouts of {seat} are nearest, at {distance}; {seat} chooses.", values)
    if choices == 0:
        return Line("2.7.5", "The nearest scouts of {seat} cannot move.", values)
    values["scout"] = scout_word(game, seat, scout)
    return Line("2.7.3", "{scout} of {seat} is nearest, at {distance}.", values)


def scout_word(game: Game, seat: int, scout: int) -> Name:
    """A scout of a seat's team by name."""
    colour = game.box.names["colours"][seat]
    team = [row["id"] for row in game.box.text.tables["scouts"] if row["colour"] == colour]
    return named(game, "scouts", team[scout])
