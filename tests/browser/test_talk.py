"""Talk in a browser: words arrive while one looks elsewhere, are marked until they were read, and the board keeps its
screen."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from samizdat.kernel.game import definitions
from tests.browser.conftest import Person
from tests.browser.test_access import check_both

SCROLLS = "document.documentElement.scrollHeight > innerHeight || document.documentElement.scrollWidth > innerWidth"
# What is needed to talk lies in the panel, whole, and can be pressed.
REACHED = """() => {
  const panel = document.getElementById("talk").getBoundingClientRect();
  return [".audience label", ".say input:not([type=hidden])", ".say .btn"].flatMap((one) =>
    [...document.querySelectorAll(`#talk ${one}`)].filter((found) => found.checkVisibility())).every((found) => {
      const { left, right, top, bottom } = found.getBoundingClientRect();
      const inside = left >= panel.left && right <= panel.right && top >= panel.top && bottom <= panel.bottom + 1;
      return inside && found.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
    });
}"""


def meet(person: Person, another: Person, game: str) -> str:
    """Two people at a table; its address."""
    found = definitions()[game]
    variant, counts = next((variant, counts) for variant, counts in found.variants.items() if counts[-1] > 1)
    seats = {"seat-0": "me", "seat-1": "open"} | {f"seat-{seat}": "bot-random" for seat in range(2, counts[-1])}
    form = {"variant": variant, f"players-{variant}": str(counts[-1]), "private": "on", **seats}
    address = person.open(game, **form)
    another.page.request.post(f"{address}/sit", form={"seat": "1", "name": "Nadia"})
    another.go(address)
    for one in (another, person):  # whose waiting room becomes a board by itself
        one.arrive()
    return address


def say(person: Person, words: str) -> None:
    field = person.page.locator("#talk .of:visible [name=words]")
    field.fill(words)
    field.press("Enter")
    expect(person.page.locator("#talk .of:visible .said li").last).to_contain_text(words)


def test_words_arrive_and_are_marked_until_they_are_read(person: Person, another: Person) -> None:
    address = meet(person, another, "revolution")
    for one in (person, another):
        one.page.keyboard.press("t")
        expect(one.page.locator("#talk .of:visible [name=words]")).to_be_focused()
    another.page.locator("#tabs [data-show=record]").click()
    say(person, "Who pays the Printer?")
    say(person, "<b>Ten</b> points")
    tab = another.page.locator("#tabs [data-show=talk]")
    expect(tab).to_have_attribute("data-unheard", "2")
    expect(another.page.locator("#heard")).to_contain_text("Ten")
    tab.click()
    expect(tab).not_to_have_attribute("data-unheard", "2")
    expect(another.page.locator("#talk .said li").last).to_contain_text("<b>Ten</b> points")
    check_both(another, "talk")
    another.page.locator("#talk .of:visible .said .more").last.click()
    another.page.locator("#line [name=stamp][value=medal]").click()
    expect(person.page.locator("#talk .put")).to_contain_text("1")
    another.page.locator("#talk .of:visible .said .more").last.click()
    another.page.locator("#line [name=act][value=mute]").click()
    expect(another.page.locator("#talk .muted")).to_have_count(2)
    say(person, "Still there?")
    expect(another.page.locator("#talk .muted")).to_have_count(3)
    another.page.locator("#talk .audience label").nth(2).click()
    say(another, "psst")
    expect(person.page.locator("#talk [data-unheard]")).to_have_count(1)
    another.go(address)
    another.arrive()
    expect(another.page.locator("#tabs [data-show=talk]")).not_to_have_attribute("data-unheard", "1")
    person.page.locator("header .tools > [data-dialog=leaving]").click()
    check_both(person, "leaving")
    assert not person.errors
    assert not another.errors


@pytest.mark.parametrize("game", definitions())
def test_the_board_keeps_its_screen_beside_the_talk(person: Person, another: Person, game: str) -> None:
    meet(person, another, game)
    for width, height in ((1366, 768), (1440, 900), (390, 844), (320, 568)):
        person.resize(width, height)
        person.page.keyboard.press("t")
        expect(person.page.locator("#talk .of:visible [name=words]")).to_be_focused()
        person.page.locator("#talk .of:visible [name=words]").blur()
        assert not person.page.evaluate(SCROLLS), (width, height)
        assert person.page.evaluate(REACHED), (width, height)
        person.picture(f"{game}-talk-{width}")
