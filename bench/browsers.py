"""Browsers as lean as can be, for servers under load: they share the cores with the server that is measured."""

from __future__ import annotations

import asyncio
import re
import time
from functools import partial

EVENT = re.compile(rb"\nid: (\d+)\n")


class Line:
    """One connection to the server that is kept; requests go over it one after the other."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.lock = asyncio.Lock()
        self.streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(
        self, method: str, path: str, headers: str = "", body: bytes = b"", kind: str = "application/json"
    ) -> tuple[int, str, bytes]:
        """Status, head and body of an answer."""
        length = f"Content-Type: {kind}\r\nContent-Length: {len(body)}\r\n" if body else ""
        request = f"{method} {path} HTTP/1.1\r\nHost: x\r\n{headers}{length}\r\n".encode() + body
        async with self.lock:
            try:
                reader, head = await self._send(request)
            except (asyncio.IncompleteReadError, ConnectionResetError):  # closed just when we wanted to write
                self.streams = None
                reader, head = await self._send(request)
            size = re.search(r"(?i)\r\ncontent-length: (\d+)", head)
            answer = await reader.readexactly(int(size[1])) if size else b""
        return int(head.split(" ", 2)[1]), head, answer

    async def _send(self, request: bytes) -> tuple[asyncio.StreamReader, str]:
        """The head of the answer, and where its body comes from."""
        if self.streams is None or self.streams[0].at_eof():  # the server closes what is idle
            self.streams = await asyncio.open_connection("127.0.0.1", self.port)
        reader, writer = self.streams
        writer.write(request)
        return reader, (await reader.readuntil(b"\r\n\r\n")).decode()


class Stream(asyncio.Protocol):
    """One browser's event stream: only the version of each event is read, when the whole event has arrived."""

    def __init__(self, request: str, version: int) -> None:
        self.request, self.version = request, version
        self.waiting: tuple[int, asyncio.Future[float]] | None = None
        self.tail = b""
        self.coming = 0
        self.lost = False
        self.opened = asyncio.Event()

    async def open(self, port: int) -> None:
        """Until the server has begun to answer: a stream that it has not got to yet is not open."""
        await asyncio.get_running_loop().create_connection(partial(_same, self), "127.0.0.1", port)
        await self.opened.wait()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        transport.write(self.request.encode())

    def connection_lost(self, _: Exception | None) -> None:
        self.lost = True
        self.opened.set()

    def data_received(self, data: bytes) -> None:
        self.opened.set()
        found = EVENT.findall(self.tail + data)
        self.tail = data[-40:]
        if found:
            self.coming = int(found[-1])
        if self.coming > self.version and self.tail.endswith(b"\n\n\r\n"):
            self.version = self.coming
            if self.waiting is not None and self.version >= self.waiting[0] and not self.waiting[1].done():
                self.waiting[1].set_result(time.perf_counter())

    def reaches(self, version: int) -> asyncio.Future[float]:
        """When the event with this version has arrived."""
        future: asyncio.Future[float] = asyncio.get_running_loop().create_future()
        self.waiting = version, future
        if self.version >= version:
            future.set_result(time.perf_counter())
        return future

    def close(self) -> None:
        self.transport.close()


def _same(stream: Stream) -> Stream:
    return stream
