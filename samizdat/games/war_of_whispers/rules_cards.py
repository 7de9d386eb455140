"""A War of Whispers, R15: which of the twenty abilities may be played when, paying for them, and what begins then.

An ability is announced, paid card by card, and resolved completely (R15.4): `ability` holds it, `window` where it
was played and where play goes on after it. What abilities do with banners stands in `rules_banners`; here are those
that bring another seat or another action into play.
"""

from __future__ import annotations

from samizdat.games.war_of_whispers.box import CHOICES, Printed
from samizdat.games.war_of_whispers.rules_attack import (
    attack_can_be_opened,
    attack_possible,
    begin_attack,
    can_press_on,
    offer_sources,
    opens_targets,
)
from samizdat.games.war_of_whispers.rules_banners import (
    begin_populating,
    finish,
    has_a_region,
    join_from_reserve,
    march_has_a_way,
    redeployment_has_an_empire,
    scorch,
)
from samizdat.games.war_of_whispers.rules_council import (
    action_available,
    active_agent,
    begin_adding,
    controller,
    formula_available,
    offer_actions,
    take_action,
)
from samizdat.games.war_of_whispers.rules_hand import in_hand, pay, payable, pays
from samizdat.games.war_of_whispers.rules_map import active_empire, controls_any
from samizdat.games.war_of_whispers.state import (
    ABILITIES,
    ACTION,
    AFTER,
    ALCHEMISTS_FIRE,
    ANOTHER_VOICE,
    ARMADA,
    ATTACK,
    BEFORE,
    CHANGE_OF_COURT,
    CHOOSE_EMPIRE,
    CHOOSE_POST,
    CHOOSE_REGION,
    CITY_GARRISON,
    DISPERSAL,
    DONE_MOVE,
    FORCED_MARCH,
    GRAND_VANGUARD,
    JOIN,
    MERCENARIES,
    MIDNIGHT_OIL,
    MOVES_AGENT,
    NOBODY,
    NOTHING,
    OPENS_TARGETS,
    PAY,
    PAY_MOVE,
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
    UPRISING,
    USES_SEAT,
    VANGUARD,
    State,
)
from samizdat.kernel.luck import EVERYONE, Luck, tell
from samizdat.kernel.records import Ints
from samizdat.kernel.rule import rule

# --- R15.1, W1 to W5: which ability fits which window -----------------------------------------------------

OPEN_ABILITIES = (  # W1, W5
    (1 << FORCED_MARCH) | (1 << CITY_GARRISON) | (1 << REDEPLOYMENT) | (1 << MERCENARIES) | (1 << RECRUIT)
    | (1 << DISPERSAL) | (1 << ALCHEMISTS_FIRE) | (1 << POPULATE) | (1 << UPRISING)
)  # fmt: skip
IN_BEFORE = OPEN_ABILITIES | (1 << CHANGE_OF_COURT) | (1 << ANOTHER_VOICE)  # W1
IN_SOURCE = (1 << SWOOP) | (1 << ARMADA)  # W2
IN_JOIN = (1 << VANGUARD) | (1 << GRAND_VANGUARD) | (1 << REINFORCEMENTS)  # W3
# W4, W5 (A53)
IN_AFTER = OPEN_ABILITIES | (1 << PRESS_ON) | (1 << SCORCHED_EARTH) | (1 << SUBJUGATE) | (1 << MIDNIGHT_OIL)


@rule
def in_window(point: int) -> int:
    """A9: the abilities that may be played at a decision point, as bits; none besides (A10, A56)."""
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
    if ability == PRESS_ON:  # C1
        return can_press_on(box, s, seat)
    if ability == CHANGE_OF_COURT:  # C2; A11: whether or not that seat has something to do
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
    if ability == SUBJUGATE:  # C13, A23
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
def offer_action_or_cards(box: Printed, s: State, seat: int, moves: Ints) -> int:
    """W1: an action of the seat, or a card first."""
    return offer_cards(box, s, seat, moves, offer_actions(box, s, seat, moves))


@rule
def offer_source_or_cards(box: Printed, s: State, seat: int, moves: Ints) -> int:
    """W2: where the attack starts, or a card that opens targets first (A65)."""
    return offer_sources(box, s, moves, offer_cards(box, s, seat, moves, 0))


@rule
def offer_more_cards(box: Printed, s: State, seat: int, moves: Ints) -> int:
    """W3, W4, W5: cards, or none."""
    moves[0] = DONE_MOVE
    return offer_cards(box, s, seat, moves, 1)


@rule
def announce(box: Printed, s: State, luck: Luck, seat: int, ability: int) -> None:
    """R15.2, R15.4: an ability of a card, in the window that is open."""
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
    """R15.2: the cards that may be paid now."""
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
def pay_card(box: Printed, s: State, luck: Luck, seat: int, face: int) -> None:
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
    elif ability == SUBJUGATE:  # C13, A23
        begin_adding(box, s, luck, s.killed)
    elif ability == POPULATE:
        begin_populating(box, s, luck)
    elif ability == MIDNIGHT_OIL:
        tell(luck, EVERYONE, REPEATS, s.last)
        finish(s)
        take_action(box, s, luck, seat, s.last)
    else:
        s.point = CHOOSE_REGION


# --- The replacements: Change of Court (Eagle) and Another Voice (Lion) -----------------------------------


@rule
def a_seat_is_vacant(s: State) -> bool:
    for post in range(POSTS):
        if s.agent[post] == NOBODY:
            return True
    return False


@rule
def may_be_used(box: Printed, s: State, seat: int, post: int, returning: int) -> bool:
    """C4, A14, A11: another seat one controls with something to do; an Attack may need a card (A52)."""
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
    """C2: any council seat without an agent (A57), none on the map (A42). C4: another seat one controls."""
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
def choose_post(box: Printed, s: State, luck: Luck, seat: int, post: int) -> None:
    """C2, C4, A15: from here on the empire of that seat is the active one.

    A12: the marker stays where it is; A13, A14: when it comes to that seat, the seat acts in its own time.
    """
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


# --- Midnight Oil -----------------------------------------------------------------------------------------


@rule
def midnight_oil_repeats(box: Printed, s: State, seat: int) -> bool:
    """C20, A18, A60: the last Add, Draw or Attack could be taken once more, after the cost is paid (A59)."""
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
