"""Mali Powstańcy: the first game step by step, and the step up to the extended game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from samizdat.kernel.boards import Seen
from samizdat.kernel.game import Game
from samizdat.kernel.telling import Many, Phrase, Word
from samizdat.kernel.tours import FIRST, Slip, Step, Tour, asked_at

View = Mapping[str, Any]
PLAYERS = 3  # two bots are enough to watch the first time


def _mine(seen: Seen) -> View:
    found: View = seen.view["players_at_table"][seen.seat or 0]
    return found


def _orders(seen: Seen) -> list[View]:
    """The orders in the queue, the most urgent first."""
    return [order for row in reversed(seen.view["queue"]) for order in row]


def _place(id: str) -> Word:
    return Word("locations", id)


def _points(number: int) -> Many:
    return Many("{n} point", "{n} points", number)


def _carrying(seen: Seen) -> list[View]:
    return [scout for scout in _mine(seen)["scouts"] if scout["carries"]]


def _scout_id(seen: Seen, scout: View) -> str:
    mine = _mine(seen)
    return f"scout-{mine['colour']}_{mine['scouts'].index(scout) + 1}"


def _aim(game: Game, seen: Seen) -> Slip:
    lost = game.box.text.constants["base_defeat"]
    return Slip(
        Phrase("The aim"),
        (Phrase("Everybody races for orders – and everybody loses if too many are left lying."),),
        ("2.9.3", "2.9.4"),
        ("orders",),
        goal=Phrase(
            "Carry orders across Warsaw for the most points. If {lost} orders fail, all lose.", {"lost": lost}
        ),
    )


def _order(game: Game, seen: Seen) -> Slip:
    orders = _orders(seen)
    title, rules = Phrase("An order"), ("2.6.1", "2.6.4")
    if not orders:
        return Slip(title, (Phrase("Fetch it at the ring, bring it to the pin."),), rules, ("orders",))
    one = orders[0]
    values = {
        "origin": _place(one["origin"]),
        "destination": _place(one["destination"]),
        "points": _points(one["points"]),
    }
    return Slip(
        title,
        (
            Phrase("Fetch it at the ring ({origin}), bring it to the pin ({destination}): {points}.", values),
            Phrase("On the map a black tag marks where it waits."),
        ),
        rules,
        (f"order-{one['order']}",),
    )


def _cards(game: Game, seen: Seen) -> Slip:
    return Slip(
        Phrase("Your five cards"),
        (
            Phrase("The number is how far you may go, and **low cards act first**."),
            Phrase("Each is used once before all five come back."),
        ),
        ("2.5.1", "2.5.2", "2.5.9"),
        ("cards",),
        todo=Phrase("Choose a card, then seal it."),
    )


def _who_goes_when(game: Game, seen: Seen) -> Slip:
    mine = _mine(seen)
    said = [Phrase("The lowest card acts first; with equal cards the start player comes first.")]
    order = list(seen.view["turn_order"] or ())
    if mine["card"] and seen.seat in order:
        values = {"card": mine["card"], "place": order.index(seen.seat) + 1, "all": len(order)}
        said.insert(0, Phrase("You played {card}: you act as number {place} of {all}.", values))
    return Slip(Phrase("Who goes when"), tuple(said), ("2.5.2",), ("seats",))


def _step_or_jump(game: Game, seen: Seen) -> Slip:
    waiting = {order["origin"] for order in _orders(seen)}
    jumps = [notation.split() for notation in seen.legal if notation.startswith("jump ")]
    toward = next((move[2] for move in jumps if move[2] in waiting), jumps[0][2] if jumps else None)
    return Slip(
        Phrase("Step or jump"),
        (
            Phrase("A point buys a step to the next circle, **or a jump from one named place to the next**."),
            Phrase("So get to a named place, then jump."),
        ),
        ("2.5.5a", "2.5.5b", "2.5.6"),
        (f"place-{toward}",) if toward else ("city",),
        todo=Phrase("Move a scout towards a black tag."),
    )  # fmt: skip


def _take(game: Game, seen: Seen) -> Slip:
    return Slip(
        Phrase("Take it"),
        (
            Phrase("A scout that stands at the ring may take the order; that costs nothing."),
            Phrase("It can carry one."),
        ),
        ("2.6.1", "2.6.2"),
        tuple(f"order-{order['order']}" for order in _orders(seen)[:1]) or ("orders",),
        todo=Phrase("Take the order.") if any(one.startswith("take ") for one in seen.legal) else None,
    )


def _on_the_way(game: Game, seen: Seen) -> Slip:
    title, rules = Phrase("On the way"), ("2.6.2", "2.6.4")
    race = Phrase("Others may carry the same order: the first to arrive gets it.")
    carrying = _carrying(seen)
    if not carrying:
        return Slip(title, (race,), rules, ("orders",))
    scout = carrying[0]
    order = next(row for row in game.box.text.tables["orders"] if row["id"] == scout["carries"])
    values = {"scout": scout["name"], "points": _points(order["points"]), "place": _place(order["destination"])}
    return Slip(
        title,
        (Phrase("It is bound for {place}.", values), race),
        rules,
        (_scout_id(seen, scout),),
        done=Phrase("{scout} carries an order for {points}.", values),
    )


def _soldier(game: Game, seen: Seen) -> Slip:
    return Slip(
        Phrase("The soldier"),
        (
            Phrase("After everybody he walks toward the nearest scout."),
            Phrase("A black number chases; a red one lets that scout run."),
        ),
        ("2.7.3", "2.7.4", "2.7.5"),
        ("soldier",),
    )


def _time(game: Game, seen: Seen) -> Slip:
    rows = len(seen.view["queue"])
    return Slip(
        Phrase("Time"),
        (
            Phrase("Every order sinks one row. After row {rows} it fails.", {"rows": rows}),
            Phrase("A route at its destination is then closed for good."),
        ),
        ("2.8.1", "2.8.3", "2.8.5"),
        ("orders",),
    )


def _home(game: Game, seen: Seen) -> Slip:
    start = next(row["id"] for row in game.box.text.tables["locations"] if row["start"])
    values = {"most": game.box.text.tables["return_bonus"][-1]["points"]}
    return Slip(
        Phrase("Home at the end"),
        (
            Phrase("When the last order is gone, scouts on the starting places bring up to {most} points.", values),
            Phrase("Now you know it all; **Hint** helps when you are stuck."),
        ),
        ("2.9.1", "2.9.2"),
        (f"place-{start}",),
    )  # fmt: skip


def _revealed(game: Game, seen: Seen) -> bool:
    return seen.view["point"] not in ("card", "objective") and bool(seen.view["turn_order"])


# --- the extended game ------------------------------------------------------------------------------------


def _objectives(game: Game, seen: Seen) -> Slip:
    kept = game.box.text.constants["objectives_kept"]
    return Slip(
        Phrase("Secret objectives"),
        (
            Phrase("Keep {kept} of three different colours; nobody else sees them.", {"kept": kept}),
            Phrase("Each that is met brings points at the end."),
        ),
        ("2.10.3", "2.13.3"),
        ("hand", "cards", "team"),
        todo=Phrase("Choose which to keep."),
    )


def _actions(game: Game, seen: Seen) -> Slip:
    return Slip(
        Phrase("Card actions"),
        (
            Phrase("Each card but 5 has an action besides its points."),
            Phrase(
                "1: swap two scouts in one district. 2: a free jump. 3: exchange two orders. 4: see what comes next."
            ),
        ),
        ("2.11.1", "2.11.2", "2.11.3", "2.11.4", "2.11.5"),
        ("cards",),
    )


def _districts(game: Game, seen: Seen) -> Slip:
    constants = game.box.text.constants
    values = {"rows": constants["extended_queue"], "lost": constants["extended_defeat"]}
    return Slip(
        Phrase("Districts fall"),
        (
            Phrase("There is no soldier, but orders fail after row {rows}.", values),
            Phrase("A second failure in one district loses it; with {lost} lost districts everybody loses.", values),
        ),
        ("2.12.1", "2.12.3", "2.12.4"),
        ("city",),
    )


TOURS = {
    FIRST: Tour(
        PLAYERS,
        (
            Step("aim", _aim),
            Step("order", _order),
            Step("cards", _cards),
            Step("who_goes_when", _who_goes_when, _revealed),
            Step("step_or_jump", _step_or_jump, asked_at("turn"), at_once=True),
            Step("take", _take, lambda game, seen: any(one.startswith("take ") for one in seen.legal)),
            Step("on_the_way", _on_the_way, lambda game, seen: bool(_carrying(seen))),
            Step("soldier", _soldier, lambda game, seen: seen.view["round"] > 1, at_once=True),
            Step("time", _time, lambda game, seen: seen.view["round"] > 1),
            Step("home", _home, lambda game, seen: seen.view["round"] > 2),
        ),
        minutes=4,
    ),
    "extended": Tour(
        PLAYERS,
        (
            Step("objectives", _objectives),
            Step("actions", _actions, asked_at("card"), at_once=True),
            Step("districts", _districts, asked_at("turn"), at_once=True),
        ),
        minutes=2,
        title=Phrase("Step up: the extended game"),
        variant="extended",
    ),
}
