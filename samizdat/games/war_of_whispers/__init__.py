"""A War of Whispers, by Jeremy Stoltzfus."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from samizdat.games.war_of_whispers import laws, rules, show
from samizdat.games.war_of_whispers.box import Printed, read_box
from samizdat.games.war_of_whispers.state import MOVES, POSTS, REASONS, State
from samizdat.kernel.box import Box
from samizdat.kernel.game import Definition
from samizdat.kernel.options import Option


def longest(box: Box, options: Mapping[str, Any], players: int) -> int:
    return 60000 * POSTS


GAME = Definition(
    name="war-of-whispers",
    title="A War of Whispers",
    designers="Jeremy Stoltzfus",
    publishers="Starling Games",
    variants={"standard": (2, 3, 4)},
    options=(
        Option("advanced", False, "agents may be placed on the map, where they count as a city", "R17"),
        Option("allow_pass", False, "a seat may decline to act", "A58"),
        Option("distinct_devout", False, "no two players begin devoted to the same empire", "V1"),
        Option("point_per_hidden_loyalty", False, "a point for each loyalty token never turned up", "V2"),
    ),
    state=State,
    printed=Printed,
    moves=MOVES,
    reasons=REASONS,
    read_box=read_box,
    rules=rules,
    laws=laws,
    show=show,
    longest=longest,
)
