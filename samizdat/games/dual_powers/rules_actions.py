"""Dual Powers, D5.9 and D6: the actions of command cards and leader cards.

What a decision point offers stands next to what taking it does; `points.py` lists the points. A point that could
offer nothing but to decline is passed over (A-46): everyone can see that nothing is possible.
"""

from __future__ import annotations

from samizdat.games.dual_powers.box import Printed
from samizdat.games.dual_powers.rules_bonus import begin_bonus
from samizdat.games.dual_powers.rules_calendar import take_will
from samizdat.games.dual_powers.rules_cards import face_down, faction_of, turn_up_objective
from samizdat.games.dual_powers.rules_tokens import (
    any_move,
    any_recruit,
    any_refresh,
    can_refresh,
    controlled,
    move_token,
    offer_moves,
    offer_recruits,
    offer_refreshes,
    offer_steps,
    refresh,
)
from samizdat.games.dual_powers.state import (
    ACTION,
    AS_USUAL,
    BLOCKS,
    BY_LEADER,
    DECLINES,
    DOUBLE_MOVE,
    ESPIONAGE,
    INSPIRE,
    LEADING,
    MOVING,
    NEUTRAL,
    NONE,
    PASS,
    PLACE,
    PLACE_OPEN,
    PLACES,
    PROTEST,
    PROTEST_SPECIAL,
    RECRUITING,
    RECRUITS,
    REFRESH_ACTION,
    SOLITAIRE,
    SPECIAL_OPEN,
    SPIES,
    SPY,
    STIRS,
    TWICE,
    State,
)
from samizdat.kernel.luck import EVERYONE, Luck, reveal, tell
from samizdat.kernel.records import Ints
from samizdat.kernel.rule import rule

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
def offer_action(box: Printed, s: State, seat: int, moves: Ints) -> int:
    """D5.9: one or the other, or nothing (A-15)."""
    faction = faction_of(s, seat)
    n = offer_recruits(box, s, faction, s.value, NONE, moves, 0)
    if box.action[s.card] == REFRESH_ACTION:
        n = offer_refreshes(box, s, faction, moves, n)
    else:
        n = offer_moves(box, s, faction, 0, moves, n)
    moves[n] = PASS
    return n + 1


@rule
def choose_token(box: Printed, s: State, luck: Luck, seat: int, token: int) -> None:
    """D6.2, D6.3: the token that moves; where it goes comes next."""
    s.token = token
    s.point = MOVING


@rule
def refresh_token(box: Printed, s: State, luck: Luck, seat: int, token: int) -> None:
    """D6.4."""
    refresh(s, luck, faction_of(s, seat), token, AS_USUAL)
    end_action(box, s)


@rule
def decline_action(box: Printed, s: State, luck: Luck, seat: int, which: int) -> None:
    """A-15: an action may be left."""
    tell(luck, EVERYONE, DECLINES, faction_of(s, seat))
    end_action(box, s)


@rule
def end_action(box: Printed, s: State) -> None:
    """D5.2: then the bonus action, if one was earned."""
    s.value = 0
    s.token = NONE
    s.still_open = 0
    begin_bonus(box, s)


# D6.1 Recruit


@rule
def recruit(box: Printed, s: State, luck: Luck, seat: int, token: int) -> None:
    """D6.1: one unit into the card's region; the ranks of all add up to the recruit value at most (A-31)."""
    faction = faction_of(s, seat)
    s.token = token
    s.value -= box.rank[token]
    s.at[token] = box.region[s.card]  # the blockade does not matter
    tell(luck, EVERYONE, RECRUITS, faction, token, s.at[token])
    s.point = RECRUITING
    if not any_recruit(box, s, faction, s.value, token):
        end_action(box, s)


@rule
def offer_another_unit(box: Printed, s: State, seat: int, moves: Ints) -> int:
    """D6.1: one more unit, or no more: unused value is lost."""
    n = offer_recruits(box, s, faction_of(s, seat), s.value, s.token, moves, 0)
    moves[n] = PASS
    return n + 1


@rule
def stop_recruiting(box: Printed, s: State, luck: Luck, seat: int, which: int) -> None:
    """D6.1: what is left of the value is lost."""
    end_action(box, s)


# D6.2 Move, D6.3 Double Move


@rule
def steps_of_card(box: Printed, s: State) -> int:
    """D6.2, D6.3."""
    return 2 if box.action[s.card] == DOUBLE_MOVE else 1


@rule
def offer_destinations(box: Printed, s: State, seat: int, moves: Ints) -> int:
    """D6.2, D6.3: where the token can go, in one step or in up to two."""
    return offer_steps(box, s, steps_of_card(box, s), moves)


@rule
def move_there(box: Printed, s: State, luck: Luck, seat: int, region: int) -> None:
    """D6.2, D6.3: the token goes there, and the action is over."""
    move_token(s, luck, faction_of(s, seat), region, TWICE if steps_of_card(box, s) == 2 else AS_USUAL)
    end_action(box, s)


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
def offer_leading(box: Printed, s: State, seat: int, moves: Ints) -> int:
    """D5.9, A-5: what of the two is still open, or no more."""
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
def place_leader(box: Printed, s: State, luck: Luck, seat: int, region: int) -> None:
    """D6.5: the leader, fresh; every exhausted neutral unit controlled there becomes fresh (A-6, A-7, A-43)."""
    faction = faction_of(s, seat)
    token = box.leader_token[s.leader]
    s.at[token] = region
    tell(luck, EVERYONE, PLACES, faction, token, region)
    pairs = controlled(box, s, faction, 1 << region)
    for other in range(box.tokens):
        neutral_unit = box.faction[other] == NEUTRAL and box.is_leader[other] == 0
        if neutral_unit and can_refresh(box, s, other, pairs):
            s.tired[other] = 0
            tell(luck, EVERYONE, STIRS, token, other, region)
    use_up(box, s, PLACE_OPEN)


@rule
def mobilize_protest(box: Printed, s: State, luck: Luck, seat: int, connection: int) -> None:
    """D6.6: the blockade marker goes to another connection."""
    s.blockade = connection
    tell(luck, EVERYONE, BLOCKS, faction_of(s, seat), connection)
    use_up(box, s, SPECIAL_OPEN)


@rule
def espionage(box: Printed, s: State, luck: Luck, seat: int, which: int) -> None:
    """D6.7, S7: the opponent's objective, or in solitaire the own one, is turned face up."""
    faction = faction_of(s, seat)
    spied = spied_faction(s, faction)
    turn_up_objective(s, spied)
    reveal(luck)
    tell(luck, EVERYONE, SPIES, faction, spied, s.objective[spied])
    use_up(box, s, SPECIAL_OPEN)


@rule
def inspire(box: Printed, s: State, luck: Luck, seat: int, which: int) -> None:
    """D6.8: the Will of the People is taken."""
    take_will(s, luck, faction_of(s, seat), BY_LEADER)
    use_up(box, s, SPECIAL_OPEN)


@rule
def decline_rest(box: Printed, s: State, luck: Luck, seat: int, which: int) -> None:
    """A-5: what was not used is left out."""
    tell(luck, EVERYONE, DECLINES, faction_of(s, seat))
    end_action(box, s)


@rule
def use_up(box: Printed, s: State, part: int) -> None:
    """A-5: of the two actions of a leader card one was taken; the other may still be open."""
    s.still_open &= ~part
    if s.still_open == 0:
        end_action(box, s)
