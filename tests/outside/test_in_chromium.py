"""The examples in a real browser, by clicks on their plain boards, on a phone and on a wide screen."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import Person, Table, someone
from tests.conftest import DOSE
from tests.outside.conftest import ROOT

SIZES = [(390, 844), (1366, 768), (1440, 900)][: 2 if DOSE == 1 else 3]
TOLD = "#curtain:not([hidden]) [data-skip]"  # what happened is being told
OPEN = ".plain .legal, .status .acts [data-move]"  # places of the board, and buttons of the status line


@pytest.fixture(scope="module")
def table(beside: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    """A server that finds the packages."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    data = tmp_path_factory.mktemp("data")
    command = [sys.executable, "-m", "samizdat", "serve", "--no-browser", "--no-warm", "--port", str(port)]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join((str(ROOT), str(beside)))}
    with (data / "server.log").open("w") as log:
        server = subprocess.Popen([*command, "--data", str(data)], stdout=log, stderr=log, env=environment)
        address = f"http://127.0.0.1:{port}"
        try:
            for _ in range(600):
                with contextlib.suppress(OSError), urllib.request.urlopen(f"{address}/static/tokens.css"):
                    break
                assert server.poll() is None, (data / "server.log").read_text()
                time.sleep(0.1)
            yield Table(address)
            assert "Traceback" not in (data / "server.log").read_text()
        finally:
            server.terminate()
            server.wait(20)


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("game", ["connect-four", "liars-dice"])
def test_a_match_by_clicks_on_one_screen(
    table: Table,
    chromium: Browser,
    game: str,
    size: tuple[int, int],
) -> None:
    with someone(table, chromium, *size, touch=size[0] < 500) as person:
        play(person, game, f"outside-{game}-{size[0]}")


def play(person: Person, game: str, name: str) -> None:
    form = {"players-standard": "2", "seat-0": "me", "seat-1": "bot-random", "house-dice": "2"}
    page = person.page
    person.go("/")
    page.locator(f"a[href='/new/{game}']").first.wait_for()
    person.open(game, **form)
    person.picture(name)
    for _ in range(30):
        person.ready()
        if person.over:
            break
        person.until("document.scrollingElement.scrollHeight <= innerHeight")  # nobody scrolls to decide
        before = person.version()
        page.locator(OPEN).last.click()
        expect(page.locator(f"#status:not([data-version='{before}']), {TOLD}").first).to_be_attached()
    page.reload()
    page.locator("#end .stamp").first.wait_for(state="attached")
    person.picture(f"{name}-end")
