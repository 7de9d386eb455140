"""Mali Powstańcy: decisions in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from samizdat.games.mali_powstancy.words import Name, named, scout_word
from samizdat.kernel.game import Game
from samizdat.kernel.moves import Move
from samizdat.kernel.telling import Many, Phrase, Word


def label(game: Game, view: Any, move: Move) -> Phrase:
    """One decision as a short sentence."""
    return LABELS[move.kind](game, view, move)


def origin(game: Game, view: Any, move: Move) -> str:
    """2.5.5: the scout that goes."""
    if move.kind not in ("step", "jump", "squad"):
        return ""
    team = [
        row["id"] for row in game.box.text.tables["scouts"] if row["colour"] == game.box.names["colours"][_team(view)]
    ]
    return f"scout-{team[int(move.args['scout']) - 1]}"


def _team(view: Any) -> int:
    """Whose scouts a decision of the present point names."""
    turn = view["turn"]
    return int(view["seat"] if view["seat"] is not None else turn[0] if turn else 0)


def _scout(game: Game, view: Any, number: str) -> Name:
    return scout_word(game, _team(view), int(number) - 1)


def _going(text: Callable[[dict[str, Any]], Phrase], place: str) -> Callable[[Game, Any, Move], Phrase]:
    """The label of a scout's way to a space or location."""

    def say(game: Game, view: Any, move: Move) -> Phrase:
        scout = _scout(game, view, move.args["scout"])
        return text({"scout": scout, "space": named(game, place, move.args[place[:-1]])})

    return say


def _of_place(text: Callable[[dict[str, Any]], Phrase], place: str) -> Callable[[Game, Any, Move], Phrase]:
    """The label of a decision about one component."""
    return lambda game, view, move: text({"it": named(game, place, move.args[place[:-1]])})


def _label_keep(game: Game, view: Any, move: Move) -> Phrase:
    row = next(row for row in game.box.text.tables["objectives"] if row["id"] == move.args["objective"])
    known = {
        "objective": named(game, "objectives", row["id"]),
        "points": Many("{n} point", "{n} points", row["points"]),
        "colour": Word("objective_colours", row["colour"]),
    }
    return Phrase("Keep “{objective}”: {points}, {colour}", known)


def _label_take(game: Game, view: Any, move: Move) -> Phrase:
    row = next(row for row in game.box.text.tables["orders"] if row["id"] == move.args["order"])
    known = {"scout": _scout(game, view, move.args["scout"]), "order": named(game, "orders", row["id"])}
    return Phrase(
        "{scout} takes {order} for {points}", known | {"points": Many("{n} point", "{n} points", row["points"])}
    )


def _label_drop(game: Game, view: Any, move: Move) -> Phrase:
    return Phrase("{scout} drops the order", {"scout": _scout(game, view, move.args["scout"])})


def _label_pals(game: Game, view: Any, move: Move) -> Phrase:
    one, other = move.args["pair"].split("+")
    known = {"scout": _scout(game, view, one), "other": _scout(game, view, other)}
    return Phrase("{scout} and {other} change places", known)


def _label_hunt(game: Game, view: Any, move: Move) -> Phrase:
    known = {"scout": _scout(game, view, move.args["scout"])}
    if view["die"] and view["die"]["colour"] == "red":
        return Phrase("{scout} runs", known)
    return Phrase("The soldier hunts {scout}", known)


def _label_enter(game: Game, view: Any, move: Move) -> Phrase:
    return Phrase("Back on the board: {space}", {"space": named(game, "spaces", move.args["space"])})


def _label_end(game: Game, view: Any, move: Move) -> Phrase:
    return Phrase("Stop here") if view["point"] == "red" else Phrase("End turn")


LABELS: dict[str, Callable[[Game, Any, Move], Phrase]] = {
    "keep": _label_keep,
    "card": lambda game, view, move: Phrase("Play card {card}", {"card": move.args["card"]}),
    "enter": _label_enter,
    "end": _label_end,
    "take": _label_take,
    "drop": _label_drop,
    "step": _going(lambda known: Phrase("{scout} steps to {space}", known), "spaces"),
    "jump": _going(lambda known: Phrase("{scout} jumps to {space}", known), "locations"),
    "pals": _label_pals,
    "squad": _going(lambda known: Phrase("The squad brings {scout} to {space}", known), "locations"),
    "exchange": _of_place(lambda known: Phrase("Exchange {it} with an order before it", known), "orders"),
    "with": _of_place(lambda known: Phrase("It changes places with {it}", known), "orders"),
    "gossip": lambda game, view, move: Phrase("Look at the next orders of the deck"),
    "hunt": _label_hunt,
    "way": _of_place(lambda known: Phrase("The soldier goes to {it}", known), "spaces"),
    "fail": _of_place(lambda known: Phrase("Deal with {it} first", known), "orders"),
    "block": _of_place(lambda known: Phrase("A tank on the route {it}", known), "routes"),
    "refuge": _of_place(lambda known: Phrase("Flee to {it}", known), "locations"),
}
