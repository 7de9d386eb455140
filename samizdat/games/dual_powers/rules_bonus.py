"""Dual Powers, D6.9 and D8.1: bonus actions, earned on the calendar or taken for unrest."""

from __future__ import annotations

from samizdat.games.dual_powers.box import Printed
from samizdat.games.dual_powers.rules_cards import can_draw, draw_to_hand, face_down, faction_of, turn_up_objective
from samizdat.games.dual_powers.rules_scoring import gain_points, unrest_points
from samizdat.games.dual_powers.rules_tokens import (
    any_move,
    any_recruit,
    any_refresh,
    move_token,
    offer_moves,
    offer_recruits,
    offer_refreshes,
    offer_steps,
    refresh,
)
from samizdat.games.dual_powers.state import (
    AS_BONUS,
    BONUS,
    BONUS_MOVING,
    BONUS_RECRUITING,
    BONUS_RECRUITS,
    DECLINES_BONUS,
    DRAW,
    NEXT_TURN,
    NONE,
    ORGANIZE,
    ORGANIZES,
    PASS,
    REVEALING,
    SCORE,
    SOLITAIRE,
    TAKES_BONUS,
    TO,
    UNREST,
    State,
)
from samizdat.kernel.luck import EVERYONE, Luck, reveal, tell
from samizdat.kernel.records import Ints
from samizdat.kernel.rule import rule

# --- D5.2 The last step of a turn ---------------------------------------------------------------------------


@rule
def may_organize(s: State, faction: int) -> bool:
    """S7: only in solitaire, and while the objective lies face down (A-46)."""
    return s.variant == SOLITAIRE and face_down(s, faction)


@rule
def bonus_possible(box: Printed, s: State, faction: int) -> bool:
    """A-46: without any bonus action to take, nobody is asked."""
    if can_draw(box, s) or may_organize(s, faction):
        return True
    if any_recruit(box, s, faction, 1, NONE) or any_move(box, s, faction, 1):
        return True
    return any_refresh(box, s, faction)


@rule
def begin_bonus(box: Printed, s: State) -> None:
    """D5.2: the bonus action, if one was earned and one is possible; otherwise the turn is over."""
    s.point = BONUS
    if s.bonus == 0 or not bonus_possible(box, s, s.decider):
        end_turn(s)


@rule
def end_turn(s: State) -> None:
    """D5.2: after its last step."""
    s.card = NONE
    s.leader = NONE
    s.token = NONE
    s.bonus = 0
    s.point = NEXT_TURN


@rule
def end_bonus(s: State) -> None:
    """D8.1: the scoring goes on (A-18), or D5.2: the turn is over."""
    if in_scoring(s):
        s.token = NONE
        s.point = REVEALING
    else:
        end_turn(s)


@rule
def in_scoring(s: State) -> bool:
    """D8.1: marker 1 lies on the board, so this bonus action was taken for unrest."""
    return s.marker[0] != NONE


# --- D6.9 The bonus action ----------------------------------------------------------------------------------


@rule
def offer_the_four(box: Printed, s: State, faction: int, moves: Ints) -> int:
    """D6.9: recruit one unit of rank 1 (A-13), move, refresh or draw."""
    n = offer_recruits(box, s, faction, 1, NONE, moves, 0)
    n = offer_moves(box, s, faction, 1, moves, n)
    n = offer_refreshes(box, s, faction, moves, n)
    if can_draw(box, s):
        moves[n] = DRAW
        n += 1
    return n


@rule
def offer_bonus(box: Printed, s: State, seat: int, moves: Ints) -> int:
    """D6.9, and S7: organize. A-15: or decline."""
    faction = faction_of(s, seat)
    n = offer_the_four(box, s, faction, moves)
    if may_organize(s, faction):
        moves[n] = ORGANIZE
        n += 1
    moves[n] = PASS
    return n + 1


@rule
def offer_unrest(box: Printed, s: State, seat: int, moves: Ints) -> int:
    """D8.1: a bonus action or the points; neither Organize (A-45) nor declining (A-44)."""
    n = offer_the_four(box, s, faction_of(s, seat), moves)
    moves[n] = SCORE
    return n + 1


@rule
def take_points(box: Printed, s: State, luck: Luck, seat: int, which: int) -> None:
    """D8.1: the points of the month."""
    s.point = REVEALING
    gain_points(box, s, luck, faction_of(s, seat), unrest_points(box, s))


@rule
def forgo_points(s: State, luck: Luck, faction: int) -> None:
    """D8.1: said before a bonus action that is taken for unrest."""
    if s.point == UNREST:
        tell(luck, EVERYONE, TAKES_BONUS, faction)


@rule
def choose_bonus_unit(box: Printed, s: State, luck: Luck, seat: int, token: int) -> None:
    """D6.9, A-13: the unit; its region comes next."""
    forgo_points(s, luck, faction_of(s, seat))
    s.token = token
    s.point = BONUS_RECRUITING


@rule
def choose_bonus_token(box: Printed, s: State, luck: Luck, seat: int, token: int) -> None:
    """D6.9, A-14: the token that moves; where it goes comes next."""
    forgo_points(s, luck, faction_of(s, seat))
    s.token = token
    s.point = BONUS_MOVING


@rule
def bonus_refresh(box: Printed, s: State, luck: Luck, seat: int, token: int) -> None:
    """D6.9: refresh as in D6.4."""
    faction = faction_of(s, seat)
    forgo_points(s, luck, faction)
    refresh(s, luck, faction, token, AS_BONUS)
    end_bonus(s)


@rule
def bonus_draw(box: Printed, s: State, luck: Luck, seat: int, which: int) -> None:
    """D6.9: a command card; the hand stays larger (D3.3)."""
    faction = faction_of(s, seat)
    forgo_points(s, luck, faction)
    draw_to_hand(box, s, luck, faction, AS_BONUS)
    end_bonus(s)


@rule
def organize(box: Printed, s: State, luck: Luck, seat: int, which: int) -> None:
    """S7: the own objective is turned face up."""
    faction = faction_of(s, seat)
    turn_up_objective(s, faction)
    reveal(luck)
    tell(luck, EVERYONE, ORGANIZES, faction, s.objective[faction])
    end_bonus(s)


@rule
def decline_bonus(box: Printed, s: State, luck: Luck, seat: int, which: int) -> None:
    """A-15: a bonus action of the calendar may be left."""
    tell(luck, EVERYONE, DECLINES_BONUS, faction_of(s, seat))
    end_bonus(s)


# D6.9 The second half of a bonus recruit or a bonus move


@rule
def offer_regions(box: Printed, s: State, seat: int, moves: Ints) -> int:
    """D6.9: a bonus unit may go into any region; the blockade does not matter (A-32)."""
    for region in range(box.regions):
        moves[region] = TO + region
    return box.regions


@rule
def bonus_recruit(box: Printed, s: State, luck: Luck, seat: int, region: int) -> None:
    """D6.9: from the supply, fresh, into that region."""
    s.at[s.token] = region
    tell(luck, EVERYONE, BONUS_RECRUITS, faction_of(s, seat), s.token, region)
    end_bonus(s)


@rule
def offer_bonus_steps(box: Printed, s: State, seat: int, moves: Ints) -> int:
    """D6.9: as in D6.2, one step."""
    return offer_steps(box, s, 1, moves)


@rule
def bonus_move(box: Printed, s: State, luck: Luck, seat: int, region: int) -> None:
    """D6.9: move as in D6.2."""
    move_token(s, luck, faction_of(s, seat), region, AS_BONUS)
    end_bonus(s)
