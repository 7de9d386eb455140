"""Requests to servers of other people, whose addresses somebody gave us: only to the public network.

The address that was checked is the one that is connected to: a name that leads elsewhere the next time cannot get
behind that. Nothing is followed, and nothing of an answer is shown but its status."""

from __future__ import annotations

import http.client
import ipaddress
import socket
import ssl
from collections.abc import Mapping
from urllib.parse import SplitResult, urlsplit

from samizdat.kernel.errors import SamizdatError
from samizdat.kernel.telling import Phrase

PATIENCE = 10.0  # seconds for each step
LONGEST_URL = 1000


class Unreachable(SamizdatError):
    """Nobody can be sent anything under an address; says why."""


NOT_PUBLIC = Phrase("This address is not on the public network; nothing is sent there.")
NO_URL = Phrase("This is not an address that begins with https://.")
NO_HOST = Phrase("There is no such server.")


def check_url(url: str, private: bool) -> None:
    """Unreachable if an address cannot be one to send to; `private`: the host allows any."""
    found = _split(url)
    if found.scheme != "https" and not (private and found.scheme == "http"):
        raise Unreachable(NO_URL)
    if not found.hostname or found.username or found.password or len(url) > LONGEST_URL:
        raise Unreachable(NO_URL)
    if not private and _literal(found.hostname):
        raise Unreachable(NOT_PUBLIC)


def _split(url: str) -> SplitResult:
    try:
        found = urlsplit(url)
        _ = found.port
        url.encode("ascii")
    except ValueError:
        raise Unreachable(NO_URL) from None
    return found


def _literal(host: str) -> bool:
    """Whether a host is a number that is not public, or this machine by name."""
    try:
        return not ipaddress.ip_address(host).is_global
    except ValueError:
        return host == "localhost" or host.endswith((".localhost", ".local", ".internal"))


def _place(host: str, port: int, private: bool) -> tuple[int, str]:
    """The family and number of a host: all that its name leads to must be public."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise Unreachable(NO_HOST) from None
    numbers = [(int(family), str(address[0])) for family, _, _, _, address in found]
    if not private and not all(ipaddress.ip_address(number.partition("%")[0]).is_global for _, number in numbers):
        raise Unreachable(NOT_PUBLIC)
    return numbers[0]


def post(url: str, body: bytes, headers: Mapping[str, str], private: bool = False) -> int:
    """Send something; the status of the answer. Unreachable, or an OSError, if there is none."""
    check_url(url, private)
    found = _split(url)
    host, secure = found.hostname or "", found.scheme == "https"
    port = found.port or (443 if secure else 80)
    family, number = _place(host, port, private)
    with socket.socket(family, socket.SOCK_STREAM) as plain:
        plain.settimeout(PATIENCE)
        plain.connect((number, port))
        connection = http.client.HTTPConnection(host, port, timeout=PATIENCE)
        connection.sock = ssl.create_default_context().wrap_socket(plain, server_hostname=host) if secure else plain
        try:
            path = (found.path or "/") + (f"?{found.query}" if found.query else "")
            connection.request("POST", path, body, {**headers, "Connection": "close"})
            return connection.getresponse().status
        except http.client.HTTPException as error:
            raise OSError(type(error).__name__) from None
        finally:
            connection.close()
