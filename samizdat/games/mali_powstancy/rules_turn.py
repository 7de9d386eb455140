"""Mali Powstańcy, 2.5 and 2.6: the movement phase, from the secret choice of cards to the end of the last turn."""

from __future__ import annotations

from samizdat.games.mali_powstancy.box import Printed
from samizdat.games.mali_powstancy.rules_actions import (
    offer_action,
)
from samizdat.games.mali_powstancy.rules_map import carrier, is_closed
from samizdat.games.mali_powstancy.rules_movement import offer_jumps, offer_steps
from samizdat.games.mali_powstancy.rules_orders import arrive, is_active, let_go
from samizdat.games.mali_powstancy.rules_soldier import soldier_phase
from samizdat.games.mali_powstancy.state import (
    DROP,
    DROPS,
    END,
    ENTER,
    ENTERS,
    ENTRY,
    HAND,
    HAS_CHOSEN,
    NONE,
    ORDERS,
    PLAY_CARD,
    SCOUTS,
    SHOWS_CARD,
    TAKE,
    TAKES,
    TURN,
    TURN_BEGINS,
    TURN_ENDS,
    State,
)
from samizdat.kernel.luck import EVERYONE, Luck, reveal, tell
from samizdat.kernel.records import Ints
from samizdat.kernel.rule import rule

# --- 2.5.1, 2.5.2 Movement cards ------------------------------------------------------------------------------


@rule
def offer_card(box: Printed, s: State, seat: int, moves: Ints) -> int:
    """2.5.1: one card from the hand."""
    n = 0
    for card in range(box.cards):
        if (s.hand[seat] >> card) & 1:
            moves[n] = PLAY_CARD + card
            n += 1
    return n


@rule
def choose_card(box: Printed, s: State, luck: Luck, seat: int, card: int) -> None:
    """2.5.1: the choice is secret until the last one is made; then all are revealed and the first player acts."""
    s.chosen[seat] = card
    s.ready |= 1 << seat
    tell(luck, EVERYONE, HAS_CHOSEN, seat)
    if s.ready == (1 << s.seats) - 1:
        reveal(luck)
        line_up(box, s, luck)
        begin_turn(box, s, luck)


@rule
def line_up(box: Printed, s: State, luck: Luck) -> None:
    """2.5.2: ascending cards; equal ones clockwise from the start player. 2.5.9: the cards leave the hands."""
    turn = 0
    for card in range(box.cards):
        for place in range(s.seats):
            seat = (s.start_player + place) % s.seats
            if s.chosen[seat] == card:
                s.order[turn] = seat
                s.hand[seat] &= ~(1 << card)
                tell(luck, EVERYONE, SHOWS_CARD, seat, card)
                turn += 1


@rule
def begin_turn(box: Printed, s: State, luck: Luck) -> None:
    """2.5.3: as many movement points as the card shows; 2.5.4: escaped scouts come first."""
    seat = s.order[s.acting]
    s.chooser = seat
    s.points_left = box.card_points[s.chosen[seat]]
    s.spent = 0
    s.jumps = 0
    s.acted = 0
    s.taken = 0
    s.dropped = 0
    s.point = TURN if escaped(s, seat) == NONE else ENTRY
    tell(luck, EVERYONE, TURN_BEGINS, seat, s.points_left)


@rule
def end_turn(box: Printed, s: State, luck: Luck, seat: int, which: int) -> None:
    """2.5.3: unused points are lost. 2.3: after the last turn comes the soldier."""
    tell(luck, EVERYONE, TURN_ENDS, seat, s.points_left)
    s.points_left = 0
    s.acting += 1
    if s.acting < s.seats:
        begin_turn(box, s, luck)
    else:
        soldier_phase(box, s, luck)


# --- 2.5.4 Escaped scouts -------------------------------------------------------------------------------------


@rule
def escaped(s: State, seat: int) -> int:
    """2.7.1: the first scout in the owner's hand, or NONE; in which order they enter makes no difference."""
    for scout in range(SCOUTS):
        if s.at[seat, scout] == HAND:
            return scout
    return NONE


@rule
def offer_entry(box: Printed, s: State, seat: int, moves: Ints) -> int:
    """2.5.4, A21: anywhere but on the soldier's space or a blocked route."""
    n = 0
    for space in range(box.spaces):
        if space != s.soldier and not is_closed(box, s, space):
            moves[n] = ENTER + space
            n += 1
    return n


@rule
def put_back(box: Printed, s: State, luck: Luck, seat: int, space: int) -> None:
    """2.5.4: one escaped scout after another."""
    scout = escaped(s, seat)
    tell(luck, EVERYONE, ENTERS, seat, scout, space)
    arrive(box, s, luck, seat, scout, space)
    if escaped(s, seat) == NONE:
        s.point = TURN


# --- 2.5.3, 2.6 A turn ----------------------------------------------------------------------------------------


@rule
def may_take(box: Printed, s: State, seat: int, scout: int, order: int) -> bool:
    """2.6.1, 2.6.2: a scout with free hands on the origin of an active order that no scout of its team carries.

    A58: a team takes each order at most once in a turn."""
    return (
        s.at[seat, scout] == box.origin[order]
        and s.carries[seat, scout] == NONE
        and is_active(s, order)
        and (s.taken >> order) & 1 == 0
        and carrier(s, seat, order) == NONE
    )


@rule
def may_drop(s: State, seat: int, scout: int) -> bool:
    """2.6.3; A58: a team drops each order at most once in a turn."""
    order = s.carries[seat, scout]
    return order != NONE and (s.dropped >> order) & 1 == 0


@rule
def offer_turn(box: Printed, s: State, seat: int, moves: Ints) -> int:
    """2.5.3, 2.6, 2.11.1: end the turn; take, drop, step, jump; use the card's action.

    A20, A60: orders are taken and dropped here and nowhere else; A19: between two steps, too.
    """
    moves[0] = END
    n = 1
    for scout in range(SCOUTS):
        space = s.at[seat, scout]
        if space >= 0 and space < box.locations and s.carries[seat, scout] == NONE:
            for i in range(box.starting[space]):
                order = box.order_from[space, i]
                if may_take(box, s, seat, scout, order):
                    moves[n] = TAKE + scout * ORDERS + order
                    n += 1
    for scout in range(SCOUTS):
        if may_drop(s, seat, scout):
            moves[n] = DROP + scout
            n += 1
    if s.points_left > 0:
        for scout in range(SCOUTS):
            n = offer_steps(box, s, seat, scout, moves, n)
        for scout in range(SCOUTS):
            n = offer_jumps(box, s, seat, scout, moves, n)
    return offer_action(box, s, seat, moves, n)


@rule
def take_order(box: Printed, s: State, luck: Luck, seat: int, which: int) -> None:
    """2.6.1: the tile goes on the card."""
    scout = which // ORDERS
    order = which % ORDERS
    s.carries[seat, scout] = order
    s.taken |= 1 << order
    tell(luck, EVERYONE, TAKES, seat, scout, order)


@rule
def drop_order(box: Printed, s: State, luck: Luck, seat: int, scout: int) -> None:
    """2.6.3: the tile comes back."""
    order = s.carries[seat, scout]
    s.dropped |= 1 << order
    tell(luck, EVERYONE, DROPS, seat, scout, order)
    let_go(box, s, luck, seat, scout)
