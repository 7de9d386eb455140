"""What the benchmark's games share: a box that no file describes, two seats, and cards held in secret."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from samizdat.kernel.bits import nth, size
from samizdat.kernel.box import Box, BoxText
from samizdat.kernel.luck import Luck, draw
from samizdat.kernel.records import Record
from samizdat.kernel.rule import rule
from samizdat.kernel.scoring import Score

SEATS = 2
BOTH_SEATS = 3  # as a bit set

# Why a game of cards ended.
CARD_REASONS = ("running", "fold", "showdown")
FOLD, SHOWDOWN = 1, 2
HIDDEN = -1
NOBODY = -1


def only_box(name: str, printed: Record) -> Callable[[Path], Box]:
    """Reads the one box such a game has, whatever the path: rivals play no other."""

    def read_box(path: Path) -> Box:
        constants = {key: value for key, value in printed.items() if isinstance(value, int)}
        return Box(name, printed, BoxText(name, "", constants=constants), {})

    return read_box


@rule
def settle(out: Score, reason: int, first: int) -> None:
    """The score of two seats from what the first one won, which the second one lost."""
    out.points[0] = first
    out.points[1] = -first
    out.rank[0] = 2 if first < 0 else 1
    out.rank[1] = 2 if first > 0 else 1
    out.reason = reason


@rule
def deal_card(luck: Luck, cards: int) -> int:
    """One of a bit set of cards."""
    return nth(cards, draw(luck, size(cards)))


@rule
def hide_cards(s: Any, seat: int) -> None:
    """A seat knows its own card. A showdown opens both; a fold opens none, not even afterwards."""
    if s.reason != SHOWDOWN:
        for other in range(SEATS):
            if other != seat:
                s.card[other] = HIDDEN


@rule
def guess_cards(s: Any, luck: Luck, unseen: int) -> None:
    """Deal hidden cards from the bit set of those that nobody can see; the cards still in hand are not among them."""
    for seat in range(SEATS):
        if s.card[seat] != HIDDEN:
            unseen &= ~(1 << s.card[seat])
    for seat in range(SEATS):
        if s.card[seat] == HIDDEN:
            s.card[seat] = deal_card(luck, unseen)
            unseen &= ~(1 << s.card[seat])


@rule
def end(s: Any, reason: int, winner: int) -> None:
    s.acting = 0
    s.reason = reason
    s.winner = winner


@rule
def score_stakes(s: Any, out: Score) -> None:
    """The winner takes what the other seat has put in; a shared pot changes nothing."""
    won = 0
    if s.winner == 0:
        won = s.stake[1]
    elif s.winner == 1:
        won = -s.stake[0]
    settle(out, s.reason, won)
