"""With the examples installed beside ours; run by test_installed.py."""

from __future__ import annotations

import html
import random
import re
from typing import Any

import pytest

import samizdat
from samizdat.kernel.game import definitions
from samizdat.table import bots as table_bots
from samizdat.table import hints
from samizdat.table.language import LANGUAGES
from samizdat.table.tables import LiveTable
from samizdat.table.turns import Job
from tests.table.conftest import Browser, Site, site  # noqa: F401

TITLES = {"connect-four": "Connect Four", "liars-dice": "Liar's Dice"}
EACH = pytest.mark.parametrize("name", TITLES)


@pytest.fixture
def here(site: Site, monkeypatch: pytest.MonkeyPatch) -> Site:  # noqa: F811
    """Bots think in this process, at once and a little; no answer waits for its moment, as in test_pacing.py."""

    async def run(work: Any, request: dict[str, Any], job: Job) -> Any:
        return work(request | {"place": 0, "seconds": 0.05})

    async def released(moment: float) -> None:
        pass

    bots = site.app.state.bots
    monkeypatch.setattr(bots, "_until", released)
    monkeypatch.setattr("samizdat.table.bots.share_of", lambda request: 1.0)
    monkeypatch.setattr(bots, "run", run)
    monkeypatch.setattr(bots, "run_aside", run)
    monkeypatch.setattr(bots, "is_warm", lambda name: True)
    monkeypatch.setattr(hints, "HINT", {"seconds": None, "simulations": 60})
    monkeypatch.setattr(hints, "REVIEW", {"seconds_per_decision": None, "simulations": 3})
    monkeypatch.setattr(hints, "PATIENCE", 600)
    return site


@pytest.mark.parametrize("code", LANGUAGES)
def test_on_the_shelf_in_every_language(here: Site, code: str) -> None:
    browser = here.browser(accept="text/html", cookie=f"lang={code}")
    pages = {path: browser.get(path) for path in ("/", "/rules", *(f"/rules/{name}" for name in definitions()))}
    assert {page.status_code for page in pages.values()} == {200}
    for name, title in TITLES.items():
        assert title in html.unescape(pages["/"].text)
        assert title in html.unescape(pages["/rules"].text)
        assert f'action="/new/{name}"' in pages["/"].text
        form = html.unescape(browser.get(f"/new/{name}").text)
        assert title in form
        assert 'value="bot-honest"' in form
        assert browser.get(f"/boards/{name}/board.css").status_code == 200
        for path in ("rules.py", "../rules.py", "pyproject.toml", "board.html.jinja"):
            assert browser.get(f"/boards/{name}/{path}").status_code == 404


def opened(browser: Browser, site: Site, name: str, level: str) -> LiveTable:  # noqa: F811
    seats = {f"seat-{seat}": "me" if seat == 0 else f"bot-{level}" for seat in range(4)}
    answer = browser.post(f"/new/{name}", data={"players-standard": "2", **seats})
    assert answer.status_code == 303, answer.text
    return site.run(site.house.find(answer.headers["location"].rpartition("/")[2]))


def version(page: str) -> int:
    return int(re.findall(r'id="status" data-version="(\d+)"', page)[0])


@EACH
@pytest.mark.parametrize("level", ["random", "novice", "regular", "honest"])
def test_a_match_against_a_bot_from_the_first_page_to_the_score_sheet(here: Site, name: str, level: str) -> None:
    browser, dice = here.browser(accept="text/html"), random.Random(4)
    table = opened(browser, here, name, level)
    path = f"/table/{table.id}"
    while table.match is not None and not table.match.over:
        if 0 in table.match.turn:
            page = browser.get(path).text
            offered = [html.unescape(one) for one in re.findall(r'<li><button data-move="([^"]+)"', page)]
            assert offered == [str(move) for move in table.match.legal(0)]
            wish = {"seat": 0, "version": version(page), "move": dice.choice(offered)}
            assert browser.post(f"{path}/move", json=wish).status_code == 200
        else:
            here.run(here.app.state.bots._act(table, 1))
    page = html.unescape(browser.get(path).text)
    assert "Score sheet" in page
    assert browser.get(f"{path}/replay?open=true").status_code == 200
    assert samizdat.verify(browser.get(f"{path}/file").text).good


@EACH
def test_hints_and_a_look_back(here: Site, name: str) -> None:
    browser = here.browser(accept="text/html")
    table = opened(browser, here, name, "random")
    answer = browser.post(f"/table/{table.id}/hint", json={"seat": 0})
    assert answer.status_code == 200, answer.text
    found = answer.json()["hints"]
    assert 1 <= len(found) <= 3
    assert all(one["why"] and one["labels"] for one in found)
    here.wander(table, 200)
    assert table.match is not None
    assert table.match.over
    review = browser.get(f"/table/{table.id}/review?seat=0")
    assert review.status_code == 200
    assert "html" in review.json()


def test_a_bot_that_cheats_falls_over_or_never_answers_does_not_end_a_match(
    here: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    from honest import Honest

    def lies(self: Honest, sight: Any) -> str:
        raise RuntimeError("a secret of the seat")

    def sleeps(self: Honest, sight: Any) -> str:
        while True:
            pass

    monkeypatch.setattr(table_bots, "GUESTS_MAY_TAKE", 0.05)
    for choose in (lambda self, sight: "bid 99 9", lies, sleeps):
        monkeypatch.setattr(Honest, "choose", choose)
        table = opened(here.browser(accept="text/html"), here, "liars-dice", "honest")
        assert table.match is not None
        here.wander(table, 1)
        here.run(here.app.state.bots._act(table, 1))
        assert table.match.plies == 2


def test_illegal_moves_are_refused_with_a_rule(here: Site) -> None:
    browser = here.browser(accept="application/json")
    table = opened(browser, here, "liars-dice", "random")
    wish = {"seat": 0, "version": version(browser.get(f"/table/{table.id}").text), "move": "liar"}
    answer = browser.post(f"/table/{table.id}/move", json=wish)
    assert answer.status_code == 409, answer.text
    assert answer.json()["rule"] == "L2"
