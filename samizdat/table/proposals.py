"""A proposal to end a match, and who has said what to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Proposal:
    """Asked at most once a round: it is forgotten when the next one begins."""

    by: int  # the seat
    at: float
    round: int
    yes: frozenset[int]  # seats
    no: frozenset[int] = frozenset()

    @staticmethod
    def read(stored: Mapping[str, Any] | None) -> Proposal | None:
        if not stored:
            return None
        votes = {name: frozenset(stored[name]) for name in ("yes", "no")}
        return Proposal(stored["by"], stored["at"], stored["round"], **votes)

    def written(self) -> dict[str, Any]:
        return {"by": self.by, "at": self.at, "round": self.round, "yes": sorted(self.yes), "no": sorted(self.no)}
