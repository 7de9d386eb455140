"""Dual Powers, D3 and D4: the deck, hands and objectives, and what everyone knows about them."""

from __future__ import annotations

from samizdat.games.dual_powers.box import Printed
from samizdat.games.dual_powers.state import (
    DECK,
    DISCARDED,
    DRAWS,
    DRAWS_UNSEEN,
    FACTIONS,
    HAND,
    NONE,
    OBJECTIVE_SPACE,
    ON_TABLE,
    RESHUFFLES,
    SOLITAIRE,
    State,
)
from samizdat.kernel.luck import EVERYONE, Luck, draw, tell
from samizdat.kernel.records import Ints
from samizdat.kernel.rule import rule


@rule
def is_opposition(s: State, faction: int) -> bool:
    """S1: in solitaire the faction that was not chosen."""
    return s.variant == SOLITAIRE and faction != s.faction


@rule
def seat_of(s: State, faction: int) -> int:
    """D1.1: red sits at 0, white at 1; S1.1: the one seat has its faction. Never asked for the opposition."""
    return 0 if s.variant == SOLITAIRE else faction


@rule
def faction_of(s: State, seat: int) -> int:
    return s.faction if s.variant == SOLITAIRE else seat


@rule
def cards_in_hand(box: Printed, s: State, faction: int) -> int:
    """D3.3: command cards and leader cards not yet played."""
    cards = s.hand_size[faction]
    for leader in range(box.leaders):
        if box.leader_faction[leader] == faction and s.led[leader] == 0:
            cards += 1
    return cards


# D3.2 The deck


@rule
def can_draw(box: Printed, s: State) -> bool:
    """A-29: a card can be drawn while there is one in the deck or among the discards."""
    if s.deck_size > 0:
        return True
    for card in range(box.commands):
        if s.where[card] == DISCARDED:
            return True
    return False


@rule
def draw_card(box: Printed, s: State, luck: Luck) -> int:
    """D3.2: a card of the deck, all equally likely: shuffling is drawing at random. NONE if there is none (A-29)."""
    if s.deck_size == 0 and can_draw(box, s):
        shuffle_discards(box, s, luck)  # only now that a card is wanted
    if s.deck_size == 0:
        return NONE
    nth = draw(luck, s.deck_size)
    s.deck_size -= 1
    drawn = NONE
    for card in range(box.commands):
        if s.where[card] == DECK:
            if nth == 0:
                drawn = card
            nth -= 1
    return drawn


@rule
def offer_hand(box: Printed, s: State, faction: int, first: int, moves: Ints) -> int:
    """D4.1, D5.3: the command cards in a hand; written in any case, counted if in hand, for speed."""
    n = 0
    for card in range(box.commands):
        moves[n] = first + card
        n += s.where[card] == HAND + faction
    return n


@rule
def shuffle_discards(box: Printed, s: State, luck: Luck) -> None:
    """D3.2: the discards become the deck. A-53: everyone now knows which cards are not among them."""
    kept = 0
    for card in range(box.commands):
        if s.where[card] == DISCARDED:
            s.where[card] = DECK
            s.deck_size += 1
        elif s.where[card] != ON_TABLE:
            kept |= 1 << card
    for faction in range(FACTIONS):
        s.kept_by[faction] = s.hand_size[faction]
        if face_down(s, faction):
            s.objective_kept[faction] = 1
            if s.variant != SOLITAIRE:
                s.kept_by[faction] += 1
        elif s.objective[faction] != NONE:
            kept &= ~(1 << s.objective[faction])  # spied out: it lies in sight
    s.kept = kept
    s.line_kept = s.line_size
    s.reshuffles += 1
    tell(luck, EVERYONE, RESHUFFLES, s.deck_size)


@rule
def draw_to_hand(box: Printed, s: State, luck: Luck, faction: int, by: int) -> None:
    """D3.1, D6.9: a command card from the deck, seen by its owner alone."""
    card = draw_card(box, s, luck)
    if card == NONE:
        return
    s.where[card] = HAND + faction
    s.hand_size[faction] += 1
    owner = 1 << seat_of(s, faction)
    tell(luck, owner, DRAWS, faction, card, by)
    tell(luck, EVERYONE & ~owner, DRAWS_UNSEEN, faction, NONE, by)


# D4 Objectives


@rule
def face_down(s: State, faction: int) -> bool:
    """D4.1: there is an objective, and it was not turned up."""
    return s.objective[faction] != NONE and s.face_up[faction] == 0


@rule
def lay_objective(s: State, faction: int, card: int) -> None:
    s.objective[faction] = card
    s.where[card] = OBJECTIVE_SPACE


@rule
def turn_up_objective(s: State, faction: int) -> None:
    """D6.7, D8.2, S7: the objective lies face up from now on."""
    s.face_up[faction] = 1
    s.objective_kept[faction] = 0
    if s.variant == SOLITAIRE:
        s.kept &= ~(1 << s.objective[faction])
    else:
        come_into_sight(s, faction, s.objective[faction])


# A-53 What everyone knows


@rule
def come_into_sight(s: State, faction: int, card: int) -> None:
    """A-53: a card that a faction held since the last shuffle is seen; it is nothing to remember any more."""
    if (s.kept >> card) & 1:
        s.kept &= ~(1 << card)
        s.kept_by[faction] -= 1


@rule
def leave_hand(s: State, faction: int, card: int, place: int) -> None:
    """D4.1, D5.3: a command card goes from a hand to its place on the table."""
    s.where[card] = place
    s.hand_size[faction] -= 1
    if place == ON_TABLE:
        come_into_sight(s, faction, card)


@rule
def note_objective(s: State, faction: int) -> None:
    """A-53, two players: once the cards known to be with a faction are more than its hand, the objective is one
    of them; and stays so, though the hand may grow again."""
    if face_down(s, faction) and s.hand_size[faction] < s.kept_by[faction]:
        s.objective_kept[faction] = 1
