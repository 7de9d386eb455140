"""Mali Powstańcy, 2.1 and parts of 2.5: terms, and what is open to scouts on the map."""

from __future__ import annotations

from samizdat.games.mali_powstancy.box import Printed
from samizdat.games.mali_powstancy.state import NONE, SCOUTS, State
from samizdat.kernel.rule import rule

# --- 2.1 Terms ----------------------------------------------------------------------------------------------


@rule
def is_location(box: Printed, space: int) -> bool:
    """2.1.1: locations come first among the spaces; -1 and -2 are no spaces at all."""
    return space >= 0 and space < box.locations


@rule
def has_fallen(box: Printed, s: State, space: int) -> bool:
    """2.12.3d: the space lies in a district that is lost."""
    return (s.fallen >> box.district[space]) & 1 == 1


@rule
def last_mover(s: State) -> int:
    """2.1.7"""
    return s.order[s.seats - 1]


# --- 2.5 What a scout may enter -----------------------------------------------------------------------------


@rule
def step_is_open(box: Printed, s: State, route: int, space: int) -> bool:
    """2.5.7, 2.5.8, 2.12.3d: not the soldier's space, no blocked route, no fallen district."""
    return s.blocked[route] == 0 and space != s.soldier and (s.fallen == 0 or not has_fallen(box, s, space))


@rule
def jump_is_open(box: Printed, s: State, route: int, location: int) -> bool:
    """2.5.7, 2.5.8: a jump may pass over the soldier but not end on him; A42: no part of its route has fallen."""
    return s.blocked[route] == 0 and location != s.soldier and box.passes[route] & s.fallen == 0


@rule
def is_closed(box: Printed, s: State, space: int) -> bool:
    """2.8.5, 2.12.3d: no scout may stand here."""
    route = box.route_of[space]
    return (route != NONE and s.blocked[route] == 1) or has_fallen(box, s, space)


@rule
def can_step(box: Printed, s: State, space: int) -> bool:
    """2.5.5a: there is an adjacent space that is open."""
    for i in range(box.degree[space]):
        if step_is_open(box, s, box.by_route[space, i], box.adjacent[space, i]):
            return True
    return False


# --- 2.6.1 Tiles --------------------------------------------------------------------------------------------


@rule
def carrier(s: State, seat: int, order: int) -> int:
    """2.6.2: the scout of this team whose tile lies on the order, or NONE."""
    for scout in range(SCOUTS):
        if s.carries[seat, scout] == order:
            return scout
    return NONE


@rule
def is_carried(s: State, order: int) -> bool:
    for seat in range(s.seats):
        if carrier(s, seat, order) != NONE:
            return True
    return False


@rule
def return_tiles(s: State, order: int) -> None:
    """2.6.4, 2.8.3: all tiles on an order go back to their owners."""
    for seat in range(s.seats):
        scout = carrier(s, seat, order)
        if scout != NONE:
            s.carries[seat, scout] = NONE
