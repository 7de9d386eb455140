"""Mali Powstańcy: the status line, who is to do what."""

from __future__ import annotations

from typing import Any

from samizdat.games.mali_powstancy.points import POINTS
from samizdat.games.mali_powstancy.words import COUNTS, Name, named, scout_word
from samizdat.kernel.boards import Seen, Status
from samizdat.kernel.game import Game
from samizdat.kernel.prompts import Prompts
from samizdat.kernel.telling import Many, Phrase, Word


def seat_word(game: Game, seat: int) -> Word:
    return Word(game.definition.show.SEAT_NAMES, game.box.names["colours"][seat])


def chooser(seen: Seen) -> int:
    """The seat that decides: this one, or for a spectator the one the table waits for."""
    turn = seen.view["turn"]
    if seen.seat is not None and (seen.seat in turn or not turn):
        return seen.seat
    return int(turn[0]) if turn else 0


def _scout_in_question(game: Game, seen: Seen) -> Name:
    return scout_word(game, chooser(seen), seen.view["deciding"]["scout"] - 1)


def _status_objective(game: Game, seen: Seen) -> Status:
    printed: Any = game.box.record
    chosen = len(seen.draft.chosen) if seen.draft else 0
    chosen += len(seen.view["players_at_table"][seen.seat]["objectives"] or ()) if seen.seat is not None else 0
    left = printed.objectives_kept - chosen
    kept = Many("{n} secret objective", "{n} secret objectives", printed.objectives_kept)
    do = Phrase("Keep {objectives} of different colours.", {"objectives": kept})
    if left:
        return Status(do, Phrase("Still to choose: {left}. The others go back to the box unseen.", {"left": left}))
    return Status(do, Phrase("Seal your choice; the others go back to the box unseen."))


def _status_card(game: Game, seen: Seen) -> Status:
    first = {"seat": seat_word(game, seen.view["start_player"])}
    left = Phrase("The lowest card acts first; among equal cards {seat}, then clockwise.", first)
    if seen.draft and seen.draft.chosen:
        card = {"card": seen.draft.chosen[0].split()[1]}
        return Status(Phrase("Seal card {card}, or choose another.", card), left)
    return Status(Phrase("Choose your movement card for this round."), left)


def _status_entry(game: Game, seen: Seen) -> Status:
    seat = chooser(seen)
    scouts = seen.view["players_at_table"][seat]["scouts"]
    first = next(number for number, scout in enumerate(scouts) if scout["at"] == "hand")
    return Status(
        Phrase("Put {scout} back on the board.", {"scout": scout_word(game, seat, first)}),
        Phrase("Any space will do, except the soldier's and those of blocked routes."),
    )


def _status_turn(game: Game, seen: Seen) -> Status:
    printed: Any = game.box.record
    deciding = seen.view["deciding"]
    player = seen.view["players_at_table"][chooser(seen)]
    row = game.box.names["cards"].index(player["card"])
    known = {
        "left": COUNTS["movement"](deciding["points_left"]),
        "all": printed.card_points[row],
        "card": player["card"],
    }
    kinds = {notation.partition(" ")[0] for notation in seen.legal}
    if not deciding["points_left"]:
        do = Phrase("Your movement points are spent.")
        if kinds & {"take", "drop"}:
            do = Phrase("Your movement points are spent. Take or drop orders, or end your turn.")
    elif "jump" in kinds:
        do = Phrase("Lead your scouts: step, or jump to the next location.")
    else:
        do = Phrase("Lead your scouts: step, take or drop orders.")
    if kinds & {"pals", "squad", "exchange", "gossip"}:
        return Status(do, Phrase("{left} of {all}; the action of card {card} is open.", known))
    return Status(do, Phrase("{left} of {all} with card {card}; a jump costs one, however long.", known))


def _status_exchange(game: Game, seen: Seen) -> Status:
    order = named(game, "orders", seen.view["deciding"]["exchange"])
    return Status(
        Phrase("Choose the order that changes places with {order}.", {"order": order}),
        Phrase("It lies one space before it in the queue."),
    )


def _status_hunt(game: Game, seen: Seen) -> Status:
    die = seen.view["die"]
    number = {"number": die["number"]}
    if die["colour"] == "red":
        return Status(
            Phrase("Choose which of your scouts may run."),
            Phrase("The die shows a red {number}; several of yours are nearest to the soldier.", number),
        )
    return Status(
        Phrase("Choose which of your scouts the soldier hunts."),
        Phrase("The die shows a black {number}; several of yours are nearest to him.", number),
    )


def _status_way(game: Game, seen: Seen) -> Status:
    known = {"scout": _scout_in_question(game, seen), "steps": COUNTS["steps"](seen.view["die"]["number"])}
    return Status(
        Phrase("Choose where the soldier goes."),
        Phrase("Several shortest ways lead him to {scout}; he goes {steps}.", known),
    )


def _status_red(game: Game, seen: Seen) -> Status:
    known = {
        "scout": _scout_in_question(game, seen),
        "steps": COUNTS["steps"](seen.view["deciding"]["points_left"]),
    }
    return Status(
        Phrase("{scout} may run: {steps} left.", known),
        Phrase("A red number: the scout walks, delivers, but takes no order."),
    )


def _status_failure(game: Game, seen: Seen) -> Status:
    failed = COUNTS["delivered"](len(seen.view["failing"]))
    return Status(
        Phrase("Choose the failed order to deal with first."),
        Phrase("Failed together: {orders}.", {"orders": failed}),
    )


def _status_token(game: Game, seen: Seen) -> Status:
    order = seen.view["resolving"]
    row = game.box.text.tables["orders"][game.box.names["orders"].index(order)]
    return Status(
        Phrase("Put a tank on a route at {location}.", {"location": named(game, "locations", row["destination"])}),
        Phrase("{order} failed; the whole route stays blocked.", {"order": named(game, "orders", order)}),
    )


def _status_refuge(game: Game, seen: Seen) -> Status:
    return Status(
        Phrase("Choose where {scout} flees to.", {"scout": _scout_in_question(game, seen)}),
        Phrase("These safe locations are equally near."),
    )


PROMPTS = Prompts(
    POINTS,
    {
        "objective": _status_objective,
        "card": _status_card,
        "entry": _status_entry,
        "turn": _status_turn,
        "exchange": _status_exchange,
        "hunt": _status_hunt,
        "way": _status_way,
        "red": _status_red,
        "failure": _status_failure,
        "token": _status_token,
        "refuge": _status_refuge,
    },
)
status = PROMPTS.status
