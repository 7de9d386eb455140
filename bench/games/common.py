"""What the benchmark's games share: a box that no file describes, and how two seats are ranked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from samizdat.kernel.box import Box, BoxText
from samizdat.kernel.records import Record
from samizdat.kernel.rule import rule
from samizdat.kernel.scoring import Score

BOTH_SEATS = 3  # as a bit set


def only_box(name: str, printed: Record) -> Callable[[Path], Box]:
    """Reads the one box such a game has, whatever the path: rivals play no other."""

    def read_box(path: Path) -> Box:
        constants = {name: int(value) for name, value in printed.items() if isinstance(value, int)}
        return Box(name, printed, BoxText(name, "", constants=constants), {})

    return read_box


@rule
def settle(out: Score, reason: int, first: int) -> None:
    """Write the score of two seats from what the first one won, which the second one lost."""
    out.points[0] = first
    out.points[1] = -first
    out.rank[0] = 2 if first < 0 else 1
    out.rank[1] = 2 if first > 0 else 1
    out.reason = reason
