"""A War of Whispers: its board, drawn from what one seat may know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from samizdat.games.war_of_whispers import state as e
from samizdat.games.war_of_whispers.answers import answer, legend
from samizdat.games.war_of_whispers.drafts import compose
from samizdat.games.war_of_whispers.effects import EFFECTS
from samizdat.games.war_of_whispers.ending import ending
from samizdat.games.war_of_whispers.picture import inks_of, picture, yield_of
from samizdat.games.war_of_whispers.state import ABILITIES
from samizdat.games.war_of_whispers.status import status
from samizdat.games.war_of_whispers.story import tell
from samizdat.kernel.boards import TABLE, Effort, Reveal, Tab
from samizdat.kernel.game import Game
from samizdat.kernel.moves import Move
from samizdat.kernel.telling import Line, Many, Phrase, Told, Word, template

__all__ = [
    "BLURB", "BUTTONS", "EFFECTS", "EFFORT", "GLYPH", "INKS", "MARKS", "SHEET", "TABS", "VARIANTS", "answer",
    "compose", "ending", "label", "legend", "origin", "picture", "reveals", "status", "where",
]  # fmt: skip

GLYPH = "agent"
INKS = ("white", "orange", "black", "purple")
BLURB = Phrase("Five empires fight; no one owns them. Whisper in their councils, hide your loyalties.")
EFFORT = Effort(minutes=(30, 60), learning=4)  # published as half an hour to an hour; 2,210 words of rules
TABS = (
    Tab("councils", "crown", Phrase("Councils"), holds=True),
    Tab("hand", "cards", Phrase("Cards"), holds=True),
    TABLE,
)
VARIANTS: dict[str, Phrase] = {}  # the standard game alone
SHEET = {
    "act": "councils", "seat": "councils", "empire": "councils", "retrieve": "councils", "recall": "councils",
    "deploy": "councils", "station": "councils", "play": "hand", "pay": "hand", "discard": "hand",
}  # fmt: skip
MARKS = {"regions": "region-{}", "councils": "post-{}"}
BUTTONS = {"done": True, "pass": False, "act": False}

View = Mapping[str, Any]


def where(game: Game, view: View) -> Phrase:
    words = {"round": view["round"], "rounds": game.box.text.constants["rounds"]}
    if view["marker"]:
        return Phrase("Round {round} of {rounds} · {seat}", {**words, "seat": Word("councils", view["marker"])})
    return Phrase("Round {round} of {rounds} · {phase}", {**words, "phase": PHASES[view["point"]]})


PHASES = {
    "retrieve": Phrase("Deploy Agents"),
    "deploy": Phrase("Deploy Agents"),
    "reset": Phrase("Reset"),
    "swap_loyalty": Phrase("Swap"),
    "over": Phrase("The end"),
}


# --- Decisions ------------------------------------------------------------------------------------------


def origin(game: Game, view: Any, move: Move) -> str:
    """R10.1, C5: the region that banners attack or march from."""
    source = (view["resolving"] or {}).get("source")
    return f"region-{source}" if move.kind == "to" and source else ""


def label(game: Game, view: View, move: Move) -> Phrase | Many:
    """One decision as a short sentence."""
    doing = view["resolving"] or {}
    if move.kind in ("done", "pass"):
        return STOPS.get((move.kind, view["point"]), STOPS[move.kind, ""])
    if move.kind == "act":
        return _label_act(game, view, move)
    if move.kind == "seat":
        text = SEATS.get(doing.get("ability") or "", SEATS[""])
        return Phrase(text, {"seat": Word("councils", move.args["seat"])})
    if move.kind == "number":
        return _label_number(doing.get("ability"), int(move.args["number"]))
    if move.kind == "swap":
        words = {name: Word("slots", move.args[name]) for name in ("slot", "other")}
        return Phrase("Swap {slot} and {other}", words)
    text, table = LABELS[move.kind]
    return Phrase(text, {"it": Word(table, next(iter(move.args.values())))})


LABELS: dict[str, tuple[str, str]] = {
    "play": (template("Play {it}"), "abilities"),
    "pay": (template("Pay with {it}"), "cards"),
    "discard": (template("Discard {it}"), "cards"),
    "empire": (template("Rearrange the banners of {it}"), "empires"),
    "from": (template("From {it}"), "regions"),
    "to": (template("To {it}"), "regions"),
    "in": (template("In {it}"), "regions"),
    "place": (template("A banner to {it}"), "regions"),
    "burn": (template("Destroy a banner in {it}"), "regions"),
    "recall": (template("Take the agent back from {it}"), "regions"),
    "station": (template("An agent to {it}"), "regions"),
    "retrieve": (template("Take the agent back from the seat {it}"), "councils"),
    "deploy": (template("An agent to the seat {it}"), "councils"),
}
STOPS = {
    ("done", "join"): Phrase("Fight"),
    ("done", "lift"): Phrase("Lift no more"),
    ("done", "burn"): Phrase("Burn no more"),
    ("done", ""): Phrase("Go on"),
    ("pass", "swap_loyalty"): Phrase("Keep them"),
    ("pass", ""): Phrase("Pass"),
}
SEATS = {
    "change_of_court": template("Move the agent to the seat {seat}"),
    "another_voice": template("Act through the seat {seat}"),
    "": template("Exchange with the seat {seat}"),
}


def _label_number(ability: str | None, n: int) -> Many:
    if ability == "mercenaries":
        return Many("Destroy {n} banner", "Destroy {n} banners", n)
    if ability == "reinforcements":
        return Many("{n} banner joins", "{n} banners join", n)
    return Many("{n} banner marches", "{n} banners march", n)


def _label_act(game: Game, view: View, move: Move) -> Phrase | Many:
    tables = game.box.text.tables
    row = next(row for row in tables["councils"] if row["id"] == view["resolving"]["seat"])
    kind = move.args["action"]
    action = next((one for one in tables["actions"] if one["id"] in row["actions"] and one["kind"] == kind), None)
    n = yield_of(view, row, action) if action else None
    if kind == "add" and n is not None:
        return Many("Add {n} banner", "Add {n} banners", n)
    if kind == "draw" and n is not None:
        return Many("Draw {n} card", "Draw {n} cards", n)
    return Phrase("Attack") if kind == "attack" else Phrase("Swap the agent")


# --- Revelations ----------------------------------------------------------------------------------------


def reveals(game: Game, told: Sequence[Told], viewer: int) -> list[Reveal]:
    """Attacks with losses, cards played or drawn, loyalties; the end token by token."""
    steps: list[Reveal] = []
    if any(one.event in (e.FORTRESS, e.FIGHTS) for one in told):
        steps.append(_battle(game, told, viewer))
    for one in told:
        if one.event == e.PLAYS and one.args[0] != viewer and one.args[1] < ABILITIES:
            ability = game.box.names["abilities"][one.args[1]]
            cost = next(row["cost"] for row in game.box.text.tables["abilities"] if row["id"] == ability)
            data = {"kind": "play", "ability": ability, "effect": EFFECTS[ability], "cost": cost}
            steps.append(Reveal(_lines(game, [one], viewer), (f"seat-{one.args[0]}",), data))
        elif one.event == e.DRAWS_CARD:
            data = {"kind": "card", "card": game.box.names["cards"][one.args[1]]}
            steps.append(Reveal(_lines(game, [one], viewer), ("hand",), data))
        elif one.event == e.SWAPS_LOYALTY and one.args[0] != viewer:
            empires, slots = game.box.names["empires"], game.box.names["slots"]
            pairs = [(slots[one.args[1]], empires[one.args[2]]), (slots[one.args[3]], empires[one.args[4]])]
            steps.append(
                Reveal(_lines(game, [one], viewer), (f"seat-{one.args[0]}",), {"kind": "swap", "pairs": pairs})
            )
    return steps + _end(game, told, viewer)


def _lines(game: Game, told: Sequence[Told], viewer: int) -> tuple[Line, ...]:
    return tuple(tell(game, list(told), viewer))


def _battle(game: Game, told: Sequence[Told], viewer: int) -> Reveal:
    """One attack: who met whom, who fell, who holds the region."""
    shown = [one for one in told if one.event in BATTLE]
    inks = list(inks_of(game).items())
    region = next(one.args[0] for one in shown if one.event in (e.FORTRESS, e.FIGHTS))
    data: dict[str, Any] = {"kind": "battle", "fortress": False, "lost": 0, "attacker": None, "defender": None}
    for one in shown:
        if one.event == e.ATTACKS:
            data["attacker"] = inks[one.args[0]]
        elif one.event == e.FORTRESS:
            data["fortress"], data["attacker"] = True, inks[one.args[1]]
        elif one.event == e.FIGHTS:
            data["lost"], data["defender"] = one.args[1], inks[one.args[3]]
        elif one.event == e.TAKES:
            data["attacker"], data["left"] = inks[one.args[1]], (inks[one.args[1]], one.args[2])
        elif one.event == e.HOLDS:
            data["left"] = (inks[one.args[1]], one.args[2])
        elif one.event == e.EMPTIED:
            data["left"] = None
    data["region"] = game.box.names["regions"][region]
    return Reveal(_lines(game, shown, viewer), (f"region-{data['region']}",), data, minor=True)


BATTLE = (e.ATTACKS, e.JOINS, e.FORTRESS, e.FIGHTS, e.TAKES, e.HOLDS, e.EMPTIED)


def _end(game: Game, told: Sequence[Told], viewer: int) -> list[Reveal]:
    """R16: the cities of the empires, then every loyalty token with what it scores, then the sum of each seat."""
    cities = {one.args[0]: one.args[1] for one in told if one.event == e.CITIES}
    if not cities:
        return []
    counted = [one for one in told if one.event == e.CITIES]
    inks = list(inks_of(game).items())
    table = [(*inks[empire], number) for empire, number in cities.items()]
    steps = [Reveal(_lines(game, counted, viewer), ("councils",), {"kind": "cities", "cities": table})]
    values = [row["value"] for row in game.box.text.tables["slots"]]
    total = 0
    for one in told:
        focus = (f"seat-{one.args[0]}",)
        if one.event == e.LOYALTY:
            seat, slot, empire = one.args[:3]
            points = values[slot] * cities[empire]
            total += points
            data: dict[str, Any] = {
                "kind": "token", "seat": seat, "slot": game.box.names["slots"][slot], "empire": inks[empire],
                "cities": cities[empire], "value": values[slot], "points": points, "total": total,
            }  # fmt: skip
            steps.append(Reveal(_lines(game, [one], viewer), focus, data))
        elif one.event == e.SCORES:
            # What the tokens do not explain comes from agents on the map (R17.3) and hidden tokens (V2).
            data = {"kind": "total", "seat": one.args[0], "points": one.args[1], "more": one.args[1] - total}
            steps.append(Reveal(_lines(game, [one], viewer), focus, data))
            total = 0
    ending = [one for one in told if one.event == e.ENDS]
    return [*steps, Reveal(_lines(game, ending, viewer), ("end",), {"kind": "end"})]
