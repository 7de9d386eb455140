"""Mali Powstańcy: what holds after every decision; nothing is created, nothing is lost."""

from __future__ import annotations

from samizdat.games.mali_powstancy.box import Printed
from samizdat.games.mali_powstancy.guess import colours_of, objectives_at
from samizdat.games.mali_powstancy.rules_map import is_closed
from samizdat.games.mali_powstancy.rules_orders import is_active
from samizdat.games.mali_powstancy.state import (
    BASE,
    CARD,
    DEALT,
    DELIVERED,
    DISTRICTS,
    DRAWS,
    ENTRY,
    EXCHANGE,
    EXTENDED,
    FAILURE,
    FELL,
    FOURTH_TOKEN,
    GONE,
    HUNT,
    IN_BOX,
    KEPT,
    KNOWN,
    LEFT,
    NO_VICTORY,
    NONE,
    OBJECTIVE,
    OBJECTIVES,
    OVER,
    PILE,
    REFUGE,
    SCOUTS,
    SEATS,
    THIRD_DISTRICT,
    TOKEN,
    UNSEEN,
    WAY,
    State,
)
from samizdat.kernel.bits import size
from samizdat.kernel.rule import rule

LAWS = (
    "every law holds",
    "2.1.6: an order lies in the deck, in a space of this queue, in the pile of a player at the table, or is gone",
    "2.2.3, 2.10.2: the deck holds as many orders as its count says",
    "2.11.5: the cards that were looked at are the ones on top of the deck",
    "2.15: every pile holds as many orders as its player has delivered",
    "2.1.5: a scout is on a space of the map; in prison or in hand in the base variant only",
    "2.5.7, 2.8.5, 2.12.3d: no scout stands with the soldier, on a blocked route or in a fallen district",
    "2.6.2: tiles lie on active orders, one for each team, of scouts on the board",
    "2.5.9: every movement card is in hand, chosen or played in this cycle",
    "2.5.2: everybody acts once in a round",
    "2.8.3, 2.12.2: a small token for each failed order, or in the extended variant for each district with a failure",
    "2.8.4, 2.12.4: the game ends with the last token or district, and only then",
    "2.12.3: districts with two failures have fallen, no others",
    "2.13.1: the Victory card is in the deck, in the queue, or has left, and only in the extended variant",
    "2.10.3: everybody was dealt enough objectives of enough colours, and keeps some of different colours",
    "2.8.1: failed orders are gone, and resolved in the time phase",
    "2.8.1, 2.11.4: what belongs to one failed order, or to one exchange, is empty otherwise",
    "2.5.3, 2.10.3: before its turn nobody has spent anything, and before the first round nothing has happened",
    "2.11.5: where nobody has looked there is nothing to remember",
    "2.10.1, 2.10.3, 2.12.3: what the other variant needs is empty, and so is a seat that nobody has",
)


@rule
def broken(box: Printed, s: State) -> int:
    law = broken_orders(box, s)
    if law == 0:
        law = broken_scouts(box, s)
    if law == 0:
        law = broken_cards(box, s)
    if law == 0:
        law = broken_city(box, s)
    if law == 0 and s.variant == EXTENDED:
        law = broken_objectives(box, s)
    if law == 0:
        law = broken_rest(box, s)
    return law


@rule
def broken_orders(box: Printed, s: State) -> int:
    unseen = 0
    known = 0
    delivered = 0
    for order in range(box.orders):
        place = s.place[order]
        if is_active(s, order) and place > box.queue[s.variant]:
            return 1
        if place == PILE or place >= DELIVERED + s.seats:
            return 1
        if place == UNSEEN:
            unseen += 1
        elif place == KNOWN:
            known += 1
        elif place >= DELIVERED:
            delivered += 1
        if (s.failing >> order) & 1 and place != GONE:
            return 15
    if s.variant == EXTENDED and s.above + s.under != unseen + known:
        return 2
    if s.variant == BASE and (s.above > unseen or s.under != 0):
        return 2
    furthest = 0
    for seat in range(s.seats):
        furthest = max(furthest, s.seen[seat])
    if known != s.looked or furthest != s.looked:
        return 3
    for i in range(s.looked):
        if s.top[i] == NONE or s.place[s.top[i]] != KNOWN:
            return 3
        for j in range(i):
            if s.top[j] == s.top[i]:
                return 3
    for seat in range(s.seats):
        pile = 0
        for order in range(box.orders):
            if s.place[order] == DELIVERED + seat:
                pile += 1
        if pile != s.deliveries[seat]:
            return 4
        delivered -= pile
    if delivered != 0:
        return 4
    if s.victory > box.queue[s.variant] and s.victory != LEFT:
        return 13
    if (s.variant == EXTENDED) != (s.victory != NO_VICTORY):
        return 13
    in_time = s.point == FAILURE or s.point == TOKEN or s.point == REFUGE or s.point == OVER
    if not in_time and (s.failing != 0 or s.resolving != NONE):
        return 15
    return 0


@rule
def broken_scouts(box: Printed, s: State) -> int:
    fleeing = s.point == REFUGE or s.point == OVER
    for seat in range(s.seats):
        for scout in range(SCOUTS):
            space = s.at[seat, scout]
            if space >= box.spaces or (space < 0 and s.variant == EXTENDED):
                return 5
            if space >= 0 and (space == s.soldier or (not fleeing and is_closed(box, s, space))):
                return 6
            order = s.carries[seat, scout]
            if order == NONE:
                continue
            if space < 0 or not is_active(s, order):
                return 7
            for other in range(scout):
                if s.carries[seat, other] == order:
                    return 7
    return 0


@rule
def broken_cards(box: Printed, s: State) -> int:
    full = (1 << box.cards) - 1
    waiting = s.point == CARD or s.point == OBJECTIVE
    played = (s.rounds - 1) % box.cards if s.rounds > 0 else 0
    for seat in range(s.seats):
        if s.hand[seat] & ~full:
            return 8
        chosen = s.chosen[seat]
        if waiting:
            if size(s.hand[seat]) != box.cards - played:
                return 8
            if (chosen == NONE) == (s.point == CARD and (s.ready >> seat) & 1 == 1):
                return 8
            if chosen != NONE and (s.hand[seat] >> chosen) & 1 == 0:
                return 8
        elif chosen == NONE or (s.hand[seat] >> chosen) & 1 or size(s.hand[seat]) != box.cards - played - 1:
            return 8
    acts = 0
    for turn in range(s.seats):
        acts |= 1 << s.order[turn]
    if acts != (1 << s.seats) - 1:
        return 9
    return 0


@rule
def broken_city(box: Printed, s: State) -> int:
    on_routes = 0
    for route in range(box.routes):
        on_routes += s.blocked[route]
    if on_routes > s.tokens:
        return 10
    fallen = 0
    hit = 0
    for space in range(box.spaces):
        district = box.district[space]
        if s.failures[district] > 0:
            hit |= 1 << district
        if s.failures[district] == FELL:
            fallen |= 1 << district
    if fallen != s.fallen:
        return 12
    due = 1 if s.point == TOKEN else 0  # the token about to be placed
    if s.variant == EXTENDED:
        if s.tokens + due != size(hit):
            return 10
        if (size(fallen) >= box.extended_defeat) != (s.reason == THIRD_DISTRICT):
            return 11
    else:
        gone = 0
        for order in range(box.orders):
            if s.place[order] == GONE:
                gone += 1
        if s.tokens + due + size(s.failing) != gone:
            return 10
        if (s.tokens >= box.base_defeat) != (s.reason == FOURTH_TOKEN):
            return 11
    return 0


@rule
def broken_objectives(box: Printed, s: State) -> int:
    for seat in range(s.seats):
        kept = objectives_at(box, s, KEPT + seat)
        dealt = kept | objectives_at(box, s, DEALT + seat)
        if size(dealt) != box.objectives_dealt or colours_of(box, dealt) < box.objectives_kept:
            return 14
        if colours_of(box, kept) != size(kept) or size(kept) > box.objectives_kept:
            return 14
        done = s.point != OBJECTIVE or (s.ready >> seat) & 1 == 1
        if (size(kept) == box.objectives_kept) != done:
            return 14
    return 0


# --- Fields that are not in use are empty -----------------------------------------------------------------------

# A record is the key of its place in the trees of search and enumeration, so two of them that mean the same should be
# the same. What a turn has counted (points_left, spent, jumps, acted, taken, dropped), the face last rolled, the
# scout last hunted and the last chooser stay until the next ones, as they do in positions stored earlier.


@rule
def broken_rest(box: Printed, s: State) -> int:
    if (s.point == EXCHANGE) != (s.first != NONE) or (s.point != OVER and s.reason != 0):
        return 16
    if (s.point == TOKEN or s.point == REFUGE) and s.resolving == NONE:
        return 16
    if (s.point == FAILURE and s.resolving != NONE) or (s.falling != 0 and (s.fallen == 0 or s.resolving == NONE)):
        return 16
    if s.point == ENTRY or s.point == OBJECTIVE:
        if s.spent != 0 or s.jumps != 0 or s.acted != 0 or s.taken != 0 or s.dropped != 0:
            return 17
    if s.point == OBJECTIVE and (s.rounds != 0 or s.chooser != 0 or s.points_left != 0 or s.scout != 0):
        return 17
    if (s.point == HUNT or s.point == WAY) and s.points_left != 0:
        return 17
    if (s.point == OBJECTIVE or s.point == CARD) and s.acting != 0:
        return 17
    if s.point != OBJECTIVE and s.point != CARD and s.ready != (1 << s.seats) - 1:
        return 17
    for i in range(s.looked, DRAWS):
        if s.top[i] != NONE:
            return 18
    if s.looked == 0 and s.looked_fallen != 0:
        return 18
    return 19 if not other_variant_is_empty(box, s) or not empty_seats_are_empty(s) else 0


@rule
def other_variant_is_empty(box: Printed, s: State) -> bool:
    if s.variant == EXTENDED:
        return s.soldier == NONE and s.face == 0
    for objective in range(OBJECTIVES):
        if s.objective[objective] != IN_BOX:
            return False
    for district in range(DISTRICTS):
        if s.failures[district] != 0:
            return False
    return s.fallen == 0 and s.looked == 0 and s.acted == 0 and s.soldier != NONE


@rule
def empty_seats_are_empty(s: State) -> bool:
    for seat in range(s.seats, SEATS):
        if s.hand[seat] != 0 or s.chosen[seat] != 0 or s.order[seat] != 0:
            return False
        if s.deliveries[seat] != 0 or s.seen[seat] != 0:
            return False
        for scout in range(SCOUTS):
            if s.at[seat, scout] != 0 or s.carries[seat, scout] != 0:
                return False
    return True
