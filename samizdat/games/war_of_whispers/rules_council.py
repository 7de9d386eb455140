"""A War of Whispers, R5 to R9: agents, council seats and their actions."""

from __future__ import annotations

from samizdat.games.war_of_whispers.box import CHOICES, Printed
from samizdat.games.war_of_whispers.rules_attack import attack_can_be_opened, attack_possible, begin_attack
from samizdat.games.war_of_whispers.rules_hand import deck_size, draw_cards
from samizdat.games.war_of_whispers.rules_map import active_empire, amount, controls_any, put
from samizdat.games.war_of_whispers.state import (
    ACT_MOVE,
    ACTION,
    ADD,
    ADDS,
    AFTER,
    ATTACK,
    BEFORE,
    DEPLOY,
    DEPLOY_MOVE,
    DEPLOYS,
    DRAW,
    EXCHANGE_SEAT,
    NEXT_SEAT,
    NOBODY,
    NOTHING,
    NOWHERE,
    PASS_MOVE,
    PASSES,
    PLACE,
    PLACE_MOVE,
    PLACES,
    POSITIONS,
    POSTS,
    RECALL_MOVE,
    RECALLS,
    RETRIEVE,
    RETRIEVE_MOVE,
    RETRIEVES,
    SEAT_MOVE,
    STATION_MOVE,
    STATIONS,
    SWAP_AGENT,
    SWAPS_SEATS,
    State,
)
from samizdat.kernel.bits import size
from samizdat.kernel.luck import EVERYONE, Luck, tell
from samizdat.kernel.records import Ints
from samizdat.kernel.rule import rule

# --- R5 Deploy Agents -------------------------------------------------------------------------------------


@rule
def in_turn(s: State) -> int:
    """R5, R14: whose turn it is in a phase that goes clockwise from the first player."""
    return (s.first + s.step) % s.seats


@rule
def has_agent(s: State, seat: int) -> bool:
    if s.stationed[seat] != 0:
        return True
    for post in range(POSTS):
        if s.agent[post] == seat:
            return True
    return False


@rule
def begin_deployment(box: Printed, s: State) -> None:
    """R5.1, A36: from the second round on everybody first takes back an agent."""
    s.step = 0
    s.point = RETRIEVE
    if s.rounds == 1:
        s.step = s.seats
    next_retrieval(box, s)


@rule
def next_retrieval(box: Printed, s: State) -> None:
    """R5.1: whoever has no agent on the board takes none back."""
    while s.step < s.seats and not has_agent(s, in_turn(s)):
        s.step += 1
    if s.step < s.seats:
        s.player = in_turn(s)
    else:
        s.step = 0
        s.point = DEPLOY
        s.player = in_turn(s)


@rule
def offer_retrieval(box: Printed, s: State, seat: int, moves: Ints) -> int:
    """R5.1, R17.4: any of one's own agents, on a seat or on the map."""
    n = 0
    for post in range(POSTS):
        if s.agent[post] == seat:
            moves[n] = RETRIEVE_MOVE + post
            n += 1
    if s.stationed[seat] != 0:
        for region in range(box.regions):
            if (s.stationed[seat] >> region) & 1:
                moves[n] = RECALL_MOVE + region
                n += 1
    return n


@rule
def retrieve_from_seat(box: Printed, s: State, luck: Luck, seat: int, post: int) -> None:
    """R5.1; R5.3: the others stay where they are."""
    s.agent[post] = NOBODY
    tell(luck, EVERYONE, RETRIEVES, seat, post)
    s.step += 1
    next_retrieval(box, s)


@rule
def retrieve_from_map(box: Printed, s: State, luck: Luck, seat: int, region: int) -> None:
    """R17.4: as from a council seat."""
    s.stationed[seat] &= ~(1 << region)
    tell(luck, EVERYONE, RECALLS, seat, region)
    s.step += 1
    next_retrieval(box, s)


@rule
def on_map(s: State, seat: int) -> int:
    """R17.2: how many agents of a society stand on the map."""
    return size(s.stationed[seat])


@rule
def offer_deployment(box: Printed, s: State, seat: int, moves: Ints) -> int:
    """R5.2: any seat without an agent (A37). R17.1, R17.2, A43: or a region, within two in all and one each."""
    n = 0
    for post in range(POSTS):
        if s.agent[post] == NOBODY:
            moves[n] = DEPLOY_MOVE + post
            n += 1
    if s.advanced == 1 and on_map(s, seat) < box.agents_on_map:
        for region in range(box.regions):
            if (s.stationed[seat] >> region) & 1 == 0:
                moves[n] = STATION_MOVE + region
                n += 1
    return n


@rule
def deploy_to_seat(box: Printed, s: State, luck: Luck, seat: int, post: int) -> None:
    """R5.2."""
    s.agent[post] = seat
    tell(luck, EVERYONE, DEPLOYS, seat, post)
    next_deployment(box, s)


@rule
def deploy_to_map(box: Printed, s: State, luck: Luck, seat: int, region: int) -> None:
    """R17.1: whatever else is there."""
    s.stationed[seat] |= 1 << region
    tell(luck, EVERYONE, STATIONS, seat, region)
    next_deployment(box, s)


@rule
def next_deployment(box: Printed, s: State) -> None:
    """R5.2, R18: in turns, until everybody has placed all agents of this round; then the empires act (R6)."""
    s.step += 1
    if s.step < s.seats * box.deploys[s.seats]:
        s.player = in_turn(s)
    else:
        s.step = 0
        s.marker = NOBODY
        s.point = NEXT_SEAT


# --- R6 Seats and who controls them -----------------------------------------------------------------------


@rule
def active_agent(s: State, post: int) -> int:
    """R2.8: the council seat of the agent that gives control of a seat, on it or further on; NOBODY if none.

    A42: an agent on the map is never active.
    """
    for further in range(post, (post // POSITIONS + 1) * POSITIONS):
        if s.agent[further] != NOBODY:
            return further
    return NOBODY


@rule
def controller(s: State, post: int) -> int:
    """R6.3: who controls a seat, from the agents as they stand now."""
    place = active_agent(s, post)
    if place == NOBODY:
        return NOBODY
    return s.agent[place]


@rule
def action_of(box: Printed, post: int, kind: int) -> int:
    """R6.4: the action of this kind that a seat offers, or NOTHING."""
    for choice in range(CHOICES):
        action = box.action[post, choice]
        if action != NOTHING and box.kind[action] == kind:
            return action
    return NOTHING


@rule
def formula_available(box: Printed, s: State, empire: int, action: int, returning: int) -> bool:
    """R7.3, R8, A2, A7: an Add or Draw that would do something; `returning` cards of that deck are being paid."""
    if box.kind[action] == ADD:
        return s.reserve[empire] > 0 and controls_any(box, s, empire) and amount(box, s, empire, action) > 0
    return deck_size(box, s, empire) + returning > 0 and amount(box, s, empire, action) > 0


@rule
def action_available(box: Printed, s: State, post: int, action: int) -> bool:
    """A52: possible without a card. Whoever controls a Chancellor has an agent on it to swap (R9.1)."""
    kind = box.kind[action]
    if kind == ATTACK:
        return attack_possible(box, s, post // POSITIONS, 0)
    if kind == SWAP_AGENT:
        return True
    return formula_available(box, s, post // POSITIONS, action, 0)


@rule
def some_action_available(box: Printed, s: State, post: int) -> bool:
    for choice in range(CHOICES):
        action = box.action[post, choice]
        if action != NOTHING and action_available(box, s, post, action):
            return True
    return False


@rule
def offer_actions(box: Printed, s: State, seat: int, moves: Ints) -> int:
    """R6.4, A1, A2: an action that does something must be taken; A52: one that needs a card first may be.

    "pass" where nothing must be done, or where the option allows it (A58).
    """
    n = 1
    must = False
    for choice in range(CHOICES):
        action = box.action[s.post, choice]
        if action == NOTHING:
            continue
        kind = box.kind[action]
        if action_available(box, s, s.post, action):
            must = True
            moves[n] = ACT_MOVE + kind
            n += 1
        elif kind == ATTACK and attack_can_be_opened(box, s, seat, active_empire(s)):
            moves[n] = ACT_MOVE + kind
            n += 1
    if not must or s.allow_pass == 1:
        moves[0] = PASS_MOVE
        return n
    for i in range(1, n):
        moves[i - 1] = moves[i]
    return n - 1


@rule
def pass_by(box: Printed, s: State, luck: Luck, seat: int, which: int) -> None:
    """A66: after a seat that takes no action, cards can be played as after one that acts."""
    tell(luck, EVERYONE, PASSES, seat, s.post)
    s.point = NEXT_SEAT if s.rules == 1 and s.point == BEFORE else AFTER


@rule
def choose_action(box: Printed, s: State, luck: Luck, seat: int, kind: int) -> None:
    """R6.4: one of the seat's actions."""
    take_action(box, s, luck, seat, action_of(box, s.post, kind))


@rule
def take_action(box: Printed, s: State, luck: Luck, seat: int, action: int) -> None:
    """R6.4: the seat at `post` does this for its empire."""
    kind = box.kind[action]
    if kind == SWAP_AGENT:
        s.last = NOTHING
        s.point = EXCHANGE_SEAT
        return
    s.last = action
    s.attacked = NOWHERE
    s.left = 0
    s.killed = 0
    empire = active_empire(s)
    s.window = AFTER
    if kind == ADD:
        begin_adding(box, s, luck, amount(box, s, empire, action))
    elif kind == DRAW:
        draw_cards(box, s, luck, seat, empire, amount(box, s, empire, action))
        s.point = AFTER
    else:
        begin_attack(s)


# --- R7 Add Banners ---------------------------------------------------------------------------------------


@rule
def begin_adding(box: Printed, s: State, luck: Luck, banners: int) -> None:
    """R7.3: as many as the reserve has."""
    empire = active_empire(s)
    s.colour = empire
    s.todo = min(banners, s.reserve[empire])
    s.cursor = 0
    s.point = PLACE
    tell(luck, EVERYONE, ADDS, empire, s.todo)


@rule
def offer_adding(box: Printed, s: State, moves: Ints) -> int:
    """R7.2, A3, A4: any region the empire controls, one banner after the other, in the order of the regions (A64)."""
    n = 0
    for region in range(s.cursor, box.regions):
        if s.holder[region] == s.colour:
            moves[n] = PLACE_MOVE + region
            n += 1
    return n


@rule
def add_banner(box: Printed, s: State, luck: Luck, region: int) -> None:
    """R7.2: from the reserve."""
    put(box, s, region, 1)
    tell(luck, EVERYONE, PLACES, s.colour, region, 1)
    s.cursor = region
    s.todo -= 1


# --- R9 Swap Agent ----------------------------------------------------------------------------------------


@rule
def offer_exchange(box: Printed, s: State, seat: int, moves: Ints) -> int:
    """R9.1, A17: any other seat of the same council."""
    n = 0
    first = s.post // POSITIONS * POSITIONS
    for post in range(first, first + POSITIONS):
        if post != s.post:
            moves[n] = SEAT_MOVE + post
            n += 1
    return n


@rule
def exchange_seats(box: Printed, s: State, luck: Luck, seat: int, post: int) -> None:
    """R9.1: the two agents change places; R9.2: the seat moved to acts at once, for the same empire.

    R9.3: the marker stays where it is, so that the Chancellor's turn is over after this (A17).
    """
    mover = s.agent[s.post]
    other = s.agent[post]
    s.agent[s.post] = other
    s.agent[post] = mover
    tell(luck, EVERYONE, SWAPS_SEATS, mover, s.post, post, other)
    s.post = post
    s.point = ACTION
