"""Dual Powers: how a match ended: at the end of the track, or by the side of the score marker (D10, S11)."""

from __future__ import annotations

from typing import Any

from samizdat.kernel.boards import Ending
from samizdat.kernel.game import Game
from samizdat.kernel.telling import Phrase

WHY = {
    "end_of_track": Phrase("The score marker reached the end of the track."),
    "october": Phrase("The last month was scored: the side of the score marker decides."),
    "third_round": Phrase("The third round was scored: the side of the score marker decides."),
}


def ending(game: Game, view: Any) -> Ending:
    """D10.1, D10.2; S11: in solitaire the opposition may win, who is no seat."""
    factions = view["factions"]
    winner = next(number for number, one in enumerate(factions) if one["faction"] == view["winner"])
    by = Phrase("by {n} on the score track", {"n": abs(view["score"])})
    if view["reason"] == "end_of_track":
        by = Phrase("by reaching the end of the track")
    elif view["score"] == 0:
        by = Phrase("by the Will of the People")
    how = (WHY[view["reason"]],)
    if factions[winner]["opposition"]:
        return Ending((), by, how, Phrase("The opposition won, {by}", {"by": by}))
    return Ending((0 if any(one["opposition"] for one in factions) else winner,), by, how)
