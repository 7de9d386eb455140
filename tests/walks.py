"""Random matches, for tests that look at every position on the way."""

from __future__ import annotations

import random
from collections.abc import Iterator

from samizdat.kernel.match import Match


def walk(match: Match, seed: int) -> Iterator[Match]:
    """The match before its next decision and after each of the random ones that end it."""
    dice = random.Random(seed)
    yield match
    while not match.over:
        seat = dice.choice(match.turn)
        match.play(seat, dice.choice(match.legal(seat)))
        yield match
