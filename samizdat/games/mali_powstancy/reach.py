"""Mali Powstańcy: what can come about with one box, one variant, its options and so many players."""

from __future__ import annotations

from typing import Any

from samizdat.games.mali_powstancy.state import (
    BASE,
    DELIVERED,
    DISTRICTS,
    DRAWS,
    EXTENDED,
    FELL,
    HAND,
    IN_DECK,
    KEPT,
    LEFT,
    NO_VICTORY,
    NONE,
    OBJECTIVES,
    ORDERS,
    ROUTES,
    SEATS,
)
from samizdat.kernel.game import Game
from samizdat.kernel.reach import NEVER, Reach, first, fixed, members, up_to


def most_rounds(printed: Any, variant: int, players: int) -> int:
    """2.4.1: cards come from the deck in every round until the last order, or the Victory card, is out; that one
    leaves after the whole queue (2.8.1, 2.13.1)."""
    left, rounds = printed.base_deck[players], 0
    if variant == EXTENDED:
        left = printed.orders - printed.under_victory[players] + 1
    while left > 0:
        rounds += 1
        left -= printed.draws[variant, players, rounds % 2]
    return int(rounds + printed.queue[variant])


def most_points(printed: Any, base: bool) -> int:
    """2.5.3, 2.7.5: the most steps or jumps in one turn or, in the base game, one red move."""
    points = [printed.card_points[card] for card in range(printed.cards)]
    if base:
        points += [printed.number[face] for face in range(printed.faces)]
    return int(max(points))


def reach(game: Game) -> dict[str, Reach]:
    printed: Any = game.box.record
    players = game.players
    variant: int = game.blank().variant  # type: ignore[attr-defined]
    orders = members(printed.orders)
    there = first(players, SEATS, 1)
    some = Reach(first(players, SEATS, NONE), 0)  # none, for whoever sits there
    points = most_points(printed, variant == BASE)
    limit = game.options["max_jumps_per_turn"]
    found = {
        "rounds": up_to(most_rounds(printed, variant, players)),
        "start_player": up_to(players - 1),
        "chooser": up_to(players - 1),
        "ready": up_to(members(players)),
        "hand": up_to(there * members(printed.cards)),
        "chosen": Reach(some.low, there * (printed.cards - 1)),
        "order": up_to(there * (players - 1)),
        "acting": up_to(players),
        "points_left": up_to(points),
        "spent": up_to(points),
        "jumps": up_to(min(points, limit) if limit else points),
        "taken": up_to(orders),
        "dropped": up_to(orders),
        "carries": Reach(some.low[:, None], there[:, None] * (printed.orders - 1)),
        "place": up_to(first(printed.orders, ORDERS, DELIVERED + players - 1)),
        "blocked": up_to(first(printed.routes, ROUTES, 1)),
        "failing": up_to(orders),
        "resolving": Reach(NONE, printed.orders - 1),
    }
    return found | (_extended(game) if variant == EXTENDED else _base(game))


def _base(game: Game) -> dict[str, Reach]:
    """The soldier, and none of 2.10 to 2.13."""
    printed: Any = game.box.record
    there = first(game.players, SEATS, 1)
    deck = printed.base_deck[game.players]
    together = max(printed.draws[BASE, game.players, odd] for odd in range(2))
    without = ("acted", "under", "looked", "seen", "looked_fallen", "failures", "fallen", "falling", "objective")
    return dict.fromkeys(without, NEVER) | {
        "first": fixed(NONE),
        "at": Reach(there[:, None] * HAND, there[:, None] * (printed.spaces - 1)),
        "soldier": up_to(printed.spaces - 1),
        "face": up_to(printed.faces - 1),
        "deliveries": up_to(there * deck),
        "above": up_to(deck),
        "victory": fixed(NO_VICTORY),
        "top": fixed(NONE),
        "tokens": up_to(printed.base_defeat),  # 2.8.4
        # 2.4.1, 2.8.1: only what was revealed together fails together and leaves something to choose (A9).
        "failing": up_to(members(printed.orders) if together > 1 else 0),
    }


def _extended(game: Game) -> dict[str, Reach]:
    """2.10 to 2.13, and no soldier."""
    printed: Any = game.box.record
    there = first(game.players, SEATS, 1)
    under = printed.under_victory[game.players]
    districts = len(game.box.text.tables["districts"])
    shown = max(printed.draws[EXTENDED, game.players, odd] for odd in range(2))  # 2.11.5
    return {
        "first": Reach(NONE, printed.orders - 1),
        "at": up_to(there[:, None] * (printed.spaces - 1)),
        "soldier": fixed(NONE),
        "face": NEVER,
        "deliveries": up_to(there * printed.orders),
        "above": up_to(printed.orders - under),
        "under": up_to(under),
        "victory": Reach(IN_DECK, LEFT),
        "looked": up_to(shown),
        "top": Reach(NONE, first(shown, DRAWS, printed.orders - 1, NONE)),
        "seen": up_to(there * shown),
        "looked_fallen": up_to(members(districts)),
        "tokens": up_to(districts),  # 2.12.2: one for each district with a failure
        "failures": up_to(first(districts, DISTRICTS, FELL)),
        "fallen": up_to(members(districts)),
        "objective": up_to(first(printed.objectives, OBJECTIVES, KEPT + game.players - 1)),
    }
