"""What is said at a table: on a sheet for the seats, on one that spectators read, too, and, where a table allows it,
between two seats alone.

A sheet has its own lines and counts its own changes, so that nobody can tell from a number that others talk. Nothing
of it is ever part of a match, its file or its replay.
"""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from samizdat.table.journal import Seating
from samizdat.table.seats import Viewer

SEATS, ALL = "seats", "all"  # the two sheets of every table; one of two seats is called "0-2"
STAMPS = ("fist", "medal", "eye", "wait", "fire")  # what one can answer with instead of words
SAID, END_ASKED, END_REFUSED = "", "end", "not-end"  # kinds of lines
BACK_ASKED, BACK_REFUSED, BACK_AGREED = "back", "not-back", "went"
LONGEST_WORDS = 300  # characters of a line
MOST_LINES = 300  # that a sheet keeps; older ones go
MOST_MARKS = 3  # signs above and below one letter; some write pages over with them
LINE_WEIGHT = 700  # bytes


def clean_words(text: object) -> str:
    """What somebody says as others will read it: printable, one line, not too long."""
    kept: list[str] = []
    marks = 0
    for letter in str(text or "")[: 4 * LONGEST_WORDS]:
        marks = marks + 1 if unicodedata.combining(letter) else 0
        if marks <= MOST_MARKS and (letter.isprintable() or letter.isspace()):
            kept.append(letter)
    return " ".join("".join(kept).split())[:LONGEST_WORDS].rstrip()


def between(one: int, other: int) -> str:
    """The sheet of two seats."""
    return f"{min(one, other)}-{max(one, other)}"


def pair(sheet: str) -> tuple[int, int] | None:
    """The two seats of a sheet that is theirs alone."""
    one, found, other = sheet.partition("-")
    return (int(one), int(other)) if found else None


@dataclass
class Saying:
    """One line of a sheet."""

    sheet: str
    n: int  # of this sheet, from 0
    player: str  # who said it
    seat: Viewer  # from where
    name: str
    text: str
    at: float
    round: int  # of the match
    seatings: int  # changes of seats before it
    kind: str = SAID
    stamps: dict[str, set[str]] = field(default_factory=dict)  # who put which on it
    changed: int = field(default=0, compare=False)  # what its sheet had counted then


@dataclass
class Sheet:
    """The lines of one sheet, the oldest first."""

    lines: list[Saying] = field(default_factory=list)
    changes: int = 0

    @property
    def next(self) -> int:
        """The number of the line to come."""
        return self.lines[-1].n + 1 if self.lines else 0

    def put(self, line: Saying) -> None:
        """One more, or one that is there in another form."""
        self.changes += 1
        line.changed = self.changes
        for place in reversed(range(len(self.lines))):
            if self.lines[place].n == line.n:
                self.lines[place] = line
                return
        self.lines.append(line)
        del self.lines[:-MOST_LINES]

    def find(self, n: int) -> Saying | None:
        return next((line for line in self.lines if line.n == n), None)


class Talk:
    """Everything that was said at one table, as far as it is kept."""

    def __init__(self, lines: Sequence[Saying] = ()) -> None:
        # Counts begin with a number of their own, lest a page that another process made seem to be up to date here.
        self.mark = random.getrandbits(30)
        self.sheets: dict[str, Sheet] = {}
        for line in lines:
            self.sheet(line.sheet).put(line)

    def sheet(self, name: str) -> Sheet:
        return self.sheets.setdefault(name, Sheet())

    def __len__(self) -> int:
        return sum(len(sheet.lines) for sheet in self.sheets.values())

    def others(self, fresh: Talk) -> list[Saying]:
        """The lines that another process stored."""
        found: list[Saying] = []
        for name, sheet in fresh.sheets.items() if fresh is not self else ():
            known = {line.n: line for line in self.sheet(name).lines}
            found += [line for line in sheet.lines if known.get(line.n) != line]
        return found


def readers(sheet: str, players: int) -> tuple[Viewer, ...]:
    """Whose eyes a sheet is for."""
    if sheet == ALL:
        return (None, *range(players))
    return pair(sheet) or tuple(range(players))


def sheets_of(viewer: Viewer, players: int, private: bool) -> Iterator[str]:
    """The sheets of a viewer; a spectator has one."""
    if viewer is not None:
        yield SEATS
    yield ALL
    if viewer is not None and private:
        yield from (between(viewer, other) for other in range(players) if other != viewer)


def heard(line: Saying, viewer: Viewer, seatings: Sequence[Seating]) -> bool:
    """Whether whoever sits there now may read a line: what was said between two seats is not for those who came to
    one of them later."""
    if pair(line.sheet) is None:
        return True
    since = seatings[line.seatings :]
    return not any(one.seat == viewer and one.kind == "person" and not one.back for one in since)
