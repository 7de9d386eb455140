"""Several processes behind one port, as `samizdat serve --processes` starts them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
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
