"""Mali Powstańcy, 2.9.2-2.9.4 and 2.13.3-2.13.4: what is scored at the end, and who wins."""

from __future__ import annotations

from samizdat.games.mali_powstancy.box import COVERS_DISTRICTS, MOST_FROM, MOST_ORDERS, Printed
from samizdat.games.mali_powstancy.rules_map import is_location
from samizdat.games.mali_powstancy.state import (
    DELIVERED,
    EXTENDED,
    FOURTH_TOKEN,
    KEPT,
    OBJECTIVE_SCORE,
    ORDERS_SCORE,
    OVER,
    RETURN_SCORE,
    SCOUTS,
    THIRD_DISTRICT,
    State,
)
from samizdat.kernel.bits import size
from samizdat.kernel.luck import EVERYONE, Luck, tell
from samizdat.kernel.rule import rule
from samizdat.kernel.scoring import Score

# --- 2.9.2 Orders and return bonus ----------------------------------------------------------------------------


@rule
def orders_score(box: Printed, s: State, seat: int) -> int:
    """2.9.2: the points of the delivered orders."""
    total = 0
    for order in range(box.orders):
        if s.place[order] == DELIVERED + seat:
            total += box.order_points[order]
    return total


@rule
def return_score(box: Printed, s: State, seat: int) -> int:
    """2.9.2, A22: for scouts that stand on starting locations, any of them."""
    home = 0
    for scout in range(SCOUTS):
        space = s.at[seat, scout]
        if is_location(box, space) and box.start[space] == 1:
            home += 1
    return box.bonus[home]


# --- 2.13.4 Objectives ----------------------------------------------------------------------------------------


@rule
def orders_from(box: Printed, s: State, seat: int, district: int) -> int:
    """2.13.4a, A44: delivered orders whose origin is in the district."""
    n = 0
    for order in range(box.orders):
        if s.place[order] == DELIVERED + seat and box.district[box.origin[order]] == district:
            n += 1
    return n


@rule
def districts_reached(box: Printed, s: State, seat: int) -> int:
    """2.13.4c: different districts among the destinations of the delivered orders."""
    reached = 0
    for order in range(box.orders):
        if s.place[order] == DELIVERED + seat:
            reached |= 1 << box.district[box.destination[order]]
    return size(reached)


@rule
def most_important(box: Printed, s: State, seat: int) -> int:
    """2.13.4d: the highest points of a delivered order; 0 without one."""
    best = 0
    for order in range(box.orders):
        if s.place[order] == DELIVERED + seat and box.order_points[order] > best:
            best = box.order_points[order]
    return best


@rule
def measure(box: Printed, s: State, seat: int, objective: int) -> int:
    """2.13.4a, 2.13.4b, 2.13.4d: the number in which nobody may be ahead."""
    if box.objective_type[objective] == MOST_FROM:
        return orders_from(box, s, seat, box.objective_district[objective])
    if box.objective_type[objective] == MOST_ORDERS:
        return s.deliveries[seat]
    return most_important(box, s, seat)


@rule
def is_met(box: Printed, s: State, seat: int, objective: int) -> bool:
    """2.13.4: whoever is tied meets it too (2.13.4e, A59); nobody meets it with nothing (A43)."""
    if box.objective_type[objective] == COVERS_DISTRICTS:
        return districts_reached(box, s, seat) >= box.objective_covers[objective]
    own = measure(box, s, seat, objective)
    if own == 0:
        return False
    for other in range(s.seats):
        if measure(box, s, other, objective) > own:
            return False
    return True


@rule
def objectives_score(box: Printed, s: State, seat: int) -> int:
    """2.13.3: the objectives met."""
    total = 0
    for objective in range(box.objectives):
        if s.objective[objective] == KEPT + seat and is_met(box, s, seat, objective):
            total += box.objective_points[objective]
    return total


@rule
def tell_scores(box: Printed, s: State, luck: Luck) -> None:
    for seat in range(s.seats):
        tell(luck, EVERYONE, ORDERS_SCORE, seat, s.deliveries[seat], orders_score(box, s, seat))
        tell(luck, EVERYONE, RETURN_SCORE, seat, return_score(box, s, seat))
        if s.variant == EXTENDED:
            for objective in range(box.objectives):
                if s.objective[objective] == KEPT + seat:
                    met = 1 if is_met(box, s, seat, objective) else 0
                    tell(luck, EVERYONE, OBJECTIVE_SCORE, seat, objective, met * box.objective_points[objective])


# --- 2.9.3, 2.9.4 Who wins ------------------------------------------------------------------------------------


@rule
def is_defeat(s: State) -> bool:
    """2.9.4, 2.12.4: everybody has lost."""
    return s.reason == FOURTH_TOKEN or s.reason == THIRD_DISTRICT


@rule
def score(box: Printed, s: State, out: Score) -> None:
    """2.9.2, 2.13.3: while the game runs and after a defeat (S8), delivered orders alone. 2.9.3: most points, then
    most orders; nobody is first in a defeat."""
    for seat in range(s.seats):
        out.points[seat] = orders_score(box, s, seat)
        if s.point == OVER and not is_defeat(s):
            out.points[seat] += return_score(box, s, seat) + objectives_score(box, s, seat)
    for seat in range(s.seats):
        out.rank[seat] = 2 if is_defeat(s) else 1
        for other in range(s.seats):
            if out.points[other] > out.points[seat]:
                out.rank[seat] += 1
            elif out.points[other] == out.points[seat] and s.deliveries[other] > s.deliveries[seat]:
                out.rank[seat] += 1
    out.reason = s.reason
