"""Telling: what the rules said while they ran, and sentences made from it.

A sentence is a template with named values, so that each language can put its own. Values are numbers, components
(`Word`, looked up in the game's glossary), or parts of the sentence that are translated by themselves: a `Phrase`,
a `Many` (one form for each grammatical number) or a `Listing`. Here is the plain English.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from samizdat.kernel.luck import TOLD_ARGS, UNSEATED, RecordingLuck


@dataclass(frozen=True)
class Told:
    """One thing that happened: who hears it, what, and its arguments."""

    audience: int
    event: int
    args: tuple[int, ...]

    def heard_by(self, seat: int) -> bool:
        """Whether a seat (or, with -1, a spectator) hears it."""
        return bool(self.audience & (UNSEATED if seat < 0 else 1 << seat))


@dataclass(frozen=True)
class Word:
    """The name of a component, by its table and id; or of a seat, by its number."""

    table: str
    id: str

    def __str__(self) -> str:
        return self.id.replace("_", " ").title()


@dataclass(frozen=True)
class Phrase:
    """A piece of text: a template and its named values."""

    text: str
    values: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.text.format(**self.values)


@dataclass(frozen=True)
class Described(Phrase):
    """A component that is described rather than called by a name of its own."""

    word: Word = Word("", "")


@dataclass(frozen=True)
class Many:
    """A piece of text that depends on a number, `{n}` in the templates."""

    one: str
    other: str
    n: int
    values: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return (self.one if self.n == 1 else self.other).format(n=self.n, **self.values)


@dataclass(frozen=True)
class Listing:
    """Several things in a row, with commas between them; with `last="and"`, an "and" before the last."""

    items: Sequence[Any]
    last: str = ""

    def __str__(self) -> str:
        words = [str(item) for item in self.items]
        if self.last and len(words) > 1:
            return f"{', '.join(words[:-1])} {self.last} {words[-1]}"
        return ", ".join(words)


@dataclass(frozen=True)
class Line:
    """One sentence of the log, with the number of the rule it follows from."""

    rule: str
    text: str
    values: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.text.format(**self.values)


def template(text: str) -> str:
    """Marks a sentence that stands in a table of sentences, so that it is collected for translation."""
    return text


def heard(luck: RecordingLuck) -> tuple[Told, ...]:
    """Everything told in the current ply."""
    return tuple(
        Told(luck.audience[i], luck.event[i], tuple(luck.args[i, k] for k in range(TOLD_ARGS)))
        for i in range(luck.told)
    )
