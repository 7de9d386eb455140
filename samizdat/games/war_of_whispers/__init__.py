"""A War of Whispers, by Jeremy Stoltzfus."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from samizdat.games.war_of_whispers import board, laws, reach, rules, show
from samizdat.games.war_of_whispers.box import FARM, FORTRESS, Printed, read_box
from samizdat.games.war_of_whispers.lore import LORE
from samizdat.games.war_of_whispers.points import POINTS
from samizdat.games.war_of_whispers.stakes import stakes
from samizdat.games.war_of_whispers.state import DRAW, MOVES, NOWHERE, POSTS, REASONS, SEATS, State
from samizdat.games.war_of_whispers.study import STUDY
from samizdat.games.war_of_whispers.tour import TOURS
from samizdat.kernel.box import Box
from samizdat.kernel.game import Definition, Past
from samizdat.kernel.options import Option


def longest(box: Box, options: Mapping[str, Any], players: int) -> int:
    """A bound on the decisions of a match.

    Every ability costs a card, and every card was drawn. One activation takes one action, and once more for each
    Midnight Oil. That costs a card of each of two decks, and only one deck is drawn from in an activation, so there
    are no more Midnight Oils in it than one deck has cards. Hence the cards drawn in a match are bounded, and so are
    those played or discarded. A card brings at most two decisions to announce and pay it; the longest effects are
    Redeployment, which costs two cards (an empire, each banner lifted, "done", each banner placed), and an action
    repeated by Midnight Oil. An activation without cards is at most: act, exchange seats, act again, place every
    banner (or source, target, number), "done" twice.
    """
    printed: Any = box.record
    icons = {FARM: sum(printed.farm), FORTRESS: sum(printed.fortress)}
    draws = [
        printed.amount[action] * (icons[printed.icon[action]] // printed.per[action] if printed.icon[action] else 1)
        for action in range(len(box.text.tables["actions"]))
        if printed.kind[action] == DRAW
    ]
    deck = max(printed.cards)
    cards = min(deck, max(draws, default=0)) * (1 + deck)
    activation = printed.banners + 8 + cards * (printed.banners + 6)
    agents = players * (1 + printed.deploys[players])
    return int(printed.rounds * (agents + POSTS * activation + players))


GAME = Definition(
    name="war-of-whispers",
    title="A War of Whispers",
    designers="Jeremy Stoltzfus",
    publishers="Starling Games",
    variants={"standard": (2, 3, 4)},
    options=(
        Option("advanced", False, "Agents may be placed on the map, where they count as a city.", "R17.1"),
        Option("distinct_devout", False, "No two players begin devoted to the same empire.", "V1"),
        Option(
            "point_per_hidden_loyalty", False, "Every loyalty token that was never turned up is worth a point.", "V2"
        ),
        Option("allow_pass", False, "A seat may decline to act.", "A58"),
    ),
    state=State,
    printed=Printed,
    moves=MOVES,
    reasons=REASONS,
    read_box=read_box,
    rules=rules,
    points=POINTS,
    tours=TOURS,
    laws=laws,
    show=show,
    board=board,
    lore=LORE,
    stakes=stakes,
    study=STUDY,
    longest=longest,
    reach=reach.reach,
    own_rows={"hand": SEATS, "shed": SEATS, "ruled_out": SEATS},  # A38, A39, A63
    reduced={"players": 2},
    past=(Past(1, {"used_on": NOWHERE, "rules": 1}, differs=("used_on", "source", "target")),),
)
