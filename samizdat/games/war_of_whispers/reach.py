"""A War of Whispers: what can come about with one box, one choice of options and so many players."""

from __future__ import annotations

from typing import Any

import numpy as np

from samizdat.games.war_of_whispers.state import (
    COPIES,
    DECK,
    EMPIRES,
    FACES,
    NOBODY,
    NOTHING,
    NOWHERE,
    OVER,
    REGIONS,
    SEATS,
    SLOTS,
)
from samizdat.kernel.game import Game
from samizdat.kernel.reach import Reach, first, members, up_to


def reach(game: Game) -> dict[str, Reach]:
    printed: Any = game.box.record
    players = game.players
    there = first(players, SEATS, 1)
    regions = first(printed.regions, REGIONS, 1)
    cards = np.array([printed.cards[empire] for empire in range(EMPIRES)])
    in_deck = np.arange(DECK) < cards[:, None]
    copies = np.array([printed.copies[face] for face in range(FACES)])  # 0 of those the box does not have
    decks = np.array([printed.cards[printed.deck[face]] for face in range(FACES)])
    on_map = printed.agents_on_map if game.options["advanced"] else 0
    tokens = Reach(first(players, SEATS, NOBODY), there * (EMPIRES - 1))
    ends = _points(game, on_map)
    return {
        "point": up_to(OVER),
        "rounds": up_to(printed.rounds),
        "first": up_to(players - 1),
        "player": up_to(players - 1),
        "step": up_to(players * max(1, printed.deploys[players])),
        "holder": up_to(regions * (EMPIRES - 1)),
        "army": up_to(regions * printed.banners),
        "reserve": up_to(printed.banners),
        "agent": Reach(NOBODY, players - 1),
        "stationed": up_to(there * members(printed.regions) * (on_map > 0)),
        "loyalty": Reach(tokens.low[:, None], tokens.high[:, None]),
        "shown": up_to(there * members(SLOTS)),
        "sworn": tokens,
        "hand": up_to(np.outer(there, copies)),
        "held": up_to(np.outer(there, cards)),
        "drawn": Reach(NOBODY, np.where(in_deck, players - 1, NOBODY)),
        # A63: what nobody at the table knows, everybody's row tells as well.
        "ruled_out": up_to((np.arange(COPIES) < copies[:, None]) * decks[:, None]),
        "shedding": up_to(members(players)),
        "shed": up_to(there * (printed.faces - 1)),
        "cities": up_to(sum(printed.city)),
        "points": Reach(there * ends.low, there * ends.high),
        "last": Reach(NOTHING, len(game.box.text.tables["actions"]) - 1),
        "paid": Reach(NOTHING, printed.faces - 1),
        "source": Reach(NOWHERE, printed.regions - 1),
        "target": Reach(NOWHERE, printed.regions - 1),
        "force": up_to(printed.banners),
        "left": up_to(printed.banners),
        "attacked": Reach(NOWHERE, printed.regions - 1),
        "cursor": up_to(printed.regions),
        "lifted": up_to(members(printed.regions)),
    }


def _points(game: Game, on_map: int) -> Reach:
    """R16, R17.3: every city counts once and on one slot, and so does an agent on the map; V2: and each token."""
    printed: Any = game.box.record
    values = [printed.value[slot] for slot in range(SLOTS)]
    counted = sum(printed.city) + on_map
    hidden = SLOTS if game.options["point_per_hidden_loyalty"] else 0
    return Reach(min(0, *values) * counted, max(0, *values) * counted + hidden)
