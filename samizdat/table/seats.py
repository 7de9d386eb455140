"""A seat of a table, and who has it."""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass, field

GOOD_FOR = 14  # days that an invitation to a seat is good
DAY = 24 * 3600.0  # seconds
Viewer = int | None  # whose eyes: those of a seat, or a spectator's


@dataclass
class Seat:
    """One seat of a table."""

    kind: str  # "person", "bot" or "open"
    level: str
    name: str
    key: str
    holders: set[str] = field(default_factory=set)
    keyed: float = field(default_factory=time.time, compare=False)  # when the key was made

    @property
    def outdated(self) -> bool:
        """Whether the link to a seat that nobody took is too old; whoever holds a seat keeps it."""
        return self.kind == "open" and time.time() - self.keyed > GOOD_FOR * DAY


def new_key() -> str:
    return secrets.token_urlsafe(18)
