"""For everyone: no violation on any page or board, light and dark, and nothing wider than the screen."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.browser.conftest import Person
from tests.browser.test_playing import BOTS, SETTINGS

WIDTHS = (360, 820, 1440, 2560)


def check(person: Person, name: str) -> None:
    found = Axe().run(person.page)
    assert found.violations_count == 0, f"{name}: {found.generate_report()}"


def fits(person: Person, name: str) -> None:
    for width in WIDTHS:
        person.page.set_viewport_size({"width": width, "height": 900})
        wide = person.page.evaluate("document.documentElement.scrollWidth")
        assert wide <= width, f"{name} is {wide} px wide on a screen of {width}"
    person.page.set_viewport_size({"width": 1440, "height": 1000})


def check_both(person: Person, name: str) -> None:
    """In the light and in the dark."""
    for theme in ("light", "dark"):
        person.page.evaluate(f"document.documentElement.dataset.theme = '{theme}'")
        check(person, f"{name}, {theme}")
        person.picture(f"{name}-{theme}")


@pytest.mark.slow
def test_pages(person: Person) -> None:
    person.open("dual-powers", **{"seat-0": "me", "seat-1": "open"})
    paths = {
        "waiting": person.page.url,
        "lobby": "/",
        "new": "/new/mali-powstancy",
        "rules": "/rules/war-of-whispers",
        "index": "/rules",
        "missing": "/nowhere",
    }
    for name, path in paths.items():
        person.go(path)
        check_both(person, name)
        fits(person, name)
    person.errors.clear()  # the browser reports the missing page as an error


@pytest.mark.slow
@pytest.mark.parametrize(("game", "options"), SETTINGS)
def test_boards(person: Person, request: pytest.FixtureRequest, game: str, options: dict[str, str]) -> None:
    person.open(game, **BOTS, **options)
    name = request.node.callspec.id
    for number in range(14):
        person.ready()
        if person.over:
            break
        if number in (0, 5):
            check(person, f"{name} after {number} decisions")
        person.decide(pick=number * 3)
    person.ready()
    fits(person, name)
    check_both(person, f"{name}-wide")
    person.page.set_viewport_size({"width": 390, "height": 844})
    check_both(person, f"{name}-phone")
