"""The host's page, on both databases: who comes in, what it shows, what it does, and what it never tells."""

from __future__ import annotations

import html
import random
import re
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from sqlalchemy import insert, select, update

import samizdat
from samizdat.conformance.walks import another_world
from samizdat.kernel.game import Game
from samizdat.table import cards, host_page
from samizdat.table.backups import last_backups
from samizdat.table.delays import FIVE, ROUND
from samizdat.table.importing import stored_state
from samizdat.table.manners import NOBODY, SEATED, Manners
from samizdat.table.retention import WHAT, keep_for, let_go_daily
from samizdat.table.seats import Seat, new_key
from samizdat.table.store import barring, hosts
from samizdat.table.store.schema import backups, journal, metadata, reports, tables
from samizdat.table.tables import LiveTable
from tests.conftest import full_tables, label, plain_games
from tests.table.conftest import Browser, Site
from tests.table.test_admin import admin

BOTH_DATABASES = True
PAGE = {"accept": "text/html", "accept-language": "en"}
DAY = 24 * 3600.0
PATHS = (
    "/host", "/host/", "/host/enter/x", f"/host/enter/{'x' * 43}", "/host/leave", "/host/freeze", "/host/thaw",
    "/host/reports", "/host/bans", "/host/let-in", "/host/keeping", "/host/backup", "/host/anything/else",
)  # fmt: skip


def host(site: Site) -> Browser:
    """A browser that came in by a link."""
    browser = site.browser(**PAGE)
    link = admin(site, "host-link").strip().removeprefix("http://localhost:1917")
    assert browser.get(link).status_code == 200
    assert browser.post(link).headers["location"] == "/host"
    return browser


def read(browser: Browser) -> str:
    answer = browser.get("/host")
    assert answer.status_code == 200, answer.text
    return html.unescape(answer.text)


def title(browser: Browser) -> str:
    found = re.search(r"<h1[^>]*>(.*?)</h1>", read(browser))
    assert found is not None
    return found[1]


# --- who comes in ----------------------------------------------------------------------------------------


def told(answer: httpx.Response, path: str) -> tuple[object, ...]:
    headers = {name: value for name, value in answer.headers.items() if name not in ("date", "set-cookie")}
    return answer.status_code, headers, answer.content.replace(path.encode(), b"PATH")


@pytest.mark.parametrize("accept", ["text/html", "application/json"])
def test_to_everybody_else_there_is_no_such_page(site: Site, accept: str) -> None:
    """By nothing in the answer, whatever is asked and however."""
    browser = site.browser(accept=accept)
    browser.get("/")
    browser.client.cookies.set("samizdat-host", "y" * 43)
    for method in ("GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"):
        nowhere = told(site.run(browser.client.request(method, "/nowhere/at/all")), "/nowhere/at/all")
        for path in PATHS:
            answer = site.run(browser.client.request(method, path, follow_redirects=False))
            assert told(answer, path) == nowhere, (method, path)


def test_the_paths_here_are_those_that_there_are(site: Site) -> None:
    parts = [getattr(one, "original_router", None) for one in site.app.routes]
    known = {route.path for part in parts if part is not None for route in part.routes}
    there = {path for path in known if path.startswith("/host")} - {"/host/{rest:path}"}
    assert there == {"/host", "/host/enter/{secret}", *(path for path in PATHS if path.count("/") == 2 and path[6:])}


def test_a_link_lets_one_browser_in_once_and_looking_does_not_use_it_up(site: Site) -> None:
    link = admin(site, "host-link", "--base", "https://club.example/").strip()
    assert link.startswith("https://club.example/host/enter/")
    path = link.removeprefix("https://club.example")
    first, second = site.browser(**PAGE), site.browser(**PAGE)
    for browser in (first, second, first):
        assert browser.get(path).status_code == 200
    came = first.post(path)
    assert came.status_code == 303
    cookie = came.headers["set-cookie"]
    assert all(word in cookie for word in ("HttpOnly", "SameSite=strict", "Path=/host"))
    assert "Secure" not in cookie, "over plain http no browser would send it back"
    site.app.state.visitors._secure = True
    secure = site.browser(**PAGE).post(f"/host/enter/{hosts.new_link(site.house.store)}").headers["set-cookie"]
    assert "Secure" in secure
    assert first.get("/host").status_code == 200
    assert (second.post(path).status_code, second.get(path).status_code) == (404, 404)
    assert second.get("/host").status_code == 404


def test_links_and_rights_end_by_themselves(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    store = site.house.store
    browser, link = host(site), hosts.new_link(store)
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + hosts.LINK_LASTS + 1)
    assert not hosts.is_link(store, link)
    assert hosts.enter(store, link, "") is None
    assert browser.get("/host").status_code == 200
    monkeypatch.setattr(time, "time", lambda: now + hosts.IDLE + hosts.LINK_LASTS + 60)
    assert browser.get("/host").status_code == 404, "it was not here for a week"
    for days in range(0, 31, 5):
        monkeypatch.setattr(time, "time", lambda days=days: now + days * DAY + 60)
        assert (browser.get("/host").status_code == 200) == (days < 30), days


def test_rights_are_taken_at_once(site: Site) -> None:
    one, two, three = host(site), host(site), host(site)
    assert read(one).count("last here") == 3
    assert one.post("/host/leave", data={"who": "others"}).headers["location"] == "/host#browsers"
    assert [browser.get("/host").status_code for browser in (one, two, three)] == [200, 404, 404]
    assert one.post("/host/leave").headers["location"] == "/"
    assert one.get("/host").status_code == 404
    four, link = host(site), hosts.new_link(site.house.store)
    assert "No browser is the host's" in admin(site, "host-link", "--revoke")
    assert four.get("/host").status_code == 404
    assert not hosts.is_link(site.house.store, link)


def test_the_database_has_hashes_alone_and_only_so_many(site: Site) -> None:
    browser = host(site)
    token = browser.client.cookies["samizdat-host"]
    link = hosts.new_link(site.house.store)
    with site.house.store.reading() as db:
        for table in metadata.sorted_tables:
            said = repr(db.execute(select(table)).all())
            assert token not in said
            assert link not in said
    for _ in range(hosts.MOST + 5):
        hosts.new_link(site.house.store)
    with site.house.store.reading() as db:
        assert len(db.execute(select(hosts.hosts)).all()) <= 2 * hosts.MOST


def test_another_site_cannot_post_in_the_hosts_name(site: Site) -> None:
    browser, table = host(site), site.table(samizdat.game("dual-powers"))
    answer = browser.post("/host/freeze", data={"table": table.id}, headers={"sec-fetch-site": "cross-site"})
    assert answer.status_code == 403
    assert table.frozen is None


# --- what it says ----------------------------------------------------------------------------------------


def backup(site: Site, **values: Any) -> None:
    row = {"made": time.time(), "file": "x", "bytes": 5, "matches": 3, "unproved": 0, "error": None} | values
    with site.house.store.engine.begin() as db:
        db.execute(insert(backups).values(**row))


def reported(site: Site) -> None:
    for player, name in (("p0", "Ludmila"), ("p1", "Borys")):
        site.house.store.remember_player(player, name)
    words = [{"name": "Borys", "sheet": "all", "text": "<i>boo</i>", "at": 0.0}]
    values = {"reporter": "p0", "about": "p1", "table": "t", "why": "rude", "words": words, "closed": None}
    with site.house.store.engine.begin() as db:
        db.execute(insert(reports).values(id="r1", at=time.time(), **values))


def test_one_sentence_says_what_to_look_after_first(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    browser, course = host(site), site.app.state.course
    assert title(browser) == "The house is well"
    table = site.table(samizdat.game("dual-powers"))
    with site.house.store.engine.begin() as db:
        db.execute(update(tables).where(tables.c.id == table.id).values(made=time.time() - 2 * DAY))
    assert title(browser) == "There is no backup yet"
    backup(site, made=time.time() - 20 * DAY)
    assert title(browser) == "The last backup is 20 days old"
    backup(site, made=time.time() - DAY)
    assert title(browser) == "The house is well"
    reported(site)
    assert title(browser) == "1 report waits for you"
    course.load = lambda: (0, 0, 0)
    course.sample()
    assert title(browser) == "Nobody thinks for the bots"
    course.answered("GET", "/", 503, 0.1)
    course.sample()
    assert title(browser) == "1 answer failed lately"
    backup(site, made=time.time() - 60, unproved=2)
    assert title(browser) == "2 tables of the last backup could not be proved"
    backup(site, error="no room", bytes=0)
    assert title(browser) == "The last backup failed"
    assert "no room" in read(browser)


@pytest.mark.parametrize("code", ["en", "it", "de", "pl"])
def test_it_speaks_every_language(site: Site, code: str) -> None:
    browser = host(site)
    site.table(samizdat.game("revolution"))
    reported(site)
    barring.ban(site.house.store, "203.0.113.0/24", None, "")
    site.app.state.course.sample()
    browser.client.cookies.set("lang", code)
    page = read(browser)
    assert f'<html lang="{code}"' in page
    assert ("The host's page" in page) == (code == "en")


# --- what it does ----------------------------------------------------------------------------------------


def test_tables_are_frozen_and_go_on(site: Site) -> None:
    browser, table = host(site), site.table(samizdat.game("revolution", players=3))
    assert browser.post("/host/freeze", data={"table": table.id, "why": "A\nquarrel."}).status_code == 303
    assert table.frozen == "A quarrel."
    page = read(browser)
    assert "1 open, 1 frozen" in page
    assert "A quarrel." in page
    browser.post("/host/thaw", data={"table": table.id})
    assert table.frozen is None
    assert browser.post("/host/freeze", data={"table": "nowhere"}).status_code == 400


def test_tables_are_leafed_through(site: Site) -> None:
    browser = host(site)
    ids = [site.table(samizdat.game("dual-powers"), seed=seed).id for seed in range(host_page.A_PAGE + 3)]
    pages = [browser.get(f"/host?tables={number}").text for number in (0, 1)]
    assert [sum(f"/table/{id}" in page for id in ids) for page in pages] == [host_page.A_PAGE, 3]
    for strange in ("2", "-1", "x", "9" * 30, "²"):
        assert browser.get(f"/host?tables={strange}").status_code == 200


def test_reports_are_settled_and_may_keep_somebody_out(site: Site) -> None:
    browser = host(site)
    reported(site)
    answer = browser.get("/host").text
    assert "&lt;i&gt;boo" in answer, "as text"
    assert "p1" not in re.findall(r'value="([^"]*)"', answer), "what somebody is called inside is nobody's business"
    browser.post("/host/reports", data={"report": "r1", "span": "day"})
    page = read(browser)
    assert "boo" not in page
    assert "“Borys”, a guest" in page
    [row] = barring.banned(site.house.store, time.time())
    assert row.whom == "p1"
    assert row.until == pytest.approx(time.time() + DAY, abs=60)
    sealed = re.findall(r'name="whom" value="([^"]+)"', page)
    browser.post("/host/let-in", data={"whom": sealed[0]})
    assert barring.banned(site.house.store, time.time()) == []


def test_networks_and_people_are_kept_out_until_when_it_says_and_never_oneself(site: Site) -> None:
    browser, other = host(site), site.browser_at("203.0.113.7", **PAGE)
    assert other.get("/").status_code == 200
    browser.post("/host/bans", data={"whom": "203.0.113.0/24", "span": "ever", "why": "noise"})
    assert other.get("/").status_code == 403, "known here at once"
    assert "for ever" in read(browser)
    assert browser.post("/host/bans", data={"whom": "nobody at all"}).status_code == 409
    for own in ("127.0.0.0/8", "127.0.0.1"):
        assert browser.post("/host/bans", data={"whom": own, "span": "day"}).status_code == 409
    assert browser.get("/host").status_code == 200


def test_what_nobody_uses_goes_once_a_day_if_the_host_says_so(site: Site) -> None:
    browser, store = host(site), site.house.store
    old, still, young = (site.table(samizdat.game("dual-powers"), seed=seed) for seed in range(3))
    with store.engine.begin() as db:
        those = update(tables).where(tables.c.id.in_([old.id, still.id]))
        db.execute(those.values(status="over", changed=time.time() - 100 * DAY))
    barring.freeze(store, still.id, "I look at it")
    assert let_go_daily(store) is None, "nothing goes by itself"
    for wrong in ("-1", "x", "", "99999", "²"):
        assert browser.post("/host/keeping", data=dict.fromkeys(WHAT, "7") | {"open": wrong}).status_code == 409
    browser.post("/host/keeping", data=dict.fromkeys(WHAT, "0") | {"finished": "90"})
    site.run(site.app.state.host.look())
    assert store.table(old.id) is None
    assert store.table(still.id) is not None
    assert store.table(young.id) is not None
    assert let_go_daily(store) is None, "done for today"
    assert 'value="90"' in read(browser)
    keep_for(store, dict.fromkeys(WHAT, 0.0))
    assert let_go_daily(store) is None


def test_a_backup_is_made_by_the_command_itself_and_what_fails_is_said(site: Site, tmp_path: Path) -> None:
    browser, backing = host(site), site.app.state.backing
    site.wander(site.table(samizdat.game("dual-powers")), 3)
    if backing.settings.shared:
        assert "--backups" in read(browser)
        assert browser.post("/host/backup").status_code == 409
        backing.folder = tmp_path / "put here"
    assert browser.post("/host/backup").headers["location"] == "/host#backups"
    assert "is being made" in read(browser)
    assert browser.post("/host/backup").status_code == 409, "one at a time"
    site.run(backing.finished())
    [made] = last_backups(site.house.store, 5)
    assert (made.error, made.matches, made.unproved) == (None, 1, 0)
    [file] = backing.folder.glob("*.backup")
    assert file.stat().st_mode & 0o077 == 0
    assert "1 match proved" in read(browser)
    backing.folder = tmp_path / "taken"
    backing.folder.write_text("no folder")
    browser.post("/host/backup")
    site.run(backing.finished())
    assert title(browser) == "The last backup failed"


# --- what it never tells ---------------------------------------------------------------------------------


def opened(site: Site, game: Game, manners: Manners) -> LiveTable:
    site.house.store.remember_player("p0", "Ludmila")
    chairs = [Seat("person", "", f"Player {seat}", new_key(), {"p0"}) for seat in range(game.players)]
    return site.run(site.house.open_table(game, chairs, "p0", False, 7, manners=manners))


def test_no_hand_no_link_no_seed_no_decision(site: Site) -> None:
    browser = host(site)
    made = [site.table(samizdat.game(name), seed=3) for name in ("revolution", "dual-powers", "war-of-whispers")]
    for table in made:
        site.wander(table, 12)
    page = read(browser)
    with site.house.store.reading() as db:
        moves = set(db.execute(select(journal.c.move)).scalars())
    for table in made:
        assert f"/table/{table.id}" in page
        assert not any(chair.key in page for chair in table.chairs)
        assert f"{table.nonce:x}" not in page
    assert not [move for move in moves if len(move) > 6 and move in page]


@pytest.mark.parametrize("game", full_tables(plain_games()), ids=label)
def test_two_worlds_look_the_same_to_the_host(site: Site, game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is hidden from who watches changes no byte of the page."""
    if site.house.store.shared:
        pytest.skip("the same bytes are read from either database")
    now = time.time()
    monkeypatch.setattr(cards, "time", SimpleNamespace(time=lambda: now))
    monkeypatch.setattr(host_page, "time", SimpleNamespace(time=lambda: now))
    browser, table = host(site), site.table(game)
    different = 0
    for steps in range(4):
        site.wander(table, 7, seed=steps)
        assert table.match is not None
        if table.match.over:
            break
        other = another_world(table.match, None, steps)
        different += other.raw != table.match.raw
        pages = []
        for world in (table.match, other):
            with site.house.store.engine.begin() as db:
                db.execute(update(tables).where(tables.c.id == table.id).values(**stored_state(world)))
            pages.append(browser.get("/host").content)
        assert pages[0] == pages[1]
        with site.house.store.engine.begin() as db:
            db.execute(update(tables).where(tables.c.id == table.id).values(**stored_state(table.match)))
    assert different or game.players == 1 or game.name == "mali-powstancy"  # little is secret there


@pytest.mark.parametrize(
    "manners", [Manners(watch=NOBODY), Manners(watch=SEATED), Manners(delay=FIVE), Manners(delay=ROUND)]
)
def test_of_a_table_that_is_not_watched_nothing_is_shown_and_nothing_changes(site: Site, manners: Manners) -> None:
    """A host has no more right to look on than anybody with the link."""
    browser, table = host(site), opened(site, samizdat.game("war-of-whispers"), manners)
    dice = random.Random(1)

    def line() -> str:
        found = re.search(r'<ul class="tbls">(.*?)</ul>', browser.get("/host").text, re.S)
        assert found is not None
        return re.sub(r"<time.*?</time>", "", found[1])

    before = line()
    for seed in range(4):
        site.wander(table, 9, seed=dice.randrange(99))
        assert line() == before, seed
    watch = manners.watch != NOBODY and manners.watch != SEATED
    assert (f'href="/table/{table.id}"' in before) == watch
    assert browser.get(f"/table/{table.id}").status_code == (200 if watch else 403)
