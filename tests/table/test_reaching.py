"""How somebody says how to be reached: addresses that are taken and refused, quiet hours, holidays, the calendar; and
that all of it goes along, and goes away, with its owner."""

from __future__ import annotations

import io
import json
import re
import shutil
import time
import zipfile
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import func, select

import samizdat
from samizdat.table.calendars import Deadline, calendar
from samizdat.table.clocks import DAY
from samizdat.table.outgoing import Unreachable, check_url, post
from samizdat.table.quiet import days_taken, quiet_until
from samizdat.table.store.messages import Outbox
from samizdat.table.store.schema import holidays, messages, reaches, ways
from samizdat.table.timekeeping import Timekeeper
from tests.table.conftest import Site, new_data
from tests.table.test_clocks import PAGE, TWO_DAYS, Hour, clock, look, timed
from tests.table.test_timekeeping import as_player

SETTINGS = {"private_hooks": True, "mail_from": "table@samizdat.test", "smtp": "smtp://127.0.0.1:9"}
NOTICES = "/settings/notices"


@pytest.mark.parametrize(
    "address", ["", "nadia", "a@b\nBcc: all@example.org", "a b@example.org", "x" * 300 + "@a.org"]
)
def test_what_is_no_address_is_refused(site: Site, address: str) -> None:
    answer = site.browser(**PAGE).post(f"{NOTICES}/mail", data={"address": address})
    assert answer.status_code == 422
    assert "This is not an address for letters." in answer.text


def test_nobody_has_others_written_to_all_day(site: Site) -> None:
    browser = site.browser(**PAGE)
    browser.get("/")
    answers = [browser.post(f"{NOTICES}/mail", data={"address": "a@example.org"}).status_code for _ in range(6)]
    assert answers == [303] * 5 + [422]
    other = site.browser(**PAGE)
    assert other.post(f"{NOTICES}/mail", data={"address": "A@example.org"}).status_code == 422


# --- whom nobody may send to -----------------------------------------------------------------------------

PRIVATE = [
    "http://example.org/", "https://127.0.0.1/", "https://localhost/", "https://10.0.0.1/x", "https://[::1]/",
    "https://169.254.169.254/latest", "https://192.168.1.1/", "https://user:pw@example.org/", "ftp://example.org/",
    "https://", "nonsense", "https://printer.local/", "https://[::ffff:127.0.0.1]/", "https://ex ample.org/",
]  # fmt: skip


@pytest.mark.parametrize("url", PRIVATE)
def test_only_servers_of_the_public_network_are_sent_to(url: str) -> None:
    with pytest.raises(Unreachable):
        post(url, b"{}", {})


def test_a_name_that_leads_home_is_not_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    there = [(2, 1, 6, "", ("93.184.216.34", 443)), (2, 1, 6, "", ("127.0.0.1", 443))]
    monkeypatch.setattr("socket.getaddrinfo", lambda *_, **__: there)
    check_url("https://example.org/", False)
    with pytest.raises(Unreachable):
        post("https://example.org/", b"{}", {})


def test_a_hook_that_nobody_may_send_to_is_refused_at_once(tmp_path: Path) -> None:
    shutil.copytree(new_data(), tmp_path, dirs_exist_ok=True)
    with closing(Site(tmp_path)) as site:
        browser = site.browser(**PAGE)
        answer = browser.post(f"{NOTICES}/hook", data={"url": "https://127.0.0.1/x"})
        assert answer.status_code == 422
        assert "not on the public network" in answer.text
        push = {"endpoint": "https://10.1.1.1/x", "keys": {"p256dh": "a", "auth": "b"}}
        assert browser.post(f"{NOTICES}/push", json=push).status_code == 422
        assert browser.post(f"{NOTICES}/mail", data={"address": "a@example.org"}).status_code == 422


class Reach:
    quiet_from, quiet_to, zone = 23 * 60, 7 * 60, "Europe/Warsaw"


@pytest.mark.parametrize(
    ("hour", "until"), [("21:59", None), ("22:00", "06:00"), ("03:30", "06:00"), ("06:00", None), ("12:00", None)]
)
def test_quiet_hours_are_those_of_the_clock_where_somebody_is(hour: str, until: str | None) -> None:
    """Winter in Warsaw is an hour ahead of UTC."""
    day = 1_767_225_600.0  # 1 January 2026, midnight UTC
    minutes = int(hour[:2]) * 60 + int(hour[3:])
    found = quiet_until(Reach, day + 60 * minutes)
    wanted = None if until is None else day + 3600 * 6 + (DAY if minutes > 12 * 60 else 0)
    assert found == wanted


@pytest.mark.parametrize("wrong", [{"from": "25:00", "to": "07:00"}, {"from": "23:00"}, {"zone": "Mars/Olympus"}])
def test_hours_that_are_none_are_refused(site: Site, wrong: dict[str, str]) -> None:
    data = {"from": "", "to": "", "zone": "UTC"} | wrong
    assert site.browser(**PAGE).post(f"{NOTICES}/hours", data=data).status_code == 422


# --- holidays --------------------------------------------------------------------------------------------


def day(days: int) -> str:
    return (datetime.now(UTC).date() + timedelta(days)).isoformat()


def test_the_time_of_whoever_is_away_stands_still(site: Site) -> None:
    hour, keeper = Hour(site), Timekeeper(site.house)
    table = timed(site, samizdat.game("war-of-whispers", players=2), TWO_DAYS)
    [seat] = clock(table).running
    browser = site.browser(**PAGE)
    as_player(site, browser, f"p{seat}")
    hour.value += DAY
    assert browser.post(f"{NOTICES}/holiday", data={"first": day(0), "last": day(3)}).status_code == 303
    site.run(keeper.look_who_is_away(time.time()))
    assert clock(table).dials[seat].paused
    hour.value += 20 * DAY
    look(site)
    assert clock(table).left(seat, hour.value) == DAY
    assert "on holiday" in browser.get(f"/table/{table.id}").text
    site.run(keeper.look_who_is_away(time.time() + 5 * DAY))
    assert not clock(table).dials[seat].paused
    hour.value += 3600
    assert clock(table).left(seat, hour.value) == DAY - 3600


@pytest.mark.parametrize(("first", "last"), [(-1, 2), (3, 2), (0, 70), (5, 6), (6, 20), (900, 901)])
def test_holidays_that_are_over_too_long_or_taken_are_refused(site: Site, first: int, last: int) -> None:
    browser = site.browser(**PAGE)
    browser.get("/")
    browser.post(f"{NOTICES}/holiday", data={"first": day(5), "last": day(7)})
    answer = browser.post(f"{NOTICES}/holiday", data={"first": day(first), "last": day(last)})
    assert answer.status_code == 422
    assert 'class="wrong"' in answer.text
    assert browser.post(f"{NOTICES}/holiday", data={"first": "soon"}).status_code == 422


def test_days_are_counted_by_the_year_and_once() -> None:
    first, last = datetime(2026, 12, 25).date(), datetime(2027, 1, 3).date()
    assert [days_taken([(first, last), (first, first)], year) for year in (2026, 2027, 2028)] == [7, 3, 0]


def test_who_does_not_go_has_taken_nothing(site: Site) -> None:
    browser = site.browser(**PAGE)
    browser.get("/")
    browser.post(f"{NOTICES}/holiday", data={"first": day(10), "last": day(12)})
    assert "27 days left this year" in browser.get(NOTICES).text or day(12)[:4] != day(0)[:4]
    browser.post(f"{NOTICES}/holiday", data={"first": day(10), "remove": "on"})
    assert "30 days left this year" in browser.get(NOTICES).text


# --- the calendar ----------------------------------------------------------------------------------------


def test_a_calendar_has_a_secret_address_and_says_until_when_one_decides(site: Site) -> None:
    Hour(site)
    table = timed(site, samizdat.game("war-of-whispers", players=2), TWO_DAYS)
    [seat] = clock(table).running
    mine, other = site.browser(**PAGE), site.browser(**PAGE)
    for browser, who in ((mine, seat), (other, 1 - seat)):
        as_player(site, browser, f"p{who}")
        browser.post(f"{NOTICES}/feed")
    address, empty = (re.findall(r"/calendar/[\w-]+\.ics", one.get(NOTICES).text)[0] for one in (mine, other))
    program = site.browser()
    text = program.get(address).text
    assert "VEVENT" not in program.get(empty).text
    lines = text.replace("\r\n ", "").split("\r\n")
    assert (lines[0], lines[-2], lines[-1]) == ("BEGIN:VCALENDAR", "END:VCALENDAR", "")
    facts = dict(line.split(":", 1) for line in lines if ":" in line)
    ends = datetime.strptime(facts["DTEND"], "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
    assert abs((ends - datetime.now(UTC)).total_seconds() - 2 * DAY) < 300
    assert facts["SUMMARY"] == "It is your turn: A War of Whispers"
    assert facts["URL"] == f"http://table/table/{table.id}"
    mine.post(f"{NOTICES}/feed")
    assert program.get(address).status_code == 404, "a new address ends the old one"
    assert program.get("/calendar/x.ics").status_code == 404


def test_lines_of_a_calendar_are_folded_between_letters() -> None:
    words, link = "Zażółć; gęślą, jaźń \\ " * 8, f"https://a.example/{'x' * 90}"
    text = calendar("Ł" * 60, [Deadline("a", words, link, 0.0)], 0.0)
    assert all(len(line.encode()) <= 75 for line in text.split("\r\n"))
    assert "Zażółć\\; gęślą\\, jaźń \\\\" in text.replace("\r\n ", "")


# --- whose it is -----------------------------------------------------------------------------------------


def test_everything_goes_along_and_goes_away_with_its_owner(site: Site) -> None:
    browser = site.browser(**PAGE)
    browser.get("/")
    browser.post(f"{NOTICES}/hook", data={"url": "http://127.0.0.1:9/x"})
    browser.post(f"{NOTICES}/mail", data={"address": "nadia@example.org"})
    browser.post(f"{NOTICES}/holiday", data={"first": day(5), "last": day(7)})
    browser.post(f"{NOTICES}/feed")
    with zipfile.ZipFile(io.BytesIO(browser.get("/settings/data").content)) as archive:
        about = json.loads(archive.read("about.json"))
    assert {way["address"] for way in about["ways_to_be_told"]} == {"nadia@example.org", "http://127.0.0.1:9/x"}
    assert about["holidays"] == [{"first": day(5), "last": day(7)}]
    assert "secret" not in json.dumps(about)
    site.house.store.remember_player("account", "Nadia")
    guest = str(site.app.state.visitors._signer.loads(browser.client.cookies["samizdat"]))
    site.run(site.house.come_along(guest, "account"))
    assert len(Outbox(site.house.store).ways("account")) == 2
    site.run(site.app.state.leaving.erase("account"))
    with site.house.store.engine.connect() as db:
        for table in (ways, reaches, messages, holidays):
            assert db.execute(select(func.count()).select_from(table)).scalar_one() == 0


def test_nobody_changes_the_ways_of_others(site: Site) -> None:
    mine, other = site.browser(**PAGE), site.browser(**PAGE)
    mine.get("/")
    mine.post(f"{NOTICES}/hook", data={"url": "http://127.0.0.1:9/x"})
    [way] = Outbox(site.house.store).ways(str(site.app.state.visitors._signer.loads(mine.client.cookies["samizdat"])))
    for act in ("remove", "try"):
        other.post(f"{NOTICES}/way", data={"id": way.id, act: "on"})
    assert way.secret in mine.get(NOTICES).text
    assert way.address not in other.get(NOTICES).text
    with site.house.store.engine.connect() as db:
        assert db.execute(select(func.count()).select_from(messages)).scalar_one() == 0
