"""Mali Powstańcy: how a match ended: by points, or with the fall of Warsaw (2.9, 2.12.4, 2.13)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from samizdat.games.mali_powstancy.words import ENDINGS
from samizdat.kernel.boards import Ending, by_points
from samizdat.kernel.game import Game
from samizdat.kernel.telling import Phrase


def winners_of(view: Mapping[str, Any]) -> list[int]:
    """2.9.3: most points, then most orders delivered; then they share."""
    totals = [
        (score["total"], player["delivered"])
        for score, player in zip(view.get("score_sheet", ()), view["players_at_table"], strict=False)
    ]
    return [seat for seat, total in enumerate(totals) if total == max(totals)]


def ending(game: Game, view: Mapping[str, Any]) -> Ending:
    _, text = ENDINGS[view["reason"]]
    why = Phrase(text)
    if "score_sheet" not in view:
        return Ending((), None, (why,), Phrase("Warsaw has fallen: everybody loses"))
    sheet, winners = view["score_sheet"], tuple(winners_of(view))
    totals = [one["total"] for one in sheet]
    best = sheet[winners[0]]
    if totals.count(best["total"]) > len(winners):
        orders = [one["delivered"] for one in view["players_at_table"]]
        tied = max(orders[seat] for seat, one in enumerate(totals) if one == best["total"] and seat not in winners)
        words = {"points": best["total"], "orders": orders[winners[0]], "other": tied}
        more = Phrase("{points} points each; {orders} delivered orders against {other}.", words)
        return Ending(winners, Phrase("by more orders"), (why, more))
    points = {
        "orders": best["orders"], "home": best["return_bonus"], "objectives": sum(best["objectives"].values())
    }  # fmt: skip
    from_ = Phrase("The winner's points: {orders} for orders, {home} for scouts back home.", points)
    if game.variant == "extended":
        from_ = Phrase(
            "The winner's points: {orders} for orders, {home} for scouts back home, {objectives} for objectives.",
            points,
        )
    return Ending(winners, by_points(totals, winners), (why, from_) if len(winners) == 1 else (why,))
