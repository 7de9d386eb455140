"""Dual Powers, D6.1 to D6.4 and D7.1: which tokens a faction can recruit, move and refresh."""

from __future__ import annotations

from samizdat.games.dual_powers.box import Printed
from samizdat.games.dual_powers.state import (
    MOST_RANK,
    MOVE,
    MOVES_TOKEN,
    NEUTRAL,
    RECRUIT,
    REFRESH,
    REFRESHES,
    SUPPLY,
    TO,
    State,
)
from samizdat.kernel.luck import EVERYONE, Luck, tell
from samizdat.kernel.records import Ints
from samizdat.kernel.rule import rule

# --- D7.1 Control -------------------------------------------------------------------------------------------

# Whose tokens, where: a bit set over owners (red, white, neutral) and places, one bit for each pair.
PLACES_EACH = 16


@rule
def bit(owner: int, place: int) -> int:
    """The bit of a token's owner and place."""
    return 1 << (owner * PLACES_EACH + place)


@rule
def present_in(box: Printed, s: State, faction: int) -> int:
    """A-50: the regions with a token of the faction, unit or leader, as a bit set."""
    regions = 0
    for token in range(box.tokens):
        if box.faction[token] == faction and s.at[token] < SUPPLY:
            regions |= 1 << s.at[token]
    return regions


@rule
def controlled(box: Printed, s: State, faction: int, regions: int) -> int:
    """D7.1: the own tokens in these regions; with the Will of the People also the neutral ones there (A-8)."""
    pairs = regions << (faction * PLACES_EACH)
    if s.will == faction:
        if s.neutral_control_needs_presence == 1:
            regions &= present_in(box, s, faction)
        pairs |= regions << (NEUTRAL * PLACES_EACH)
    return pairs


@rule
def whole_city(box: Printed) -> int:
    """All regions, as a bit set."""
    return (1 << box.regions) - 1


# --- D6.1-D6.4 What can be recruited, moved, refreshed ------------------------------------------------------


@rule
def can_recruit(box: Printed, s: State, faction: int, token: int, value: int) -> bool:
    """D6.1: an own unit in the supply within the value; D1.1: leaders come by their cards only."""
    return (s.at[token] == SUPPLY) & (box.unit_of[token] == faction) & (box.rank[token] <= value)


@rule
def open_regions(box: Printed, s: State) -> int:
    """D6.2: the regions that a connection without the blockade marker leads out of, as a bit set."""
    regions = 0
    for connection in range(box.connections):
        if connection != s.blockade:
            regions |= (1 << box.joins[connection, 0]) | (1 << box.joins[connection, 1])
    return regions


@rule
def one_step(box: Printed, s: State, regions: int) -> int:
    """D6.2: the regions joined to one of a bit set of regions by a connection without the blockade marker."""
    reached = 0
    for connection in range(box.connections):
        if connection != s.blockade:
            one = box.joins[connection, 0]
            other = box.joins[connection, 1]
            if (regions >> one) & 1:
                reached |= 1 << other
            if (regions >> other) & 1:
                reached |= 1 << one
    return reached


@rule
def destinations(box: Printed, s: State, token: int, steps: int) -> int:
    """D6.2, D6.3: where a token can go in one step, or in one or two; A-25: it must end in another region."""
    start = 1 << s.at[token]
    reached = one_step(box, s, start)
    if steps == 2:
        reached |= one_step(box, s, reached)
    return reached & ~start


@rule
def movable(box: Printed, s: State, faction: int) -> int:
    """D6.2: controlled tokens in regions with a way out."""
    return controlled(box, s, faction, open_regions(box, s))


@rule
def highest_rank(s: State, bonus: int) -> int:
    """A-14, A-50: with the option a bonus move takes rank 1 or a leader (whose rank counts as 0)."""
    return 1 if bonus == 1 and s.bonus_move_rank_one_only == 1 else MOST_RANK


@rule
def can_move(box: Printed, s: State, token: int, pairs: int, rank: int) -> bool:
    """D6.2: one of the movable tokens, of at most this rank."""
    return (pairs & bit(box.faction[token], s.at[token]) != 0) & (box.rank[token] <= rank)


@rule
def can_refresh(box: Printed, s: State, token: int, pairs: int) -> bool:
    """D6.4: one of the controlled tokens, if it is exhausted."""
    return (pairs & bit(box.faction[token], s.at[token]) != 0) & (s.tired[token] == 1)


# Offers write every candidate and count only the open ones: a branch less, and these loops are the busiest.


@rule
def offer_recruits(box: Printed, s: State, faction: int, value: int, after: int, moves: Ints, n: int) -> int:
    """D6.1, A-42: any unit within the value; A-52: later in the order of the box than the one recruited last."""
    for token in range(max(after + 1, box.units_from[faction]), box.units_to[faction]):
        moves[n] = RECRUIT + token
        n += can_recruit(box, s, faction, token, value)
    return n


@rule
def offer_moves(box: Printed, s: State, faction: int, bonus: int, moves: Ints, n: int) -> int:
    """D6.2, D6.3: the token that will move."""
    pairs = movable(box, s, faction)
    rank = highest_rank(s, bonus)
    for token in range(box.tokens):
        moves[n] = MOVE + token
        n += can_move(box, s, token, pairs, rank)
    return n


@rule
def offer_refreshes(box: Printed, s: State, faction: int, moves: Ints, n: int) -> int:
    """D6.4: the token that becomes fresh."""
    pairs = controlled(box, s, faction, whole_city(box))
    for token in range(box.tokens):
        moves[n] = REFRESH + token
        n += can_refresh(box, s, token, pairs)
    return n


@rule
def any_recruit(box: Printed, s: State, faction: int, value: int, after: int) -> bool:
    for token in range(max(after + 1, box.units_from[faction]), box.units_to[faction]):
        if can_recruit(box, s, faction, token, value):
            return True
    return False


@rule
def any_move(box: Printed, s: State, faction: int, bonus: int) -> bool:
    pairs = movable(box, s, faction)
    rank = highest_rank(s, bonus)
    for token in range(box.tokens):
        if can_move(box, s, token, pairs, rank):
            return True
    return False


@rule
def any_refresh(box: Printed, s: State, faction: int) -> bool:
    pairs = controlled(box, s, faction, whole_city(box))
    for token in range(box.tokens):
        if can_refresh(box, s, token, pairs):
            return True
    return False


@rule
def refresh(s: State, luck: Luck, faction: int, token: int, by: int) -> None:
    """D6.4."""
    s.tired[token] = 0
    tell(luck, EVERYONE, REFRESHES, faction, token, s.at[token], by)


# The second half of a move


@rule
def offer_steps(box: Printed, s: State, steps: int, moves: Ints) -> int:
    """D6.2, D6.3: where the chosen token can go; a move that was begun can always be finished."""
    reached = destinations(box, s, s.token, steps)
    n = 0
    for region in range(box.regions):
        if (reached >> region) & 1:
            moves[n] = TO + region
            n += 1
    return n


@rule
def move_token(s: State, luck: Luck, faction: int, region: int, by: int) -> None:
    """D6.2, D6.3."""
    tell(luck, EVERYONE, MOVES_TOKEN, faction, s.token, s.at[s.token], region, by)
    s.at[s.token] = region
