"""Taking back by consent, and watching with a delay, as people see it: two who play, and one who looks on."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import Person, Table, someone
from tests.browser.test_access import check_both
from tests.browser.test_talk import SCROLLS

WIDE, NARROW = (1366, 768), (390, 844)
ASKED = "#status #asked"
LINES = "#record li"
# All of what is asked lies in the window, and its buttons can be pressed.
REACHED = """() => {
  const asked = document.querySelector("#status #asked");
  const { left, right, bottom } = asked.getBoundingClientRect();
  const inside = left >= 0 && right <= innerWidth && bottom <= innerHeight;
  return inside && [...asked.querySelectorAll("button")].every((button) => {
    const { left, right, top, bottom } = button.getBoundingClientRect();
    return button.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
  });
}"""


# A line of its own, in sight and not cut.
WHOLE = """(one) => {
  const found = document.querySelector(one), { top, bottom, left } = found.getBoundingClientRect();
  const place = document.getElementById("status").getBoundingClientRect();
  const seen = found.contains(document.elementFromPoint(left + 4, (top + bottom) / 2));
  return seen && found.scrollWidth <= found.clientWidth && bottom <= place.bottom;
}"""
# No tab sticks out of the place that they share.
TABS_FIT = """() => {
  const place = document.getElementById("tabs").closest(".rail").getBoundingClientRect();
  const end = place.width ? place.right : innerWidth;
  const tabs = [...document.querySelectorAll("#tabs button")];
  return tabs.every((tab) => tab.getBoundingClientRect().right <= end + 1);
}"""


@pytest.fixture
def desk(table: Table, chromium: Browser) -> Iterator[Person]:
    with someone(table, chromium, *WIDE) as found:
        yield found


@pytest.fixture
def onlooker(table: Table, chromium: Browser) -> Iterator[Person]:
    with someone(table, chromium, *NARROW) as found:
        yield found


def meet(one: Person, other: Person, **more: str) -> str:
    """Two people at a table at which one decides after the other; its address."""
    seats = {"variant": "standard", "players-standard": "2", "seat-0": "me", "seat-1": "open"}
    address = one.open("war-of-whispers", **seats, **more)
    other.page.request.post(f"{address}/sit", form={"seat": "1", "name": "Nadia"})
    other.go(address)
    for person in (other, one):
        person.arrive()
    return address


def acts(person: Person) -> bool:
    return person.page.locator("#status.acts").count() > 0


def turn_of(*people: Person) -> Person:
    """Whoever is to act, once the page says so."""
    found: list[Person] = []

    def somebody() -> bool:
        found[:] = [person for person in people if acts(person)]
        return len(found) > 0

    people[0].await_(somebody, "somebody is to act")
    return found[0]


def play(*people: Person) -> Person:
    """One decision; whoever made it."""
    who = turn_of(*people)
    who.ready()
    who.decide()
    return who


def until_it_may_ask(asker: Person, other: Person) -> None:
    """Play until somebody could only ask for a decision back."""
    for _ in range(60):
        play(asker, other)
        if asker.page.locator("#back [value=ask]").count():
            return
    raise AssertionError("nothing had to be asked for")


def open_leaving(person: Person) -> None:
    """By the flag in the bar, or in the menu of a phone."""
    flag = person.page.locator("header .tools > [data-dialog=leaving]")
    if not flag.is_visible():
        person.page.locator("header .menu > summary").click()
        flag = person.page.locator("header .menu [data-dialog=leaving]")
    flag.click()
    expect(person.page.locator("#leaving")).to_be_visible()


def ask(person: Person) -> None:
    open_leaving(person)
    person.page.locator("#leaving #back [value=ask]").click()
    person.arrive()


def answer(person: Person, way: str) -> None:
    person.page.locator(f"{ASKED} [value={way}]").click()
    person.arrive()
    expect(person.page.locator(ASKED)).to_have_count(0)


@pytest.mark.parametrize("width", [WIDE[0], NARROW[0]])
def test_one_asks_and_the_other_answers(desk: Person, another: Person, onlooker: Person, width: int) -> None:
    """From a desk and from a phone; one lets it stand, then one agrees. Who looks on is not asked."""
    asker, other = (desk, another) if width == WIDE[0] else (another, desk)
    onlooker.go(meet(desk, another))
    onlooker.arrive()
    until_it_may_ask(asker, other)
    ask(asker)
    expect(asker.page.locator("#status #plea")).to_have_text("You asked to take back: not answered yet.")
    assert asker.page.evaluate(WHOLE, "#status #plea")
    expect(other.page.locator(ASKED)).to_contain_text("asks to take back their last decision")
    for person in (asker, other):
        assert not person.page.evaluate(SCROLLS)
        person.picture(f"consent-asked-by-{width}-{person.page.viewport_size['width']}")
    other.until(REACHED)
    assert not onlooker.page.locator(f"{ASKED}, #plea").count()
    check_both(other, f"consent-{width}", [ASKED])
    answer(other, "refuse")
    expect(asker.page.locator("#status #plea")).to_contain_text("lets your decision stand")
    assert asker.page.evaluate(WHOLE, "#status #plea")
    asker.await_(lambda: asker.page.locator("#tabs [data-unheard]").count(), "it stands in the talk, too")
    assert asker.page.evaluate(TABS_FIT)
    asker.picture(f"consent-refused-{width}")
    open_leaving(asker)
    expect(asker.page.locator("#leaving #back")).to_contain_text(
        "You may ask again once you have decided something else."
    )
    asker.picture(f"consent-leaving-{width}")
    asker.page.keyboard.press("Escape")
    until_it_may_ask(asker, other)
    before = {person: person.page.locator(LINES).count() for person in (asker, other, onlooker)}
    ask(asker)
    other.page.locator(ASKED).wait_for()
    answer(other, "agree")
    expect(asker.page.locator("#status #plea")).to_have_count(0)
    for person, lines in before.items():
        person.await_(lambda person=person, lines=lines: person.page.locator(LINES).count() < lines, "it went back")
    assert turn_of(asker, other) is asker
    asker.picture(f"consent-agreed-{width}")
    onlooker.picture(f"consent-onlooker-{width}")


def shown(person: Person) -> tuple[int, list[str]]:
    """How many decisions a page has seen, and the numbers of the lines of its record, the oldest first."""
    return int(person.version()), person.page.locator(f"{LINES} > span:first-child").all_inner_texts()[::-1]


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["desk", "phone"])
def test_who_looks_on_is_behind_and_told_so(
    desk: Person, another: Person, onlooker: Person, size: tuple[int, int]
) -> None:
    """Five decisions: the seats are ahead of who watches by exactly these, all the time, and nothing is lost."""
    onlooker.resize(*size)
    onlooker.go(meet(desk, another, delay="five"))
    onlooker.arrive()
    notice = onlooker.page.locator("#table .notice")
    expect(notice).to_contain_text("Who watches sees everything five decisions later.")
    assert not onlooker.page.evaluate(SCROLLS)
    assert not desk.page.locator("#table .notice").count(), "whoever has a seat sees everything"
    dealt = shown(desk)[0]
    assert shown(onlooker)[0] == dealt
    for step in range(1, 7):  # an agent each: everybody sees every decision
        play(desk, another)
        desk.await_(lambda step=step: shown(desk)[0] == dealt + step, "the seats see it at once")
        behind = dealt + max(0, step - 5)
        onlooker.await_(lambda behind=behind: shown(onlooker)[0] == behind, "who looks on comes up to five behind")
        onlooker.settle()
        seen, read = shown(onlooker)
        assert seen == behind
        assert read == shown(desk)[1][: 1 + max(0, step - 5)]
    onlooker.picture(f"delay-onlooker-{size[0]}")
    check_both(onlooker, f"delay-{size[0]}", ["#table .notice"])
    onlooker.page.reload()
    onlooker.arrive()
    assert shown(onlooker)[0] == shown(desk)[0] - 5
