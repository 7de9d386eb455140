"""The wire: a real server on this machine, and what one connection can do to the others."""

from __future__ import annotations

import re
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import pytest
import uvicorn

from samizdat.kernel import systems
from samizdat.table import wire as wire_module
from samizdat.table.app import create_app
from samizdat.table.serve import configured
from samizdat.table.settings import Settings
from samizdat.table.wire import MOST_FROM_ONE, Guarded, Wire

HALF = b"GET / HTTP/1.1\r\nHost: table\r\n"


class Running:
    """A server in a thread, and sockets to it."""

    def __init__(self, folder: Path) -> None:
        self.server = uvicorn.Server(configured(create_app(Settings(folder, warm=False)), port=0))
        self.thread = threading.Thread(target=self.server.run)
        self.thread.start()
        for _ in range(6000):
            if self.server.started:
                break
            time.sleep(0.01)
        self.port: int = self.server.servers[0].sockets[0].getsockname()[1]
        self.guarded: Any = self.server.config.http

    def close(self) -> None:
        self.server.should_exit = True
        self.thread.join()

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=60)

    def ask(self, request: bytes) -> bytes:
        with self.connect() as other:
            other.sendall(request)
            return other.recv(65536)

    def answers(self) -> bool:
        return self.ask(b"GET /api/games HTTP/1.1\r\nHost: table\r\n\r\n").startswith(b"HTTP/1.1 200")


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    made = Running(tmp_path_factory.mktemp("wire"))
    yield made
    made.close()


def heard(other: socket.socket) -> bytes:
    """Everything until the server closes the connection."""
    whole = b""
    with suppress(ConnectionError):
        while piece := other.recv(65536):
            whole += piece
    return whole


def poured(other: socket.socket, piece: bytes, most: int) -> int:
    """How much could be sent before the server closed the connection."""
    sent = 0
    with suppress(ConnectionError):
        while sent < most:
            other.sendall(piece)
            sent += len(piece)
    return sent


FLOOD = 64 * 1024 * 1024


@pytest.mark.parametrize(
    ("begin", "piece"),
    [
        (HALF, b"a: " + b"b" * 1000 + b"\r\n"),
        (HALF + b"a: ", b"b" * 1000),
        (b"GET /", b"b" * 1000),
        (
            b"POST / HTTP/1.1\r\nHost: table\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n",
            b"a: " + b"b" * 1000 + b"\r\n",
        ),
        (b"POST / HTTP/1.1\r\nHost: table\r\nTransfer-Encoding: chunked\r\n\r\n1;", b"b" * 1000),
    ],
    ids=["many headers", "one header", "an address", "trailers", "a chunk's extension"],
)
def test_a_head_has_a_size(running: Running, begin: bytes, piece: bytes) -> None:
    with running.connect() as other:
        other.sendall(begin)
        assert poured(other, piece, FLOOD) < FLOOD
    assert running.answers()


def test_a_usual_head_is_no_trouble(running: Running) -> None:
    cookie = b"Cookie: " + b"a=b; " * 3000 + b"\r\n"
    for _ in range(3):
        assert running.ask(b"GET /api/games HTTP/1.1\r\nHost: table\r\n" + cookie + b"\r\n").startswith(
            b"HTTP/1.1 200"
        )
    with running.connect() as other:  # several on one connection: each has its own measure
        for _ in range(5):
            other.sendall(b"GET /api/games HTTP/1.1\r\nHost: table\r\n" + cookie + b"\r\n")
            assert other.recv(65536).startswith(b"HTTP/1.1 200")


def test_a_file_may_be_larger_than_a_head(running: Running) -> None:
    body = (
        b'--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'
        + b"x" * 1_000_000
        + b"\r\n--x--\r\n"
    )
    head = b"POST /import HTTP/1.1\r\nHost: table\r\nContent-Type: multipart/form-data; boundary=x\r\n"
    assert running.ask(head + b"Content-Length: %d\r\n\r\n" % len(body) + body).startswith(b"HTTP/1.1 422")


@pytest.mark.parametrize(
    ("sent", "answer"),
    [
        (b"", b""),
        (b"GET", b"HTTP/1.1 408"),
        (HALF, b"HTTP/1.1 408"),
        (b"POST /api/tables HTTP/1.1\r\nHost: table\r\nContent-Length: 100\r\n\r\n{", b"HTTP/1.1 408"),
        (b"POST /preferences HTTP/1.1\r\nHost: table\r\nContent-Type: application/x-www-form-urlencoded\r\n"
         b"Content-Length: 100\r\n\r\na", b"HTTP/1.1 408"),
    ],
    ids=["nothing", "a word", "half a head", "half a body", "half a form"],
)  # fmt: skip
def test_half_a_request_is_not_waited_for(
    running: Running, monkeypatch: pytest.MonkeyPatch, sent: bytes, answer: bytes
) -> None:
    monkeypatch.setattr(running.guarded, "head_seconds", 0.05)
    monkeypatch.setattr(running.guarded, "body_seconds", 0.05)
    with running.connect() as other:
        other.sendall(sent)
        assert heard(other).startswith(answer)


def test_a_body_has_longer_than_a_head(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file on a slow line. Two half heads that came later were ended meanwhile: the time of a head is over."""
    monkeypatch.setattr(running.guarded, "head_seconds", 0.05)
    with running.connect() as slow:
        slow.sendall(b"POST /api/tables HTTP/1.1\r\nHost: table\r\nContent-Length: 2\r\n\r\n{")
        for _ in range(2):
            with running.connect() as other:
                other.sendall(HALF)
                assert heard(other).startswith(b"HTTP/1.1 408")
        slow.sendall(b"}")
        assert slow.recv(65536).startswith(b"HTTP/1.1 422")


def test_half_a_second_request_is_not_waited_for_either(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    with running.connect() as other:
        other.sendall(b"GET /api/games HTTP/1.1\r\nHost: table\r\n\r\n")
        assert other.recv(65536).startswith(b"HTTP/1.1 200")
        monkeypatch.setattr(running.guarded, "head_seconds", 0.05)
        other.sendall(HALF)
        assert b"HTTP/1.1 408" in heard(other)


def test_whoever_does_not_read_is_not_waited_for(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """It asks for a long page and takes none of it: what lies here for it is thrown away."""
    monkeypatch.setattr(running.guarded, "read_seconds", 0.05)
    full, pause = threading.Event(), running.guarded.pause_writing
    monkeypatch.setattr(running.guarded, "pause_writing", lambda self: (pause(self), full.set()))
    running.server.servers[0].sockets[0].setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        other.settimeout(60)
        other.connect(("127.0.0.1", running.port))
        other.sendall(b"GET /rules/dual-powers HTTP/1.1\r\nHost: table\r\n\r\n")
        assert full.wait(60)
        for _ in range(6000):
            if len(running.guarded.wire) == 0:
                break
            time.sleep(0.01)
        whole = heard(other)
        length = re.search(rb"content-length: (\d+)", whole)
        assert length
        assert len(whole) < int(length[1]), "the rest never came"
    assert running.answers()


def test_a_stream_outlives_the_time_of_a_request(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running.guarded, "head_seconds", 2.0)  # a busy machine may take its time
    monkeypatch.setattr(running.guarded, "body_seconds", 2.0)
    monkeypatch.setattr("samizdat.table.streams.HEARTBEAT", 1.2)  # two of them take longer
    body = b'{"game": "dual-powers", "seats": [{"kind": "me"}, {"kind": "me"}]}'
    made = running.ask(
        b"POST /api/tables HTTP/1.1\r\nHost: table\r\nContent-Type: application/json\r\nContent-Length: "
        b"%d\r\n\r\n" % len(body) + body
    )
    id = made.partition(b'"id":"')[2].partition(b'"')[0]
    with running.connect() as other:
        other.sendall(b"GET /api/tables/" + id + b"/events HTTP/1.1\r\nHost: table\r\n\r\n")
        whole = b""
        for _ in range(100):
            whole += other.recv(65536)
            if whole.count(b"event: beat") >= 2:
                return
        raise AssertionError(whole)


def test_those_who_send_half_make_room_for_the_others(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running.guarded.wire, "most_half", 20)
    monkeypatch.setattr(running.guarded, "head_seconds", 3600.0)  # no time ends them
    with ExitStack() as stack:
        others = [stack.enter_context(running.connect()) for _ in range(60)]
        for other in others:
            with suppress(ConnectionError):  # it had to go before it sent anything
                other.sendall(HALF)
        assert running.answers()
        for other in others[:39]:  # all but the latest twenty and whoever asked a whole question
            assert heard(other)[:12] in (b"", b"HTTP/1.1 408"), "the server closed it"
        others[-1].sendall(b"\r\n")
        assert others[-1].recv(65536).startswith(b"HTTP/1.1 200"), "whoever goes on is served"


def test_connections_that_went_are_not_counted(running: Running) -> None:
    for _ in range(5):
        assert running.answers()
        with running.connect() as other:
            other.sendall(HALF)
    for _ in range(6000):
        if len(running.guarded.wire) == 0:
            return
        time.sleep(0.01)
    raise AssertionError(len(running.guarded.wire))


def test_one_sender_has_only_so_many_connections() -> None:
    wire = Wire(lambda host: host == "203.0.113.1")
    there = [wire.enter("203.0.113.7") for _ in range(MOST_FROM_ONE + 1)]
    assert there.count(False) == 1
    assert not wire.enter("::ffff:203.0.113.7")
    assert wire.enter("198.51.100.9")
    for host in ("127.0.0.1", "203.0.113.1"):  # this machine, and a proxy that speaks for many
        assert all(wire.enter(host) for _ in range(MOST_FROM_ONE + 1))
    wire.leave("203.0.113.7")
    assert wire.enter("203.0.113.7")
    assert not wire.enter("203.0.113.7")


def test_all_together_have_only_so_many_connections() -> None:
    wire = Wire(most_open=2)
    assert [wire.enter("127.0.0.1") for _ in range(3)] == [True, True, False]


def test_the_server_asks_for_more_files_than_the_usual_thousand(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[int, int]] = []
    monkeypatch.setattr(systems.resource, "getrlimit", lambda _: (1024, 4096))
    monkeypatch.setattr(systems.resource, "setrlimit", lambda _, limits: asked.append(limits))
    assert systems.open_files(wire_module.MOST_FILES) == 4096
    assert asked == [(4096, 4096)]


def test_the_protocol_is_the_one_we_know() -> None:
    """uvicorn may change its insides: what we build on must be there."""
    ours = ("on_message_begin", "on_headers_complete", "on_body", "on_message_complete", "connection_made")
    for name in (*ours, "pause_writing", "resume_writing"):
        assert getattr(Guarded, name) is not getattr(Guarded.__mro__[1], name)
