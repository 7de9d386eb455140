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
from samizdat.games.dual_powers.show import FACTION_WORDS, tell
from samizdat.kernel.boards import TABLE, Composition, Effort, Reveal, Seen, Status, Tab, one_of
from samizdat.kernel.game import Game
from samizdat.kernel.moves import Move
from samizdat.kernel.telling import Line, Listing, Many, Phrase, Told, Word, template

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

SPECIAL_MOVES = {"inspire": "inspire", "espionage": "spy", "protest": "protest"}

PHASES = {
    "objective": template("Round {round}, objective phase"),
    "unrest": template("Round {round}, scoring phase"),
    "over": template("Finished in round {round}"),
}
OR = template("or")
ACTION_PHASE = template("Round {round}, action phase")


def where(game: Game, view: View) -> Phrase:
    text = PHASES.get(view["point"], ACTION_PHASE)
    if view["point"] in CHOOSING_PLACE and view["markers"][0] is not None:
        text = PHASES["unrest"]
    return Phrase(text, {"round": view["round"]})


def _points(n: int) -> Many:
    return Many("{n} point", "{n} points", n)


def _days(n: int) -> Many:
    return Many("{n} day", "{n} days", n)


def _region(id: str) -> Word:
    return Word("regions", id)


def _token(id: str) -> Word:
    return Word("tokens", id)


def _card(id: str) -> Word:
    return Word("commands", id)


# --- The status line ----------------------------------------------------------------------------------------


def status(game: Game, seen: Seen) -> Status:
    return STATUS[seen.view["point"]](game, seen)


def _objective_status(game: Game, seen: Seen) -> Status:
    if seen.draft is not None and seen.draft.chosen:
        card = _card(seen.draft.chosen[0].split()[1])
        return Status(
            Phrase("Seal {card} as your secret objective, or choose another.", {"card": card}),
            Phrase("It goes out of your hand; nobody sees it before the scoring."),
        )
    return Status(
        Phrase("Choose your secret objective."),
        Phrase("One command card, never a leader; in the scoring its points go to whoever is stronger there."),
    )


def _card_status(game: Game, seen: Seen) -> Status:
    printed: Any = game.box.record
    view = seen.view
    values = {"turn": (view["turns_begun"] + 1) // 2, "turns": printed.turns}
    if view["variant"] == "solitaire":
        values["turn"] = view["turns_begun"] // 2
    return Status(
        Phrase("Play a card."),
        Phrase("Turn {turn} of {turns}: its days move the calendar, then you take its action.", values),
    )


ACTION_TEXTS = {
    "move": template("Recruit in {region}, or move a token across a bridge."),
    "double_move": template("Recruit in {region}, or move a token one or two steps."),
    "refresh": template("Recruit in {region}, or refresh an exhausted token."),
}
ONLY_RECRUIT = template("Recruit in {region}.")
ONLY_ACTION = {
    "move": template("Move a token across a bridge."),
    "double_move": template("Move a token one or two steps."),
    "refresh": template("Refresh an exhausted token."),
}


def _kinds(seen: Seen) -> set[str]:
    return {notation.partition(" ")[0] for notation in seen.legal}


def _action_status(game: Game, seen: Seen) -> Status:
    card = game.box.text.row("commands", seen.view["card"])
    kinds = _kinds(seen)
    if "recruit" not in kinds:
        text = ONLY_ACTION[card["action"]]
    elif kinds & {"move", "refresh"}:
        text = ACTION_TEXTS[card["action"]]
    else:
        text = ONLY_RECRUIT
    return Status(
        Phrase(text, {"region": _region(card["region"])}),
        Phrase(
            "{card} recruits ranks up to {value} in all; it gives one or the other, or nothing.",
            {"card": _card(seen.view["card"]), "value": card["recruit"]},
        ),
    )


def _recruiting_status(game: Game, seen: Seen) -> Status:
    region = game.box.text.row("commands", seen.view["card"])["region"]
    return Status(
        Phrase("Recruit another unit in {region}, or stop.", {"region": _region(region)}),
        Phrase(
            "A recruit value of {value} is left; units come in the order of the box.",
            {"value": seen.view["recruit_value_left"]},
        ),
    )


def _moving_status(game: Game, seen: Seen) -> Status:
    view = seen.view
    start = place_of(view, view["token"])
    values: dict[str, Any] = {
        "token": _token(view["token"]),
        "regions": Listing([_region(one.split()[1]) for one in seen.legal], OR),
        "connection": Word("connections", view["blockade"]),
    }
    if start is not None:
        values["region"] = _region(start)
        do = Phrase("Move {token} out of {region}.", values)
    else:
        do = Phrase("Move {token}.", values)
    return Status(do, Phrase("It may go to {regions}; the bridge {connection} is closed.", values))


def _leading_status(game: Game, seen: Seen) -> Status:
    leader = game.box.text.row("leaders", seen.view["leader"])
    kinds = _kinds(seen)
    values = {"leader": Word("leaders", leader["id"]), "special": Word("specials", leader["special"])}
    special = SPECIAL_MOVES[leader["special"]] in kinds
    if "place" in kinds and special:
        return Status(
            Phrase("Put {leader} into any region, and use {special}.", values),
            Phrase("In either order; exhausted neutral units that you control there become fresh."),
        )
    if "place" in kinds:
        return Status(
            Phrase("Put {leader} into any region.", values),
            Phrase("Exhausted neutral units that you control there become fresh."),
        )
    return Status(Phrase("Use {special}, or decline.", values), SPECIAL_TEXTS[leader["special"]])


SPECIAL_TEXTS = {
    "inspire": Phrase("You take the Will of the People, and with it the neutral tokens."),
    "espionage": Phrase("A face-down objective is turned up for everyone."),
    "protest": Phrase("The blockade goes to another bridge until the end of the round."),
}


def _bonus_kinds(seen: Seen) -> Listing:
    kinds = _kinds(seen)
    return Listing([phrase for kind, phrase in BONUS_TEXTS.items() if kind in kinds], OR)


BONUS_TEXTS = {
    "recruit": Phrase("recruit a unit of rank 1 anywhere"),
    "move": Phrase("move a token"),
    "refresh": Phrase("refresh a token"),
    "draw": Phrase("draw a card"),
    "organize": Phrase("turn up your objective"),
}


def _bonus_status(game: Game, seen: Seen) -> Status:
    return Status(
        Phrase("Take a bonus action, or decline it."),
        Phrase("Day {day} earned it: {choices}.", {"day": seen.view["day"], "choices": _bonus_kinds(seen)}),
    )


def _unrest_status(game: Game, seen: Seen) -> Status:
    view = seen.view
    return Status(
        Phrase(
            "You are stronger in {region}: take {points}, or one bonus action.",
            {"region": _region(view["unrest"]), "points": _points(view["unrest_points"])},
        ),
        Phrase("Instead of the points: {choices}.", {"choices": _bonus_kinds(seen)}),
    )


def _bonus_recruiting_status(game: Game, seen: Seen) -> Status:
    return Status(
        Phrase("Choose the region for {token}.", {"token": _token(seen.view["token"])}),
        Phrase("Any region will do; the blockade does not hinder recruiting."),
    )


STATUS = {
    "objective": _objective_status,
    "card": _card_status,
    "action": _action_status,
    "recruiting": _recruiting_status,
    "moving": _moving_status,
    "leading": _leading_status,
    "bonus": _bonus_status,
    "bonus_recruiting": _bonus_recruiting_status,
    "bonus_moving": _moving_status,
    "unrest": _unrest_status,
}


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
        "card": _card(card["id"]), "days": _days(card["days"]), "value": card["recruit"],
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
    values = {"card": _card(card["id"]), "points": _points(card["vp"])}
    return Phrase("{card} as secret objective, {points}", values)


def _label_recruit(game: Game, view: View, args: Mapping[str, str]) -> Phrase:
    unit = game.box.text.row("units", args["token"])
    values = {"token": _token(unit["id"]), "rank": unit["rank"], "fresh": unit["fresh"], "tired": unit["exhausted"]}
    return Phrase("Recruit {token}: rank {rank}, strength {fresh}, exhausted {tired}", values)


def _label_token(here: str, away: str, args: Mapping[str, str], view: View) -> Phrase:
    region = place_of(view, args["token"])
    if region is None:
        return Phrase(away, {"token": _token(args["token"])})
    return Phrase(here, {"token": _token(args["token"]), "region": _region(region)})


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
    "to": lambda game, view, args: Phrase("To {region}", {"region": _region(args["region"])}),
    "place": lambda game, view, args: Phrase("Put the leader into {region}", {"region": _region(args["region"])}),
    "protest": lambda game, view, args: Phrase(
        "Put the blockade on {connection}", {"connection": Word("connections", args["connection"])}
    ),
    "spy": _label_spy,
    "inspire": lambda game, view, args: Phrase("Take the Will of the People"),
    "draw": lambda game, view, args: Phrase("Draw a card"),
    "organize": lambda game, view, args: Phrase("Organize: turn up your own objective"),
    "score": lambda game, view, args: Phrase("Take {points}", {"points": _points(view["unrest_points"])}),
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
