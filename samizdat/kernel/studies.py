"""Studies: what of a game is worth counting when a designer asks how it plays (`samizdat study`).

A game may say which choices are counted (`Tally`), where points come from, who is ahead in mid-match and in which
order the seats begin. A game that says nothing is studied all the same: its decisions by kind and by what they
name.

    STUDY = Study(tallies=(Tally("Areas led", "areas", ended=areas_led),), parts=parts)
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from samizdat.kernel.plain_board import PlainBoard
from samizdat.kernel.telling import Word

if TYPE_CHECKING:
    from samizdat.kernel.game import Game

BySeat = Sequence[int]
DECISIONS = "decisions"  # the names of kinds of decision


@dataclass(frozen=True)
class Tally:
    """Things of one sort, and how often each seat chose or had which of them in a match."""

    title: str
    names: str  # the label under which the game keeps their ids (`Game.words`)
    says: str = ""  # what counts as once, where the title does not say it
    ids: tuple[str, ...] = ()  # where there is no such label
    # Decisions: kind -> which of its arguments names the thing; "" where the kind itself does.
    kinds: Mapping[str, str] = field(default_factory=dict)
    # What is told: event -> which of its numbers is the seat, which the thing.
    told: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    # The true record after the deal, or at the end -> for each thing, how many every seat has.
    dealt: Callable[[Game, Any], Sequence[BySeat]] | None = None
    ended: Callable[[Game, Any], Sequence[BySeat]] | None = None
    called: Callable[[Game, str], Any] | None = None  # what a thing is called that the glossary does not name

    def things(self, game: Game) -> tuple[str, ...]:
        return self.ids or game.words(self.names)

    def name(self, game: Game, thing: str) -> Any:
        """A thing as something that can be told."""
        return self.called(game, thing) if self.called else Word(self.names, thing)


@dataclass(frozen=True, kw_only=True)
class Study:
    """What a game declares; every part has a default."""

    tallies: tuple[Tally, ...] = ()
    parts: Callable[[Game, Any], Mapping[str, BySeat]] | None = None  # of the end: where each seat's points come from
    standing: Callable[[Game, Any], BySeat] | None = None  # who is ahead: the more the better; else the points so far
    order: Callable[[Game, Any], BySeat] | None = None  # of the deal: the seats as they begin; else by their numbers
    figures: tuple[str, ...] | None = None  # those of the show that a comparison looks at; None: all
    ends: Mapping[str, str] = field(default_factory=dict)  # reason -> how the end came, in words
    # Which ways of setting it up a tally is about; those that do not stand here are always counted.
    only: Mapping[str, Callable[[Game], bool]] = field(default_factory=dict)

    def counted(self, game: Game) -> tuple[Tally, ...]:
        """The tallies of one game."""
        if not self.tallies:
            return plain_tallies(game)
        return tuple(one for one in self.tallies if one.title not in self.only or self.only[one.title](game))

    def end(self, game: Game, reason: str) -> str:
        """How the end came; a plain board may say it, too."""
        board = game.definition.board
        said = board.ENDS if isinstance(board, PlainBoard) else {}
        return self.ends.get(reason) or said.get(reason) or reason.replace("_", " ")


def _plainly(label: str, argument: str, game: Game, thing: str) -> Any:
    """A mere number is said with what it counts."""
    return f"{argument} {thing}".capitalize() if thing.isdigit() else Word(label, thing)


def plain_tallies(game: Game) -> tuple[Tally, ...]:
    """Every kind of decision by its first argument, and the kinds themselves where there are several."""
    kinds = game.definition.moves.kinds
    found = []
    if len(kinds) > 1:
        found.append(Tally("Decisions", DECISIONS, ids=tuple(kinds), kinds=dict.fromkeys(kinds, "")))
    for kind in kinds.values():
        for argument, names in list(kind.args.items())[:1]:
            title = f"{kind.name} by {argument}".capitalize()
            called = functools.partial(_plainly, names.label, argument)
            found.append(Tally(title, names.label, kinds={kind.name: argument}, called=called))
    return tuple(found)
