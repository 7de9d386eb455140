"""Revolution!: how a match ended, from its score sheet (R8)."""

from __future__ import annotations

from typing import Any

from samizdat.kernel.boards import Ending, by_points
from samizdat.kernel.game import Game
from samizdat.kernel.telling import Phrase


def ending(game: Game, view: Any) -> Ending:
    """R8.4: most points; whoever is tied shares the victory."""
    sheet = view["score_sheet"]
    totals = [one["total"] for one in sheet]
    winners = tuple(seat for seat, total in enumerate(totals) if total == max(totals))
    why = Phrase("After {round} rounds the game is over; not every space was filled.", {"round": view["round"]})
    if view["reason"] == "city_full":
        why = Phrase("The last space of the city was filled in round {round}.", {"round": view["round"]})
    best = sheet[winners[0]]
    points = {"track": best["track"], "tokens": best["tokens"], "areas": sum(best["areas"].values())}
    from_ = Phrase("The winner's points: {track} on the track, {tokens} for tokens, {areas} for areas.", points)
    return Ending(winners, by_points(totals, winners), (why, from_) if len(winners) == 1 else (why,))
