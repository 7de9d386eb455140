"""A War of Whispers, R15 and section 3: playing cards, and what each of the twenty abilities does.

An ability is announced, paid card by card, and resolved completely (R15.4): `ability` holds it, `window` where it
was played and where play goes on after it. Each ability has its question ("is there anything it would change"),
and its steps as offers next to what taking them does.
"""

from __future__ import annotations

from samizdat.games.war_of_whispers.box import CHOICES, Printed
from samizdat.games.war_of_whispers.rules_attack import (
    attack_can_be_opened,
    attack_possible,
    begin_attack,
    can_press_on,
    offer_numbers,
    opens_targets,
    recount_the_left,
)
from samizdat.games.war_of_whispers.rules_council import (
    action_available,
    active_agent,
    begin_adding,
    controller,
    formula_available,
    offer_adding,
    take_action,
    take_adding,
)
from samizdat.games.war_of_whispers.rules_hand import in_hand, pay, payable, pays
from samizdat.games.war_of_whispers.rules_map import active_empire, controls_any, destroy, movable, put, take_off
from samizdat.games.war_of_whispers.state import (
    ABILITIES,
    ACTION,
    AFTER,
    ALCHEMISTS_FIRE,
    ANOTHER_VOICE,
    ARMADA,
    ATTACK,
    BEFORE,
    BURN,
    BURN_MOVE,
    CHANGE_OF_COURT,
    CHOOSE_EMPIRE,
    CHOOSE_NUMBER,
    CHOOSE_OTHER,
    CHOOSE_POST,
    CHOOSE_REGION,
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
    GRAND_VANGUARD,
    IN_MOVE,
    JOIN,
    JOINS,
    LIFT,
    LIFTS,
    MARCHES,
    MERCENARIES,
    MIDNIGHT_OIL,
    MOVES_AGENT,
    NOBODY,
    NOTHING,
    NOWHERE,
    OPENS_TARGETS,
    PAY,
    PAY_MOVE,
    PLACE,
    PLACE_MOVE,
    PLACES,
    PLAY_MOVE,
    PLAYS,
    POPULATE,
    POSITIONS,
    POSTS,
    PRESS_ON,
    REACH_ALL,
    REACH_EMPTY,
    RECRUIT,
    REDEPLOYMENT,
    REINFORCEMENTS,
    REPEATS,
    SCORCHED_EARTH,
    SEAT_MOVE,
    SOURCE,
    SUBJUGATE,
    SWAP_AGENT,
    SWOOP,
    TO_MOVE,
    UPRISING,
    USES_SEAT,
    VANGUARD,
    State,
)
from samizdat.kernel.luck import EVERYONE, Luck, tell
from samizdat.kernel.records import Ints
from samizdat.kernel.rule import rule

# --- Section 3: which ability fits which window -----------------------------------------------------------

OPEN_ABILITIES = (
    (1 << FORCED_MARCH) | (1 << CITY_GARRISON) | (1 << REDEPLOYMENT) | (1 << MERCENARIES) | (1 << RECRUIT)
    | (1 << DISPERSAL) | (1 << ALCHEMISTS_FIRE) | (1 << POPULATE) | (1 << UPRISING)
)  # fmt: skip
IN_BEFORE = OPEN_ABILITIES | (1 << CHANGE_OF_COURT) | (1 << ANOTHER_VOICE)
IN_SOURCE = (1 << SWOOP) | (1 << ARMADA)
IN_JOIN = (1 << VANGUARD) | (1 << GRAND_VANGUARD) | (1 << REINFORCEMENTS)
IN_AFTER = OPEN_ABILITIES | (1 << PRESS_ON) | (1 << SCORCHED_EARTH) | (1 << SUBJUGATE) | (1 << MIDNIGHT_OIL)


@rule
def in_window(point: int) -> int:
    """A9: the abilities that may be played at a decision point, as bits."""
    if point == BEFORE:
        return IN_BEFORE
    if point == SOURCE:
        return IN_SOURCE
    if point == JOIN:
        return IN_JOIN
    if point == AFTER:
        return IN_AFTER
    return 0


@rule
def playable(box: Printed, s: State, seat: int, ability: int) -> bool:
    """A59: it would change something, judged after its cost is paid."""
    if ability == PRESS_ON:
        return can_press_on(box, s, seat)
    if ability == CHANGE_OF_COURT:
        return a_seat_is_vacant(s)
    if ability in (VANGUARD, GRAND_VANGUARD):
        return s.reserve[active_empire(s)] > 0
    if ability == ANOTHER_VOICE:
        return another_voice_has_a_seat(box, s, seat, 1)
    if ability == FORCED_MARCH:
        return march_has_a_way(box, s)
    if ability == SCORCHED_EARTH:
        return s.left > 0
    if ability == SWOOP:
        return opens_targets(box, s, active_empire(s), REACH_EMPTY)
    if ability == ARMADA:
        return opens_targets(box, s, active_empire(s), REACH_ALL)
    if ability in (CITY_GARRISON, RECRUIT, UPRISING, MERCENARIES):
        return has_a_region(box, s, ability)
    if ability in (DISPERSAL, ALCHEMISTS_FIRE, REINFORCEMENTS):
        return has_a_region(box, s, ability)
    if ability == REDEPLOYMENT:
        return redeployment_has_an_empire(box, s)
    if ability == SUBJUGATE:
        empire = active_empire(s)
        return s.killed > 0 and s.reserve[empire] > 0 and controls_any(box, s, empire)
    if ability == POPULATE:
        return s.reserve[active_empire(s)] > 0 and controls_any(box, s, active_empire(s))
    return midnight_oil_repeats(box, s, seat)


@rule
def offer_cards(box: Printed, s: State, seat: int, moves: Ints, n: int) -> int:
    """R15.1: the abilities that this window allows, the seat can pay, and that would change something."""
    faces = in_hand(box, s, seat)
    if faces == 0:
        return n
    window = in_window(s.point)
    for ability in range(ABILITIES):
        if (window >> ability) & 1 and payable(box, s, seat, ability, faces) and playable(box, s, seat, ability):
            moves[n] = PLAY_MOVE + ability
            n += 1
    return n


@rule
def announce(s: State, luck: Luck, seat: int, ability: int) -> None:
    s.window = s.point
    s.ability = ability
    s.paid = NOTHING
    s.point = PAY
    tell(luck, EVERYONE, PLAYS, seat, ability)


# --- R15.2 Paying -----------------------------------------------------------------------------------------


@rule
def pair_is_fine(box: Printed, s: State, seat: int, face: int, other: int) -> bool:
    """R15.2; and Midnight Oil must leave what is needed to open the Attack it repeats (A59)."""
    if not pays(box, s, seat, s.ability, face, other):
        return False
    return s.ability != MIDNIGHT_OIL or oil_leaves_the_attack(box, s, seat, face, other)


@rule
def may_pay(box: Printed, s: State, seat: int, face: int) -> bool:
    """R15.2, A50: a card of the cost; of two cards the one of the earlier empire first (A64)."""
    if s.hand[seat, face] == 0:
        return False
    if s.paid != NOTHING:
        return second_card_fits(box, s, seat, face)
    if box.deck[face] != box.cost[s.ability]:
        return False
    if box.cost_too[s.ability] == NOTHING:
        return (box.shows[face] >> s.ability) & 1 == 1
    for other in range(box.faces):
        if pair_is_fine(box, s, seat, face, other):
            return True
    return False


@rule
def offer_payment(box: Printed, s: State, seat: int, moves: Ints) -> int:
    n = 0
    for face in range(box.faces):
        if may_pay(box, s, seat, face):
            moves[n] = PAY_MOVE + face
            n += 1
    return n


@rule
def second_card_fits(box: Printed, s: State, seat: int, face: int) -> bool:
    """The first card has left the hand already."""
    if box.deck[face] != box.cost_too[s.ability]:
        return False
    if box.cost[s.ability] == box.cost_too[s.ability] and face < s.paid:
        return False
    if ((box.shows[s.paid] | box.shows[face]) >> s.ability) & 1 == 0:
        return False
    return s.ability != MIDNIGHT_OIL or oil_leaves_the_attack(box, s, seat, NOTHING, face)


@rule
def take_payment(box: Printed, s: State, luck: Luck, seat: int, face: int) -> None:
    """A40: a card goes back on payment; when all are paid, the ability takes effect."""
    pay(box, s, luck, seat, face)
    if box.cost_too[s.ability] != NOTHING and s.paid == NOTHING:
        s.paid = face
        return
    s.paid = NOTHING
    take_effect(box, s, luck, seat)


@rule
def take_effect(box: Printed, s: State, luck: Luck, seat: int) -> None:
    """Begin to resolve the ability that was paid."""
    ability = s.ability
    if ability == PRESS_ON:
        finish(s)
        s.pressed = 1
        begin_attack(s)
    elif ability in (CHANGE_OF_COURT, ANOTHER_VOICE):
        s.point = CHOOSE_POST
    elif ability in (VANGUARD, GRAND_VANGUARD):
        join_from_reserve(box, s, luck, box.effect[ability])
    elif ability == SCORCHED_EARTH:
        scorch(box, s, luck)
    elif ability in (SWOOP, ARMADA):
        s.reach |= REACH_EMPTY if ability == SWOOP else REACH_ALL
        tell(luck, EVERYONE, OPENS_TARGETS, ability)
        finish(s)
    elif ability == REDEPLOYMENT:
        s.point = CHOOSE_EMPIRE
    elif ability == SUBJUGATE:
        begin_adding(box, s, luck, s.killed)
    elif ability == POPULATE:
        begin_populating(box, s, luck)
    elif ability == MIDNIGHT_OIL:
        tell(luck, EVERYONE, REPEATS, s.last)
        finish(s)
        take_action(box, s, luck, seat, s.last)
    else:
        s.point = CHOOSE_REGION


@rule
def finish(s: State) -> None:
    """R15.4: the card is resolved; play goes on in the window in which it was played."""
    recount_the_left(s)
    s.ability = NOTHING
    s.todo = 0
    s.cursor = 0
    s.point = s.window


# --- The replacements: Change of Court (Eagle) and Another Voice (Lion) -----------------------------------


@rule
def a_seat_is_vacant(s: State) -> bool:
    for post in range(POSTS):
        if s.agent[post] == NOBODY:
            return True
    return False


@rule
def may_be_used(box: Printed, s: State, seat: int, post: int, returning: int) -> bool:
    """Another Voice, A14, A11: another seat one controls with something to do; an Attack may need a card (A52)."""
    if post == s.marker or controller(s, post) != seat:
        return False
    empire = post // POSITIONS
    for choice in range(CHOICES):
        action = box.action[post, choice]
        if action == NOTHING:
            continue
        kind = box.kind[action]
        if kind == ATTACK:
            if attack_possible(box, s, empire, 0) or attack_can_be_opened(box, s, seat, empire):
                return True
        elif kind == SWAP_AGENT:
            return True
        else:
            back = returning if empire == box.cost[ANOTHER_VOICE] else 0
            if formula_available(box, s, empire, action, back):
                return True
    return False


@rule
def another_voice_has_a_seat(box: Printed, s: State, seat: int, returning: int) -> bool:
    for post in range(POSTS):
        if may_be_used(box, s, seat, post, returning):
            return True
    return False


@rule
def offer_posts(box: Printed, s: State, seat: int, moves: Ints) -> int:
    """Change of Court: any seat without an agent (A57). Another Voice: another seat one controls."""
    n = 0
    for post in range(POSTS):
        fits = s.agent[post] == NOBODY
        if s.ability == ANOTHER_VOICE:
            fits = may_be_used(box, s, seat, post, 0)
        if fits:
            moves[n] = SEAT_MOVE + post
            n += 1
    return n


@rule
def take_post(box: Printed, s: State, luck: Luck, seat: int, post: int) -> None:
    """A12-A15: from here on the empire of that seat is the active one; the marker stays where it is."""
    if s.ability == CHANGE_OF_COURT:
        place = active_agent(s, s.marker)
        s.agent[place] = NOBODY
        s.agent[post] = seat
        tell(luck, EVERYONE, MOVES_AGENT, seat, place, post)
    else:
        tell(luck, EVERYONE, USES_SEAT, seat, post)
    finish(s)
    s.post = post
    s.point = ACTION


# --- Joining an attack: Vanguard, Grand Vanguard, Reinforcements ------------------------------------------


@rule
def join_from_reserve(box: Printed, s: State, luck: Luck, banners: int) -> None:
    """A60: what the reserve has, at least one."""
    empire = active_empire(s)
    joining = min(banners, s.reserve[empire])
    s.reserve[empire] -= joining
    s.force += joining
    tell(luck, EVERYONE, JOINS, empire, joining, NOWHERE, s.ability)
    finish(s)


# --- Scorched Earth ---------------------------------------------------------------------------------------


@rule
def scorch(box: Printed, s: State, luck: Luck) -> None:
    """A22: whoever is left of the latest attack, on either side, falls; fallen enemies count for Subjugate (A23)."""
    empire = s.holder[s.attacked]
    if empire != active_empire(s):
        s.killed += s.left
    tell(luck, EVERYONE, DESTROYS, empire, s.attacked, s.left)
    destroy(box, s, s.attacked, s.left)
    finish(s)


# --- Cards that name a region -----------------------------------------------------------------------------


@rule
def region_fits(box: Printed, s: State, ability: int, region: int) -> bool:
    """What each of these cards may be aimed at."""
    if ability in (MERCENARIES, DISPERSAL):  # A27, A29: any region with banners
        return s.army[region] > 0
    if ability == CITY_GARRISON:  # A26
        return box.city[region] == 1 and s.reserve[s.holder[region]] > 0
    if ability in (RECRUIT, UPRISING):  # A26: an empty region gets banners of its home empire
        if s.army[region] > 0 or s.reserve[s.holder[region]] == 0:
            return False
        return ability == RECRUIT or (box.city[region] == 0 and box.fortress[region] == 0)
    if s.holder[region] != active_empire(s):
        return False
    if ability == ALCHEMISTS_FIRE:  # A24: a region holding a banner of the active empire, with an enemy banner beside
        return s.army[region] > 0 and enemy_beside(box, s, region, 0)
    return movable(box, s, region) > 0  # Forced March, Reinforcements: R10.3 holds


@rule
def has_a_region(box: Printed, s: State, ability: int) -> bool:
    for region in range(box.regions):
        if region_fits(box, s, ability, region):
            return True
    return False


@rule
def march_has_a_way(box: Printed, s: State) -> bool:
    """Forced March: banners that may leave, and another region of the active empire to go to."""
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
def offer_regions(box: Printed, s: State, moves: Ints) -> int:
    leaves = s.ability == FORCED_MARCH or s.ability == REINFORCEMENTS
    n = 0
    for region in range(box.regions):
        if region_fits(box, s, s.ability, region):
            moves[n] = (FROM_MOVE if leaves else IN_MOVE) + region
            n += 1
    return n


@rule
def take_region(box: Printed, s: State, luck: Luck, region: int) -> None:
    s.source = region
    if s.ability == FORCED_MARCH:
        s.point = CHOOSE_OTHER
    elif s.ability == REINFORCEMENTS or s.ability == MERCENARIES:
        s.point = CHOOSE_NUMBER
    elif s.ability == DISPERSAL:
        begin_dispersal(box, s, luck, region)
    elif s.ability == ALCHEMISTS_FIRE:
        s.todo = box.effect[ALCHEMISTS_FIRE]
        s.cursor = 0
        s.point = BURN
    else:
        banners = min(box.effect[s.ability], s.reserve[s.holder[region]])
        put(box, s, region, banners)
        tell(luck, EVERYONE, PLACES, s.holder[region], region, banners)
        finish(s)


@rule
def offer_others(box: Printed, s: State, moves: Ints) -> int:
    """Forced March: another region of the active empire, near or far."""
    n = 0
    for region in range(box.regions):
        if s.holder[region] == active_empire(s) and region != s.source:
            moves[n] = TO_MOVE + region
            n += 1
    return n


@rule
def take_other(s: State, region: int) -> None:
    s.target = region
    s.point = CHOOSE_NUMBER


@rule
def most_banners(box: Printed, s: State) -> int:
    """How many banners may march, reinforce or fall."""
    if s.ability == MERCENARIES:
        return min(box.effect[MERCENARIES], s.army[s.source])
    if s.ability == REINFORCEMENTS:
        return min(box.effect[REINFORCEMENTS], movable(box, s, s.source))
    return movable(box, s, s.source)


@rule
def offer_some(box: Printed, s: State, moves: Ints) -> int:
    return offer_numbers(most_banners(box, s), moves)


@rule
def take_some(box: Printed, s: State, luck: Luck, banners: int) -> None:
    empire = s.holder[s.source]
    if s.ability == MERCENARIES:
        destroy(box, s, s.source, banners)
        tell(luck, EVERYONE, DESTROYS, empire, s.source, banners)
        s.source = NOWHERE
    elif s.ability == REINFORCEMENTS:
        take_off(box, s, s.source, banners)
        s.force += banners
        tell(luck, EVERYONE, JOINS, empire, banners, s.source, s.ability)
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
def offer_fire(box: Printed, s: State, moves: Ints) -> int:
    """A24, A60: up to five, at least one, in the order of the regions (A64)."""
    n = 0
    if s.todo < box.effect[ALCHEMISTS_FIRE]:
        moves[0] = DONE_MOVE
        n = 1
    for region in range(s.cursor, box.regions):
        if burns(box, s, s.source, region):
            moves[n] = BURN_MOVE + region
            n += 1
    return n


@rule
def take_fire(box: Printed, s: State, luck: Luck, move: int) -> None:
    if move != DONE_MOVE:
        region = move - BURN_MOVE
        tell(luck, EVERYONE, DESTROYS, s.holder[region], region, 1)
        destroy(box, s, region, 1)
        s.cursor = region
        s.todo -= 1
        if s.todo > 0 and enemy_beside(box, s, s.source, region):
            return
    s.source = NOWHERE
    finish(s)


# --- Placing banners: Subjugate, Populate, Dispersal, Redeployment ----------------------------------------


@rule
def offer_placing(box: Printed, s: State, moves: Ints) -> int:
    if s.ability == POPULATE:
        return offer_populating(box, s, moves)
    if s.ability == DISPERSAL:
        return offer_dispersal(box, s, moves)
    if s.ability == REDEPLOYMENT:
        return offer_redeploying(box, s, moves)
    return offer_adding(box, s, moves)


@rule
def take_placing(box: Printed, s: State, luck: Luck, region: int) -> None:
    """One banner goes to a region: from the reserve, or from those taken up by the card."""
    if s.ability == DISPERSAL or s.ability == REDEPLOYMENT:
        s.army[region] += 1
        tell(luck, EVERYONE, PLACES, s.colour, region, 1)
        s.cursor = region
        s.todo -= 1
    else:
        take_adding(box, s, luck, region)
        if s.ability == POPULATE:
            s.cursor = region + 1
    if s.todo == 0:
        s.source = NOWHERE
        s.lifted = 0
        finish(s)


@rule
def begin_populating(box: Printed, s: State, luck: Luck) -> None:
    """Populate: one banner in every region of the active empire; A25: with a short reserve, the player picks."""
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
    """A29: all banners leave; with no region of theirs beside it they go to the reserve."""
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
    s.source = NOWHERE
    finish(s)


@rule
def offer_dispersal(box: Printed, s: State, moves: Ints) -> int:
    """A29: regions of that empire next to the one they leave."""
    n = 0
    for region in range(s.cursor, box.regions):
        if (box.near[s.source] >> region) & 1 and s.holder[region] == s.colour:
            moves[n] = PLACE_MOVE + region
            n += 1
    return n


# Redeployment (A28): banners are lifted region by region, then placed in regions that gave none. So every new
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
def offer_empires(box: Printed, s: State, moves: Ints) -> int:
    n = 0
    for empire in range(EMPIRES):
        if may_redeploy(box, s, empire):
            moves[n] = EMPIRE_MOVE + empire
            n += 1
    return n


@rule
def take_empire(s: State, empire: int) -> None:
    s.colour = empire
    s.cursor = 0
    s.todo = 0
    s.point = LIFT


@rule
def offer_lifting(box: Printed, s: State, moves: Ints) -> int:
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
def take_lifting(box: Printed, s: State, luck: Luck, move: int) -> None:
    if move == DONE_MOVE:
        s.cursor = 0
        s.point = PLACE
        return
    region = move - FROM_MOVE
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


# --- Midnight Oil -----------------------------------------------------------------------------------------


@rule
def midnight_oil_repeats(box: Printed, s: State, seat: int) -> bool:
    """A18, A60: the last Add, Draw or Attack could be taken once more, after the cost is paid (A59)."""
    if s.last == NOTHING:
        return False
    empire = active_empire(s)
    if box.kind[s.last] != ATTACK:
        back = 1 if empire == box.cost[MIDNIGHT_OIL] or empire == box.cost_too[MIDNIGHT_OIL] else 0
        return formula_available(box, s, empire, s.last, back)
    if action_available(box, s, s.post, s.last):
        return True
    for face in range(box.faces):
        for other in range(box.faces):
            if pays(box, s, seat, MIDNIGHT_OIL, face, other) and oil_leaves_the_attack(box, s, seat, face, other):
                return True
    return False


@rule
def oil_leaves_the_attack(box: Printed, s: State, seat: int, face: int, other: int) -> bool:
    """A52, A59: an Attack that needs Swoop or Armada can still be opened once these two cards are gone."""
    if s.last == NOTHING or box.kind[s.last] != ATTACK or attack_possible(box, s, active_empire(s), 0):
        return True
    empire = active_empire(s)
    return opened_without(box, s, seat, empire, SWOOP, face, other) or opened_without(
        box, s, seat, empire, ARMADA, face, other
    )


@rule
def opened_without(box: Printed, s: State, seat: int, empire: int, ability: int, face: int, other: int) -> bool:
    """Whether the cards besides these two pay for Swoop or Armada, and it opens an attack."""
    if not opens_targets(box, s, empire, REACH_EMPTY if ability == SWOOP else REACH_ALL):
        return False
    for one in range(box.faces):
        for two in range(box.faces):
            if pays(box, s, seat, ability, one, two):
                gone_one = (1 if one == face else 0) + (1 if one == other else 0)
                gone_two = (1 if two == face else 0) + (1 if two == other else 0)
                needed = 2 if one == two else 1
                if s.hand[seat, one] - gone_one >= needed and s.hand[seat, two] - gone_two >= needed:
                    return True
    return False


# --- What an announcement tells of a hand -----------------------------------------------------------------


@rule
def hand_fits(box: Printed, s: State, seat: int) -> bool:
    """Whether the hand of the seat that decides could have led here: what it began, it can go on with (A63)."""
    if s.point == PAY:
        if s.ability == PRESS_ON and not can_press_on(box, s, seat):
            return False
        if s.ability == ANOTHER_VOICE and not another_voice_has_a_seat(box, s, seat, 1):
            return False
        for face in range(box.faces):
            if may_pay(box, s, seat, face):
                return True
        return False
    if s.point == CHOOSE_POST and s.ability == ANOTHER_VOICE:
        return another_voice_has_a_seat(box, s, seat, 0)
    if s.point == SOURCE:
        empire = active_empire(s)
        return attack_possible(box, s, empire, s.reach) or attack_can_be_opened(box, s, seat, empire)
    return True
