"""A seat of a table, and who has it."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field

Viewer = int | None  # whose eyes: those of a seat, or a spectator's


@dataclass
class Seat:
    """One seat of a table."""

    kind: str  # "person", "bot" or "open"
    level: str
    name: str
    key: str
    holders: set[str] = field(default_factory=set)


def new_key() -> str:
    return secrets.token_urlsafe(18)
