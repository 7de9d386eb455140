"""For everyone: no violation on any page or board, light and dark, and nothing wider than the screen."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from axe_playwright_python.base import AXE_SCRIPT, AxeResults
from playwright.sync_api import FilePayload

import samizdat
from tests.browser.conftest import Person, table_id
from tests.browser.test_playing import BOTS, SETTINGS
from tests.conftest import DOSE

WIDTHS = (360, 820, 1440, 2560)
COLOURS = "color-contrast"  # a rule of axe
# Of a long list of lines the first ones: axe looks at each, and the later ones are made as they are.
SHORTER = """() => document.querySelectorAll("ol").forEach((list) =>
  [...list.children].slice(30).forEach((line) => line.remove()))"""
THEMES = {0: "light", 5: "dark"}  # after so many decisions a wide board is looked at


def check(person: Person, name: str, within: Sequence[str] = ("html",), only: str = "") -> None:
    """By axe, which a page gets once: these parts of it, every rule or one."""
    if not person.page.evaluate("'axe' in window"):
        person.page.evaluate(AXE_SCRIPT)
    parts = {"include": [[part] for part in within]}
    wish = {"resultTypes": ["violations"]} | ({"runOnly": [only]} if only else {})
    found = AxeResults(person.page.evaluate("([parts, wish]) => axe.run(parts, wish)", [parts, wish]))
    assert found.violations_count == 0, f"{name}: {found.generate_report()}"


def fits(person: Person, name: str) -> None:
    for width in WIDTHS:
        person.resize(width, 900)
        wide = person.page.evaluate("document.documentElement.scrollWidth")
        assert wide <= width, f"{name} is {wide} px wide on a screen of {width}"
    person.resize(1440, 1000)


def wear(person: Person, theme: str) -> None:
    person.page.evaluate(f"document.documentElement.dataset.theme = '{theme}'")


def check_both(person: Person, name: str, within: Sequence[str] = ("html",)) -> None:
    """In the light and in the dark, where only colours are others."""
    for theme in ("light", "dark"):
        wear(person, theme)
        check(person, f"{name}, {theme}", within, COLOURS if theme == "dark" else "")
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
        "fair luck": "/fair",
        "notices": "/settings/notices",
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
        if number in THEMES:
            wear(person, THEMES[number])
            only = COLOURS if THEMES[number] == "dark" else ""
            check(person, f"{name} after {number} decisions, {THEMES[number]}", only=only)
        person.decide(pick=number * 3)
    person.ready()
    fits(person, name)
    if DOSE > 1:
        check_both(person, f"{name}-wide")
    person.resize(390, 844)
    check_both(person, f"{name}-phone")


@pytest.mark.parametrize("game", ["revolution", "dual-powers", "mali-powstancy", "war-of-whispers"])
def test_finished_matches_and_their_replays(person: Person, game: str) -> None:
    """The score sheet, and the replay with everything open, of a match that was brought as a file."""
    short = {"max_rounds": 6} if game == "revolution" else {}  # by chance the town fills after dozens of rounds only
    match = samizdat.game(game, **short).match(seed=11)
    dice = random.Random(3)
    while not match.over:
        seat = dice.choice(match.turn)
        match.play(seat, dice.choice(match.legal(seat)))
    file: FilePayload = {"name": "match.json", "mimeType": "application/json", "buffer": match.dumps().encode()}
    brought = person.led("/import", multipart={"file": file})
    for name, path in (("end", brought), ("open", f"/table/{table_id(brought)}/replay?step=40&open=true")):
        person.go(path)
        fits(person, f"{game}, {name}")
        person.page.evaluate(SHORTER)
        check(person, f"{game}, {name}")
