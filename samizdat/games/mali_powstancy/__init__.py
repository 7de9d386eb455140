"""Mali Powstańcy: Warszawa 1944, by Filip Miłuński."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from samizdat.games.mali_powstancy import board, laws, reach, rules, show
from samizdat.games.mali_powstancy.box import Printed, read_box
from samizdat.games.mali_powstancy.lore import LORE
from samizdat.games.mali_powstancy.points import POINTS
from samizdat.games.mali_powstancy.stakes import stakes
from samizdat.games.mali_powstancy.state import MOST_STEPS, MOVES, REASONS, SCOUTS, State
from samizdat.games.mali_powstancy.study import STUDY
from samizdat.games.mali_powstancy.tour import TOURS
from samizdat.kernel.box import Box
from samizdat.kernel.game import Definition
from samizdat.kernel.options import Option
from samizdat.kernel.telling import template


def longest(box: Box, options: Mapping[str, Any], players: int) -> int:
    """Rounds end by themselves: every Orders phase takes a card or more from the deck (2.4.1) until the last order,
    or the Victory card, is out, and that leaves the queue like any other.

    In a turn scouts enter, spend points, use an action of at most two decisions, end; and take and drop every active
    order at most once (A58). The soldier asks for a scout, and for a way or every step of a red move. An order fails
    once: which one, on which route, and a refuge for every scout.
    """
    printed: Any = box.record
    cards = max(printed.base_deck[players], printed.orders - printed.under_victory[players] + 1)
    rounds = cards + max(printed.queue[0], printed.queue[1])
    points = max(printed.card_points[card] for card in range(printed.cards))
    number = max(printed.number[face] for face in range(printed.faces))
    turn = SCOUTS + points + 2 + 1 + 2 * printed.orders
    failures = printed.orders * (2 + players * SCOUTS)
    return int(players * printed.objectives_kept + rounds * (players * (1 + turn) + 2 + number) + failures)


GAME = Definition(
    name="mali-powstancy",
    title="Mali Powstańcy: Warszawa 1944",
    designers="Filip Miłuński",
    publishers="Egmont Polska",
    variants={"base": (2, 3, 4), "extended": (2, 3, 4)},
    options=(
        Option(
            "max_jumps_per_turn",
            0,
            "Jumps that a team may buy in one turn: {n}.",
            "A2",
            high=MOST_STEPS,
            usual=template("no limit"),
            matters=lambda printed, variant, value: int(value) < reach.most_points(printed, variant == "base"),
        ),
        Option("red_move_may_jump", False, "A scout may also use a red number for jumps.", "A16", variants=("base",)),
        Option(
            "deliver_by_forced_move",
            True,
            "A scout that is driven to its order's destination does not deliver.",
            "A18",
        ),
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
    all_may_lose=True,
    reduced={"players": 2},
)
