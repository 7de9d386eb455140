"""Mali Powstańcy: advice for bots. A race that all may lose: deliver, carry, and let few orders fail.

Ways are counted in movement points (2.5.5): a jump costs one, however long its route. The numbers were fitted to what
became of orders, and to who won, in games of bots with and without careless partners (docs/strength.md).
"""

from __future__ import annotations

import math
from typing import Any

from samizdat.games.mali_powstancy.box import Printed
from samizdat.games.mali_powstancy.rules_map import carrier, is_closed, size
from samizdat.games.mali_powstancy.rules_orders import is_active
from samizdat.games.mali_powstancy.rules_scoring import objectives_score, orders_score, return_score
from samizdat.games.mali_powstancy.state import (
    BASE,
    CARD,
    DROP,
    END,
    ENTER,
    EXCHANGE_ORDER,
    EXTENDED,
    HUNT_SCOUT,
    JUMP,
    LOCATIONS,
    NONE,
    ORDERS,
    PALS,
    PLAY_CARD,
    RED,
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

PACE = 3.0  # 2.5.3: movement points of a team in a round, on average
UNDER_WAY = 0.8  # of an order's points, for the team that carries it and comes in time
WITHIN_REACH = 0.3  # the same, for a team that has yet to take it
A_RETURN = 0.3  # of the points for a scout on a starting location, which may yet leave it
A_FAILURE = 16.0  # points that a failure less is worth
HOPELESS, SIDEWAYS, IDLE = 0.05, 0.05, 0.02  # how promising moves are that bring no order nearer
DETOUR = 2  # 2.8.5: points more, where the way is closed
FAR = 99


@rule
def delivered(box: Printed, s: State, seat: int) -> float:
    """2.9.2, 2.13.3: points of delivered orders, and of objectives as things stand."""
    points = float(orders_score(box, s, seat))
    if s.variant == EXTENDED:
        points += 0.5 * objectives_score(box, s, seat)
    return points


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
    """2.5.5, 2.6: movement points until a scout delivers an order: with it, or by way of its origin."""
    here = s.at[seat, scout]
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
    return 1.0 / (1.0 + math.exp(0.55 * points - 0.68 * rounds - 0.3))


@rule
def at_home(box: Printed, s: State, seat: int) -> float:
    """2.9.2: scouts on starting locations count when the game ends."""
    return A_RETURN * return_score(box, s, seat)


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


@rule
def prospects(box: Printed, s: State, points: Any) -> float:
    """2.6.1: adds to every seat's points those of orders that it carries or could take, as far as they may come in
    time. 2.8.1: how many of the active orders nobody may be expected to bring in time."""
    failing = 0.0
    for order in range(box.orders):
        if is_active(s, order):
            missed = 1.0
            for seat in range(s.seats):
                likely = in_time(box, s, order, team_way(box, s, seat, order), 1.0)
                part = UNDER_WAY if carrier(s, seat, order) != NONE else WITHIN_REACH
                points[seat] += part * box.order_points[order] * likely
                missed *= 1.0 - trust(s, seat) * likely
            failing += missed
    return failing


@rule
def danger(box: Printed, s: State, failing: float) -> float:
    """2.8.4, 2.12.4: how likely everybody loses: failures so far, those ahead, and orders that are yet to come."""
    if s.variant == BASE:
        ahead = 1.6 * (s.tokens + failing + 0.2 * s.above - (box.base_defeat - 0.25))
    else:
        once = 0
        for district in range(len(s.failures)):
            once += 1 if s.failures[district] == 1 else 0
        lost = size(s.fallen) + 0.45 * once + 0.5 * failing + 0.4 * distrust(s) * s.above
        ahead = 1.8 * (lost - (box.extended_defeat + 1.6))
    return 1.0 / (1.0 + math.exp(-ahead))


TERMS = (
    Line("2.6.4", "delivered orders and objectives"),
    Line("2.6.1", "orders under way or within reach"),
    Line("2.9.2", "scouts on starting locations"),
    Line("2.9.4", "safety from the common defeat"),
)


def terms(box: Printed, s: State, seat: int) -> tuple[float, ...]:
    under_way = [0.0] * s.seats
    safety = 20.0 * (1.0 - danger(box, s, prospects(box, s, under_way)))
    return delivered(box, s, seat), under_way[seat], at_home(box, s, seat), safety


@rule
def quiet(box: Printed, s: State) -> bool:
    """2.5.1: a round is over, and cards are chosen for the next."""
    return s.point == CARD


@rule
def evaluate(box: Printed, s: State, out: Any) -> None:
    """2.9.3, 2.9.4: the most points win, if anybody does."""
    for seat in range(s.seats):
        out[seat] = delivered(box, s, seat) + at_home(box, s, seat)
    failing = prospects(box, s, out)
    chances(out, s.seats, 5.3 + 0.66 * s.above)
    survives = 1.0 - danger(box, s, failing)
    for seat in range(s.seats):
        out[seat] *= survives


@rule
def someone_is_nearer(box: Printed, s: State, seat: int, scout: int, order: int) -> bool:
    """Another scout of the team with free hands has a shorter way to an order's origin."""
    points = way(box, s, s.at[seat, scout], box.origin[order])
    for other in range(SCOUTS):
        if other != scout and s.at[seat, other] >= 0 and s.carries[seat, other] == NONE:
            there = way(box, s, s.at[seat, other], box.origin[order])
            if there < points or (there == points and other < scout):
                return True
    return False


@rule
def promise(box: Printed, s: State, order: int, points: int) -> float:
    """What every point spent on bringing an order is worth: its own points, and a failure less."""
    worth = box.order_points[order] + A_FAILURE
    return HOPELESS + worth * in_time(box, s, order, points, s.points_left / PACE) / (1.0 + points)


@rule
def errand(box: Printed, s: State, seat: int, scout: int) -> tuple[int, float]:
    """Where a scout should go, and how much that promises: to its order's destination, to the origin of one that
    nobody of its team carries or has a shorter way to, or home."""
    here = s.at[seat, scout]
    if here < 0:
        return NONE, HOPELESS
    order = s.carries[seat, scout]
    if order != NONE:
        return box.destination[order], promise(box, s, order, way_left(box, s, seat, scout, order))
    target, most = NONE, HOPELESS
    for order in range(box.orders):
        if is_active(s, order) and carrier(s, seat, order) == NONE:
            found = promise(box, s, order, way_left(box, s, seat, scout, order))
            if found > most and not someone_is_nearer(box, s, seat, scout, order):
                target, most = box.origin[order], found
    if target == NONE:
        nearest = FAR
        for location in range(box.locations):
            if box.start[location] == 1 and box.journey[here, location] < nearest:
                target, nearest = location, box.journey[here, location]
    return target, most


@rule
def approach(box: Printed, s: State, seat: int, scout: int, target: int, promised: float, space: int) -> float:
    """How promising a step or a jump is: whether it saves a point on the way, or a step in the red move (2.7.5)."""
    here = s.at[seat, scout]
    if target == NONE or here < 0:
        return IDLE
    if s.point == RED:
        saved = box.distance[here, target] - box.distance[space, target]
    else:
        saved = way(box, s, here, target) - way(box, s, space, target)
    if saved > 0:
        return promised
    return SIDEWAYS if saved == 0 else IDLE


@rule
def entrance(box: Printed, s: State, seat: int, space: int) -> float:
    """2.5.4: how promising it is to put an escaped scout here: where an order waits for its team."""
    most = IDLE
    if space < box.locations:
        for i in range(box.starting[space]):
            order = box.order_from[space, i]
            if is_active(s, order) and carrier(s, seat, order) == NONE:
                most = max(most, promise(box, s, order, way(box, s, space, box.destination[order])))
    return most


@rule
def prior(box: Printed, s: State, seat: int, moves: Any, n: int, weights: Any) -> None:
    """2.5, 2.6: take orders that can come in time, carry them to their destinations, never drop them without need."""
    known, target, promised = NONE, NONE, HOPELESS
    interrupts = s.spent > 0 and s.points_left > 0  # A56: an action now would lose the points that are left
    for i in range(n):
        move = moves[i]
        weights[i] = 1.0
        if move < PLAY_CARD or move >= HUNT_SCOUT:
            continue
        if move < ENTER:
            weights[i] = 1.0 + box.card_points[move - PLAY_CARD]
        elif move < END:
            weights[i] = entrance(box, s, seat, move - ENTER)
        elif move == END:
            weights[i] = 0.1 if s.points_left > 0 else 1.0
        elif move < DROP:
            scout, order = (move - TAKE) // ORDERS, (move - TAKE) % ORDERS
            weights[i] = 20.0 * promise(box, s, order, way_left(box, s, seat, scout, order))
        elif move < STEP:
            weights[i] = IDLE
        elif move >= PALS and interrupts:
            weights[i] = IDLE
        elif move < PALS or SQUAD <= move < EXCHANGE_ORDER:
            if move < JUMP:
                scout, space = (move - STEP) // SPACES, (move - STEP) % SPACES
            else:
                first = JUMP if move < PALS else SQUAD
                scout, space = (move - first) // LOCATIONS, (move - first) % LOCATIONS
            if scout != known:
                known = scout
                target, promised = errand(box, s, seat, scout)
            weights[i] = approach(box, s, seat, scout, target, promised, space)
