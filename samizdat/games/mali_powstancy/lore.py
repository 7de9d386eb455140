"""Mali Powstańcy: advice for bots. A race that all may lose: deliver, carry, and let few orders fail.

The numbers were fitted to who won games between bots (docs/strength.md).
"""

from __future__ import annotations

import math
from typing import Any

from samizdat.games.mali_powstancy.box import Printed
from samizdat.games.mali_powstancy.rules_map import is_carried, size
from samizdat.games.mali_powstancy.rules_orders import is_active
from samizdat.games.mali_powstancy.rules_scoring import objectives_score, orders_score, return_score
from samizdat.games.mali_powstancy.state import (
    BASE,
    CARD,
    DROP,
    END,
    ENTER,
    EXTENDED,
    HUNT_SCOUT,
    JUMP,
    LOCATIONS,
    NONE,
    PALS,
    PLAY_CARD,
    SCOUTS,
    SPACES,
    SQUAD,
    STEP,
    TAKE,
    State,
)
from samizdat.kernel.chances import chances
from samizdat.kernel.rule import rule
from samizdat.kernel.telling import Line

HORIZON = 1  # to the end of the round

A_STEP = 0.035  # of an order's points, lost for every step that is left to its destination
CARRIED = 0.75  # of an order's points, for a carrier at its destination's door
A_RETURN = 0.3  # of the points for a scout on a starting location, which may yet leave it
FAR = 99


@rule
def delivered(box: Printed, s: State, seat: int) -> float:
    """2.9.2, 2.13.3: points of delivered orders, and of objectives as things stand."""
    points = float(orders_score(box, s, seat))
    if s.variant == EXTENDED:
        points += 0.5 * objectives_score(box, s, seat)
    return points


@rule
def under_way(box: Printed, s: State, seat: int) -> float:
    """2.6.1: points of carried orders, the less the longer the way."""
    total = 0.0
    for scout in range(SCOUTS):
        order = s.carries[seat, scout]
        space = s.at[seat, scout]
        if order != NONE and space >= 0:
            way = box.distance[space, box.destination[order]]
            total += box.order_points[order] * max(0.1, CARRIED - A_STEP * way)
    return total


@rule
def at_home(box: Printed, s: State, seat: int) -> float:
    """2.9.2: scouts on starting locations count when the game ends."""
    return A_RETURN * return_score(box, s, seat)


@rule
def danger(box: Printed, s: State) -> float:
    """2.8.4, 2.12.4: how likely everybody loses: failures so far, and orders that nobody is bringing."""
    last = box.queue[s.variant]
    waiting, failing = 0.0, 0.0
    for order in range(box.orders):
        if is_active(s, order):
            waiting += s.place[order] / last
            failing += (0.2 if is_carried(s, order) else 0.7) * s.place[order] / last
    if s.variant == BASE:
        ahead = s.tokens + 0.5 * waiting + 0.12 * s.above - box.base_defeat
    else:
        once = 0
        for district in range(len(s.failures)):
            once += 1 if s.failures[district] == 1 else 0
        ahead = size(s.fallen) + 0.2 * once + 0.1 * failing + 0.01 * s.above - (box.extended_defeat - 0.5)
    return 1.0 / (1.0 + math.exp(-2.0 * ahead))


TERMS = (
    Line("2.6.4", "delivered orders and objectives"),
    Line("2.6.1", "orders under way"),
    Line("2.9.2", "scouts on starting locations"),
    Line("2.9.4", "safety from the common defeat"),
)


def terms(box: Printed, s: State, seat: int) -> tuple[float, ...]:
    safety = 20.0 * (1.0 - danger(box, s))
    return delivered(box, s, seat), under_way(box, s, seat), at_home(box, s, seat), safety


@rule
def quiet(box: Printed, s: State) -> bool:
    """2.5.1: a round is over, and cards are chosen for the next."""
    return s.point == CARD


@rule
def evaluate(box: Printed, s: State, out: Any) -> None:
    """2.9.3, 2.9.4: the most points win, if anybody does."""
    for seat in range(s.seats):
        out[seat] = delivered(box, s, seat) + under_way(box, s, seat) + at_home(box, s, seat)
    chances(out, s.seats, 5.3 + 0.66 * s.above)
    survives = 1.0 - danger(box, s)
    for seat in range(s.seats):
        out[seat] *= survives


@rule
def goal(box: Printed, s: State, seat: int, scout: int) -> int:
    """Where a scout should go: its order's destination, the nearest order nobody of its team carries, or home."""
    order = s.carries[seat, scout]
    if order != NONE:
        return box.destination[order]
    here = s.at[seat, scout]
    best, nearest = NONE, FAR
    if here < 0:
        return NONE
    for order in range(box.orders):
        if is_active(s, order) and not is_carried(s, order) and box.distance[here, box.origin[order]] < nearest:
            nearest = box.distance[here, box.origin[order]]
            best = box.origin[order]
    if best == NONE:
        for location in range(box.locations):
            if box.start[location] == 1 and box.distance[here, location] < nearest:
                nearest = box.distance[here, location]
                best = location
    return best


@rule
def approach(box: Printed, s: State, seat: int, scout: int, target: int, space: int) -> float:
    """How promising a step or a jump is: by the steps it saves on the way."""
    if target == NONE or s.at[seat, scout] < 0:
        return 0.3
    saved = box.distance[s.at[seat, scout], target] - box.distance[space, target]
    if saved <= 0:
        return 0.05
    return (2.0 if s.carries[seat, scout] != NONE else 1.0) * saved


@rule
def prior(box: Printed, s: State, seat: int, moves: Any, n: int, weights: Any) -> None:
    """2.5, 2.6: take orders, carry them to their destinations, never drop them without need."""
    known, target = NONE, NONE
    for i in range(n):
        move = moves[i]
        weights[i] = 1.0
        if move < PLAY_CARD or move >= HUNT_SCOUT:
            continue
        if move < ENTER:
            weights[i] = 1.0 + box.card_points[move - PLAY_CARD]
        elif move == END:
            weights[i] = 0.3 if s.points_left > 0 else 1.0
        elif TAKE <= move < DROP:
            weights[i] = 20.0
        elif move < STEP and move >= DROP:
            weights[i] = 0.02
        elif STEP <= move < PALS or SQUAD <= move < SQUAD + SCOUTS * LOCATIONS:
            if move < JUMP:
                scout, space = (move - STEP) // SPACES, (move - STEP) % SPACES
            else:
                first = JUMP if move < PALS else SQUAD
                scout, space = (move - first) // LOCATIONS, (move - first) % LOCATIONS
            if scout != known:
                known, target = scout, goal(box, s, seat, scout)
            weights[i] = approach(box, s, seat, scout, target, space)
