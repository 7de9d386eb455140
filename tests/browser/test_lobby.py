"""The lobby: whatever one can begin with is in sight at once, and nobody needs a script for it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from samizdat.kernel.game import definitions
from tests.browser.conftest import Person, Table, someone

LANGUAGES = ("en", "it", "de", "pl")
WIDE = ((1366, 768), (1440, 900), (1920, 1080))
BEGINNINGS = (  # everything to begin or to go on with, by what the page shows of it
    ".po button", ".po .pb a", ".po .cap", ".linked > summary", ".turns .tcs > li > a", ".turns .more > summary",
    ".start button",
)  # fmt: skip
IN_SIGHT = """selectors => selectors.flatMap(selector => [...document.querySelectorAll(selector)])
  .filter(found => found.checkVisibility())
  .map(found => [found.innerText || found.className, found.getBoundingClientRect()])
  .map(([name, box]) => ({name, top: box.top, bottom: box.bottom, right: box.right}))"""


def speak(person: Person, code: str) -> None:
    person.context.add_cookies([{"name": "lang", "value": code, "url": person.table.address}])
    person.go("/")
    person.page.evaluate("document.fonts.ready")


def open_tables(person: Person, number: int) -> None:
    for _ in range(number):
        person.led("/new/revolution")  # everybody bids at once: it waits for this person from the beginning


def check_fold(person: Person, tables: int) -> None:
    """Everything to begin with lies within the first screen, in every language, at every size."""
    for code in LANGUAGES:
        speak(person, code)
        assert len(person.page.locator(".po button").all()) == 2 * len(definitions()), "a guide, and bots at once"
        assert len(person.page.locator(".turns > .tcs > li").all()) == min(tables, 3)
        for width, height in WIDE:
            person.resize(width, height)
            for thing in person.page.evaluate(IN_SIGHT, BEGINNINGS):
                where = f"{width}×{height}, {code}, {tables} tables: {thing}"
                assert thing["top"] >= 0, where
                assert thing["bottom"] <= height, where
                assert thing["right"] <= width, where


def test_all_ways_to_play_are_above_the_fold(person: Person) -> None:
    person.go("/")
    assert person.page.locator(".start button").is_visible()
    check_fold(person, tables=0)
    open_tables(person, 3)
    check_fold(person, tables=3)
    open_tables(person, 2)
    check_fold(person, tables=5)
    speak(person, "en")
    for width, height in WIDE:
        person.resize(width, height)
        person.picture(f"lobby-{width}")


@pytest.mark.parametrize("width", [320, 820])
def test_there_is_room_for_everything_that_opens(table: Table, chromium: Browser, width: int) -> None:
    with someone(table, chromium, width, 700) as person:
        open_tables(person, 5)
        for code in LANGUAGES:
            speak(person, code)
            for found in reversed(person.page.locator("main summary").all()):  # the first opens a sheet over others
                found.click()
            assert person.page.evaluate("document.documentElement.scrollWidth") <= width, code
        person.picture(f"lobby-{width}")


def test_what_went_wrong_with_a_file_is_above_the_fold(table: Table, chromium: Browser) -> None:
    with someone(table, chromium, 1366, 768) as person:
        person.go("/")
        person.page.locator(".linked > summary").click()
        file = {"name": "match.json", "mimeType": "application/json", "buffer": b"{}"}
        person.page.locator("#file").set_input_files(file)  # type: ignore[arg-type]
        person.page.locator(".linked form[action='/import'] button").click()
        wrong = person.page.locator("#wrong-file")
        wrong.wait_for()
        box = wrong.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= 768
        person.errors.clear()  # the browser reports the refusal (422) as an error


def test_the_lobby_works_by_keyboard_and_without_a_script(table: Table, chromium: Browser) -> None:
    context = chromium.new_context(viewport={"width": 1366, "height": 768}, java_script_enabled=False, locale="en-GB")
    page = context.new_page()
    page.goto(table.address)
    page.locator(".linked > summary").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.type("nothing of the kind")
    page.keyboard.press("Enter")
    page.get_by_text("No table or seat has this link").wait_for()
    assert page.locator("#link").input_value() == "nothing of the kind"
    page.get_by_role("button", name="Play Revolution! against bots now").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/table/*still=true")  # the page for those without a script: it leads there by itself
    page.goto(table.address)
    page.get_by_role("link", name="Continue: Revolution!").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/table/*still=true")  # the page for those without a script: it leads there by itself
    context.close()


# A device with a way of its own to share, which keeps what it was given.
SHARES = """
  window.shared = [];
  Object.defineProperty(navigator, "share", { value: async (what) => { shared.push(what); } });
"""


@pytest.mark.parametrize("shares", [True, False], ids=["shares", "copies"])
def test_an_invitation_is_passed_on_by_a_button(another: Person, shares: bool) -> None:
    """By the device's own way where it has one; else the link is copied. Either way it is the link of that seat."""
    another.run_first(SHARES if shares else "Object.defineProperty(navigator, 'share', { value: undefined });")
    another.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=another.table.address)
    another.open("dual-powers", **{"seat-0": "me", "seat-1": "open"})
    link = another.page.locator("#invite-1").input_value()
    share = another.page.locator(f"[data-share-link='{link}']")
    assert share.is_visible() == shares
    if shares:
        share.click()
        another.until("shared.length === 1")
        [given] = another.page.evaluate("shared")
        assert given["url"] == link
        assert "Ludmila" in given["title"]
    else:
        another.page.locator(f"[data-copy='{link}']").first.click()
        another.until("(link) => navigator.clipboard.readText().then((text) => text === link)", link)
