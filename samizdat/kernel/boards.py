"""Boards: what a game's board is given, and what it gives back to the table.

A game draws its board from what one seat may know, and from nothing else. Its board is a module (`board.py`) with the
names of `Board`, beside templates and a style sheet of its own: `board.html.jinja` has the macros `board(c)`,
`hand(c)`, `seats(c)`, `strip(c)` (the seats in one line, with the number that counts), `sheet(c)`, `secrets(c)` (what
this seat alone could see, for a match that is over) and, if steps have pictures, `step(c, r)`. A section that a tab
shows says so: `data-tab="hand"`. `glyphs.svg` holds its own signs, `poster.svg` its picture on the shelf.

Whatever carries a meaning in these macros says what to ask about it: `data-about="area fortress"`, on itself or
around it; `answer` is asked that. Every glyph that they draw is a Sign of the legend.

A game without any of these files has a `PlainBoard` (plain_board.py).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from samizdat.kernel.moves import Move
from samizdat.kernel.telling import Line, Listing, Many, Phrase, Told, Word, template

if TYPE_CHECKING:
    from samizdat.kernel.game import Game

Words = Phrase | Many  # something to be said to a reader

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


Said = Phrase | Many | Word | Listing


@dataclass(frozen=True)
class Answer:
    """What something on the board says when somebody points at it, in at most three lines."""

    name: Said
    what: Said  # what it is, beside its name
    does: tuple[Said, ...]  # what it does, by the rules
    rules: tuple[str, ...]  # their numbers
    now: tuple[Said, ...] = ()  # what that means in this position, to this seat


YOU, YOU_FIRST, NOBODY = Phrase("you"), Phrase("You"), Phrase("nobody")


def each(seen: Seen, names: Sequence[Said], numbers: Mapping[int, Any]) -> Listing:
    """Seats with their numbers, one's own first: "you 2, Fedor 1"."""
    order = sorted(numbers, key=lambda seat: (seat != seen.seat, seat))
    who = {seat: YOU if seat == seen.seat else names[seat] for seat in order}
    return Listing([Phrase("{who} {n}", {"who": who[seat], "n": numbers[seat]}) for seat in order])


Telling = Callable[["Game", "Seen", Sequence[str]], Answer]


def told_about(kinds: Mapping[str, Telling], game: Game, seen: Seen, about: str) -> Answer | None:
    """The answer to `area fortress`, by the first word's telling; None for what is not there, since anybody can ask
    anything."""
    kind, *rest = about.split(" ")
    try:
        return kinds[kind](game, seen, rest)
    except (LookupError, StopIteration, ValueError):
        return None


def seat_named(seen: Seen, words: Sequence[str]) -> int:
    """The seat that is asked about."""
    (seat,) = words
    return [str(number) for number in range(len(seen.view["players_at_table"]))].index(seat)


@dataclass(frozen=True)
class Sign:
    """A glyph of the sprite, or letters that stand for one, and what it means."""

    glyph: str
    says: Said
    letters: str = ""  # of a sign that is no glyph, as the board prints it


@dataclass(frozen=True)
class Signs:
    """Signs that belong together."""

    title: Phrase
    signs: tuple[Sign, ...]


@dataclass(frozen=True)
class Ending:
    """How a match ended: the seats that won, what they won by, and how that came, in a sentence or two."""

    winners: tuple[int, ...]
    by: Phrase | None
    how: tuple[Phrase, ...]
    nobody: Phrase | None = None  # what is said instead where no seat won


def by_points(totals: Sequence[int], winners: Sequence[int]) -> Phrase:
    """The points of the first, and of the next after them."""
    best = totals[winners[0]]
    others = [total for seat, total in enumerate(totals) if seat not in winners]
    if len(winners) > 1 or not others:
        return Phrase("{n} each", {"n": best})
    return Phrase("{best} to {next}", {"best": best, "next": max(others)})


@dataclass(frozen=True)
class Status:
    """What the status line says to a seat that is to act."""

    do: Phrase | Many
    left: Phrase | Many | None = None


class Board(Protocol):
    """What the table asks a game for."""

    @property
    def GLYPH(self) -> str:  # noqa: N802
        """The game's sign in the lobby."""

    @property
    def INKS(self) -> Sequence[str]:  # noqa: N802
        """The printing ink of each seat."""

    @property
    def BLURB(self) -> Phrase:  # noqa: N802
        """One sentence for the shelf."""

    @property
    def EFFORT(self) -> Effort:  # noqa: N802
        """How long a match takes and how hard the game is to learn."""

    @property
    def VARIANTS(self) -> Mapping[str, Phrase]:  # noqa: N802
        """How the form of a new table calls the variants."""

    @property
    def TABS(self) -> Sequence[Tab]:  # noqa: N802
        """The sections of which a phone shows one at a time, besides record and choices."""

    @property
    def SHEET(self) -> Mapping[str, str]:  # noqa: N802
        """Which of them a kind of decision is made with; what is not named is decided on the board itself."""

    @property
    def MARKS(self) -> Mapping[str, str]:  # noqa: N802
        """Under which id the board draws a row of a table of the box: a sentence that names it lights it up."""

    @property
    def BUTTONS(self) -> Mapping[str, bool]:  # noqa: N802
        """Kinds of decision that are buttons of the status line, not places; True: the confirming one."""

    def where(self, game: Game, view: Any) -> Words:
        """Round and phase, for the top bar and the lobby."""

    def status(self, game: Game, seen: Seen) -> Status:
        """What to do now, and what is left and why."""

    def label(self, game: Game, view: Any, move: Move) -> Words:
        """One decision as a short sentence, for lists and screen readers."""

    def picture(self, game: Game, seen: Seen) -> Mapping[str, Any]:
        """What the board's template needs besides the view: positions, groups, marks."""

    def compose(self, game: Game, s: Any, seat: int, draft: tuple[str, ...]) -> Composition | None:
        """The draft of a choice that all make at once, or None when nothing is composed."""

    def reveals(self, game: Game, told: list[Told], viewer: int) -> list[Reveal]:
        """What a decision revealed, in the steps in which a reader follows it."""

    def origin(self, game: Game, view: Any, move: Move) -> str:
        """The id of the piece or place that a decision moves something from; empty where nothing moves."""

    def ending(self, game: Game, view: Any) -> Ending:
        """Who won and by what, of a match that is over."""

    def answer(self, game: Game, seen: Seen, about: str) -> Answer | None:
        """What something on the board says when pointed at; None for what is not there."""

    def legend(self, game: Game) -> Sequence[Signs]:
        """The signs of the board and what each means, in groups."""
