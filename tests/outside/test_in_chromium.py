"""The examples in a real browser, by clicks on their plain boards, on a phone and on a wide screen."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import Person, Table, serving, someone
from tests.conftest import DOSE
from tests.outside.conftest import ROOT

SIZES = [(390, 844), (1366, 768), (1440, 900)][: 2 if DOSE == 1 else 3]
TOLD = "#curtain:not([hidden]) [data-skip]"  # what happened is being told
OPEN = ".plain .legal, .status .acts [data-move]"  # places of the board, and buttons of the status line


@pytest.fixture(scope="module")
def table(beside: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    """A server that finds the packages."""
    path = os.pathsep.join((str(ROOT), str(beside)))
    with serving(tmp_path_factory.mktemp("data"), PYTHONPATH=path) as made:
        yield made


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("game", ["connect-four", "liars-dice"])
def test_a_match_by_clicks_on_one_screen(
    table: Table,
    chromium: Browser,
    game: str,
    size: tuple[int, int],
) -> None:
    with someone(table, chromium, *size, touch=size[0] < 500) as person:
        play(person, game, f"outside-{game}-{size[0]}")


def play(person: Person, game: str, name: str) -> None:
    form = {"players-standard": "2", "seat-0": "me", "seat-1": "bot-random", "house-dice": "2"}
    page = person.page
    person.go("/")
    page.locator(f"a[href='/new/{game}']").first.wait_for()
    person.open(game, **form)
    person.picture(name)
    for _ in range(30):
        person.ready()
        if person.over:
            break
        person.until("document.scrollingElement.scrollHeight <= innerHeight")  # nobody scrolls to decide
        before = person.version()
        page.locator(OPEN).last.click()
        expect(page.locator(f"#status:not([data-version='{before}']), {TOLD}").first).to_be_attached()
    page.reload()
    page.locator("#end .stamp").first.wait_for(state="attached")
    person.picture(f"{name}-end")
