"""Mali Powstańcy: Warszawa 1944 by Filip Miłuński, for 2 to 4 players, base and extended variant.

Every player leads three scouts who carry orders through Warsaw in August 1944. Orders that come too late close
routes and lose districts; too many of them, and all players lose together. Otherwise most points win.

Options (default in brackets): max_jumps_per_turn [0, no limit], A2; deliver_by_forced_move [yes], A18;
red_move_may_jump [no, base only], A16.

The numbers are those of `rulebook/en.md`: 2.x.y for rules, A for rulings of the dossier, S for our own. This file
holds set-up and contract; the chapters are `rules_map` (2.1), `rules_orders` (2.3, 2.4, 2.6), `rules_movement` and
`rules_turn` (2.5, 2.6), `rules_actions` (2.11), `rules_soldier` (2.7), `rules_time` (2.8, 2.12), `rules_scoring`
(2.9, 2.13) and `guess` (2.15). Each decision point has what is offered next to what taking it does.
"""

from __future__ import annotations

from samizdat.games.mali_powstancy.box import Printed
from samizdat.games.mali_powstancy.guess import (
    colours_dealt,
    colours_of,
    deal_objectives,
    guess,
    hide,
    is_first_copy,
    keeps,
    objectives_at,
)
from samizdat.games.mali_powstancy.rules_actions import offer_with, take_with
from samizdat.games.mali_powstancy.rules_map import size
from samizdat.games.mali_powstancy.rules_orders import begin_round
from samizdat.games.mali_powstancy.rules_scoring import score
from samizdat.games.mali_powstancy.rules_soldier import (
    offer_hunt,
    offer_red,
    offer_way,
    take_hunt,
    take_red,
    take_way,
)
from samizdat.games.mali_powstancy.rules_time import (
    offer_failure,
    offer_refuge,
    offer_token,
    take_failure,
    take_refuge,
    take_token,
)
from samizdat.games.mali_powstancy.rules_turn import (
    offer_card,
    offer_entry,
    offer_turn,
    take_card,
    take_entry,
    take_turn,
)
from samizdat.games.mali_powstancy.state import (
    CARD,
    DEALS,
    DEALS_AGAIN,
    DEALT,
    DRAWS,
    ENTRY,
    EXCHANGE,
    EXTENDED,
    FAILURE,
    HAS_KEPT,
    HUNT,
    IN_BOX,
    IN_DECK,
    KEEP,
    KEEPS,
    KEPT,
    NO_VICTORY,
    NONE,
    OBJECTIVE,
    OVER,
    RED,
    REFUGE,
    SCOUTS,
    STARTS,
    TOKEN,
    TURN,
    WAY,
    State,
)
from samizdat.kernel.luck import EVERYONE, Luck, draw, tell
from samizdat.kernel.records import Ints
from samizdat.kernel.rule import rule

RULES_VERSION = 1

__all__ = ["guess", "hide", "legal", "play", "score", "seats_to_act", "setup"]


# --- 2.2, 2.10 Set-up -----------------------------------------------------------------------------------------


@rule
def setup(box: Printed, s: State, luck: Luck) -> None:
    """2.2, 2.10: scouts on their places, the deck, the soldier or the objectives, a start player (A46)."""
    s.start_player = draw(luck, s.seats)
    s.first = NONE
    s.resolving = NONE
    for i in range(DRAWS):
        s.top[i] = NONE
    for seat in range(s.seats):
        s.order[seat] = seat
        s.chosen[seat] = NONE
        s.hand[seat] = (1 << box.cards) - 1
        for scout in range(SCOUTS):
            s.at[seat, scout] = box.begins[seat, scout]
            s.carries[seat, scout] = NONE
    tell(luck, EVERYONE, STARTS, s.start_player)
    if s.variant == EXTENDED:
        s.soldier = NONE  # 2.10.1
        s.victory = IN_DECK
        s.under = box.under_victory[s.seats]
        s.above = box.orders - s.under
        secret_objectives(box, s, luck)
    else:
        s.soldier = box.soldier
        s.victory = NO_VICTORY
        s.above = box.base_deck[s.seats]
        begin_round(box, s, luck)


# --- 2.10.3 Secret objectives ---------------------------------------------------------------------------------


@rule
def secret_objectives(box: Printed, s: State, luck: Luck) -> None:
    """2.10.3: dealt to everybody, who then choose."""
    for seat in range(s.seats):
        deal_objectives(box, s, luck, seat)
    deal_again_if_poor(box, s, luck)
    for objective in range(box.objectives):
        if s.objective[objective] != IN_BOX:
            tell(luck, 1 << (s.objective[objective] - DEALT), DEALS, objective)
    s.point = OBJECTIVE


@rule
def deal_again_if_poor(box: Printed, s: State, luck: Luck) -> None:
    """2.10.3: if any hand shows too few colours, everybody is dealt new cards, until no hand does."""
    while has_poor_hand(box, s):
        tell(luck, EVERYONE, DEALS_AGAIN)
        for objective in range(box.objectives):
            s.objective[objective] = IN_BOX
        for seat in range(s.seats):
            deal_objectives(box, s, luck, seat)


@rule
def has_poor_hand(box: Printed, s: State) -> bool:
    for seat in range(s.seats):
        if colours_dealt(box, s, seat) < box.objectives_kept:
            return True
    return False


@rule
def may_keep(box: Printed, cards: int, kept: int, objective: int) -> bool:
    """2.10.3: a colour not kept yet; S3: in the order of the cards, with enough colours left among the later ones."""
    if (cards >> objective) & 1 == 0 or kept >> objective != 0 or not is_first_copy(box, objective, cards):
        return False
    chosen = kept | (1 << objective)
    if colours_of(box, chosen) < size(chosen):
        return False
    later = cards & ~((1 << (objective + 1)) - 1)
    return colours_of(box, chosen | later) >= box.objectives_kept


@rule
def offer_objective(box: Printed, s: State, seat: int, moves: Ints) -> int:
    kept = objectives_at(box, s, KEPT + seat)
    cards = objectives_at(box, s, DEALT + seat) | kept
    n = 0
    for objective in range(box.objectives):
        if may_keep(box, cards, kept, objective):
            moves[n] = KEEP + objective
            n += 1
    return n


@rule
def take_objective(box: Printed, s: State, luck: Luck, seat: int, move: int) -> None:
    """2.10.3: kept face down; the others go back to the box unseen. When all have chosen, the first round begins."""
    s.objective[move - KEEP] = KEPT + seat
    tell(luck, 1 << seat, KEEPS, move - KEEP)
    if keeps(box, s, seat) == box.objectives_kept:
        s.ready |= 1 << seat
        tell(luck, EVERYONE, HAS_KEPT, seat)
        if s.ready == (1 << s.seats) - 1:
            begin_round(box, s, luck)


# --- The contract ---------------------------------------------------------------------------------------------


@rule
def seats_to_act(s: State) -> int:
    """2.5.1, 2.10.3: everybody who has not chosen yet; otherwise one seat."""
    if s.point == OBJECTIVE or s.point == CARD:
        return ((1 << s.seats) - 1) & ~s.ready
    if s.point == OVER:
        return 0
    return 1 << s.chooser


@rule
def legal(box: Printed, s: State, seat: int, moves: Ints) -> int:
    if s.point == TURN:
        return offer_turn(box, s, seat, moves)
    if s.point == CARD:
        return offer_card(box, s, seat, moves)
    if s.point == OBJECTIVE:
        return offer_objective(box, s, seat, moves)
    if s.point == ENTRY:
        return offer_entry(box, s, moves)
    if s.point == EXCHANGE:
        return offer_with(box, s, moves)
    if s.point == HUNT:
        return offer_hunt(box, s, seat, moves)
    if s.point == WAY:
        return offer_way(box, s, moves)
    if s.point == RED:
        return offer_red(box, s, seat, moves)
    if s.point == FAILURE:
        return offer_failure(box, s, moves)
    if s.point == TOKEN:
        return offer_token(box, s, moves)
    return offer_refuge(box, s, seat, moves)


@rule
def play(box: Printed, s: State, luck: Luck, seat: int, move: int) -> None:
    if s.point == TURN:
        take_turn(box, s, luck, seat, move)
    elif s.point == CARD:
        take_card(box, s, luck, seat, move)
    elif s.point == OBJECTIVE:
        take_objective(box, s, luck, seat, move)
    elif s.point == ENTRY:
        take_entry(box, s, luck, seat, move)
    elif s.point == EXCHANGE:
        take_with(s, luck, seat, move)
    elif s.point == HUNT:
        take_hunt(box, s, luck, move)
    elif s.point == WAY:
        take_way(box, s, luck, move)
    elif s.point == RED:
        take_red(box, s, luck, seat, move)
    elif s.point == FAILURE:
        take_failure(box, s, luck, move)
    elif s.point == TOKEN:
        take_token(box, s, luck, move)
    elif s.point == REFUGE:
        take_refuge(box, s, luck, seat, move)
