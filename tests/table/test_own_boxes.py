"""Your box: typed in, checked, kept, brought and taken away, and played with at a table that says so."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from typing import Any

import httpx
import pytest

from samizdat.kernel.box import BoxFile
from samizdat.kernel.boxfile import LONGEST_BOX, write_box
from samizdat.kernel.errors import BoxError
from samizdat.kernel.game import Definition, definitions
from samizdat.kernel.matchfile import loads
from samizdat.table import bots as bots_module
from samizdat.table.bots import request_of, sight_of
from samizdat.table.box_pages import BoxPage
from samizdat.table.boxes import MOST_BOXES, Typed, counted, house_text, read_draft, typed_in
from samizdat.table.hints import Hints, Tips
from samizdat.table.language import LANGUAGES, language, read_glossary
from tests.conftest import DOSE, label
from tests.kernel.test_own_boxes import GAMES, edited
from tests.table.conftest import Browser, Site

PAGE = {"accept": "text/html"}
GAME = definitions()["dual-powers"]


def text_of(answer: httpx.Response) -> str:
    bare = re.sub(r"<(script|style|svg)\b.*?</\1>|<[^>]*>", " ", answer.text, flags=re.DOTALL)
    return " ".join(html.unescape(bare).split())


def fields(answer: httpx.Response) -> dict[str, str]:
    """The form of a box's page as a browser would send it, nothing changed."""
    form = re.search(r"<form class=\"tab\".*?</form>", answer.text, re.DOTALL)
    assert form is not None
    found = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form[0]))
    for attributes in re.findall(r"<input (?!type=\"hidden\")([^>]*)>", form[0]):
        name, value = re.search(r'name="([^"]+)"', attributes), re.search(r'value="([^"]*)"', attributes)
        if name and value and ("checkbox" not in attributes or " checked" in attributes):
            found[name[1]] = html.unescape(value[1])
    for name, options in re.findall(r'<select [^>]*name="([^"]+)"[^>]*>(.*?)</select>', form[0], re.DOTALL):
        chosen = re.search(r'<option value="([^"]*)" selected', options)
        assert chosen is not None, name
        found[name] = html.unescape(chosen[1])
    return found


def typed(browser: Browser, path: str, **more: str) -> httpx.Response:
    """Whatever a page's form says, with some of it typed over; the page after it."""
    before = browser.get(path, headers=PAGE)
    action = re.search(r'<form class="tab" method="post" action="([^"]+)"', before.text)
    assert action is not None
    answer = browser.post(action[1], data={**fields(before), **more}, headers=PAGE)
    assert answer.status_code == 303, answer.text
    return browser.get(answer.headers["location"], headers=PAGE)


def own_path(answer: httpx.Response) -> str:
    found = re.search(r'<form class="tab" method="post" action="([^"]+)"', answer.text)
    assert found is not None
    return found[1]


@pytest.mark.parametrize("found", GAMES, ids=label)
def test_every_table_of_a_box_is_shown_and_sent_back_unchanged(site: Site, found: Definition) -> None:
    """What the page shows is what the box says: a form sent as it came changes no value and claims none."""
    browser = site.browser()
    path = f"/box/{found.name}"
    for name in BoxPage(found, found.standard_box.text, language("en")).tables:
        answer = typed(browser, f"{path}?table={name}")
        assert answer.status_code == 200
        path = own_path(answer)
        assert browser.get(f"{path}/file").text == write_box(house_text(found)).replace(
            f'name = "{found.standard_box.name}"', 'name = "My copy"'
        ), name


@pytest.mark.parametrize("code", LANGUAGES)
def test_everything_in_a_box_has_words(site: Site, code: str) -> None:
    """Tables, columns and numbers of every game in every language; pages in that language."""
    browser = site.browser()
    browser.client.cookies.set("lang", code)
    for found in GAMES:
        words = {(row["table"], row["id"]) for row in read_glossary(found.folder, "box.csv") if row[code]}
        layout = found.standard_box.text.layout
        wanted = {("tables", table.name) for table in layout.tables} | {("tables", "constants")}
        wanted |= {
            ("columns", one.name) for table in layout.tables for one in table.columns if not one.of_sources
        }  # fmt: skip
        wanted |= {("constants", one.name) for one in layout.constants}
        assert wanted <= words, wanted - words
        used = wanted | {(kind, id) for kind, id in words if kind not in ("tables", "columns", "constants")}
        assert words <= used | {("columns", "value")}, words - used
        answer = browser.get(f"/box/{found.name}", headers=PAGE)
        assert answer.status_code == 200
        assert language(code).gettext("Your box, not begun") in html.unescape(answer.text)
    assert browser.get("/boxes", headers=PAGE).status_code == 200


def test_a_value_is_checked_kept_and_counted(site: Site) -> None:
    browser = site.browser()
    answer = typed(browser, "/box/dual-powers?table=commands", **{"c-4-days": "35"})
    words = text_of(answer)
    assert "Red 5a, Days: must be a whole number from 1 to 31, not 35." in words
    assert "1 thing to mend" in words
    assert "1 of 454 values from your copy" in words
    assert "Play with it" not in words
    path = own_path(answer)
    answer = typed(browser, f"{path}?table=commands", **{"c-4-days": "six"})
    assert "not “six”" in text_of(answer), "what makes no sense is kept, too"
    answer = typed(browser, f"{path}?table=commands", **{"c-4-days": "6"})
    assert "Everything can be played" in text_of(answer)
    assert "Play with it" in text_of(answer)
    answer = typed(browser, f"{path}?table=commands", copy="4")
    assert "5 of 454 values from your copy" in text_of(answer)
    answer = typed(browser, f"{path}?table=commands", house="4-days")
    assert "4 of 454 values from your copy" in text_of(answer)
    assert 'id="c-4-days" name="c-4-days" value="5"' in answer.text
    answer = typed(browser, f"{path}?table=constants", **{"c-0-value": "9"})
    assert "5 of 454 values from your copy" in text_of(answer)


def test_what_does_not_fit_together_is_said_with_row_and_field(site: Site) -> None:
    browser = site.browser()
    browser.client.cookies.set("lang", "de")
    answer = typed(browser, "/box/dual-powers?table=connections", **{"c-0-other": "red", "c-0-one": "red"})
    assert "verbindet Rot mit sich selbst" in text_of(answer)
    assert 'aria-invalid="true"' in answer.text
    answer = typed(browser, f"{own_path(answer)}?table=constants", **{"c-1-value": "20"})
    assert "ein Monat hat nur 20 Tage" in text_of(answer) or "verbindet Rot" in text_of(answer)


def test_rows_come_and_go(site: Site) -> None:
    """A route that is longer in one's copy needs one more blank space."""
    browser = site.browser()
    answer = typed(browser, "/box/mali-powstancy?table=routes", **{"c-0-length": "3"})
    path = own_path(answer)
    assert "its length needs 2 blanks, [blanks] has 1" in text_of(answer)
    answer = typed(browser, f"{path}?table=blanks", add="1")
    last = int(fields(answer)["rows"]) - 1
    assert last == len(definitions()["mali-powstancy"].standard_box.text.tables["blanks"])
    answer = typed(browser, f"{path}?table=blanks", **{f"c-{last}-route": "r01", f"c-{last}-district": "zoliborz"})
    assert "Everything can be played" in text_of(answer)
    answer = typed(browser, f"{path}?table=blanks", remove=str(last))
    assert "its length needs 2 blanks" in text_of(answer)
    stale = browser.post(path, data={"table": "blanks", "rows": "3"}, headers=PAGE)
    assert stale.status_code == 409
    assert "has changed in another window" in text_of(stale)


def test_marks_follow_their_rows() -> None:
    """Tables without ids count their rows: what was one's own stays so when a row before it goes."""
    house = house_text(definitions()["mali-powstancy"])
    text = typed_in(house, house, Typed("die", {}, "copy", "3"), lambda _, word: word)
    assert text.marks["die"] == {"4": "copy"}
    text = typed_in(text, house, Typed("die", {}, "remove", "1"), lambda _, word: word)
    assert text.marks["die"] == {"3": "copy"}
    assert counted(text, "die")["copy"] == 2


# --- files -----------------------------------------------------------------------------------------------


def bring(browser: Browser, data: bytes, name: str = "mine.toml") -> httpx.Response:
    return browser.post("/boxes/upload", files={"file": (name, data, "application/toml")}, headers=PAGE)


@pytest.mark.parametrize("found", GAMES, ids=label)
def test_taken_away_and_brought_back_it_is_the_same(site: Site, found: Definition) -> None:
    browser, other = site.browser(), site.browser()
    made = 0
    for seed in range(40):
        text = edited(found, seed)
        answer = bring(browser, write_box(text).encode())
        if answer.status_code == 422:
            assert "Nothing was changed" in text_of(answer)
            continue
        path = answer.headers["location"]
        file = browser.get(f"{path}/file")
        assert file.text == write_box(read_draft(found, "mine.toml", write_box(text)))
        assert "attachment" in file.headers["content-disposition"]
        again = bring(other, file.content)
        assert again.status_code == 303
        assert other.get(f"{again.headers['location']}/file").text == file.text
        assert other.get(path, headers=PAGE).status_code == 404, "somebody else's is nobody's"
        for one, where in ((browser, path), (other, again.headers["location"])):
            assert one.post(f"{where}/delete").status_code == 303
        made += 1
    assert made > 5


STANDARD = (GAME.folder / "box.toml").read_bytes()
FIRST = b'["red_2",     "red",   '
HOSTILE: dict[str, tuple[bytes, str]] = {
    "nothing": (b"", "the first line must name the game"),
    "noise": (bytes(range(256)), "not a text file in UTF-8"),
    "no TOML": (b'game = "dual-powers"\n[', "not valid TOML"),
    "another game": (b'game = "chess"', "There is no game"),
    "no tables": (b'game = "dual-powers"', "table [contents] is missing"),
    "nested": (b'game = "dual-powers"\nx = ' + b"[" * 9000, "nested too deeply"),
    "parts": (b".".join([b"a"] * 9000) + b" = 1", "a key of more than 16 parts"),
    "large": (b"# " + b"x" * (LONGEST_BOX + 1), "larger than 256 KB"),
    "larger": (b"# " + b"x" * 530_000, "larger than any box"),
    "rows": (
        STANDARD.replace(FIRST + b" 2,", FIRST),
        "must have 7 values",
    ),
    "a date": (
        STANDARD.replace(FIRST + b" 2,", FIRST + b" 1917-10-25,"),
        "row 1, days",
    ),
    "markup": (STANDARD.replace(b'"red_2"', b'"<script>alert(1)</script>"'), ""),
    "a long name": (STANDARD.replace(b"Dual Powers: Revolution 1917", b"x" * 200), "at most 80 characters"),
}


@pytest.mark.parametrize(("data", "said"), HOSTILE.values(), ids=HOSTILE)
def test_hostile_files_are_refused_in_a_sentence(site: Site, data: bytes, said: str) -> None:
    browser = site.browser()
    answer = bring(browser, data, "../../etc/<b>.toml")
    if not said:
        page = browser.get(answer.headers["location"], headers=PAGE)
        assert "<script>alert" not in page.text
        assert "must be a word of small letters" in text_of(page)
        return
    assert answer.status_code == 422
    assert said in text_of(answer), text_of(answer)
    assert "<b>.toml" not in answer.text
    assert "Nothing was changed" in text_of(answer)


def test_what_is_far_too_large_is_not_even_read(site: Site) -> None:
    assert bring(site.browser(), b"#" * 2_000_000).status_code == 413


def test_nobody_keeps_more_boxes_than_one_person_may(site: Site) -> None:
    browser = site.browser()
    for _ in range(MOST_BOXES):
        assert bring(browser, STANDARD).status_code == 303
    answer = bring(browser, STANDARD)
    assert answer.status_code == 422
    assert "throw one away first" in text_of(answer)


# --- playing with it -------------------------------------------------------------------------------------


def own_box(browser: Browser, **values: str) -> str:
    """A box of one's own, with a shorter track; its path."""
    answer = typed(browser, "/box/dual-powers?table=constants", **{"c-0-value": "9", **values})
    return own_path(answer)


def open_with(browser: Browser, path: str, game: str = "dual-powers", **more: str) -> httpx.Response:
    key = path.rpartition("/")[2]
    seats = {"seat-0": "me", "seat-1": "bot-random", "box": key, **more}
    return browser.post(f"/new/{game}", data=seats, headers=PAGE)


def test_a_table_says_which_box_it_is_played_with(tmp_path: Path) -> None:
    """Before anybody sits down, at the board, and after a restart; its owner may throw the box away meanwhile."""
    site = Site(tmp_path)
    browser, guest = site.browser(), site.browser()
    path = own_box(browser)
    assert "My copy (" in text_of(browser.get("/new/dual-powers", headers=PAGE))
    waiting = open_with(browser, path, **{"seat-1": "open"}).headers["location"]
    assert "Played with the box “My copy”" in text_of(guest.get(waiting, headers=PAGE))
    id = open_with(browser, path).headers["location"].rpartition("/")[2]
    table = site.run(site.house.find(id))
    short = table.game.box.hash[:8]
    said = f"Played with the box “My copy” ({short})."
    shown = text_of(browser.get(f"/table/{id}", headers=PAGE))
    assert said in shown
    assert "The bots play any box, but what they know was learned with everybody's." in shown
    facts = guest.get(f"/table/{id}/box?table=constants", headers=PAGE)
    assert "“My copy”" in text_of(facts)
    assert "Spaces of the track on each side 9" in text_of(facts)
    assert "<input" not in facts.text.partition("<main")[2], "only its owner changes it"
    assert guest.get(f"/table/{id}/box/file").text == table.game.printed
    site.wander(table, 6)
    assert browser.post(f"{path}/delete").status_code == 303
    plies = table.match.plies if table.match else 0
    site.close()
    site = Site(tmp_path)
    again = site.run(site.house.find(id))
    assert again.game.box.text.constants["track"] == 9
    assert again.match is not None
    assert again.match.plies == plies
    assert said in text_of(site.browser().get(f"/table/{id}", headers=PAGE))
    site.wander(again, 5000)
    assert again.match.over
    site.close()


def test_a_box_with_something_to_mend_is_kept_but_not_played(site: Site) -> None:
    browser = site.browser()
    path = own_box(browser, **{"c-0-value": "900"})
    assert "My copy (" not in text_of(browser.get("/new/dual-powers", headers=PAGE))
    answer = open_with(browser, path)
    assert answer.status_code == 422
    assert "still to be mended" in text_of(answer)
    assert open_with(browser, "/x/nothing").status_code == 422
    other = own_box(site.browser())
    assert open_with(browser, other).status_code == 422, "somebody else's"


def test_a_match_travels_with_its_box(site: Site) -> None:
    """Downloaded when it is over, it is imported by a stranger, who goes on reading that box."""
    browser, stranger = site.browser(), site.browser()
    id = open_with(browser, own_box(browser)).headers["location"].rpartition("/")[2]
    table = site.run(site.house.find(id))
    seat = browser.get(f"/table/{id}/file?seat=0")
    assert json.loads(seat.text)["printed"] == table.game.printed
    site.wander(table, 5000)
    file = browser.get(f"/table/{id}/file")
    assert loads(file.text).game.box.hash == table.game.box.hash
    answer = stranger.post("/import", files={"file": ("match.json", file.content)}, headers=PAGE)
    assert answer.status_code == 303, text_of(answer)
    shown = stranger.get(answer.headers["location"], headers=PAGE)
    assert f"({table.game.box.hash[:8]})" in text_of(shown)


def test_bots_and_hints_think_with_the_box_of_the_table(site: Site) -> None:
    browser = site.browser()
    id = open_with(browser, own_box(browser)).headers["location"].rpartition("/")[2]
    table = site.run(site.house.find(id))
    assert table.match is not None
    waits = table.match.turn[0]
    request = request_of(table, waits)
    assert sight_of(request).game.box.hash == table.game.box.hash != GAME.standard_box.hash
    asked = request | {"level": "random", "patient": False, "seconds": 0.0, "place": 0}
    assert bots_module.choose(asked) in [str(move) for move in table.match.legal(waits)]


def test_a_hint_says_that_the_search_learned_with_another_box(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    async def tips(*_: object) -> Tips:
        return Tips((), None)

    monkeypatch.setattr(Hints, "tips", tips)
    browser = site.browser()
    told = []
    for path in ("/x/", own_box(browser)):
        id = open_with(browser, path).headers["location"].rpartition("/")[2]
        table = site.run(site.house.find(id))
        assert browser.get(f"/api/tables/{id}").json()["box"] == table.game.box.hash
        told.append(browser.post(f"/table/{id}/hint", json={"seat": 0}).json()["summary"])
    assert told == ["", "What the search knows of this game was learned with everybody's box, not with this one."]


def test_the_server_offers_boxes_to_everybody(tmp_path: Path) -> None:
    mine = tmp_path / "club.toml"
    text = (
        STANDARD.decode()
        .replace("Dual Powers: Revolution 1917", "The club's copy")
        .replace("track = 15", "track = 7")
    )
    mine.write_text(text, encoding="utf-8")
    site = Site(tmp_path / "data", boxes=(mine,))
    browser = site.browser()
    shown = text_of(browser.get("/new/dual-powers", headers=PAGE))
    assert "The club's copy (" in shown
    assert "of this server" in shown
    assert "The club's copy" not in text_of(browser.get("/new/revolution", headers=PAGE))
    hash = GAME.box_from(mine).hash
    answer = open_with(browser, f"/house-{hash}")
    table = site.run(site.house.find(answer.headers["location"].rpartition("/")[2]))
    assert table.game.box.text.constants["track"] == 7
    site.close()
    mine.write_text(text.replace("track = 7", "track = 700"), encoding="utf-8")
    with pytest.raises(BoxError, match=r"\[constants\] track: must be a whole number"):
        Site(tmp_path / "other", boxes=(mine,))


@pytest.mark.parametrize("found", GAMES, ids=label)
def test_boards_of_edited_boxes_can_be_drawn(site: Site, found: Definition) -> None:
    """Whatever can be played can be looked at: at the beginning, later, and when it is over."""
    drawn, options = 0, {"max_rounds": 1} if found.name == "revolution" else {}
    for seed in range(200):
        try:
            box = found.box_from(BoxFile("mine.toml", write_box(edited(found, seed))))
        except BoxError:
            continue
        table = site.table(found.choose(box=box, **options), holder="p0", kinds="pbbb", seed=seed)
        browser = site.browser()
        browser.hold(table, 0)
        for plies in (0, 25, 3000):
            site.wander(table, plies, seed)
            answer = browser.get(f"/table/{table.id}", headers=PAGE)
            assert answer.status_code == 200, f"seed {seed}, after {plies}: {text_of(answer)}"
        drawn += 1
        if drawn == 3 * DOSE:
            return
    raise AssertionError("no edited box can be played")


def test_a_box_that_nobody_has(site: Site) -> None:
    browser = site.browser()
    for path in ("/box/chess", "/box/revolution/nothing", "/box/revolution/nothing/file", "/table/nothing/box"):
        assert browser.get(path, headers=PAGE).status_code == 404, path
    assert browser.post("/boxes/upload", data={}, headers=PAGE).status_code == 422
    answer: Any = browser.get("/boxes", headers=PAGE)
    for found in GAMES:
        assert language("en").title(found) in html.unescape(answer.text)


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_row_is_found_by_its_name(code: str) -> None:
    """What a field shows is what it means, in every language: no two rows are called the same."""
    for found in GAMES:
        page = BoxPage(found, found.standard_box.text, language(code), right=True)
        for table in page.text.layout.tables:
            for row in page.text.tables[table.name]:
                if "id" in row:
                    assert page.find(table.name, page.called(table.name, row["id"])) == row["id"], (found.name, row)
