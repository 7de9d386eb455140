"""What can happen at a table. A command comes to one of these; it is stored, and then the table is changed by it."""

from __future__ import annotations

from dataclasses import dataclass

from samizdat.kernel.fairness import Fairness
from samizdat.kernel.match import Match
from samizdat.table.journal import Decision, GoingBack, Seating, TakingBack
from samizdat.table.pleas import Plea
from samizdat.table.proposals import Proposal
from samizdat.table.seats import Seat, Viewer
from samizdat.table.talk import Saying


@dataclass(frozen=True)
class Begun:
    """Everybody sits, and the cards are dealt."""

    match: Match


@dataclass(frozen=True)
class Played:
    """A seat made decisions."""

    seat: int
    entries: tuple[Decision, ...]
    match: Match  # after them
    noticed: tuple[Viewer, ...]  # who can tell


@dataclass(frozen=True)
class TookBack:
    """A seat took its last decision back: alone, or, where others had acted on it, because all agreed."""

    seat: int
    entries: tuple[TakingBack | GoingBack]
    match: Match  # without it
    noticed: tuple[Viewer, ...]  # who can tell
    agreed: str = ""  # the player who was the last to agree
    line: Saying | None = None  # what the seats are told of that


@dataclass(frozen=True)
class Drafted:
    """A seat put its draft together differently; nobody else can tell."""

    seat: int
    draft: tuple[str, ...]


@dataclass(frozen=True)
class SeatChanged:
    """Somebody else sits there, or nobody."""

    seat: int
    chair: Seat
    player: str | None
    seating: Seating | None  # what the log says of it, while a match runs
    fairness: Fairness | None  # what the luck follows from now
    left: int | None = None  # a free seat that takes over the link of this one
    link: str = ""


@dataclass(frozen=True)
class Held:
    """Another browser of the same person came to a seat."""

    seat: int
    player: str


@dataclass(frozen=True)
class Revoked:
    """Browsers no longer hold a seat, and its link is another one: they must not come back by the old."""

    seat: int
    gone: frozenset[str]
    key: str


@dataclass(frozen=True)
class Reminded:
    """A seat's time is nearly over; whoever sits there is told so, wherever they are."""

    seat: int


@dataclass(frozen=True)
class Lapsed:
    """A seat's time was over for the first time, where a decision may take days: it has as much again."""

    seat: int


@dataclass(frozen=True)
class RanOut:
    """A seat's time is over, and the others may end the match or let it go on."""

    seat: int


@dataclass(frozen=True)
class WentOn:
    """The others let the match go on: a seat whose time was over has some again."""

    seat: int
    player: str  # who said so


@dataclass(frozen=True)
class Paused:
    """The time of a seat stands still, or goes by again: its owner's holidays began, or ended."""

    seat: int
    on: bool


@dataclass(frozen=True)
class Turned:
    """Somebody did something with the slip of a scene."""

    act: str  # "again", "show", "more", "fold" or "unfold"


@dataclass(frozen=True)
class Spoken:
    """Somebody said something."""

    line: Saying


@dataclass(frozen=True)
class Stamped:
    """Somebody put a stamp on what was said, or took it off."""

    line: Saying  # as it is now
    player: str
    stamp: str
    on: bool


@dataclass(frozen=True)
class Voted:
    """Somebody has proposed to end the match, or answered to that."""

    proposal: Proposal
    line: Saying | None  # what the seats are told of it
    ended: bool  # all have agreed
    player: str = ""  # who said so


@dataclass(frozen=True)
class Pleaded:
    """Somebody asks for a decision back, or answered to that."""

    plea: Plea
    line: Saying | None  # what the seats are told of it


OfTheMatch = Begun | Played | TookBack | Drafted | Reminded | Lapsed | RanOut | WentOn | Paused
Event = OfTheMatch | SeatChanged | Held | Revoked | Turned | Spoken | Stamped | Voted | Pleaded
