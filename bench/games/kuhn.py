"""Kuhn's poker: two seats, three cards, one bet.

Everybody antes 1 and gets a card. Seat 0 begins; pass or bet 1. Two passes or two bets lead to the showdown,
where the higher card wins; a bet that is answered by a pass wins at once.
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
CARDS = 3
MOST_STAKE = 2


class Printed(Record):
    deck: int = scalar(0, (1 << CARDS) - 1, "the cards, as a bit set; a higher number wins")
    ante: int = scalar(1, 1, "chips put in before the deal")
    bet: int = scalar(1, 1, "chips of a bet")


def printed() -> Printed:
    box = Printed()
    box.deck = (1 << CARDS) - 1
    box.ante = 1
    box.bet = 1
    return box


class State(Record):
    seats: int = scalar(SEATS, SEATS, "two play")
    acting: int = scalar(0, BOTH_SEATS, "who may act")
    bets: int = scalar(0, 1, "whether there is a bet to answer")
    reason: int = scalar(0, SHOWDOWN, "why the game ended")
    winner: int = scalar(NOBODY, SEATS - 1, "who takes the pot")
    stake: Ints = grid(SEATS, 0, MOST_STAKE, "chips put in")
    card: Ints = grid(SEATS, HIDDEN, CARDS - 1, "the card in hand; secret")


MOVES = MoveList(Kind("pass"), Kind("bet"))
PASS = MOVES.first["pass"]
BET = MOVES.first["bet"]


@rule
def setup(box: Printed, s: State, luck: Luck) -> None:
    s.acting = 1
    s.winner = NOBODY
    deck = box.deck
    for seat in range(SEATS):
        s.stake[seat] = box.ante
        s.card[seat] = deal_card(luck, deck)
        deck &= ~(1 << s.card[seat])


@rule
def acting(s: State) -> int:
    return s.acting


@rule
def offer(box: Printed, s: State, seat: int, moves: Ints) -> int:
    moves[0] = PASS
    moves[1] = BET
    return 2


@rule
def pass_(box: Printed, s: State, luck: Luck, seat: int, which: int) -> None:
    """With a bet open it folds; the second to pass shows."""
    if s.bets == 1:
        end(s, FOLD, 1 - seat)
    elif seat == 1:
        showdown(s)
    else:
        s.acting ^= BOTH_SEATS


@rule
def bet(box: Printed, s: State, luck: Luck, seat: int, which: int) -> None:
    """A second bet answers the first."""
    s.stake[seat] += box.bet
    if s.bets == 1:
        showdown(s)
        return
    s.bets = 1
    s.acting ^= BOTH_SEATS


@rule
def showdown(s: State) -> None:
    end(s, SHOWDOWN, 0 if s.card[0] > s.card[1] else 1)


POINTS = Points(
    MOVES,
    Point(0, "betting", ("1",), acting, offer, {"pass": pass_, "bet": bet}, "now a seat passes or bets."),
)


@rule
def hide(box: Printed, s: State, seat: int) -> None:
    hide_cards(s, seat)


@rule
def guess(box: Printed, s: State, luck: Luck, seat: int) -> None:
    """Seats decide as they like, so what was done tells nothing: every other card is as likely."""
    guess_cards(s, luck, box.deck)


@rule
def score(box: Printed, s: State, out: Score) -> None:
    score_stakes(s, out)


LAWS = (
    "every law holds",
    "each seat holds a card of its own",
    "stakes differ only while a bet is open or after a fold",
)


@rule
def broken(box: Printed, s: State) -> int:
    for seat in range(SEATS):
        if s.card[seat] < 0 or (box.deck >> s.card[seat]) & 1 == 0:
            return 1
    if s.card[0] == s.card[1]:
        return 1
    open_bet = s.reason == FOLD or (s.reason == 0 and s.bets == 1)
    return 2 if (s.stake[0] != s.stake[1]) != open_bet else 0


def longest(box: Box, options: Mapping[str, Any], players: int) -> int:
    """Pass, bet, answer."""
    return 3


GAME = Definition(
    name="kuhn",
    title="Kuhn's poker",
    designers="Harold W. Kuhn",
    publishers="",
    variants={"standard": (SEATS,)},
    options=(),
    state=State,
    printed=Printed,
    moves=MOVES,
    points=POINTS,
    reasons=CARD_REASONS,
    read_box=only_box("kuhn", printed()),
    rules=sys.modules[__name__],
    laws=sys.modules[__name__],
    longest=longest,
)
