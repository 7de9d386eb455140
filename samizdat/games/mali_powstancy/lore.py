"""Mali Powstańcy: advice for bots. A race that all may lose: deliver, carry, and let few orders fail."""

from __future__ import annotations

from typing import Any

from samizdat.games.mali_powstancy.box import Printed
from samizdat.games.mali_powstancy.lore_forecasts import at_home, danger, delivered, outlook, prospects
from samizdat.games.mali_powstancy.lore_ways import FAR, in_time, way, way_left
from samizdat.games.mali_powstancy.rules_map import carrier
from samizdat.games.mali_powstancy.rules_orders import is_active
from samizdat.games.mali_powstancy.state import (
    CARD,
    DROP,
    END,
    ENTER,
    EXCHANGE_ORDER,
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
from samizdat.kernel.lores import Lore
from samizdat.kernel.rule import rule

HORIZON = 1  # to the end of the round
EXPLORE = 0.3  # a point is worth little of the win while many orders are to come

PACE = 3.0  # 2.5.3: movement points of a team in a round, on average
A_FAILURE = 16.0  # points that a failure less is worth
HOPELESS, SIDEWAYS, IDLE = 0.05, 0.05, 0.02  # how promising moves are that bring no order nearer


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
    outlook(box, s, out)
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


LORE = Lore(
    evaluate=evaluate,
    prior=prior,
    quiet=quiet,
    horizon=HORIZON,
    explore=EXPLORE,
)
