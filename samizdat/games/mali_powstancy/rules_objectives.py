"""Mali Powstańcy, 2.10.3: the secret objectives of the extended variant, dealt and kept."""

from __future__ import annotations

from samizdat.games.mali_powstancy.box import Printed
from samizdat.games.mali_powstancy.guess import (
    colours_dealt,
    colours_of,
    deal_objectives,
    is_first_copy,
    keeps,
    objectives_at,
)
from samizdat.games.mali_powstancy.rules_orders import begin_round
from samizdat.games.mali_powstancy.state import (
    DEALS,
    DEALS_AGAIN,
    DEALT,
    HAS_KEPT,
    IN_BOX,
    KEEP,
    KEEPS,
    KEPT,
    OBJECTIVE,
    State,
)
from samizdat.kernel.bits import size
from samizdat.kernel.luck import EVERYONE, Luck, tell
from samizdat.kernel.records import Ints
from samizdat.kernel.rule import rule


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
    """2.10.3, S3: the cards that may be kept next."""
    kept = objectives_at(box, s, KEPT + seat)
    cards = objectives_at(box, s, DEALT + seat) | kept
    n = 0
    for objective in range(box.objectives):
        if may_keep(box, cards, kept, objective):
            moves[n] = KEEP + objective
            n += 1
    return n


@rule
def keep_objective(box: Printed, s: State, luck: Luck, seat: int, objective: int) -> None:
    """2.10.3: kept face down; the others go back to the box unseen. When all have chosen, the first round begins."""
    s.objective[objective] = KEPT + seat
    tell(luck, 1 << seat, KEEPS, objective)
    if keeps(box, s, seat) == box.objectives_kept:
        s.ready |= 1 << seat
        tell(luck, EVERYONE, HAS_KEPT, seat)
        if s.ready == (1 << s.seats) - 1:
            begin_round(box, s, luck)
