"""Dual Powers: its board, drawn from what one seat may know."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from samizdat.games.dual_powers import state as st
from samizdat.games.dual_powers.answers import answer, legend
from samizdat.games.dual_powers.drawing import CHOOSING_PLACE, View, card_facts, picture, place_of, token_facts
from samizdat.games.dual_powers.ending import ending
from samizdat.games.dual_powers.rules_cards import faction_of
from samizdat.games.dual_powers.show import FACTION_WORDS, points_word, tell
from samizdat.games.dual_powers.status import status
from samizdat.kernel.boards import TABLE, Composition, Effort, Reveal, Tab, one_of
from samizdat.kernel.game import Game
from samizdat.kernel.moves import Move
from samizdat.kernel.telling import Line, Many, Phrase, Told, Word, template

__all__ = [
    "BLURB", "BUTTONS", "EFFORT", "GLYPH", "INKS", "MARKS", "SHEET", "TABS", "VARIANTS", "answer", "compose",
    "ending", "label", "legend", "origin", "picture", "reveals", "score_rows", "status", "token_facts",
    "where",
]  # fmt: skip

GLYPH = "station"
INKS = ("red", "white")
BLURB = Phrase("Soviet and Government struggle for Petrograd, from March to October 1917.")
EFFORT = Effort(minutes=(30, 60), learning=3)  # published as half an hour to an hour; 1,290 words of rules
TABS = (
    Tab("hand", "cards", Phrase("Hand"), holds=True),
    Tab("date", "calendar", Phrase("Calendar")),
    replace(TABLE, variants=("standard",)),
    Tab("opp", "crown", Phrase("Opposition"), ("solitaire",)),
    Tab("cards", "order", Phrase("Cards"), folds=True),
)
VARIANTS = {"solitaire": Phrase("Solitaire")}
SHEET = {"objective": "hand", "play": "hand", "lead": "hand"}
MARKS = {"regions": "island-{}", "tokens": "token-{}", "commands": "card-{}", "connections": "bridge-{}"}
BUTTONS = {"score": True, "pass": False}

PHASES = {
    "objective": template("Round {round}, objective phase"),
    "unrest": template("Round {round}, scoring phase"),
    "over": template("Finished in round {round}"),
}
ACTION_PHASE = template("Round {round}, action phase")


def where(game: Game, view: View) -> Phrase:
    text = PHASES.get(view["point"], ACTION_PHASE)
    if view["point"] in CHOOSING_PLACE and view["markers"][0] is not None:
        text = PHASES["unrest"]
    return Phrase(text, {"round": view["round"]})


def _days(n: int) -> Many:
    return Many("{n} day", "{n} days", n)


# --- Decisions as sentences ---------------------------------------------------------------------------------

PASSES = {
    "action": Phrase("No action"),
    "recruiting": Phrase("Stop recruiting"),
    "leading": Phrase("Decline the rest"),
    "bonus": Phrase("No bonus action"),
}


def origin(game: Game, view: Any, move: Move) -> str:
    """D6.2, D6.3: the token that is about to move."""
    return f"token-{view['token']}" if move.kind == "to" and view["token"] else ""


def label(game: Game, view: View, move: Move) -> Phrase:
    return LABELS[move.kind](game, view, move.args)


def _label_play(game: Game, view: View, args: Mapping[str, str]) -> Phrase:
    card = game.box.text.row("commands", args["card"])
    values = {
        "card": Word("commands", card["id"]), "days": _days(card["days"]), "value": card["recruit"],
        "action": Word("actions", card["action"]),
    }  # fmt: skip
    return Phrase("Play {card}: {days}, recruit {value} or {action}", values)


def _label_lead(game: Game, view: View, args: Mapping[str, str]) -> Phrase:
    leader = game.box.text.row("leaders", args["leader"])
    values = {
        "leader": Word("leaders", leader["id"]), "days": _days(leader["days"]),
        "special": Word("specials", leader["special"]),
    }  # fmt: skip
    return Phrase("Play {leader}: {days}, {special}", values)


def _label_objective(game: Game, view: View, args: Mapping[str, str]) -> Phrase:
    card = game.box.text.row("commands", args["card"])
    values = {"card": Word("commands", card["id"]), "points": points_word(card["vp"])}
    return Phrase("{card} as secret objective, {points}", values)


def _label_recruit(game: Game, view: View, args: Mapping[str, str]) -> Phrase:
    unit = game.box.text.row("units", args["token"])
    values = {
        "token": Word("tokens", unit["id"]), "rank": unit["rank"], "fresh": unit["fresh"], "tired": unit["exhausted"]
    }  # fmt: skip
    return Phrase("Recruit {token}: rank {rank}, strength {fresh}, exhausted {tired}", values)


def _label_token(here: str, away: str, args: Mapping[str, str], view: View) -> Phrase:
    region = place_of(view, args["token"])
    if region is None:
        return Phrase(away, {"token": Word("tokens", args["token"])})
    return Phrase(here, {"token": Word("tokens", args["token"]), "region": Word("regions", region)})


def _label_spy(game: Game, view: View, args: Mapping[str, str]) -> Phrase:
    if view["variant"] == "solitaire":
        return Phrase("Turn up your own objective by espionage")
    spied = FACTION_WORDS[1 - FACTION_WORDS.index(view["decides"])]
    return Phrase("Turn up the objective of {faction}", {"faction": Word("factions", spied)})


LABELS: dict[str, Callable[[Game, View, Mapping[str, str]], Phrase]] = {
    "objective": _label_objective,
    "play": _label_play,
    "lead": _label_lead,
    "recruit": _label_recruit,
    "move": lambda game, view, args: _label_token(
        template("Move {token} out of {region}"), template("Move {token}"), args, view
    ),
    "refresh": lambda game, view, args: _label_token(
        template("Refresh {token} in {region}"), template("Refresh {token}"), args, view
    ),
    "to": lambda game, view, args: Phrase("To {region}", {"region": Word("regions", args["region"])}),
    "place": lambda game, view, args: Phrase(
        "Put the leader into {region}", {"region": Word("regions", args["region"])}
    ),
    "protest": lambda game, view, args: Phrase(
        "Put the blockade on {connection}", {"connection": Word("connections", args["connection"])}
    ),
    "spy": _label_spy,
    "inspire": lambda game, view, args: Phrase("Take the Will of the People"),
    "draw": lambda game, view, args: Phrase("Draw a card"),
    "organize": lambda game, view, args: Phrase("Organize: turn up your own objective"),
    "score": lambda game, view, args: Phrase("Take {points}", {"points": points_word(view["unrest_points"])}),
    "pass": lambda game, view, args: PASSES.get(view["point"], PASSES["leading"]),
}


def compose(game: Game, s: st.State, seat: int, draft: tuple[str, ...]) -> Composition | None:
    """D4.1: both choose a secret objective at once."""
    if s.point != st.OBJECTIVE:
        return None
    held = st.HAND + faction_of(s, seat)
    cards = [id for card, id in enumerate(game.box.names["commands"]) if s.where[card] == held]
    return one_of([f"objective {id}" for id in cards], draft)


# --- What a decision revealed -------------------------------------------------------------------------------

OPENS = {
    st.WILL: "month", st.MONTH: "month", st.TURNS_UP_CARD: "turn", st.SPIES: "objective", st.ORGANIZES: "objective",
    st.UNREST_IN: "count", st.REVEALS: "objective", st.COUNTS: "count", st.TIRES: "tire", st.LEAVES: "tire",
    st.TIRES_OPPOSITION: "tire", st.LEAVES_OPPOSITION: "tire", st.TILES: "tiles", st.ROUND: "round", st.ENDS: "end",
    st.SCORES: "score", st.PLAYS: "play", st.LEADS: "play",
}  # fmt: skip
MINOR = ("month", "tire", "tiles", "round", "play")  # the board shows the same
DRAMA = {st.MONTH, st.TURNS_UP_CARD, st.SPIES, st.ORGANIZES, st.COUNTS, st.REVEALS, st.ENDS}
# What belongs to the step before it, so that one thing is one step.
GOES_ON = {
    "month": ("month", "play", "tiles", "round"), "turn": (), "objective": (), "count": ("count",),
    "tire": ("tire",), "tiles": (), "round": ("tiles",), "end": (), "score": ("count",), "play": (),
}  # fmt: skip


def reveals(game: Game, told: list[Told], viewer: int) -> list[Reveal]:
    """Turns of the opposition, new months, objectives and scorings, one by one; nothing for an ordinary move."""
    if not any(one.event in DRAMA for one in told):
        return []
    steps: list[tuple[str, list[Told]]] = []
    for one in told:
        kind = OPENS.get(one.event, "")
        before = steps[-1][0] if steps else ""
        counted = one.event == st.COUNTS and before == "count" and steps[-1][1][-1].event != st.UNREST_IN
        if not steps or (kind and not counted and before not in GOES_ON[kind] and not _inside_turn(before, one)):
            steps.append((kind, [one]))
        elif counted:
            steps.append(("count", [one]))
        else:
            steps[-1][1].append(one)
    return [_step(game, kind, events, viewer) for kind, events in steps]


def _inside_turn(before: str, one: Told) -> bool:
    """Whether this belongs to the opposition's turn, or to the card being played."""
    return before == "turn" and one.event in (st.WILL, st.MONTH)


def _step(game: Game, kind: str, events: list[Told], viewer: int) -> Reveal:
    lines = tuple(tell(game, events, viewer))
    names = game.box.names
    data: dict[str, Any] = {"kind": kind}
    focus: tuple[str, ...] = ()
    for one in events:
        args = one.args
        if one.event == st.COUNTS:
            data |= {
                "region": names["regions"][args[0]], "red": args[1], "red_tokens": args[2], "white": args[3],
                "white_tokens": args[4], "winner": FACTION_WORDS[args[5]] if args[5] != st.NOBODY else None,
            }  # fmt: skip
            focus = (f"island-{names['regions'][args[0]]}",)
        elif one.event == st.REVEALS:
            data |= {"card": card_facts(game, names["commands"][args[1]]), "faction": FACTION_WORDS[args[0]]}
            focus = (f"island-{names['regions'][args[2]]}",)
        elif one.event == st.SPIES:
            data |= {"card": card_facts(game, names["commands"][args[2]]), "faction": FACTION_WORDS[args[1]]}
            focus = (f"objective-{FACTION_WORDS[args[1]]}",)
        elif one.event == st.ORGANIZES:
            data |= {"card": card_facts(game, names["commands"][args[1]]), "faction": FACTION_WORDS[args[0]]}
            focus = (f"objective-{FACTION_WORDS[args[0]]}",)
        elif one.event == st.TURNS_UP_CARD:
            data["card"] = card_facts(game, names["commands"][args[0]])
            focus = (f"island-{data['card']['region']}",)
        elif one.event == st.MONTH:
            data |= {"kind": "month" if kind == "play" else kind, "month": names["months"][args[0]]}
            focus = ("date",)
        elif one.event == st.SCORES:
            data |= {"scorer": FACTION_WORDS[args[0]], "points": args[1], "score": args[2]}
            focus = focus or ("support",)
    return Reveal(lines, focus, data, minor=data["kind"] in MINOR)


# --- The score sheet ----------------------------------------------------------------------------------------


def score_rows(lines: Sequence[Line]) -> list[dict[str, Any]]:
    """Everything that moved the score marker, from the log, in the order in which it happened."""
    rows: list[dict[str, Any]] = []
    number = 0
    region: Word | None = None
    card: Word | None = None
    cards: list[Word] = []
    for line in lines:
        if line.rule == "D2":
            number = line.values["round"]
        elif line.rule == "D8.1" and "region" in line.values:
            region, card, cards = line.values["region"], None, []
        elif line.rule == "D8.2":
            cards.append(line.values["card"])
        elif line.rule in ("D7.3", "D7.4") and cards:
            region, card, cards = line.values["region"], cards[0], cards[1:]
        elif line.rule == "D8.4":
            side, points, score = line.values["f"], line.values["points"].n, line.values["score"]
            if not rows:
                before = score - (points if side.id == FACTION_WORDS[st.RED] else -points)
                rows.append({"side": None, "score": before})
            rows.append(
                {"round": number, "region": region, "card": card, "side": side, "points": points, "score": score}
            )
    return rows
