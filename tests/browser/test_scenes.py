"""Scenes in the browser: one is solved, one is missed, one is played on from; on a phone and on a desk."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Person

SIZES = {"phone": (390, 844), "desk": (1440, 900)}


@pytest.mark.parametrize("size", SIZES)
def test_a_scene_is_missed_shown_solved_and_played_on(person: Person, size: str) -> None:
    page, address = person.page, person.table.address
    page.set_viewport_size(dict(zip(("width", "height"), SIZES[size], strict=True)))
    person.context.add_cookies(
        [
            {"name": name, "value": value, "url": address}
            for name, value in (("lang", "en"), ("pace", "once"), ("revelations", "off"))
        ]
    )
    person.go(f"{address}/scenes/revolution")
    page.locator("#t06_spy a").click()
    slip = page.locator(".coach")
    expect(slip).to_contain_text("What would you do?")
    page.locator('#status [data-move="pass"]').click()
    expect(slip).to_contain_text("the example shows something else")
    page.locator('[data-do="again"]').click()
    expect(slip).to_contain_text("What would you do?")
    page.locator('[data-do="show"]').click()
    expect(slip).to_contain_text("Replace Blue in the Cathedral")
    expect(page.locator(".marks .frame")).not_to_have_count(0)
    page.locator('[data-do="again"]').click()
    expect(page.locator(".marks .frame")).to_have_count(0)
    page.locator('[data-show="choices"]').click()
    page.locator('#choices [data-move="take cathedral blue"]').click()
    expect(slip).to_contain_text("That is it.")
    box = slip.bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= SIZES[size][0]
    page.locator(".coach form button").click()
    expect(page.locator(".notice")).to_contain_text("not verifiable, unrated")
    person.go(f"{address}/scenes/revolution")
    expect(page.locator("#t06_spy.done")).to_be_visible()
