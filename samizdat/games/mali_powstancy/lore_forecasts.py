"""Mali Powstańcy: advice for bots, part 2: what may become of orders, of objectives and of the city.

Orders are a race: the first to deliver one gets its points (2.6.4). The numbers were fitted to what became of orders
and objectives, and to who won, in games of bots with and without careless partners (docs/strength.md).
"""

from __future__ import annotations

import math
from typing import Any

from samizdat.games.mali_powstancy.box import COVERS_DISTRICTS, MOST_FROM, MOST_ORDERS, Printed
from samizdat.games.mali_powstancy.lore_ways import FAR, distrust, in_time, logistic, team_way, trust
from samizdat.games.mali_powstancy.rules_map import carrier
from samizdat.games.mali_powstancy.rules_orders import is_active, names_fallen
from samizdat.games.mali_powstancy.rules_scoring import districts_reached, measure, orders_score, return_score
from samizdat.games.mali_powstancy.state import BASE, EXTENDED, HAND, KEPT, KNOWN, NONE, SCOUTS, UNSEEN, State
from samizdat.kernel.bits import size
from samizdat.kernel.rule import rule

A_RETURN = 0.2  # of the points for a scout on a starting location, which may yet leave it
OUTLOOK = 0.8  # of the points of the next orders: until they come, scouts move on
NEXT_ORDERS = 4


@rule
def likely_met(box: Printed, s: State, seat: int, objective: int) -> float:
    """2.13.4: how likely a seat meets an objective in the end: by its lead over the best of the others, or by the
    districts it has yet to reach, and by the orders that are yet to come."""
    kind = box.objective_type[objective]
    if kind == COVERS_DISTRICTS:
        missing = box.objective_covers[objective] - districts_reached(box, s, seat)
        return 1.0 if missing <= 0 else logistic(0.6 - 1.15 * missing + 0.25 * s.above)
    own, best = measure(box, s, seat, objective), 0
    for other in range(s.seats):
        if other != seat:
            best = max(best, measure(box, s, other, objective))
    lead = (own - best) / math.sqrt(1.0 + s.above)
    if kind == MOST_FROM:
        likely = logistic(1.45 + 5.2 * lead - 0.07 * s.above)
    elif kind == MOST_ORDERS:
        likely = logistic(0.8 + 2.8 * lead - 0.06 * s.above)
    else:
        likely = logistic(0.2 + 1.1 * lead - 0.035 * s.above)
    if own == 0 and best == 0:  # A43: a tie at nothing meets it only if something is yet delivered
        likely *= 1.0 - math.exp(-0.1 - 0.22 * s.above)
    return likely


@rule
def delivered(box: Printed, s: State, seat: int) -> float:
    """2.9.2, 2.13.3: points of delivered orders, and of objectives as far as they may be met."""
    points = float(orders_score(box, s, seat))
    if s.variant == EXTENDED:
        for objective in range(box.objectives):
            if s.objective[objective] == KEPT + seat:
                points += box.objective_points[objective] * likely_met(box, s, seat, objective)
    return points


@rule
def at_home(box: Printed, s: State, seat: int) -> float:
    """2.9.2: scouts on starting locations count when the game ends."""
    return A_RETURN * return_score(box, s, seat)


@rule
def eagerness(box: Printed, s: State, seat: int, order: int, points: int) -> float:
    """2.6.4: the weight of a team in the race for an order that is so many movement points away from it; that nobody
    delivers the order has the weight 1. A team that delivers little (2.15) counts for less."""
    if points >= FAR:
        return 0.0
    rounds = box.queue[s.variant] - s.place[order]
    carried = 1.0 if carrier(s, seat, order) != NONE else 0.0
    if s.variant == BASE:
        odds = carried - 0.52 * points + 1.24 * rounds - 0.1
    else:
        odds = 0.5 * carried - 0.87 * points + 1.75 * rounds + 2.0
    return math.sqrt(trust(s, seat)) * math.exp(odds)


@rule
def prospects(box: Printed, s: State, points: Any) -> float:
    """2.6.4: adds to every seat's points those of active orders, as far as it may be the first to deliver them.
    2.8.1: how many of them nobody may be expected to bring in time."""
    failing = 0.0
    for order in range(box.orders):
        if is_active(s, order):
            missed, together = 1.0, 1.0
            for seat in range(s.seats):
                away = team_way(box, s, seat, order)
                together += eagerness(box, s, seat, order, away)
                missed *= 1.0 - trust(s, seat) * in_time(box, s, order, away, 1.0)
            for seat in range(s.seats):
                away = team_way(box, s, seat, order)
                points[seat] += box.order_points[order] * eagerness(box, s, seat, order, away) / together
            failing += missed
    return failing


@rule
def readiness(box: Printed, s: State, seat: int, location: int) -> int:
    """2.5.5: movement points until a scout with free hands can be at a location; 2.5.4: none for an escaped one."""
    nearest = FAR
    for scout in range(SCOUTS):
        here, points = s.at[seat, scout], 0
        if here == HAND:
            return 0
        if here >= 0:
            if s.carries[seat, scout] != NONE:
                destination = box.destination[s.carries[seat, scout]]
                points, here = box.journey[here, destination], destination
            nearest = min(nearest, points + box.journey[here, location])
    return nearest


@rule
def nearness(box: Printed, s: State, seat: int, order: int) -> float:
    """How much a team counts in the race for an order that is yet to come."""
    return math.exp(-0.6 * readiness(box, s, seat, box.origin[order]))


@rule
def may_come(box: Printed, s: State, order: int, place: int) -> bool:
    """An order in the deck that would not make way for the next (2.12.3e): unseen, or known by card 4."""
    return s.place[order] == place and not names_fallen(box, order, s.fallen)


@rule
def outlook(box: Printed, s: State, points: Any) -> None:
    """2.4.1: adds to every seat's points those of the next orders, as far as it would be the first to take them: of
    all that were looked at (2.11.5), and of the others as likely as each is to be among the next."""
    known, unseen = 0, 0
    for order in range(box.orders):
        known += 1 if may_come(box, s, order, KNOWN) else 0
        unseen += 1 if may_come(box, s, order, UNSEEN) else 0
    coming = min(s.above, NEXT_ORDERS)
    looked_at = OUTLOOK * min(known, coming) / max(1, known)
    drawn = OUTLOOK * max(0, coming - known) / max(1, unseen)
    for order in range(box.orders):
        part = 0.0
        if may_come(box, s, order, KNOWN):
            part = looked_at
        elif may_come(box, s, order, UNSEEN):
            part = drawn
        if part > 0.0:
            together = 1.0e-9  # all scouts may be in prison
            for seat in range(s.seats):
                together += nearness(box, s, seat, order)
            for seat in range(s.seats):
                points[seat] += part * box.order_points[order] * nearness(box, s, seat, order) / together


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
    return logistic(ahead)
