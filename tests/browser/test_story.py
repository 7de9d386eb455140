"""What the others did is told in the status line: at a pace, step by step, with marks on the board."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import MODULE, READY, Person, Table, someone
from tests.browser.test_playing import BOTS

# Steps as the stream brings them, all at once: what somebody else did, with the places that it is about.
TOLD = f"""async (stories) => {{
  const [{{ shown }}, {{ take }}] = await Promise.all(["here.js", "telling.js"].map({MODULE}));
  const section = document.getElementById("status");
  const turn = section.dataset.turn;
  section.dataset.turn = "";
  stories.forEach((story, number) => {{
    const last = number === stories.length - 1;
    section.dataset.turn = last ? turn : "";
    shown.known = shown.version + 1 + number;
    take({{ version: shown.known, parts: {{ status: section.outerHTML }}, steps: [], story }});
  }});
  section.dataset.turn = "";
}}"""
STORIES = [
    {"html": "<p><b>Fedor</b> places an agent.</p>", "lights": ["post-bear_sheriff"]},
    {"html": "<p><b>Fedor</b> attacks.</p>", "lights": ["region-bear_1>region-bear_2", "region-bear_2"]},
    {"html": "<p><b>Ada</b> passes.</p>", "lights": []},
]
LANE = "#lane:not([hidden])"


@pytest.fixture
def slow(table: Table, chromium: Browser) -> Iterator[Person]:
    """Somebody who reads slowly, at a table of A War of Whispers; the clock stands unless a test moves it."""
    with someone(table, chromium, 1366, 768, pace="slow") as person:
        person.open("war-of-whispers", **BOTS, **{"players-standard": "2"})

        def is_told() -> bool:
            person.page.keyboard.press("Escape")
            return bool(person.page.evaluate(READY)) and not person.page.locator(LANE).count()

        person.await_(is_told)
        person.module("stream.js", "leave()")  # only what the test tells is told
        stop_clock(person)
        yield person


def stop_clock(person: Person) -> None:
    """An installed clock goes on by itself; it stands from a moment on that is named."""
    person.take_clock()
    person.page.clock.pause_at(time.time() + 3_600)


def told(person: Person, sentence: str) -> None:
    expect(person.page.locator("#lane .line")).to_have_text(sentence)


def tell(person: Person, stories: list[dict[str, Any]] = STORIES) -> None:
    person.page.evaluate(TOLD, stories)
    person.page.wait_for_selector(LANE)


def test_each_step_is_a_sentence_and_a_mark_at_the_chosen_pace(slow: Person) -> None:
    tell(slow)
    told(slow, "Fedor places an agent.")
    expect(slow.page.locator(".lights .ring")).to_have_count(1)
    expect(slow.page.locator("#lane .beats .now")).to_have_count(1)
    expect(slow.page.locator("#main[inert]")).to_have_count(1)  # nothing can be pressed that would only be refused
    slow.page.clock.run_for(2_000)
    told(slow, "Fedor places an agent.")
    slow.page.clock.run_for(500)
    told(slow, "Fedor attacks.")
    expect(slow.page.locator(".lights svg")).to_have_count(1)  # an arrow from one region to the other
    slow.page.locator("#lane [data-pace=fast]").click()
    slow.page.mouse.move(5, 760)
    slow.until("!document.getElementById('lane').matches(':hover')")  # while one points at it, it waits
    slow.page.clock.run_for(500)
    told(slow, "Ada passes.")
    slow.page.clock.run_for(500)
    slow.page.wait_for_selector("#lane", state="hidden")
    slow.page.wait_for_selector("#status.acts")
    expect(slow.page.locator(".lights > *")).to_have_count(0)
    expect(slow.page.locator("#main[inert]")).to_have_count(0)
    cookies = {cookie["name"]: cookie["value"] for cookie in slow.context.cookies()}
    assert cookies["pace"] == "fast"
    slow.page.reload()
    assert slow.page.locator("#table").get_attribute("data-pace") == "fast", "it is remembered"


def test_at_once_tells_nothing(slow: Person) -> None:
    slow.page.evaluate("document.getElementById('table').dataset.pace = 'once'")
    slow.page.evaluate(TOLD, STORIES)
    slow.page.wait_for_selector("#status.acts")
    assert not slow.page.locator(LANE).count()


def test_who_is_choosing_is_not_interrupted(slow: Person) -> None:
    """Others choose at the same time; that they have is in the record."""
    script = TOLD.replace('section.dataset.turn = "";', "").replace('last ? turn : ""', "turn")
    slow.page.evaluate(script, STORIES)
    version = slow.module("here.js", "shown.known")
    slow.await_(lambda: slow.module("here.js", "shown.version") == version)
    assert not slow.page.locator(LANE).count()
    assert not slow.page.locator("#main[inert]").count()


def test_one_can_step_through_it(slow: Person) -> None:
    tell(slow)
    back, on = slow.page.locator("#lane [data-tell=back]"), slow.page.locator("#lane [data-tell=on]")
    on.click()
    told(slow, "Fedor attacks.")
    back.click()
    told(slow, "Fedor places an agent.")
    slow.page.clock.run_for(10_000)
    told(slow, "Fedor places an agent.")  # whoever steps by hand is not hurried
    on.click()
    told(slow, "Fedor attacks.")
    on.click()
    told(slow, "Ada passes.")
    on.click()
    slow.page.wait_for_selector("#lane", state="hidden")


def test_it_waits_while_one_points_at_it_and_escape_ends_it(slow: Person) -> None:
    slow.page.mouse.move(300, 70)
    tell(slow)
    slow.await_(lambda: slow.page.mouse.move(301, 70) or slow.page.locator("#lane:hover").count())
    slow.page.clock.run_for(10_000)
    told(slow, "Fedor places an agent.")
    slow.page.keyboard.press("Escape")
    slow.page.wait_for_selector("#lane", state="hidden")
    slow.page.wait_for_selector("#status.acts")


def test_a_key_goes_on(slow: Person) -> None:
    tell(slow)
    slow.page.keyboard.press("ArrowRight")
    told(slow, "Fedor attacks.")


def test_ones_own_decision_is_not_told_back(table: Table, chromium: Browser) -> None:
    with someone(table, chromium, 1366, 768, pace="slow") as person:
        person.open("war-of-whispers", **{"players-standard": "2", "seat-0": "me", "seat-1": "open"})
        with someone(table, chromium, 1366, 768) as another:
            another.go(person.page.locator("#invite-1").input_value())
            another.page.locator("button.go").last.click()
            for one in (person, another):
                one.arrive()
            first, second = (person, another) if person.page.locator("#status.acts").count() else (another, person)
            version = second.version()
            first.decide()
            second.until("(old) => document.getElementById('status').dataset.version !== old", version)
            person.settle()
        words = person.page.locator("#lane .line").inner_text().strip()
        assert "You" not in words
        assert (first is person) == (words == ""), "only what the other did is told"


def test_lines_of_the_record_light_up_their_places(slow: Person) -> None:
    line = slow.page.locator("#record [data-lights*=post-]").first
    slow.page.evaluate("""() => {
      const line = document.querySelector("#record [data-lights]");
      line.dataset.lights = "post-bear_sheriff";
    }""")
    line.hover()
    ring = slow.page.locator(".lights .ring")
    expect(ring).to_have_count(1)
    box, place = ring.bounding_box(), slow.page.locator("#post-bear_sheriff").bounding_box()
    assert box
    assert place
    assert box["x"] <= place["x"]
    assert box["x"] + box["width"] >= place["x"] + place["width"]
    slow.page.mouse.move(5, 5)
    expect(ring).to_have_count(0)
    line.locator("a").focus()
    expect(ring).to_have_count(1)  # and when they have the focus


FOLDED = """() => {
  const list = document.querySelector("#record ol");
  const line = '<div data-lights="">Nobody controls it.</div>';
  const older = `<details><summary>×3</summary>${line}${line}</details>`;
  list.innerHTML = `<li><span>1.1</span><div class="run">${line}${older}</div></li>`;
  return document.getElementById("record").outerHTML;
}"""


def test_a_run_of_equal_lines_is_unfolded_by_a_click_and_stays_so(slow: Person) -> None:
    record = slow.page.evaluate(FOLDED)
    lines = slow.page.locator("#record [data-lights]:visible")
    expect(lines).to_have_count(1)
    slow.page.locator("#record summary").click()
    expect(lines).to_have_count(3)
    slow.module("showing.js", "morph({ record: given })", record)
    assert lines.count() == 3, "what somebody unfolded is not folded under their eyes"


@pytest.mark.parametrize("size", [(390, 844), (360, 740)])
def test_on_a_phone_the_lane_fits_its_place(table: Table, chromium: Browser, size: tuple[int, int]) -> None:
    with someone(table, chromium, *size) as person:
        person.open("war-of-whispers", **BOTS, **{"players-standard": "2"})
        person.ready()
        person.module("stream.js", "leave()")
        person.page.evaluate("document.getElementById('table').dataset.pace = 'slow'")
        stop_clock(person)
        tell(person)
        status, lane = person.page.locator("#status").bounding_box(), person.page.locator("#lane").bounding_box()
        assert status
        assert lane
        assert lane["height"] <= status["height"] + 1
        assert person.page.evaluate("document.documentElement.scrollWidth") <= size[0]
        for button in person.page.locator("#lane button:visible").all():
            box = button.bounding_box()
            assert box
            assert min(box["width"], box["height"]) >= 44
        shown = person.page.locator("#lane [data-pace]:visible")
        expect(shown).to_have_count(1)
        shown.click()
        expect(shown).to_have_attribute("data-pace", "normal")
