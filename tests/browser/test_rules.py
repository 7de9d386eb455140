"""Reading the rules: what is folded opens for whoever is sent there, seeks it or prints it; the contents stay."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import ViewportSize, expect

from samizdat.kernel.game import definitions
from samizdat.table.language import LANGUAGES
from tests.browser.conftest import Person
from tests.browser.test_access import check, fits
from tests.browser.test_lobby import speak

PHONE: ViewportSize = {"width": 390, "height": 844}


def test_a_ruling_opens_for_whoever_is_sent_to_it(person: Person) -> None:
    person.go("/rules/mali-powstancy")
    ruling = person.page.locator("#A31")
    expect(ruling).to_be_hidden()
    person.page.locator(".index a[href='#A31']").click()
    expect(ruling).to_be_visible()
    expect(ruling).to_be_in_viewport()
    expect(person.page.locator("#A1")).to_be_hidden()
    person.go("/rules/revolution#A-7")
    expect(person.page.locator("#A-7")).to_be_in_viewport()


def test_seeking_counts_walks_and_opens_folds(person: Person) -> None:
    person.go("/rules/mali-powstancy")
    page = person.page
    seek, sought = page.locator("#seek"), page.locator("#sought")
    seek.fill("A55")  # the ruling itself comes first, then where it is named
    expect(sought).to_have_text("1 / 3")
    expect(page.locator("#A55")).to_be_in_viewport()
    seek.press("Enter")
    expect(sought).to_have_text("2 / 3")
    seek.press("Shift+Enter")
    expect(sought).to_have_text("1 / 3")
    marked = page.evaluate("[...CSS.highlights].map(([name, ranges]) => [name, ranges.size])")
    assert sorted(marked) == [["sought", 2], ["sought-here", 1]]
    seek.fill("no such words")
    expect(sought).to_have_text("Nothing found.")
    expect(page.locator("#A55")).to_be_hidden()
    page.goto(person.table.address + "/rules/revolution")
    page.locator("#seek").fill("a5")  # A-5, which nobody types with its stroke
    expect(page.locator("#A-5")).to_be_in_viewport()


def test_on_a_phone_the_title_comes_first_and_the_contents_are_a_button(person: Person) -> None:
    person.page.set_viewport_size(PHONE)
    person.go("/rules/war-of-whispers")
    expect(person.page.locator("h1")).to_be_in_viewport()
    contents = person.page.locator(".contents summary")
    part = person.page.locator(".contents a", has_text="R10 Attack")
    expect(part).to_be_hidden()
    contents.click()
    part.click()
    expect(part).to_be_hidden()
    expect(person.page.locator("h2", has_text="R10 Attack")).to_be_in_viewport()
    expect(contents).to_be_in_viewport()  # it stays


def test_contents_stay_on_a_desk(person: Person) -> None:
    person.go("/rules/dual-powers#D8.5")
    expect(person.page.locator("#D8\\.5")).to_be_in_viewport()
    expect(person.page.locator(".contents summary")).to_be_in_viewport()
    expect(person.page.locator(".contents [aria-current]")).to_contain_text("D8")


def test_paper_has_everything_open_and_no_frame(person: Person) -> None:
    person.go("/rules/revolution")
    page = person.page
    expect(page.locator("#A-7")).to_be_hidden()
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    page.emulate_media(media="print")
    expect(page.locator("#A-7")).to_be_visible()
    for frame in (".top", ".contents", ".ways", ".foot"):
        expect(page.locator(frame)).to_be_hidden()
    assert page.evaluate("getComputedStyle(document.querySelector('h1')).color") == "rgb(28, 27, 32)"  # dark ink
    page.emulate_media(media="screen")
    opened = page.evaluate(
        """() => { const open = () => document.querySelectorAll("#text details:not([open])").length;
        const before = open(); dispatchEvent(new Event("beforeprint")); const during = open();
        dispatchEvent(new Event("afterprint")); return [before > 0, during, open() === before]; }"""
    )
    assert opened == [True, 0, True]


# War of Whispers is looked at with all other pages, in both lights.
@pytest.mark.parametrize(
    ("name", "theme"), [("revolution", "dark"), ("dual-powers", "light"), ("mali-powstancy", "dark")]
)
def test_a_rulebook_is_for_everyone(person: Person, name: str, theme: str) -> None:
    person.go(f"/rules/{name}")
    person.page.evaluate(f"document.documentElement.dataset.theme = '{theme}'")
    check(person, f"the rules of {name}, {theme}")
    fits(person, f"the rules of {name}")


OVERFLOWING = """() => [...document.querySelectorAll("svg.flow")].flatMap((flow) => {
  const boxes = [...flow.querySelectorAll("rect")].map((one) => one.getBBox());
  const edge = flow.viewBox.baseVal.width;
  return [...flow.querySelectorAll("text")].filter((text) => {
    const { x, y, width } = text.getBBox();
    const own = boxes.find((box) => x >= box.x && x < box.x + box.width && y >= box.y && y < box.y + box.height);
    return x + width > (own ? own.x + own.width - 4 : edge);
  }).map((text) => text.textContent);
})"""


def test_the_course_of_a_game_is_typed_and_stays_within_its_boxes(person: Person) -> None:
    """Its lines are broken where letters of that width would end. Each game in another language."""
    for name, code in zip(definitions(), LANGUAGES, strict=True):
        speak(person, code)
        person.go(f"/rules/{name}")
        expect(person.page.locator("html")).to_have_attribute("lang", code)
        assert person.page.evaluate(OVERFLOWING) == [], (name, code)
    written = person.page.locator("svg.flow text").first
    expect(written).to_have_css("font-family", re.compile("IBM Plex Mono"))
