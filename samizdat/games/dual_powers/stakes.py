"""Dual Powers: what a card or an action may win or lose: strength at once, regions and points after the next turn."""

from __future__ import annotations

from typing import Any

from samizdat.games.dual_powers.box import Printed
from samizdat.games.dual_powers.lore import CLOSE, PRESENCE
from samizdat.games.dual_powers.rules_cards import faction_of
from samizdat.games.dual_powers.rules_scoring import strength, stronger, unrest_points
from samizdat.games.dual_powers.state import FACTIONS, NONE, RED, State
from samizdat.kernel.game import Game
from samizdat.kernel.stakes import Stake
from samizdat.kernel.telling import Word, template

THE_WILL = 2.0  # points, roughly, for leading the neutrals


def stakes(game: Game, s: State, seat: int) -> list[Stake]:
    box: Printed = game.box.record  # type: ignore[assignment]
    own = faction_of(s, seat)
    side = 1.0 if own == RED else -1.0
    found = [
        Stake(
            ("marker",), "D8.4", template("The score marker, counted towards you: about {figure}"), 1.0,
            lambda after, told: side * after.score, later=True,
        ),
        Stake(
            ("will",), "D1.3", template("The Will of the People: yours in {figure}"), THE_WILL,
            lambda after, told: float(after.will == own), chance=True, later=True,
        ),
    ]  # fmt: skip
    if s.objective[own] == NONE:
        found.append(
            Stake(
                ("wager",),
                "D8.3",
                template("Your objective brings the stronger side there {figure} points"),
                0.3,
                lambda after, told: float(box.vp[after.objective[own]] if after.objective[own] >= 0 else 0),
            )
        )
    for region in range(box.regions):
        words = {"region": Word("regions", game.box.names["regions"][region])}
        found += _region(box, s, own, region, words)
        if s.objective[own] == NONE:
            found.append(_objective(box, own, region, words))
    return found


def _region(box: Printed, s: State, own: int, region: int, words: dict[str, Any]) -> list[Stake]:
    """D7, D8.1, D8.3: who is stronger, and what is scored there in this round as far as one's own side knows."""
    points = unrest_points(box, s) if region == s.unrest else 0
    card = s.objective[own]
    if card >= 0 and box.region[card] == region:
        points += box.vp[card]
    fact = template("{region}: you are the stronger side in {figure} after the next turn")
    if points:
        fact = template("{region}, worth {points} now: you are the stronger side in {figure} after the next turn")
    id = words["region"].id
    return [
        Stake(
            ("stronger", id), "D7.3", fact, points + PRESENCE,
            lambda after, told: float(stronger(box, after, region) == own), chance=True, later=True,
            values={**words, "points": points},
        ),
        Stake(
            ("strength", id), "D7.2", template("{region}: your strength against the other side's is {figure}"),
            (points + PRESENCE) / (2 * CLOSE), lambda after, told: float(strength(box, after, own, region)),
            rival=lambda after, told: float(strength(box, after, FACTIONS - 1 - own, region)), values=words,
        ),
    ]  # fmt: skip


def _objective(box: Printed, own: int, region: int, words: dict[str, Any]) -> Stake:
    """D4.1: the points of an objective in this region, as far as the own side is stronger there."""

    def promised(after: State, told: Any) -> float:
        card = after.objective[own]
        if card < 0 or box.region[card] != region:
            return 0.0
        return box.vp[card] * float(stronger(box, after, region) == own)

    return Stake(
        ("objective", words["region"].id), "D8.3", template("Points for {region} as your objective: about {figure}"),
        1.0, promised, later=True, values=words,
    )  # fmt: skip
