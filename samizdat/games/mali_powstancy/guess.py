"""Mali Powstańcy, 2.15: what each seat may know, and a fair sample of the rest.

Secret are the cards chosen before they are revealed, the order of the deck as far as somebody has looked at it,
objectives, and which of the delivered orders lie in whose pile. Everything else lies open.
"""

from __future__ import annotations

from samizdat.games.mali_powstancy.box import Printed
from samizdat.games.mali_powstancy.rules_orders import names_fallen
from samizdat.games.mali_powstancy.state import (
    CARD,
    DEALT,
    DELIVERED,
    EXTENDED,
    IN_BOX,
    KEPT,
    KNOWN,
    NONE,
    OBJECTIVE,
    OVER,
    PILE,
    UNSEEN,
    State,
)
from samizdat.kernel.bits import nth, size
from samizdat.kernel.luck import Luck, draw
from samizdat.kernel.rule import rule

# --- What is wiped --------------------------------------------------------------------------------------------


@rule
def hide(box: Printed, s: State, seat: int) -> None:
    """2.15: what the seat may not know. At the end piles and kept objectives are shown (2.9.2, 2.13.3, S9)."""
    if s.point == CARD:
        for other in range(s.seats):
            if other != seat:
                s.chosen[other] = NONE
    for i in range(seen_by(s, seat), s.looked):
        if s.top[i] != NONE:
            s.place[s.top[i]] = UNSEEN
            s.top[i] = NONE
    if s.point != OVER:
        for order in range(box.orders):
            if s.place[order] >= DELIVERED and s.place[order] != DELIVERED + seat:
                s.place[order] = PILE
    if s.variant == EXTENDED:
        hide_objectives(box, s, seat)


@rule
def seen_by(s: State, seat: int) -> int:
    """2.11.5: so many first cards of the deck the seat has looked at; others may have looked further."""
    return s.seen[seat] if seat >= 0 else 0


@rule
def hide_objectives(box: Printed, s: State, seat: int) -> None:
    """2.10.3: a seat knows its own objectives and those it returned; kept ones are shown at the end."""
    for objective in range(box.objectives):
        holder = s.objective[objective]
        if holder >= KEPT and (holder == KEPT + seat or s.point == OVER):
            continue
        if seat >= 0 and holder == DEALT + seat:
            continue
        s.objective[objective] = IN_BOX


# --- A fair sample --------------------------------------------------------------------------------------------


@rule
def guess(box: Printed, s: State, luck: Luck, seat: int) -> None:
    """Fill a hidden record with what could be, everything that could be being equally likely."""
    if s.point == CARD:
        for other in range(s.seats):
            if other != seat and (s.ready >> other) & 1:
                s.chosen[other] = some_member(luck, s.hand[other])
    guess_top(box, s, luck, seen_by(s, seat))
    guess_piles(box, s, luck, seat)
    if s.variant == EXTENDED:
        guess_objectives(box, s, luck, seat)


@rule
def some_member(luck: Luck, members: int) -> int:
    """One of the members of a set, all equally likely."""
    return nth(members, draw(luck, size(members)))


@rule
def guess_top(box: Printed, s: State, luck: Luck, seen: int) -> None:
    """2.11.5: any unseen order may have been looked at, but for those that were removed when somebody looked."""
    for i in range(seen, s.looked):
        could_be = 0
        for order in range(box.orders):
            if s.place[order] == UNSEEN and not names_fallen(box, order, s.looked_fallen):
                could_be |= 1 << order
        s.top[i] = some_member(luck, could_be)
        s.place[s.top[i]] = KNOWN


@rule
def guess_piles(box: Printed, s: State, luck: Luck, seat: int) -> None:
    """A45: the others' delivered orders, any way that gives each pile its number."""
    left = 0
    for other in range(s.seats):
        if other != seat:
            left += s.deliveries[other]
    for order in range(box.orders):
        if s.place[order] == PILE:
            skip = draw(luck, left)
            left -= 1
            owner = 0
            while owner == seat or skip >= room_in_pile(box, s, owner):
                if owner != seat:
                    skip -= room_in_pile(box, s, owner)
                owner += 1
            s.place[order] = DELIVERED + owner


@rule
def room_in_pile(box: Printed, s: State, seat: int) -> int:
    """How many orders of this pile are still to be named."""
    room = s.deliveries[seat]
    for order in range(box.orders):
        if s.place[order] == DELIVERED + seat:
            room -= 1
    return room


@rule
def guess_objectives(box: Printed, s: State, luck: Luck, seat: int) -> None:
    """2.10.3: a deal of the other cards that would have stood; whoever has chosen kept any allowed set of it."""
    sound = False
    while not sound:
        sound = True
        for other in range(s.seats):
            if other != seat:
                deal_objectives(box, s, luck, other)
                if colours_dealt(box, s, other) < box.objectives_kept:
                    sound = False
        if not sound:
            hide_objectives(box, s, seat)
    for other in range(s.seats):
        if other != seat and keeps(box, s, other) == 0:
            if s.point != OBJECTIVE or (s.ready >> other) & 1:
                keep_any(box, s, luck, other)


# --- 2.10.3 Objectives, as sets -------------------------------------------------------------------------------


@rule
def objectives_at(box: Printed, s: State, place: int) -> int:
    """The objectives in one place, as a bit set."""
    found = 0
    for objective in range(box.objectives):
        if s.objective[objective] == place:
            found |= 1 << objective
    return found


@rule
def keeps(box: Printed, s: State, seat: int) -> int:
    """How many objectives a seat has kept."""
    return size(objectives_at(box, s, KEPT + seat))


@rule
def deal_objectives(box: Printed, s: State, luck: Luck, seat: int) -> None:
    """2.10.3: cards for a seat that has none or only shown ones, each of the rest equally likely."""
    missing = box.objectives_dealt - keeps(box, s, seat)
    for _ in range(missing):
        s.objective[some_member(luck, objectives_at(box, s, IN_BOX))] = DEALT + seat


@rule
def colours_of(box: Printed, cards: int) -> int:
    """How many colours a set of objectives shows."""
    colours = 0
    objective = 0
    while cards:
        if cards & 1:
            colours |= 1 << box.objective_colour[objective]
        cards >>= 1
        objective += 1
    return size(colours)


@rule
def colours_dealt(box: Printed, s: State, seat: int) -> int:
    """2.10.3: the colours a seat was dealt."""
    return colours_of(box, objectives_at(box, s, DEALT + seat) | objectives_at(box, s, KEPT + seat))


@rule
def is_first_copy(box: Printed, objective: int, cards: int) -> bool:
    """S3: of two cards that read the same only the first is a choice."""
    for earlier in range(box.copy_of[objective], objective):
        if (cards >> earlier) & 1 and box.copy_of[earlier] == box.copy_of[objective]:
            return False
    return True


@rule
def is_allowed_set(box: Printed, chosen: int) -> bool:
    """2.10.3: as many as are kept, all of different colours."""
    return size(chosen) == box.objectives_kept and colours_of(box, chosen) == box.objectives_kept


@rule
def keep_any(box: Printed, s: State, luck: Luck, seat: int) -> None:
    """Keep one of the allowed sets, all equally likely."""
    cards = objectives_at(box, s, DEALT + seat)
    choices = 0
    for objective in range(box.objectives):
        if (cards >> objective) & 1 and is_first_copy(box, objective, cards):
            choices |= 1 << objective
    ways = 0
    chosen = choices
    while chosen:
        if is_allowed_set(box, chosen):
            ways += 1
        chosen = (chosen - 1) & choices
    skip = draw(luck, ways)
    chosen = choices
    while skip > 0 or not is_allowed_set(box, chosen):
        if is_allowed_set(box, chosen):
            skip -= 1
        chosen = (chosen - 1) & choices
    for objective in range(box.objectives):
        if (chosen >> objective) & 1:
            s.objective[objective] = KEPT + seat
