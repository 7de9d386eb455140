"""Tours: a first game with a guide, made of steps that point at real pieces and react to what the player does.

A game's definition names its `tours`; the one called FIRST is for whoever has never seen the game, the others
step up from there to a variant. A step is a function of one position as its seat sees it, so that every value in its
text is true; `when` says that its moment has come. A step never waits for the right answer: whoever acts otherwise
gets the next step that fits, and those that were passed over can be read by going back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from samizdat.kernel.boards import Seen
from samizdat.kernel.game import Game
from samizdat.kernel.telling import Phrase

FIRST = "first"
FIRST_GAME = Phrase("First game")


@dataclass(frozen=True)
class Slip:
    """What a step says in one position. `**…**` is bold."""

    title: Phrase
    text: tuple[Phrase, ...]
    rules: tuple[str, ...]
    at: tuple[str, ...]  # ids of the elements it points at: all of them that are there
    goal: Phrase | None = None  # the aim of the game, printed large
    done: Phrase | None = None  # what has just been achieved
    todo: Phrase | None = None  # what to press


def asked_at(*points: str) -> Callable[[Game, Seen], bool]:
    """The moment at which the player is asked at one of these decision points."""
    return lambda game, seen: seen.view["point"] in points and seen.seat in seen.view["turn"]


@dataclass(frozen=True)
class Step:
    """One step of a tour."""

    name: str
    says: Callable[[Game, Seen], Slip]
    when: Callable[[Game, Seen], bool] | None = None  # its moment; None: it comes when the one before has been read
    at_once: bool = False  # also while the player has done nothing since the step before: others act
    pressed: tuple[str, ...] = ()  # ids: to press one of them is to have understood, and opens the next step


@dataclass(frozen=True)
class Tour:
    """A guided match: what is played, and the steps."""

    players: int
    steps: tuple[Step, ...]
    minutes: int  # until the guide has said everything, as tests/table/test_tours.py counts them
    title: Phrase = FIRST_GAME
    variant: str | None = None
    options: Mapping[str, bool | int | str] = field(default_factory=dict)


@dataclass(frozen=True)
class Progress:
    """How far somebody has come."""

    met: int = 1  # the steps that were shown, as a bit set
    shown: int = 0  # the one being read; earlier ones by going back
    folded: bool = False  # put away: the match goes on in silence
    acts: int = 0  # what the player had done by then, counted: nobody loses a slip by what others do meanwhile

    def follow(self, tour: Tour, game: Game, seen: Seen, acts: int) -> Progress:
        """After something has changed on the table: the first step not shown yet whose moment this is, if any."""
        for number, step in enumerate(tour.steps):
            new = (self.met >> number) & 1 == 0 and (step.at_once or acts != self.acts)
            if new and step.when is not None and step.when(game, seen):
                return replace(self, met=self.met | 1 << number, shown=number, acts=acts)
        return self

    def turn(self, tour: Tour, number: int, acts: int) -> Progress:
        """To another step, by hand; beyond the last one the guide falls silent."""
        if number >= len(tour.steps):
            return replace(self, folded=True)
        shown = max(0, number)
        return Progress(self.met | 1 << shown, shown, acts=acts)
