"""Without a network: the last page of a table as its seat saw it, and nobody else's at the same screen."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import Person, Table, someone, table_id

ENTRIES = """async () => {
  const found = [];
  for (const name of (await caches.keys()).filter((one) => one.startsWith("kept-"))) {
    for (const request of await (await caches.open(name)).keys()) found.push(new URL(request.url).pathname);
  }
  return found;
}"""
BOTS = {"seat-1": "bot-random", "seat-2": "bot-random", "seat-3": "bot-random"}
TWO = {"players-standard": "3", "seat-0": "me", "seat-1": "here", "seat-2": "bot-random"}


@pytest.fixture
def keeper(table: Table, chromium: Browser) -> Iterator[Person]:
    """Somebody whose browser has a service worker."""
    with someone(table, chromium, 390, 844, worker=True) as found:
        found.altered = True  # what a worker keeps stays in the profile
        found.go("/")
        found.until(
            "async () => !!(await navigator.serviceWorker.ready).active && !!navigator.serviceWorker.controller"
        )
        yield found
        found.errors = [error for error in found.errors if "net::ERR_" not in error]  # there was no network


def keeps(person: Person, *paths: str) -> None:
    person.until(
        f"async (paths) => JSON.stringify((await ({ENTRIES})()).sort()) === JSON.stringify(paths)", sorted(paths)
    )


def test_a_table_that_was_open_stays_readable(keeper: Person) -> None:
    """As it was last seen, not as it was opened; with the hour; and it goes on by itself."""
    address = keeper.open("revolution", **BOTS)
    path = f"/table/{table_id(address)}"
    keeper.ready()
    keeps(keeper, path)
    first = keeper.version()
    keeper.decide()
    keeper.await_(lambda: keeper.version() != first or keeper.page.locator("#choices button").count(), "it went on")
    shown = keeper.page.locator("#record").inner_text()
    keeper.context.set_offline(True)
    expect(keeper.page.locator("#refusal")).to_contain_text("No connection since ")
    seen = keeper.version()
    keeper.until(
        f"async (v) => (await (await caches.match('{path}')).text()).includes(`data-version=\"${{v}}\"`)", seen
    )
    keeper.page.reload()
    expect(keeper.page.locator("#refusal")).to_contain_text("No connection since ")
    assert keeper.page.evaluate("document.documentElement.dataset.kept")
    assert keeper.page.locator("#record").inner_text() == shown
    keeper.go("/rules")
    expect(keeper.page.locator("h1")).to_have_text("No connection")
    expect(keeper.page.locator("#kept a")).to_have_attribute("href", path)
    keeper.page.locator("#kept a").click()
    expect(keeper.page.locator("#table")).to_have_attribute("data-path", path)
    expect(keeper.page.locator("#refusal .again")).to_be_visible()
    keeper.context.set_offline(False)
    keeper.page.wait_for_selector("#table:not(.offline)")
    expect(keeper.page.locator("#refusal")).to_be_hidden()


def test_pages_of_somebody_else_are_not_kept(keeper: Person) -> None:
    """Neither after a form that may change who is here, nor when the server says that somebody else is, nor of a seat
    that was given away, nor of a screen that several share."""
    address = keeper.open("revolution", **BOTS)
    path = f"/table/{table_id(address)}"
    keeps(keeper, path)
    # Signing out is a form; the page behind it has no pages of whoever was here.
    keeper.page.evaluate("""() => {
      const form = Object.assign(document.createElement("form"), { method: "post", action: "/preferences" });
      document.body.append(form);
      form.submit();
    }""")
    keeper.page.wait_for_url(f"{keeper.table.address}/")
    keeps(keeper)
    # Somebody else: the server knows by the cookie, and says so with the next page.
    keeper.go(path)
    keeps(keeper, path)
    keeper.context.clear_cookies()
    keeper.go("/")
    keeps(keeper)
    keeper.context.set_offline(True)
    keeper.go(path)
    expect(keeper.page.locator("h1")).to_have_text("No connection")
    expect(keeper.page.locator("#again")).to_be_visible()
    keeper.context.set_offline(False)
    keeper.page.wait_for_selector("#table")  # it comes back by itself, and is read by somebody who only looks on
    keeps(keeper, path)
    # At one screen nothing is kept, whatever was before.
    shared = keeper.open("revolution", **TWO)
    expect(keeper.page.locator("main")).to_be_visible()
    keeps(keeper, path)
    keeper.page.get_by_role("link", name="ready").first.click()
    keeper.arrive()
    keeper.page.evaluate("dispatchEvent(new Event('pagehide'))")
    keeper.settle()
    keeps(keeper, path)
    keeper.context.set_offline(True)
    keeper.go(shared)
    expect(keeper.page.locator("h1")).to_have_text("No connection")
