"""Dual Powers: advice for bots. Points on the track, and who would win the regions that are about to score.

The numbers were fitted to who won games between bots (docs/strength.md).
"""

from __future__ import annotations

import math
from typing import Any

from samizdat.games.dual_powers.box import Printed
from samizdat.games.dual_powers.rules_cards import faction_of
from samizdat.games.dual_powers.rules_scoring import force, unrest_points
from samizdat.games.dual_powers.state import (
    CARD,
    FACTIONS,
    LEAD,
    MOVE,
    OBJECTIVE,
    PASS,
    PLACE,
    PLAY,
    PROTEST,
    RECRUIT,
    RED,
    REFRESH,
    SOLITAIRE,
    TO,
    WHITE,
    State,
)
from samizdat.kernel.chances import chances
from samizdat.kernel.lores import Lore
from samizdat.kernel.rule import rule

HORIZON = 1  # to the next turn

A_POINT_OF_STRENGTH = 256.0  # D7.3: `force` counts strength in this unit, and tokens below it
CLOSE = 2.3  # strength by which a region is more or less settled
PRESENCE = 1.4  # points for being the stronger one in a region, whatever scores there now


@rule
def lean(box: Printed, s: State, region: int) -> float:
    """D7: from -1, surely white's, to 1, surely red's."""
    ahead = (force(box, s, RED, region) - force(box, s, WHITE, region)) / A_POINT_OF_STRENGTH
    return math.tanh(ahead / CLOSE)


@rule
def on_track(box: Printed, s: State) -> float:
    """D8.4: the score marker, + towards red."""
    return float(s.score)


@rule
def about_to_score(box: Printed, s: State) -> float:
    """D8.1, D8.3: unrest and the objectives, by who is stronger there now."""
    total = lean(box, s, s.unrest) * unrest_points(box, s)
    for faction in range(FACTIONS):
        card = s.objective[faction]
        if card >= 0:
            total += lean(box, s, box.region[card]) * box.vp[card]
    return total


@rule
def presence(box: Printed, s: State) -> float:
    """D7: strength anywhere; the neutrals count for whoever leads them (D1.3)."""
    total = 0.0
    for region in range(box.regions):
        total += PRESENCE * lean(box, s, region)
    return total


@rule
def quiet(box: Printed, s: State) -> bool:
    """A turn or a round begins."""
    return s.point == CARD or s.point == OBJECTIVE


@rule
def evaluate(box: Printed, s: State, out: Any) -> None:
    """D10: fewer points decide a game that is nearly over."""
    ahead = on_track(box, s) + about_to_score(box, s) + presence(box, s)
    left = max(0, box.first_end - s.month)
    if s.variant == SOLITAIRE:
        left = max(0, box.solitaire_rounds - s.rounds)
    out[0] = ahead
    out[1] = 0.0
    chances(out, FACTIONS, 4.0 + 4.2 * left)
    if s.variant == SOLITAIRE and s.faction == WHITE:
        out[0] = out[1]


@rule
def matters(box: Printed, s: State, faction: int, region: int) -> float:
    """What there is to score in a region, as the faction knows it."""
    points = 1.0
    if region == s.unrest:
        points += unrest_points(box, s)
    card = s.objective[faction]
    if card >= 0 and box.region[card] == region:
        points += box.vp[card]
    return points


@rule
def prior(box: Printed, s: State, seat: int, moves: Any, n: int, weights: Any) -> None:
    """D5, D6: recruit, move and lead where something scores; valuable objectives in strong regions."""
    faction = faction_of(s, seat)
    side = 1.0 if faction == RED else -1.0
    for i in range(n):
        move = moves[i]
        if move < PLAY:
            weights[i] = (1.0 + box.vp[move]) * (1.3 + side * lean(box, s, box.region[move]))
        elif move < LEAD:
            weights[i] = matters(box, s, faction, box.region[move - PLAY])
        elif move < RECRUIT:
            weights[i] = 1.5
        elif move < MOVE:
            weights[i] = 1.0 + box.fresh[move - RECRUIT]
        elif move < REFRESH:
            weights[i] = 1.0 / matters(box, s, faction, s.at[move - MOVE])
        elif move < TO:
            weights[i] = matters(box, s, faction, s.at[move - REFRESH])
        elif move < PLACE:
            weights[i] = matters(box, s, faction, move - TO)
        elif move < PROTEST:
            weights[i] = matters(box, s, faction, move - PLACE)
        elif move == PASS:
            weights[i] = 0.2
        else:
            weights[i] = 1.0


LORE = Lore(
    evaluate=evaluate,
    prior=prior,
    quiet=quiet,
    horizon=HORIZON,
)
