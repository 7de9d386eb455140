"""A War of Whispers, R10: attacks, from the choice of a source to the banners that are left.

While an attack is declared, `source`, `target` and `force` hold it; `reach` what Swoop and Armada have opened.
Once it is resolved, `attacked`, `left` and `killed` are the record that later cards refer to (A53).
"""

from __future__ import annotations

from samizdat.games.war_of_whispers.box import Printed
from samizdat.games.war_of_whispers.rules_hand import in_hand, payable
from samizdat.games.war_of_whispers.rules_map import (
    active_empire,
    empty_regions,
    movable,
    regions_of,
    take_off,
)
from samizdat.games.war_of_whispers.state import (
    AFTER,
    ARMADA,
    ATTACKS,
    COMBAT,
    EMPTIED,
    FIGHTS,
    FORCE,
    FORTRESS,
    FROM_MOVE,
    HOLDS,
    JOIN,
    NOWHERE,
    NUMBER_MOVE,
    REACH_ALL,
    REACH_EMPTY,
    REGIONS,
    SOURCE,
    SWOOP,
    TAKES,
    TARGET,
    TO_MOVE,
    State,
)
from samizdat.kernel.luck import EVERYONE, Luck, tell
from samizdat.kernel.records import Ints
from samizdat.kernel.rule import rule

EVERYWHERE = (1 << REGIONS) - 1


# --- R10.1 Source and target ------------------------------------------------------------------------------


@rule
def may_send(box: Printed, s: State, empire: int, region: int) -> int:
    """R10.2, R10.3: banners that may attack from a region; in a pressed attack the survivors only (A21, A55)."""
    if s.holder[region] != empire:
        return 0
    if s.pressed == 1:
        return min(s.left, movable(box, s, region)) if region == s.attacked else 0
    return movable(box, s, region)


@rule
def targets_anywhere(box: Printed, s: State, reach: int) -> int:
    """C7, A30: any empty region, by Swoop; C17, A31: any region, by Armada; as bits.

    R15.6: these cards win over R10.1.
    """
    if reach & REACH_ALL:
        return EVERYWHERE
    if reach & REACH_EMPTY:
        return empty_regions(box, s)
    return 0


@rule
def attack_possible(box: Printed, s: State, empire: int, reach: int) -> bool:
    """R10.1: there is a source with a target of another empire, given what cards have opened."""
    enemy = ((1 << box.regions) - 1) & ~regions_of(box, s, empire)
    anywhere = targets_anywhere(box, s, reach)
    for region in range(box.regions):
        if s.holder[region] == empire and s.army[region] > 0:
            if (box.near[region] | anywhere) & enemy and may_send(box, s, empire, region) > 0:
                return True
    return False


@rule
def opens_targets(box: Printed, s: State, empire: int, more: int) -> bool:
    """C7, C17, A59: Swoop or Armada must open at least one source and target that were not open before."""
    enemy = ((1 << box.regions) - 1) & ~regions_of(box, s, empire)
    before = targets_anywhere(box, s, s.reach)
    after = targets_anywhere(box, s, s.reach | more)
    for region in range(box.regions):
        if s.holder[region] == empire and s.army[region] > 0:
            if after & enemy & ~(before | box.near[region]) and may_send(box, s, empire, region) > 0:
                return True
    return False


@rule
def attack_can_be_opened(box: Printed, s: State, seat: int, empire: int) -> bool:
    """A52: the seat can pay for Swoop or Armada, and it would open an attack."""
    faces = in_hand(box, s, seat)
    if payable(box, s, seat, SWOOP, faces) and opens_targets(box, s, empire, REACH_EMPTY):
        return True
    return payable(box, s, seat, ARMADA, faces) and opens_targets(box, s, empire, REACH_ALL)


@rule
def begin_attack(s: State) -> None:
    """W2: an attack is declared; cards no longer refer to the one before (A53, A54)."""
    s.point = SOURCE
    s.source = NOWHERE
    s.target = NOWHERE
    s.reach = 0
    s.force = 0
    if s.pressed == 0:
        s.attacked = NOWHERE
        s.left = 0
    s.killed = 0


@rule
def offer_sources(box: Printed, s: State, moves: Ints, n: int) -> int:
    """R10.1: regions of the attacker from which a target can be attacked."""
    empire = active_empire(s)
    enemy = ((1 << box.regions) - 1) & ~regions_of(box, s, empire)
    anywhere = targets_anywhere(box, s, s.reach)
    for region in range(box.regions):
        if s.holder[region] == empire and s.army[region] > 0:
            if (box.near[region] | anywhere) & enemy and may_send(box, s, empire, region) > 0:
                moves[n] = FROM_MOVE + region
                n += 1
    return n


@rule
def choose_source(box: Printed, s: State, luck: Luck, seat: int, region: int) -> None:
    """R10.1; A65: from here on Swoop and Armada cannot be played."""
    s.source = region
    s.point = TARGET


@rule
def offer_targets(box: Printed, s: State, seat: int, moves: Ints) -> int:
    """R10.1, R10.4: regions of other empires next to the source, and what cards have opened."""
    open_to = box.near[s.source] | targets_anywhere(box, s, s.reach)
    empire = active_empire(s)
    n = 0
    for region in range(box.regions):
        if (open_to >> region) & 1 and s.holder[region] != empire:
            moves[n] = TO_MOVE + region
            n += 1
    return n


@rule
def choose_target(box: Printed, s: State, luck: Luck, seat: int, region: int) -> None:
    """R10.1."""
    s.target = region
    s.point = FORCE


# --- R10.2 Banners move -----------------------------------------------------------------------------------


@rule
def offer_force(box: Printed, s: State, seat: int, moves: Ints) -> int:
    """R10.2: of the banners that may leave the source."""
    return offer_numbers(may_send(box, s, active_empire(s), s.source), moves)


@rule
def offer_numbers(most: int, moves: Ints) -> int:
    """Any number of banners, at least one (A20)."""
    for n in range(most):
        moves[n] = NUMBER_MOVE + n
    return most


@rule
def march_out(box: Printed, s: State, luck: Luck, seat: int, which: int) -> None:
    """R10.2: the banners leave their region; then cards may add to them (W3)."""
    banners = which + 1
    empire = active_empire(s)
    take_off(box, s, s.source, banners)
    s.force = banners
    s.pressed = 0
    s.attacked = NOWHERE
    s.left = 0
    s.point = JOIN
    tell(luck, EVERYONE, ATTACKS, empire, s.source, s.target, banners)


# --- R10.5-R10.8 Combat -----------------------------------------------------------------------------------


@rule
def begin_combat(box: Printed, s: State, luck: Luck, seat: int, which: int) -> None:
    """W3: no more cards join the attack."""
    s.point = COMBAT


@rule
def fight(box: Printed, s: State, luck: Luck) -> None:
    """R10.5, A19: the fortress first; R10.6: one for one; R10.7: who is left; R10.8: the rest to the reserves."""
    empire = active_empire(s)
    region = s.target
    defender = s.holder[region]
    if box.fortress[region] == 1:
        s.force -= 1
        s.reserve[empire] += 1
        tell(luck, EVERYONE, FORTRESS, region, empire)
    lost = min(s.force, s.army[region])
    s.reserve[empire] += lost
    s.reserve[defender] += lost
    s.force -= lost
    take_off(box, s, region, lost)
    s.killed = lost
    if lost > 0:
        tell(luck, EVERYONE, FIGHTS, region, lost, lost, defender)
    if s.force > 0:
        s.holder[region] = empire
        s.army[region] = s.force
        s.force = 0
        tell(luck, EVERYONE, TAKES, region, empire, s.army[region])
    elif s.army[region] > 0:
        tell(luck, EVERYONE, HOLDS, region, defender, s.army[region])
    else:
        tell(luck, EVERYONE, EMPTIED, region, box.home[region])
    s.attacked = region
    s.left = s.army[region]
    s.source = NOWHERE
    s.target = NOWHERE
    s.reach = 0
    s.point = AFTER


@rule
def survivors(s: State) -> int:
    """A21, A55: attackers of the latest attack that still stand where it was aimed."""
    if s.attacked == NOWHERE or s.holder[s.attacked] != active_empire(s):
        return 0
    return s.left


@rule
def recount_the_left(s: State) -> None:
    """A55: other banners leave or fall first, and do not take the place of those who fought."""
    if s.attacked != NOWHERE:
        s.left = min(s.left, s.army[s.attacked])


@rule
def can_press_on(box: Printed, s: State, seat: int) -> bool:
    """C1: a survivor is free to move (A21) and has a target, be it one that the seat can pay to open."""
    if survivors(s) == 0 or movable(box, s, s.attacked) == 0:
        return False
    empire = active_empire(s)
    near = box.near[s.attacked]
    enemy = ((1 << box.regions) - 1) & ~regions_of(box, s, empire)
    if near & enemy:
        return True
    faces = in_hand(box, s, seat)
    if payable(box, s, seat, SWOOP, faces) and enemy & empty_regions(box, s):
        return True
    return payable(box, s, seat, ARMADA, faces) and enemy != 0
