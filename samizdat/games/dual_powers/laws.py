"""Dual Powers: what holds after every decision; nothing is created, nothing is lost."""

from __future__ import annotations

from samizdat.games.dual_powers.box import Printed
from samizdat.games.dual_powers.rules_cards import face_down, is_opposition
from samizdat.games.dual_powers.rules_opposition import opposition_supply
from samizdat.games.dual_powers.rules_tokens import destinations
from samizdat.games.dual_powers.state import (
    ACTION,
    BONUS_MOVING,
    BONUS_RECRUITING,
    CARD,
    DECK,
    FACTIONS,
    GONE,
    HAND,
    LEADING,
    LEVELS,
    MOST_DRAWN,
    MOVING,
    NEUTRAL,
    NONE,
    OBJECTIVE,
    OBJECTIVE_SPACE,
    ON_TABLE,
    OUT_OF_SIGHT,
    OVER,
    PILE,
    RECRUITING,
    RED,
    SOLITAIRE,
    SUPPLY,
    UNREST,
    WAITING,
    State,
)
from samizdat.kernel.rule import rule

LAWS = (
    "every law holds",
    "D1.1: every unit and leader is in a region, in its supply, above the calendar or out of the game",
    "D8.5: only a token on the board lies exhausted side up",
    "D5.3: a leader is on the board only after its card was played or turned up",
    "D5.7, D5.8: Trotsky is on the board once at most, neutral or red, and never back above the calendar",
    "S1.1: no more opposition units on the board than there are",
    "D3.3: as many cards in a hand, in the deck and in the line as are counted there",
    "D4.1: an objective lies in its space, or (S9) among the opposition's cards",
    "A-53: the cards known not to be in the deck are with those who are known to have them",
    "D1.5: two different tiles on Unrest and Blockade, neither of them removed",
    "D9.2: the blockade marker lies on a connection",
    "D8.1: objective markers lie on the board only while regions are scored",
    "D5.6: the day marker never rests between the last bonus space and the end of the month",
    "D10.1: the score marker lies on the track, and on its last space only when the game is over",
    "D5.2: a turn has the card, the value and the token that its step needs, and no other",
    "D5.1: nobody has had more turns than a round gives",
    "what is not in use is empty, so that equal positions are equal records",
)


@rule
def broken(box: Printed, s: State) -> int:
    law = broken_tokens(box, s)
    if law == 0:
        law = broken_cards(box, s)
    if law == 0:
        law = broken_board(box, s)
    if law == 0:
        law = broken_turn(box, s)
    if law == 0:
        law = broken_rest(box, s)
    return law


@rule
def broken_tokens(box: Printed, s: State) -> int:
    for token in range(box.tokens):
        place = s.at[token]
        trotsky = token == box.trotsky_neutral or token == box.trotsky_red
        unit = box.is_leader[token] == 0
        if place < SUPPLY and place >= box.regions:
            return 1
        if place == SUPPLY and (box.faction[token] == NEUTRAL or trotsky):
            return 1
        if place == WAITING and not trotsky:
            return 1
        if unit and box.faction[token] != NEUTRAL:
            if is_opposition(s, box.faction[token]) != (place == GONE):
                return 1
        if s.tired[token] == 1 and place >= SUPPLY:
            return 2
    for leader in range(box.leaders):
        if s.led[leader] == 0 and s.at[box.leader_token[leader]] != SUPPLY:
            return 3
    neutral = s.at[box.trotsky_neutral]
    red = s.at[box.trotsky_red]
    if (neutral == WAITING and red != WAITING) or (red < SUPPLY and neutral != GONE):
        return 4
    for level in range(LEVELS):
        if opposition_supply(box, s, level) < 0:
            return 5
        for region in range(box.regions):
            if s.variant != SOLITAIRE and s.opposition[level, region] + s.opposition_tired[level, region] > 0:
                return 5
    return 0


@rule
def broken_cards(box: Printed, s: State) -> int:
    deck = 0
    piled = 0
    for card in range(box.commands):
        if s.where[card] == OUT_OF_SIGHT:
            return 6
        if s.where[card] == DECK:
            deck += 1
            if (s.kept >> card) & 1:
                return 8
        if s.where[card] == PILE:
            piled += 1
    if deck != s.deck_size or piled != s.line_size - s.line_shown:
        return 6
    spaces = 0
    for faction in range(FACTIONS):
        hand = 0
        kept = 0
        for card in range(box.commands):
            if s.where[card] == HAND + faction:
                hand += 1
                kept += (s.kept >> card) & 1
        if hand != s.hand_size[faction] or (is_opposition(s, faction) and hand > 0):
            return 6
        card = s.objective[faction]
        if card != NONE:
            expected = ON_TABLE if is_opposition(s, faction) else OBJECTIVE_SPACE
            spaces += 1 if expected == OBJECTIVE_SPACE else 0
            if s.where[card] != expected:
                return 7
        if face_down(s, faction):
            if s.variant == SOLITAIRE:
                if s.objective_kept[faction] != (s.kept >> card) & 1:
                    return 8
            else:
                kept += (s.kept >> card) & 1
                if s.objective_kept[faction] == 1 and (s.kept >> card) & 1 == 0:
                    return 8
        elif s.objective_kept[faction] == 1:
            return 8
        if kept != s.kept_by[faction]:
            return 8
    for card in range(box.commands):
        if s.where[card] == OBJECTIVE_SPACE:
            spaces -= 1
    if spaces != 0:
        return 7
    for place in range(s.line_size):
        card = s.line[place]
        if s.where[card] != (PILE if place >= s.line_shown else ON_TABLE):
            return 6
        if place >= s.line_shown and (s.kept >> card) & 1 != (1 if place < s.line_kept else 0):
            return 8
    return 0


@rule
def broken_board(box: Printed, s: State) -> int:
    if s.unrest == s.barred or s.removed[s.unrest] == 1 or s.removed[s.barred] == 1:
        return 9
    if s.blockade >= box.connections:
        return 10
    if s.marker[0] == NONE:
        if s.marker[1] != NONE or s.marker[2] != NONE or s.point == UNREST:
            return 11
    elif s.marker[0] != s.unrest:
        return 11
    elif s.point != UNREST and s.point != BONUS_MOVING and s.point != BONUS_RECRUITING and s.point != OVER:
        return 11
    if s.day < 1 or s.day > box.month_days or (s.day >= box.slide_from and s.day != box.month_days):
        return 12
    ended = s.score == box.track or s.score == -box.track
    if s.score > box.track or s.score < -box.track or (ended and s.point != OVER):
        return 13
    return 0


@rule
def broken_turn(box: Printed, s: State) -> int:
    if s.turns > 2 * box.turns + s.variant:
        return 15
    acting = s.point == ACTION or s.point == RECRUITING or s.point == MOVING
    if acting and (s.card == NONE or s.where[s.card] != ON_TABLE or s.value > box.recruit[s.card]):
        return 14
    if s.point == LEADING and (s.leader == NONE or s.led[s.leader] == 0 or s.still_open == 0):
        return 14
    chosen = s.point == RECRUITING or s.point == MOVING or s.point == BONUS_MOVING or s.point == BONUS_RECRUITING
    if chosen != (s.token != NONE):
        return 14
    if s.point == BONUS_RECRUITING and (s.at[s.token] != SUPPLY or box.rank[s.token] != 1):
        return 14
    if (s.point == MOVING or s.point == BONUS_MOVING) and destinations(box, s, s.token, 1) == 0:
        return 14
    if s.point == OBJECTIVE or s.point == CARD or s.point == UNREST or s.point == OVER:
        if s.card != NONE or s.leader != NONE or s.value != 0 or s.still_open != 0 or s.bonus != 0:
            return 14
    if s.variant == SOLITAIRE and is_opposition(s, s.decider) and s.point != OVER:
        return 15
    if s.variant != SOLITAIRE and s.faction != RED:
        return 15
    return 0


@rule
def broken_rest(box: Printed, s: State) -> int:
    """Records are keys of trees: a value left behind would make two positions of one.

    Only `turns`, `first` and `decider` keep the last action phase while objectives are chosen and when the game is
    over: stored tables are compared with their records.
    """
    if (s.reason != 0) != (s.point == OVER) or (s.difficulty == 0) != (s.variant != SOLITAIRE):
        return 16
    if s.value != 0 and s.point != ACTION and s.point != RECRUITING and s.point != MOVING:
        return 16
    if s.still_open != 0 and s.point != LEADING:
        return 16
    if s.card != NONE and s.leader != NONE:
        return 16
    if s.marker[0] != NONE and (s.card != NONE or s.leader != NONE or s.bonus != 0):
        return 16
    for faction in range(FACTIONS):
        if s.face_up[faction] == 1 and s.objective[faction] == NONE:
            return 16
        if s.reshuffles == 0 and s.kept_by[faction] != 0:
            return 16
    if s.reshuffles == 0 and s.kept != 0:
        return 16
    if s.line_kept > s.line_size or (s.variant != SOLITAIRE and s.line_size != 0):
        return 16
    for place in range(s.line_size, MOST_DRAWN):
        if s.line[place] != NONE:
            return 16
    return 0
