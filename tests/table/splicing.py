"""What a browser does with a splice; the same as `whole` in splices.js."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def joined(old: str, pieces: Sequence[Any]) -> str:
    lines = old.split("\n")
    new: list[str] = []
    for piece in pieces:
        new += [piece] if isinstance(piece, str) else lines[piece[0] : piece[1]]
    return "\n".join(new)
