"""From strengths to chances: what a game's `lore.py` may use to turn points into shares of the win."""

from __future__ import annotations

import math
from typing import Any

from samizdat.kernel.rule import rule


@rule
def chances(out: Any, seats: int, scale: float) -> None:
    """Replace strengths by shares of one win: a seat that is `scale` points ahead is e times as likely to win."""
    best = out[0]
    for seat in range(1, seats):
        best = max(best, out[seat])
    total = 0.0
    for seat in range(seats):
        out[seat] = math.exp((out[seat] - best) / scale)
        total += out[seat]
    for seat in range(seats):
        out[seat] /= total
