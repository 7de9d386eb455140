"""A War of Whispers, R16 and R17.3: the end of the game."""

from __future__ import annotations

from samizdat.games.war_of_whispers.box import Printed
from samizdat.games.war_of_whispers.rules_hand import cards_of
from samizdat.games.war_of_whispers.rules_loyalty import swapped
from samizdat.games.war_of_whispers.rules_map import cities
from samizdat.games.war_of_whispers.state import (
    BY_FEWER_SWAPS,
    BY_MORE_CARDS,
    BY_POINTS,
    CITIES,
    EMPIRES,
    ENDS,
    LOYALTY,
    NOBODY,
    OVER,
    SCORES,
    SHARED,
    SLOTS,
    State,
)
from samizdat.kernel.luck import EVERYONE, Luck, reveal, tell
from samizdat.kernel.rule import rule
from samizdat.kernel.scoring import Score


@rule
def agents_in(box: Printed, s: State, seat: int, empire: int) -> int:
    """R17.3: agents of a society in regions that an empire controls; each is one more city to it (A41)."""
    n = 0
    if s.stationed[seat] != 0:
        for region in range(box.regions):
            if (s.stationed[seat] >> region) & 1 and s.holder[region] == empire:
                n += 1
    return n


@rule
def token_points(box: Printed, s: State, seat: int, slot: int) -> int:
    """R16: cities of the empire on a slot, times the slot's value; a token that is not known counts nothing."""
    empire = s.loyalty[seat, slot]
    if empire == NOBODY:
        return 0
    return box.value[slot] * (cities(box, s, empire) + agents_in(box, s, seat, empire))


@rule
def final_points(box: Printed, s: State, seat: int) -> int:
    """R16; V2: with the option, a point for each token that was never turned up."""
    points = 0
    for slot in range(SLOTS):
        points += token_points(box, s, seat, slot)
    if s.point_per_hidden_loyalty == 1:
        points += SLOTS - swapped(s, seat)
    return points


@rule
def better(s: State, points: int, seat: int, other_points: int, other: int) -> int:
    """R16, A35, A61: 0 if `seat` does not stand before `other`, else the REASON why it does."""
    if points != other_points:
        return BY_POINTS if points > other_points else 0
    if swapped(s, seat) != swapped(s, other):
        return BY_FEWER_SWAPS if swapped(s, seat) < swapped(s, other) else 0
    if cards_of(s, seat) != cards_of(s, other):
        return BY_MORE_CARDS if cards_of(s, seat) > cards_of(s, other) else 0
    return 0


@rule
def score(box: Printed, s: State, out: Score) -> None:
    """R16; A67: nobody has points before the end."""
    for seat in range(s.seats):
        out.points[seat] = final_points(box, s, seat) if s.point == OVER else 0
    for seat in range(s.seats):
        out.rank[seat] = 1
        if s.point == OVER:
            for other in range(s.seats):
                if better(s, out.points[other], other, out.points[seat], seat) > 0:
                    out.rank[seat] += 1
    out.reason = s.reason


@rule
def how_decided(box: Printed, s: State) -> int:
    """R16, A34: by what the winner stands before the others; SHARED if several do."""
    reason = SHARED
    for seat in range(s.seats):
        points = final_points(box, s, seat)
        closest = BY_POINTS
        first = True
        for other in range(s.seats):
            if other != seat:
                why = better(s, points, seat, final_points(box, s, other), other)
                if why == 0:
                    first = False
                closest = max(closest, why)
        if first:
            reason = closest
    return reason


@rule
def end_game(box: Printed, s: State, luck: Luck) -> None:
    """R16: all loyalty tokens are turned up, cities counted and multiplied."""
    s.point = OVER
    s.reason = how_decided(box, s)
    reveal(luck)
    for empire in range(EMPIRES):
        s.cities[empire] = cities(box, s, empire)
        tell(luck, EVERYONE, CITIES, empire, s.cities[empire])
    for seat in range(s.seats):
        for slot in range(SLOTS):
            tell(luck, EVERYONE, LOYALTY, seat, slot, s.loyalty[seat, slot])
        s.points[seat] = final_points(box, s, seat)
        tell(luck, EVERYONE, SCORES, seat, s.points[seat])
    tell(luck, EVERYONE, ENDS, s.reason)
