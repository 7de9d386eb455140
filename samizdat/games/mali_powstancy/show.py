"""Mali Powstańcy: what a seat sees, in plain data; made from its hidden record only. Sentences are in `words.py`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from samizdat.games.mali_powstancy.guess import seen_by
from samizdat.games.mali_powstancy.points import POINTS
from samizdat.games.mali_powstancy.refusals import why_not
from samizdat.games.mali_powstancy.rules_orders import is_active
from samizdat.games.mali_powstancy.rules_scoring import (
    is_defeat,
    is_met,
    objectives_score,
    orders_score,
    return_score,
)
from samizdat.games.mali_powstancy.state import (
    BASE,
    CARD,
    DEALT,
    DELIVERED,
    ENTRY,
    EXCHANGE,
    EXTENDED,
    GONE,
    HAND,
    HUNT,
    IN_DECK,
    KEPT,
    LEFT,
    NO_VICTORY,
    NONE,
    OBJECTIVE,
    OVER,
    PRISON,
    QUEUE,
    REASONS,
    RED,
    REFUGE,
    SCOUTS,
    TURN,
    UNSEEN,
    WAY,
    State,
)
from samizdat.games.mali_powstancy.words import tell
from samizdat.kernel.game import Game
from samizdat.kernel.shows import seat_id

__all__ = [
    "AXES",
    "FIGURES",
    "SEATS_BY_NAME",
    "SEAT_NAMES",
    "WORDS",
    "arrange",
    "round_of",
    "seat_id",
    "tell",
    "view",
    "why_not",
]

# How scenes name things: seats by colour, and the axes (then the values) of the state's fields.
SEAT_NAMES = "colours"
SEATS_BY_NAME = True
_COLOURS = ("red", "orange", "green", "violet")
WORDS = {
    "points": POINTS.words,
    "scouts": ("1", "2", "3"),
    "variants": ("base", "extended"),
    "turns": ("first", "second", "third", "fourth"),
    "places": (
        "unseen", *(f"space_{k}" for k in range(1, QUEUE + 1)), "known", "gone", "pile",
        *(f"delivered_{colour}" for colour in _COLOURS),
    ),
    "holders": ("box", *(f"dealt_{colour}" for colour in _COLOURS), *(f"kept_{colour}" for colour in _COLOURS)),
    "reasons": REASONS,
}  # fmt: skip
AXES: dict[str, tuple[str | None, ...]] = {
    "point": ("points",),
    "reason": ("reasons",),
    "start_player": ("colours",),
    "chooser": ("colours",),
    "hand": ("colours",),
    "chosen": ("colours", "cards"),
    "order": ("turns", "colours"),
    "first": ("orders",),
    "at": ("colours", "scouts", "spaces"),
    "carries": ("colours", "scouts", "orders"),
    "soldier": ("spaces",),
    "place": ("orders", "places"),
    "deliveries": ("colours",),
    "top": (None, "orders"),
    "blocked": ("routes",),
    "failures": ("districts",),
    "resolving": ("orders",),
    "objective": ("objectives", "holders"),
}

# What `samizdat sim` reports of finished games besides points and lengths: one number a game.
FIGURES: dict[str, Callable[[npt.NDArray[Any]], npt.NDArray[Any]]] = {
    "all lose": lambda states: (states["reason"] > REASONS.index("victory_card")).astype(np.int64),
    "rounds": lambda states: states["rounds"].astype(np.int64),
    "orders delivered": lambda states: states["deliveries"].sum(axis=1),
    "orders failed or removed": lambda states: (states["place"] == GONE).sum(axis=1),
    "small tokens": lambda states: states["tokens"].astype(np.int64),
    "fallen districts": lambda states: np.array([int(fallen).bit_count() for fallen in states["fallen"]]),
}


def round_of(game: Game, s: State, seat: int) -> int:
    """The round that lines of the record are counted by."""
    return int(s.rounds)


def view(game: Game, s: State, seat: int) -> dict[str, Any]:
    """Everything on the table, and what the seat itself holds or has seen."""
    names = game.box.names
    secret_choice = s.point in (OBJECTIVE, CARD)
    data: dict[str, Any] = {
        "point": POINTS.words[s.point],
        "round": s.rounds,
        "start_player": s.start_player,
        "turn_order": None if secret_choice else [s.order[turn] for turn in range(s.seats)],
        "players_at_table": [_player(game, s, seat, other) for other in range(s.seats)],
        "queue": [_queue_space(game, s, space) for space in range(1, _queue_length(game, s) + 1)],
        "deck": {
            "orders_above_victory": s.above if s.variant == EXTENDED else None,
            "cards": s.above + s.under + (s.victory == IN_DECK),
            "looked_at": s.looked,
            "looked_by": [other for other in range(s.seats) if s.seen[other]],
            "next": [names["orders"][s.top[i]] for i in range(seen_by(s, seat))] or None,
        },
        "victory_card": _victory(s),
        "soldier": None if s.soldier == NONE else names["spaces"][s.soldier],
        "die": _die(game, s) if s.point in (HUNT, WAY, RED) else None,
        "blocked": [route for number, route in enumerate(names["routes"]) if s.blocked[number]],
        "small_tokens": s.tokens,
        "failures": {id: s.failures[number] for number, id in enumerate(names["districts"]) if s.failures[number]},
        "fallen": [id for number, id in enumerate(names["districts"]) if (s.fallen >> number) & 1],
        "gone": [id for number, id in enumerate(names["orders"]) if s.place[number] == GONE],
        "failing": [id for number, id in enumerate(names["orders"]) if (s.failing >> number) & 1],
        "resolving": None if s.resolving == NONE else names["orders"][s.resolving],
        "deciding": _deciding(game, s),
        "reason": REASONS[s.reason] if s.point == OVER else None,
    }
    if s.point == OVER and not is_defeat(s):
        data["score_sheet"] = score_sheet(game, s)
    return data


def _queue_length(game: Game, s: State) -> int:
    printed: Any = game.box.record
    return int(printed.queue[s.variant])


def _player(game: Game, s: State, seat: int, other: int) -> dict[str, Any]:
    names = game.box.names
    open_pile = other == seat or s.point == OVER
    card = s.chosen[other]
    return {
        "colour": names["colours"][other],
        "hand": [id for number, id in enumerate(names["cards"]) if (s.hand[other] >> number) & 1],
        "has_chosen": bool((s.ready >> other) & 1),
        "card": None if card == NONE else names["cards"][card],
        "scouts": [_scout(game, s, other, scout) for scout in range(SCOUTS)],
        "delivered": s.deliveries[other],
        "pile": _orders_at(game, s, DELIVERED + other) if open_pile else None,
        "objectives": _objectives_at(game, s, KEPT + other) if open_pile and s.variant == EXTENDED else None,
        "objectives_not_kept": _objectives_at(game, s, DEALT + other)
        if other == seat and s.variant == EXTENDED
        else None,
    }


def _scout(game: Game, s: State, seat: int, scout: int) -> dict[str, Any]:
    order = s.carries[seat, scout]
    return {
        "name": scout_name(game, seat, scout),
        "at": where(game, s.at[seat, scout]),
        "carries": None if order == NONE else game.box.names["orders"][order],
    }


def scout_name(game: Game, seat: int, scout: int) -> str:
    """The name printed on a scout's tile."""
    colour = game.box.names["colours"][seat]
    return str([row["name"] for row in game.box.text.tables["scouts"] if row["colour"] == colour][scout])


def where(game: Game, space: int) -> str:
    return {PRISON: "prison", HAND: "hand"}.get(space) or game.box.names["spaces"][space]


def _queue_space(game: Game, s: State, space: int) -> list[dict[str, Any]]:
    rows = game.box.text.tables["orders"]
    return [
        {
            "order": rows[order]["id"],
            "origin": rows[order]["origin"],
            "destination": rows[order]["destination"],
            "points": rows[order]["points"],
            "tiles": [
                [seat, scout + 1]
                for seat in range(s.seats)
                for scout in range(SCOUTS)
                if s.carries[seat, scout] == order
            ],
        }
        for order in range(len(rows))
        if is_active(s, order) and s.place[order] == space
    ]


def _victory(s: State) -> int | str | None:
    return {NO_VICTORY: None, IN_DECK: "deck", LEFT: "left"}.get(s.victory, s.victory)


def _die(game: Game, s: State) -> dict[str, Any]:
    row = game.box.text.tables["die"][s.face]
    return {"colour": row["colour"], "number": row["number"]}


def _deciding(game: Game, s: State) -> dict[str, Any] | None:
    """What the seat to act is in the middle of, where it is one seat's turn."""
    names = game.box.names
    if s.point in (TURN, ENTRY):
        return {"points_left": s.points_left, "jumps": s.jumps, "action_used": bool(s.acted)}
    if s.point == EXCHANGE:
        return {"exchange": names["orders"][s.first], "points_left": s.points_left}
    if s.point == RED:
        return {"scout": s.scout + 1, "points_left": s.points_left}
    if s.point in (WAY, REFUGE):
        return {"scout": s.scout + 1}
    return None


def _orders_at(game: Game, s: State, place: int) -> list[str]:
    return [id for number, id in enumerate(game.box.names["orders"]) if s.place[number] == place]


def _objectives_at(game: Game, s: State, place: int) -> list[str]:
    return [id for number, id in enumerate(game.box.names["objectives"]) if s.objective[number] == place]


def score_sheet(game: Game, s: State) -> list[dict[str, Any]]:
    """2.9.2, 2.13.3: what each seat scored, line by line."""
    printed: Any = game.box.record
    sheet = []
    for seat in range(s.seats):
        kept = {
            id: printed.objective_points[number] if is_met(printed, s, seat, number) else 0
            for number, id in enumerate(game.box.names["objectives"])
            if s.objective[number] == KEPT + seat
        }
        orders, back = orders_score(printed, s, seat), return_score(printed, s, seat)
        total = orders + back + objectives_score(printed, s, seat)
        sheet.append({"orders": orders, "return_bonus": back, "objectives": kept, "total": total})
    return sheet


# --- Scenes ---------------------------------------------------------------------------------------------------


def arrange(game: Game, s: State, given: dict[str, Any]) -> None:
    """Fill in what follows from a scene's given fields: orders not mentioned are unseen, the deck fits them; all
    have chosen, hold their other cards and act in some order; fallen districts follow from failures."""
    printed: Any = game.box.record
    names = game.box.names
    if "place" in given or "carries" in given:
        for order, id in enumerate(names["orders"]):
            if id not in given.get("place", {}):
                s.place[order] = UNSEEN
    for seat in range(s.seats):
        s.deliveries[seat] = sum(s.place[order] == DELIVERED + seat for order in range(printed.orders))
    _arrange_deck(printed, s, given)
    _arrange_city(printed, s, given)
    _arrange_turns(printed, s, given, names["colours"])
    if s.variant == EXTENDED and s.point != OBJECTIVE and "objective" not in given:
        _arrange_objectives(printed, s)


def _arrange_deck(printed: Any, s: State, given: dict[str, Any]) -> None:
    unseen = sum(s.place[order] == UNSEEN for order in range(printed.orders))
    if s.variant == BASE:
        s.above = s.above if "above" in given else min(unseen, printed.base_deck[s.seats])
        return
    if "under" not in given:
        s.under = min(printed.under_victory[s.seats], unseen + s.looked)
    s.above = unseen + s.looked - s.under


def _arrange_city(printed: Any, s: State, given: dict[str, Any]) -> None:
    districts = range(len(s.failures))
    s.fallen = sum(1 << district for district in districts if s.failures[district] == 2)
    if "tokens" not in given:
        hit = sum(s.failures[district] > 0 for district in districts)
        blocked = sum(s.blocked[route] for route in range(printed.routes))
        s.tokens = hit if s.variant == EXTENDED else blocked
    if s.variant == BASE:  # a small token for each failed order
        gone = sum(s.place[order] == GONE for order in range(printed.orders))
        spare = [order for order in reversed(range(printed.orders)) if s.place[order] == UNSEEN]
        for order in spare[: max(0, s.tokens - gone)]:
            s.place[order] = GONE
        unseen = sum(s.place[order] == UNSEEN for order in range(printed.orders))
        s.above = min(s.above, unseen)


def _arrange_turns(printed: Any, s: State, given: dict[str, Any], colours: tuple[str, ...]) -> None:
    full = (1 << printed.cards) - 1
    if "rounds" not in given:
        s.rounds = 0 if s.point == OBJECTIVE else max(s.rounds, 1)
    played = max(0, s.rounds - 1) % printed.cards
    waiting = s.point in (OBJECTIVE, CARD)
    for seat in range(s.seats):
        if waiting:
            chosen = s.chosen[seat] if (s.ready >> seat) & 1 else NONE
        else:
            chosen = s.chosen[seat] if colours[seat] in given.get("chosen", {}) else printed.cards - 1
        s.chosen[seat] = chosen
        if "hand" not in given:  # the cards played before are the lowest of the others
            rest = [card for card in range(printed.cards) if card != chosen]
            gone = sum(1 << card for card in rest[:played])
            s.hand[seat] = full & ~gone & ~(0 if waiting or chosen == NONE else 1 << chosen)
    if waiting:
        return
    s.ready = (1 << s.seats) - 1
    if "order" not in given:
        others = [(s.chooser + turn) % s.seats for turn in range(s.seats)]
        for turn, seat in enumerate(others):
            s.order[turn] = seat
    s.acting = [s.order[turn] for turn in range(s.seats)].index(s.chooser)
    if "points_left" not in given and s.point in (TURN, ENTRY):
        s.points_left = printed.card_points[s.chosen[s.chooser]]


def _arrange_objectives(printed: Any, s: State) -> None:
    """Everybody keeps the first cards of different colours of those dealt."""
    for seat in range(s.seats):
        colours: set[int] = set()
        for objective in range(printed.objectives):
            colour = printed.objective_colour[objective]
            if s.objective[objective] == DEALT + seat and colour not in colours:
                if len(colours) < printed.objectives_kept:
                    colours.add(colour)
                    s.objective[objective] = KEPT + seat
