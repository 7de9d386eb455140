"""A War of Whispers: what a seat may not know, and a fair guess at it (A38, A63)."""

from __future__ import annotations

from samizdat.games.war_of_whispers.box import Printed
from samizdat.games.war_of_whispers.rules_cards import hand_fits
from samizdat.games.war_of_whispers.rules_hand import cards_of
from samizdat.games.war_of_whispers.state import (
    COPIES,
    DECK,
    EMPIRES,
    NOBODY,
    OVER,
    RESET,
    SEATS,
    SLOTS,
    State,
)
from samizdat.kernel.bits import nth, size
from samizdat.kernel.luck import Luck, draw
from samizdat.kernel.rule import rule


@rule
def hide(box: Printed, s: State, seat: int) -> None:
    """A38: faces of cards in other hands, loyalty tokens face down until the end, what others know alone (A63)."""
    for other in range(s.seats):
        if other == seat:
            continue
        s.shed[other] = 0
        for face in range(box.faces):
            s.hand[other, face] = 0
            for copy in range(COPIES):
                s.ruled_out[other, face, copy] = 0
        if s.point != OVER:
            for slot in range(SLOTS):
                if (s.shown[other] >> slot) & 1 == 0:
                    s.loyalty[other, slot] = NOBODY
            if s.shown[other] & 1 == 0:
                s.sworn[other] = NOBODY


@rule
def guess(box: Printed, s: State, luck: Luck, seat: int) -> None:
    """Hands and loyalties that agree with all this seat knows, each as likely as any other."""
    for _ in range(MOST_DEALS):
        for empire in range(EMPIRES):
            guess_hands(box, s, luck, seat, empire)
        if s.point == RESET or s.player == seat or hand_fits(box, s, s.player):
            break
        clear_hands(box, s, seat)
    for other in range(s.seats):
        if other != seat:
            guess_discards(box, s, luck, other)
            for face in range(box.faces):
                for copy in range(COPIES):
                    s.ruled_out[other, face, copy] = s.ruled_out[SEATS, face, copy]
    if s.point != OVER:
        if s.distinct_devout == 1:
            guess_devout(box, s, luck, seat)
        for other in range(s.seats):
            if other != seat:
                guess_loyalty(s, luck, other)


# --- Cards ------------------------------------------------------------------------------------------------

# A card that was announced must be payable: hands are dealt anew until it is, which keeps all fitting deals equally
# likely. One card of one or two faces among eight is the most an announcement asks for beyond what everybody sees, so
# a deal fits after a few tries; the bound only keeps the loop finite.
MOST_DEALS = 10_000


@rule
def clear_hands(box: Printed, s: State, seat: int) -> None:
    for other in range(s.seats):
        if other != seat:
            for face in range(box.faces):
                s.hand[other, face] = 0


@rule
def guess_hands(box: Printed, s: State, luck: Luck, seat: int, empire: int) -> None:
    """A63: deal the cards of one deck that others hold, oldest draw first.

    What an older card may be, a newer one may be too; so the number of choices for each does not depend on the
    choices before, and every deal that nothing rules out is equally likely.
    """
    knower = seat if seat >= 0 else SEATS
    gone = known_copies(box, s, seat, empire)
    for entry in range(DECK):
        holder = s.drawn[empire, entry]
        if holder == NOBODY:
            break
        if holder == seat:
            continue
        choices = 0
        for place in range(2):  # first count the copies it may be, then find the one that was drawn
            chosen = draw(luck, choices) if place == 1 else -1
            bit = 0
            for face in range(box.faces):
                if box.deck[face] != empire:
                    continue
                for copy in range(box.copies[face]):
                    if (gone >> bit) & 1 == 0 and s.ruled_out[knower, face, copy] <= entry:
                        if place == 0:
                            choices += 1
                        else:
                            if chosen == 0:
                                gone |= 1 << bit
                                s.hand[holder, face] += 1
                            chosen -= 1
                    bit += 1


@rule
def known_copies(box: Printed, s: State, seat: int, empire: int) -> int:
    """The copies in a seat's own hand, as bits: of two it holds the one that more is known of."""
    gone = 0
    bit = 0
    for face in range(box.faces):
        if box.deck[face] == empire:
            own = s.hand[seat, face] if seat >= 0 else 0
            for copy in range(box.copies[face]):
                if copy >= box.copies[face] - own:
                    gone |= 1 << bit
                bit += 1
    return gone


@rule
def guess_discards(box: Printed, s: State, luck: Luck, other: int) -> None:
    """A39: whoever has chosen what to discard keeps any of the cards; whoever has not, still holds them all."""
    if s.point != RESET or (s.shedding >> other) & 1:
        return
    cards = cards_of(s, other)
    while cards > box.hand_limit:
        chosen = draw(luck, cards)
        for face in range(box.faces):
            n = s.hand[other, face]
            if chosen >= 0 and chosen < n:
                s.hand[other, face] -= 1
            chosen -= n
        cards -= 1


# --- Loyalties --------------------------------------------------------------------------------------------


@rule
def tokens_down(s: State, seat: int) -> int:
    """The empires whose tokens lie face down before a seat, as bits."""
    down = (1 << EMPIRES) - 1
    for slot in range(SLOTS):
        if s.loyalty[seat, slot] != NOBODY:
            down &= ~(1 << s.loyalty[seat, slot])
    return down


@rule
def guess_loyalty(s: State, luck: Luck, seat: int) -> None:
    """R3.6: the tokens face down lie in any order."""
    down = tokens_down(s, seat)
    for slot in range(SLOTS):
        if s.loyalty[seat, slot] != NOBODY:
            continue
        empire = nth(down, draw(luck, size(down)))
        s.loyalty[seat, slot] = empire
        down &= ~(1 << empire)
    if s.sworn[seat] == NOBODY:
        s.sworn[seat] = s.loyalty[seat, 0]


@rule
def devouts_differ(s: State, code: int) -> bool:
    """V1: whether the Devout tokens of the deal, as `code` fills in those not known, are all different."""
    taken = 0
    for seat in range(s.seats):
        empire = s.sworn[seat]
        if empire == NOBODY:
            empire = code % EMPIRES
            if (tokens_down(s, seat) >> empire) & 1 == 0:
                return False
        code //= EMPIRES
        if (taken >> empire) & 1:
            return False
        taken |= 1 << empire
    return True


@rule
def counts(s: State, code: int) -> bool:
    """Each way to fill in what is not known once: a known seat has digit 0."""
    for seat in range(s.seats):
        if s.sworn[seat] != NOBODY and code % EMPIRES != 0:
            return False
        code //= EMPIRES
    return True


@rule
def guess_devout(box: Printed, s: State, luck: Luck, seat: int) -> None:
    """V1: Devout tokens face down, so that those of the deal were all different; each way as likely as any other."""
    ways = 0
    for code in range(EMPIRES**SEATS):
        if counts(s, code) and code < EMPIRES**s.seats and devouts_differ(s, code):
            ways += 1
    chosen = draw(luck, ways)
    for code in range(EMPIRES**SEATS):
        if counts(s, code) and code < EMPIRES**s.seats and devouts_differ(s, code):
            if chosen == 0:
                fill_in(s, code)
                return
            chosen -= 1


@rule
def fill_in(s: State, code: int) -> None:
    for seat in range(s.seats):
        if s.sworn[seat] == NOBODY:
            s.sworn[seat] = code % EMPIRES
            s.loyalty[seat, 0] = code % EMPIRES
        code //= EMPIRES
