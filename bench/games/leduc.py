"""Leduc hold'em: two seats, six cards in three ranks, two rounds of betting and one public card.

Call (or check), raise while the round has had fewer than two raises, or fold. A raise puts in 2 chips in the
first round and 4 in the second, on top of calling. A round ends when both have called since the last raise;
between the rounds a public card is turned over. A pair with it beats the higher rank; equal ranks share.

Two variants, as the rivals play it:

- `standard` (OpenSpiel, pgx): everybody antes 1; seat 0 opens both rounds; only a raise can be folded to.
- `blinds` (RLCard, PettingZoo): seat 0 puts in 1 and opens, seat 1 puts in 2; folding is always possible; the
  second round is opened by the seat after the one that acted last.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

from bench.games.common import (
    BOTH_SEATS,
    CARD_REASONS,
    FOLD,
    HIDDEN,
    NOBODY,
    SEATS,
    SHOWDOWN,
    deal_card,
    end,
    guess_cards,
    hide_cards,
    only_box,
    score_stakes,
)
from samizdat.kernel.box import Box
from samizdat.kernel.game import Definition
from samizdat.kernel.luck import Luck
from samizdat.kernel.moves import Kind, MoveList
from samizdat.kernel.points import Point, Points
from samizdat.kernel.records import Ints, Record, grid, scalar
from samizdat.kernel.rule import rule
from samizdat.kernel.scoring import Score

RULES_VERSION = 1
CARDS = 6
ROUNDS = 2
STANDARD, BLINDS = 0, 1
VARIANTS = ("standard", "blinds")
MOST_STAKE = 2 + 2 * 2 + 2 * 4  # the big blind and every raise


class Printed(Record):
    deck: int = scalar(0, (1 << CARDS) - 1, "the cards, as a bit set")
    suits: int = scalar(1, CARDS, "cards of a rank; a card's rank is its number divided by this")
    start: Ints = grid((len(VARIANTS), SEATS), 1, 2, "antes and blinds, by variant and seat")
    raise_by: Ints = grid(ROUNDS, 2, 4, "chips of a raise, by round")
    most_raises: int = scalar(2, 2, "raises in a round")


def printed() -> Printed:
    box = Printed()
    box.deck = (1 << CARDS) - 1
    box.suits = 2
    box.most_raises = 2
    for seat in range(SEATS):
        box.start[STANDARD, seat] = 1
        box.start[BLINDS, seat] = 1 + seat
    for number in range(ROUNDS):
        box.raise_by[number] = 2 + 2 * number
    return box


class State(Record):
    seats: int = scalar(SEATS, SEATS, "two play")
    variant: int = scalar(STANDARD, BLINDS, "antes or blinds")
    acting: int = scalar(0, BOTH_SEATS, "who may act")
    round: int = scalar(0, ROUNDS - 1, "the round of betting")
    raises: int = scalar(0, 2, "raises in this round")
    settled: int = scalar(0, 1, "seats that have called, or raised last, in this round")
    reason: int = scalar(0, SHOWDOWN, "why the game ended")
    winner: int = scalar(NOBODY, SEATS - 1, "who takes the pot; nobody where it is shared")
    public: int = scalar(HIDDEN, CARDS - 1, "the public card; hidden from everybody in the first round")
    stake: Ints = grid(SEATS, 0, MOST_STAKE, "chips put in")
    card: Ints = grid(SEATS, HIDDEN, CARDS - 1, "the card in hand; secret")


MOVES = MoveList(Kind("fold"), Kind("call"), Kind("raise"))
FOLDS = MOVES.first["fold"]
CALLS = MOVES.first["call"]
RAISES = MOVES.first["raise"]


@rule
def setup(box: Printed, s: State, luck: Luck) -> None:
    s.acting = 1
    s.winner = NOBODY
    s.public = HIDDEN
    deck = box.deck
    for seat in range(SEATS):
        s.stake[seat] = box.start[s.variant, seat]
        s.card[seat] = deal_card(luck, deck)
        deck &= ~(1 << s.card[seat])


@rule
def acting(s: State) -> int:
    return s.acting


@rule
def offer(box: Printed, s: State, seat: int, moves: Ints) -> int:
    # Written always, kept if it counts: the processor need not guess.
    n = 0
    moves[n] = FOLDS
    n += 1 if s.variant == BLINDS or s.stake[seat] < s.stake[1 - seat] else 0
    moves[n] = CALLS
    n += 1
    if s.raises < box.most_raises:
        moves[n] = RAISES
        n += 1
    return n


@rule
def fold(box: Printed, s: State, luck: Luck, seat: int, which: int) -> None:
    end(s, FOLD, 1 - seat)


@rule
def raise_(box: Printed, s: State, luck: Luck, seat: int, which: int) -> None:
    s.stake[seat] = s.stake[1 - seat] + box.raise_by[s.round]
    s.raises += 1
    s.settled = 1
    s.acting ^= BOTH_SEATS


@rule
def call(box: Printed, s: State, luck: Luck, seat: int, which: int) -> None:
    """The second call of a round ends it."""
    s.stake[seat] = s.stake[1 - seat]
    if s.settled == 0:
        s.settled = 1
    elif s.round == ROUNDS - 1:
        end(s, SHOWDOWN, better_hand(box, s))
        return
    else:
        turn_public_card(box, s, luck)
        if s.variant == STANDARD:
            s.acting = 1
            return
    s.acting ^= BOTH_SEATS


@rule
def turn_public_card(box: Printed, s: State, luck: Luck) -> None:
    """The second round begins."""
    s.public = deal_card(luck, box.deck & ~(1 << s.card[0]) & ~(1 << s.card[1]))
    s.round += 1
    s.raises = 0
    s.settled = 0


@rule
def better_hand(box: Printed, s: State) -> int:
    """The pair with the public card, or else the higher rank. Only one seat can pair: a rank has but two cards."""
    first = s.card[0] // box.suits
    second = s.card[1] // box.suits
    shown = s.public // box.suits
    if first == second:
        return NOBODY
    if second == shown or (first != shown and second > first):
        return 1
    return 0


@rule
def hide(box: Printed, s: State, seat: int) -> None:
    hide_cards(s, seat)


@rule
def guess(box: Printed, s: State, luck: Luck, seat: int) -> None:
    """Seats decide as they like, so what was done tells nothing: every unseen card is as likely."""
    unseen = box.deck
    if s.public != HIDDEN:
        unseen &= ~(1 << s.public)
    guess_cards(s, luck, unseen)


@rule
def score(box: Printed, s: State, out: Score) -> None:
    score_stakes(s, out)


POINTS = Points(
    MOVES,
    Point(
        0, "betting", ("1",), acting, offer, {"fold": fold, "call": call, "raise": raise_},
        "now a seat folds, calls or raises.",
    ),
)  # fmt: skip

LAWS = (
    "every law holds",
    "each seat holds a card of its own, and the public card is a third",
    "the public card lies open in the second round only",
    "stakes grow by raises only, and are level at a showdown",
)


@rule
def broken(box: Printed, s: State) -> int:
    for seat in range(SEATS):
        if s.card[seat] < 0 or (box.deck >> s.card[seat]) & 1 == 0 or s.card[seat] == s.public:
            return 1
    if s.card[0] == s.card[1]:
        return 1
    if (s.public != HIDDEN) != (s.round == 1):
        return 2
    most = max(box.start[s.variant, 0], box.start[s.variant, 1]) + s.raises * box.raise_by[s.round]
    if s.round == 1:
        most += box.most_raises * box.raise_by[0]
    if max(s.stake[0], s.stake[1]) > most or (s.reason == SHOWDOWN and s.stake[0] != s.stake[1]):
        return 3
    return 0


def longest(box: Box, options: Mapping[str, Any], players: int) -> int:
    """A check, two raises and a call in each round."""
    return 4 * ROUNDS


GAME = Definition(
    name="leduc",
    title="Leduc hold'em",
    designers="University of Alberta",
    publishers="",
    variants=dict.fromkeys(VARIANTS, (SEATS,)),
    options=(),
    state=State,
    printed=Printed,
    moves=MOVES,
    points=POINTS,
    reasons=CARD_REASONS,
    read_box=only_box("leduc", printed()),
    rules=sys.modules[__name__],
    laws=sys.modules[__name__],
    longest=longest,
)
