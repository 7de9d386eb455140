"""A client of the table's JSON API, with nothing but Python's own library. This is a program that plays a match:

    table = Client("http://localhost:1917").open("revolution", ["me", "novice", "novice"])
    while not (now := table.position(wait=20))["over"]:
        if now["acts"]:
            with suppress(Changed):  # others may decide at the same time
                table.play(now["choices"][0]["move"])

It knows what its seat may know.
"""

from __future__ import annotations

import json
import secrets
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol
from urllib.parse import quote, urlencode

from samizdat.kernel.errors import SamizdatError

CONFLICT = 409  # the status of a decision that comes too late
PATIENCE = 60.0  # seconds for an answer
LONGEST_ANSWER = 32 * 1024 * 1024  # bytes


class Refused(SamizdatError):
    """The table refused something, or does not answer; says why."""


class Changed(Refused):
    """Something happened since the seat looked last, and nothing was decided: look again."""


class Ask(Protocol):
    """One request: method, path, body, and the key of a seat; the answer as data. Refused where there is none."""

    def __call__(self, method: str, path: str, body: Any = None, key: str = "") -> Any: ...


@dataclass(frozen=True)
class OverHttp:
    """Asks a server at an address."""

    address: str

    def __call__(self, method: str, path: str, body: Any = None, key: str = "") -> Any:
        headers = {"Accept": "application/json"} | ({"Authorization": f"Bearer {key}"} if key else {})
        if body is not None:
            headers["Content-Type"] = "application/json"
        try:
            request = urllib.request.Request(
                self.address.rstrip("/") + path, json.dumps(body).encode() if body is not None else None, headers,
                method=method,
            )  # fmt: skip
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return json.loads(answer.read(LONGEST_ANSWER))
        except urllib.error.HTTPError as error:
            raise refused(error.code, _data(error)) from None
        except (OSError, ValueError) as error:
            why = getattr(error, "reason", None) or error
            raise Refused(
                f"{self.address} does not answer as a table does ({why}); start one with `samizdat serve`, or name "
                "another with --server."
            ) from None


def _data(error: urllib.error.HTTPError) -> Any:
    try:
        return json.loads(error.read(LONGEST_ANSWER))
    except (OSError, ValueError):
        return None


def refused(code: int, told: Any) -> Refused:
    """A refusal in the table's own sentence, with the number of its rule."""
    if not isinstance(told, Mapping) or "error" not in told:
        return Refused(f"The table answered {code}.")
    sentence = f"{told['error']} ({told['rule']})" if told.get("rule") else str(told["error"])
    return Changed(sentence) if code == CONFLICT else Refused(sentence)


@dataclass
class SeatAtTable:
    """A seat that a program holds, and what it has heard so far."""

    ask: Ask
    id: str
    seat: int
    key: str
    game: str
    version: int = 0  # of the position that was looked at last
    known: int = 0  # what happened up to here was told
    receipt: dict[str, str] = field(default_factory=dict)  # of the number that it added to the luck of the table

    @property
    def path(self) -> str:
        return f"/api/tables/{quote(self.id, safe='')}"

    def position(self, wait: float = 0.0, lang: str = "en") -> dict[str, Any]:
        """Where the seat stands; `happened` since it was asked last. Waits up to so many seconds for its turn."""
        query = urlencode({"since": self.known, "wait": wait, "lang": lang})
        now: dict[str, Any] = self.ask("GET", f"{self.path}/position?{query}", key=self.key)
        self.version = self.known = now["version"]
        return now

    def play(self, move: str) -> None:
        """Decide, in the position that was looked at last; Changed, if that is no longer the present one."""
        body = {"move": move, "version": self.version}
        self.version = self.ask("POST", f"{self.path}/play", body, self.key)["version"]

    def take_back(self) -> None:
        """The last decision, where that is still free."""
        self.version = self.ask("POST", f"{self.path}/undo", {"version": self.version}, self.key)["version"]

    def ask_back(self) -> None:
        """Ask the others for the last decision back, where it is not free any more."""
        self.ask("POST", f"{self.path}/back", {"way": "ask"}, self.key)

    def answer_back(self, plea: Mapping[str, Any], agree: bool) -> None:
        """Answer somebody who asks for a decision back: `position()["plea"]`."""
        body = {"way": "agree" if agree else "refuse", "plea": plea["key"]}
        self.ask("POST", f"{self.path}/back", body, self.key)

    def time_over(self, end: bool) -> None:
        """Somebody's time is over, and the others have the word: end the match, or let it go on."""
        self.ask("POST", f"{self.path}/time-over", {"end": end}, self.key)


@dataclass(frozen=True)
class Client:
    """A server with tables."""

    ask: Ask

    def __init__(self, server: str | Ask) -> None:
        object.__setattr__(self, "ask", OverHttp(server) if isinstance(server, str) else server)

    def games(self) -> list[dict[str, Any]]:
        """What can be played there: names, variants, numbers of players, options."""
        found: list[dict[str, Any]] = self.ask("GET", "/api/games")
        return found

    def rules(self, game: str, lang: str = "en") -> dict[str, Any]:
        """The numbered rules of a game, in one of its languages."""
        found: dict[str, Any] = self.ask(
            "GET", f"/api/games/{quote(game, safe='')}/rules?{urlencode({'lang': lang})}"
        )
        return found

    def open(
        self, game: str, seats: Sequence[str], name: str = "", variant: str | None = None,
        options: Mapping[str, Any] | None = None, public: bool = False, *, box: str = "", shuffle: bool = False,
        clock: Mapping[str, Any] | None = None, watch: str = "link", delay: str = "", private: bool = False,
        rated: bool = False,
    ) -> SeatAtTable:  # fmt: skip
        """Open a table: a seat is "me" (exactly one), "open" for somebody else, or the level of a bot. What is agreed
        besides is what the form of a new table offers (docs/programs.md)."""
        if list(seats).count("me") != 1:
            raise Refused('One of the seats is "me", the others are "open" or a bot\'s level.')
        wanted = [
            {"kind": one, "name": name} if one in ("me", "open") else {"kind": "bot", "level": one} for one in seats
        ]
        body = {"game": game, "variant": variant, "options": dict(options or {}), "seats": wanted, "public": public}
        body |= {"box": box, "shuffle": shuffle, "clock": None if clock is None else dict(clock)}
        body |= {"watch": watch, "delay": delay, "private": private, "rated": rated}
        ticket = self.ask("GET", "/api/luck")
        receipt = _receipt(ticket["table"], ticket)
        added = {"ticket": ticket["ticket"], "number": receipt["number"]}
        return self._seated(self.ask("POST", "/api/tables", body | added), receipt)

    def join(self, table: str, name: str = "") -> SeatAtTable:
        """Take an open seat."""
        path = f"/api/tables/{quote(table, safe='')}"
        receipt = _receipt(table, self.ask("GET", path))
        added = {"number": receipt["number"], "so_far": receipt["so_far"]}
        return self._seated(self.ask("POST", f"{path}/join", {"name": name} | added), receipt)

    def again(self, table: str, key: str) -> SeatAtTable:
        """Come back to a seat by its key."""
        found = self.ask("GET", f"/api/tables/{quote(table, safe='')}/seat", key=key)
        return SeatAtTable(self.ask, table, found["seat"], key, found["game"])

    def _seated(self, table: dict[str, Any], receipt: dict[str, str]) -> SeatAtTable:
        mine = next(one for one in table["seats"] if one["key"])
        return SeatAtTable(self.ask, table["id"], mine["seat"], mine["key"], table["game"], receipt=receipt)


def _receipt(table: str, stands: Mapping[str, Any]) -> dict[str, str]:
    """A number of one's own for a table, kept with what stands fixed before it (`docs/fair-luck.md`)."""
    known = {"commitment": str(stands["commitment"]), "so_far": str(stands.get("so_far", ""))}
    return {"format": "samizdat-receipt", "table": table, **known, "number": secrets.token_hex(32)}
