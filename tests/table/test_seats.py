"""Who may take a hand that was freed in the middle of a match, and that everybody sees every change of a seat."""

from __future__ import annotations

import html
import random
import re
import time
from contextlib import closing
from pathlib import Path

import httpx
import pytest
from sqlalchemy import update

import samizdat
from samizdat.table.commands import ChangeSeat, Play, TakeBack
from samizdat.table.drawings import looked_at
from samizdat.table.journal import Seating
from samizdat.table.seats import DAY, GOOD_FOR
from samizdat.table.store.schema import seats
from samizdat.table.tables import LiveTable
from samizdat.table.viewing import look
from tests.table.conftest import Browser, Site
from tests.table.forms import two_open

BOTH_DATABASES = True

PAGE = {"accept": "text/html", "accept-language": "en"}
REFUSED = "This hand waits for whoever had it"


class Club:
    """A running match of a host, two guests who came by their links, and a bot."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.host, self.nadia, self.piotr, self.stranger = (site.browser(**PAGE) for _ in range(4))
        data = {"name": "Ludmila", "seat-0": "me", "seat-1": "open", "seat-2": "open", "seat-3": "bot-novice"}
        made = self.host.post("/new/revolution", data={"variant": "standard", "players-standard": "4", **data})
        self.table: LiveTable = site.run(site.house.find(made.headers["location"].removeprefix("/table/")))
        for browser, seat, name in ((self.nadia, 1, "Nadia"), (self.piotr, 2, "Piotr")):
            assert browser.post(f"/sit/{self.table.chairs[seat].key}", data={"name": name}).status_code == 303
        assert self.table.match is not None
        self.bot = self.table.chairs[3].name

    def change(self, seat: int, kind: str, **more: str) -> None:
        answer = self.host.post(f"/table/{self.table.id}/seats", data={"seat": str(seat), "kind": kind, **more})
        assert answer.status_code == 303

    def by_table(self, browser: Browser, seat: int, name: str = "Zofia") -> httpx.Response:
        return browser.post(f"/table/{self.table.id}/sit", data={"seat": str(seat), "name": name})

    def by_link(self, browser: Browser, seat: int, name: str = "Zofia") -> httpx.Response:
        return browser.post(f"/sit/{self.table.chairs[seat].key}", data={"name": name})


@pytest.fixture
def club(site: Site) -> Club:
    return Club(site)


def told(table: LiveTable, viewer: int | None = None) -> list[str]:
    """What the record says of seats."""
    return [str(entry.line) for entry in looked_at(table, viewer).entries if not entry.line.rule]


# --- who may --------------------------------------------------------------------------------------------------


def test_nobody_who_is_at_the_table_looks_into_a_freed_hand(club: Club) -> None:
    club.change(1, "open")
    for browser in (club.host, club.piotr):
        for way in (club.by_table, club.by_link):
            answer = way(browser, 1)
            assert answer.status_code == 403
    assert club.table.chairs[1].kind == "open"
    assert REFUSED in club.by_link(club.piotr, 1).text


def test_nor_does_whoever_gave_up_a_seat_for_that(club: Club) -> None:
    """The host frees both seats and comes back to the wrong one."""
    club.change(1, "open")
    club.change(0, "bot-novice")
    assert club.table.held_by(next(iter(club.table.seatings[-1].held))) == []
    for way in (club.by_table, club.by_link):
        answer = way(club.host, 1)
        assert answer.status_code == 403
        assert REFUSED in answer.text
    assert club.table.chairs[1].kind == "open"


def test_nor_does_whoever_opened_the_table_and_only_looks_on(site: Site) -> None:
    host, guest = site.browser(**PAGE), site.browser(**PAGE)
    data = {"name": "Ludmila", "seat-0": "open", "seat-1": "bot-novice", "seat-2": "bot-novice"}
    made = host.post("/new/revolution", data={"players-standard": "3", "variant": "standard", **data})
    table = site.run(site.house.find(made.headers["location"].removeprefix("/table/")))
    guest.post(f"/sit/{table.chairs[0].key}", data={"name": "Nadia"})
    host.post(f"/table/{table.id}/seats", data={"seat": "0", "kind": "open"})
    answer = host.post(f"/sit/{table.chairs[0].key}", data={"name": "Nadia"})
    assert answer.status_code == 403
    assert REFUSED in answer.text


def test_nobody_sits_down_at_the_hosts_own_screen_where_there_is_a_hand(club: Club) -> None:
    """A guest's, a freed one, or one that a bot has had."""
    club.change(2, "open")
    for seat in (1, 2, 3):
        before = club.table.chairs[seat]
        answer = club.host.post(f"/table/{club.table.id}/seats", data={"seat": str(seat), "kind": "here"})
        assert answer.status_code == 403
        assert "its hand stays its own" in answer.text
        assert club.table.chairs[seat] == before


def test_a_freed_hand_waits_for_its_owner(club: Club) -> None:
    club.change(1, "open")
    assert club.by_table(club.nadia, 1, "Nadia").status_code == 303
    assert 'data-seat="1"' in club.nadia.get(f"/table/{club.table.id}").text
    club.change(1, "bot-novice")
    club.change(1, "open")
    assert club.by_link(club.nadia, 1, "Nadia").status_code == 303, "a bot kept it for her"


def test_or_for_somebody_who_was_not_at_the_table(club: Club) -> None:
    club.change(1, "open")
    assert club.by_table(club.stranger, 1).status_code == 303
    assert club.table.chairs[1].name == "Zofia"
    club.change(1, "open")
    assert club.by_table(club.nadia, 1).status_code == 403, "it is another one's hand now"
    assert club.by_table(club.stranger, 1).status_code == 303


def test_programs_are_held_to_the_same(site: Site) -> None:
    there = site.browser_at("203.0.113.7")
    seats = [{"kind": "me"}, {"kind": "open"}, {"kind": "bot"}]
    id = there.post("/api/tables", json={"game": "revolution", "seats": seats}).json()["id"]
    elsewhere = site.browser_at("198.51.100.9")
    assert elsewhere.post(f"/api/tables/{id}/join", json={}).status_code == 201
    table = site.run(site.house.find(id))
    site.run(site.house.do(table, ChangeSeat(1, "open", "")))
    refused = there.post(f"/api/tables/{id}/join", json={})
    assert refused.status_code == 403
    assert refused.json()["error"].startswith(REFUSED)
    assert elsewhere.post(f"/api/tables/{id}/join", json={}).status_code == 201


def test_before_the_match_everybody_may_change_seats(site: Site) -> None:
    host, guest = site.browser(**PAGE), site.browser(**PAGE)
    data = {"name": "Ludmila", "seat-0": "open", "seat-1": "open"}
    made = host.post("/new/dual-powers", data=data)
    table = site.run(site.house.find(made.headers["location"].removeprefix("/table/")))
    assert host.post(f"/sit/{table.chairs[1].key}", data={"name": "Ludmila"}).status_code == 303
    host.post(f"/table/{table.id}/seats", data={"seat": "1", "kind": "open"})
    assert host.post(f"/sit/{table.chairs[0].key}", data={"name": "Ludmila"}).status_code == 303
    assert guest.post(f"/sit/{table.chairs[1].key}", data={"name": "Nadia"}).status_code == 303
    assert table.match is not None
    assert told(table) == []


# --- what is told ---------------------------------------------------------------------------------------------


def test_every_change_of_a_seat_stands_in_the_record(club: Club) -> None:
    club.change(1, "open")
    club.by_table(club.nadia, 1, "Nadia")
    club.change(1, "open")
    club.by_link(club.stranger, 1, "Nadia")
    club.change(1, "bot-expert")
    bot = club.table.chairs[1].name
    club.change(3, "open")
    club.change(3, "bot-random")
    other = club.table.chairs[3].name
    lines = [
        "Seat 2 is free; Nadia played there.",
        "Seat 2: Nadia is back.",
        "Seat 2 is free; Nadia played there.",
        "Seat 2: Nadia plays on for Nadia.",
        f"Seat 2: the bot {bot} plays on for Nadia.",
        f"Seat 4 is free; {club.bot} played there.",
        f"Seat 4: the bot {other} plays on for {club.bot}.",
    ]
    for viewer in club.table.viewers:
        assert told(club.table, viewer) == lines
    for browser in (club.host, club.piotr, club.stranger, club.site.browser(**PAGE)):
        page = html.unescape(re.sub("<[^>]*>", "", browser.get(f"/table/{club.table.id}").text))
        assert re.findall(r"Seat \d(?: is free; |: )[^.]*\.", page) == lines[::-1], "the latest stands first"
    log = club.site.browser().get(f"/api/tables/{club.table.id}/log").json()["lines"]
    assert [line["text"] for line in log if not line["rule"]] == lines


def test_a_seat_at_one_screen_that_changes_its_name_is_told(club: Club) -> None:
    club.change(0, "here", name="Wanda")
    assert told(club.table) == ["Seat 1: Wanda plays on for Ludmila."]


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("it", ["Il posto 2 è libero", "Posto 2: Nadia è di nuovo al tavolo", "Posto 2: il bot"]),
        ("de", ["Platz 2 ist frei", "Platz 2: Nadia ist wieder da", "Platz 2: Der Bot"]),
        ("pl", ["Miejsce 2 jest wolne", "Miejsce 2: Nadia wraca do gry", "Miejsce 2: bot"]),
    ],
)
def test_it_is_told_in_the_readers_language(club: Club, code: str, words: list[str]) -> None:
    club.change(1, "open")
    club.by_table(club.nadia, 1, "Nadia")
    club.change(1, "bot-novice")
    page = html.unescape(
        re.sub("<[^>]*>", "", club.site.browser(cookie=f"lang={code}").get(f"/table/{club.table.id}").text)
    )
    for said in words:
        assert said in page


def test_names_in_the_record_are_only_text(club: Club) -> None:
    club.change(1, "open")
    club.by_table(club.stranger, 1, "<b>{0}%s</b>")
    club.change(1, "open")
    page = club.host.get(f"/table/{club.table.id}").text
    assert "&lt;b&gt;{0}%s&lt;/b&gt; played there" in page


def test_those_who_look_on_are_told_at_once(club: Club) -> None:
    before = {viewer: club.table.changes.get(viewer, 0) for viewer in club.table.viewers}
    versions = {viewer: club.table.history(viewer).version for viewer in club.table.viewers}
    club.change(1, "open")
    assert all(club.table.changes[viewer] > before[viewer] for viewer in club.table.viewers)
    assert versions == {viewer: club.table.history(viewer).version for viewer in club.table.viewers}


# --- where it stands ------------------------------------------------------------------------------------------


def logs(table: LiveTable) -> dict[int | None, list[tuple[str, str]]]:
    return {
        viewer: [(entry.label, str(entry.line)) for entry in looked_at(table, viewer).entries]
        for viewer in table.viewers
    }


@pytest.mark.parametrize("name", ["revolution", "war-of-whispers", "dual-powers"])
def test_the_record_is_the_same_after_a_restart_takings_back_included(tmp_path: Path, name: str) -> None:
    """Changes of seats stay between the decisions they came between, for everybody in the same order."""
    site = Site(tmp_path)
    table = site.table(samizdat.game(name))
    dice = random.Random(11)
    undone = changed = 0
    for number in range(120):
        assert table.match is not None
        if table.match.over:
            break
        seat = dice.choice(table.match.turn)
        site.run(site.house.do(table, Play(seat, [dice.choice(table.match.legal(seat))])))
        if dice.random() < 0.3:
            other = dice.randrange(table.game.players)
            site.run(site.house.do(table, ChangeSeat(other, "bot", f"Bot{number}", level="random")))
            changed += 1
        if table.may_undo(seat) and dice.random() < 0.5:
            site.run(site.house.do(table, TakeBack(seat)))
            undone += 1
    assert undone > 2
    assert changed > 5
    before = logs(table)
    public = before[None]
    for viewer in table.viewers:
        assert [one for one in before[viewer] if one[0] == "·"] == [one for one in public if one[0] == "·"]
        common = [text for label, text in before[viewer] if label == "·" or text in {text for _, text in public}]
        assert common == [text for _, text in public if text in set(common)]
    site.close()
    with closing(Site(tmp_path)) as again:
        assert logs(again.run(again.house.find(table.id))) == before


def test_a_change_between_two_decisions_stays_between_them(site: Site) -> None:
    table = site.table(samizdat.game("war-of-whispers", players=2))
    site.wander(table, 6)
    lines = len(looked_at(table, None).entries)
    site.run(site.house.do(table, ChangeSeat(0, "bot", "Ada", level="random")))
    site.wander(table, 6)
    assert [entry.label for entry in looked_at(table, None).entries].index("·") == lines
    steps = table.history(None).observations
    past = look(table, None, len(steps) // 4).entries
    assert "·" not in [entry.label for entry in past], "not yet, in a look back"


def test_what_is_fresh_is_what_came_after_ones_own_decision(site: Site) -> None:
    table = site.table(samizdat.game("war-of-whispers", players=2))
    assert table.match is not None
    site.run(site.house.do(table, ChangeSeat(1, "bot", "Ada", level="random")))
    assert [entry.fresh for entry in looked_at(table, 0).entries if entry.label == "·"] == [True]
    while 0 not in table.match.turn:
        site.run(site.house.do(table, Play(1, [table.match.legal(1)[0]])))
    site.run(site.house.do(table, Play(0, [table.match.legal(0)[0]])))
    assert [entry.fresh for entry in looked_at(table, 0).entries if entry.label == "·"] == [False]


def test_a_replay_tells_it_too(site: Site) -> None:
    table = site.table(samizdat.game("revolution", max_rounds=1))
    site.wander(table, 4)
    site.run(site.house.do(table, ChangeSeat(1, "bot", "Ada", level="random")))
    site.wander(table, 10_000)
    replay = site.run(site.app.state.replays.of(table))
    found = [number for number, moment in enumerate(replay.moments) for line in moment.lines if not line.rule]
    assert found == [4]
    assert "the bot Ada plays on for" in site.browser(**PAGE).get(f"/table/{table.id}/replay").text


def test_a_change_that_cannot_be_stored_did_not_happen(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    table = site.table(samizdat.game("revolution"))

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(site.house.store, "set_seat", full)
    with pytest.raises(OSError, match="No space"):
        site.run(site.house.do(table, ChangeSeat(1, "open", "")))
    assert table.chairs[1].kind == "person"
    assert table.seatings == []


def test_seatings_are_kept_with_who_had_the_hand(site: Site) -> None:
    table = site.table(samizdat.game("revolution"), holder="p0")
    site.run(site.house.do(table, ChangeSeat(1, "open", "")))
    [kept] = site.house.store.seatings(table.id)
    assert kept == Seating(seat=1, kind="open", name="", was="Player 1", back=False, held=frozenset({"p0"}), after=0)


def test_whoever_is_invited_chooses_among_the_free_seats(site: Site) -> None:
    """And the link of the seat they chose leads whoever has it to the one that is left."""
    host, early, late = site.browser(**PAGE), site.browser(**PAGE), site.browser(**PAGE)
    table = two_open(site, host)
    first, second = table.chairs[1].key, table.chairs[2].key
    asked = early.get(f"/sit/{first}").text
    assert re.findall(r'name="seat" value="(\d)"( checked)?', asked) == [("1", " checked"), ("2", "")]
    assert early.post(f"/sit/{first}", data={"name": "Nadia", "seat": "2"}).status_code == 303
    assert [chair.name for chair in table.chairs][1:3] == ["", "Nadia"]
    assert table.chairs[2].key not in (first, second), "a seat that is taken has a link of its own"
    assert late.get(f"/sit/{first}").status_code == 404
    assert table.chairs[1].key == second
    assert site.house.store.seat_of_key(second) == (table.id, 1), "as the store knows, too"
    assert late.post(f"/sit/{second}", data={"name": "Piotr"}).status_code == 303
    assert [chair.name for chair in table.chairs][1:3] == ["Piotr", "Nadia"]
    assert table.match is not None


def test_a_link_to_a_seat_ends_after_a_while_and_can_be_renewed(site: Site) -> None:
    """What is stored counts. Who holds a seat keeps it."""
    host, early, late = (site.browser(**PAGE) for _ in range(3))
    table = two_open(site, host)
    assert early.post(f"/sit/{table.chairs[1].key}", data={"name": "Nadia"}).status_code == 303
    old, own = table.chairs[2].key, table.chairs[1].key
    aged = update(seats).where(seats.c.table == table.id).values(keyed=time.time() - (GOOD_FOR + 1) * DAY)
    site.house.store.writer.do(lambda db: db.execute(aged) and site.house.store.stir(db, [table.id]))
    site.run(site.house.read_again(table.id))
    for answer in (late.get(f"/sit/{old}"), late.post(f"/sit/{old}", data={"name": "Piotr"})):
        assert answer.status_code == 404
        assert "too old" in answer.text
    assert "too old" in host.get(f"/table/{table.id}?invite=2").text
    assert site.browser(**PAGE).post(f"/sit/{own}").status_code == 303, "another browser of whoever sits there"
    assert host.post(f"/table/{table.id}/seats", data={"seat": "2", "kind": "open"}).status_code == 303
    table = site.run(site.house.find(table.id))
    fresh = table.chairs[2].key
    assert "14 days" in host.get(f"/table/{table.id}?invite=2").text
    assert late.post(f"/sit/{old}", data={"name": "Piotr"}).status_code == 404, "the old one leads nowhere"
    assert late.post(f"/sit/{fresh}", data={"name": "Piotr"}).status_code == 303
