"""Laws of a game that states none: no conservation law can be broken."""

from __future__ import annotations

from typing import Any

from samizdat.kernel.rule import rule

LAWS = ("every law holds",)


@rule
def broken(box: Any, s: Any) -> int:
    return 0
