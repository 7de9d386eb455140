"""Options of a game: what the table may choose before the deal."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from samizdat.kernel.arguments import clip, shorten, whole
from samizdat.kernel.errors import OptionError
from samizdat.kernel.telling import Line, Listing, Phrase

NUMBER = re.compile(r"-?[0-9]{1,18}")  # of any option; what else counts as a digit somewhere is none here

Value = bool | int | str


@dataclass(frozen=True)
class Option:
    """One setting: a house rule, which is off as long as it has its default, or part of the set-up.

    Its values are given as a tuple: (False, True), words, or the ends of a range.
    """

    name: str
    default: Value
    # One sentence: what is played where the value is not the default; `{n}` stands for a number. (An option that is
    # retired needs neither sentence nor rule: nobody is offered it.)
    help: str = ""
    rule: str = ""
    choices: tuple[str, ...] = ()
    low: int = 0
    high: int = 0
    variants: tuple[str, ...] = ()  # empty: every variant has it
    usual: str = ""  # what the default of a number says where it is no plain number: "no limit"
    setup: bool = False  # chosen for every match of its variants, such as how hard a solitaire is: no house rule
    # Whether a value can make another game than the default with this printed record, in this variant.
    matters: Callable[[Any, str, Value], bool] = lambda printed, variant, value: True

    def values(self, printed: Any, variant: str) -> tuple[Value, ...]:
        """What there is to choose from with this box, in this variant: the default, and whatever makes a difference
        to it; nothing where no value does."""
        if self.variants and variant not in self.variants:
            return ()
        every = self.extremes() if self.listed else range(self.low, self.high + 1)
        offered = tuple(value for value in every if value == self.default or self.matters(printed, variant, value))
        return offered if len(offered) > 1 else ()

    @property
    def listed(self) -> bool:
        """Whether its values are words or yes and no, rather than numbers."""
        return isinstance(self.default, bool) or bool(self.choices)

    def says(self, value: object) -> Line:
        """What is played with a value that is not the default: one sentence and its rule."""
        if self.listed or "{n}" in self.help:
            return Line(self.rule, self.help, {"n": value})
        return Line(self.rule, "{what}: {n}", {"what": Phrase(self.help), "n": value})

    def extremes(self) -> tuple[Value, ...]:
        """The values that tests must cover: all of a choice, both ends of a range."""
        if isinstance(self.default, bool):
            return (False, True)
        return self.choices or (self.low, self.high)

    def read(self, value: object) -> Value:
        if isinstance(self.default, bool):
            if isinstance(value, bool | np.bool_):
                return bool(value)
            raise OptionError(Phrase("Option {name} is True or False, not {value}.", self._wrong(value)))
        if self.choices:
            if isinstance(value, str) and value in self.choices:
                return str(value)
            raise OptionError(Phrase("Option {name} is one of {choices}, not {value}.", self._wrong(value)))
        number = whole(value)
        if number is not None and self.low <= number <= self.high:
            return number
        raise OptionError(
            Phrase("Option {name} is a whole number from {low} to {high}, not {value}.", self._wrong(value))
        )

    def _wrong(self, value: object) -> dict[str, object]:
        """What a refusal says of a value."""
        return {
            "name": self.name, "value": clip(value), "choices": Listing(self.choices), "low": self.low,
            "high": self.high,
        }  # fmt: skip

    def parse(self, text: str) -> Value:
        """A value typed on the command line."""
        if isinstance(self.default, bool):
            known = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}
            return self.read(known.get(text.lower(), text))
        if not self.choices and NUMBER.fullmatch(text):
            return self.read(int(text))
        return self.read(text)

    def number(self, value: Value) -> int:
        """How the state record holds the value."""
        return self.choices.index(value) if isinstance(value, str) else int(value)


def read_options(game: str, variant: str, known: tuple[Option, ...], given: Mapping[str, Any]) -> dict[str, Value]:
    """All options of a variant with their values; the first bad one is named."""
    here = {option.name: option for option in known if not option.variants or variant in option.variants}
    for name in given:
        if name not in here:
            said = shorten(name) if name.isidentifier() else clip(name)
            words = {"game": game, "variant": variant, "name": said, "known": Listing(list(here) or ["–"])}
            raise OptionError(Phrase("{game} ({variant}) has no option {name}; it has {known}.", words))
    return {name: option.read(given.get(name, option.default)) for name, option in here.items()}
