"""Passwords and the paper key: what can be typed to sign in."""

from __future__ import annotations

import functools
import hashlib
import re
import secrets
import unicodedata
from pathlib import Path

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

SHORTEST_PASSWORD, LONGEST_PASSWORD = 10, 200  # characters
PAPER_WORDS = 8  # of 2,048: 88 bits, beyond any guessing, so that a fast hash finds the account by them
TOLD_BY = 4  # letters that tell every word of the list from all others
LONGEST_LOGIN = 40

_hasher = PasswordHasher()  # argon2id; its costs stand in every hash


@functools.cache
def _nobody() -> str:
    """What a password is checked against if nobody signs in with that name: the answer takes as long."""
    return _hasher.hash(secrets.token_urlsafe(32))


def _plain(password: str) -> str:
    """The same password, whichever way a keyboard composes its letters."""
    return unicodedata.normalize("NFKC", password)


def hashed(password: str) -> str:
    return _hasher.hash(_plain(password))


def matches(password: str, known: str | None) -> bool:
    """Whether a password has that hash; the same work is done where there is none."""
    try:
        return _hasher.verify(known or _nobody(), _plain(password)) and known is not None
    except (VerificationError, InvalidHashError):
        return False


def login_of(name: str) -> str:
    """How the name to sign in with begins."""
    letters = (
        unicodedata.normalize("NFKD", name.replace("ł", "l").replace("Ł", "L")).encode("ascii", "ignore").decode()
    )
    return re.sub(r"[^a-z0-9]+", "-", letters.lower()).strip("-")[:24] or "player"


# --- the paper key ---------------------------------------------------------------------------------------


@functools.cache
def words() -> dict[str, str]:
    """The words of paper keys (the English list of BIP-39), by how they begin."""
    listed = (Path(__file__).parent / "words.txt").read_text(encoding="ascii").split()
    return {word[:TOLD_BY]: word for word in listed}


def new_paper() -> tuple[str, ...]:
    listed = list(words().values())
    return tuple(secrets.choice(listed) for _ in range(PAPER_WORDS))


def read_paper(typed: str) -> tuple[str, ...] | None:
    """The words that somebody typed, whole or by their first four letters; None if that is no paper key."""
    found = [words().get(word[:TOLD_BY]) for word in re.findall(r"[a-z]+", typed.lower())]
    return tuple(word for word in found if word) if len(found) == PAPER_WORDS and all(found) else None


def paper_digest(paper: tuple[str, ...]) -> str:
    return hashlib.sha256(" ".join(paper).encode()).hexdigest()
