"""Talk at a table: who reads what, what is kept of it, and what somebody does not want to read."""

from __future__ import annotations

import html
import io
import json
import re
import zipfile
from contextlib import closing
from pathlib import Path

import httpx
import pytest
from markupsafe import escape

import samizdat
from samizdat.table import saying, talk
from samizdat.table.commands import ChangeSeat
from samizdat.table.hearing import Ear, Listener
from samizdat.table.manners import Manners
from samizdat.table.reports import close_report, in_words, list_reports
from samizdat.table.seats import Seat, Viewer, new_key
from samizdat.table.store.talk import forget_talk, said_at
from samizdat.table.streams import Follower
from samizdat.table.tables import LiveTable
from tests.table.conftest import Site

BOTH_DATABASES = True

PAGE = {"accept": "text/html", "accept-language": "en"}
NAMES = ("Ludmila", "Nadia", "Piotr")


class Circle:
    """Three people at a table, who came by their links, and somebody who watches."""

    def __init__(self, site: Site, private: bool = False) -> None:
        self.site = site
        self.store = site.house.store
        self.store.remember_player("host", "Ludmila")
        chairs = [Seat("person", "", name, new_key(), {f"old-{name}"}) for name in NAMES]
        for chair in chairs:
            self.store.remember_player(f"old-{chair.name}", chair.name)
        game = samizdat.game("revolution", players=3)
        opened = site.house.open_table(game, chairs, "host", False, 7, manners=Manners(private=private))
        self.table: LiveTable = site.run(opened)
        self.seats = [site.browser(**PAGE) for _ in NAMES]
        self.watcher = site.browser(**PAGE)
        for seat, browser in enumerate(self.seats):
            browser.hold(self.table, seat)
        self.path = f"/table/{self.table.id}"

    def say(self, viewer: Viewer, sheet: str, words: str, **more: str) -> httpx.Response:
        browser = self.watcher if viewer is None else self.seats[viewer]
        seat = {} if viewer is None else {"seat": str(viewer)}
        return browser.post(f"{self.path}/talk", data={"sheet": sheet, "words": words, **seat, **more})

    def about(self, viewer: int, sheet: str, n: int, act: str, **more: str) -> httpx.Response:
        data = {"sheet": sheet, "n": str(n), "seat": str(viewer), "act": act, **more}
        return self.seats[viewer].post(f"{self.path}/line", data=data)

    def page(self, viewer: Viewer) -> str:
        browser, seat = (self.watcher, "") if viewer is None else (self.seats[viewer], f"?seat={viewer}")
        return browser.get(f"{self.path}{seat}").text

    def reads(self, viewer: Viewer) -> set[str]:
        """The words on the sheets of a viewer's page."""
        return set(re.findall(r"<span>(\w+)</span> <time", self.page(viewer)))

    def stream(self, viewer: Viewer, cursor: str = "") -> Follower:
        """A stream that has been told everything of the match."""
        ear = Ear(self.table, Listener("somebody", viewer, "en"), cursor)
        return Follower(
            self.table, viewer, self.table.history(viewer).version, lambda *_: {"parts": {}, "steps": []}, ear=ear
        )


@pytest.fixture
def circle(site: Site) -> Circle:
    return Circle(site)


def told(follower: Follower) -> list[str]:
    """What a stream sends of talk: each line aloud."""
    found = []
    for event in follower.due():
        kind, _, data = event.decode().partition("\ndata: ")
        if kind == "event: talk":
            found += [one["html"] for one in json.loads(data)["lines"]]
    return [html.unescape(words) for one in found for words in re.findall(r"</b><span>(.*?)</span>", one)]


def test_each_reads_its_own_sheets(circle: Circle) -> None:
    assert circle.say(0, "seats", "secretly").status_code == 303
    assert circle.say(1, "all", "everybody").status_code == 303
    assert circle.say(None, "all", "watching", name="Zofia").status_code == 303
    for seat in range(3):
        assert circle.reads(seat) == {"secretly", "everybody", "watching"}
    assert circle.reads(None) == {"everybody", "watching"}
    assert "secretly" not in circle.page(None)
    assert "Zofia" in circle.page(0)


def test_nobody_writes_on_a_sheet_of_others(circle: Circle) -> None:
    for viewer, sheet in ((None, "seats"), (None, "0-1"), (0, "1-2"), (0, "0-1"), (0, "nowhere"), (0, "")):
        assert circle.say(viewer, sheet, "words").status_code == 403
    answer = circle.watcher.post(f"{circle.path}/talk", data={"sheet": "seats", "words": "words", "seat": "0"})
    assert answer.status_code == 403
    assert len(circle.table.talk) == 0


def test_words_come_over_the_stream_to_those_who_read_them(circle: Circle) -> None:
    streams = {viewer: circle.stream(viewer) for viewer in circle.table.viewers}
    circle.say(0, "seats", "secretly")
    circle.say(1, "all", "everybody")
    assert {viewer: told(stream) for viewer, stream in streams.items()} == {
        None: ["everybody"],
        **{seat: ["secretly", "everybody"] for seat in range(3)},
    }
    assert not any(told(stream) for stream in streams.values()), "nothing twice"


def test_a_page_that_comes_back_is_told_what_it_missed(circle: Circle) -> None:
    circle.say(0, "seats", "before")
    cursor = Ear(circle.table, Listener("somebody", 1, "en")).cursor
    circle.say(0, "seats", "since")
    assert told(circle.stream(1, cursor)) == ["since"]
    assert told(circle.stream(1, "17.seats_1")) == ["before", "since"], "a page of another process"
    assert told(circle.stream(1, "x" * 5000)) == ["before", "since"]


@pytest.mark.parametrize("words", ["<script>alert(1)</script>", '<b>bold</b> & "quotes"', "{{ 7 * 7 }}"])
def test_hostile_words_are_words(circle: Circle, words: str) -> None:
    circle.say(0, "all", words)
    assert re.findall(r"</b><span>(.*?)</span> <time", circle.page(1)) == [str(escape(words))]
    assert told(circle.stream(1)) == [words]


def test_words_are_cleaned() -> None:
    assert talk.clean_words("  a \n\t b\x00\u202e c  ") == "a b c"
    assert talk.clean_words("x" * 1000) == "x" * talk.LONGEST_WORDS
    assert talk.clean_words("Z" + "\u0301" * 50) == "Z" + "\u0301" * talk.MOST_MARKS
    assert talk.clean_words("Żółć") == "Żółć"
    assert talk.clean_words(None) == ""


def test_nothing_said_is_refused(circle: Circle) -> None:
    assert circle.say(0, "seats", " \n ").status_code == 403
    assert len(circle.table.talk) == 0


def test_one_person_says_only_so_much_in_a_minute(circle: Circle) -> None:
    answers = [circle.say(0, "seats", f"line {n}").status_code for n in range(saying.MOST_A_MINUTE + 2)]
    assert answers == [303] * saying.MOST_A_MINUTE + [429] * 2
    assert circle.say(0, "all", "elsewhere").status_code == 429
    assert circle.say(1, "seats", "another").status_code == 303
    for line in circle.table.talk.sheet("seats").lines:
        line.at -= saying.MINUTE
    assert circle.say(0, "seats", "later").status_code == 303


def test_a_sheet_keeps_its_last_lines(circle: Circle, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(talk, "MOST_LINES", 3)
    monkeypatch.setattr("samizdat.table.store.talk.MOST_LINES", 3)
    for n in range(5):
        circle.say(0, "seats", f"line{n}")
    assert circle.reads(1) == {"line2", "line3", "line4"}
    assert [line.text for line in said_at(circle.store, circle.table.id)] == ["line2", "line3", "line4"]


def test_talk_is_there_after_a_restart(tmp_path: Path) -> None:
    with closing(Site(tmp_path)) as site:
        circle = Circle(site, private=True)
        circle.say(0, "seats", "secretly")
        circle.say(0, "0-1", "alone")
        stamp(circle, 1, "seats", 0, "medal")
        id, before = circle.table.id, circle.table.talk.sheets
    with closing(Site(tmp_path)) as site:
        table = site.run(site.house.find(id))
        assert table.manners == Manners(private=True)
        assert {name: sheet.lines for name, sheet in table.talk.sheets.items()} == {
            name: sheet.lines for name, sheet in before.items()
        }


def test_talk_is_no_part_of_a_match(circle: Circle) -> None:
    def facts() -> list[object]:
        match = circle.table.match
        assert match is not None
        found: list[object] = [match.dumps(), circle.table.journaled, circle.table.status]
        for viewer in circle.table.viewers:
            found += [match.dumps_seat(viewer), match.history(viewer).version, match.log(viewer)]
        return found

    before = facts()
    circle.say(0, "seats", "secretly")
    circle.say(0, "all", "everybody")
    assert facts() == before


# --- stamps ----------------------------------------------------------------------------------------------


def stamp(circle: Circle, viewer: Viewer, sheet: str, n: int, what: str) -> int:
    browser = circle.watcher if viewer is None else circle.seats[viewer]
    seat = {} if viewer is None else {"seat": str(viewer)}
    return browser.post(f"{circle.path}/stamp", data={"sheet": sheet, "n": str(n), "stamp": what, **seat}).status_code


def test_stamps_go_on_a_line_and_off_again(circle: Circle) -> None:
    circle.say(0, "all", "words")
    [line] = circle.table.talk.sheet("all").lines
    assert stamp(circle, 1, "all", 0, "medal") == stamp(circle, 2, "all", 0, "medal") == 303
    assert stamp(circle, None, "all", 0, "fire") == 303
    shown = re.search(r'class="put">.*?</span></span>', circle.page(1))
    assert shown is not None
    assert 'class="mine"' in shown[0]
    assert "Well played" in shown[0]
    assert stamp(circle, 1, "all", 0, "medal") == 303
    [line] = said_at(circle.store, circle.table.id)
    assert {what: len(those) for what, those in line.stamps.items()} == {"medal": 1, "fire": 1}
    assert circle.table.talk.sheet("all").lines == [line]


def test_stamps_on_nothing_are_refused(circle: Circle) -> None:
    circle.say(0, "seats", "words")
    assert stamp(circle, None, "seats", 0, "medal") == 403
    assert stamp(circle, 1, "seats", 1, "medal") == 403
    assert stamp(circle, 1, "seats", 0, "heart") == 403


# --- what somebody does not want -------------------------------------------------------------------------


def test_a_muted_person_is_overtyped_for_who_muted_them_alone(circle: Circle) -> None:
    circle.say(0, "seats", "words")
    assert circle.about(1, "seats", 0, "mute").status_code == 303
    assert re.search(r"<summary>.*show the words.*</summary><span>words</span>", circle.page(1))
    assert "show the words" not in circle.page(2)
    assert "show the words" not in circle.page(0)
    circle.about(1, "seats", 0, "unmute")
    assert "show the words" not in circle.page(1)


def test_words_that_somebody_mutes_are_overtyped(circle: Circle) -> None:
    circle.seats[1].post("/settings/talk", data={"words": "damn, (silly, "})
    circle.say(0, "seats", "That was a DAMN bid, damned (silly one")
    shown = circle.page(1)
    assert shown.count("show the word<") == 2
    assert "<span>DAMN</span>" in shown
    assert "<span> bid, damned </span>" in shown
    assert "show the word<" not in circle.page(2)
    assert "damn, (silly" in circle.seats[1].get("/settings").text


def test_a_blocked_person_gets_no_seat_and_says_nothing_in_private(site: Site) -> None:
    circle = Circle(site, private=True)
    circle.say(0, "seats", "words")
    assert circle.about(1, "seats", 0, "block").status_code == 303
    assert circle.say(0, "0-1", "psst").status_code == 403
    assert circle.say(1, "0-1", "psst").status_code == 303, "whoever blocks may still say something"
    data = {"name": "Nadia", "seat-0": "me", "seat-1": "open", "seat-2": "open"}
    made = circle.seats[1].post("/new/revolution", data={"variant": "standard", "players-standard": "3", **data})
    there = made.headers["location"]
    answer = circle.seats[0].post(f"{there}/sit", data={"seat": "1", "name": "Ludmila"})
    assert answer.status_code == 403
    assert "does not want you to sit here" in answer.text
    assert circle.seats[2].post(f"{there}/sit", data={"seat": "1", "name": "Piotr"}).status_code == 303
    page = circle.seats[1].get("/settings").text
    assert "Ludmila" in page
    again = re.search(r'name="again" value="([^"]+)"', page)
    assert again is not None
    circle.seats[1].post("/settings/talk", data={"again": again[1]})
    assert circle.seats[0].post(f"{there}/sit", data={"seat": "2", "name": "Ludmila"}).status_code == 303


def test_the_host_reads_what_the_reporter_read(site: Site) -> None:
    circle = Circle(site, private=True)
    circle.say(0, "seats", "before")
    circle.say(2, "0-2", "secret")
    circle.say(0, "seats", "insult")
    circle.say(1, "seats", "after")
    assert circle.about(1, "seats", 1, "report", why="rude").status_code == 303
    [report] = list_reports(circle.store)
    assert [one["text"] for one in report.words] == ["before", "insult"]
    assert (report.reporter, report.about, report.why, report.table) == ("Nadia", "Ludmila", "rude", circle.table.id)
    assert in_words(report).endswith("[seats] Ludmila: insult")
    site.run(site.house.remove(circle.table.id))
    assert list_reports(circle.store) == [report], "it stays when the table goes"
    assert close_report(circle.store, report.id)
    assert not close_report(circle.store, report.id)
    assert list_reports(circle.store) == []
    assert len(list_reports(circle.store, closed=True)) == 1


def test_nobody_reports_or_mutes_what_they_cannot_read(circle: Circle) -> None:
    circle.say(0, "seats", "words")
    for act in ("report", "mute", "block"):
        data = {"sheet": "seats", "n": "0", "act": act}
        assert circle.watcher.post(f"{circle.path}/line", data=data).status_code == 403
        assert circle.about(0, "seats", 0, act).status_code == 403, "one's own"
    assert circle.watcher.get(f"{circle.path}/talk/seats/0").status_code == 403
    assert list_reports(circle.store) == []


# --- in private ------------------------------------------------------------------------------------------


def test_private_talk_is_for_two(site: Site) -> None:
    circle = Circle(site, private=True)
    assert circle.say(0, "0-1", "alone").status_code == 303
    assert circle.reads(0) == circle.reads(1) == {"alone"}
    assert circle.reads(2) == circle.reads(None) == set()
    assert circle.say(2, "0-1", "me too").status_code == 403
    assert circle.watcher.get(f"{circle.path}/talk/0-1/0").status_code == 403


def test_who_comes_later_does_not_read_what_was_said_in_private(site: Site) -> None:
    circle = Circle(site, private=True)
    circle.say(0, "0-1", "psst")
    site.run(site.house.do(circle.table, ChangeSeat(1, "open", "")))
    newcomer = site.browser(**PAGE)
    assert newcomer.post(f"{circle.path}/sit", data={"seat": "1", "name": "Zofia"}).status_code == 303
    assert "psst" not in newcomer.get(f"{circle.path}?seat=1").text
    assert newcomer.get(f"{circle.path}/talk/0-1/0?seat=1").status_code == 403
    assert circle.reads(0) == {"psst"}
    circle.say(0, "0-1", "welcome")
    assert "welcome" in newcomer.get(f"{circle.path}?seat=1").text


def test_what_was_said_goes_a_while_after_the_match(circle: Circle) -> None:
    circle.say(0, "seats", "words")
    forget_talk(circle.store, 4e9)
    assert said_at(circle.store, circle.table.id), "while the match runs it stays"
    circle.store.set_table(circle.table.id, status="over", changed=1e9)
    forget_talk(circle.store, 2e9)
    assert not said_at(circle.store, circle.table.id)


# --- whose words they are --------------------------------------------------------------------------------


def test_a_name_that_is_taken_off_is_off_what_was_said(circle: Circle) -> None:
    circle.say(0, "seats", "words")
    circle.say(None, "all", "watching", name="Zofia")
    circle.seats[0].post("/settings/name-off")
    circle.watcher.post("/settings/name-off")
    lines = [line for sheet in circle.table.talk.sheets.values() for line in sheet.lines]
    assert {line.name for line in lines} == {"Somebody"}
    assert {line.name for line in said_at(circle.store, circle.table.id)} == {"Somebody"}


def test_who_goes_altogether_leaves_no_words(circle: Circle) -> None:
    circle.say(None, "all", "watching", name="Zofia")
    circle.say(0, "all", "hello")
    circle.watcher.post(f"{circle.path}/line", data={"sheet": "all", "n": "1", "act": "block"})
    stamp(circle, None, "all", 1, "medal")
    circle.watcher.post("/settings/delete")
    [one, other] = said_at(circle.store, circle.table.id)
    assert (one.text, one.name, other.text, other.stamps) == ("", "Somebody", "hello", {})
    assert "Zofia" not in circle.page(0)
    assert "watching" not in circle.page(0)


def test_an_archive_has_what_one_said_and_does_not_want(circle: Circle) -> None:
    circle.say(0, "seats", "mine")
    circle.say(1, "seats", "theirs")
    circle.about(0, "seats", 1, "mute")
    circle.about(0, "seats", 1, "report", why="rude")
    circle.seats[0].post("/settings/talk", data={"words": "damn"})
    with zipfile.ZipFile(io.BytesIO(circle.seats[0].get("/settings/data").content)) as archive:
        about = json.loads(archive.read("about.json"))
    assert [one["words"] for one in about["said"]] == ["mine"]
    assert [one["why"] for one in about["reported"]] == ["rude"]
    assert (about["muted"], about["blocked"], about["muted_words"]) == (["Nadia"], [], ["damn"])
