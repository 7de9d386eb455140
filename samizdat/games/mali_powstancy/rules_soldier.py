"""Mali Powstańcy, 2.7: the soldier's phase of the base variant."""

from __future__ import annotations

from samizdat.games.mali_powstancy.box import Printed
from samizdat.games.mali_powstancy.rules_map import can_step, jump_is_open
from samizdat.games.mali_powstancy.rules_movement import jump, offer_jumps, offer_steps, step
from samizdat.games.mali_powstancy.rules_orders import let_go
from samizdat.games.mali_powstancy.rules_time import time_phase
from samizdat.games.mali_powstancy.state import (
    ARRESTS,
    END,
    ESCAPES,
    EXTENDED,
    GO_WAY,
    HAND,
    HUNT,
    HUNT_SCOUT,
    MARCHES,
    NEAREST,
    NOBODY_OUTSIDE,
    NONE,
    PRISON,
    RED,
    RED_ENDS,
    RED_MOVE,
    ROLLS,
    SCOUTS,
    WAY,
    State,
)
from samizdat.kernel.luck import EVERYONE, Luck, draw, tell
from samizdat.kernel.records import Ints
from samizdat.kernel.rule import rule


@rule
def soldier_phase(box: Printed, s: State, luck: Luck) -> None:
    """2.7.1-2.7.3: prisoners escape, the die is rolled, the nearest scout is found. A14: or nobody is there."""
    if s.variant == EXTENDED:  # 2.10.1
        time_phase(box, s, luck)
        return
    escape(s, luck)
    distance = nearest_distance(box, s)
    if distance == NONE:
        tell(luck, EVERYONE, NOBODY_OUTSIDE)
        time_phase(box, s, luck)
        return
    s.face = draw(luck, box.faces)
    tell(luck, EVERYONE, ROLLS, s.start_player, s.face)
    s.chooser = hunted_player(box, s, distance)
    choices = 0
    chosen = NONE
    for scout in range(SCOUTS):
        if may_be_hunted(box, s, s.chooser, scout):
            choices += 1
            chosen = scout
    tell(luck, EVERYONE, NEAREST, s.chooser, choices, chosen, distance)
    if choices > 1:
        s.point = HUNT
    elif choices == 1:
        hunt(box, s, luck, s.chooser, chosen)
    else:  # a red number, and the scout is hemmed in
        time_phase(box, s, luck)


@rule
def escape(s: State, luck: Luck) -> None:
    """2.7.1, 2.7.6: everyone in prison returns to the owner's hand."""
    for seat in range(s.seats):
        for scout in range(SCOUTS):
            if s.at[seat, scout] == PRISON:
                s.at[seat, scout] = HAND
                tell(luck, EVERYONE, ESCAPES, seat, scout)


# --- 2.7.3 The nearest scout ----------------------------------------------------------------------------------


@rule
def scout_distance(box: Printed, s: State, seat: int, scout: int) -> int:
    """2.1.3, A12: steps from the soldier, whom no token stops; NONE for a scout that is not on the board."""
    if s.at[seat, scout] < 0:
        return NONE
    return box.distance[s.soldier, s.at[seat, scout]]


@rule
def nearest_distance(box: Printed, s: State) -> int:
    """2.7.3: how far the nearest scout is; NONE if no scout is on the board."""
    nearest = NONE
    for seat in range(s.seats):
        for scout in range(SCOUTS):
            distance = scout_distance(box, s, seat, scout)
            if distance != NONE and (nearest == NONE or distance < nearest):
                nearest = distance
    return nearest


@rule
def hunted_player(box: Printed, s: State, distance: int) -> int:
    """2.7.3: among the players with a nearest scout, the one who acted latest in this round."""
    latest = NONE
    for turn in range(s.seats):
        for scout in range(SCOUTS):
            if scout_distance(box, s, s.order[turn], scout) == distance:
                latest = s.order[turn]
    return latest


@rule
def may_be_hunted(box: Printed, s: State, seat: int, scout: int) -> bool:
    """2.7.3: one of the owner's nearest scouts. S4: for a black number the first on each space stands for all there;
    for a red one it must be able to walk."""
    distance = scout_distance(box, s, seat, scout)
    if distance == NONE or distance != nearest_distance(box, s):
        return False
    if box.red[s.face] == 1:
        return can_walk(box, s, s.at[seat, scout])
    for earlier in range(scout):
        if s.at[seat, earlier] == s.at[seat, scout]:
            return False
    return True


@rule
def can_walk(box: Printed, s: State, space: int) -> bool:
    """2.7.5: there is somewhere to go; A16: a jump counts only with the option."""
    if can_step(box, s, space):
        return True
    if s.red_move_may_jump == 0 or space >= box.locations:
        return False
    for i in range(box.neighbours[space]):
        if jump_is_open(box, s, box.along[space, i], box.neighbour[space, i]):
            return True
    return False


@rule
def offer_hunt(box: Printed, s: State, seat: int, moves: Ints) -> int:
    """2.7.3: the owner chooses among equally near scouts."""
    n = 0
    for scout in range(SCOUTS):
        if may_be_hunted(box, s, seat, scout):
            moves[n] = HUNT_SCOUT + scout
            n += 1
    return n


@rule
def hunt(box: Printed, s: State, luck: Luck, seat: int, scout: int) -> None:
    """2.7.4, 2.7.5: the soldier comes for the scout, or the scout may run."""
    s.scout = scout
    number = box.number[s.face]
    if box.red[s.face] == 1:
        s.points_left = number
        s.spent = 0
        s.jumps = 0
        s.point = RED
        tell(luck, EVERYONE, RED_MOVE, seat, scout, number)
        return
    target = s.at[seat, scout]
    if number >= box.distance[s.soldier, target]:
        march(box, s, luck, seat, target)
        return
    choices = 0
    chosen = NONE
    for space in range(box.spaces):
        if is_on_the_way(box, s, space):
            choices += 1
            chosen = space
    if choices > 1:
        s.point = WAY
    else:
        march(box, s, luck, seat, chosen)


# --- 2.7.4 Black: the soldier moves ---------------------------------------------------------------------------


@rule
def is_on_the_way(box: Printed, s: State, space: int) -> bool:
    """2.7.4: where a shortest way to the hunted scout has led after as many steps as the die shows.

    The hunted scout is a nearest one, so nobody stands on the spaces before it (A13)."""
    number = box.number[s.face]
    target = s.at[s.chooser, s.scout]
    return (
        box.distance[s.soldier, space] == number
        and number + box.distance[space, target] == box.distance[s.soldier, target]
    )


@rule
def offer_way(box: Printed, s: State, seat: int, moves: Ints) -> int:
    """A13: the owner of the hunted scout chooses where the soldier's shortest way leads."""
    n = 0
    for space in range(box.spaces):
        if is_on_the_way(box, s, space):
            moves[n] = GO_WAY + space
            n += 1
    return n


@rule
def march(box: Printed, s: State, luck: Luck, chooser: int, space: int) -> None:
    """2.7.4, A15: he stops where scouts are and arrests them all; their tiles come off. Then 2.8."""
    tell(luck, EVERYONE, MARCHES, s.soldier, space, box.distance[s.soldier, space])
    s.soldier = space
    for seat in range(s.seats):
        for scout in range(SCOUTS):
            if s.at[seat, scout] == space:
                s.at[seat, scout] = PRISON
                tell(luck, EVERYONE, ARRESTS, seat, scout)
                if s.carries[seat, scout] != NONE:
                    let_go(box, s, luck, seat, scout)
    time_phase(box, s, luck)


# --- 2.7.5 Red: the scout runs --------------------------------------------------------------------------------


@rule
def offer_red(box: Printed, s: State, seat: int, moves: Ints) -> int:
    """2.7.5, A16: steps, and with the option jumps; or stay. A17: no order is taken now."""
    moves[0] = END
    n = offer_steps(box, s, seat, s.scout, moves, 1)
    if s.red_move_may_jump == 1:
        n = offer_jumps(box, s, seat, s.scout, moves, n)
    return n


@rule
def run_a_step(box: Printed, s: State, luck: Luck, seat: int, which: int) -> None:
    """2.7.5: up to as many steps as the die shows; A17: arriving delivers."""
    step(box, s, luck, seat, which)
    if s.points_left == 0:
        stop_running(box, s, luck, seat, 0)


@rule
def run_a_jump(box: Printed, s: State, luck: Luck, seat: int, which: int) -> None:
    """A16, S6: a jump counts as one step."""
    jump(box, s, luck, seat, which)
    if s.points_left == 0:
        stop_running(box, s, luck, seat, 0)


@rule
def stop_running(box: Printed, s: State, luck: Luck, seat: int, which: int) -> None:
    """2.7.5: with or without steps left. Then 2.8."""
    tell(luck, EVERYONE, RED_ENDS, seat, s.scout)
    time_phase(box, s, luck)
