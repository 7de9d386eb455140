"""A real server in a process of its own, and Debian's Chromium. Screenshots go to artifacts/, which git ignores."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Page, sync_playwright

from samizdat.kernel.match import Match

ARTIFACTS = Path(__file__).parents[2] / "artifacts"
PATIENCE = 30_000  # milliseconds; the machine may be busy
RETRIES = 2  # of a request that finds its connection closed just then, because it was idle


SETTLED = """async () => { // some turns of the page's own loop, then an answer to a question asked after all others
    for (let turn = 0; turn < 5; turn++) {
        await new Promise((done) => requestAnimationFrame(done));
        await new Promise((done) => setTimeout(done));
    }
    await fetch("/static/tokens.css", { cache: "no-store" });
    await new Promise((done) => setTimeout(done));
}"""


class Table:
    """The site under test."""

    def __init__(self, address: str) -> None:
        self.address = address


@pytest.fixture(scope="session")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    data = tmp_path_factory.mktemp("data")
    command = [sys.executable, "-m", "samizdat", "serve", "--no-browser", "--no-warm"]
    log = (data / "server.log").open("w")
    server = subprocess.Popen([*command, "--port", str(port), "--data", str(data)], stdout=log, stderr=log)
    address = f"http://127.0.0.1:{port}"
    try:
        for _ in range(600):
            with contextlib.suppress(OSError), urllib.request.urlopen(f"{address}/static/tokens.css"):
                break
            assert server.poll() is None, (data / "server.log").read_text()
            time.sleep(0.1)
        yield Table(address)
        assert "Traceback" not in (data / "server.log").read_text(), (data / "server.log").read_text()
    finally:
        server.terminate()
        server.wait(20)
        log.close()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """Not kept for the whole session: while Playwright runs, no other event loop can, and tests of the application
    that come later in the same process have one of their own."""
    found = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    assert found, "Chromium is missing; `make test` installs it"
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=found, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


# Finds a module of the page that is shown: the same address is the same module, with all that it remembers.
MODULE = """(name) => import(document.querySelector("script[src$='/table.js']").src.replace("table.js", name))"""


def _alarming(kind: str, text: str) -> bool:
    """A refused decision is an answer like any other; the browser writes it down as an error."""
    return kind == "error" and "409 (Conflict)" not in text


class Person:
    """Somebody with a browser. An error in the page's script fails the test."""

    def __init__(self, table: Table, context: BrowserContext) -> None:
        self.table = table
        self.context = context
        self.page: Page = context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.errors: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on(
            "console", lambda said: self.errors.append(said.text) if _alarming(said.type, said.text) else None
        )

    def go(self, path: str) -> None:
        self.page.goto(path if path.startswith("http") else self.table.address + path)

    def open(self, game: str, **form: str) -> str:
        """A new table, by the same form the page sends; its address."""
        answer = self.page.request.post(
            f"{self.table.address}/new/{game}", form={"name": "Ludmila", **form}, max_retries=RETRIES
        )
        assert answer.ok, answer.text()[:2000]
        self.go(answer.url)
        return answer.url

    def take_over(self, match: Match) -> None:
        """The first seat of a match from a file, the others given to bots while it runs: by the same forms the pages
        send."""
        file = {"name": "match.json", "mimeType": "application/json", "buffer": match.dumps().encode()}
        answer = self.page.request.post(f"{self.table.address}/import", multipart={"file": file}, max_retries=RETRIES)
        assert answer.ok, answer.text()[:2000]
        address = f"{self.table.address}/table/{table_id(answer.url)}"
        for seat in range(1, match.seats if not match.over else 1):
            form = {"seat": str(seat), "kind": "bot-random"}
            given = self.page.request.post(f"{address}/seats", form=form, max_retries=RETRIES)
            assert given.ok, given.text()[:2000]
        self.go(address)

    def picture(self, name: str) -> None:
        ARTIFACTS.mkdir(exist_ok=True)
        self.page.screenshot(path=str(ARTIFACTS / f"{name}.png"), full_page=True)

    def until(self, expression: str, argument: object = None) -> None:
        """Wait until a script's answer is true. Playwright's own way asks again by `eval`, which our pages forbid."""
        for _ in range(PATIENCE // 50):
            if self.page.evaluate(expression, argument):
                return
            self.page.wait_for_timeout(50)
        raise AssertionError(f"still not true after a long while: {expression}")

    def module(self, name: str, expression: str, argument: object = None) -> object:
        """What an expression over the exports of one of the page's modules gives."""
        script = f"async (given) => {{ return (await ({MODULE})('{name}')).{expression}; }}"
        return self.page.evaluate(script, argument)

    def await_(self, condition: Callable[[], object]) -> None:
        """Wait until something that the test knows is true."""
        for _ in range(PATIENCE // 50):
            if condition():
                return
            self.page.wait_for_timeout(50)
        raise AssertionError("still not true after a long while")

    def settle(self) -> None:
        """Wait until whatever the page had begun is under way: what it wanted to send now was sent."""
        self.page.evaluate(SETTLED)

    # --- playing -----------------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        return self.page.locator("#status[data-over]").count() > 0

    def version(self) -> str:
        return self.page.locator("#status").get_attribute("data-version") or ""

    def skip(self) -> None:
        """Pass over whatever is being revealed."""
        skip = self.page.locator("#curtain:not([hidden]) [data-skip]")
        if skip.count():
            skip.first.click()

    def ready(self) -> None:
        """Wait until this person is to act, or the match is over."""
        for _ in range(600):
            self.skip()
            if self.over or self.page.locator("#status.acts").count():
                if not self.page.locator("#curtain:not([hidden]), #table.still").count():  # its script has run
                    return
            self.page.wait_for_timeout(50)
        raise AssertionError(f"nothing to do after a long while: {self.page.locator('#status').inner_text()}")

    def changed(self, before: str) -> None:
        """Wait until the page shows something else than before; that a press is on its way is nothing else."""
        for _ in range(PATIENCE // 25):
            if (
                (self.mark() != before and not self.page.locator(".sent").count())
                or self.page.locator("#curtain:not([hidden])").count()
                or "/cover" in self.page.url
            ):
                return
            self.page.wait_for_timeout(25)
        told = self.page.locator("#status, #refusal").all_inner_texts()
        sending = self.module("deciding.js", "sending()")
        focused = self.page.evaluate("document.activeElement.outerHTML.slice(0, 300)")
        raise AssertionError(f"the page did not change: {told}, sending: {sending}, focused: {focused}")

    def mark(self) -> str:
        """What the page shows, roughly: the position and the draft; nothing while another page comes."""
        with contextlib.suppress(Error):
            script = "['#status', '#choices'].map(id => document.querySelector(id)?.outerHTML).join()"
            return str(self.page.evaluate(script))
        return ""

    def decide(self, pick: int = 0) -> None:
        """One click on the board, the hand, or the one button that is left."""
        before = self.mark()
        seal = self.page.locator("#status [data-seal]:not([aria-disabled=true])")
        legal = self.page.locator("#board .legal:not([data-take]):visible, #hand .legal:not([data-take]):visible")
        buttons = self.page.locator("#status .acts [data-move]")
        if seal.count():
            seal.click()
        elif legal.count():
            legal.nth(pick % legal.count()).dispatch_event("click")
        elif buttons.count():
            buttons.nth(pick % buttons.count()).click()
        elif listed := self.page.locator("#choices button").all():
            listed[pick % len(listed)].dispatch_event("click")
        else:  # the page has changed between two looks at it
            self.page.wait_for_timeout(25)
            return
        self.changed(before)


@contextlib.contextmanager
def someone(
    table: Table, chromium: Browser, width: int, height: int, calm: bool = True, pace: str = "once"
) -> Iterator[Person]:
    """Who wants to be told nothing slowly, unless a test is about that."""
    context = chromium.new_context(
        viewport={"width": width, "height": height}, locale="en-GB", reduced_motion="reduce" if calm else None
    )
    context.add_cookies([{"name": "pace", "value": pace, "url": table.address}])
    found = Person(table, context)
    yield found
    context.close()
    assert found.errors == []


@pytest.fixture
def person(table: Table, chromium: Browser) -> Iterator[Person]:
    with someone(table, chromium, 1440, 1000) as found:
        yield found


@pytest.fixture
def lively(table: Table, chromium: Browser) -> Iterator[Person]:
    """Somebody who has not asked for less motion, on a phone."""
    with someone(table, chromium, 390, 844, calm=False) as found:
        yield found


@pytest.fixture
def another(table: Table, chromium: Browser) -> Iterator[Person]:
    with someone(table, chromium, 390, 844) as found:
        yield found


def table_id(address: str) -> str:
    found = re.search(r"/table/([\w-]+)", address)
    assert found
    return found[1]
