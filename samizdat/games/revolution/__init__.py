"""Revolution!, by Philip duBarry."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from samizdat.games.revolution import board, laws, reach, rules, show
from samizdat.games.revolution.box import Printed, read_box
from samizdat.games.revolution.lore import LORE
from samizdat.games.revolution.points import POINTS
from samizdat.games.revolution.stakes import stakes
from samizdat.games.revolution.state import MOST_ROUNDS, MOVES, REASONS, TOKENS, State
from samizdat.games.revolution.study import STUDY
from samizdat.games.revolution.tour import TOURS
from samizdat.kernel.box import Box
from samizdat.kernel.game import Definition
from samizdat.kernel.options import Option


def longest(box: Box, options: Mapping[str, Any], players: int) -> int:
    """Each round every token held is laid, every seat says "done", and Spy and Apothecary decide at most thrice.

    A hand is at most what one round can give, topped up to the floor; with refunds it may grow round by round.
    """
    printed: Any = box.record
    start = sum(printed.start[token] for token in range(TOKENS))
    rewards = sum(printed.reward[who, token] for who in range(printed.characters) for token in range(TOKENS))
    total = 0
    for number in range(options["max_rounds"]):
        hand = max(start, printed.token_floor) + rewards * (number if options["refund"] else 1)
        specials = sum(printed.special[who] for who in range(printed.characters))
        total += players * (hand + 1) + specials
    return total


GAME = Definition(
    name="revolution",
    title="Revolution!",
    designers="Philip duBarry",
    publishers="Steve Jackson Games, Pegasus Spiele",
    variants={"standard": (3, 4)},
    options=(
        Option("refund", False, "Losing offers come back to their owners.", "R9.1"),
        Option("domination", False, "An area filled by one player is locked and worth more to that player.", "R9.2"),
        Option("apothecary_empty", False, "The Apothecary may also move one follower to an empty space.", "A-30"),
        Option("max_rounds", 60, "The game ends at the latest after round {n}.", "A-27", low=1, high=MOST_ROUNDS),
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
    reduced={"players": 3, "max_rounds": 1},
    private_talk="R9.3",
    retired=(Option("deals", False),),  # R9.3 is a matter of the table: of its manners, not of the rules
)
