"""A War of Whispers, R8, R13 and R15.2-R15.5: cards in hand, what is seen of them, and paying with them.

Every card that leaves a hand is shuffled back at once, so a deck is never in a known order: it is simply the
cards that nobody holds, and drawing takes any of them (R15.5). What can be known is who drew when, and which card
went back when: a card seen going back is none of those that were in hands at that moment (A63). `drawn` lists the
holders of a deck's cards, oldest draw first; `ruled_out` counts, for each copy of a card, the entries at the front
of that list it is known not to be.
"""

from __future__ import annotations

from samizdat.games.war_of_whispers.box import Printed
from samizdat.games.war_of_whispers.state import (
    COPIES,
    DECK,
    DISCARD_MOVE,
    DISCARDS,
    DISCARDS_CARD,
    DRAWS,
    DRAWS_CARD,
    EMPIRES,
    NOBODY,
    NOTHING,
    PAYS,
    RESET,
    SEATS,
    SWAP_LOYALTY,
    State,
)
from samizdat.kernel.luck import EVERYONE, Luck, draw, reveal, tell
from samizdat.kernel.records import Ints
from samizdat.kernel.rule import rule


@rule
def cards_of(s: State, seat: int) -> int:
    """A38: how many cards a seat holds, as everybody can see."""
    n = 0
    for empire in range(EMPIRES):
        n += s.held[seat, empire]
    return n


@rule
def in_hands(s: State, empire: int) -> int:
    """How many cards of a deck are in hands."""
    n = 0
    for seat in range(s.seats):
        n += s.held[seat, empire]
    return n


@rule
def deck_size(box: Printed, s: State, empire: int) -> int:
    return box.cards[empire] - in_hands(s, empire)


# --- R8 Draw Cards ----------------------------------------------------------------------------------------


@rule
def draw_cards(box: Printed, s: State, luck: Luck, seat: int, empire: int, wanted: int) -> None:
    """R8, A7: from the top of a deck, as many as there are."""
    there = deck_size(box, s, empire)
    cards = min(wanted, there)
    tell(luck, EVERYONE, DRAWS, seat, empire, cards)
    for _ in range(cards):
        draw_card(box, s, luck, seat, empire, there)
        there -= 1


@rule
def draw_card(box: Printed, s: State, luck: Luck, seat: int, empire: int, there: int) -> None:
    """R15.5: each of the cards that nobody holds is as likely to be the next."""
    place = draw(luck, there)
    for face in range(box.faces):
        if box.deck[face] != empire:
            continue
        free = box.copies[face]
        for other in range(s.seats):
            free -= s.hand[other, face]
        if place < free:
            s.drawn[empire, in_hands(s, empire)] = seat
            s.hand[seat, face] += 1
            s.held[seat, empire] += 1
            tell(luck, 1 << seat, DRAWS_CARD, seat, face)
            return
        place -= free


# --- R15.5 Cards go back ----------------------------------------------------------------------------------


@rule
def give_back_openly(box: Printed, s: State, seat: int, face: int) -> None:
    """R15.5, A40: a card everybody sees goes from a hand into its deck."""
    empire = box.deck[face]
    count = in_hands(s, empire)
    entry = first_entry(s, seat, empire, s.ruled_out[SEATS, face, 0])
    for knower in range(SEATS + 1):
        rule_out(box, s, knower, seat, face, count)
    s.hand[seat, face] -= 1
    s.held[seat, empire] -= 1
    forget_entry(box, s, empire, entry)


@rule
def rule_out(box: Printed, s: State, knower: int, seat: int, face: int, count: int) -> None:
    """A63: a copy of this card, about to leave a hand, is known to be none of the `count` cards that are in hands.

    Whoever holds the other copy knows that of both. Otherwise, of two copies the one more is known of is taken to be
    the one that leaves, unless this seat cannot have held that one; so a copy is never ruled out where it could be.
    The copy with fewer entries ruled out stands first.
    """
    last = box.copies[face] - 1
    known = s.ruled_out[knower, face, last]
    if last > 0 and knower < SEATS and s.hand[knower, face] > (1 if knower == seat else 0):
        s.ruled_out[knower, face, 0] = count
    elif last > 0 and first_entry(s, seat, box.deck[face], known) == NOBODY:
        s.ruled_out[knower, face, 0] = known
    s.ruled_out[knower, face, last] = count


@rule
def first_entry(s: State, seat: int, empire: int, least: int) -> int:
    """The oldest card of this deck in a hand, not counting the first `least` entries; NOBODY if there is none."""
    for i in range(least, DECK):
        if s.drawn[empire, i] == seat:
            return i
    return NOBODY


@rule
def forget_entry(box: Printed, s: State, empire: int, entry: int) -> None:
    """A card has left a hand: later entries move up, and what was ruled out of them with them."""
    for i in range(entry, DECK - 1):
        s.drawn[empire, i] = s.drawn[empire, i + 1]
    s.drawn[empire, DECK - 1] = NOBODY
    for knower in range(SEATS + 1):
        for face in range(box.faces):
            if box.deck[face] == empire:
                for copy in range(COPIES):
                    if s.ruled_out[knower, face, copy] > entry:
                        s.ruled_out[knower, face, copy] -= 1


# --- R15.2 Costs ------------------------------------------------------------------------------------------


@rule
def in_hand(box: Printed, s: State, seat: int) -> int:
    """The faces a seat holds, as bits."""
    found = 0
    for face in range(box.faces):
        if s.hand[seat, face] > 0:
            found |= 1 << face
    return found


@rule
def payable(box: Printed, s: State, seat: int, ability: int, faces: int) -> bool:
    """R15.2, A50: the cards of the cost are in hand, and one of them shows the ability; `faces` is in_hand.

    R15.3: the acting empire, the seat and the region do not matter.
    """
    one = box.cost[ability]
    other = box.cost_too[ability]
    if s.held[seat, one] == 0:
        return False
    if other != NOTHING:
        if s.held[seat, other] < (2 if other == one else 1):
            return False
    for face in range(box.faces):
        if (faces >> face) & 1 and (box.shows[face] >> ability) & 1:
            return True
    return False


@rule
def pays(box: Printed, s: State, seat: int, ability: int, face: int, other: int) -> bool:
    """R15.2, A50: these two cards pay for an ability; equal costs are laid in the order of the cards (A64)."""
    if box.deck[face] != box.cost[ability] or box.deck[other] != box.cost_too[ability]:
        return False
    if box.cost[ability] == box.cost_too[ability] and other < face:
        return False
    if s.hand[seat, other] < (2 if other == face else 1) or s.hand[seat, face] == 0:
        return False
    return ((box.shows[face] | box.shows[other]) >> ability) & 1 == 1


@rule
def pay(box: Printed, s: State, luck: Luck, seat: int, face: int) -> None:
    """R15.2: the card is shown, so this cannot be taken back."""
    reveal(luck)
    tell(luck, EVERYONE, PAYS, seat, face)
    give_back_openly(box, s, seat, face)


# --- R13 Reset --------------------------------------------------------------------------------------------


@rule
def begin_reset(box: Printed, s: State) -> None:
    """R13: who holds too many cards."""
    s.point = RESET
    s.step = 0
    for seat in range(s.seats):
        s.shed[seat] = 0
        if cards_of(s, seat) > box.hand_limit:
            s.shedding |= 1 << seat


@rule
def still_discarding(s: State) -> int:
    """R13, A39: everybody at once."""
    return s.shedding


@rule
def cards_left(box: Printed, s: State, seat: int, least: int) -> int:
    """Cards in a hand from face `least` on."""
    n = 0
    for face in range(least, box.faces):
        n += s.hand[seat, face]
    return n


@rule
def offer_discards(box: Printed, s: State, seat: int, moves: Ints) -> int:
    """R13: down to five cards, in the order of the cards (A64), as long as enough are left to discard."""
    excess = cards_left(box, s, seat, 0) - box.hand_limit
    n = 0
    for face in range(s.shed[seat], box.faces):
        if s.hand[seat, face] > 0 and cards_left(box, s, seat, face) >= excess:
            moves[n] = DISCARD_MOVE + face
            n += 1
    return n


@rule
def discard(box: Printed, s: State, luck: Luck, seat: int, face: int) -> None:
    """A39: everybody at once; nothing is seen of it before all have chosen."""
    rule_out(box, s, seat, seat, face, in_hands(s, box.deck[face]))
    s.hand[seat, face] -= 1
    s.shed[seat] = face
    tell(luck, 1 << seat, DISCARDS_CARD, seat, face)
    if cards_left(box, s, seat, 0) == box.hand_limit:
        s.shed[seat] = 0
        s.shedding &= ~(1 << seat)
        if s.shedding == 0:
            reveal(luck)


@rule
def discard_together(box: Printed, s: State, luck: Luck) -> None:
    """R13, A39: the discards go into their decks; their colours are seen, their faces are not. A51: then the Swap."""
    for seat in range(s.seats):
        for empire in range(EMPIRES):
            kept = 0
            for face in range(box.faces):
                if box.deck[face] == empire:
                    kept += s.hand[seat, face]
            gone = s.held[seat, empire] - kept
            for _ in range(gone):
                forget_entry(box, s, empire, first_entry(s, seat, empire, 0))
            s.held[seat, empire] = kept
            if gone > 0:
                tell(luck, EVERYONE, DISCARDS, seat, empire, gone)
    s.point = SWAP_LOYALTY
    s.step = 0
