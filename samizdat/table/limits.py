"""Who sends how much. A sender is an address; whoever sits at this machine, or comes through a proxy on it that does
not say for whom, is not counted."""

from __future__ import annotations

import time
from collections import Counter, OrderedDict
from collections.abc import Callable
from ipaddress import IPv6Address, ip_address, ip_network

from starlette.requests import Request

from samizdat.kernel.telling import Phrase

MINUTE = 60.0  # seconds
ONE_HOUSEHOLD = 64  # bits: an address of the newer kind is one of as many as its owner likes
MOST_BODY = 64 * 1024  # bytes of a decision or a form; far beyond what any page of ours sends
LARGEST_FILE = 4 * 1024 * 1024  # bytes of a match file
LARGEST_BOX = 512 * 1024  # bytes of a box file
MOST_OPEN = 300  # streams to one sender; every board that somebody looks at is one
TOO_FAST = Phrase("Too many requests have come from your address; wait a minute, then go on.")


def sender(request: Request) -> str | None:
    """Where a request comes from; None is this machine."""
    return household(request.client.host if request.client else "")


def household(host: str) -> str | None:
    """Whose address that is; None is this machine."""
    try:
        address = ip_address(host)
    except ValueError:  # a socket of this machine
        return None
    if isinstance(address, IPv6Address):
        address = address.ipv4_mapped or address
    if address.is_loopback:
        return None
    if isinstance(address, IPv6Address):
        return str(ip_network((address, ONE_HOUSEHOLD), strict=False))
    return str(address)


# Making sense of a large text takes time, and everybody waits.
LARGEST_BODY = {"/import": LARGEST_FILE + MOST_BODY, "/boxes/upload": LARGEST_BOX + MOST_BODY}


class RequestRate:
    """So many requests a minute from each sender; all of them at once, if need be. 0 is any number."""

    def __init__(self, a_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.a_minute = a_minute
        self._clock = clock
        self._used: OrderedDict[str, tuple[float, float]] = OrderedDict()  # how much, and when; the latest at the end

    def wait(self, sender: str) -> float:
        """Counts a request; the seconds to wait if it is one too many, which is not counted."""
        if not self.a_minute:
            return 0.0
        now = self._clock()
        self._forget(now - MINUTE)
        used, when = self._used.get(sender, (0.0, now))
        used = max(0.0, used - (now - when) * self.a_minute / MINUTE)
        over = used + 1 - self.a_minute
        if over > 0:
            return over * MINUTE / self.a_minute
        self._used[sender] = (used + 1, now)
        self._used.move_to_end(sender)
        return 0.0

    def _forget(self, before: float) -> None:
        """Those who sent nothing for a minute may send everything again: nothing is known of them any more."""
        while self._used and next(iter(self._used.values()))[1] <= before:
            self._used.popitem(last=False)

    def __len__(self) -> int:
        return len(self._used)


LASTING = ("/events", "/position")  # how the paths end that may be answered late, and hold a place until then


class Crowd:
    """So many streams for each sender at once: one stays open as long as somebody looks at a board."""

    def __init__(self, most: int = MOST_OPEN) -> None:
        self.most = most
        self._open: Counter[str] = Counter()

    def enter(self, sender: str) -> bool:
        """Whether one more is let in; whoever is, must leave again."""
        if self._open[sender] >= self.most:
            return False
        self._open[sender] += 1
        return True

    def leave(self, sender: str) -> None:
        self._open[sender] -= 1
        if not self._open[sender]:
            del self._open[sender]

    def __len__(self) -> int:
        return len(self._open)
