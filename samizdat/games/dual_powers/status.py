"""Dual Powers: the status line, who is to do what."""

from __future__ import annotations

from typing import Any

from samizdat.games.dual_powers.drawing import place_of
from samizdat.games.dual_powers.points import POINTS
from samizdat.games.dual_powers.show import points_word
from samizdat.kernel.boards import Seen, Status
from samizdat.kernel.game import Game
from samizdat.kernel.prompts import Prompts
from samizdat.kernel.telling import Listing, Phrase, Word, template

OR = template("or")
SPECIAL_MOVES = {"inspire": "inspire", "espionage": "spy", "protest": "protest"}


def _objective_status(game: Game, seen: Seen) -> Status:
    if seen.draft is not None and seen.draft.chosen:
        card = Word("commands", seen.draft.chosen[0].split()[1])
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
        Phrase(text, {"region": Word("regions", card["region"])}),
        Phrase(
            "{card} recruits ranks up to {value} in all; it gives one or the other, or nothing.",
            {"card": Word("commands", seen.view["card"]), "value": card["recruit"]},
        ),
    )


def _recruiting_status(game: Game, seen: Seen) -> Status:
    region = game.box.text.row("commands", seen.view["card"])["region"]
    return Status(
        Phrase("Recruit another unit in {region}, or stop.", {"region": Word("regions", region)}),
        Phrase(
            "A recruit value of {value} is left; units come in the order of the box.",
            {"value": seen.view["recruit_value_left"]},
        ),
    )


def _moving_status(game: Game, seen: Seen) -> Status:
    view = seen.view
    start = place_of(view, view["token"])
    values: dict[str, Any] = {
        "token": Word("tokens", view["token"]),
        "regions": Listing([Word("regions", one.split()[1]) for one in seen.legal], OR),
        "connection": Word("connections", view["blockade"]),
    }
    if start is not None:
        values["region"] = Word("regions", start)
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
            {"region": Word("regions", view["unrest"]), "points": points_word(view["unrest_points"])},
        ),
        Phrase("Instead of the points: {choices}.", {"choices": _bonus_kinds(seen)}),
    )


def _bonus_recruiting_status(game: Game, seen: Seen) -> Status:
    return Status(
        Phrase("Choose the region for {token}.", {"token": Word("tokens", seen.view["token"])}),
        Phrase("Any region will do; the blockade does not hinder recruiting."),
    )


PROMPTS = Prompts(
    POINTS,
    {
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
    },
)
status = PROMPTS.status
