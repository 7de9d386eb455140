"""First games in the browser: slips beside real pieces, turned by hand and by what is done, put away and resumed."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from samizdat.kernel.game import definitions
from samizdat.table.guides import tours_of
from tests.browser.conftest import Person

SIZES = {"phone": (390, 844), "desk": (1366, 768)}
CASES = [
    (name, tour, code)
    for (name, tour), code in zip(
        [(name, tour) for name in definitions() for tour in tours_of(name)],
        ["de", "it", "pl", "en"] * 4,
        strict=False,
    )
]
LAID_OUT = """() => {
  const slip = document.querySelector(".coach").getBoundingClientRect();
  return {
    inside: slip.left >= 0 && slip.top >= 0 && slip.right <= innerWidth && slip.bottom <= innerHeight,
    rings: document.querySelectorAll(".pencil .pen").length,
    scrolls: document.scrollingElement.scrollHeight > innerHeight,
    title: document.getElementById("coach-title").textContent,
  };
}"""


def learn(person: Person, name: str, tour: str, code: str = "en") -> None:
    person.context.add_cookies(
        [
            {"name": "lang", "value": code, "url": person.table.address},
            {"name": "pace", "value": "once", "url": person.table.address},
            {"name": "revelations", "value": "off", "url": person.table.address},
        ]
    )
    person.go(person.led(f"/learn/{name}?tour={tour}"))
    person.page.wait_for_selector(".coach")


def shown(person: Person) -> dict[str, Any]:
    found: dict[str, Any] = person.page.evaluate(LAID_OUT)
    return found


@pytest.mark.parametrize(("name", "tour", "code"), CASES, ids=["-".join(case) for case in CASES])
def test_a_tour_can_be_read_to_its_end(person: Person, name: str, tour: str, code: str) -> None:
    """On a desk and on a phone: whoever turns one into the other in the middle finds the slip where it belongs."""
    learn(person, name, tour, code)
    page = person.page
    titles, ringed = [], dict.fromkeys(SIZES, 0)
    for number in range(len(tours_of(name)[tour].steps)):
        for size, (width, height) in SIZES.items():
            person.resize(width, height)
            page.wait_for_selector(f'.coach[data-step="{number}"]')
            person.until(f"() => ({LAID_OUT})().inside")
            now = shown(person)
            assert not now["scrolls"], f"step {number}, {size}"
            ringed[size] += now["rings"] > 0
        titles.append(now["title"])
        page.locator(".coach [data-turn]").last.click()
    assert len(set(titles)) == len(titles)
    assert min(ringed.values()) >= len(titles) // 2, "most steps point at something that is there"
    page.wait_for_selector(".coach-tab")
    expect(page.locator(".coach")).to_have_count(0)  # after the last one the guide is silent
    page.locator(".coach-tab").click()
    page.wait_for_selector(".coach")


def test_what_the_player_does_turns_the_slips(person: Person) -> None:
    """Off the path, too: whoever lays tokens without reading gets the slip that fits; the others by going back."""
    learn(person, "revolution", "first")
    page = person.page
    page.locator("#arm-gold").click()
    page.locator("#ch-printer .ch").click(position={"x": 20, "y": 20})
    page.wait_for_selector('.coach[data-step="3"]')
    expect(page.locator(".coach .ok")).to_contain_text("Printer")
    page.locator(".coach [data-turn]").first.click()
    page.wait_for_selector('.coach[data-step="2"]')
    page.reload()
    page.wait_for_selector('.coach[data-step="2"]')  # kept with the table
    page.locator(".coach [data-fold]").click()
    page.wait_for_selector(".coach-tab")
    page.locator("#arm-gold").click()
    page.locator("#ch-priest .ch").click(position={"x": 20, "y": 20})
    page.wait_for_selector("#laid-priest-gold")
    assert page.locator(".coach").count() == 0, "put away, it says nothing"


def test_at_the_end_of_the_match_the_guide_leaves_the_score_sheet_alone(person: Person) -> None:
    learn(person, "revolution", "first")
    ended = "document.getElementById('status').outerHTML.replace(' id=', ' data-over id=').replace('</p>', '.</p>')"
    person.module("parts.js", "exchange({ status: given })", person.page.evaluate(ended))
    expect(person.page.locator("#guide *")).to_have_count(0)
    expect(person.page.locator(".pencil *")).to_have_count(0)
