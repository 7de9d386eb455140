"""Dual Powers, D6 and D7.1: actions of command cards and leader cards, and bonus actions.

Each decision point has what is offered next to what taking it does. A point that could offer nothing but to
decline is passed over (A-46): everyone can see that nothing is possible.
"""

from __future__ import annotations

from samizdat.games.dual_powers.box import Printed
from samizdat.games.dual_powers.rules_calendar import take_will
from samizdat.games.dual_powers.rules_cards import can_draw, draw_to_hand, face_down, turn_up_objective
from samizdat.games.dual_powers.rules_scoring import gain_points, unrest_points
from samizdat.games.dual_powers.state import (
    ACTION,
    AS_BONUS,
    AS_USUAL,
    BLOCKS,
    BONUS,
    BONUS_MOVING,
    BONUS_RECRUITING,
    BONUS_RECRUITS,
    BY_LEADER,
    DECLINES,
    DECLINES_BONUS,
    DOUBLE_MOVE,
    DRAW,
    ESPIONAGE,
    INSPIRE,
    LEADING,
    MOST_RANK,
    MOVE,
    MOVES_TOKEN,
    MOVING,
    NEUTRAL,
    NEXT_TURN,
    NONE,
    ORGANIZE,
    ORGANIZES,
    PASS,
    PLACE,
    PLACE_OPEN,
    PLACES,
    PROTEST,
    PROTEST_SPECIAL,
    RECRUIT,
    RECRUITING,
    RECRUITS,
    REFRESH,
    REFRESH_ACTION,
    REFRESHES,
    REVEALING,
    SCORE,
    SOLITAIRE,
    SPECIAL_OPEN,
    SPIES,
    SPY,
    STIRS,
    SUPPLY,
    TAKES_BONUS,
    TO,
    UNREST,
    State,
)
from samizdat.kernel.luck import EVERYONE, Luck, reveal, tell
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
    """D6.1, A-52: units within the value, later in the order of the box than the one recruited last."""
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


@rule
def offer_destinations(box: Printed, s: State, steps: int, moves: Ints) -> int:
    """D6.2, D6.3: the second half of a move; it can always be finished."""
    reached = destinations(box, s, s.token, steps)
    n = 0
    for region in range(box.regions):
        if (reached >> region) & 1:
            moves[n] = TO + region
            n += 1
    return n


@rule
def take_destination(s: State, luck: Luck, faction: int, region: int, by: int) -> None:
    tell(luck, EVERYONE, MOVES_TOKEN, faction, s.token, s.at[s.token], region, by)
    s.at[s.token] = region


# --- D5.9 The action of a command card ----------------------------------------------------------------------


@rule
def begin_action(box: Printed, s: State) -> None:
    """D5.9, A-15: Recruit or the printed action; passed over if neither is possible."""
    faction = s.decider
    s.value = box.recruit[s.card]
    possible = any_recruit(box, s, faction, s.value, NONE)
    if not possible:
        if box.action[s.card] == REFRESH_ACTION:
            possible = any_refresh(box, s, faction)
        else:
            possible = any_move(box, s, faction, 0)
    s.point = ACTION
    if not possible:
        end_action(box, s)


@rule
def offer_action(box: Printed, s: State, faction: int, moves: Ints) -> int:
    """D5.9: one or the other, or nothing (A-15)."""
    n = offer_recruits(box, s, faction, s.value, NONE, moves, 0)
    if box.action[s.card] == REFRESH_ACTION:
        n = offer_refreshes(box, s, faction, moves, n)
    else:
        n = offer_moves(box, s, faction, 0, moves, n)
    moves[n] = PASS
    return n + 1


@rule
def take_action(box: Printed, s: State, luck: Luck, faction: int, move: int) -> None:
    if move == PASS:
        tell(luck, EVERYONE, DECLINES, faction)
        end_action(box, s)
    elif move >= REFRESH:
        refresh(s, luck, faction, move - REFRESH, AS_USUAL)
        end_action(box, s)
    elif move >= MOVE:
        s.token = move - MOVE
        s.point = MOVING
    else:
        take_recruiting(box, s, luck, faction, move)


@rule
def offer_recruiting(box: Printed, s: State, faction: int, moves: Ints) -> int:
    """D6.1: one more unit, or no more: unused value is lost."""
    n = offer_recruits(box, s, faction, s.value, s.token, moves, 0)
    moves[n] = PASS
    return n + 1


@rule
def take_recruiting(box: Printed, s: State, luck: Luck, faction: int, move: int) -> None:
    """D6.1: one unit into the card's region; the ranks of all add up to the recruit value at most (A-31)."""
    if move == PASS:
        end_action(box, s)
        return
    s.token = move - RECRUIT
    s.value -= box.rank[s.token]
    s.at[s.token] = box.region[s.card]  # the blockade does not matter
    tell(luck, EVERYONE, RECRUITS, faction, s.token, s.at[s.token])
    s.point = RECRUITING
    if not any_recruit(box, s, faction, s.value, s.token):
        end_action(box, s)


@rule
def steps_of_card(box: Printed, s: State) -> int:
    """D6.2, D6.3."""
    return 2 if box.action[s.card] == DOUBLE_MOVE else 1


@rule
def end_action(box: Printed, s: State) -> None:
    """D5.2: then the bonus action, if one was earned and one is possible; then the turn is over."""
    s.value = 0
    s.token = NONE
    s.still_open = 0
    s.point = BONUS
    if s.bonus == 0 or not bonus_possible(box, s, s.decider):
        end_turn(s)


@rule
def end_turn(s: State) -> None:
    s.card = NONE
    s.leader = NONE
    s.token = NONE
    s.bonus = 0
    s.point = NEXT_TURN


# --- D6.5-D6.8 The actions of a leader card -----------------------------------------------------------------


@rule
def spied_faction(s: State, faction: int) -> int:
    """D6.7: the opponent; S7: in solitaire oneself."""
    return faction if s.variant == SOLITAIRE else 1 - faction


@rule
def special_possible(box: Printed, s: State, faction: int) -> bool:
    """A-26, A-27, A-46: a special action that would change nothing is not offered."""
    special = box.special[s.leader]
    if special == PROTEST_SPECIAL:
        return box.connections > 1
    if special == ESPIONAGE:
        return face_down(s, spied_faction(s, faction))
    return s.will != faction


@rule
def begin_leading(box: Printed, s: State) -> None:
    """D5.9: Leader Recruit and the special action, in any order, each of them optional (A-5)."""
    s.still_open = PLACE_OPEN
    if special_possible(box, s, s.decider):
        s.still_open |= SPECIAL_OPEN
    s.point = LEADING


@rule
def offer_leading(box: Printed, s: State, moves: Ints) -> int:
    n = 0
    if s.still_open & PLACE_OPEN:
        for region in range(box.regions):
            moves[n] = PLACE + region
            n += 1
    if s.still_open & SPECIAL_OPEN:
        special = box.special[s.leader]
        if special == PROTEST_SPECIAL:
            for connection in range(box.connections):
                if connection != s.blockade:
                    moves[n] = PROTEST + connection
                    n += 1
        elif special == ESPIONAGE:
            moves[n] = SPY
            n += 1
        else:
            moves[n] = INSPIRE
            n += 1
    moves[n] = PASS
    return n + 1


@rule
def take_leading(box: Printed, s: State, luck: Luck, faction: int, move: int) -> None:
    """D6.5-D6.8: one of the two, after which the other is still open; PASS declines what is left."""
    if move == PASS:
        tell(luck, EVERYONE, DECLINES, faction)
        s.still_open = 0
    elif move < PROTEST:
        place_leader(box, s, luck, faction, move - PLACE)
        s.still_open &= ~PLACE_OPEN
    else:
        if move == SPY:
            espionage(s, luck, faction)
        elif move == INSPIRE:
            take_will(s, luck, faction, BY_LEADER)
        else:
            s.blockade = move - PROTEST
            tell(luck, EVERYONE, BLOCKS, faction, s.blockade)
        s.still_open &= ~SPECIAL_OPEN
    if s.still_open == 0:
        end_action(box, s)


@rule
def place_leader(box: Printed, s: State, luck: Luck, faction: int, region: int) -> None:
    """D6.5: the leader, fresh; every exhausted neutral unit controlled there becomes fresh (A-6, A-7, A-43)."""
    token = box.leader_token[s.leader]
    s.at[token] = region
    tell(luck, EVERYONE, PLACES, faction, token, region)
    pairs = controlled(box, s, faction, 1 << region)
    for other in range(box.tokens):
        neutral_unit = box.faction[other] == NEUTRAL and box.is_leader[other] == 0
        if neutral_unit and can_refresh(box, s, other, pairs):
            s.tired[other] = 0
            tell(luck, EVERYONE, STIRS, token, other, region)


@rule
def espionage(s: State, luck: Luck, faction: int) -> None:
    """D6.7, S7: the opponent's objective, or in solitaire the own one, is turned face up."""
    spied = spied_faction(s, faction)
    turn_up_objective(s, spied)
    reveal(luck)
    tell(luck, EVERYONE, SPIES, faction, spied, s.objective[spied])


# --- D6.9 Bonus actions -------------------------------------------------------------------------------------


@rule
def in_scoring(s: State) -> bool:
    """D8.1: marker 1 lies on the board, so this bonus action was taken for unrest."""
    return s.marker[0] != NONE


@rule
def may_organize(s: State, faction: int) -> bool:
    """S7: only in solitaire, in one's own turn (A-45), and while the objective lies face down (A-46)."""
    return s.variant == SOLITAIRE and not in_scoring(s) and face_down(s, faction)


@rule
def bonus_possible(box: Printed, s: State, faction: int) -> bool:
    if can_draw(box, s) or may_organize(s, faction):
        return True
    if any_recruit(box, s, faction, 1, NONE) or any_move(box, s, faction, 1):
        return True
    return any_refresh(box, s, faction)


@rule
def offer_bonus(box: Printed, s: State, faction: int, moves: Ints) -> int:
    """D6.9: recruit one unit of rank 1 (A-13), move, refresh or draw; S7: organize. A-15: or decline.

    D8.1: for unrest there are the points instead, and no declining (A-44).
    """
    n = offer_recruits(box, s, faction, 1, NONE, moves, 0)
    n = offer_moves(box, s, faction, 1, moves, n)
    n = offer_refreshes(box, s, faction, moves, n)
    if can_draw(box, s):
        moves[n] = DRAW
        n += 1
    if may_organize(s, faction):
        moves[n] = ORGANIZE
        n += 1
    moves[n] = SCORE if in_scoring(s) else PASS
    return n + 1


@rule
def take_bonus(box: Printed, s: State, luck: Luck, faction: int, move: int) -> None:
    if move == SCORE:
        s.point = REVEALING
        gain_points(box, s, luck, faction, unrest_points(box, s))
        return
    if s.point == UNREST:
        tell(luck, EVERYONE, TAKES_BONUS, faction)
    if move < MOVE:
        s.token = move - RECRUIT
        s.point = BONUS_RECRUITING
        return
    if move < REFRESH:
        s.token = move - MOVE
        s.point = BONUS_MOVING
        return
    if move == DRAW:
        draw_to_hand(box, s, luck, faction, AS_BONUS)
    elif move == ORGANIZE:
        turn_up_objective(s, faction)
        reveal(luck)
        tell(luck, EVERYONE, ORGANIZES, faction, s.objective[faction])
    elif move == PASS:
        tell(luck, EVERYONE, DECLINES_BONUS, faction)
    else:
        refresh(s, luck, faction, move - REFRESH, AS_BONUS)
    end_bonus(s)


@rule
def offer_bonus_region(box: Printed, moves: Ints) -> int:
    """D6.9: a bonus unit may go into any region."""
    for region in range(box.regions):
        moves[region] = TO + region
    return box.regions


@rule
def take_bonus_region(s: State, luck: Luck, faction: int, region: int) -> None:
    """D6.9: from the supply, fresh, into that region; the blockade does not matter (A-32)."""
    s.at[s.token] = region
    tell(luck, EVERYONE, BONUS_RECRUITS, faction, s.token, region)
    end_bonus(s)


@rule
def end_bonus(s: State) -> None:
    """D8.1: the scoring goes on (A-18), or D5.2: the turn is over."""
    if in_scoring(s):
        s.token = NONE
        s.point = REVEALING
    else:
        end_turn(s)
