"""Manners of a table: whether two seats may talk alone, who may watch, and how far behind. Chosen when it is opened,
seen by all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

# Who may watch while a match runs: everybody with the link, whoever has or had a seat, or nobody besides the seats.
LINK, SEATED, NOBODY = "link", "seats", "nobody"
WATCHERS = (LINK, SEATED, NOBODY)


@dataclass(frozen=True)
class Manners:
    """What is agreed at one table."""

    private: bool = False  # two seats may talk alone
    watch: str = LINK
    delay: str = ""  # how far behind whoever watches is (`delays.py`)

    @staticmethod
    def read(stored: Mapping[str, Any] | None) -> Manners:
        return Manners(**(stored or {}))

    def written(self) -> dict[str, Any] | None:
        """As it is stored; nothing where it is as usual."""
        return None if self == Manners() else asdict(self)
