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
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Error, Page, expect, sync_playwright

from samizdat.conformance.games import DOSE
from samizdat.kernel.match import Match

ARTIFACTS = Path(__file__).parents[2] / "artifacts"
SLOW = float(os.environ.get("SAMIZDAT_SLOW", "1"))  # so many times: what a test must wait for comes late everywhere
LATENCY = 20  # milliseconds that a slow browser waits for each answer, times SLOW
PATIENCE = 30_000 * SLOW  # milliseconds; the machine may be busy
RETRIES = 2  # of a request that finds its connection closed just then, because it was idle
# Letters as wide as in a window: the shell would fit them to whole pixels.
FLAGS = ["--no-sandbox", "--disable-gpu", "--font-render-hinting=none"]
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser")  # the first has no window to draw
expect.set_options(timeout=PATIENCE)

FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
SETTLED = """async () => { // some turns of the page's own loop, then an answer to a question asked after all others
    for (let turn = 0; turn < 5; turn++) {
        await new Promise((done) => requestAnimationFrame(done));
        await new Promise((done) => setTimeout(done));
    }
    await fetch("/static/tokens.css", { cache: "no-store" });
    await new Promise((done) => setTimeout(done));
}"""


# What the page shows, roughly: the position and the draft.
MARK = "['#status', '#choices'].map(id => document.querySelector(id)?.outerHTML).join()"

READY = """() => {
  const closed = "#curtain:not([hidden]), #table:is(.still, .telling)"; // its script has run, and nothing is told
  return !!document.querySelector("#status:is(.acts, [data-over])") && !document.querySelector(closed);
}"""

# A press on what can be decided, found and pressed in one go, as the page may change between two looks at it. What it
# showed before; or why nothing was pressed: "" if there is nothing to decide, and else what is in the way just now.
DECIDE = """(pick) => {
  const seen = (selector) => [...document.querySelectorAll(selector)]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && one.getBoundingClientRect().width);
  const ways = [
    "#status [data-seal]:not([aria-disabled=true])",
    ":is(#board, #hand) .legal:not([data-take])",
    "#status .acts [data-move]",
    "#choices button",
  ];
  if (!document.querySelector("#status.acts") || document.querySelector("#curtain:not([hidden])")) return [null, ""];
  if (document.querySelector("#table:is(.still, .telling)")) return [null, "something is told"];
  const open = ways.map((way) => way === "#choices button" ? [...document.querySelectorAll(way)] : seen(way))
    .find((found) => found.length);
  if (!open) return [null, "nothing to press"];
  const chosen = open[pick % open.length];
  if (chosen.closest("#status")) { // on the board some places are small: tests/browser/test_layout.py
    chosen.scrollIntoView({ block: "nearest", inline: "nearest" });
    const { left, width, top, height } = chosen.getBoundingClientRect();
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    if (!chosen.contains(hit)) return [null, `${chosen.outerHTML} lies under ${hit?.outerHTML.slice(0, 200)}`];
  }
  const before = MARK;
  chosen.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
  return [before, ""];
}""".replace("MARK", MARK)


class Table:
    """The site under test."""

    def __init__(self, address: str, data: Path) -> None:
        self.address, self.data = address, data


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
        yield Table(address, data)
        assert "Traceback" not in (data / "server.log").read_text(), (data / "server.log").read_text()
    finally:
        server.terminate()
        ended = server.wait(20)
        log.close()
    assert ended == 0, "it was told to end, and died of it: who dies leaves the processes of the bots behind"


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """Not kept for the whole session: while Playwright runs, no other event loop can, and tests of the application
    that come later in the same process have one of their own."""
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
    assert found, "Chromium is missing; `make test` installs it"
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=found, args=FLAGS)
        yield browser
        PROFILES.clear()
        browser.close()


# Profiles that nobody uses just now, by what they are like. The next person who is like that gets one without a page,
# a cookie or anything stored, but with the files of the site, as whoever comes again has them.
PROFILES: dict[object, list[BrowserContext]] = {}


# Finds a module of the page that is shown: the same address is the same module, with all that it remembers.
MODULE = """(name) => import(document.querySelector("script[src$='/table.js']").src.replace("table.js", name))"""


def _alarming(said: ConsoleMessage) -> bool:
    """A refused decision is an answer like any other, though the browser writes it down as an error; and where a page
    names no icon, it asks for one by itself."""
    ours = not said.location["url"].endswith("/favicon.ico")
    return said.type == "error" and ours and "409 (Conflict)" not in said.text


def stage(page: Page, table: Table, html: str) -> None:
    """Show a page that no server has made, beside the files of one that there is. An address that the test answers
    itself would do, too, but then the browser keeps no file and fetches all of them each time."""
    page.goto(f"{table.address}/static/tokens.css")
    page.set_content(html)
    page.evaluate("document.fonts.ready")
    page.evaluate(FRAMES)


class Person:
    """Somebody with a browser. An error in the page's script fails the test."""

    def __init__(self, table: Table, context: BrowserContext) -> None:
        self.table = table
        self.context = context
        self.altered = False  # for good: nobody else can have the profile
        self.page: Page = context.new_page()
        self.page.set_default_timeout(PATIENCE)
        if SLOW > 1:
            slow = context.new_cdp_session(self.page)
            slow.send("Emulation.setCPUThrottlingRate", {"rate": SLOW})
            late = {"offline": False, "latency": LATENCY * SLOW, "downloadThroughput": -1, "uploadThroughput": -1}
            slow.send("Network.enable")
            slow.send("Network.emulateNetworkConditions", late)
        self.errors: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", lambda said: self.errors.append(said.text) if _alarming(said) else None)

    def go(self, path: str) -> None:
        self.page.goto(path if path.startswith("http") else self.table.address + path)

    def open(self, game: str, **form: str) -> str:
        """A new table, by the same form the page sends; its address."""
        self.go(self.led("/new/" + game, form={"name": "Ludmila", **form}))
        return self.page.url

    def led(self, path: str, **form: Any) -> str:
        """Where a form leads that is sent by itself. Nobody goes there yet: no page is drawn for nothing."""
        answer = self.page.request.post(self.table.address + path, **form, max_retries=RETRIES, max_redirects=0)
        assert answer.status == 303, answer.text()[:2000]
        return answer.headers["location"]

    def take_clock(self) -> None:
        """Pages have a clock that the test can set, `page.clock`; until it does, it goes on by itself."""
        self.altered = True
        self.page.clock.install()

    def run_first(self, script: str) -> None:
        """In every page, before its own scripts."""
        self.altered = True
        self.context.add_init_script(script)

    def take_over(self, match: Match) -> None:
        """The first seat of a match from a file, the others given to bots while it runs: by the same forms the pages
        send."""
        file = {"name": "match.json", "mimeType": "application/json", "buffer": match.dumps().encode()}
        path = f"/table/{table_id(self.led('/import', multipart={'file': file}))}"
        for seat in range(1, match.seats if not match.over else 1):
            self.led(f"{path}/seats", form={"seat": str(seat), "kind": "bot-random"})
        self.go(path)

    def resize(self, width: int, height: int) -> None:
        """A window of another size, to which the page's scripts have had time to answer."""
        self.page.set_viewport_size({"width": width, "height": height})
        self.until("([width, height]) => innerWidth === width && innerHeight === height", [width, height])
        self.page.evaluate(FRAMES)

    def picture(self, name: str) -> None:
        """For whoever wants to look at the pages after a longer run."""
        if DOSE == 1:
            return
        ARTIFACTS.mkdir(exist_ok=True)
        self.page.screenshot(path=str(ARTIFACTS / f"{name}.png"), full_page=True)

    def arrive(self) -> None:
        """Wait until a table is there that one was led to, and its scripts have run: the board is drawn before."""
        self.page.wait_for_selector("#table:not(.still)")
        self.page.wait_for_load_state()

    def until(self, expression: str, argument: object = None) -> None:
        """Wait until a script's answer is true. Playwright's own way asks again by `eval`, which our pages forbid."""
        self.await_(lambda: self.page.evaluate(expression, argument), expression)

    def module(self, name: str, expression: str, argument: object = None) -> object:
        """What an expression over the exports of one of the page's modules gives."""
        script = f"async (given) => {{ return (await ({MODULE})('{name}')).{expression}; }}"
        return self.page.evaluate(script, argument)

    def await_(self, condition: Callable[[], object], what: str = "") -> None:
        """Wait until something that the test knows is true; while another page comes, nothing can be asked."""
        end, failed = time.monotonic() + PATIENCE / 1000, ""
        while time.monotonic() < end:
            try:
                if condition():
                    return
                failed = ""
            except Error as error:
                failed = str(error)
            self.page.wait_for_timeout(25)
        told = self.page.locator("#status, #refusal").all_inner_texts()
        raise AssertionError(f"still not true after a long while: {what} {failed} {told}")

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
        self.page.evaluate("document.querySelector('#curtain:not([hidden]) [data-skip]')?.click()")

    def ready(self) -> None:
        """Wait until this person is to act, or the match is over."""

        def is_ready() -> bool:
            self.skip()
            return bool(self.page.evaluate(READY))

        self.await_(is_ready, "there is something to do")

    def changed(self, before: str) -> None:
        """Wait until the page shows something else than before; that a press is on its way is nothing else."""
        other = f"""async (before) => {{
          if (!document.getElementById("curtain")?.hidden) return true; // something is told, or the screen is covered
          if (document.querySelector(".sent")) return false;
          return {MARK} !== before && !(await ({MODULE})("deciding.js")).sending(); // others act meanwhile, too
        }}"""
        self.await_(lambda: self.page.evaluate(other, before), "the page has changed")

    def mark(self) -> str:
        """What the page shows, roughly; nothing while another page comes."""
        with contextlib.suppress(Error):
            return str(self.page.evaluate(MARK))
        return ""

    def decide(self, pick: int = 0) -> None:
        """One click on the board, the hand, or the one button that is left; none where nothing is to be decided."""
        before, hindered = "", ""

        def pressed() -> bool:
            nonlocal before, hindered
            found, hindered = self.page.evaluate(DECIDE, pick)
            before = found or ""
            return not hindered

        try:
            self.await_(pressed, "something can be pressed")
        except AssertionError as error:
            raise AssertionError(hindered) from error
        if before:
            self.changed(before)


@contextlib.contextmanager
def someone(
    table: Table,
    chromium: Browser,
    width: int,
    height: int,
    calm: bool = True,
    pace: str = "once",
    touch: bool = False,
    worker: bool = False,
) -> Iterator[Person]:
    """Who wants to be told nothing slowly, unless a test is about that; and whose browser keeps no pages, unless it
    has a service `worker`."""
    kind = (table.address, width, height, calm, touch, worker)
    kept = PROFILES.setdefault(kind, [])
    context = (
        kept.pop()
        if kept
        else chromium.new_context(
            viewport={"width": width, "height": height},
            locale="en-GB",
            reduced_motion="reduce" if calm else None,
            has_touch=touch,
            service_workers="allow" if worker else "block",
        )
    )
    context.add_cookies([{"name": "pace", "value": pace, "url": table.address}])
    found = Person(table, context)
    yield found
    if found.altered:
        context.close()
    else:
        forget = {"origin": table.address, "storageTypes": "local_storage"}
        context.new_cdp_session(found.page).send("Storage.clearDataForOrigin", forget)
        for page in context.pages:
            page.close()
        context.clear_cookies()
        kept.append(context)
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
