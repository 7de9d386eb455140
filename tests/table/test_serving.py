"""Several processes behind one port, as `samizdat serve --processes` starts them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from tests.postgres import Postgres, free_port

TOKEN = "numbers"


def until(wanted: Callable[[], bool], server: subprocess.Popen[bytes]) -> None:
    while True:
        try:
            if wanted():
                return
        except httpx.TransportError:
            pass
        assert server.poll() is None, "the server ended"
        time.sleep(0.05)


def children(pid: int) -> set[int]:
    found = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return {int(child) for child in found if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()}


@pytest.mark.slow
def test_a_process_that_is_killed_is_replaced_and_all_end_together(postgresql: Postgres, tmp_path: Path) -> None:
    port = free_port()
    told = {"SAMIZDAT_DATABASE_URL": postgresql.fresh(), "SAMIZDAT_METRICS_TOKEN": TOKEN, "SAMIZDAT_LOG_JSON": "1"}
    options = ["--no-browser", "--no-warm", "--bot-workers", "0", "--processes", "2", "--port", str(port)]
    with (tmp_path / "log").open("wb") as log:
        server = subprocess.Popen(
            [sys.executable, "-m", "samizdat", "serve", *options], env=os.environ | told, stdout=log, stderr=log,
        )  # fmt: skip
    address = f"http://127.0.0.1:{port}"
    try:
        until(lambda: httpx.get(f"{address}/ready").status_code == 200 and len(children(server.pid)) == 2, server)
        first = children(server.pid)
        os.kill(min(first), signal.SIGKILL)
        until(lambda: len(children(server.pid) - first) == 1, server)
        until(lambda: httpx.get(f"{address}/ready").status_code == 200, server)
        numbers = httpx.get(f"{address}/metrics", headers={"authorization": f"Bearer {TOKEN}"}).text
        assert 'route="/ready"' in numbers, "they count together"
        last = children(server.pid)
    finally:
        server.terminate()
        server.wait()
    for pid in last:
        assert not Path(f"/proc/{pid}/cmdline").exists()
    assert "another" in (tmp_path / "log").read_text(), "whoever runs it reads of the one that was killed"


def versions(lines: Iterator[str]) -> Iterator[int]:
    """The steps that a stream tells of; -1 is to come back after a while."""
    for line in lines:
        if line.startswith("retry: ") and line != "retry: 1000":
            yield -1
        elif line.startswith("data: ") and (data := json.loads(line[6:])).get("steps") is not None:
            yield int(data["version"])


@pytest.mark.slow
def test_an_upgrade_loses_no_stream(tmp_path: Path) -> None:
    """A server that is told to end tells streams to come back; those that do, to the next one, are told what they
    missed, once."""
    port = free_port()
    options = ["--no-browser", "--no-warm", "--port", str(port), "--data", str(tmp_path)]
    address, seen = f"http://127.0.0.1:{port}", list[int]()

    def started() -> subprocess.Popen[bytes]:
        server = subprocess.Popen([sys.executable, "-m", "samizdat", "serve", *options], stdout=subprocess.DEVNULL)
        until(lambda: httpx.get(f"{address}/ready").status_code == 200, server)
        return server

    server = started()
    try:
        wanted = {"game": "war-of-whispers", "seats": [{"kind": "me"}, {"kind": "me"}]}
        made = httpx.post(f"{address}/api/tables", json=wanted).json()
        keys = [{"authorization": f"Bearer {seat['key']}"} for seat in made["seats"]]
        path = f"{address}/api/tables/{made['id']}"

        def decide() -> None:
            for key in keys:
                found = httpx.get(f"{path}/legal", headers=key).json()
                if found["moves"]:
                    sent = {"move": found["moves"][0], "version": found["version"]}
                    assert httpx.post(f"{path}/play", headers=key, json=sent).status_code == 200
                    return

        with httpx.stream("GET", f"{path}/events", timeout=60) as told:
            steps = versions(told.iter_lines())
            seen.append(next(steps))
            decide()
            seen.append(next(steps))
            server.send_signal(signal.SIGTERM)
            assert list(steps) == [-1], "it is told to come back, and the connection ends in order"
        assert server.wait() == 0
        server = started()
        decide()
        with httpx.stream("GET", f"{path}/events", headers={"last-event-id": str(seen[-1])}, timeout=60) as told:
            steps = versions(told.iter_lines())
            seen.append(next(steps))
            decide()
            seen.append(next(steps))
    finally:
        server.terminate()
        server.wait()
    assert seen == list(range(seen[0], seen[0] + 4))
