"""Boards: what a game's `board.py` is given, and what it gives back to the table.

A game draws its board from what one seat may know, and from nothing else. `board.py` defines

| name | is |
|---|---|
| `GLYPH`, `INKS`, `BLURB` | the game's sign in the lobby, the printing ink of each seat, one sentence |
| `EFFORT` | an Effort: how long a match takes and how hard the game is to learn |
| `TABS` | the sections of which a phone shows one at a time, besides record and choices: `Tab`s |
| `SHEET` | which of them a kind of decision is made with; what is not named is decided on the board itself |
| `MARKS` | under which id the board draws a row of a table of the box: a sentence that names it lights it up |
| `BUTTONS` | kinds of decision that are buttons of the status line, not places on the board |
| `where(game, view)` | round and phase, for the top bar and the lobby |
| `status(game, seen)` | a Status: what to do now, and what is left and why |
| `label(game, view, move)` | one decision as a short sentence, for lists and screen readers |
| `picture(game, seen)` | what `board.html.jinja` needs besides the view: positions, groups, marks |
| `compose(game, s, seat, draft)` | the draft of a choice that all make at once, or None when nothing is composed |
| `reveals(game, told, viewer)` | what a decision revealed, in the steps in which a reader follows it |

and `board.html.jinja` the macros `board(c)`, `hand(c)`, `seats(c)`, `strip(c)` (the seats in one line, with the
number that counts), `sheet(c)`, `secrets(c)` (what this seat alone could see, for a match that is over) and, if steps
have pictures, `step(c, r)`. A section that a tab shows says so: `data-tab="hand"`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from samizdat.kernel.telling import Line, Many, Phrase, Told, template

LEARNING = (
    template("at once"),
    template("easy"),
    template("some effort"),
    template("takes a match"),
    template("a study"),
)


@dataclass(frozen=True)
class Effort:
    """What a game asks of people: their time, and to be learned first."""

    minutes: tuple[int, int]  # a match among people who know it: the shortest usual and the longest
    learning: int  # 1 to 5, a step of LEARNING; docs/decisions.md says how it was found

    @property
    def time(self) -> Phrase:
        low, high = self.minutes
        if low == high:
            return Phrase("{low} min", {"low": low})
        return Phrase("{low}–{high} min", {"low": low, "high": high})

    @property
    def hard(self) -> Phrase:
        """The same as the squares of its card, in words."""
        step = Phrase(LEARNING[self.learning - 1])
        values = {"step": self.learning, "most": len(LEARNING), "word": step}
        return Phrase("How hard to learn: {step} of {most}, {word}", values)


@dataclass(frozen=True)
class Tab:
    """A section that shares its place with others: in the sheet of a phone; if it folds, in the rail, too."""

    name: str  # of the sections: `data-tab`
    glyph: str
    label: Phrase
    variants: tuple[str, ...] = ()  # empty: every variant has it
    holds: bool = False  # one decides with it: it shrinks the board, where what is only looked up lies over it
    folds: bool = False  # it shares its place also where there is a rail


TABLE = Tab("table", "agent", Phrase("Table"))  # who sits there, and what is public of them


@dataclass(frozen=True)
class Seen:
    """One position as one seat sees it."""

    view: Mapping[str, Any]
    seat: int | None  # None is a spectator
    legal: tuple[str, ...]  # the open decisions of that seat, in notation
    draft: Composition | None
    last: tuple[Told, ...]  # what was told of the latest decision


@dataclass(frozen=True)
class Composition:
    """A choice of several things, as far as this seat has composed it; nobody else knows that it exists."""

    chosen: tuple[str, ...]  # in notation; a token laid twice stands twice
    open: tuple[str, ...]  # what may be added now
    seal: tuple[str, ...] | None  # the decisions in the order the match wants them; None while something is missing
    verb: Phrase | None = None  # what the confirming button says; None: it seals a secret

    @property
    def ready(self) -> bool:
        return self.seal is not None


def one_of(legal: Sequence[str], draft: Sequence[str]) -> Composition:
    """The draft of a single choice: a later one replaces the earlier."""
    chosen = tuple(choice for choice in draft[-1:] if choice in legal)
    return Composition(chosen, tuple(legal), chosen or None)


@dataclass(frozen=True)
class Reveal:
    """One step of what a decision revealed: its sentences, what they are about, and data for a picture of it."""

    lines: tuple[Line, ...]
    focus: tuple[str, ...] = ()  # ids of elements of the board
    data: Mapping[str, Any] = field(default_factory=dict)
    pictured: bool = False  # its picture says all that the sentences say
    minor: bool = False  # nothing secret comes out and the board shows the same: not for those in a hurry


@dataclass(frozen=True)
class Status:
    """What the status line says to a seat that is to act."""

    do: Phrase | Many
    left: Phrase | Many | None = None
