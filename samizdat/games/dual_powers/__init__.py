"""Dual Powers: Revolution 1917, by Brett Myers; solitaire rules by James Kyle and Brett Myers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from samizdat.games.dual_powers import board, laws, reach, rules, show
from samizdat.games.dual_powers.box import Printed, read_box
from samizdat.games.dual_powers.lore import LORE
from samizdat.games.dual_powers.points import POINTS
from samizdat.games.dual_powers.rules_scoring import PRINTED_OCTOBER
from samizdat.games.dual_powers.stakes import stakes
from samizdat.games.dual_powers.state import FACTIONS, MOST_DIFFICULTY, MOST_VP, MOVES, REASONS, State
from samizdat.games.dual_powers.study import STUDY
from samizdat.games.dual_powers.tour import TOURS
from samizdat.kernel.box import Box
from samizdat.kernel.game import Definition
from samizdat.kernel.options import Option


def longest(box: Box, options: Mapping[str, Any], players: int) -> int:
    """A bound on the decisions of a match, from the box alone.

    A turn is one card, then at most as many decisions as units can be recruited (or two for a move or a leader),
    then at most two for a bonus action. A round adds the objectives and at most two decisions for unrest.
    """
    printed: Any = box.record
    recruits = max(printed.recruit[card] for card in range(printed.commands))
    a_turn = 1 + max(recruits, 2) + 2
    a_round = players + players * printed.turns * a_turn + 2
    return reach.most_rounds(printed, players) * int(a_round)


GAME = Definition(
    name="dual-powers",
    title="Dual Powers: Revolution 1917",
    designers="Brett Myers and James Kyle",
    publishers="Thunderworks Games, Raven, 2 Tomatoes, Don't Panic Games",
    variants={"standard": (2,), "solitaire": (1,)},
    options=(
        Option("difficulty", 1, "The strength of exhausted opposition units", "S1.1", low=1, high=MOST_DIFFICULTY,
               variants=("solitaire",), setup=True),
        Option("faction", "red", "The faction you lead", "S1.1", choices=("red", "white"), variants=("solitaire",),
               setup=True),
        Option("leader_gives_presence", True,
               "A leader alone does not make neutral tokens count for strength; a unit must stand there.", "A-49"),
        Option("neutral_control_needs_presence", False,
               "The Will of the People controls neutral tokens only beside a token of the own faction.", "A-8"),
        Option("bonus_move_rank_one_only", False, "A bonus move takes only a unit of rank 1 or a leader.", "A-14"),
        Option("unrest_vp_october", PRINTED_OCTOBER, "Points for unrest in October and November: {n}.", "A-3",
               high=MOST_VP, matters=lambda printed, variant, value: reach.october_comes(printed, variant)),
        Option("october_november_separate", True, "October and November are one space of the calendar.", "A-4",
               matters=lambda printed, variant, value:
                   reach.october_comes(printed, variant) and reach.november_differs(printed)),
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
    fair_seats=lambda variant, players: FACTIONS,
    reduced={"variant": "standard"},
)  # fmt: skip
