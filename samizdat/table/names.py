"""What people are called."""

from __future__ import annotations

LONGEST_NAME = 24
SOMEBODY = "Somebody"  # who took the name off; everybody reads it in their own language


def clean_name(text: object, otherwise: str) -> str:
    """A name as others will read it: printable, one line, not too long."""
    letters = "".join(letter for letter in str(text or "") if letter.isprintable())
    return " ".join(letters.split())[:LONGEST_NAME] or otherwise
