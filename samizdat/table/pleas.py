"""A plea: somebody asks to take a decision back that others have acted on, and who has said what to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Plea:
    """About the last decision of a seat. It is forgotten when that seat decides again."""

    by: int  # the seat
    after: int  # lines of the journal when it was asked
    seatings: int  # changes of seats before it
    opened: bool  # something was drawn or revealed since that decision: whoever agrees, agrees to that, too
    yes: frozenset[int] = frozenset()  # seats, besides whoever asks
    no: frozenset[int] = frozenset()

    @property
    def key(self) -> str:
        """What is agreed to: an answer to another plea, or before something came out, is no answer to this one."""
        return f"{self.by}.{self.after}.{int(self.opened)}"

    @staticmethod
    def read(stored: Mapping[str, Any] | None) -> Plea | None:
        if not stored:
            return None
        return Plea(**{**stored, "yes": frozenset(stored["yes"]), "no": frozenset(stored["no"])})

    def written(self) -> dict[str, Any]:
        return {**vars(self), "yes": sorted(self.yes), "no": sorted(self.no)}
