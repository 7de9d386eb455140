"""Mali Powstańcy: advice for bots, part 1: how far it is, and whether it can be in time.

Ways are counted in movement points (2.5.5): a jump costs one, however long its route.
"""

from __future__ import annotations

import math

from samizdat.games.mali_powstancy.box import Printed
from samizdat.games.mali_powstancy.rules_map import carrier, is_closed
from samizdat.games.mali_powstancy.state import HAND, NONE, SCOUTS, State
from samizdat.kernel.rule import rule

DETOUR = 2  # 2.8.5: points more, where the way is closed
FAR = 99


@rule
def logistic(odds: float) -> float:
    return 1.0 / (1.0 + math.exp(-odds))


@rule
def nearer(box: Printed, s: State, space: int, location: int) -> int:
    """The first space that a point brings nearer to a location: 2.5.8, 2.12.3d, A42: along a route that is open. The
    soldier is not counted; he moves on. NONE if there is none."""
    left = box.journey[space, location] - 1
    if space < box.locations:
        for i in range(box.neighbours[space]):
            route, far = box.along[space, i], box.neighbour[space, i]
            if box.journey[far, location] == left and s.blocked[route] == 0 and box.passes[route] & s.fallen == 0:
                return far
        return NONE
    for i in range(box.degree[space]):
        far = box.adjacent[space, i]
        if box.journey[far, location] == left and not is_closed(box, s, far):
            return far
    return NONE


@rule
def way(box: Printed, s: State, space: int, location: int) -> int:
    """2.5.5: movement points from a space to a location: as on the empty board, and a detour where it is closed."""
    points = box.journey[space, location]
    if s.tokens > 0:  # nothing is closed before the first failure
        for _ in range(points):
            space = nearer(box, s, space, location)
            if space == NONE:
                return points + DETOUR
    return points


@rule
def way_left(box: Printed, s: State, seat: int, scout: int, order: int) -> int:
    """2.5.5, 2.6: movement points until a scout delivers an order: with it, or by way of its origin, where an escaped
    one may enter (2.5.4)."""
    here = s.at[seat, scout]
    if here == HAND:
        return way(box, s, box.origin[order], box.destination[order])
    if here < 0:
        return FAR
    if s.carries[seat, scout] == order:
        return way(box, s, here, box.destination[order])
    return way(box, s, here, box.origin[order]) + way(box, s, box.origin[order], box.destination[order])


@rule
def team_way(box: Printed, s: State, seat: int, order: int) -> int:
    """2.6.2: movement points until a team delivers an order: the scout with it, or the nearest with free hands."""
    scout = carrier(s, seat, order)
    if scout != NONE:
        return way_left(box, s, seat, scout, order)
    nearest = FAR
    for scout in range(SCOUTS):
        if s.carries[seat, scout] == NONE:
            nearest = min(nearest, way_left(box, s, seat, scout, order))
    return nearest


@rule
def in_time(box: Printed, s: State, order: int, points: int, rounds: float) -> float:
    """2.8.1: how likely an order is delivered, with so many movement points to go, in the rounds before it is due
    and so much of another."""
    rounds += box.queue[s.variant] - s.place[order]
    return logistic(0.3 - 0.55 * points + 0.68 * rounds)


@rule
def trust(s: State, seat: int) -> float:
    """2.15: how far a team can be relied on: wholly, if it has delivered an order in every third round so far."""
    return min(1.0, (1.0 + 3.0 * s.deliveries[seat]) / max(1, s.rounds))


@rule
def distrust(s: State) -> float:
    """2.15: the part of the table that cannot be relied on."""
    total = 0.0
    for seat in range(s.seats):
        total += 1.0 - trust(s, seat)
    return total / s.seats
