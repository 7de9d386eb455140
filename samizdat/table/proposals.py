"""A proposal to end a match, and who has said what to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

SEATS = ("yes", "no", "late")  # what is a set of seats


@dataclass(frozen=True)
class Proposal:
    """Asked at most once a round: it is forgotten when the next one begins."""

    by: int  # the seat
    at: float
    round: int
    yes: frozenset[int]  # seats
    no: frozenset[int] = frozenset()
    late: frozenset[int] = frozenset()  # seats that nobody had to ask: their time was over

    @staticmethod
    def read(stored: Mapping[str, Any] | None) -> Proposal | None:
        if not stored:
            return None
        votes = {name: frozenset(stored.get(name, ())) for name in SEATS}
        return Proposal(stored["by"], stored["at"], stored["round"], **votes)

    def written(self) -> dict[str, Any]:
        return {**vars(self), **{name: sorted(getattr(self, name)) for name in SEATS}}
