"""A War of Whispers by Jeremy Stoltzfus, for 2 to 4 players.

Five empires fight over forty regions; nobody owns one. Secret societies place agents on the seats of their
councils, act for them, and hold a hidden loyalty to each. After four rounds every empire's cities count for
everybody by that loyalty.

Options (default in brackets): advanced [no], R17, agents on the map; allow_pass [no], A1, A58; distinct_devout
[no], V1, no two players begin devoted to the same empire; point_per_hidden_loyalty [no], V2.

The numbers are those of `rulebook/en.md`: R for rules, A for rulings, V for variants. The chapters: rules_map.py
(R2, R7, R11), rules_hand.py (R8, R15.2-R15.5), rules_attack.py (R10), rules_council.py (R5-R9), rules_cards.py
(R15) and rules_banners.py (what abilities do with banners), rules_scoring.py (R16, R17), rules_secrets.py (what is
hidden). Here: the course of a round and the contract. A step that needs no decision leaves a point such as NEXT_SEAT
behind, and `go_on` takes it from there.
"""

from __future__ import annotations

from samizdat.games.war_of_whispers.box import Printed
from samizdat.games.war_of_whispers.rules_attack import (
    fight,
    may_send,
    offer_numbers,
    offer_sources,
    offer_targets,
    take_force,
    take_source,
    take_target,
)
from samizdat.games.war_of_whispers.rules_banners import (
    offer_empires,
    offer_fire,
    offer_lifting,
    offer_others,
    offer_placing,
    offer_regions,
    offer_some,
    take_empire,
    take_fire,
    take_lifting,
    take_other,
    take_placing,
    take_region,
    take_some,
)
from samizdat.games.war_of_whispers.rules_cards import (
    announce,
    offer_cards,
    offer_payment,
    offer_posts,
    take_payment,
    take_post,
)
from samizdat.games.war_of_whispers.rules_council import (
    action_of,
    begin_deployment,
    controller,
    exchange_seats,
    in_turn,
    offer_actions,
    offer_deployment,
    offer_exchange,
    offer_retrieval,
    some_action_available,
    take_action,
    take_deployment,
    take_retrieval,
)
from samizdat.games.war_of_whispers.rules_hand import cards_of, first_entry, forget_entry, in_hands, rule_out
from samizdat.games.war_of_whispers.rules_map import active_empire, check_supply
from samizdat.games.war_of_whispers.rules_scoring import end_game, score, swapped
from samizdat.games.war_of_whispers.rules_secrets import guess, hide
from samizdat.games.war_of_whispers.state import (
    ACT_MOVE,
    ACTION,
    ACTIVE,
    AFTER,
    BEFORE,
    BURN,
    CHOOSE_EMPIRE,
    CHOOSE_NUMBER,
    CHOOSE_OTHER,
    CHOOSE_POST,
    CHOOSE_REGION,
    COMBAT,
    DECK,
    DEPLOY,
    DISCARD_MOVE,
    DISCARDS,
    DISCARDS_CARD,
    DONE_MOVE,
    EMPIRE_MOVE,
    EMPIRES,
    EXCHANGE_SEAT,
    FORCE,
    FROM_MOVE,
    IDLE,
    IN_MOVE,
    JOIN,
    KEEPS_LOYALTY,
    LIFT,
    MARK_ROUND,
    MARKS,
    NEXT_ROUND,
    NEXT_SEAT,
    NOBODY,
    NOTHING,
    NOWHERE,
    NUMBER_MOVE,
    OVER,
    PASS_MOVE,
    PASSES,
    PAY,
    PAY_MOVE,
    PLACE,
    PLACE_MOVE,
    PLAY_MOVE,
    POSITIONS,
    POSTS,
    RESET,
    RETRIEVE,
    ROUND,
    SEAT_MOVE,
    SLOTS,
    SOURCE,
    SWAP_LOYALTY,
    SWAP_MOVE,
    SWAPS_LOYALTY,
    TARGET,
    TO_MOVE,
    VACANT,
    State,
)
from samizdat.kernel.luck import EVERYONE, Luck, draw, reveal, tell
from samizdat.kernel.records import Ints
from samizdat.kernel.rule import rule

__all__ = ["RULES_VERSION", "guess", "hide", "legal", "play", "score", "seats_to_act", "setup"]

RULES_VERSION = 2  # 1 had no window after a pass (A66), and Scorched Earth could strike twice (A55)


# --- R3 Setup ---------------------------------------------------------------------------------------------


@rule
def setup(box: Printed, s: State, luck: Luck) -> None:
    """R3.3-R3.6: reserves and decks, the printed banners, a first player, loyalty tokens face down."""
    for empire in range(EMPIRES):
        s.reserve[empire] = box.banners
        for entry in range(DECK):
            s.drawn[empire, entry] = NOBODY
    for region in range(box.regions):
        s.holder[region] = box.home[region]
        s.army[region] = box.start[region]
        s.reserve[box.home[region]] -= box.start[region]
    for post in range(POSTS):
        s.agent[post] = NOBODY
    clear_the_table(s)
    s.first = draw(luck, s.seats)
    deal_loyalties(s, luck)
    s.point = NEXT_ROUND
    go_on(box, s, luck)


@rule
def deal_loyalties(s: State, luck: Luck) -> None:
    """R3.6: five tokens on five slots, at random; V1: with the option, no Devout token twice."""
    taken = 0
    for seat in range(s.seats):
        for slot in range(SLOTS):
            s.loyalty[seat, slot] = slot
        if s.distinct_devout == 1:
            devout = draw(luck, EMPIRES - seat)
            for empire in range(EMPIRES):
                if (taken >> empire) & 1 == 0:
                    if devout == 0:
                        exchange_tokens(s, seat, 0, empire)
                        break
                    devout -= 1
            taken |= 1 << s.loyalty[seat, 0]
        for slot in range(s.distinct_devout, SLOTS - 1):
            exchange_tokens(s, seat, slot, slot + draw(luck, SLOTS - slot))
        s.sworn[seat] = s.loyalty[seat, 0]


@rule
def exchange_tokens(s: State, seat: int, slot: int, other: int) -> None:
    token = s.loyalty[seat, slot]
    s.loyalty[seat, slot] = s.loyalty[seat, other]
    s.loyalty[seat, other] = token


# --- R4 The round -----------------------------------------------------------------------------------------


@rule
def go_on(box: Printed, s: State, luck: Luck) -> None:
    """Do what needs no decision, until somebody must be asked. Whether a seat is asked is public (A62)."""
    while True:
        if s.point == NEXT_ROUND:
            begin_round(box, s, luck)
        elif s.point == NEXT_SEAT:
            next_seat(box, s, luck)
        elif s.point == BEFORE and idle(box, s):
            tell(luck, EVERYONE, IDLE, s.marker, s.player)
            s.point = NEXT_SEAT
        elif s.point == ACTION and idle(box, s):
            s.point = AFTER
        elif s.point == JOIN and cards_of(s, s.player) == 0:
            s.point = COMBAT
        elif s.point == COMBAT:
            fight(box, s, luck)
        elif s.point == AFTER and cards_of(s, s.player) == 0:
            s.point = NEXT_SEAT
        elif s.point == MARK_ROUND:
            mark_round(box, s, luck)
        elif s.point == RESET and s.shedding == 0:
            discard_together(box, s, luck)
        elif s.point == SWAP_LOYALTY and s.step == s.seats:
            s.point = NEXT_ROUND
        elif s.point == SWAP_LOYALTY and swapped(s, in_turn(s)) > SLOTS - 2:
            s.step += 1
        elif s.point == SWAP_LOYALTY:
            s.player = in_turn(s)
            return
        else:
            return


@rule
def begin_round(box: Printed, s: State, luck: Luck) -> None:
    """R4, R14: the next turn marker goes to Start."""
    s.rounds += 1
    clear_the_table(s)
    tell(luck, EVERYONE, ROUND, s.rounds, s.first)
    begin_deployment(box, s)


@rule
def clear_the_table(s: State) -> None:
    """Nothing is being resolved."""
    s.last = NOTHING
    s.ability = NOTHING
    s.paid = NOTHING
    s.used_on = NOWHERE
    s.source = NOWHERE
    s.target = NOWHERE
    s.attacked = NOWHERE
    s.left = 0
    s.killed = 0
    s.reach = 0
    s.window = 0
    s.colour = 0
    s.cursor = 0


# --- R6 Empire Turns --------------------------------------------------------------------------------------


@rule
def next_seat(box: Printed, s: State, luck: Luck) -> None:
    """R6.1, R6.2: the marker goes on; after a Chancellor the supply of that empire is checked (R6.5)."""
    clear_the_table(s)
    if s.marker % POSITIONS == POSITIONS - 1 and s.marker != NOBODY:
        check_supply(box, s, luck, s.marker // POSITIONS)
    s.marker += 1
    if s.marker == POSTS:
        s.marker = 0
        s.post = 0
        s.point = MARK_ROUND
        return
    s.post = s.marker
    owner = controller(s, s.marker)
    if owner == NOBODY:
        tell(luck, EVERYONE, VACANT, s.marker)
        return
    s.player = owner
    s.point = BEFORE
    tell(luck, EVERYONE, ACTIVE, s.marker, owner)


@rule
def idle(box: Printed, s: State) -> bool:
    """A62: the controller has no card, and the seat nothing to do."""
    return cards_of(s, s.player) == 0 and not some_action_available(box, s, s.post)


@rule
def offer_before(box: Printed, s: State, seat: int, moves: Ints) -> int:
    """Section 3, BEFORE: an action of the seat, or a card first."""
    return offer_cards(box, s, seat, moves, offer_actions(box, s, seat, s.post, moves))


@rule
def take_before(box: Printed, s: State, luck: Luck, seat: int, move: int) -> None:
    """R6.4, A66: after a seat that passes, cards can be played as after one that acts."""
    if move >= PLAY_MOVE:
        announce(s, luck, seat, move - PLAY_MOVE)
    elif move == PASS_MOVE:
        tell(luck, EVERYONE, PASSES, seat, s.post)
        s.point = NEXT_SEAT if s.rules == 1 and s.point == BEFORE else AFTER
    else:
        take_action(box, s, luck, seat, action_of(box, s.post, move - ACT_MOVE))


@rule
def offer_done(box: Printed, s: State, seat: int, moves: Ints) -> int:
    """Section 3, ATTACK_ADD and AFTER: cards, or none."""
    moves[0] = DONE_MOVE
    return offer_cards(box, s, seat, moves, 1)


# --- R12, R13 Mark the Round, Reset -----------------------------------------------------------------------


@rule
def mark_round(box: Printed, s: State, luck: Luck) -> None:
    """R12, A32: the first player token goes on; A33: after the last round the game ends here."""
    s.first = (s.first + 1) % s.seats
    tell(luck, EVERYONE, MARKS, s.rounds, s.first)
    if s.rounds == box.rounds:
        end_game(box, s, luck)
        return
    s.point = RESET
    s.step = 0
    for seat in range(s.seats):
        s.shed[seat] = 0
        if cards_of(s, seat) > box.hand_limit:
            s.shedding |= 1 << seat


@rule
def cards_left(box: Printed, s: State, seat: int, least: int) -> int:
    """Cards in a hand from face `least` on."""
    n = 0
    for face in range(least, box.faces):
        n += s.hand[seat, face]
    return n


@rule
def offer_discards(box: Printed, s: State, seat: int, moves: Ints) -> int:
    """R13: down to five cards, in the order of the cards (A64), as long as enough are left to discard."""
    excess = cards_left(box, s, seat, 0) - box.hand_limit
    n = 0
    for face in range(s.shed[seat], box.faces):
        if s.hand[seat, face] > 0 and cards_left(box, s, seat, face) >= excess:
            moves[n] = DISCARD_MOVE + face
            n += 1
    return n


@rule
def take_discard(box: Printed, s: State, luck: Luck, seat: int, face: int) -> None:
    """A39: everybody at once; nothing is seen of it before all have chosen."""
    rule_out(box, s, seat, seat, face, in_hands(s, box.deck[face]))
    s.hand[seat, face] -= 1
    s.shed[seat] = face
    tell(luck, 1 << seat, DISCARDS_CARD, seat, face)
    if cards_left(box, s, seat, 0) == box.hand_limit:
        s.shed[seat] = 0
        s.shedding &= ~(1 << seat)
        if s.shedding == 0:
            reveal(luck)


@rule
def discard_together(box: Printed, s: State, luck: Luck) -> None:
    """R13, A39: the discards go into their decks; their colours are seen, their faces are not."""
    for seat in range(s.seats):
        for empire in range(EMPIRES):
            kept = 0
            for face in range(box.faces):
                if box.deck[face] == empire:
                    kept += s.hand[seat, face]
            gone = s.held[seat, empire] - kept
            for _ in range(gone):
                forget_entry(box, s, empire, first_entry(s, seat, empire, 0))
            s.held[seat, empire] = kept
            if gone > 0:
                tell(luck, EVERYONE, DISCARDS, seat, empire, gone)
    s.point = SWAP_LOYALTY
    s.step = 0


# --- R14 Swap ---------------------------------------------------------------------------------------------


@rule
def offer_swaps(s: State, seat: int, moves: Ints) -> int:
    """R14, A49: one pair of tokens that lie face down, or none."""
    moves[0] = PASS_MOVE
    n = 1
    for slot in range(SLOTS):
        for other in range(slot + 1, SLOTS):
            if (s.shown[seat] >> slot) & 1 == 0 and (s.shown[seat] >> other) & 1 == 0:
                moves[n] = SWAP_MOVE + slot * SLOTS + other
                n += 1
    return n


@rule
def take_swap(s: State, luck: Luck, seat: int, move: int) -> None:
    """R14: both tokens change slots and lie face up for good."""
    if move == PASS_MOVE:
        tell(luck, EVERYONE, KEEPS_LOYALTY, seat)
    else:
        slot = (move - SWAP_MOVE) // SLOTS
        other = (move - SWAP_MOVE) % SLOTS
        exchange_tokens(s, seat, slot, other)
        s.shown[seat] |= (1 << slot) | (1 << other)
        reveal(luck)
        tell(luck, EVERYONE, SWAPS_LOYALTY, seat, slot, s.loyalty[seat, slot], other, s.loyalty[seat, other])
    s.step += 1


# --- The contract -----------------------------------------------------------------------------------------


@rule
def seats_to_act(s: State) -> int:
    """R13: everybody who still has to discard; otherwise the one whose decision it is (A8)."""
    if s.point == RESET:
        return s.shedding
    if s.point == OVER:
        return 0
    return 1 << s.player


@rule
def legal(box: Printed, s: State, seat: int, moves: Ints) -> int:
    point = s.point
    if point == BEFORE:
        return offer_before(box, s, seat, moves)
    if point in (AFTER, JOIN):
        return offer_done(box, s, seat, moves)
    if point == PLACE:
        return offer_placing(box, s, moves)
    if point == SOURCE:
        return offer_sources(box, s, moves, offer_cards(box, s, seat, moves, 0))
    if point == TARGET:
        return offer_targets(box, s, moves)
    if point == FORCE:
        return offer_numbers(may_send(box, s, active_empire(s), s.source), moves)
    if point == PAY:
        return offer_payment(box, s, seat, moves)
    if point == ACTION:
        return offer_actions(box, s, seat, s.post, moves)
    if point == EXCHANGE_SEAT:
        return offer_exchange(s, moves)
    return legal_rarer(box, s, seat, moves)


@rule
def legal_rarer(box: Printed, s: State, seat: int, moves: Ints) -> int:
    point = s.point
    if point == RETRIEVE:
        return offer_retrieval(box, s, seat, moves)
    if point == DEPLOY:
        return offer_deployment(box, s, seat, moves)
    if point == CHOOSE_POST:
        return offer_posts(box, s, seat, moves)
    if point == CHOOSE_EMPIRE:
        return offer_empires(box, s, moves)
    if point == CHOOSE_REGION:
        return offer_regions(box, s, moves)
    if point == CHOOSE_OTHER:
        return offer_others(box, s, moves)
    if point == CHOOSE_NUMBER:
        return offer_some(box, s, moves)
    if point == LIFT:
        return offer_lifting(box, s, moves)
    if point == BURN:
        return offer_fire(box, s, moves)
    if point == RESET:
        return offer_discards(box, s, seat, moves)
    return offer_swaps(s, seat, moves)


@rule
def play(box: Printed, s: State, luck: Luck, seat: int, move: int) -> None:
    point = s.point
    if point in (BEFORE, ACTION):
        take_before(box, s, luck, seat, move)
    elif (point in (AFTER, JOIN)) and move == DONE_MOVE:
        s.point = NEXT_SEAT if point == AFTER else COMBAT
    elif point in (AFTER, JOIN) or (point == SOURCE and move < PAY_MOVE):
        announce(s, luck, seat, move - PLAY_MOVE)
    elif point == SOURCE:
        take_source(s, move - FROM_MOVE)
    elif point == TARGET:
        take_target(s, move - TO_MOVE)
    elif point == FORCE:
        take_force(box, s, luck, move - NUMBER_MOVE + 1)
    elif point == PAY:
        take_payment(box, s, luck, seat, move - PAY_MOVE)
    elif point == PLACE:
        take_placing(box, s, luck, move - PLACE_MOVE)
    elif point == EXCHANGE_SEAT:
        exchange_seats(s, luck, move - SEAT_MOVE)
    else:
        play_rarer(box, s, luck, seat, move)
    go_on(box, s, luck)


@rule
def play_rarer(box: Printed, s: State, luck: Luck, seat: int, move: int) -> None:
    point = s.point
    if point == RETRIEVE:
        take_retrieval(box, s, luck, seat, move)
    elif point == DEPLOY:
        take_deployment(box, s, luck, seat, move)
    elif point == CHOOSE_POST:
        take_post(box, s, luck, seat, move - SEAT_MOVE)
    elif point == CHOOSE_EMPIRE:
        take_empire(s, move - EMPIRE_MOVE)
    elif point == CHOOSE_REGION:
        take_region(box, s, luck, move - (IN_MOVE if move >= IN_MOVE else FROM_MOVE))
    elif point == CHOOSE_OTHER:
        take_other(s, move - TO_MOVE)
    elif point == CHOOSE_NUMBER:
        take_some(box, s, luck, move - NUMBER_MOVE + 1)
    elif point == LIFT:
        take_lifting(box, s, luck, move)
    elif point == BURN:
        take_fire(box, s, luck, move)
    elif point == RESET:
        take_discard(box, s, luck, seat, move - DISCARD_MOVE)
    else:
        take_swap(s, luck, seat, move)
