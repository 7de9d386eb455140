"""Advice in a real browser; what it says is given, as nothing is compiled here."""

from __future__ import annotations

import json
import re
from types import SimpleNamespace
from typing import Any

import pytest
from playwright.sync_api import Browser, FilePayload, Route, expect

import samizdat
from samizdat.bots.reviews import JudgedDecision, Review
from samizdat.conformance.walks import walk
from samizdat.kernel.match import Match
from samizdat.table.hints import in_words
from samizdat.table.language import Speaker, language
from samizdat.table.rendering import page
from tests.browser.conftest import RETRIES, Person, Table, someone, table_id

WHY = [
    {"sign": "wins", "text": "Captain: you win in 8 of 10 (way 2: 0 of 10).", "rule": "R6.2"},
    {"sign": "risks", "text": "Innkeeper: you win in 0 of 10 (way 2: 8 of 10).", "rule": "R6.2"},
]


def advised(person: Person, draft: list[str], places: list[str] | None = None) -> None:
    """Whoever asks is told this."""
    one = {"labels": ["One", "2 × Another"], "chance": 52, "error": 3, "why": WHY, "draft": draft}
    hints = [{**one, "places": places or [], "moves": draft, "from": ""}]

    def answer(route: Route) -> None:
        route.fulfill(status=200, content_type="application/json", body=json.dumps({"hints": hints, "summary": ""}))

    person.page.route("**/hint", answer)


def test_what_others_do_does_not_take_a_hint_away(person: Person, another: Person) -> None:
    person.open("dual-powers", **{"seat-0": "me", "seat-1": "open"})
    another.go(person.page.locator("#invite-1").input_value())
    another.page.fill("input[name=name]", "Sergej")
    another.page.locator("button[type=submit], button.go").last.click()
    advised(person, [])
    for one in (person, another):
        one.arrive()
        one.ready()
    hint = person.page.locator("#hint")
    person.page.keyboard.press("h")
    hint.locator("li").wait_for()
    expect(hint).to_contain_text("One · 2 × Another 52 % ± 3")
    before = person.version()
    for _ in range(2):  # choose an objective, and seal it
        another.decide()
    person.until("before => document.getElementById('status').dataset.version !== before", before)
    assert hint.is_visible()
    person.decide()
    assert hint.is_visible(), "a draft is nothing decided yet"
    person.decide()
    expect(hint).to_be_hidden()


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
    advised(person, bid, ["ch-captain", "ch-priest"])
    person.page.locator("[data-hint]").click()
    person.page.locator("#hint li").wait_for()
    marks = person.page.locator(".marks .number:visible")
    expect(marks).to_have_text(["1", "1"])  # it is drawn on the board
    for id, frame in zip(("ch-captain", "ch-priest"), person.page.locator(".marks .frame").all(), strict=True):
        place, drawn = person.page.locator(f"#{id}").bounding_box(), frame.bounding_box()
        assert place
        assert drawn
        assert abs(place["x"] - drawn["x"]) < 8
        assert abs(place["y"] - drawn["y"]) < 8
    person.page.locator("#hint li .btn").click()
    person.page.wait_for_selector("#status [data-seal].go")
    expect(person.page.locator(".marks .frame")).to_have_count(0)  # what was advised is laid: no marks are left
    laid = person.page.locator("#choices [data-take]")
    expect(laid).to_have_count(len(set(bid)))
    assert sorted(laid.evaluate_all("some => some.map(one => one.dataset.take)")) == sorted(set(bid))
    person.until("document.activeElement.matches('[data-seal]')")
    person.page.keyboard.press("h")
    person.page.keyboard.press("Escape")
    expect(person.page.locator("#hint")).to_be_hidden()


def test_the_score_sheet_leads_to_the_look_back(another: Person) -> None:
    *_, match = walk(samizdat.game("dual-powers").match(seed=4), 4)
    file: FilePayload = {"name": "match.json", "mimeType": "application/json", "buffer": match.dumps().encode()}
    answer = another.page.request.post(
        f"{another.table.address}/import", multipart={"file": file}, max_retries=RETRIES
    )
    another.go(f"/table/{table_id(answer.url)}/replay?seat=0#review")
    another.until("document.getElementById('reviewed').textContent !== ''")
    expect(another.page.locator("[data-review='0']")).to_have_attribute("aria-pressed", "true")
    another.until("document.getElementById('review').getBoundingClientRect().top < innerHeight / 2")


def finished(person: Person, game: str, seed: int = 4, **options: Any) -> Match:
    """A finished match, from a file; the page of its replay is open."""
    *_, match = walk(samizdat.game(game, **options).match(seed=seed), seed)
    person.take_over(match)
    return match


def looked_back(person: Person, match: Match, worked_out: list[bool]) -> tuple[int, int]:
    """The look back of seat 0 says, once it is worked out, that one of its decisions cost much; where, and how many
    steps there are."""
    mine = [ply for ply, (seat, _) in enumerate(match.moves) if seat == 0]
    some = mine[:: len(mine) // 20 + 1]  # to look back at all of them takes long
    plies = [ply for ply in some if len(match.past_sight(0, ply).legal()) > 1]
    moments = [JudgedDecision(ply, 0.5, match.moves[ply][1], match.moves[ply][1], 0.0, 0.1) for ply in plies]
    for at in plies[len(plies) // 2 :]:
        played = match.moves[at][1]
        better = next(move for move in match.past_sight(0, at).legal() if move.id != played.id)
        found = in_words(match, 0, Review(tuple(moments), (JudgedDecision(at, 0.5, played, better, 0.2, 0.1),)))
        if any(id.startswith(("region-", "post-", "island-", "card-")) for id in found.costly[0].better_at):
            break  # a place of the board, not a button or what is there only while one decides
    id = table_id(person.page.url)
    html = page(
        "review.html.jinja", "en", found=found, table=SimpleNamespace(id=id), seat=0, name="Ludmila",
        last=match.plies, fair=50, say=Speaker(language("en"), match.game, ["Ludmila"] * match.seats),
    )  # fmt: skip

    def answer(route: Route) -> None:
        told = {"html": html} if worked_out else {"wait": "Every decision …", "done": 3, "all": 9}
        route.fulfill(status=200 if worked_out else 202, content_type="application/json", body=json.dumps(told))

    person.page.route("**/review?*", answer)
    return at, match.plies


@pytest.mark.parametrize("game", ["dual-powers", "war-of-whispers"])
def test_the_chart_leads_to_positions_and_what_was_better_is_drawn_there(person: Person, game: str) -> None:
    match = finished(person, game)
    worked_out: list[bool] = []
    at, last = looked_back(person, match, worked_out)
    person.go(f"/table/{table_id(person.page.url)}/replay?seat=0#review")
    bar = person.page.locator("#reviewed progress")
    bar.wait_for()
    assert (bar.get_attribute("value"), bar.get_attribute("max")) == ("3", "9")
    worked_out.append(True)
    plot = person.page.locator(".plot")
    plot.wait_for()
    box = plot.bounding_box()
    assert box
    person.page.mouse.click(box["x"] + box["width"] * at / last, box["y"] + 20)
    person.until("at => document.getElementById('slider').value === String(at)", at)
    person.until("at => document.querySelector('.plot .here b').textContent.startsWith(`step ${at} `)", at)
    person.page.locator("[data-next-mistake]").click()
    person.page.locator(".marks .number.better:visible").first.wait_for()
    expect(person.page.locator("#at")).to_have_text(f"You are looking at step {at} of {last}")
    expect(person.page.locator("#replay .legal")).to_have_count(0)  # nothing can be decided there
    person.page.keyboard.press("ArrowRight")
    person.until("at => document.getElementById('slider').value === String(at + 1)", at)
    expect(person.page.locator(".marks .number")).to_have_count(0)  # what was drawn was about another position


def test_a_replay_plays_by_itself(person: Person) -> None:
    match = finished(person, "dual-powers")
    person.go(f"/table/{table_id(person.page.url)}/replay?step=0")
    person.page.select_option("#pace", "400")
    play, slider = person.page.locator("#play"), person.page.locator("#slider")
    play.click()
    expect(play).to_have_attribute("aria-pressed", "true")
    expect(slider).not_to_have_value("0")
    person.page.keyboard.press("ArrowLeft")
    expect(play).to_have_attribute("aria-pressed", "false")  # whoever walks does not run
    for key in ("End", "ArrowLeft", "ArrowLeft"):
        person.page.keyboard.press(key)
    expect(slider).to_have_value(str(match.plies - 2))
    play.click()
    expect(slider).to_have_value(str(match.plies))
    expect(play).to_have_attribute("aria-pressed", "false")
    person.page.reload()
    expect(person.page.locator("#pace")).to_have_value("400")  # the pace is remembered


ENDINGS: dict[str, dict[str, Any]] = {
    "revolution": {"max_rounds": 2},
    "dual-powers": {},
    "mali-powstancy": {"players": 2},
    "war-of-whispers": {"players": 2},
}


@pytest.mark.parametrize("game", list(ENDINGS))
def test_the_end_says_who_won_and_shows_the_score_sheet(table: Table, chromium: Browser, game: str) -> None:
    """On a desk, and on a phone."""
    with someone(table, chromium, 1366, 768) as person:
        match = finished(person, game, **ENDINGS[game])
        ending = match.game.definition.board.ending(match.game, match.view(0))
        headline = person.page.locator("#finale")
        headline.wait_for()
        said = headline.inner_text()
        winners = [seat for seat, rank in enumerate(match.ranks) if rank == 1]
        assert said == str(ending.nobody) if not winners else said.endswith(str(ending.by))
        assert said.startswith("Player") == bool(winners), "whoever brought it looks through all eyes"
        assert person.page.locator("#status").inner_text().startswith(said)
        assert person.page.locator(".revealed .opened > section").count() == match.seats, "what was secret is shown"
        for width, height in ((1366, 768), (390, 844)):
            person.resize(width, height)
            person.page.reload()
            headline.wait_for()
            assert headline.bounding_box()["y"] < height  # type: ignore[index]
            assert person.page.locator("#end .art svg").is_visible()
            assert person.page.locator("#end .tally").first.is_visible(), "the score sheet is there at once"
            for link in ("rematch", "replay?seat=0#review", "replay?open=true"):
                assert person.page.locator(f'#end [action$="{link}"], #end [href$="{link}"]').first.is_visible()
            assert person.page.locator("[data-share]").is_visible()
            assert person.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_looking_back_is_told_and_left_by_a_key(person: Person) -> None:
    person.open("war-of-whispers", **{"seat-0": "me", "seat-1": "bot-random", "players-standard": "2"})
    person.ready()
    for number in range(3):
        person.decide(pick=number)
        person.ready()
    person.page.locator("[data-history=back]").first.dispatch_event("click")
    bar = person.page.locator("#status.then")
    bar.wait_for()
    assert re.search(r"You are looking at step \d+ of \d+", bar.inner_text())
    assert person.page.locator("#status [data-move], #board .legal, #hand .legal, #choices button").count() == 0
    person.until("!document.querySelector('#status .yours').hidden")
    person.page.keyboard.press("Escape")
    person.page.wait_for_selector("#table:not(.past)")
    person.page.wait_for_selector("#status.acts")
