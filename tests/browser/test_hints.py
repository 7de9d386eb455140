"""Advice in a real browser; what it says is given, as nothing is compiled here."""

from __future__ import annotations

import json

from playwright.sync_api import FilePayload, Route

import samizdat
from samizdat.conformance.walks import walk
from tests.browser.conftest import RETRIES, Person, table_id

WHY = "Imagined games could not tell it from the others."


def advised(person: Person, draft: list[str]) -> None:
    """Whoever asks is told this."""
    hints = [{"labels": ["One", "2 × Another"], "chance": 52, "error": 3, "why": WHY, "draft": draft}]

    def answer(route: Route) -> None:
        route.fulfill(status=200, content_type="application/json", body=json.dumps({"hints": hints}))

    person.page.route("**/hint", answer)


def test_what_others_do_does_not_take_a_hint_away(person: Person, another: Person) -> None:
    person.open("dual-powers", **{"seat-0": "me", "seat-1": "open"})
    another.go(person.page.locator("#invite-1").input_value())
    another.page.fill("input[name=name]", "Sergej")
    another.page.locator("button[type=submit], button.go").last.click()
    advised(person, [])
    for one in (person, another):
        one.page.wait_for_selector("#board")
        one.ready()
    hint = person.page.locator("#hint")
    person.page.keyboard.press("h")
    hint.locator("li").wait_for()
    assert "One · 2 × Another 52 % ± 3" in " ".join(hint.inner_text().split())
    before = person.version()
    for _ in range(2):  # choose an objective, and seal it
        another.decide()
    person.until("before => document.getElementById('status').dataset.version !== before", before)
    assert hint.is_visible()
    person.decide()
    assert hint.is_visible(), "a draft is nothing decided yet"
    person.decide()
    assert hint.is_hidden()


def test_advice_is_tried_in_the_draft_and_not_sealed(person: Person) -> None:
    person.open("revolution", **{"players-standard": "3", "seat-0": "me", "seat-1": "bot-random"})
    person.page.wait_for_selector("#board")
    person.ready()
    bid = [
        "bid captain blackmail",
        "bid innkeeper force",
        "bid magistrate gold",
        "bid priest gold",
        "bid priest gold",
    ]
    advised(person, bid)
    person.page.locator("[data-hint]").click()
    person.page.locator("#hint li .btn").click()
    person.page.wait_for_selector("#status [data-seal].go")
    laid = person.page.locator("#choices [data-take]").evaluate_all("some => some.map(one => one.dataset.take)")
    assert sorted(laid) == sorted(set(bid))
    person.until("document.activeElement.matches('[data-seal]')")
    person.page.keyboard.press("h")
    person.page.keyboard.press("Escape")
    assert person.page.locator("#hint").is_hidden()


def test_the_score_sheet_leads_to_the_look_back(another: Person) -> None:
    *_, match = walk(samizdat.game("dual-powers").match(seed=4), 4)
    file: FilePayload = {"name": "match.json", "mimeType": "application/json", "buffer": match.dumps().encode()}
    answer = another.page.request.post(
        f"{another.table.address}/import", multipart={"file": file}, max_retries=RETRIES
    )
    another.go(f"/table/{table_id(answer.url)}/replay?seat=0#review")
    another.until("document.getElementById('reviewed').textContent !== ''")
    assert another.page.locator("[data-review='0']").get_attribute("aria-pressed") == "true"
    another.until("document.getElementById('review').getBoundingClientRect().top < innerHeight / 2")
