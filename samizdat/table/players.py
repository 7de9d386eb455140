"""Who is at the door: a guest with a signed cookie; `sessions.py` knows who is signed in.

Preferences are plain cookies, since they are nobody's secret."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from hashlib import blake2b

from babel import negotiate_locale
from itsdangerous import BadSignature, URLSafeSerializer
from starlette.requests import Request
from starlette.responses import Response

from samizdat.table.language import LANGUAGES

COOKIE = "samizdat"
YEAR = 365 * 24 * 3600
THEMES = ("light", "dark")
REVELATIONS = ("important", "all", "off")  # the first is what somebody gets who chose nothing
PACES = ("normal", "slow", "fast", "once")


@dataclass(frozen=True)
class Visitor:
    """Whoever sent this request."""

    id: str
    new: bool
    language: str
    theme: str  # "" follows the system
    helps: bool
    revelations: str  # which of them are shown step by step
    pace: str  # at which the turns of others are told
    sound: bool  # a knock, and a phone trembles, when one's turn comes
    path: str = "/"  # where to come back to after a change of preferences
    guest: str = ""  # who this browser is as long as nobody signs in
    session: str = ""  # by which somebody is signed in
    name: str = ""  # of whoever is signed in
    proved: bool = False  # that somebody has shown a key or a password lately


class Visitors:
    """Reads and writes the signed cookie."""

    def __init__(self, secret: str, secure: bool) -> None:
        self._signer = URLSafeSerializer(secret, salt="player")
        self._key = secret.encode()[: blake2b.MAX_KEY_SIZE]
        self._secure = secure

    def visitor(self, request: Request) -> Visitor:
        try:
            id = self._signer.loads(request.cookies.get(COOKIE, ""))
        except BadSignature:
            id = None
        known = isinstance(id, str)
        guest = id if known else secrets.token_urlsafe(18)
        theme = request.cookies.get("theme", "")
        return Visitor(
            id=guest,
            guest=guest,
            new=not known,
            language=chosen_language(request),
            theme=theme if theme in THEMES else "",
            helps=request.cookies.get("helps") != "off",
            revelations=_chosen(request, "revelations", REVELATIONS),
            pace=_chosen(request, "pace", PACES),
            sound=request.cookies.get("sound") == "on",
            path=f"{request.url.path}?{request.url.query}".rstrip("?"),
        )

    def program(self, sender: str | None) -> str:
        """The player that programs at an address are, so that their tables can be counted; a keyed hash, since the
        address itself is nobody's business. Programs on this machine are new each time."""
        if sender is None:
            return f"api-{secrets.token_urlsafe(18)}"
        return f"api-{self.sealed(sender)}"

    def sealed(self, text: str) -> str:
        """Something that is counted, but nobody's business: a keyed hash."""
        return blake2b(text.encode(), key=self._key, digest_size=12).hexdigest()

    def secure(self, request: Request) -> bool:
        """Whether a browser may send its cookies over https only: it came that way itself, or so says a proxy that
        uvicorn trusts."""
        return self._secure or request.url.scheme == "https"

    def stamp(self, request: Request, visitor: Visitor) -> str:
        """The header that lets the browser remember who it is."""
        response = Response()
        response.set_cookie(
            COOKIE, str(self._signer.dumps(visitor.guest)), max_age=YEAR, httponly=True, samesite="lax",
            secure=self.secure(request),
        )  # fmt: skip
        return response.headers["set-cookie"]


def _chosen(request: Request, name: str, values: tuple[str, ...]) -> str:
    """A preference that a cookie keeps."""
    wanted = request.cookies.get(name, "")
    return wanted if wanted in values else values[0]


def chosen_language(request: Request) -> str:
    """The cookie's language, or the first of the browser's that we speak."""
    if (code := request.cookies.get("lang", "")) in LANGUAGES:
        return code
    wanted = [part.split(";")[0].strip() for part in request.headers.get("accept-language", "").split(",")]
    return (negotiate_locale([code.replace("-", "_") for code in wanted if code], list(LANGUAGES)) or "en")[:2]
