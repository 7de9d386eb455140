"""The wire: what a connection may send and how long it may take, before there is a request that anybody could count.

uvicorn reads a request's head however long it is and waits for the rest of it for ever. Here a head has a size, a
head and a body have a time, connections that have not asked for anything yet make room for newer ones, and whoever
takes nothing of an answer is not waited for.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from samizdat.table.limits import household

MOST_HEAD = 32 * 1024  # bytes of a request that are not its body
HEAD_SECONDS, BODY_SECONDS, READ_SECONDS = 10.0, 60.0, 60.0
MOST_HALF_SENT = 500  # connections without a whole head, all senders together
MOST_FROM_ONE = 400  # connections of one sender: its streams, and some more
MOST_FILES = 65_536  # connections and files that this process wants to have open
SPARE_FILES = 200  # for the database, the bots and whatever is read


class Wire:
    """All connections of a server."""

    def __init__(
        self,
        is_proxy: Callable[[str], bool] = lambda host: False,
        most_open: int = MOST_FILES,
        most_half: int = MOST_HALF_SENT,
    ) -> None:
        self.is_proxy = is_proxy  # whoever comes through one is counted by the requests
        self.most_open, self.most_half = most_open, most_half
        self._senders: Counter[str] = Counter()
        self._open = 0
        self._half_sent: dict[Any, Callable[[], None]] = {}  # how to end each; the oldest first

    def enter(self, host: str) -> bool:
        """Whether one more connection from there is let in; whoever is, must leave again."""
        sender = self._sender(host)
        if self._open >= self.most_open or (sender and self._senders[sender] >= MOST_FROM_ONE):
            return False
        self._open += 1
        if sender:
            self._senders[sender] += 1
        return True

    def leave(self, host: str) -> None:
        self._open -= 1
        if sender := self._sender(host):
            self._senders[sender] -= 1
            if not self._senders[sender]:
                del self._senders[sender]

    def _sender(self, host: str) -> str | None:
        return None if self.is_proxy(host) else household(host)

    def begin(self, connection: object, end: Callable[[], None]) -> None:
        """A connection has sent a part of a head, or nothing yet; the oldest of too many is ended."""
        self._half_sent.setdefault(connection, end)
        if len(self._half_sent) > self.most_half:
            oldest = next(iter(self._half_sent))
            self._half_sent.pop(oldest)()

    def finish(self, connection: object) -> None:
        self._half_sent.pop(connection, None)

    def __len__(self) -> int:
        return self._open


class Guarded(HttpToolsProtocol):
    """One connection, held to what a request of ours looks like."""

    wire: Wire
    head_seconds, body_seconds, read_seconds = HEAD_SECONDS, BODY_SECONDS, READ_SECONDS

    def __init__(self, *args: Any, **values: Any) -> None:
        super().__init__(*args, **values)
        self._host: str | None = None  # once it was let in
        self._timer: asyncio.TimerHandle | None = None
        self._reading: asyncio.TimerHandle | None = None  # while the other side takes nothing
        self._loose = 0  # bytes since the last whole request that were no body

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        host = self.client[0] if self.client else ""
        if not self.wire.enter(host):
            transport.abort()
            return
        self._host = host
        self._wait_for_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._wait(None)
        self._read_on()
        self.wire.finish(self)
        if self._host is not None:
            self.wire.leave(self._host)
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """What was sent lies here: the other side does not read."""
        super().pause_writing()
        self._reading = self.loop.call_later(self.read_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        self._read_on()
        super().resume_writing()

    def _read_on(self) -> None:
        if self._reading is not None:
            self._reading.cancel()
        self._reading = None

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        self._loose += len(data)
        super().data_received(data)
        if self._loose > MOST_HEAD:
            self._refuse(b"431 Request Header Fields Too Large")

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._wait_for_head()

    def on_headers_complete(self) -> None:
        self.wire.finish(self)
        self._wait(self.body_seconds)
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._loose = max(0, self._loose - len(body))
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._loose = 0
        self._wait(None)
        super().on_message_complete()

    def _wait_for_head(self) -> None:
        self._wait(self.head_seconds)
        self.wire.begin(self, self._too_late)

    def _wait(self, seconds: float | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None if seconds is None else self.loop.call_later(seconds, self._too_late)

    def _too_late(self) -> None:
        if self._loose:
            self._refuse(b"408 Request Timeout")
        elif not self.transport.is_closing():  # it never sent anything; browsers open connections in advance
            self.transport.close()

    def _refuse(self, status: bytes) -> None:
        if self.transport.is_closing():
            return
        if self.cycle is None or self.cycle.response_complete or not self.cycle.response_started:
            self.transport.write(b"HTTP/1.1 " + status + b"\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
        self.transport.close()
