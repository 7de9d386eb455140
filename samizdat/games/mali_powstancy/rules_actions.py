"""Mali Powstańcy, 2.11: what the movement cards allow besides movement in the extended variant."""

from __future__ import annotations

from samizdat.games.mali_powstancy.box import (
    EXCHANGE_ACTION,
    GOSSIP_ACTION,
    NO_ACTION,
    PALS_ACTION,
    SQUAD_ACTION,
    Printed,
)
from samizdat.games.mali_powstancy.rules_map import jump_is_open
from samizdat.games.mali_powstancy.rules_orders import (
    arrive,
    is_active,
    names_fallen,
    orders_due,
    unseen_order,
)
from samizdat.games.mali_powstancy.state import (
    ESCORTED,
    EXCHANGE,
    EXCHANGE_ORDER,
    EXCHANGES,
    EXTENDED,
    GONE,
    GOSSIP,
    IN_DECK,
    KNOWN,
    LOCATIONS,
    LOOKS,
    NONE,
    PALS,
    REMOVES,
    SCOUTS,
    SEES,
    SEES_VICTORY,
    SQUAD,
    SWAPS,
    TURN,
    WITH,
    State,
)
from samizdat.kernel.luck import EVERYONE, Luck, reveal, tell
from samizdat.kernel.records import Ints
from samizdat.kernel.rule import rule


@rule
def open_action(box: Printed, s: State, seat: int) -> int:
    """2.11.1: the action of this turn's card, if it is still to be had."""
    if s.variant != EXTENDED or s.acted == 1:
        return NO_ACTION
    return box.action[s.chosen[seat]]


@rule
def offer_action(box: Printed, s: State, seat: int, moves: Ints, n: int) -> int:
    """2.11.2-2.11.5: the action, where it can change something (A55); 2.11.6: card 5 has none."""
    action = open_action(box, s, seat)
    if action == PALS_ACTION:
        return offer_pals(box, s, seat, moves, n)
    if action == SQUAD_ACTION:
        return offer_squad(box, s, seat, moves, n)
    if action == EXCHANGE_ACTION:
        return offer_exchange(box, s, moves, n)
    if action == GOSSIP_ACTION and has_something_to_see(box, s, seat):
        moves[n] = GOSSIP
        n += 1
    return n


@rule
def use_action(s: State) -> None:
    """2.11.1: the action is optional and comes once. A56: if it interrupts movement, the rest is lost."""
    s.acted = 1
    if s.spent > 0:
        s.points_left = 0


# --- 2.11.2 Card 1 --------------------------------------------------------------------------------------------


@rule
def first_pal(pair: int) -> int:
    """The first scout of a pair: the pairs are 1+2, 1+3, 2+3."""
    return pair // 2


@rule
def second_pal(pair: int) -> int:
    return 1 + (pair + 1) // 2


@rule
def may_swap(box: Printed, s: State, seat: int, one: int, other: int) -> bool:
    """2.11.2, A39: both stand in one district, on blanks or locations; A55: not on one space."""
    here = s.at[seat, one]
    there = s.at[seat, other]
    return here >= 0 and there >= 0 and here != there and box.district[here] == box.district[there]


@rule
def offer_pals(box: Printed, s: State, seat: int, moves: Ints, n: int) -> int:
    """2.11.2: two of one's own scouts."""
    for pair in range(SCOUTS):  # three scouts make three pairs
        if may_swap(box, s, seat, first_pal(pair), second_pal(pair)):
            moves[n] = PALS + pair
            n += 1
    return n


@rule
def swap_pals(box: Printed, s: State, luck: Luck, seat: int, pair: int) -> None:
    """2.11.2, 2.11.7: the two change places; either may deliver."""
    one = first_pal(pair)
    other = second_pal(pair)
    here = s.at[seat, one]
    there = s.at[seat, other]
    use_action(s)
    tell(luck, EVERYONE, SWAPS, seat, one, other, here, there)
    s.at[seat, other] = here
    arrive(box, s, luck, seat, one, there)
    arrive(box, s, luck, seat, other, here)


# --- 2.11.3 Card 2 --------------------------------------------------------------------------------------------


@rule
def offer_squad(box: Printed, s: State, seat: int, moves: Ints, n: int) -> int:
    """2.11.3: a jump of one scout without a point; A57: it does not count for the limit."""
    for scout in range(SCOUTS):
        location = s.at[seat, scout]
        if location < 0 or location >= box.locations:
            continue
        for i in range(box.neighbours[location]):
            far = box.neighbour[location, i]
            if jump_is_open(box, s, box.along[location, i], far):
                moves[n] = SQUAD + scout * LOCATIONS + far
                n += 1
    return n


@rule
def go_with_squad(box: Printed, s: State, luck: Luck, seat: int, which: int) -> None:
    """2.11.3, 2.11.7."""
    scout = which // LOCATIONS
    location = which % LOCATIONS
    use_action(s)
    tell(luck, EVERYONE, ESCORTED, seat, scout, s.at[seat, scout], location)
    arrive(box, s, luck, seat, scout, location)


# --- 2.11.4 Card 3 --------------------------------------------------------------------------------------------


@rule
def spaces_in_use(box: Printed, s: State) -> int:
    """The queue spaces that hold orders, as a bit set."""
    spaces = 0
    for order in range(box.orders):
        if is_active(s, order):
            spaces |= 1 << s.place[order]
    return spaces


@rule
def offer_exchange(box: Printed, s: State, moves: Ints, n: int) -> int:
    """2.11.4, A35, A36: first the deeper of two orders in consecutive spaces (S2)."""
    spaces = spaces_in_use(box, s)
    for order in range(box.orders):
        if is_active(s, order) and (spaces >> (s.place[order] - 1)) & 1:
            moves[n] = EXCHANGE_ORDER + order
            n += 1
    return n


@rule
def begin_exchange(box: Printed, s: State, luck: Luck, seat: int, order: int) -> None:
    """2.11.4, S2: the deeper of the two."""
    s.first = order
    s.point = EXCHANGE


@rule
def offer_with(box: Printed, s: State, seat: int, moves: Ints) -> int:
    """2.11.4, A35: any order of the space above it."""
    n = 0
    for order in range(box.orders):
        if is_active(s, order) and s.place[order] == s.place[s.first] - 1:
            moves[n] = WITH + order
            n += 1
    return n


@rule
def exchange_orders(box: Printed, s: State, luck: Luck, seat: int, other: int) -> None:
    """2.11.4: the cards change places, and tiles go with their cards."""
    s.place[s.first] -= 1
    s.place[other] += 1
    use_action(s)
    tell(luck, EVERYONE, EXCHANGES, seat, s.first, other, s.place[s.first])
    s.first = NONE
    s.point = TURN


# --- 2.11.5 Card 4 --------------------------------------------------------------------------------------------


@rule
def orders_to_see(box: Printed, s: State) -> int:
    """2.11.5: orders among the cards of the next Orders phase; where the Victory card lies is known to everybody."""
    due = orders_due(box, s, s.rounds + 1)
    if s.victory == IN_DECK and s.above < due:
        return due - 1
    return due


@rule
def has_something_to_see(box: Printed, s: State, seat: int) -> bool:
    """A37, A55: at least one of them is new to this seat."""
    return orders_to_see(box, s) > s.seen[seat]


@rule
def hear_gossip(box: Printed, s: State, luck: Luck, seat: int, which: int) -> None:
    """2.11.5, A38: look at the cards the next Orders phase will reveal; they stay in their order. Those that name a
    fallen district are shown to everybody, removed and replaced."""
    use_action(s)
    while s.looked < orders_to_see(box, s):
        order = unseen_order(box, s, luck)
        if names_fallen(box, order, s.fallen):
            s.place[order] = GONE
            if s.above > s.looked:
                s.above -= 1
            else:
                s.under -= 1
            tell(luck, EVERYONE, REMOVES, order)
        else:
            s.place[order] = KNOWN
            s.top[s.looked] = order
            s.looked += 1
    s.seen[seat] = s.looked
    if s.looked > 0:
        s.looked_fallen = s.fallen
    reveal(luck)
    due = orders_due(box, s, s.rounds + 1)
    tell(luck, EVERYONE, LOOKS, seat, due)
    for i in range(s.looked):
        tell(luck, 1 << seat, SEES, s.top[i])
    if s.looked < due:
        tell(luck, 1 << seat, SEES_VICTORY)
