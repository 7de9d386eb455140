"""Revolution!: advice for bots. A round is judged when it is over, by what is scored and what will be.

A token is worth more in hand than at the end (R8.2): it buys points, a follower or more tokens. The numbers were
fitted to who won games between bots (docs/strength.md).
"""

from __future__ import annotations

import math
from typing import Any

from samizdat.games.revolution.box import NO_SPECIAL, Printed
from samizdat.games.revolution.rules import area_score, empty_spaces, majority
from samizdat.games.revolution.state import BID, DONE, OWNERS, PERSUASION, TAKE, TOKENS, State
from samizdat.kernel.chances import chances
from samizdat.kernel.lores import Lore
from samizdat.kernel.rule import rule

HORIZON = 1  # to the end of the round

IN_HAND = (22.0, 15.0, 5.0)  # Force, Blackmail, Gold: points that a token in hand brings
A_SPECIAL = 4.0  # points that the Spy or the Apothecary is worth
A_LEAD = 1.25  # how much one more follower counts in an area with one space left
LASTING = 0.8  # of an area's points: leads change hands, points on the track do not
AHEAD = 0.75  # how much less likely the next token goes one character further on


@rule
def on_track(box: Printed, s: State, seat: int) -> float:
    """R6.3: points scored."""
    return float(s.points[seat])


@rule
def majorities(box: Printed, s: State, seat: int) -> float:
    """R8.3: the points of each area, by how likely the seat is to have most followers there at the end."""
    total = 0.0
    for area in range(box.areas):
        empty = empty_spaces(box, s, area)
        if empty == 0:
            if majority(box, s, area) == seat:
                total += area_score(box, s, area)
            continue
        unsettled = A_LEAD / math.sqrt(float(empty))
        everyone = 0.0
        for other in range(s.seats):
            everyone += math.exp(unsettled * (s.followers[area, other] - s.followers[area, seat]))
        total += box.area_vp[area] / everyone
    return LASTING * total


@rule
def in_hand(box: Printed, s: State, seat: int) -> float:
    """R4.1: the tokens for the next round."""
    total = 0.0
    for token in range(TOKENS):
        total += s.held[seat, token] * IN_HAND[token]
    return total


@rule
def quiet(box: Printed, s: State) -> bool:
    """R4: a round begins, and nobody has laid a token."""
    if s.point != PERSUASION or s.sealed != 0:
        return False
    for seat in range(s.seats):
        if s.people[seat] > 0:
            return False
    return True


@rule
def evaluate(box: Printed, s: State, out: Any) -> None:
    """R8.4: the more spaces are empty, the more can still happen."""
    empty = 0
    for area in range(box.areas):
        empty += empty_spaces(box, s, area)
    for seat in range(s.seats):
        out[seat] = on_track(box, s, seat) + majorities(box, s, seat) + in_hand(box, s, seat)
    chances(out, s.seats, 16.0 + 19.0 * math.sqrt(float(empty)))


@rule
def favour(box: Printed, s: State, character: int) -> float:
    """R6.3: what a character's favour brings, in points."""
    worth = 1.0 + box.vp[character]
    for token in range(TOKENS):
        worth += box.reward[character, token] * IN_HAND[token]
    area = box.area[character]
    if area >= 0 and empty_spaces(box, s, area) > 0:
        worth += box.area_vp[area] / box.spaces[area]
    if box.special[character] != NO_SPECIAL:
        worth += A_SPECIAL
    return worth


@rule
def prior(box: Printed, s: State, seat: int, moves: Any, n: int, weights: Any) -> None:
    """R5: tokens go where there is much to win. R6.4, R6.5: followers move in areas that count."""
    here = s.cursor[seat] // TOKENS
    for i in range(n):
        if moves[i] < DONE:
            character = (moves[i] - BID) // TOKENS
            weights[i] = favour(box, s, character) * AHEAD ** (character - here)
        elif moves[i] >= TAKE:
            weights[i] = float(box.area_vp[(moves[i] - TAKE) // OWNERS])
        else:
            weights[i] = 5.0


LORE = Lore(
    evaluate=evaluate,
    prior=prior,
    quiet=quiet,
    horizon=HORIZON,
)
