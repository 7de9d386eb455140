"""Dual Powers: what a seat may not see, and a fair guess at it.

Unseen cards lie in the deck, in hands, face down as objectives or in the opposition's line. Every way to
spread them that agrees with all that was seen is equally likely. What was seen is the place of every other
card and, since the last shuffle of the deck, which of the unseen cards cannot be in it (A-53). It is spreads, not
histories, that are equally likely: a card that came by a Bonus Draw after the objective was laid cannot be that
objective, and this is not weighed. A spectator, who sees neither hand, might also remember from an earlier shuffle
how many of some old cards went to which side, which this does not.
"""

from __future__ import annotations

from samizdat.games.dual_powers.box import Printed
from samizdat.games.dual_powers.rules_cards import face_down, faction_of, is_opposition
from samizdat.games.dual_powers.state import (
    DECK,
    FACTIONS,
    HAND,
    NONE,
    OBJECTIVE_SPACE,
    OUT_OF_SIGHT,
    PILE,
    SOLITAIRE,
    UNSEEN,
    State,
)
from samizdat.kernel.luck import Luck, draw
from samizdat.kernel.rule import rule


@rule
def sees_hand(s: State, seat: int, faction: int) -> bool:
    """D3.1: everyone sees the own hand only."""
    return seat >= 0 and faction_of(s, seat) == faction


@rule
def sees_objective(s: State, seat: int, faction: int) -> bool:
    """D4.2: the own objective may be looked at; S2: in solitaire it may not."""
    return not face_down(s, faction) or (sees_hand(s, seat, faction) and s.variant != SOLITAIRE)


@rule
def hide(box: Printed, s: State, seat: int) -> None:
    """D3.1, D4.1, S2, S5: other hands, face-down objectives, the deck and the opposition's coming cards; never what
    was played or discarded (A-30)."""
    for faction in range(FACTIONS):
        if not sees_hand(s, seat, faction):
            for card in range(box.commands):
                if s.where[card] == HAND + faction:
                    s.where[card] = OUT_OF_SIGHT
        if not sees_objective(s, seat, faction):
            if s.objective[faction] != UNSEEN:
                s.where[s.objective[faction]] = OUT_OF_SIGHT
            s.objective[faction] = UNSEEN
    for card in range(box.commands):
        if s.where[card] == DECK or s.where[card] == PILE:
            s.where[card] = OUT_OF_SIGHT
    for place in range(s.line_shown, s.line_size):
        s.line[place] = UNSEEN


@rule
def unseen_card(box: Printed, s: State, luck: Luck, kept: int) -> int:
    """A random card out of sight: one of those known not to be in the deck (kept 1), or of the others (0)."""
    cards = 0
    for card in range(box.commands):
        if s.where[card] == OUT_OF_SIGHT and (s.kept >> card) & 1 == kept:
            cards += 1
    nth = draw(luck, cards)
    chosen = NONE
    for card in range(box.commands):
        if s.where[card] == OUT_OF_SIGHT and (s.kept >> card) & 1 == kept:
            if nth == 0:
                chosen = card
            nth -= 1
    return chosen


@rule
def guess_hand(box: Printed, s: State, luck: Luck, faction: int, cards: int) -> None:
    """So many cards for a hand, as many of them kept as everyone knows."""
    for number in range(cards):
        kept = 1 if number < s.kept_by[faction] else 0
        s.where[unseen_card(box, s, luck, kept)] = HAND + faction


@rule
def guess_objective(box: Printed, s: State, luck: Luck, faction: int) -> None:
    """Two players: any card the faction has, or any of its kept cards if it must be one of those."""
    only_kept = s.objective_kept[faction]
    cards = s.kept_by[faction] if only_kept == 1 else s.hand_size[faction] + 1
    nth = draw(luck, cards)
    for card in range(box.commands):
        if s.where[card] == HAND + faction and (only_kept == 0 or (s.kept >> card) & 1):
            if nth == 0:
                s.objective[faction] = card
                s.where[card] = OBJECTIVE_SPACE
            nth -= 1


@rule
def guess(box: Printed, s: State, luck: Luck, seat: int) -> None:
    """Every way to spread the unseen cards that agrees with what was seen, each as likely as any other (A-53)."""
    for faction in range(FACTIONS):
        hidden = 1 if s.objective[faction] == UNSEEN else 0
        if s.variant == SOLITAIRE:
            if hidden == 1:
                card = unseen_card(box, s, luck, s.objective_kept[faction])
                s.objective[faction] = card
                s.where[card] = OBJECTIVE_SPACE
            hidden = 0
        if not sees_hand(s, seat, faction) and not is_opposition(s, faction):
            guess_hand(box, s, luck, faction, s.hand_size[faction] + hidden)
            if hidden == 1:
                guess_objective(box, s, luck, faction)
    for place in range(s.line_shown, s.line_size):
        card = unseen_card(box, s, luck, 1 if place < s.line_kept else 0)
        s.line[place] = card
        s.where[card] = PILE
    for card in range(box.commands):
        if s.where[card] == OUT_OF_SIGHT:
            s.where[card] = DECK
