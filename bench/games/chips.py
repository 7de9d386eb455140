"""What a game of cards is worth to a bot: the chips, not the mere win."""

from __future__ import annotations

from typing import Any

from bench.games.common import NOBODY, SEATS
from bench.games.leduc import MOST_STAKE
from samizdat.kernel.lores import Lore
from samizdat.kernel.rule import rule


@rule
def worth(box: Any, s: Any, out: Any) -> None:
    """From 0, the largest loss that these games know, to 1, the largest win."""
    for seat in range(SEATS):
        out[seat] = 0.5
    if s.winner != NOBODY:
        lost = s.stake[1 - s.winner] / (2.0 * MOST_STAKE)
        out[s.winner] += lost
        out[1 - s.winner] -= lost


LORE = Lore(worth=worth)
