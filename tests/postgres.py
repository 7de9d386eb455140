"""A real PostgreSQL for tests: a server of our own on a free port of this machine, gone when the tests are over."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex

import psycopg
from psycopg import sql

USER = "samizdat"
# Nothing here outlives the machine, so nothing waits for the disk.
MEMORY = Path("/dev/shm")
ROOMY = 4 << 30  # bytes: each of some hundred databases takes eight million
HASTY = ("fsync=off", "full_page_writes=off", "synchronous_commit=off", "max_connections=200", "shared_buffers=32MB")


def programs() -> Path:
    """The folder of PostgreSQL's programs, the newest if there are several; Debian keeps them off the path."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda file: int(file.parts[-3]))
    if found:
        return found[-1].parent
    there = shutil.which("initdb")
    assert there, "there is no PostgreSQL here; `make test` installs one"
    return Path(there).resolve().parent


def unprivileged() -> list[str]:
    """PostgreSQL refuses to be run by root. Whoever runs it: it ends when we do, or the thread that started it,
    however that happens."""
    ends_with_us = ["setpriv", "--pdeathsig", "QUIT"]
    if os.getuid():
        return ends_with_us
    return [*ends_with_us, "--reuid", "postgres", "--regid", "postgres", "--init-groups"]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Postgres:
    """A server that runs."""

    def __init__(self, folder: Path, settings: Sequence[str] = HASTY) -> None:
        self.folder, self.port, self.settings = folder, free_port(), settings
        self.process: subprocess.Popen[bytes] | None = None
        if not os.getuid():
            there = pwd.getpwnam("postgres")
            os.chown(folder, there.pw_uid, there.pw_gid)
        made = [programs() / "initdb", "-D", folder / "data", "-U", USER, "-A", "trust", "-E", "UTF8", "--no-sync"]
        subprocess.run([*unprivileged(), *map(str, made)], check=True, capture_output=True, cwd="/")

    def start(self) -> None:
        options = [word for setting in self.settings for word in ("-c", setting)]
        where = ["-D", self.folder / "data", "-h", "127.0.0.1", "-p", self.port, "-k", self.folder]
        log = (self.folder / "log").open("ab")
        with log:
            self.process = subprocess.Popen(
                [*unprivileged(), *map(str, [programs() / "postgres", *where, *options])],
                stdout=log, stderr=log, cwd="/",
            )  # fmt: skip
        while True:
            try:
                psycopg.connect(self.address("postgres")).close()
                return
            except psycopg.OperationalError:
                assert self.process.poll() is None, (self.folder / "log").read_text()
                time.sleep(0.05)

    def stop(self) -> None:
        """Whoever is connected loses the connection; what was written is kept."""
        if self.process is not None:
            self.process.send_signal(signal.SIGINT)
            self.process.wait()

    def address(self, name: str) -> str:
        return f"postgresql://{USER}@127.0.0.1:{self.port}/{name}"

    def fresh(self, like: str = "template1") -> str:
        """The address of a new database: an empty one, or a copy of another to which nobody is connected."""
        name = f"t{token_hex(8)}"
        made = sql.SQL("CREATE DATABASE {} TEMPLATE {} STRATEGY FILE_COPY")
        with psycopg.connect(self.address("postgres"), autocommit=True) as db:
            db.execute(made.format(sql.Identifier(name), sql.Identifier(like)))
        return self.address(name)


@contextmanager
def postgres(settings: Sequence[str] = HASTY) -> Iterator[Postgres]:
    # In memory where there is room, unless the disk is to be waited for: a hundred databases are thirty thousand
    # files to make and to throw away.
    roomy = settings is HASTY and MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > ROOMY
    folder = Path(tempfile.mkdtemp(prefix="samizdat-postgres-", dir=MEMORY if roomy else None))
    server = Postgres(folder, settings)
    try:
        server.start()
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)
