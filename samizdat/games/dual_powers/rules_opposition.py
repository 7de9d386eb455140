"""Dual Powers, S2 to S9: what the opposition does in the solitaire; it never decides anything."""

from __future__ import annotations

from samizdat.games.dual_powers.box import Printed
from samizdat.games.dual_powers.rules_calendar import advance_date, take_will
from samizdat.games.dual_powers.rules_cards import draw_card
from samizdat.games.dual_powers.state import (
    ADDS_UNIT,
    BY_SOLITAIRE,
    DEALT_LINE,
    NO_UNIT_LEFT,
    NONE,
    ON_TABLE,
    PILE,
    SKIPS,
    TURNS_UP_CARD,
    TURNS_UP_LEADER,
    State,
)
from samizdat.kernel.luck import EVERYONE, Luck, draw, reveal, tell
from samizdat.kernel.rule import rule


@rule
def deal_line(box: Printed, s: State, luck: Luck) -> None:
    """S2: cards for the opposition, unseen; A-55: they will be turned up in the order in which they were dealt."""
    for number in range(box.cards_drawn):
        card = draw_card(box, s, luck)
        if card != NONE:
            s.where[card] = PILE
            s.line[number] = card
            s.line_size += 1
    tell(luck, EVERYONE, DEALT_LINE, s.line_size)


@rule
def turn_up_leader(box: Printed, s: State, luck: Luck) -> None:
    """S3: the next leader of the shuffled pile (S1.2), fresh, into the region of unrest; no action (A-33).

    A-56: without a leader card left, only the Will changes sides.
    """
    opposition = 1 - s.faction
    waiting = 0
    for leader in range(box.leaders):
        if box.leader_faction[leader] == opposition and s.led[leader] == 0:
            waiting += 1
    if waiting > 0:
        nth = draw(luck, waiting)
        for leader in range(box.leaders):
            if box.leader_faction[leader] == opposition and s.led[leader] == 0:
                if nth == 0:
                    s.led[leader] = 1
                    s.at[box.leader_token[leader]] = s.unrest
                    tell(luck, EVERYONE, TURNS_UP_LEADER, leader, s.unrest)
                nth -= 1
    take_will(s, luck, opposition, BY_SOLITAIRE)


@rule
def opposition_turn(box: Printed, s: State, luck: Luck) -> None:
    """S5: its next card, the date, one unit. S6: a level-1 unit for a bonus; the Will if it passes the month."""
    opposition = 1 - s.faction
    if s.line_shown == s.line_size:
        tell(luck, EVERYONE, SKIPS, opposition)
        return
    card = s.line[s.line_shown]
    s.line_shown += 1
    s.where[card] = ON_TABLE
    s.kept &= ~(1 << card)
    reveal(luck)
    tell(luck, EVERYONE, TURNS_UP_CARD, card)
    advance_date(box, s, luck, opposition, box.days[card])
    add_unit(box, s, luck, box.recruit[card], box.region[card], 0)
    if s.bonus == 1:
        s.bonus = 0
        add_unit(box, s, luck, 1, s.unrest, 1)


@rule
def opposition_supply(box: Printed, s: State, level: int) -> int:
    """S1.1: opposition units of a level (counted from 0) that are not on the board."""
    left = box.level_count[level]
    for region in range(box.regions):
        left -= s.opposition[level, region] + s.opposition_tired[level, region]
    return left


@rule
def add_unit(box: Printed, s: State, luck: Luck, level: int, region: int, bonus: int) -> None:
    """S5, S6: one unit of this level, fresh; A-34: of the next lower level if there is none, or nothing."""
    for lower in range(level - 1, -1, -1):
        if opposition_supply(box, s, lower) > 0:
            s.opposition[lower, region] += 1
            tell(luck, EVERYONE, ADDS_UNIT, lower, region, bonus)
            return
    tell(luck, EVERYONE, NO_UNIT_LEFT, region)


@rule
def opposition_objective(box: Printed, s: State) -> int:
    """S9: the region with the most days, then the most cards, then the card played last; there, the most VP.

    A-39: of equal ones the card played last. NONE if it played no card.
    """
    best = NONE
    best_days = 0
    best_cards = 0
    for place in range(s.line_shown):
        region = box.region[s.line[place]]
        days = 0
        cards = 0
        for other in range(s.line_shown):
            if box.region[s.line[other]] == region:
                days += box.days[s.line[other]]
                cards += 1
        if days > best_days or (days == best_days and cards >= best_cards):  # a later card wins a tie
            best = region
            best_days = days
            best_cards = cards
    objective = NONE
    for place in range(s.line_shown):
        card = s.line[place]
        if box.region[card] == best and (objective == NONE or box.vp[card] >= box.vp[objective]):
            objective = card
    return objective
