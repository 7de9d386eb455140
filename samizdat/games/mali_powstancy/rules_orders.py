"""Mali Powstańcy, 2.3, 2.4 and 2.6: the round, the deck, and what scouts do with orders.

The deck is shuffled by drawing: a card that nobody has seen is equally likely to be any of those that nobody has
seen. So the record holds how many cards lie where, and which ones only if somebody has looked (2.11.5).
"""

from __future__ import annotations

from samizdat.games.mali_powstancy.box import Printed
from samizdat.games.mali_powstancy.rules_map import is_carried, return_tiles
from samizdat.games.mali_powstancy.state import (
    CARD,
    DELIVERED,
    DELIVERS,
    DUE,
    EARNS,
    FOR_ANOTHER,
    GONE,
    IN_DECK,
    NO_ORDERS,
    NONE,
    QUEUE,
    REMOVES,
    REVEALS,
    ROUND,
    UNSEEN,
    VICTORY_APPEARS,
    State,
)
from samizdat.kernel.luck import EVERYONE, Luck, draw, reveal, tell
from samizdat.kernel.rule import rule

# --- The deck -----------------------------------------------------------------------------------------------


@rule
def unseen_order(box: Printed, s: State, luck: Luck) -> int:
    """2.2.3, 2.10.2: the next card of a shuffled deck."""
    left = 0
    for order in range(box.orders):
        if s.place[order] == UNSEEN:
            left += 1
    skip = draw(luck, left)
    order = 0
    while s.place[order] != UNSEEN or skip > 0:
        if s.place[order] == UNSEEN:
            skip -= 1
        order += 1
    return order


@rule
def forget_first(s: State) -> int:
    """2.11.5: the first of the cards that were looked at leaves the deck."""
    order = s.top[0]
    s.looked -= 1
    for i in range(s.looked):
        s.top[i] = s.top[i + 1]
    s.top[s.looked] = NONE
    for seat in range(s.seats):
        if s.seen[seat] > 0:
            s.seen[seat] -= 1
    if s.looked == 0:
        s.looked_fallen = 0
    return order


@rule
def victory_is_next(s: State) -> bool:
    """2.10.2: everything above the Victory card has been drawn."""
    return s.victory == IN_DECK and s.above == 0


@rule
def take_top(box: Printed, s: State, luck: Luck) -> int:
    """The order on top of the deck, which is neither empty nor topped by the Victory card; A27: once that is out, one
    of those that lay under it."""
    if s.above > 0:
        s.above -= 1
    else:
        s.under -= 1
    if s.looked > 0:
        reveal(luck)
        return forget_first(s)
    return unseen_order(box, s, luck)


@rule
def names_fallen(box: Printed, order: int, fallen: int) -> bool:
    """2.12.3e: the order comes from or goes to one of these districts."""
    return box.names[order] & fallen != 0


@rule
def reveal_order(box: Printed, s: State, luck: Luck, why: int) -> None:
    """2.4.1, A32: one card from the deck into space 1. Cards that name a fallen district make way for the next
    (A33); the Victory card counts as the card that was due (A28, A29, A54); an empty deck gives nothing (A34)."""
    while True:
        if victory_is_next(s):
            s.victory = 1
            tell(luck, EVERYONE, VICTORY_APPEARS)
            reveal(luck)
            return
        if s.above + s.under == 0:
            return
        order = take_top(box, s, luck)
        if not names_fallen(box, order, s.fallen):
            s.place[order] = 1
            tell(luck, EVERYONE, REVEALS, order, why)
            return
        s.place[order] = GONE
        tell(luck, EVERYONE, REMOVES, order)


# --- 2.3, 2.4 Round and Orders phase --------------------------------------------------------------------------


@rule
def orders_due(box: Printed, s: State, number: int) -> int:
    """2.4.1: cards to reveal in the Orders phase of a round; 2.4.2, A23: no more than there are; 2.13.1: none once
    the Victory card is out."""
    if s.victory > IN_DECK:
        return 0
    left = s.above + s.under
    if s.victory == IN_DECK:
        left += 1
    return min(box.draws[s.variant, s.seats, number % 2], left)


@rule
def begin_round(box: Printed, s: State, luck: Luck) -> None:
    """2.3, 2.4: the Orders phase; 2.5.9: cards come back when all are played; then 2.5.1."""
    s.rounds += 1
    tell(luck, EVERYONE, ROUND, s.rounds)
    due = orders_due(box, s, s.rounds)
    if due == 0:
        tell(luck, EVERYONE, NO_ORDERS, 1 if s.victory > IN_DECK else 0)
    for _ in range(due):
        reveal_order(box, s, luck, DUE)
    for seat in range(s.seats):
        if s.hand[seat] == 0:
            s.hand[seat] = (1 << box.cards) - 1
        s.chosen[seat] = NONE
    s.ready = 0
    s.acting = 0
    s.point = CARD


# --- 2.6 Taking, dropping, delivering -------------------------------------------------------------------------


@rule
def is_active(s: State, order: int) -> bool:
    """2.1.6: it lies in the queue."""
    return s.place[order] >= 1 and s.place[order] <= QUEUE


@rule
def arrive(box: Printed, s: State, luck: Luck, seat: int, scout: int, space: int) -> None:
    """2.6.4: a scout that reaches the destination of its order delivers it at once."""
    s.at[seat, scout] = space
    order = s.carries[seat, scout]
    if order != NONE and box.destination[order] == space:
        deliver(box, s, luck, seat, scout, order)


@rule
def deliver(box: Printed, s: State, luck: Luck, seat: int, scout: int, order: int) -> None:
    """2.6.4: the card goes face down to the player, all tiles come off. The others hear no value (A45, S7)."""
    return_tiles(s, order)
    s.place[order] = DELIVERED + seat
    s.deliveries[seat] += 1
    tell(luck, EVERYONE, DELIVERS, seat, scout, s.at[seat, scout], s.deliveries[seat])
    tell(luck, 1 << seat, EARNS, order, box.order_points[order])


@rule
def let_go(box: Printed, s: State, luck: Luck, seat: int, scout: int) -> None:
    """2.6.3, 2.7.4: the tile comes off. A50: an order from a fallen district that nobody carries any more is
    removed and replaced."""
    order = s.carries[seat, scout]
    s.carries[seat, scout] = NONE
    if names_fallen(box, order, s.fallen) and not is_carried(s, order):
        remove_and_replace(box, s, luck, order)


@rule
def remove_and_replace(box: Printed, s: State, luck: Luck, order: int) -> None:
    """2.12.3e, A32: the order leaves the game, a new one comes into space 1."""
    return_tiles(s, order)
    s.place[order] = GONE
    tell(luck, EVERYONE, REMOVES, order)
    reveal_order(box, s, luck, FOR_ANOTHER)
