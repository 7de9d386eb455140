"""Scenes on the site: every one is drawn, tried, solved and played on from, in every language; no secret shows."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from samizdat.conformance.walks import another_world
from samizdat.kernel.exercises import Exercise
from samizdat.kernel.game import definitions
from samizdat.kernel.match import Match
from samizdat.kernel.matchfile import checksum, dumps
from samizdat.table.at_hand import MOST_FLEETING
from samizdat.table.commands import Play, TakeBack
from samizdat.table.language import LANGUAGES, language
from samizdat.table.lessons import lesson, lessons_of, reasons
from samizdat.table.practice import ASKED, ASTRAY, DONE, UNDERWAY, PracticeTable
from samizdat.table.tables import LiveTable
from tests.table.conftest import Browser, Site

NAMES = list(definitions())
ALL = [(name, one.name) for name in NAMES for one in lessons_of(name)]
CODES = list(LANGUAGES)
PATH = re.compile(r'data-path="(/table/scene-[^"]+)" data-seat="(\d+)"')


def found(name: str, scene: str) -> Exercise:
    exercise = lesson(name, scene)
    assert exercise is not None
    return exercise


def speaking(site: Site, code: str = "en") -> Browser:
    """A browser in some language."""
    browser = site.browser()
    browser.client.cookies.set("lang", code)
    return browser


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """One site for all that is only looked at."""
    made = Site(tmp_path_factory.mktemp("scenes"))
    yield made
    made.close()


class Trying:
    """A browser at a scene."""

    def __init__(self, site: Site, name: str, scene: str, code: str = "en", browser: Browser | None = None) -> None:
        self.site, self.browser = site, browser or speaking(site, code)
        page = self.browser.get(f"/scenes/{name}/{scene}")
        assert page.status_code == 200, page.text[:500]
        self.page = page.text
        match = PATH.search(page.text)
        assert match, "the page has a board"
        self.path, self.seat = match[1], int(match[2])
        table = site.run(site.house.find(self.path.removeprefix("/table/")))
        assert isinstance(table, PracticeTable)
        self.table = table

    def slip(self, act: str | None = None) -> str:
        answer = self.browser.post(f"{self.path}/scene", json={"seat": self.seat, "act": act})
        assert answer.status_code == 200, answer.text
        return html.unescape(answer.text)

    def play(self, move: str) -> None:
        assert self.table.match is not None
        version = self.table.match.history(self.seat).version
        answer = self.browser.post(f"{self.path}/move", json={"seat": self.seat, "version": version, "move": move})
        assert answer.status_code == 200, answer.text


@pytest.mark.parametrize(("name", "scene"), ALL, ids=["-".join(case) for case in ALL])
def test_every_scene_is_drawn_asked_and_answered(shared: Site, name: str, scene: str) -> None:
    exercise = found(name, scene)
    code = CODES[ALL.index((name, scene)) % len(CODES)]
    trying = Trying(shared, name, scene, code)
    words = language(code)
    slip = trying.slip()
    assert words.gettext(exercise.title, game=name) in slip
    assert words.gettext(exercise.ask, game=name) in slip
    assert all(f'href="/rules/{name}#{rule}"' in slip for rule in exercise.rules)
    assert 'data-do="show"' in slip
    for said in exercise.says:
        assert words.gettext(said, game=name) not in slip, "the answer is not given away"
    shown = trying.slip("show")
    for move in exercise.answer:
        assert 'data-marks="[]"' not in shown, "the answer is drawn on the board"
        trying.play(move)
        shown = trying.slip()
    assert trying.table.standing == DONE
    for said in exercise.says:
        assert words.gettext(said, game=name) in shown
    assert (exercise.start is not None) == ("/play" in shown)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("code", CODES)
def test_the_page_of_a_game_lists_all_from_easy_to_hard(shared: Site, name: str, code: str) -> None:
    page = speaking(shared, code).get(f"/scenes/{name}").text
    places = [page.index(f'id="{one.name}"') for one in lessons_of(name)]
    assert places == sorted(places)
    for one in lessons_of(name):
        assert f"<b>{language(code).gettext(one.title, game=name)}</b>" in html.unescape(page)


def test_an_answer_is_found_or_missed_and_the_browser_remembers(site: Site) -> None:
    trying = Trying(site, "revolution", "t06_spy")
    assert trying.table.standing == ASKED
    trying.play("pass")
    slip = trying.slip()
    assert trying.table.standing == ASTRAY
    assert "You leave the <b>Spy</b> idle" in slip, "what happened instead"
    assert 'class="sheet done"' not in trying.browser.get("/scenes/revolution").text
    trying.slip("again")
    assert trying.table.standing == ASKED
    trying.play("take cathedral blue")
    assert "That is it." in trying.slip()
    page = trying.browser.get("/scenes/revolution").text
    assert 'class="sheet done" id="t06_spy"' in page
    assert "1 of 17 solved" in page
    assert 'class="sheet done"' not in site.browser().get("/scenes/revolution").text, "others have their own"


def test_what_was_shown_was_not_found(site: Site) -> None:
    trying = Trying(site, "revolution", "t06_spy")
    trying.slip("show")
    trying.play("take cathedral blue")
    assert "That is it." not in trying.slip()
    assert 'class="sheet done"' not in trying.browser.get("/scenes/revolution").text


def test_the_decisions_of_an_answer_may_come_in_any_order_and_others_follow(site: Site) -> None:
    trying = Trying(site, "mali-powstancy", "ex02_a_jump_and_a_step")
    trying.play("step 3 r25_1")
    assert trying.table.standing == UNDERWAY
    trying.play("jump 2 dworzec_pocztowy")
    assert trying.table.standing == DONE
    prison = Trying(site, "mali-powstancy", "x05_prison")
    prison.play("end")
    assert prison.table.match is not None
    assert prison.table.match.plies == len(found("mali-powstancy", "x05_prison").script)
    after = Trying(site, "dual-powers", "e_18_protest_then_clean_up")
    after.play("lead zinoviev")
    after.play("protest white")
    assert "What follows" in after.slip()
    assert "What follows" not in after.slip("more")
    assert after.table.still


def test_a_puzzle_says_how_good_a_decision_is_and_why_only_once_it_is_found(site: Site) -> None:
    trying = Trying(site, "revolution", "p07_spoil_it")
    trying.play("take plantation red")
    slip = trying.slip()
    assert "It wins about 14 of 100 games from here; the best decision 94." in slip
    assert "Fortress, worth 50" not in slip, "that would give it away"
    trying.slip("again")
    trying.play("take fortress red")
    slip = trying.slip()
    assert "the next best decision" in slip
    assert "Fortress, worth 50" in slip


@pytest.mark.parametrize("name", NAMES)
def test_most_puzzles_have_reasons(name: str) -> None:
    told = [reasons(name, one.name) for one in lessons_of(name) if one.puzzle]
    assert sum(bool(one) for one in told) >= len(told) - 2


def test_nobody_decides_where_something_is_only_shown(site: Site) -> None:
    trying = Trying(site, "dual-powers", "e_e_tie_by_tokens")
    answer = trying.browser.post(f"{trying.path}/move", json={"seat": trying.seat, "version": 1, "move": "pass"})
    assert answer.status_code == 409
    assert "only looked at" in answer.text


def test_a_scene_belongs_to_whoever_opened_it_and_there_is_an_end_of_them(site: Site) -> None:
    trying = Trying(site, "revolution", "t06_spy")
    stranger = site.browser()
    assert stranger.post(f"{trying.path}/scene", json={"seat": trying.seat}).status_code == 403
    assert stranger.get("/scenes/revolution/nothing").status_code == 404
    assert stranger.get("/scenes/nothing").status_code == 404
    assert stranger.get("/scenes/nothing/t06_spy").status_code == 404
    assert stranger.post("/scenes/revolution/t04_area_majority/play").status_code == 404
    exercise = found("revolution", "t06_spy")
    for _ in range(MOST_FLEETING + 5):
        site.run(site.house.lay_out(PracticeTable(exercise, ["A", "B", "C", "D"], "p0")))
    assert len(site.house.fleeting) == MOST_FLEETING
    assert trying.browser.post(f"{trying.path}/scene", json={"seat": trying.seat}).status_code == 404


@pytest.mark.parametrize(
    ("name", "scene"),
    [("revolution", "t10_end_of_the_game"), ("war-of-whispers", "tc34_tie"), ("mali-powstancy", "x14_objectives")],
)
def test_nothing_is_shown_beyond_what_the_seat_knows(site: Site, name: str, scene: str) -> None:
    """In another world that the seat cannot tell from this one, page and slip are the same to the last byte."""
    trying = Trying(site, name, scene)
    before = trying.browser.get(f"{trying.path}/step/0?seat={trying.seat}").content, trying.slip()
    assert trying.table.match is not None
    other = another_world(trying.table.match, trying.seat, 3)
    assert other is not None
    assert other.raw != trying.table.match.raw, "there is something to hide"
    trying.table.match = other
    trying.table.notify(change=True)
    assert (trying.browser.get(f"{trying.path}/step/0?seat={trying.seat}").content, trying.slip()) == before


# --- matches that go on from a scene -------------------------------------------------------------------------


def played_on(site: Site, browser: Browser, name: str, scene: str) -> LiveTable:
    answer = browser.post(f"/scenes/{name}/{scene}/play")
    assert answer.status_code == 303, answer.text
    return site.run(site.house.find(answer.headers["location"].removeprefix("/table/")))


def finished(site: Site, table: LiveTable) -> Match:
    site.wander(table, 3000)
    assert table.match is not None
    assert table.match.over
    return table.match


def test_a_match_goes_on_from_a_scene_and_says_so_everywhere(tmp_path: Path) -> None:
    site = Site(tmp_path)
    browser = speaking(site)
    table = played_on(site, browser, "war-of-whispers", "tc13_three_against_two")
    exercise = found("war-of-whispers", "tc13_three_against_two")
    assert table.prepared
    assert [chair.kind for chair in table.chairs] == ["person", "bot"]
    mark = "Begun from a prepared position: not verifiable, unrated."
    assert mark in browser.get(f"/table/{table.id}").text
    assert browser.get(f"/api/tables/{table.id}").json()["prepared"] is True
    site.run(site.house.do(table, Play(0, ["act attack"])))
    site.run(site.house.do(table, TakeBack(0)))
    assert table.match is not None
    assert table.match.raw == bytes(exercise.opening)
    site.run(site.house.do(table, Play(0, ["act attack"])))
    site.close()
    site = Site(tmp_path)
    again = site.run(site.house.find(table.id))
    assert again.prepared, "it survives a restart"
    assert again.match is not None
    assert [str(move) for _, move in again.match.moves] == ["act attack"]
    over = finished(site, again)
    page = speaking(site).get(f"/table/{table.id}/replay").text
    assert "Nobody can tell: it was not dealt." in page
    assert "not verifiable, unrated" in page
    text = dumps(over)
    site.house.store.remember_player("p1", "Ada")
    brought = site.run(site.house.import_match(text, "p1", "Ada"))
    assert brought.prepared
    assert brought.match is not None
    assert dumps(brought.match) == text
    site.close()


def test_a_forged_start_is_refused_at_the_door(site: Site) -> None:
    browser = speaking(site)
    table = played_on(site, browser, "revolution", "t06_spy")
    assert table.match is not None
    data = json.loads(dumps(table.match))
    data["start"]["position"]["chooser"] = 3_000
    data["checksum"] = checksum(data)
    answer = browser.post("/import", files={"file": ("match.json", json.dumps(data), "application/json")})
    assert answer.status_code == 422
    assert "chooser must have its whole shape, with numbers from" in html.unescape(answer.text)


def test_a_rematch_is_dealt(site: Site) -> None:
    browser = speaking(site)
    table = played_on(site, browser, "revolution", "t06_spy")
    finished(site, table)
    answer = browser.post(f"/table/{table.id}/rematch")
    again = site.run(site.house.find(answer.headers["location"].removeprefix("/table/")))
    assert not again.prepared
