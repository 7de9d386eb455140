"""Stand-ins on loopback for servers of other people: one that takes posts, and one that takes letters."""

from __future__ import annotations

import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Taken:
    """What came in, and what is answered."""

    url: str = ""
    status: int = 201
    posts: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)
    letters: list[str] = field(default_factory=list)
    refuses: str = ""  # what a mail server says to whom it does not write to


@contextmanager
def post_server() -> Iterator[Taken]:
    """A server that takes posts."""
    taken = Taken()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            taken.posts.append((self.path, {name.lower(): value for name, value in self.headers.items()}, body))
            self.send_response(taken.status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    taken.url = f"http://127.0.0.1:{server.server_address[1]}"
    with _running(server):
        yield taken


@contextmanager
def mail_server() -> Iterator[Taken]:
    """A server that takes letters, with as much of SMTP as one needs."""
    taken = Taken()

    class Handler(socketserver.StreamRequestHandler):
        def say(self, line: str) -> None:
            self.wfile.write(f"{line}\r\n".encode())

        def handle(self) -> None:
            self.say("220 here")
            while line := self.rfile.readline().decode().strip():
                word = line[:4].upper()
                if word == "DATA":
                    self.say("354 go on")
                    lines = iter(lambda: self.rfile.readline().decode(), ".\r\n")
                    taken.letters.append("".join(lines))
                elif word == "QUIT":
                    self.say("221 bye")
                    return
                self.say(taken.refuses if word == "RCPT" and taken.refuses else "250 yes")

    server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    taken.url = f"smtp://127.0.0.1:{server.server_address[1]}"
    with _running(server):
        yield taken


@contextmanager
def _running(server: socketserver.BaseServer) -> Iterator[None]:
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
