"""Dual Powers: what a designer would count."""

from __future__ import annotations

from samizdat.games.dual_powers.state import SOLITAIRE, State
from samizdat.kernel.game import Game
from samizdat.kernel.studies import DECISIONS, Study, Tally

ACTIONS = {
    "recruit": "Recruit", "move": "Move", "refresh": "Refresh", "place": "Place a leader", "protest": "Protest",
    "spy": "Espionage", "inspire": "Inspire", "draw": "Draw a card", "organize": "Organize",
    "score": "Points for unrest", "pass": "Pass",
}  # fmt: skip


def order(game: Game, s: State) -> list[int]:
    """D5.1: who has the first turn; in solitaire there is one seat."""
    return [0] if s.variant == SOLITAIRE else [s.first, 1 - s.first]


STUDY = Study(
    tallies=(
        Tally("Leaders played", "leaders", kinds={"lead": "leader"}),
        Tally("Command cards played", "commands", kinds={"play": "card"}),
        Tally("Objectives chosen", "commands", kinds={"objective": "card"}),
        Tally(
            "What is done", DECISIONS, ids=tuple(ACTIONS), kinds=dict.fromkeys(ACTIONS, ""),
            called=lambda game, id: ACTIONS[id],
        ),
        Tally(
            "Regions gone to", "regions", "leaders placed, tokens moved", kinds={"place": "region", "to": "region"}
        ),
        Tally("Connections blocked by protest", "connections", kinds={"protest": "connection"}),
    ),
    order=order,
    figures=("score, + for red", "reshuffles of the deck"),
    ends={
        "end_of_track": "the end of the score track",
        "october": "the last month",
        "third_round": "the third round",
    },
)  # fmt: skip
