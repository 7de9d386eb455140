"""Reading a game's lore: apart from `lore.py`, so that compiled code does not depend on what a match is."""

from __future__ import annotations

from typing import Any

from samizdat.bots.lore import LORE_OF, Unread
from samizdat.kernel.game import Definition


def teach(definition: Definition, lore: Any) -> None:
    """Give a game lore from elsewhere than its folder."""
    LORE_OF[definition.state] = lore


def read_lore(definition: Definition) -> Any:
    """Make a game's lore known to the functions below; returns it, or what stands for it."""
    if definition.state not in LORE_OF:
        teach(definition, definition.lore or Unread)
    return LORE_OF[definition.state]
