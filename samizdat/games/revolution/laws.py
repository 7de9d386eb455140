"""Revolution!: what holds after every decision; nothing is created, nothing is lost."""

from __future__ import annotations

from samizdat.games.revolution.box import Printed
from samizdat.games.revolution.rules import empty_spaces
from samizdat.games.revolution.state import APOTHECARY, EXCHANGE, OVER, PERSUASION, SPY, TOKENS, State
from samizdat.kernel.rule import rule

LAWS = (
    "every law holds",
    "R1.1: a player's followers are in stock or on the board, all of them",
    "R6.3: no area holds more followers than it has spaces",
    "R5.2: tokens held are laid or still to be laid",
    "R5.3: nobody bids on more characters than allowed",
    "R5.5: no token lies on a character that refuses it",
    "R5.2: a sealed bid leaves no token behind",
    "R6.7: no token stays on a board after the evaluation",
    "R7.2: nobody begins a round with fewer tokens than the floor",
    "A-26: the cursor stands where the last token was laid, at the beginning if none was",
    "R6.5: a first place is marked only while its exchange is made",
)


@rule
def broken(box: Printed, s: State) -> int:
    for seat in range(s.seats):
        followers = s.stock[seat]
        for area in range(box.areas):
            followers += s.followers[area, seat]
        if followers != box.followers:
            return 1
    for area in range(box.areas):
        if empty_spaces(box, s, area) < 0:
            return 2
    if s.point == PERSUASION or s.point == SPY or s.point == APOTHECARY or s.point == EXCHANGE:
        for seat in range(s.seats):
            law = broken_bid(box, s, seat)
            if law:
                return law
    for seat in range(s.seats):
        if s.cursor[seat] != last_laid(box, s, seat):
            return 9
    if s.point != EXCHANGE and s.first != 0:
        return 10
    if s.point == OVER:
        for seat in range(s.seats):
            for character in range(box.characters):
                for token in range(TOKENS):
                    if s.bid[seat, character, token] != 0:
                        return 7
    return 0


@rule
def last_laid(box: Printed, s: State, seat: int) -> int:
    """The place of the last token in the order of A-26; 0 if none is laid."""
    last = 0
    for character in range(box.characters):
        for token in range(TOKENS):
            if s.bid[seat, character, token] > 0:
                last = character * TOKENS + token
    return last


@rule
def broken_bid(box: Printed, s: State, seat: int) -> int:
    people = 0
    for character in range(box.characters):
        laid = False
        for token in range(TOKENS):
            if s.bid[seat, character, token] > 0:
                laid = True
                if box.refuses[character, token] == 1:
                    return 5
        if laid:
            people += 1
    if people > box.most_characters or people != s.people[seat]:
        return 4
    tokens = 0
    for token in range(TOKENS):
        laid_tokens = s.left[seat, token]
        tokens += s.held[seat, token]
        for character in range(box.characters):
            laid_tokens += s.bid[seat, character, token]
        if laid_tokens != s.held[seat, token]:
            return 3
        if (s.sealed >> seat) & 1 and s.left[seat, token] != 0:
            return 6
    if s.rounds > 1 and tokens < box.token_floor:
        return 8
    return 0
