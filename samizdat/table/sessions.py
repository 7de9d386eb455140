"""Browsers that are signed in. A cookie carries a random token; the database has its hash, and can end it."""

from __future__ import annotations

import hashlib
import re
import secrets
import time
from collections import OrderedDict
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

from samizdat.table.players import YEAR
from samizdat.table.store.accounts import Accounts

COOKIE = "samizdat-session"
TOKEN = re.compile(r"[\w-]{43}", re.ASCII)
FRESH = 20.0  # seconds that an answer of the database is believed; another process may have ended the session since
SAVED = 600.0  # seconds; when a browser was last here is not written more often
PROOF = 15 * 60.0  # seconds that a password or key, once shown, is good for changing those
MOST_KNOWN = 20_000
BROWSERS = (("Edg", "Edge"), ("OPR", "Opera"), ("Firefox", "Firefox"), ("Chrom", "Chrome"), ("Safari", "Safari"))
SYSTEMS = (("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("Windows", "Windows"),
           ("Mac OS", "macOS"), ("Linux", "Linux"))  # fmt: skip


@dataclass(frozen=True)
class Session:
    """A browser that is signed in."""

    id: str
    player: str
    name: str
    used: float
    proved: float

    @property
    def fresh(self) -> bool:
        """Whether its owner has shown lately that it is them."""
        return time.time() - self.proved < PROOF


def agent(request: Request) -> str:
    """A browser in two words, for its owner to know it by; nothing finer is kept."""
    told = request.headers.get("user-agent", "")
    browser = next((name for sign, name in BROWSERS if sign in told), "")
    system = next((name for sign, name in SYSTEMS if sign in told), "")
    return ", ".join(filter(None, (browser, system)))


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


class Sessions:
    """Finds sessions by the cookies of requests; remembers for a moment what the database said."""

    def __init__(self, accounts: Accounts) -> None:
        self.accounts = accounts
        self._known: OrderedDict[str, tuple[Session | None, float]] = OrderedDict()

    def of(self, request: Request) -> Session | None:
        """Whose browser this is, if it is signed in. Asks the database: not on the event loop."""
        token = request.cookies.get(COOKIE, "")
        return self.find(_hash(token)) if TOKEN.fullmatch(token) else None

    def recent(self, request: Request) -> tuple[bool, Session | None]:
        """The same from memory, and whether memory is recent enough."""
        token = request.cookies.get(COOKIE, "")
        if not TOKEN.fullmatch(token):
            return True, None
        found, when = self._known.get(_hash(token), (None, -FRESH))
        return time.monotonic() - when < FRESH, found

    def find(self, token: str) -> Session | None:
        row = self.accounts.session(token, time.time() - YEAR)
        found = Session(row.id, row.player, row.name, row.used, row.proved) if row else None
        if found and time.time() - found.used > SAVED:
            self.accounts.touch(found.id)
        self._known.pop(token, None)
        self._known[token] = (found, time.monotonic())
        while len(self._known) > MOST_KNOWN:
            self._known.popitem(last=False)
        return found

    def alive(self, request: Request) -> bool:
        """Whether the session with which a stream began still is one; a stream outlives many requests."""
        recent, found = self.recent(request)
        return (found if recent else self.of(request)) is not None

    def forget(self) -> None:
        """Something about sessions was changed: everybody is looked up anew."""
        self._known.clear()

    def begin(self, request: Request, player: str) -> str:
        """Sign this browser in, always under a token that nobody can have seen before; the token."""
        token = secrets.token_urlsafe(32)
        old = self.of(request)
        self.accounts.sign_in(player, _hash(token), agent(request))
        if old is not None:
            self.accounts.end(old.player, only=old.id)
        self.forget()
        return token


def keep(response: Response, token: str, secure: bool) -> None:
    response.set_cookie(COOKIE, token, max_age=YEAR, httponly=True, samesite="lax", secure=secure)


def drop(response: Response, secure: bool) -> None:
    response.delete_cookie(COOKIE, httponly=True, samesite="lax", secure=secure)
