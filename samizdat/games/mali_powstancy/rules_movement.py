"""Mali Powstańcy, 2.5.5 to 2.5.8: a step and a jump, for a turn (2.5) and for the red move (2.7.5)."""

from __future__ import annotations

from samizdat.games.mali_powstancy.box import Printed
from samizdat.games.mali_powstancy.rules_map import jump_is_open, step_is_open
from samizdat.games.mali_powstancy.rules_orders import arrive
from samizdat.games.mali_powstancy.state import JUMP, JUMPS, LOCATIONS, RED, SPACES, STEP, STEPS, State
from samizdat.kernel.luck import EVERYONE, Luck, tell
from samizdat.kernel.records import Ints
from samizdat.kernel.rule import rule


@rule
def offer_steps(box: Printed, s: State, seat: int, scout: int, moves: Ints, n: int) -> int:
    """2.5.5a: to an adjacent space."""
    space = s.at[seat, scout]
    if space < 0:
        return n
    for i in range(box.degree[space]):
        near = box.adjacent[space, i]
        if step_is_open(box, s, box.by_route[space, i], near):
            moves[n] = STEP + scout * SPACES + near
            n += 1
    return n


@rule
def may_jump(s: State) -> bool:
    """A2: with a limit, so many jumps in one turn."""
    return s.max_jumps_per_turn == 0 or s.jumps < s.max_jumps_per_turn


@rule
def offer_jumps(box: Printed, s: State, seat: int, scout: int, moves: Ints, n: int) -> int:
    """2.5.5b, 2.5.6: from a location to a neighbouring one. S1: along a route without blanks a step does the same."""
    location = s.at[seat, scout]
    if location < 0 or location >= box.locations or not may_jump(s):
        return n
    for i in range(box.neighbours[location]):
        route = box.along[location, i]
        far = box.neighbour[location, i]
        if box.length[route] > 1 and jump_is_open(box, s, route, far):
            moves[n] = JUMP + scout * LOCATIONS + far
            n += 1
    return n


@rule
def step(box: Printed, s: State, luck: Luck, seat: int, which: int) -> None:
    """2.5.5, 2.5.5a: for one point. 2.6.4: arriving may deliver."""
    scout = which // SPACES
    space = which % SPACES
    tell(luck, EVERYONE, STEPS, seat, scout, s.at[seat, scout], space, 1 if s.point == RED else 0)
    go(box, s, luck, seat, scout, space)


@rule
def jump(box: Printed, s: State, luck: Luck, seat: int, which: int) -> None:
    """2.5.5, 2.5.5b: for one point as well (A1); A19: without touching what lies between."""
    scout = which // LOCATIONS
    location = which % LOCATIONS
    s.jumps += 1
    tell(luck, EVERYONE, JUMPS, seat, scout, s.at[seat, scout], location, 1 if s.point == RED else 0)
    go(box, s, luck, seat, scout, location)


@rule
def go(box: Printed, s: State, luck: Luck, seat: int, scout: int, space: int) -> None:
    """2.5.5: one point. 2.6.4: arriving may deliver."""
    s.points_left -= 1
    s.spent += 1
    arrive(box, s, luck, seat, scout, space)
