"""A server of our own on loopback, for measuring: what it takes of the processor and of memory, all its processes."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from samizdat.table.settings import Settings
from tests.postgres import Postgres, free_port, postgres

TICKS = os.sysconf("SC_CLK_TCK")
MB = 1024 * 1024
DURABLE = (
    "max_connections=300",
    "shared_buffers=128MB",
)  # as a host would run it: a decision is told when it is on disk


class Family:
    """A process and all that came of it."""

    def __init__(self, *roots: int) -> None:
        self.roots = roots

    def pids(self) -> list[int]:
        children: dict[int, list[int]] = {}
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                try:
                    parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                except OSError:
                    continue
                children.setdefault(parent, []).append(int(entry.name))
        found, new = [], list(self.roots)
        while new:
            found += new
            new = [child for one in new for child in children.get(one, ())]
        return found

    def processor(self) -> float:
        """Seconds of the processor that they have taken so far."""
        total = 0
        for pid in self.pids():
            try:
                fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            total += int(fields[11]) + int(fields[12])
        return total / TICKS

    def memory(self) -> float:
        """Megabytes that they hold, what they share counted once."""
        total = 0
        for pid in self.pids():
            try:
                lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
            except OSError:
                continue
            total += sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))
        return total / MB


class Serving:
    """A server that answers; on PostgreSQL the database's processes are counted apart."""

    def __init__(self, port: int, process: subprocess.Popen[bytes], database: Postgres | None) -> None:
        self.port, self.process = port, process
        self.own = Family(process.pid)
        roots = [database.process.pid] if database is not None and database.process is not None else []
        self.database = Family(*roots) if roots else None

    def settle(self) -> None:
        """Wait until it has nothing to do by itself: pages are made ready after it has begun."""
        before, spent = self.own.processor(), 1.0
        while spent > 0.1:
            time.sleep(3)
            now = self.own.processor()
            before, spent = now, now - before

    def processor(self) -> dict[str, float]:
        found = {"server": self.own.processor()}
        if self.database is not None:
            found["database"] = self.database.processor()
        return found


def answers(port: int, path: str = "/health") -> None:
    """Wait until there is an answer."""
    for _ in range(600):
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=5).close()
            return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError("the server does not answer")


@contextmanager
def serving(
    processes: int = 0, prepare: Callable[[Settings], None] = lambda _: None, options: Sequence[str] = ()
) -> Iterator[Serving]:
    """Samizdat over a new data folder, or as so many processes over a new PostgreSQL database, with what `prepare`
    puts there before it begins."""
    with ExitStack() as stack:
        data = stack.enter_context(tempfile.TemporaryDirectory(prefix="samizdat-load-"))
        port = free_port()
        where, settings, database = ["--data", data], Settings(Path(data)), None
        if processes:
            database = stack.enter_context(postgres(DURABLE))
            settings = Settings(Path(data), database.fresh())
            where = ["--database", settings.database, "--processes", str(processes)]
        prepare(settings)
        command = [sys.executable, "-m", "samizdat", "serve", "--no-browser", "--no-warm", "--port", str(port)]
        without = ["--tables-a-day", "1000000", "--imports-a-day", "1000000", "--requests-a-minute", "0"]
        process = subprocess.Popen([*command, *where, *without, *options])
        try:
            answers(port)
            yield Serving(port, process, database)
        finally:
            process.terminate()
            process.wait(30)
