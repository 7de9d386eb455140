"""Options of a game: what the table may choose before the deal."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from samizdat.kernel.arguments import clip, shorten, whole
from samizdat.kernel.errors import OptionError
from samizdat.kernel.telling import Listing, Phrase

NUMBER = re.compile(r"-?[0-9]{1,18}")  # of any option; what else counts as a digit somewhere is none here


@dataclass(frozen=True)
class Option:
    """One setting. Its values are given as a tuple: (False, True), words, or the ends of a range."""

    name: str
    default: bool | int | str
    help: str = ""  # an option that is retired needs neither: nobody is offered it
    rule: str = ""
    choices: tuple[str, ...] = ()
    low: int = 0
    high: int = 0
    variants: tuple[str, ...] = ()  # empty: every variant has it

    def extremes(self) -> tuple[bool | int | str, ...]:
        """The values that tests must cover: all of a choice, both ends of a range."""
        if isinstance(self.default, bool):
            return (False, True)
        return self.choices or (self.low, self.high)

    def read(self, value: object) -> bool | int | str:
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

    def parse(self, text: str) -> bool | int | str:
        """A value typed on the command line."""
        if isinstance(self.default, bool):
            known = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}
            return self.read(known.get(text.lower(), text))
        if not self.choices and NUMBER.fullmatch(text):
            return self.read(int(text))
        return self.read(text)

    def number(self, value: bool | int | str) -> int:
        """How the state record holds the value."""
        return self.choices.index(value) if isinstance(value, str) else int(value)


def read_options(
    game: str, variant: str, known: tuple[Option, ...], given: Mapping[str, Any]
) -> dict[str, bool | int | str]:
    """All options of a variant with their values; the first bad one is named."""
    here = {option.name: option for option in known if not option.variants or variant in option.variants}
    for name in given:
        if name not in here:
            said = shorten(name) if name.isidentifier() else clip(name)
            words = {"game": game, "variant": variant, "name": said, "known": Listing(list(here) or ["–"])}
            raise OptionError(Phrase("{game} ({variant}) has no option {name}; it has {known}.", words))
    return {name: option.read(given.get(name, option.default)) for name, option in here.items()}
