"""The host's page in a browser: on a phone and at a desk, in every language, light and dark; and what a table shows
to those at it when the host freezes it."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from samizdat.admin import opened
from samizdat.table.language import LANGUAGES
from samizdat.table.store import barring, hosts
from tests.browser.conftest import Person, Table, someone
from tests.browser.test_access import check_both
from tests.browser.test_playing import BOTS

SIZES = ((390, 844), (1366, 768), (1440, 900))


def link(data: Path) -> str:
    with opened(data, "") as store:
        return f"/host/enter/{hosts.new_link(store)}"


def come_in(host: Person) -> None:
    host.go(link(host.table.data))
    host.page.get_by_role("button", name="Open it on this browser").click()
    expect(host.page.locator("#tables")).to_be_visible()


def fits(host: Person, name: str) -> None:
    for width, height in SIZES:
        host.resize(width, height)
        assert host.page.evaluate("document.documentElement.scrollWidth") <= width, f"{name} at {width}"


@pytest.mark.parametrize("pitch", [(390, 844), (1440, 900)], ids=["phone", "desk"])
def test_a_table_is_frozen_before_everybodys_eyes_and_goes_on(
    table: Table, chromium: Browser, person: Person, pitch: tuple[int, int]
) -> None:
    person.open("dual-powers", **BOTS, variant="standard")
    person.ready()
    with someone(table, chromium, *pitch) as host:
        come_in(host)
        id = person.page.url.rpartition("/")[2].partition("?")[0]
        line = host.page.locator("#tables li", has=host.page.locator(f'input[value="{id}"]'))
        line.get_by_text("Freeze…").click()
        line.get_by_label("Everybody at the table reads why").fill("I look at something; ten minutes.")
        line.get_by_role("button", name="Freeze").click()
        expect(host.page.locator("#tables .froze", has_text="ten minutes")).to_be_visible()
        status = person.page.locator("#status")
        expect(status).to_contain_text("Frozen by the host.")  # without a look of their own
        expect(status).to_contain_text("I look at something; ten minutes.")
        expect(person.page.locator("[data-move], [data-seal]")).to_have_count(0)
        person.resize(390, 844)
        expect(status.locator(".why")).to_be_visible()
        person.resize(1440, 1000)
        check_both(person, "a frozen table", ("#status",))
        line = host.page.locator("#tables li", has=host.page.locator(f'input[value="{id}"]'))
        line.get_by_role("button", name="Let it go on").click()
        person.ready()
        expect(status).not_to_contain_text("Frozen")


def test_the_page_fits_and_can_be_read_by_everybody(table: Table, chromium: Browser, person: Person) -> None:
    person.open("revolution", **BOTS, **{"players-standard": "4"})
    with opened(table.data, "") as store:
        barring.ban(store, "203.0.113.0/24", None, "a script: tables a day exceeded")
    with someone(table, chromium, 1440, 900) as host:
        host.go(link(table.data))
        check_both(host, "before the host's page")
        come_in(host)
        for code in LANGUAGES:
            host.context.add_cookies([{"name": "lang", "value": code, "url": table.address}])
            host.go("/host")
            host.page.evaluate("document.querySelectorAll('main details').forEach((one) => { one.open = true; })")
            fits(host, f"the host's page in {code}")
            check_both(host, f"the host's page in {code}")
        host.page.locator("#kept-out li form button").click()
        expect(host.page.locator("#kept-out li")).to_have_count(0)
