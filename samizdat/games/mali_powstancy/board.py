"""Mali Powstańcy: its board, drawn from what one seat may know. Geometry is in `chart.py`."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

from samizdat.games.mali_powstancy import chart
from samizdat.games.mali_powstancy import state as events
from samizdat.games.mali_powstancy.guess import is_first_copy, objectives_at
from samizdat.games.mali_powstancy.state import CARD, DEALT, KEPT, OBJECTIVE, State
from samizdat.games.mali_powstancy.words import COUNTS, ENDINGS, Name, named, scout_word, tell
from samizdat.kernel.boards import Composition, Reveal, Seen, Status, one_of
from samizdat.kernel.game import Game
from samizdat.kernel.moves import Move
from samizdat.kernel.telling import Line, Listing, Many, Phrase, Told, Word

GLYPH = "scout"
INKS = ("red", "orange", "green", "purple")
BLURB = Phrase("Three scouts each carry orders through Warsaw in August 1944, before the city is lost.")
DOCK = (
    ("city", "scout", Phrase("Map")),
    ("orders", "order", Phrase("Orders")),
    ("cards", "cards", Phrase("Cards")),
    ("record", "log", Phrase("Record")),
)
BUTTONS = {"end": True}

VARIANTS = {"base": Phrase("base game"), "extended": Phrase("extended game")}
PHASES = {
    "objective": Phrase("secret objectives"),
    "card": Phrase("choosing cards"),
    "entry": Phrase("movement"),
    "turn": Phrase("movement"),
    "exchange": Phrase("movement"),
    "hunt": Phrase("the soldier"),
    "way": Phrase("the soldier"),
    "red": Phrase("the soldier"),
    "failure": Phrase("time"),
    "token": Phrase("time"),
    "refuge": Phrase("time"),
    "over": Phrase("the end"),
}
MOVEMENT = ("card", "entry", "turn", "exchange")


def where(game: Game, view: Any) -> Phrase:
    known = {"variant": VARIANTS[game.variant], "phase": PHASES[view["point"]]}
    if not view["round"]:
        return Phrase("{variant} · {phase}", known)
    return Phrase("{variant} · round {round}, {phase}", known | {"round": view["round"]})


# --- The status line ------------------------------------------------------------------------------------------


def status(game: Game, seen: Seen) -> Status:
    """What this seat is to do at the present decision point, what is left, and why."""
    return STATUS[seen.view["point"]](game, seen)


def _seat(game: Game, seat: int) -> Word:
    return Word(game.definition.show.SEAT_NAMES, game.box.names["colours"][seat])


def _chooser(seen: Seen) -> int:
    """The seat that decides: this one, or for a spectator the one the table waits for."""
    turn = seen.view["turn"]
    if seen.seat is not None and (seen.seat in turn or not turn):
        return seen.seat
    return int(turn[0]) if turn else 0


def _scout_in_question(game: Game, seen: Seen) -> Name:
    return scout_word(game, _chooser(seen), seen.view["deciding"]["scout"] - 1)


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
    first = {"seat": _seat(game, seen.view["start_player"])}
    left = Phrase("The lowest card acts first; among equal cards {seat}, then clockwise.", first)
    if seen.draft and seen.draft.chosen:
        card = {"card": seen.draft.chosen[0].split()[1]}
        return Status(Phrase("Seal card {card}, or choose another.", card), left)
    return Status(Phrase("Choose your movement card for this round."), left)


def _status_entry(game: Game, seen: Seen) -> Status:
    seat = _chooser(seen)
    scouts = seen.view["players_at_table"][seat]["scouts"]
    first = next(number for number, scout in enumerate(scouts) if scout["at"] == "hand")
    return Status(
        Phrase("Put {scout} back on the board.", {"scout": scout_word(game, seat, first)}),
        Phrase("Any space will do, except the soldier's and those of blocked routes."),
    )


def _status_turn(game: Game, seen: Seen) -> Status:
    printed: Any = game.box.record
    deciding = seen.view["deciding"]
    player = seen.view["players_at_table"][_chooser(seen)]
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


def _status_over(game: Game, seen: Seen) -> Status:
    return Status(Phrase("The match is over."))


STATUS: dict[str, Callable[[Game, Seen], Status]] = {
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
    "over": _status_over,
}


# --- Decisions in words ---------------------------------------------------------------------------------------


def label(game: Game, view: Any, move: Move) -> Phrase:
    """One decision as a short sentence."""
    return LABELS[move.kind](game, view, move)


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
    return Phrase("Keep {objective}: {points}, {colour}", known)


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


# --- The picture ----------------------------------------------------------------------------------------------

WALKS = ("step", "jump", "squad")
TRAIL = (events.STEPS, events.JUMPS, events.ESCORTED, events.FLEES)


def picture(game: Game, seen: Seen) -> dict[str, Any]:
    """What the templates need besides the view: where everything lies, and what may be done with it."""
    view = seen.view
    city = chart.city(game.box)
    scouts = _scouts(game, seen, city)
    ways = _ways(game, seen, city)
    picked = _picked(seen, ways)
    return {
        "districts": chart.districts(game.box, view),
        "routes": chart.routes(game.box, view),
        "river": chart.river(game.box),
        "locations": chart.locations(game.box, view),
        "blanks": chart.blanks(game.box, view),
        "tags": chart.tags(view),
        "scouts": scouts,
        "prisoners": [one for one in scouts if one["held"] == "prison"],
        "escaped": [one for one in scouts if one["held"] == "hand"],
        "back": view["round"] + (1 if view["point"] in MOVEMENT else 2),
        "soldier": city[view["soldier"]] if view["soldier"] else None,
        "hunted": _nearest(game, view),
        "ways": ways,
        "marks": _marks(game, seen, city),
        "pals": _pals(game, seen, scouts),
        "picked": picked,
        "team": _own_team(game, seen, scouts, picked),
        "trail": _trail(game, seen, city),
        "fresh": _fresh(game, seen),
        "order_rows": {row["id"]: row for row in game.box.text.tables["orders"]},
        "objective_rows": {row["id"]: row for row in game.box.text.tables["objectives"]},
        "objective_names": {id: named(game, "objectives", id) for id in game.box.names["objectives"]},
        "cards": game.box.text.tables["cards"],
        "limits": _limits(game),
        "city": city,
        "pushed": _pushed(scouts),
        "cells": {"prison": chart.PRISON_CELL, "hand": chart.HAND_CELL},
        "deciding": {"scout": 0, "exchange": "", "points_left": None, "action_used": False}
        | (view["deciding"] or {}),
        "refusing": _refusing(game, seen, picked),
        "letters": _by_team(game, "name", 1),
        "ids": _by_team(game, "id", None),
        "card": _card(game, seen),
        "action": _card(game, seen).get("action", ""),
        "comes": _comes(game, view),
        "lookers": _lookers(game, view),
        "far_in_steps": bool(view["options"]["max_jumps_per_turn"]),
        "ending": Line(*ENDINGS[view["reason"]]) if view["reason"] else None,
        "winners": _winners(view),
        "seats": view["turn_order"] or list(range(len(view["players_at_table"]))),
        "points": _own_points(game, seen),
    }


def _limits(game: Game) -> dict[str, int]:
    printed: Any = game.box.record
    return {
        "tokens": printed.base_defeat,
        "districts": printed.extended_defeat,
        "queue": printed.queue[list(game.definition.variants).index(game.variant)],
        "cards": printed.cards,
    }


def _refusing(game: Game, seen: Seen, picked: int) -> str:
    """What a click on a location means where it is not open: the refusal then cites the rule."""
    point = seen.view["point"]
    if point in ("entry", "way", "refuge"):
        return {"entry": "enter ", "way": "way ", "refuge": "refuge "}[point]
    if point not in ("turn", "red") or seen.seat is None:
        return ""
    scout = picked or 1
    here = seen.view["players_at_table"][seen.seat]["scouts"][scout - 1]["at"]
    jumps = point == "turn" and here in game.box.names["locations"]
    return f"{'jump' if jumps else 'step'} {scout} "


def _by_team(game: Game, column: str, letters: int | None) -> list[list[str]]:
    """What is printed on the tiles of each team."""
    rows = game.box.text.tables["scouts"]
    return [
        [row[column][:letters] for row in rows if row["colour"] == colour] for colour in game.box.names["colours"]
    ]


def _card(game: Game, seen: Seen) -> dict[str, Any]:
    """2.11.1: the card whose action belongs to this turn."""
    if game.variant != "extended" or seen.view["point"] not in ("turn", "exchange"):
        return {}
    played = seen.view["players_at_table"][_chooser(seen)]["card"]
    return next(row for row in game.box.text.tables["cards"] if str(row["value"]) == played)


def _comes(game: Game, view: Mapping[str, Any]) -> int:
    """2.4.1: so many orders the next Orders phase reveals; 2.13.1: none once the Victory card has appeared."""
    if view["point"] == "over" or view["victory_card"] not in (None, "deck"):
        return 0
    printed: Any = game.box.record
    variant = list(game.definition.variants).index(game.variant)
    return min(int(printed.draws[variant, game.players, (view["round"] + 1) % 2]), int(view["deck"]["cards"]))


def _lookers(game: Game, view: Mapping[str, Any]) -> Phrase:
    """2.11.5: everybody saw who looked."""
    names = Listing([_seat(game, seat) for seat in view["deck"]["looked_by"]], "and")
    return Phrase("The next cards are known to {names}.", {"names": names})


def _winners(view: Mapping[str, Any]) -> list[int]:
    """2.9.3: most points, then most orders delivered; then they share."""
    totals = [
        (score["total"], player["delivered"])
        for score, player in zip(view.get("score_sheet", ()), view["players_at_table"], strict=False)
    ]
    return [seat for seat, total in enumerate(totals) if total == max(totals)]


def _own_points(game: Game, seen: Seen) -> int:
    """2.15: the seat knows what its own pile is worth."""
    if seen.seat is None:
        return 0
    points = {row["id"]: row["points"] for row in game.box.text.tables["orders"]}
    return sum(points[order] for order in seen.view["players_at_table"][seen.seat]["pile"] or ())


def _scouts(game: Game, seen: Seen, city: Mapping[str, chart.Point]) -> list[dict[str, Any]]:
    """Every scout as a piece: where it stands, and aside of what it stands with."""
    rows = game.box.text.tables["scouts"]
    together: dict[str, list[dict[str, Any]]] = defaultdict(list)
    pieces = []
    moved = {(one.args[0], one.args[1]) for one in seen.last if one.event in MOVED}
    for seat, player in enumerate(seen.view["players_at_table"]):
        team = [row for row in rows if row["colour"] == player["colour"]]
        for number, (row, scout) in enumerate(zip(team, player["scouts"], strict=True)):
            piece = {
                "id": row["id"],
                "seat": seat,
                "number": number + 1,
                "letter": row["name"][0],
                "space": scout["at"],
                "carries": scout["carries"],
                "held": scout["at"] if scout["at"] in ("prison", "hand") else "",
                "moved": (seat, number) in moved,
            }
            pieces.append(piece)
            together[scout["at"]].append(piece)
    for space, group in together.items():
        for i, piece in enumerate(group):
            if space in city:
                piece["at"], (piece["dx"], piece["dy"]) = city[space], chart.beside(i, len(group))
                piece["size"] = 1.18 if len(group) < 3 else 1
            else:
                piece["size"] = 1.05
                piece["at"], (piece["dx"], piece["dy"]) = chart.cell(space, i)
    return pieces


def _pushed(scouts: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """How far the name of a place steps aside for those who stand there, in pixels."""
    crowd = Counter(one["space"] for one in scouts if not one["held"])
    return {space: 4 + 3 * count for space, count in crowd.items() if count > 1}


MOVED = (*TRAIL, events.ENTERS, events.TAKES, events.DROPS, events.ARRESTS)


def _ways(game: Game, seen: Seen, city: Mapping[str, chart.Point]) -> list[dict[str, Any]]:
    """Each way a scout may go now, with the line it takes; `shared` where another of the team may go there too."""
    found = []
    for notation in seen.legal:
        move = game.notation.read(notation)
        if move.kind in WALKS:
            number = int(move.args["scout"])
            space = move.args.get("space") or move.args["location"]
            start = seen.view["players_at_table"][seen.seat]["scouts"][number - 1]["at"]
            found.append(
                {
                    "notation": notation,
                    "kind": move.kind,
                    "scout": number,
                    "space": space,
                    "at": city[space],
                    "location": space in game.box.names["locations"],
                    "line": chart.way(game.box, start, space),
                }
            )
    for one in found:
        one["shared"] = any(other["space"] == one["space"] and other["scout"] != one["scout"] for other in found)
    return sorted(found, key=lambda one: not one["location"])  # small areas lie above large ones


def _picked(seen: Seen, ways: Sequence[Mapping[str, Any]]) -> int:
    """The scout whose ways are marked at first: the one that just moved, or one that can."""
    able = [way["scout"] for way in ways]
    for one in reversed(seen.last):
        if one.event in MOVED and one.args[0] == seen.seat and one.args[1] + 1 in able:
            return one.args[1] + 1
    return min(able, default=0)


def _marks(game: Game, seen: Seen, city: Mapping[str, chart.Point]) -> list[dict[str, Any]]:
    """Open decisions that are places or routes and name no scout."""
    found: list[dict[str, Any]] = []
    for notation in seen.legal:
        move = game.notation.read(notation)
        if move.kind in ("enter", "way", "refuge"):
            space = move.args.get("space") or move.args["location"]
            location = space in game.box.names["locations"]
            found.append({"notation": notation, "space": space, "at": city[space], "location": location, "line": ""})
        elif move.kind == "block":
            route = move.args["route"]
            at = chart.token_place(game.box, route, seen.view)
            line = chart.line(game.box, route)
            found.append({"notation": notation, "space": "", "at": at, "location": True, "line": line})
    return found


def _pals(game: Game, seen: Seen, scouts: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """2.11.2: pairs that may change places, drawn between the two."""
    own = {str(one["number"]): one for one in scouts if one["seat"] == seen.seat}
    found = []
    for notation in seen.legal:
        if notation.startswith("pals "):
            one, other = (own[number]["at"] for number in notation.split()[1].split("+"))
            between = chart.Point((one.x + other.x) / 2, (one.y + other.y) / 2)
            found.append({"notation": notation, "at": between, "line": chart.straight(one, other)})
    return found


def _own_team(game: Game, seen: Seen, scouts: Sequence[Mapping[str, Any]], picked: int) -> list[dict[str, Any]]:
    """The seat's own scouts: where each is, what it carries and how far it still has to go."""
    if seen.seat is None:
        return []
    team = []
    for piece in scouts:
        if piece["seat"] == seen.seat:
            row = dict(piece)
            row["place"] = named(game, "spaces", piece["space"]) if not piece["held"] else None
            row["picked"] = piece["number"] == picked
            row["far"] = None
            if piece["carries"] and not piece["held"]:
                order = game.box.names["orders"].index(piece["carries"])
                row["far"] = chart.far(game, seen.view, piece["space"], order)
            team.append(row)
    return team


def _nearest(game: Game, view: Mapping[str, Any]) -> int | None:
    """2.7.3, as a help: how far the soldier is from the nearest scout."""
    printed: Any = game.box.record
    if not view["soldier"]:
        return None
    spaces = game.box.names["spaces"]
    soldier = spaces.index(view["soldier"])
    far = [
        printed.distance[soldier, spaces.index(scout["at"])]
        for player in view["players_at_table"]
        for scout in player["scouts"]
        if scout["at"] in spaces
    ]
    return min(far, default=None)


def _trail(game: Game, seen: Seen, city: Mapping[str, chart.Point]) -> list[str]:
    """The lines of what went where in the latest decision."""
    spaces = game.box.names["spaces"]
    lines = []
    for one in seen.last:
        if one.event in TRAIL:
            start, end = spaces[one.args[2]], spaces[one.args[3]]
            if one.event == events.FLEES:
                lines.append(chart.straight(city[start], city[end]))
            else:
                lines.append(chart.way(game.box, start, end))
        elif one.event == events.MARCHES:
            lines.append(chart.march(game, spaces[one.args[0]], spaces[one.args[1]]))
        elif one.event == events.SWAPS:
            lines.append(chart.straight(city[spaces[one.args[3]]], city[spaces[one.args[4]]]))
    return [line for line in lines if line]


def _fresh(game: Game, seen: Seen) -> list[str]:
    """Ids of what came or changed in the latest decision."""
    names = game.box.names
    found = []
    for one in seen.last:
        if one.event == events.REVEALS:
            found.append(names["orders"][one.args[0]])
        elif one.event == events.EXCHANGES:
            found.extend(names["orders"][order] for order in one.args[1:3])
        elif one.event == events.TOKEN_ON_ROUTE:
            found.append(names["routes"][one.args[1]])
        elif one.event == events.DISTRICT_FALLS:
            found.append(names["districts"][one.args[0]])
        elif one.event == events.MARCHES:
            found.append("soldier")
    return found


# --- Choices that all make at once ----------------------------------------------------------------------------


def compose(game: Game, s: State, seat: int, draft: tuple[str, ...]) -> Composition | None:
    """2.5.1: one movement card; 2.10.3: the objectives to keep."""
    if (s.ready >> seat) & 1:
        return None
    if s.point == CARD:
        hand = [id for number, id in enumerate(game.box.names["cards"]) if (s.hand[seat] >> number) & 1]
        return one_of([f"card {id}" for id in hand], draft)
    return _compose_objectives(game, s, seat, draft) if s.point == OBJECTIVE else None


def _compose_objectives(game: Game, s: State, seat: int, draft: tuple[str, ...]) -> Composition:
    """2.10.3: different colours; one of a colour that is chosen takes the other's place. S3: sealed in order."""
    printed: Any = game.box.record
    ids = game.box.names["objectives"]
    kept = objectives_at(printed, s, KEPT + seat)
    cards = objectives_at(printed, s, DEALT + seat) | kept
    colour = {number: printed.objective_colour[number] for number in range(printed.objectives)}
    held = [number for number in colour if (kept >> number) & 1]
    choices = [
        number
        for number in colour
        if (cards >> number) & 1
        and not kept >> number
        and is_first_copy(printed, number, cards)
        and colour[number] not in [colour[other] for other in held]
    ]
    size = printed.objectives_kept - len(held)
    sets = [set(some) for some in combinations(choices, size) if len({colour[one] for one in some}) == size]

    def with_one_more(chosen: Iterable[int], number: int) -> list[int]:
        return [*(one for one in chosen if colour[one] != colour[number]), number]

    def fits(some: Iterable[int]) -> bool:
        return any(set(some) <= whole for whole in sets)

    chosen: list[int] = []
    for notation in draft:
        number = next((one for one in choices if notation == f"keep {ids[one]}"), None)
        if number is not None and fits(with_one_more(chosen, number)):
            chosen = with_one_more(chosen, number)
    open = tuple(
        f"keep {ids[number]}" for number in choices if number not in chosen and fits(with_one_more(chosen, number))
    )
    seal = tuple(f"keep {ids[number]}" for number in sorted(chosen)) if len(chosen) == size else None
    return Composition(tuple(f"keep {ids[number]}" for number in chosen), open, seal)


# --- What a decision revealed ---------------------------------------------------------------------------------

# Each step begins with one of these events and goes on with those that may follow it.
STEPS: dict[str, tuple[tuple[int, ...], tuple[int, ...]]] = {
    "deal": ((events.STARTS, events.DEALS_AGAIN, events.DEALS), (events.DEALS, events.DEALS_AGAIN)),
    "cards": ((events.SHOWS_CARD,), (events.SHOWS_CARD,)),
    "gossip": ((events.SEES, events.SEES_VICTORY), (events.SEES, events.SEES_VICTORY, events.REMOVES)),
    "die": ((events.ROLLS,), (events.NEAREST, events.RED_MOVE)),
    "march": ((events.MARCHES,), (events.ARRESTS,)),
    "waits": ((events.NOBODY_OUTSIDE,), ()),
    "failed": ((events.FAILS,), (events.FAILS,)),
    "token": ((events.TOKEN_ON_ROUTE, events.TOKEN_BESIDE), (events.FLEES, events.DELIVERS, events.EARNS)),
    "falls": (
        (events.DISTRICT_FALLS, events.NOTHING_TO_LOSE),
        (events.FLEES, events.DELIVERS, events.EARNS),
    ),
    "orders": (
        (events.ROUND, events.REVEALS, events.REMOVES, events.VICTORY_APPEARS, events.NO_ORDERS),
        (events.REVEALS, events.REMOVES, events.VICTORY_APPEARS, events.NO_ORDERS),
    ),
    "victory": ((events.VICTORY_LEAVES,), ()),
    "end": ((events.ENDS,), ()),
    "score": ((events.ORDERS_SCORE,), (events.RETURN_SCORE, events.OBJECTIVE_SCORE)),
}
MINOR = ("deal", "waits", "orders")  # the board shows the same
BEGINS = {event: name for name, (first, _) in STEPS.items() for event in first}


def reveals(game: Game, told: list[Told], viewer: int) -> list[Reveal]:
    """Cards turned up, the soldier's walk, failed and new orders, the score of each team; nothing for plain moves."""
    steps: list[tuple[str, list[Told]]] = []
    for one in told:
        if not one.heard_by(viewer):
            continue
        if steps and one.event in STEPS[steps[-1][0]][1]:
            steps[-1][1].append(one)
        elif one.event in BEGINS:
            steps.append((BEGINS[one.event], [one]))
    return [_reveal(game, name, group, viewer) for name, group in steps]


def _reveal(game: Game, name: str, told: list[Told], viewer: int) -> Reveal:
    lines: list[Line] = tell(game, told, viewer)
    focus: list[str] = []
    data: dict[str, Any] = {"kind": name, "cards": [], "die": None, "orders": [], "caught": [], "seat": None}
    names = game.box.names
    for one in told:
        if one.event == events.REVEALS:
            focus.append(f"order-{names['orders'][one.args[0]]}")
        elif one.event in (events.ARRESTS, events.FLEES):
            focus.append(f"scout-{chart.scout_id(game.box, one.args[0], one.args[1])}")
        elif one.event == events.MARCHES:
            focus.append("soldier")
        elif one.event == events.TOKEN_ON_ROUTE:
            focus.append(f"route-{names['routes'][one.args[1]]}")
        elif one.event == events.DISTRICT_FALLS:
            focus.append(f"district-{names['districts'][one.args[0]]}")
        elif one.event in (events.SHOWS_CARD, events.ORDERS_SCORE):
            focus.append(f"seat-{one.args[0]}")
    data |= _pictured(game, name, told)
    return Reveal(tuple(lines), tuple(focus), data, minor=name in MINOR)


def _pictured(game: Game, name: str, told: Sequence[Told]) -> dict[str, Any]:
    """What the picture of a step shows."""
    names = game.box.names
    if name == "cards":
        return {"cards": [(one.args[0], names["cards"][one.args[1]]) for one in told]}
    if name == "die":
        row = game.box.text.tables["die"][told[0].args[1]]
        return {"die": {"colour": row["colour"], "number": row["number"]}}
    if name in ("orders", "failed", "gossip"):
        shown = (events.REVEALS, events.FAILS, events.SEES)
        return {"orders": [names["orders"][one.args[0]] for one in told if one.event in shown]}
    if name == "march":
        caught = [one for one in told if one.event == events.ARRESTS]
        return {"caught": [(one.args[0], chart.scout_id(game.box, one.args[0], one.args[1])) for one in caught]}
    if name == "score":
        return {"seat": told[0].args[0]}
    return {}
