"""A War of Whispers: how a match ended, and by what the first stands before the others (R16)."""

from __future__ import annotations

from typing import Any

from samizdat.games.war_of_whispers.picture import winners_of
from samizdat.kernel.boards import Ending, by_points
from samizdat.kernel.game import Game
from samizdat.kernel.telling import Phrase, Word


def ending(game: Game, view: Any) -> Ending:
    """R16, A34, A35: points, then fewer swaps, then more cards; then the victory is shared."""
    sheet, winners = view["score_sheet"], tuple(winners_of(view))
    best = sheet[winners[0]]
    totals = [one["total"] for one in sheet]
    tied = [one for seat, one in enumerate(sheet) if seat not in winners and one["total"] == best["total"]]
    if view["reason"] == "fewer_swaps":
        words = {"points": best["total"], "own": best["swapped"], "other": min(one["swapped"] for one in tied)}
        how = Phrase("{points} points each; {own} loyalties turned up against {other}.", words)
        return Ending(winners, Phrase("by fewer swaps"), (how,))
    if view["reason"] == "more_cards":
        alike = [one["cards"] for one in tied if one["swapped"] == best["swapped"]]
        words = {"points": best["total"], "own": best["cards"], "other": max(alike)}
        how = Phrase("{points} points each, and as many loyalties turned up; {own} cards against {other}.", words)
        return Ending(winners, Phrase("by more cards"), (how,))
    if view["reason"] == "shared":
        return Ending(winners, by_points(totals, winners), (Phrase("Points, swaps and cards are all equal."),))
    most = max(best["tokens"], key=lambda token: token["points"])
    words = {"empire": Word("empires", most["empire"]), "cities": most["cities"] + most["agents"]}
    words |= {"value": most["value"], "points": most["points"]}
    how = Phrase("The winner's best loyalty: {empire}, {cities} cities at {value} each, {points} points.", words)
    return Ending(winners, by_points(totals, winners), (how,))
