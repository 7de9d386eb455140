"""Tickets: a table that is promised before it is opened, so that whoever opens it can add a number to its luck and
knows that the secret of the table was fixed before.

Nothing is stored for a ticket: the secret follows from the table's id, the time and the key of the server, which all
its processes share. A ticket leads to one table, since there is only one of an id.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from samizdat.kernel.fairness import NUMBER, Fairness
from samizdat.kernel.luck import SEED_BITS

PATIENCE = timedelta(minutes=30)  # for a form that was filled in; a script asks when it is sent
CLOCKS = timedelta(minutes=2)  # by which those of several machines may differ
TICKET = re.compile(r"([\w-]{12})\.(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)\.([0-9a-f]{64})", re.ASCII)
LONGEST = 200  # characters of what is sent as a ticket


@dataclass(frozen=True)
class Ticket:
    """A table that is not opened yet."""

    fairness: Fairness
    secret: int
    text: str = ""

    @property
    def commitment(self) -> str:
        return self.fairness.commitment(self.secret)


def fresh_ticket() -> Ticket:
    """Of a table that nobody was told of before it was opened."""
    return Ticket(Fairness(secrets.token_urlsafe(9), now()), secrets.randbits(SEED_BITS))


def now() -> str:
    return f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"


class Tickets:
    """Gives tickets, and knows them again."""

    def __init__(self, key: str) -> None:
        self._key = key.encode()

    def new(self) -> Ticket:
        return self._made(secrets.token_urlsafe(9), now())

    def read(self, text: object) -> Ticket | None:
        """The ticket that was sent, if it is one of ours and of today."""
        found = TICKET.fullmatch(text) if isinstance(text, str) and len(text) <= LONGEST else None
        if found is None:
            return None
        ticket = self._made(found[1], found[2])
        if not hmac.compare_digest(ticket.text, found[0]):
            return None
        age = datetime.now(UTC) - datetime.fromisoformat(found[2])
        return ticket if -CLOCKS <= age <= PATIENCE else None

    def _made(self, id: str, opened: str) -> Ticket:
        secret = int(self._keyed("secret", id, opened)[: SEED_BITS // 4], 16)
        return Ticket(Fairness(id, opened), secret, f"{id}.{opened}.{self._keyed('ticket', id, opened)}")

    def _keyed(self, what: str, id: str, opened: str) -> str:
        return hmac.new(self._key, f"fair luck {what} {id} {opened}".encode(), hashlib.sha256).hexdigest()


def sent_number(given: object) -> str:
    """What a browser adds to the luck of a table; empty if it adds nothing."""
    return given if isinstance(given, str) and NUMBER.fullmatch(given) else ""
