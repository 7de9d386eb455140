"""Manners of a table: whether seats may talk in private, who may watch, and how far behind. Chosen when it is opened,
and seen by all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Manners:
    """What is agreed at one table."""

    private: bool = False  # two seats may talk alone

    @staticmethod
    def read(stored: Mapping[str, Any] | None) -> Manners:
        return Manners(**(stored or {}))

    def written(self) -> dict[str, Any] | None:
        """As it is stored; nothing where it is as usual."""
        return None if self == Manners() else asdict(self)
