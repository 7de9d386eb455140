"""A War of Whispers: what holds after every decision; nothing is created, nothing is lost."""

from __future__ import annotations

from samizdat.games.war_of_whispers.box import Printed
from samizdat.games.war_of_whispers.rules_council import on_map
from samizdat.games.war_of_whispers.rules_hand import cards_of, in_hands
from samizdat.games.war_of_whispers.rules_map import active_empire
from samizdat.games.war_of_whispers.rules_scoring import final_points
from samizdat.games.war_of_whispers.state import (
    AFTER,
    BEFORE,
    BURN,
    CHOOSE_REGION,
    COPIES,
    DECK,
    DEPLOY,
    DISPERSAL,
    EMPIRES,
    FACES,
    FORCE,
    FORCED_MARCH,
    JOIN,
    LIFT,
    NOBODY,
    NOTHING,
    NOWHERE,
    OVER,
    PAY,
    PLACE,
    POSTS,
    REDEPLOYMENT,
    RESET,
    RETRIEVE,
    SEATS,
    SLOTS,
    SOURCE,
    SWAP_LOYALTY,
    TARGET,
    State,
)
from samizdat.kernel.bits import size
from samizdat.kernel.rule import rule

LAWS = (
    "every law holds",
    "R2.1: an empire's banners are on the map, in its reserve, in an attack or in the hand that moves them",
    "R2.3: a region without banners belongs to its home empire",
    "R5: a society has as many agents on the board as it has placed and not taken back",
    "R17.2: no society has too many agents on the map, and none without the advanced rule",
    "R3.6: every player has one token of each empire on the five slots",
    "R14: tokens are turned up in pairs, two at a time",
    "R3.3: no more copies of a card are in hands than there are",
    "A38: the cards in a hand are those that everybody sees it holds",
    "A63: the order of draws names the holders of the cards in hands",
    "A63: no more is ruled out than there are cards in hands",
    "A55: no more is left of an attack than stands in its target",
    "nobody is asked where nothing is to be decided",
    "V1: the Devout tokens of the deal are all different",
    "R13: nobody begins a round, or ends the Reset, with more cards than the limit",
    "R16: the points at the end are those of the board",
    "before a seat acts, and between the turns of the empires, nothing is being resolved",
    "R15.4: what belongs to a card is empty when none is being resolved",
    "R10: what belongs to an attack is empty when there is none",
    "R5, R13, R14, R16: what belongs to another phase, or to a seat that nobody has, is empty",
)


@rule
def broken(box: Printed, s: State) -> int:
    law = broken_map(box, s)
    if law == 0:
        law = broken_agents(box, s)
    if law == 0:
        law = broken_loyalty(s)
    if law == 0:
        law = broken_cards(box, s)
    if law == 0 and s.point > OVER:
        law = 12
    if law == 0:
        law = broken_rest(box, s)
    if law == 0 and s.point == OVER:
        for seat in range(s.seats):
            if s.points[seat] != final_points(box, s, seat):
                law = 15
    return law


@rule
def broken_map(box: Printed, s: State) -> int:
    for empire in range(EMPIRES):
        banners = s.reserve[empire]
        for region in range(box.regions):
            if s.holder[region] == empire:
                banners += s.army[region]
        if s.force > 0 and empire == active_empire(s):
            banners += s.force
        if s.ability == DISPERSAL or s.ability == REDEPLOYMENT:
            if empire == s.colour and s.point != BURN:
                banners += s.todo
        if banners != box.banners:
            return 1
    for region in range(box.regions):
        if s.army[region] == 0 and s.holder[region] != box.home[region]:
            return 2
    if s.point == AFTER and s.attacked >= 0 and s.left > s.army[s.attacked]:
        return 11
    return 0


@rule
def agents_due(box: Printed, s: State, seat: int) -> int:
    """R5: how many agents a society has on the board now."""
    each = box.deploys[s.seats]
    due = (s.rounds - 1) * each - max(0, s.rounds - 2)
    if s.point == RETRIEVE or s.point == DEPLOY:
        turn = (seat - s.first + s.seats) % s.seats
        if s.point == DEPLOY:
            due += (s.step - turn + s.seats - 1) // s.seats
        if s.rounds > 1 and (s.point == DEPLOY or s.step > turn):
            due -= 1
        return due
    return due + each - (1 if s.rounds > 1 else 0)


@rule
def broken_agents(box: Printed, s: State) -> int:
    for seat in range(s.seats):
        agents = on_map(s, seat)
        if agents > (box.agents_on_map if s.advanced == 1 else 0):
            return 4
        for post in range(POSTS):
            if s.agent[post] == seat:
                agents += 1
        if agents != agents_due(box, s, seat):
            return 3
    return 0


@rule
def broken_loyalty(s: State) -> int:
    devouts = 0
    for seat in range(s.seats):
        tokens = 0
        for slot in range(SLOTS):
            if s.loyalty[seat, slot] != NOBODY:
                tokens |= 1 << s.loyalty[seat, slot]
        if tokens != (1 << EMPIRES) - 1:
            return 5
        if size(s.shown[seat]) % 2 == 1:
            return 6
        if s.sworn[seat] == NOBODY or (s.shown[seat] & 1 == 0 and s.sworn[seat] != s.loyalty[seat, 0]):
            return 13
        if s.distinct_devout == 1:
            if (devouts >> s.sworn[seat]) & 1:
                return 13
            devouts |= 1 << s.sworn[seat]
    return 0


@rule
def broken_cards(box: Printed, s: State) -> int:
    for face in range(box.faces):
        copies = 0
        for seat in range(s.seats):
            copies += s.hand[seat, face]
        if copies > box.copies[face]:
            return 7
        for knower in range(SEATS + 1):
            for copy in range(COPIES):
                if s.ruled_out[knower, face, copy] > in_hands(s, box.deck[face]):
                    return 10
    for seat in range(s.seats):
        law = broken_hand(box, s, seat)
        if law:
            return law
    return 0


@rule
def broken_hand(box: Printed, s: State, seat: int) -> int:
    cards = 0
    for empire in range(EMPIRES):
        here = 0
        for face in range(box.faces):
            if box.deck[face] == empire:
                here += s.hand[seat, face]
        cards += here
        if here > s.held[seat, empire] or (s.point != RESET and here != s.held[seat, empire]):
            return 8
        entries = 0
        for entry in range(DECK):
            if s.drawn[empire, entry] == seat:
                entries += 1
            if (s.drawn[empire, entry] == NOBODY) != (entry >= in_hands(s, empire)):
                return 9
        if entries != s.held[seat, empire]:
            return 9
    if s.point == RESET and cards_of(s, seat) > box.hand_limit:
        if (cards > box.hand_limit) != ((s.shedding >> seat) & 1 == 1):
            return 8
    elif s.point == RESET or s.point == RETRIEVE or s.point == DEPLOY:
        if cards > box.hand_limit:
            return 14
    if s.point == PLACE and s.todo == 0:
        return 12
    return 0


# --- Fields that are not in use are empty -----------------------------------------------------------------

# A record is the key of its place in the trees of search and enumeration, so two of them that mean the same should be
# the same. Four fields keep what they held last, as positions stored earlier do: `window` and `colour` within an
# activation, `reach` until the attack is resolved, and `player` where nobody in particular decides.


@rule
def broken_rest(box: Printed, s: State) -> int:
    if s.point < BEFORE or s.point > BURN:
        if s.marker != 0 or s.post != 0 or s.window != 0 or s.colour != 0 or s.last != NOTHING:
            return 16
    card = s.point >= PAY and s.point <= BURN and (s.point != PLACE or s.ability != NOTHING)
    at = s.window if card else s.point
    if at < SOURCE and s.last != NOTHING:
        return 16
    if s.point != PLACE and s.point != BURN and s.point != LIFT:
        if s.todo != 0 or s.cursor != 0:
            return 17
    if s.lifted != 0 and s.ability != REDEPLOYMENT:
        return 17
    if not card and (s.ability != NOTHING or s.used_on != NOWHERE):
        return 17
    if s.paid != NOTHING and s.point != PAY:
        return 17
    if s.used_on != NOWHERE and (s.point == PAY or s.point <= CHOOSE_REGION or s.point == LIFT):
        return 17
    law = broken_attack(s, at)
    if law == 0:
        law = broken_phases(box, s)
    return law


@rule
def broken_attack(s: State, at: int) -> int:
    """`at` is the point the attack has come to; while a card is resolved, the one at which it was played."""
    declared = at >= SOURCE and at <= JOIN
    if (at == JOIN) != (s.force != 0):
        return 18
    marching = s.ability == FORCED_MARCH
    if s.source != NOWHERE and at != TARGET and at != FORCE and at != JOIN and not marching:
        return 18
    if s.target != NOWHERE and at != FORCE and at != JOIN and not marching:
        return 18
    if (s.pressed != 0 and (not declared or at == JOIN)) or (s.reach != 0 and not declared):
        return 18
    if s.killed != 0 and at != AFTER:
        return 18
    if s.attacked == NOWHERE:
        return 18 if s.left != 0 or s.killed != 0 or s.pressed != 0 else 0
    return 0 if at == AFTER or s.pressed == 1 else 18


@rule
def broken_phases(box: Printed, s: State) -> int:
    if s.step != 0 and s.point != RETRIEVE and s.point != DEPLOY and s.point != SWAP_LOYALTY:
        return 19
    if (s.point == RESET) != (s.shedding != 0) or (s.point != OVER and s.reason != 0):
        return 19
    for empire in range(EMPIRES):
        if s.cities[empire] != 0 and s.point != OVER:
            return 19
    for seat in range(SEATS):
        if s.shed[seat] != 0 and (s.shedding >> seat) & 1 == 0:
            return 19
        if s.points[seat] != 0 and (s.point != OVER or seat >= s.seats):
            return 19
        if seat >= s.seats and not nobodys(s, seat):
            return 19
    return 0


@rule
def nobodys(s: State, seat: int) -> bool:
    """A seat without a player has nothing and knows what everybody knows."""
    if s.stationed[seat] != 0 or s.shown[seat] != 0 or s.sworn[seat] != 0 or cards_of(s, seat) != 0:
        return False
    for slot in range(SLOTS):
        if s.loyalty[seat, slot] != 0:
            return False
    for face in range(FACES):
        if s.hand[seat, face] != 0:
            return False
        for copy in range(COPIES):
            if s.ruled_out[seat, face, copy] != s.ruled_out[SEATS, face, copy]:
                return False
    return True
