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
from playwright.sync_api import Browser

from tests.browser.conftest import Person, Table, chromium  # noqa: F401
from tests.outside.conftest import ROOT

SIZES = [(390, 844), (1366, 768), (1440, 900)]
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
    chromium: Browser,  # noqa: F811
    game: str,
    size: tuple[int, int],
) -> None:
    context = chromium.new_context(viewport={"width": size[0], "height": size[1]}, has_touch=size[0] < 500)
    person = Person(table, context)
    form = {"players-standard": "2", "seat-0": "me", "seat-1": "bot-random", "house-dice": "2"}
    person.go("/")
    person.page.locator(f"a[href='/new/{game}']").first.wait_for()
    person.open(game, **form)
    page = person.page
    page.locator("#table:not(.still)").wait_for()
    person.picture(f"outside-{game}-{size[0]}")
    for _ in range(30):
        page.locator(f"{OPEN}, {TOLD}, #status[data-over]").first.wait_for()
        if page.locator(TOLD).count():
            page.locator(TOLD).first.click()
            continue
        if page.locator("#status[data-over]").count():
            break
        sizes = page.evaluate("[document.scrollingElement.scrollHeight, innerHeight]")
        assert sizes[0] <= sizes[1], "a decision needs no scrolling of the page"
        before = page.locator("#status").get_attribute("data-version")
        page.locator(OPEN).last.click()
        page.locator(f"#status:not([data-version='{before}']), {TOLD}").first.wait_for()
    page.reload()
    page.locator("#end .stamp").first.wait_for(state="attached")
    person.picture(f"outside-{game}-{size[0]}-end")
    assert not person.errors
    context.close()
