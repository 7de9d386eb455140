"""Pointing answers in a browser: a pointer that rests, a finger that stays, and the keyboard ask the same; rules and
the legend are read beside the board, and nothing of it decides anything."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import FilePayload, Locator, expect

from samizdat.conformance.walks import walk
from samizdat.kernel.game import definition
from tests.browser.conftest import RETRIES, Person
from tests.browser.test_access import check_both
from tests.browser.test_playing import BOTS, SETTINGS, TITLES

OPEN = "!document.getElementById('about').hidden"
BESIDE = "!document.getElementById('beside').hidden"


def said(person: Person) -> str:
    return person.page.locator("#about").inner_text()


def answered(person: Person) -> None:
    """Wait until what is pointed at says something; an answer that is closed keeps its words."""
    person.await_(lambda: person.page.evaluate(OPEN) and len(said(person).split()) > 6, "it says something")


def choices(person: Person) -> str:
    """What can be decided; others may act meanwhile."""
    return person.page.locator("#choices ul").inner_html()


def accessible(person: Person) -> None:
    """What answers, in the light and in the dark; the board around it is looked at in test_access.py."""
    check_both(person, "about", [part for part in ("#about", "#beside") if person.page.locator(part).is_visible()])


def things(person: Person) -> list[Locator]:
    """One visible thing of each kind that is asked about."""
    kinds: list[str] = person.page.evaluate(
        """() => {
          const all = [...document.querySelectorAll(":is(#board, #hand, #seats) [data-about]")];
          const seen = all.filter((one) => one.checkVisibility() && one.getBoundingClientRect().width);
          return [...new Set(seen.map((one) => one.dataset.about.split(" ")[0]))];
        }"""
    )
    found = [person.page.locator(f'[data-about^="{kind} "]:visible, [data-about="{kind}"]:visible') for kind in kinds]
    return [one.first for one in found]


def point(person: Person, thing: Locator) -> None:
    """Rest with the mouse on the middle of something, coming from elsewhere."""
    person.page.mouse.move(2, 2)
    person.until("document.getElementById('about').hidden")
    thing.scroll_into_view_if_needed()
    box = thing.bounding_box()
    assert box
    person.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    print(thing.get_attribute("data-about"), box)  # read when the test fails


@pytest.mark.slow
@pytest.mark.parametrize(("game", "options"), SETTINGS)
def test_whatever_means_something_answers_a_pointer(person: Person, game: str, options: dict[str, str]) -> None:
    person.open(game, **BOTS, **options)
    for _ in range(4):
        person.ready()
        person.decide()
    person.ready()
    before = choices(person)
    asked = things(person)
    assert len(asked) > 5
    for thing in asked:
        point(person, thing)
        answered(person)
        box = person.page.locator("#about").bounding_box()
        assert box
        assert box["x"] >= 0
        assert box["y"] >= 0
        assert box["x"] + box["width"] <= 1440
        assert box["y"] + box["height"] <= 1000
    assert choices(person) == before


@pytest.mark.parametrize(("game", "options"), TITLES)
def test_rules_and_legend_are_read_beside_the_board(person: Person, game: str, options: dict[str, str]) -> None:
    person.open(game, **BOTS, **options)
    person.ready()
    address, before = person.page.url, choices(person)
    point(person, person.page.locator("#seats [data-about^='seat '], #seats [data-about^='side ']").first)
    person.until(OPEN)
    number = person.page.locator("#about cite a").first.inner_text()
    person.page.locator("#about cite a").first.click()
    person.until(BESIDE)
    cited = person.page.locator("#beside .cited")
    expect(cited).to_have_text(re.compile(rf"\s*{re.escape(number)}"))
    expect(person.page.locator("#board")).to_be_visible()
    accessible(person)
    person.page.locator("#beside footer a").nth(1).click()
    expect(cited).not_to_have_text(re.compile(rf"\s*{re.escape(number)}\b"))
    person.page.keyboard.press("Escape")
    person.page.keyboard.press("Escape")
    person.until(f"!({BESIDE}) && !({OPEN})")
    person.page.keyboard.press("l")
    person.until(BESIDE)
    expect(person.page.locator("#beside dl > div").nth(10)).to_be_attached()
    accessible(person)
    person.page.locator("#beside [data-close]").click()
    person.until(f"!({BESIDE})")
    person.page.locator(".top [data-legend-open]").first.click()
    person.until(BESIDE)
    assert (person.page.url, choices(person)) == (address, before)


@pytest.mark.parametrize(("game", "options"), TITLES)
def test_the_keyboard_asks_about_everything(person: Person, game: str, options: dict[str, str]) -> None:
    """What cannot be chosen is reached as well; the arrows go on, Escape ends it, and nothing was decided."""
    person.open(game, **BOTS, **options)
    person.ready()
    before = choices(person)
    person.page.keyboard.press("i")
    person.until(OPEN)
    answers = {said(person)}
    for way in ("ArrowDown", "ArrowRight", "ArrowDown", "ArrowRight", "ArrowDown", "ArrowLeft"):
        person.page.keyboard.press(way)
        person.until("document.activeElement.hasAttribute('data-pointed')")  # the answer about it is there
        answers.add(said(person))
        assert person.page.evaluate(
            "document.activeElement.dataset.about || document.activeElement.closest('[data-about]').dataset.about"
        )
    assert len(answers) > 3
    assert person.page.locator("#about-spoken").inner_text().strip()
    person.page.keyboard.press("r")
    person.until(BESIDE)
    person.page.keyboard.press("Escape")
    person.page.keyboard.press("Escape")
    person.until(f"!({BESIDE}) && !({OPEN})")
    assert choices(person) == before
    lent = person.page.locator("[tabindex='-1'][data-about]:not([role])")
    expect(lent).to_have_count(0)  # it is given back


AGAIN = """async () => { // the board as the server draws it now, without what this page has added
  const page = new DOMParser().parseFromString(await (await fetch(location.href)).text(), "text/html");
  return page.getElementById("board").outerHTML;
}"""


def test_what_is_asked_about_stays_so_while_others_decide(person: Person) -> None:
    """The board is drawn anew under the keyboard: nobody has to begin again."""
    person.open("dual-powers", **BOTS)
    person.ready()
    person.page.keyboard.press("i")
    person.until(OPEN)
    person.until("document.activeElement.hasAttribute('data-pointed')")
    while not person.page.evaluate("document.activeElement.matches('#board [tabindex=\"-1\"]')"):
        person.page.keyboard.press("ArrowDown")
        person.until("document.activeElement.hasAttribute('data-pointed')")
    stood = person.page.evaluate("document.activeElement.dataset.about")
    person.module("parts.js", "exchange({ board: given })", person.page.evaluate(AGAIN))
    assert person.page.evaluate("document.activeElement.dataset.about") == stood
    assert person.page.evaluate("document.activeElement.hasAttribute('data-pointed')")
    person.page.evaluate("document.activeElement.remove()")
    person.page.keyboard.press("ArrowDown")
    person.until("document.activeElement.hasAttribute('data-pointed')")


@pytest.mark.parametrize(("game", "options"), TITLES)
def test_a_finger_that_stays_asks_and_a_tap_still_decides(
    another: Person, game: str, options: dict[str, str]
) -> None:
    another.open(game, **BOTS, **options)
    another.ready()
    open = choices(another)
    hand = another.context.new_cdp_session(another.page)
    hand.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
    choice = another.page.locator(":is(#board, #hand, #seats) .legal:visible").first
    choice.scroll_into_view_if_needed()
    box = choice.bounding_box()
    assert box
    spot = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    hand.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [spot]})
    another.until(OPEN)
    hand.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    another.settle()
    assert another.page.evaluate(OPEN)
    assert choices(another) == open, "asking decided something"
    box = another.page.locator("#about").bounding_box()
    assert box
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    accessible(another)
    before = another.mark()
    choice.dispatch_event("click")  # on a map the first tap shows what a place is (test_playing.py)
    if another.mark() == before and not another.module("deciding.js", "sending()"):
        choice.dispatch_event("click")
    another.changed(before)


@pytest.mark.parametrize("game", ["revolution", "dual-powers", "mali-powstancy", "war-of-whispers"])
def test_a_replay_answers_too(person: Person, game: str) -> None:
    """The board of a step, and what each seat alone could see then."""
    short: dict[str, Any] = {"max_rounds": 3} if game == "revolution" else {}
    *_, match = walk(definition(game).choose(**short).match(seed=5), 5)
    file: FilePayload = {"name": "match.json", "mimeType": "application/json", "buffer": match.dumps().encode()}
    answer = person.page.request.post(f"{person.table.address}/import", multipart={"file": file}, max_retries=RETRIES)
    person.go(f"{answer.url.split('?')[0]}/replay?step=9&open=true")
    for part in ("#board", "#hand"):
        point(person, person.page.locator(f"{part} [data-about]:visible").first)
        answered(person)
