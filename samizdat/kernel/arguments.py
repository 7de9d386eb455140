"""Arguments from outside: whole numbers of any library, seeds, and how a refusal repeats what it refuses."""

from __future__ import annotations

import math
import operator
import reprlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from samizdat.kernel.errors import OptionError
from samizdat.kernel.luck import SEED_BITS

SIM_SEED_BITS = 63  # the seed of many matches (a simulation, an arena, an environment) is the lower half of theirs

LONG = 80  # characters or digits: more than a sentence repeats


class Brief(reprlib.Repr):
    """Values as a program would write them, but never the whole of a large one."""

    def __init__(self) -> None:
        super().__init__()
        self.maxlevel = 3
        self.maxlist = self.maxtuple = self.maxset = self.maxfrozenset = self.maxdict = 12
        self.maxstring = self.maxother = LONG

    def repr_int(self, x: int, level: int) -> str:
        """Python itself refuses to write a number of thousands of digits."""
        digits = math.floor(x.bit_length() * math.log10(2)) + 1
        return repr(x) if digits <= LONG else f"a number of {digits:,} digits"


_brief = Brief()


def whole(value: Any) -> int | None:
    """A whole number as Python's own, NumPy's too; None for anything else. True and False are no numbers."""
    if isinstance(value, bool):
        return None
    try:
        return operator.index(value)
    except TypeError:
        return None


def wholes(values: Any) -> tuple[int, ...] | None:
    """Whole numbers in a row, be it a list, a tuple or an array; None for anything else."""
    row = isinstance(values, Sequence) and not isinstance(values, str | bytes)
    if not row and not (isinstance(values, np.ndarray) and values.ndim):
        return None
    numbers = tuple(number for one in values if (number := whole(one)) is not None)
    return numbers if len(numbers) == len(values) else None


def check_seed(seed: object, bits: int = SEED_BITS) -> int:
    """The seed itself, if it is one."""
    number = whole(seed)
    if number is None or not 0 <= number < 1 << bits:
        raise OptionError(f"seed must be a whole number from 0 to 2**{bits} - 1, not {clip(seed)}.")
    return number


def printable(text: str) -> str:
    """A text on one line that any terminal, page and file can take: what cannot be printed becomes an escape."""
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() else one.encode("unicode_escape").decode() for one in text)


def shorten(value: object, most: int = 60) -> str:
    """A value repeated in an error, cut to a length that fits one sentence."""
    text = printable((value if isinstance(value, str) else _brief.repr(value))[: most + 1])
    return text if len(text) <= most else text[: most - 1] + "…"


def clip(value: object, most: int = 60) -> str:
    """The same, with quotation marks around what is a text."""
    return f"“{shorten(value, most)}”" if isinstance(value, str) else shorten(value, most)
