"""Your box in the browser: a value is typed, checked at once and kept; a table opened with it names it."""

from __future__ import annotations

from playwright.sync_api import Browser, expect

from tests.browser.conftest import Table, someone
from tests.browser.test_access import check_both


def test_typing_a_copy_in_and_playing_with_it(table: Table, chromium: Browser) -> None:
    with someone(table, chromium, 1366, 900) as person:
        page = person.page
        person.go("/box/dual-powers?table=commands")
        days = page.locator("#c-4-days")
        days.fill("35")
        days.press("Tab")
        expect(page.locator("#said-4")).to_contain_text("Red 5a, Days: must be a whole number from 1 to 31, not 35")
        expect(days).to_have_attribute("aria-invalid", "true")
        expect(page.locator("#mine")).to_contain_text("1 of 454")
        check_both(person, "a wrong value")
        days.press("=")
        expect(page.locator("#said-4")).to_have_count(0)
        expect(days).to_have_value("5")
        days.fill("6")
        days.press("Enter")
        expect(page.locator("#c-4-recruit")).to_be_focused()
        page.locator("#c-4-recruit").press("Enter")
        expect(page.locator("#mine")).to_contain_text("2 of 454")
        page.locator("button[name=copy][value='5']").click()
        expect(page.locator("#mine")).to_contain_text("7 of 454")
        page.locator("#play").click()
        page.get_by_role("button", name="Open the table").click()
        expect(page.locator(".notice.box")).to_contain_text("Played with the box “My copy”")
        page.locator(".notice.box a").click()
        expect(page.get_by_role("heading", level=1)).to_contain_text("Dual Powers")
        check_both(person, "the box of a table")


def test_on_a_phone_and_without_a_script(table: Table, chromium: Browser) -> None:
    with someone(table, chromium, 390, 844) as person:
        for path in ("/boxes", "/box/mali-powstancy?table=locations", "/box/war-of-whispers?table=borders"):
            person.go(path)
            assert person.page.evaluate("document.documentElement.scrollWidth") <= 390, path
            check_both(person, path)
    plain = chromium.new_context(java_script_enabled=False, accept_downloads=True)
    page = plain.new_page()
    page.goto(f"{table.address}/box/revolution?table=areas")
    page.locator("#c-6-spaces").fill("5")
    page.get_by_role("button", name="Check and keep").click()
    expect(page.locator("#mine")).to_contain_text("1 of 124")
    with page.expect_download() as taken:
        page.get_by_role("link", name="Download").click()
    file = taken.value.path()
    page.locator("#file").set_input_files(file)
    page.get_by_role("button", name="Upload").click()
    expect(page.locator("#mine")).to_contain_text("1 of 124")
    plain.close()
