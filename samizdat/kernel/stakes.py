"""Stakes: what a decision may win or lose, in quantities that a person can use.

A game's `stakes.py` is optional. `stakes(game, s, seat)` names what is at stake for a seat in a position, made from
what that seat sees; each is then measured in worlds imagined after a decision. Interpreted: it is for people.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from samizdat.kernel.telling import Told

Measure = Callable[[Any, Sequence[Told]], float]  # of a position, and of all that was told since the decision
OUT_OF = 10  # as fine as a few imagined worlds can tell


@dataclass(frozen=True)
class Stake:
    """One quantity: how it is measured, what it is worth, and how it is said. A second measure is what a rival has of
    the same; more of one's own against it is better."""

    key: tuple[str, ...]
    rule: str
    fact: str  # a template with `{figure}`
    worth: float  # points, roughly, of one more of it; below 0 where less is better
    own: Measure
    rival: Measure | None = None
    chance: bool = False  # measured as 0 or 1, or between: how often it is so
    later: bool = False  # measured when the others have had their turn, too
    values: Mapping[str, Any] = field(default_factory=dict)  # of the template, besides the figure
