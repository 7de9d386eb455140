"""The lobby: what stands there, in which order, and where its links lead."""

from __future__ import annotations

import re
import threading

import pytest
from sqlalchemy import event

from tests.table.conftest import Site
from tests.table.forms import HOSTILE, PAGE, form, opened, two_open


def test_tables_that_wait_for_you_come_first_and_finished_ones_apart(site: Site) -> None:
    browser = site.browser(**PAGE)
    mine = opened(site, browser.post("/new/revolution", data=form()))
    waiting = two_open(site, browser)
    over = opened(site, browser.post("/new/revolution", data=form(**{"house-max_rounds": "1"})))
    site.wander(over, 10_000)
    page = browser.get("/").text
    places = [page.index(f'href="/table/{table.id}"') for table in (mine, waiting, over)]
    landmarks = [page.index(mark) for mark in ('id="shelf"', "Open seats", "Waiting for others", "Finished tables")]
    order = [places[0], *landmarks[:3], places[1], landmarks[3], places[2]]
    assert order == sorted(order)
    assert "1 table waits for you." in page
    assert "Won by" in page or "Everyone lost" in page


def test_three_tables_call_and_the_others_are_one_click_away(site: Site) -> None:
    browser = site.browser(**PAGE)
    tables = [opened(site, browser.post("/new/revolution", data=form())) for _ in range(5)]
    page = browser.get("/").text
    assert "5 tables wait for you." in page
    fold = page.index("2 more wait for you")
    places = sorted(page.index(f'href="/table/{table.id}"') for table in tables)
    assert places[2] < fold < places[3] < places[4] < page.index('id="shelf"')
    assert page.count('class="btn go"') == 1, "one red block a page: the next thing to do"


def test_a_table_that_waits_for_others_says_for_whom(site: Site) -> None:
    host, guest = site.browser(**PAGE), site.browser(**PAGE)
    data = {"name": "Ludmila", "seat-0": "me", "seat-1": "open"}
    table = opened(site, host.post("/new/dual-powers", data=data))
    guest.post(f"/sit/{table.chairs[1].key}", data={"name": "Nadia"})
    assert table.match is not None
    while table.match.turn != (1,):
        site.wander(table, 1)
    assert "Waiting for Nadia." in host.get("/").text
    assert "Waiting for" not in guest.get("/").text.partition("Open seats")[0]
    assert "1 table waits for you." in guest.get("/").text


def test_open_seats_stand_beside_the_shelf_three_at_once(site: Site) -> None:
    host, stranger = site.browser(**PAGE), site.browser(**PAGE)
    assert "No public table waits for anybody just now." in stranger.get("/").text
    tables = [two_open(site, host, public="on") for _ in range(4)]
    page = stranger.get("/").text
    beside = page[page.index("Open seats") : page.index("How it works")]
    for table in tables:
        assert beside.count(f'href="/table/{table.id}"') == 1
    assert beside.count("2 seats are open") == 4
    assert beside.count("Take a seat at Revolution!") == 4
    assert beside.partition("1 more table")[0].count("Take a seat at") == 3
    assert "Ludmila" in beside


def test_whoever_comes_first_finds_where_to_begin(site: Site) -> None:
    """The game that is easiest to learn, against bots: a button that begins it."""
    browser = site.browser(**PAGE)
    page = browser.get("/").text
    start = page.partition('class="start')[2].partition("</form>")[0]
    assert "First time here?" in start
    assert 'action="/learn/revolution"' in start
    assert "How it works" in page
    opened(site, browser.post("/new/revolution"))
    page = browser.get("/").text
    assert "First time here?" not in page
    assert "How it works" not in page


def test_nothing_in_the_lobby_is_without_function(site: Site) -> None:
    """Every button sends a form, every link leads somewhere, and nothing is switched off."""
    host, browser = site.browser(**PAGE), site.browser(**PAGE)
    two_open(site, host, public="on")
    for _ in range(2):
        page = browser.get("/").text
        assert "disabled" not in page
        assert 'href="#"' not in page
        main = page.partition('<main id="main">')[2].partition("</main>")[0]
        forms = re.findall(r"<form.*?</form>", main, re.S)
        assert main.count("<button") == sum(form.count("<button") for form in forms)
        for path in {link.partition("#")[0] for link in re.findall(r'<a[^>]* href="([^"]+)"', main)}:
            assert browser.get(path).status_code == 200, path
        browser.post("/new/revolution")


def test_only_public_tables_stand_in_the_lobby(site: Site) -> None:
    host, stranger = site.browser(**PAGE), site.browser(**PAGE)
    listed, hidden = two_open(site, host, public="on"), two_open(site, host)
    page = stranger.get("/").text
    assert f"/table/{listed.id}" in page
    assert f"/table/{hidden.id}" not in page
    assert all(chair.key not in page for chair in listed.chairs)


@pytest.mark.parametrize(
    "shape", ["http://somewhere:8000/{}", "/{}", "{}", "  https://x.example/{}?seat=0#board ", "{}/"]
)
def test_a_pasted_link_or_code_leads_to_its_table_or_seat(site: Site, shape: str) -> None:
    table = two_open(site, site.browser(**PAGE))
    browser = site.browser(**PAGE)
    key = table.chairs[1].key
    for target in (f"table/{table.id}", f"sit/{key}"):
        assert browser.get("/go", params={"link": shape.format(target)}).headers["location"] == f"/{target}"
    if "/" not in shape.strip("/ "):
        assert browser.get("/go", params={"link": table.id}).headers["location"] == f"/table/{table.id}"
        assert browser.get("/go", params={"link": key}).headers["location"] == f"/sit/{key}"


@pytest.mark.parametrize(
    "link", ["", "nothing", "https://evil.example/", "table/../..", HOSTILE, "x" * 5000, "//evil.example"]
)
def test_a_link_to_nothing_says_so_in_the_lobby(site: Site, link: str) -> None:
    answer = site.browser(**PAGE).get("/go", params={"link": link})
    assert answer.status_code == 404
    assert "No table or seat has this link" in answer.text
    assert "<img src=x" not in answer.text


def test_errors_are_pages_for_people_and_json_for_programs(site: Site) -> None:
    for path in ("/table/nothing", "/sit/nothing", "/nowhere", "/table/nothing/replay"):
        page = site.browser(**PAGE).get(path)
        assert page.status_code == 404
        assert '<main id="main"' in page.text
        assert site.browser(accept="application/json").get(path).json()["error"]
    said = site.browser(accept="text/html", cookie="lang=de").get("/table/nothing")
    assert '<html lang="de"' in said.text


def test_nobody_waits_while_the_database_is_asked(site: Site) -> None:
    """Every question to it is asked in a thread: the event loop goes on with others."""
    loop, waited = threading.get_ident(), []

    def noted(connection: object, cursor: object, statement: str, *more: object) -> None:
        if threading.get_ident() == loop:
            waited.append(statement)

    event.listen(site.house.store.engine, "before_cursor_execute", noted)
    host, guest = site.browser(**PAGE), site.browser(**PAGE)
    table = two_open(site, host)
    for path in ("/", "/new/revolution", "/go?link=nothing", f"/go?link={table.id}", f"/table/{table.id}", "/sit/no"):
        host.get(path)
    guest.get(f"/sit/{table.chairs[1].key}")
    guest.post(f"/sit/{table.chairs[1].key}", data={"name": "Nadia"})
    site.browser(**PAGE).post(f"/sit/{table.chairs[1].key}")
    guest.post(f"/table/{table.id}/seats", data={"seat": "2", "kind": "bot-novice"})
    host.post(f"/table/{table.id}/seats", data={"seat": "2", "kind": "bot-novice"})
    host.post("/new/revolution", data=form(variant="huge"))
    host.post("/import", files={"file": ("match.json", b"{}")})
    host.post("/preferences", data={"name": "Irena"})
    api = site.browser()
    id = api.post("/api/tables", json={"game": "revolution", "seats": [{"kind": "open"}] * 3}).json()["id"]
    api.post(f"/api/tables/{id}/join", json={})
    assert waited == []
