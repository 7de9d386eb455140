"""Mali Powstańcy: what a designer would count."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from samizdat.games.mali_powstancy.rules_scoring import (
    is_defeat,
    is_met,
    objectives_score,
    orders_score,
    return_score,
)
from samizdat.games.mali_powstancy.state import DELIVERED, KEPT, State
from samizdat.games.mali_powstancy.words import named
from samizdat.kernel.game import Game
from samizdat.kernel.studies import DECISIONS, Study, Tally

MOVEMENT = ("step", "jump")
ACTIONS = ("pals", "squad", "exchange", "gossip")


def delivered(game: Game, s: State) -> list[list[int]]:
    """2.6.4: whose pile an order lies in."""
    orders = range(len(game.box.names["orders"]))
    return [[int(s.place[order] == DELIVERED + seat) for seat in range(s.seats)] for order in orders]


def kept(game: Game, s: State) -> list[list[int]]:
    """2.10.3"""
    objectives = range(len(game.box.names["objectives"]))
    return [[int(s.objective[one] == KEPT + seat) for seat in range(s.seats)] for one in objectives]


def met(game: Game, s: State) -> list[list[int]]:
    """2.13.4"""
    printed: Any = game.box.record
    return [
        [int(has and is_met(printed, s, seat, one)) for seat, has in enumerate(row)]
        for one, row in enumerate(kept(game, s))
    ]


def order(game: Game, s: State) -> list[int]:
    """2.2.5: who has the marker at the start, then clockwise."""
    return [(s.start_player + seat) % s.seats for seat in range(s.seats)]


def parts(game: Game, s: State) -> Mapping[str, Sequence[int]]:
    """2.9.2, 2.13.3"""
    printed: Any = game.box.record
    lost, seats = is_defeat(s), range(s.seats)
    found = {
        "orders": [orders_score(printed, s, seat) for seat in seats],
        "scouts back home": [0 if lost else return_score(printed, s, seat) for seat in seats],
    }
    if game.variant == "extended":
        found["objectives"] = [0 if lost else objectives_score(printed, s, seat) for seat in seats]
    return found


def extended(game: Game) -> bool:
    return game.variant == "extended"


STUDY = Study(
    tallies=(
        Tally("Steps and jumps", DECISIONS, ids=MOVEMENT, kinds=dict.fromkeys(MOVEMENT, "")),
        Tally("Movement cards", "cards", kinds={"card": "card"}),
        Tally("Actions of the cards", DECISIONS, ids=ACTIONS, kinds=dict.fromkeys(ACTIONS, "")),
        Tally("Orders delivered", "orders", ended=delivered, called=lambda game, id: named(game, "orders", id)),
        Tally("Objectives kept", "objectives", ended=kept, called=lambda game, id: named(game, "objectives", id)),
        Tally("Objectives met", "objectives", ended=met, called=lambda game, id: named(game, "objectives", id)),
        Tally(
            "Routes closed", "routes", "once for each tank", kinds={"block": "route"},
            called=lambda game, id: named(game, "routes", id),
        ),
        Tally(
            "Places jumped to", "locations", kinds={"jump": "location"},
            called=lambda game, id: named(game, "locations", id),
        ),
    ),
    only={"Actions of the cards": extended, "Objectives kept": extended, "Objectives met": extended},
    parts=parts,
    figures=("orders delivered", "orders failed or removed", "small tokens", "fallen districts"),
    order=order,
    ends={
        "last_order": "the last order",
        "victory_card": "the Victory card",
        "fourth_token": "the fourth tank: all lose",
        "third_district": "the third district: all lose",
    },
)  # fmt: skip
