"""A War of Whispers, C1 to C20: the abilities that bring, move, place and destroy banners.

Each ability has its question ("is there anything it would change"), and its steps as offers next to what taking them
does. When it is resolved, `finish` leads back to the window in which it was played.
"""

from __future__ import annotations

from samizdat.games.war_of_whispers.box import Printed
from samizdat.games.war_of_whispers.rules_attack import offer_numbers, recount_the_left
from samizdat.games.war_of_whispers.rules_council import add_banner, begin_adding, offer_adding
from samizdat.games.war_of_whispers.rules_map import active_empire, destroy, movable, put, take_off
from samizdat.games.war_of_whispers.state import (
    ALCHEMISTS_FIRE,
    BURN,
    BURN_MOVE,
    CHOOSE_NUMBER,
    CHOOSE_OTHER,
    CITY_GARRISON,
    DESTROYS,
    DISPERSAL,
    DISPERSES,
    DONE_MOVE,
    EMPIRE_MOVE,
    EMPIRES,
    FORCED_MARCH,
    FROM_MOVE,
    GOES_HOME,
    IN_MOVE,
    JOINS,
    LIFT,
    LIFTS,
    MARCHES,
    MERCENARIES,
    NOTHING,
    NOWHERE,
    PLACE,
    PLACE_MOVE,
    PLACES,
    POPULATE,
    RECRUIT,
    REDEPLOYMENT,
    REINFORCEMENTS,
    TO_MOVE,
    UPRISING,
    State,
)
from samizdat.kernel.luck import EVERYONE, Luck, tell
from samizdat.kernel.records import Ints
from samizdat.kernel.rule import rule

# --- R15.4 The end of every ability -----------------------------------------------------------------------


@rule
def finish(s: State) -> None:
    """R15.4: the card is resolved; play goes on in the window in which it was played."""
    recount_the_left(s)
    s.ability = NOTHING
    s.used_on = NOWHERE
    s.todo = 0
    s.cursor = 0
    s.point = s.window


# --- Joining an attack ------------------------------------------------------------------------------------


@rule
def join_from_reserve(box: Printed, s: State, luck: Luck, banners: int) -> None:
    """C3, C8: Vanguard and Grand Vanguard; A60: what the reserve has, at least one."""
    empire = active_empire(s)
    joining = min(banners, s.reserve[empire])
    s.reserve[empire] -= joining
    s.force += joining
    tell(luck, EVERYONE, JOINS, empire, joining, NOWHERE, s.ability)
    finish(s)


# --- Scorched Earth ---------------------------------------------------------------------------------------


@rule
def scorch(box: Printed, s: State, luck: Luck) -> None:
    """C6, A22: whoever is left of the latest attack, on either side, falls; enemies count for Subjugate (A23)."""
    empire = s.holder[s.attacked]
    if empire != active_empire(s):
        s.killed += s.left
    tell(luck, EVERYONE, DESTROYS, empire, s.attacked, s.left)
    destroy(box, s, s.attacked, s.left)
    if s.rules != 1:
        s.left = 0  # A55: others that stand there do not take their place
    finish(s)


# --- Cards that name a region -----------------------------------------------------------------------------


@rule
def region_fits(box: Printed, s: State, ability: int, region: int) -> bool:
    """What each of these cards may be aimed at."""
    if ability in (MERCENARIES, DISPERSAL):  # C11, A27; C14, A29: any region with banners
        return s.army[region] > 0
    if ability == CITY_GARRISON:  # C9, A26
        return box.city[region] == 1 and s.reserve[s.holder[region]] > 0
    if ability in (RECRUIT, UPRISING):  # C12, C19, A26: an empty region gets banners of its home empire
        if s.army[region] > 0 or s.reserve[s.holder[region]] == 0:
            return False
        return ability == RECRUIT or (box.city[region] == 0 and box.fortress[region] == 0)
    if s.holder[region] != active_empire(s):
        return False
    if ability == ALCHEMISTS_FIRE:  # C15, A24: a banner of the active empire, with an enemy banner beside
        return s.army[region] > 0 and enemy_beside(box, s, region, 0)
    return movable(box, s, region) > 0  # C5, C18: R10.3 holds


@rule
def has_a_region(box: Printed, s: State, ability: int) -> bool:
    for region in range(box.regions):
        if region_fits(box, s, ability, region):
            return True
    return False


@rule
def march_has_a_way(box: Printed, s: State) -> bool:
    """C5: banners that may leave, and another region of the active empire to go to."""
    empire = active_empire(s)
    lands = 0
    able = False
    for region in range(box.regions):
        if s.holder[region] == empire:
            lands += 1
            if movable(box, s, region) > 0:
                able = True
    return able and lands > 1


@rule
def offer_regions(box: Printed, s: State, seat: int, moves: Ints) -> int:
    """Regions the card may be used on; banners leave one, or they do not."""
    leaves = s.ability == FORCED_MARCH or s.ability == REINFORCEMENTS
    n = 0
    for region in range(box.regions):
        if region_fits(box, s, s.ability, region):
            moves[n] = (FROM_MOVE if leaves else IN_MOVE) + region
            n += 1
    return n


@rule
def choose_region(box: Printed, s: State, luck: Luck, seat: int, region: int) -> None:
    """R15.4: use the card on this region."""
    s.used_on = region
    if s.ability == FORCED_MARCH:
        s.source = region
        s.point = CHOOSE_OTHER
    elif s.ability == REINFORCEMENTS or s.ability == MERCENARIES:
        s.point = CHOOSE_NUMBER
    elif s.ability == DISPERSAL:
        begin_dispersal(box, s, luck, region)
    elif s.ability == ALCHEMISTS_FIRE:
        s.todo = box.effect[ALCHEMISTS_FIRE]
        s.cursor = 0
        s.point = BURN
    else:  # C9, C12, C19, A26: banners of its controller, as many as the reserve has
        banners = min(box.effect[s.ability], s.reserve[s.holder[region]])
        put(box, s, region, banners)
        tell(luck, EVERYONE, PLACES, s.holder[region], region, banners)
        finish(s)


@rule
def offer_others(box: Printed, s: State, seat: int, moves: Ints) -> int:
    """C5: another region of the active empire, near or far."""
    n = 0
    for region in range(box.regions):
        if s.holder[region] == active_empire(s) and region != s.source:
            moves[n] = TO_MOVE + region
            n += 1
    return n


@rule
def choose_other(box: Printed, s: State, luck: Luck, seat: int, region: int) -> None:
    """C5: where the banners go."""
    s.target = region
    s.point = CHOOSE_NUMBER


@rule
def most_banners(box: Printed, s: State) -> int:
    """How many banners may march, reinforce or fall."""
    if s.ability == MERCENARIES:
        return min(box.effect[MERCENARIES], s.army[s.used_on])
    if s.ability == REINFORCEMENTS:
        return min(box.effect[REINFORCEMENTS], movable(box, s, s.used_on))
    return movable(box, s, s.used_on)


@rule
def offer_some(box: Printed, s: State, seat: int, moves: Ints) -> int:
    """C5, C11, C18: any number up to that, at least one."""
    return offer_numbers(most_banners(box, s), moves)


@rule
def choose_number(box: Printed, s: State, luck: Luck, seat: int, which: int) -> None:
    """C11: so many fall; C18: join the attack; C5: march."""
    banners = which + 1
    empire = s.holder[s.used_on]
    if s.ability == MERCENARIES:
        destroy(box, s, s.used_on, banners)
        tell(luck, EVERYONE, DESTROYS, empire, s.used_on, banners)
    elif s.ability == REINFORCEMENTS:
        take_off(box, s, s.used_on, banners)
        s.force += banners
        tell(luck, EVERYONE, JOINS, empire, banners, s.used_on, s.ability)
    else:
        take_off(box, s, s.source, banners)
        s.army[s.target] += banners
        tell(luck, EVERYONE, MARCHES, empire, s.source, s.target, banners)
        s.source = NOWHERE
        s.target = NOWHERE
    finish(s)


# --- Alchemist's Fire -------------------------------------------------------------------------------------


@rule
def burns(box: Printed, s: State, source: int, region: int) -> bool:
    """A24: a region next to the chosen one with banners that are not the active empire's."""
    return (box.near[source] >> region) & 1 == 1 and s.army[region] > 0 and s.holder[region] != active_empire(s)


@rule
def enemy_beside(box: Printed, s: State, source: int, least: int) -> bool:
    for region in range(least, box.regions):
        if burns(box, s, source, region):
            return True
    return False


@rule
def offer_fire(box: Printed, s: State, seat: int, moves: Ints) -> int:
    """A24, A60: up to five, at least one, in the order of the regions (A64)."""
    n = 0
    if s.todo < box.effect[ALCHEMISTS_FIRE]:
        moves[0] = DONE_MOVE
        n = 1
    for region in range(s.cursor, box.regions):
        if burns(box, s, s.used_on, region):
            moves[n] = BURN_MOVE + region
            n += 1
    return n


@rule
def burn_banner(box: Printed, s: State, luck: Luck, seat: int, region: int) -> None:
    """C15, A24."""
    tell(luck, EVERYONE, DESTROYS, s.holder[region], region, 1)
    destroy(box, s, region, 1)
    s.cursor = region
    s.todo -= 1
    if s.todo == 0 or not enemy_beside(box, s, s.used_on, region):
        finish(s)


@rule
def end_fire(box: Printed, s: State, luck: Luck, seat: int, which: int) -> None:
    """C15: up to five, so fewer will do."""
    finish(s)


# --- Placing banners: Subjugate, Populate, Dispersal, Redeployment ----------------------------------------


@rule
def offer_placing(box: Printed, s: State, seat: int, moves: Ints) -> int:
    """What the action or the card that places banners says."""
    if s.ability == POPULATE:
        return offer_populating(box, s, moves)
    if s.ability == DISPERSAL:
        return offer_dispersal(box, s, moves)
    if s.ability == REDEPLOYMENT:
        return offer_redeploying(box, s, moves)
    return offer_adding(box, s, moves)


@rule
def place_banner(box: Printed, s: State, luck: Luck, seat: int, region: int) -> None:
    """One banner goes to a region: from the reserve, or from those taken up by the card."""
    if s.ability == DISPERSAL or s.ability == REDEPLOYMENT:
        s.army[region] += 1
        tell(luck, EVERYONE, PLACES, s.colour, region, 1)
        s.cursor = region
        s.todo -= 1
    else:
        add_banner(box, s, luck, region)
        if s.ability == POPULATE:
            s.cursor = region + 1
    if s.todo == 0:
        s.lifted = 0
        finish(s)


@rule
def begin_populating(box: Printed, s: State, luck: Luck) -> None:
    """C16: one banner in every region of the active empire; A25: with a short reserve, the player picks."""
    empire = active_empire(s)
    lands = 0
    for region in range(box.regions):
        if s.holder[region] == empire:
            lands += 1
    if s.reserve[empire] < lands:
        begin_adding(box, s, luck, lands)
        return
    for region in range(box.regions):
        if s.holder[region] == empire:
            put(box, s, region, 1)
            tell(luck, EVERYONE, PLACES, empire, region, 1)
    finish(s)


@rule
def offer_populating(box: Printed, s: State, moves: Ints) -> int:
    """A25: each region once, in their order (A64), as long as enough of them are left for the rest."""
    lands = 0
    for region in range(s.cursor, box.regions):
        if s.holder[region] == s.colour:
            lands += 1
    n = 0
    for region in range(s.cursor, box.regions):
        if s.holder[region] == s.colour and lands >= s.todo:
            moves[n] = PLACE_MOVE + region
            n += 1
            lands -= 1
    return n


@rule
def begin_dispersal(box: Printed, s: State, luck: Luck, region: int) -> None:
    """C14, A29: all banners leave; with no region of theirs beside it they go to the reserve."""
    empire = s.holder[region]
    banners = s.army[region]
    tell(luck, EVERYONE, DISPERSES, empire, region, banners)
    take_off(box, s, region, banners)
    s.colour = empire
    s.todo = banners
    s.cursor = 0
    for beside in range(box.regions):
        if (box.near[region] >> beside) & 1 and s.holder[beside] == empire:
            s.point = PLACE
            return
    s.reserve[empire] += banners
    tell(luck, EVERYONE, GOES_HOME, empire, banners)
    finish(s)


@rule
def offer_dispersal(box: Printed, s: State, moves: Ints) -> int:
    """A29: regions of that empire next to the one they leave."""
    n = 0
    for region in range(s.cursor, box.regions):
        if (box.near[s.used_on] >> region) & 1 and s.holder[region] == s.colour:
            moves[n] = PLACE_MOVE + region
            n += 1
    return n


# Redeployment (C10, A28): banners are lifted region by region, then placed in regions that gave none. So every new
# arrangement has one way to be reached, none is the old one, and what is lifted can always be placed.


@rule
def room_for(box: Printed, s: State, region: int) -> int:
    """Banners that a region of this empire may still take within its supply limit."""
    return max(0, box.limit[region] - s.army[region])


@rule
def may_lift(box: Printed, s: State, empire: int, region: int) -> bool:
    """A28: a banner that may leave (R10.3), with room for it, for those lifted and for those above a limit."""
    if s.holder[region] != empire or movable(box, s, region) == 0:
        return False
    room = 0
    above = 0
    for other in range(box.regions):
        if s.holder[other] == empire:
            above += max(0, s.army[other] - box.limit[other])
            if other != region and (s.lifted >> other) & 1 == 0:
                room += room_for(box, s, other)
    if s.army[region] > box.limit[region]:
        above -= 1
    return room >= s.todo + 1 + above


@rule
def above_limit(box: Printed, s: State, empire: int, least: int, most: int) -> bool:
    """A28: some region of the empire, from `least` up to before `most`, holds more than its limit."""
    for region in range(least, most):
        if s.holder[region] == empire and s.army[region] > box.limit[region]:
            return True
    return False


@rule
def may_redeploy(box: Printed, s: State, empire: int) -> bool:
    """A28, A59: some banner can be lifted, and all can end within the limits."""
    for region in range(box.regions):
        if may_lift(box, s, empire, region):
            return True
    return False


@rule
def redeployment_has_an_empire(box: Printed, s: State) -> bool:
    for empire in range(EMPIRES):
        if may_redeploy(box, s, empire):
            return True
    return False


@rule
def offer_empires(box: Printed, s: State, seat: int, moves: Ints) -> int:
    """C10, A28: any one empire whose banners can be arranged anew."""
    n = 0
    for empire in range(EMPIRES):
        if may_redeploy(box, s, empire):
            moves[n] = EMPIRE_MOVE + empire
            n += 1
    return n


@rule
def choose_empire(box: Printed, s: State, luck: Luck, seat: int, empire: int) -> None:
    """C10: its banners are lifted, then placed."""
    s.colour = empire
    s.cursor = 0
    s.todo = 0
    s.point = LIFT


@rule
def offer_lifting(box: Printed, s: State, seat: int, moves: Ints) -> int:
    """A28: a banner to lift, in the order of the regions (A64); none above its limit may be passed over."""
    n = 0
    if s.todo > 0 and not above_limit(box, s, s.colour, 0, box.regions):
        moves[0] = DONE_MOVE
        n = 1
    for region in range(s.cursor, box.regions):
        if may_lift(box, s, s.colour, region) and not above_limit(box, s, s.colour, 0, region):
            moves[n] = FROM_MOVE + region
            n += 1
    return n


@rule
def end_lifting(box: Printed, s: State, luck: Luck, seat: int, which: int) -> None:
    """C10: what was lifted is placed, from the first region on."""
    s.cursor = 0
    s.point = PLACE


@rule
def lift_banner(box: Printed, s: State, luck: Luck, seat: int, region: int) -> None:
    """C10, A28."""
    take_off(box, s, region, 1)
    s.todo += 1
    s.lifted |= 1 << region
    s.cursor = region
    tell(luck, EVERYONE, LIFTS, s.colour, region)


@rule
def offer_redeploying(box: Printed, s: State, moves: Ints) -> int:
    """A28: a region that gave none, within its limit, with room for the rest there or further on (A64)."""
    room = 0
    for region in range(s.cursor, box.regions):
        if s.holder[region] == s.colour and (s.lifted >> region) & 1 == 0:
            room += room_for(box, s, region)
    n = 0
    for region in range(s.cursor, box.regions):
        if s.holder[region] == s.colour and (s.lifted >> region) & 1 == 0:
            here = room_for(box, s, region)
            if here > 0 and room >= s.todo:
                moves[n] = PLACE_MOVE + region
                n += 1
            room -= here
    return n
