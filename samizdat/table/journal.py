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


@dataclass(frozen=True)
class GoingBack:
    """A seat took its last decision back and everything since with it, as all had agreed."""

    seat: int


JournalEntry = Decision | TakingBack | GoingBack
# How a seat came to its bot, if not by whoever opened the table.
HANDED, RESIGNED, LATE = "handed", "resigned", "late"


@dataclass
class Seating:
    """One change of a seat while the match ran."""

    seat: int
    kind: str
    name: str
    was: str  # the name of whoever last had that hand
    back: bool  # its owner came back
    held: frozenset[str]  # the players who held the seat until then
    after: int  # lines of the journal when it happened
    plies: int = field(default=0, compare=False)  # decisions of the match before it, less those taken back since
    how: str = ""  # HANDED, RESIGNED or LATE
