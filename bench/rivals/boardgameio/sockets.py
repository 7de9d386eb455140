"""A client of boardgame.io as lean as can be, for servers under load: of what arrives, only the number of the
position is read. It speaks what their own client speaks: socket.io 4 over a WebSocket (RFC 6455), nothing compressed.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
import re
import struct
import time
from collections.abc import Iterator
from typing import Any

POSITION = re.compile(rb'"_stateID":(\d+)')
TEXT, CLOSE = 0x1, 0x8
END_OF_HEAD = b"\r\n\r\n"


def masked(text: bytes, key: bytes) -> bytes:
    """A text as a client has to send it."""
    size = len(text)
    if size < 126:
        head = struct.pack("!BB", 0x80 | TEXT, 0x80 | size)
    elif size < 1 << 16:
        head = struct.pack("!BBH", 0x80 | TEXT, 0x80 | 126, size)
    else:
        head = struct.pack("!BBQ", 0x80 | TEXT, 0x80 | 127, size)
    spread = (key * (size // 4 + 1))[:size]
    whole = int.from_bytes(text, "big") ^ int.from_bytes(spread, "big")
    return head + key + whole.to_bytes(size, "big")


class Frames:
    """What a server sends, frame by frame, however it is cut up on the way."""

    def __init__(self) -> None:
        self._kept = bytearray()

    def feed(self, data: bytes) -> Iterator[tuple[int, bytes]]:
        """The frames that are whole by now: what they are, and what they hold."""
        kept = self._kept
        kept += data
        while len(kept) >= 2:
            size, begin = kept[1] & 0x7F, 2
            if size >= 126:
                begin = 4 if size == 126 else 10
                if len(kept) < begin:
                    return
                size = int.from_bytes(kept[2:begin], "big")
            if len(kept) < begin + size:
                return
            frame = kept[0] & 0x0F, bytes(kept[begin : begin + size])
            del kept[: begin + size]
            yield frame


class Socket(asyncio.Protocol):
    """One seat's connection to a match."""

    def __init__(self, port: int, game: str, match: str, seat: int, credentials: str) -> None:
        self.port, self.game, self.match, self.seat, self.credentials = port, game, match, seat, credentials
        self.position = -1
        self.waiting: tuple[int, asyncio.Future[float]] | None = None
        self.lost = False
        self._head = b""
        self._frames: Frames | None = None

    async def open(self) -> None:
        """Connected, and told where the match stands."""
        loop = asyncio.get_running_loop()
        there = self.reaches(0)
        await loop.create_connection(lambda: self, "127.0.0.1", self.port)
        await there

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        key = base64.b64encode(os.urandom(16)).decode()
        transport.write(
            f"GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Key: {key}\r\n\r\n".encode()
        )

    def connection_lost(self, _: Exception | None) -> None:
        self.lost = True

    def data_received(self, data: bytes) -> None:
        if self._frames is None:
            self._head += data
            if END_OF_HEAD not in self._head:
                return
            head, data = self._head.split(END_OF_HEAD, 1)
            if b" 101 " not in head.split(b"\r\n", 1)[0]:
                self.transport.close()
                return
            self._frames = Frames()
        for kind, text in self._frames.feed(data):
            if kind == CLOSE:
                self.transport.close()
            elif kind == TEXT:
                self._heard(text)

    def _heard(self, text: bytes) -> None:
        if text.startswith(b"0"):  # the connection stands: to the game
            self._send(f"40/{self.game},")
        elif text == b"2":  # are you there?
            self._send("3")
        elif text.startswith(b"40"):  # that stands, too: where is the match?
            self._emit("sync", self.match, str(self.seat), self.credentials, 4)
        elif found := POSITION.search(text):
            self.position = max(self.position, int(found[1]))
            if self.waiting is not None and self.position >= self.waiting[0] and not self.waiting[1].done():
                self.waiting[1].set_result(time.perf_counter())

    def _send(self, text: str) -> None:
        self.transport.write(masked(text.encode(), os.urandom(4)))

    def _emit(self, name: str, *args: Any) -> None:
        self._send(f"42/{self.game}," + json.dumps([name, *args], separators=(",", ":")))

    def decide(self, move: str, *args: int) -> None:
        """A decision in the position that was heard of last."""
        told = {"type": move, "args": args, "playerID": str(self.seat), "credentials": self.credentials}
        action = {"type": "MAKE_MOVE", "payload": told}
        self._emit("update", action, self.position, self.match, str(self.seat))

    def reaches(self, position: int) -> asyncio.Future[float]:
        """When the position with this number has arrived."""
        future: asyncio.Future[float] = asyncio.get_running_loop().create_future()
        self.waiting = position, future
        if self.position >= position:
            future.set_result(time.perf_counter())
        return future

    def close(self) -> None:
        self.transport.close()
