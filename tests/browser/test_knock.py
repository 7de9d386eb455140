"""Sound and vibration, if wanted: one knock for each turn, also in a tab that nobody sees; none for anybody else."""

from __future__ import annotations

import pytest

from tests.browser.conftest import Person
from tests.browser.test_playing import HIDE

# Counts what would be heard and felt.
COUNTED = """
  window.heard = window.felt = 0;
  window.AudioContext = class extends AudioContext {
    createOscillator() { heard++; return super.createOscillator(); }
  };
  Object.defineProperty(navigator, "vibrate", { value: () => { felt++; return true; } });
"""
KNOCKS = "[heard, felt]"
OTHERS_TURN = "fetch(`${location.pathname}/turn?seat=1`).then((answer) => answer.json())"


def sit_down(person: Person, another: Person) -> None:
    person.open("war-of-whispers", **{"players-standard": "2", "seat-0": "me", "seat-1": "open"})
    another.go(person.page.locator("#invite-1").input_value())
    another.page.locator("button.go").last.click()
    for one in (another, person):
        one.arrive()


def let_the_other_play(another: Person) -> None:
    while another.page.evaluate(OTHERS_TURN)["yours"]:
        another.ready()
        another.decide()


@pytest.mark.parametrize("wanted", [True, False], ids=["wanted", "not wanted"])
def test_one_knock_for_each_turn(person: Person, another: Person, wanted: bool) -> None:
    person.take_clock()
    person.run_first(COUNTED)
    if wanted:
        person.go("/settings/notices")
        person.page.locator("#sound [name=sound]").click()
        person.page.locator("#sound [name=sound][value=off]").wait_for()
    sit_down(person, another)
    let_the_other_play(another)
    person.await_(lambda: person.page.locator("#status.acts").count(), "my turn")
    while person.page.locator("#status.acts").count():
        person.decide()
    person.page.evaluate("heard = felt = 0")
    let_the_other_play(another)
    person.await_(lambda: person.page.locator("#status.acts").count(), "my turn again")
    one = [2, 1] if wanted else [0, 0]  # two taps on wood, one tremble
    person.until(f"{KNOCKS}.join() === '{one[0]},{one[1]}'")
    while person.page.locator("#status.acts").count():
        person.decide()
    person.page.evaluate(HIDE, True)
    let_the_other_play(another)
    for _ in range(2):  # it is asked again and again, and knocks once
        with person.page.expect_response(lambda answer: "/turn?" in answer.url):
            person.page.clock.run_for(21_000)
    person.until("document.title.startsWith('● ')")
    assert person.page.evaluate(KNOCKS) == [2 * number for number in one], "while nobody looks"
    person.page.evaluate(HIDE, False)
    person.await_(lambda: person.page.locator("#status.acts").count(), "my turn, in sight")
    person.settle()
    assert person.page.evaluate(KNOCKS) == [2 * number for number in one], "and not again"
