"""The journal of a table: what was decided and taken back, line by line, and who sat down meanwhile."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Decision:
    """A seat decided."""

    seat: int
    move: str  # in notation
    luck: tuple[int, ...] = ()  # the outcomes that were given rather than drawn


@dataclass(frozen=True)
class TakingBack:
    """A seat took its last decision back."""

    seat: int


JournalEntry = Decision | TakingBack
# How a seat came to its bot, if not by whoever opened the table.
HANDED, RESIGNED, LATE = "handed", "resigned", "late"
