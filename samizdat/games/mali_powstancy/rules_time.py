"""Mali Powstańcy, 2.8, 2.9.1, 2.12 and 2.13.2: the time phase, with failed orders, and the end of the round."""

from __future__ import annotations

from samizdat.games.mali_powstancy.box import Printed
from samizdat.games.mali_powstancy.rules_map import has_fallen, is_carried, is_closed, last_mover, return_tiles
from samizdat.games.mali_powstancy.rules_orders import (
    arrive,
    begin_round,
    is_active,
    names_fallen,
    remove_and_replace,
    reveal_order,
)
from samizdat.games.mali_powstancy.rules_scoring import is_defeat, tell_scores
from samizdat.games.mali_powstancy.state import (
    BASE,
    BLOCK,
    DISTRICT_FALLS,
    ENDS,
    EXTENDED,
    FAIL,
    FAILS,
    FAILURE,
    FELL,
    FLEE,
    FLEES,
    FOR_A_DISTRICT,
    FOR_A_FAILURE,
    FOR_NOTHING,
    FOURTH_TOKEN,
    GONE,
    IN_DECK,
    LAST_ORDER,
    LEFT,
    MARKER,
    NONE,
    NOTHING_TO_LOSE,
    OVER,
    REFUGE,
    SCOUTS,
    THIRD_DISTRICT,
    TOKEN,
    TOKEN_BESIDE,
    TOKEN_ON_ROUTE,
    VICTORY_CARD,
    VICTORY_LEAVES,
    State,
)
from samizdat.kernel.bits import least, size
from samizdat.kernel.luck import EVERYONE, Luck, reveal, tell
from samizdat.kernel.records import Ints
from samizdat.kernel.rule import rule

# --- 2.8.1 Time passes ----------------------------------------------------------------------------------------


@rule
def time_phase(box: Printed, s: State, luck: Luck) -> None:
    """2.8.1, 2.12.1: the last space empties, all of it before any failure is resolved (A53); the others sink, so that
    each was active for as many movement phases as the queue has spaces (2.8.2).

    2.8.3: tiles on failed orders go back. 2.13.1: the Victory card sinks like an order; its leaving is no failure."""
    last = box.queue[s.variant]
    for order in range(box.orders):
        if is_active(s, order):
            if s.place[order] < last:
                s.place[order] += 1
            else:
                s.place[order] = GONE
                s.failing |= 1 << order
                return_tiles(s, order)
                tell(luck, EVERYONE, FAILS, order)
    if s.victory > IN_DECK and s.victory < LEFT:
        s.victory = s.victory + 1 if s.victory < last else LEFT
        if s.victory == LEFT:
            tell(luck, EVERYONE, VICTORY_LEAVES)
    resolve_failures(box, s, luck)


@rule
def resolve_failures(box: Printed, s: State, luck: Luck) -> None:
    """A9: one failed order after another; the last mover chooses which, where there is a choice."""
    while s.failing != 0 or s.resolving != NONE:
        if s.resolving == NONE:
            if size(s.failing) > 1 and not next_token_loses(box, s):
                s.point = FAILURE
                s.chooser = last_mover(s)
                return
            if fail(box, s, luck, least(s.failing)):
                return
        if drive_out(box, s, luck):
            return
        finish_failure(box, s, luck)
    end_of_round(box, s, luck)


@rule
def offer_failure(box: Printed, s: State, seat: int, moves: Ints) -> int:
    """A9: the failed order to resolve next."""
    n = 0
    for order in range(box.orders):
        if (s.failing >> order) & 1:
            moves[n] = FAIL + order
            n += 1
    return n


@rule
def choose_failure(box: Printed, s: State, luck: Luck, seat: int, order: int) -> None:
    """A9: this one first."""
    if not fail(box, s, luck, order):
        resolve_failures(box, s, luck)


# --- 2.8.3, 2.12.2, 2.12.3 One failed order -------------------------------------------------------------------


@rule
def fail(box: Printed, s: State, luck: Luck, order: int) -> bool:
    """What a failed order costs; extended, by the district of its destination (A40). True if the last mover must
    first choose a route, or the game is over."""
    s.failing &= ~(1 << order)
    s.resolving = order
    if s.variant == BASE:
        return small_token(box, s, luck, order)
    district = box.district[box.destination[order]]
    if s.failures[district] == FELL:  # A51: it fell a moment ago
        tell(luck, EVERYONE, NOTHING_TO_LOSE, order, district)
        return False
    s.failures[district] += 1
    if s.failures[district] < FELL:
        return small_token(box, s, luck, order)
    return district_falls(box, s, luck, district)


@rule
def finish_failure(box: Printed, s: State, luck: Luck) -> None:
    """2.12.2, A51: a new order after the scouts have left; 2.12.3e: orders that name a fallen district go.

    A district that fell has had its new order before the scouts left (2.12.3b)."""
    order = s.resolving
    s.resolving = NONE
    if s.variant == EXTENDED:
        if s.falling == 1:
            s.falling = 0
            remove_lost_orders(box, s, luck, box.district[box.destination[order]])
        else:
            fell = s.failures[box.district[box.destination[order]]] == FELL
            reveal_order(box, s, luck, FOR_NOTHING if fell else FOR_A_FAILURE)


# --- 2.8.3 Small tokens ---------------------------------------------------------------------------------------


@rule
def next_token_loses(box: Printed, s: State) -> bool:
    """2.8.4: in the base variant, whatever is chosen now, the next token ends the game."""
    return s.variant == BASE and s.tokens + 1 == box.base_defeat


@rule
def may_block(box: Printed, s: State, order: int, route: int) -> bool:
    """2.8.3: an unblocked route of the destination. 2.12.2, A5, A8: extended, with a place for the token in the
    destination's district."""
    end = box.destination[order]
    if s.blocked[route] == 1 or (box.ends[route, 0] != end and box.ends[route, 1] != end):
        return False
    return s.variant == BASE or box.holds_token[route, box.district[end]] == 1


@rule
def small_token(box: Printed, s: State, luck: Luck, order: int) -> bool:
    """2.8.3: True if the last mover must choose a route, or the token ended the game.

    A7: without a free route it lies beside the location and only counts. S5: the last token needs no choice.
    """
    choices = 0
    chosen = NONE
    for route in range(box.routes):
        if may_block(box, s, order, route):
            choices += 1
            if chosen == NONE:
                chosen = route
    if choices > 1 and not next_token_loses(box, s):
        s.point = TOKEN
        s.chooser = last_mover(s)
        return True
    if choices == 0:
        s.tokens += 1
        tell(luck, EVERYONE, TOKEN_BESIDE, box.destination[order], s.tokens)
    else:
        block(s, luck, chosen)
    if s.variant == BASE and s.tokens == box.base_defeat:
        end_game(box, s, luck, FOURTH_TOKEN)
        return True
    return False


@rule
def block(s: State, luck: Luck, route: int) -> None:
    """2.8.5, A6: the whole route is closed for the rest of the game."""
    s.blocked[route] = 1
    s.tokens += 1
    tell(luck, EVERYONE, TOKEN_ON_ROUTE, last_mover(s), route, s.tokens)


@rule
def offer_token(box: Printed, s: State, seat: int, moves: Ints) -> int:
    """2.8.3: the route for the token."""
    n = 0
    for route in range(box.routes):
        if may_block(box, s, s.resolving, route):
            moves[n] = BLOCK + route
            n += 1
    return n


@rule
def choose_route(box: Printed, s: State, luck: Luck, seat: int, route: int) -> None:
    """2.8.3: the token goes there."""
    block(s, luck, route)
    resolve_failures(box, s, luck)


# --- 2.12.3 A district falls ----------------------------------------------------------------------------------


@rule
def district_falls(box: Printed, s: State, luck: Luck, district: int) -> bool:
    """2.12.3a, 2.12.3b: a large token, and a new order. True if it was the third, which loses the game (2.12.4).

    A41: its small token stays where it is. A49: whether the rest of the board still hangs together does not matter.
    """
    s.fallen |= 1 << district
    s.falling = 1
    tell(luck, EVERYONE, DISTRICT_FALLS, district, size(s.fallen))
    if size(s.fallen) == box.extended_defeat:
        end_game(box, s, luck, THIRD_DISTRICT)
        return True
    reveal_order(box, s, luck, FOR_A_DISTRICT)
    return False


@rule
def remove_lost_orders(box: Printed, s: State, luck: Luck, district: int) -> None:
    """2.12.3e, A31: orders to the district, and orders from it that nobody carries, leave the queue; as many come."""
    lost = 0
    for order in range(box.orders):
        if is_active(s, order) and names_fallen(box, order, 1 << district):
            if box.district[box.destination[order]] == district or not is_carried(s, order):
                lost |= 1 << order
    for order in range(box.orders):
        if (lost >> order) & 1:
            remove_and_replace(box, s, luck, order)


# --- 2.8.6, 2.12.3c Refuge ------------------------------------------------------------------------------------


@rule
def is_safe(box: Printed, s: State, location: int) -> bool:
    """A10: without the soldier, and in no fallen district."""
    return location != s.soldier and not has_fallen(box, s, location)


@rule
def refuge_distance(box: Printed, s: State, space: int) -> int:
    """2.8.6, A11: how far the nearest safe location is, on the empty board."""
    nearest = box.spaces
    for location in range(box.locations):
        if is_safe(box, s, location) and box.distance[space, location] < nearest:
            nearest = box.distance[space, location]
    return nearest


@rule
def drive_out(box: Printed, s: State, luck: Luck) -> bool:
    """2.8.6, A52: scouts on closed ground flee, teams clockwise from the start player. True if one must choose."""
    for turn in range(s.seats):
        seat = (s.start_player + turn) % s.seats
        for scout in range(SCOUTS):
            space = s.at[seat, scout]
            if space < 0 or not is_closed(box, s, space):
                continue
            nearest = refuge_distance(box, s, space)
            choices = 0
            chosen = NONE
            for location in range(box.locations):
                if is_safe(box, s, location) and box.distance[space, location] == nearest:
                    choices += 1
                    chosen = location
            if choices > 1:
                s.point = REFUGE
                s.chooser = seat
                s.scout = scout
                return True
            flee(box, s, luck, seat, scout, chosen)
    return False


@rule
def flee(box: Printed, s: State, luck: Luck, seat: int, scout: int, location: int) -> None:
    """2.8.6: scouts keep their orders; A18: and deliver them, if this is where they go."""
    tell(luck, EVERYONE, FLEES, seat, scout, s.at[seat, scout], location, s.falling)
    if s.deliver_by_forced_move == 1:
        arrive(box, s, luck, seat, scout, location)
    else:
        s.at[seat, scout] = location


@rule
def offer_refuge(box: Printed, s: State, seat: int, moves: Ints) -> int:
    """2.8.6: one of the nearest safe locations."""
    space = s.at[seat, s.scout]
    nearest = refuge_distance(box, s, space)
    n = 0
    for location in range(box.locations):
        if is_safe(box, s, location) and box.distance[space, location] == nearest:
            moves[n] = FLEE + location
            n += 1
    return n


@rule
def choose_refuge(box: Printed, s: State, luck: Luck, seat: int, location: int) -> None:
    """2.8.6, 2.12.3c: the scout goes there."""
    flee(box, s, luck, seat, s.scout, location)
    resolve_failures(box, s, luck)


# --- 2.9.1, 2.13.2 The end of the round -----------------------------------------------------------------------


@rule
def queue_is_empty(box: Printed, s: State) -> bool:
    for order in range(box.orders):
        if is_active(s, order):
            return False
    return True


@rule
def end_of_round(box: Printed, s: State, luck: Luck) -> None:
    """2.9.1, 2.13.2 (A24, A30): the game ends here, or the marker passes to the left (2.8.7, 2.12.5), and a round
    begins."""
    if s.variant == BASE and s.above == 0 and queue_is_empty(box, s):
        end_game(box, s, luck, LAST_ORDER)
    elif s.victory == LEFT:
        end_game(box, s, luck, VICTORY_CARD)
    else:
        s.start_player = (s.start_player + 1) % s.seats
        tell(luck, EVERYONE, MARKER, s.start_player)
        begin_round(box, s, luck)


@rule
def end_game(box: Printed, s: State, luck: Luck, reason: int) -> None:
    """2.9, 2.13, S9: piles and objectives are shown, and `score` counts them; after a defeat it does not (2.9.4,
    A25)."""
    s.point = OVER
    s.reason = reason
    reveal(luck)
    tell(luck, EVERYONE, ENDS, reason)
    if not is_defeat(s):
        tell_scores(box, s, luck)
