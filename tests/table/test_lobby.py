"""The lobby and its forms: tables opened, seats taken, given away and come back to, by browsers without a script."""

from __future__ import annotations

import html
import json
import re
import threading
import time

import httpx
import pytest
from sqlalchemy import event, update

import samizdat
from samizdat.bots import LEVELS
from samizdat.kernel.game import definitions
from samizdat.kernel.matchfile import checksum
from samizdat.table.bots import request_of, sight_of
from samizdat.table.commands import ChangeSeat
from samizdat.table.drawings import drawn
from samizdat.table.house import DAY
from samizdat.table.rendering import named
from samizdat.table.store.schema import tables
from samizdat.table.tables import LiveTable
from tests.table.conftest import Browser, Site

PAGE = {"accept": "text/html", "accept-language": "en"}
HOSTILE = "<img src=x onerror=alert(1)>"

EVERY = [
    (name, variant, count)
    for name, found in definitions().items()
    for variant, counts in found.variants.items()
    for count in counts
]


def opened(site: Site, answer: httpx.Response) -> LiveTable:
    """The table that a form led to."""
    assert answer.status_code == 303, answer.text
    return site.run(site.house.find(answer.headers["location"].split("/")[2].split("?")[0]))


def form(variant: str = "standard", count: int | str = 4, **more: str) -> dict[str, str]:
    """The whole form as a browser sends it: the rows of seats that are out of sight included."""
    seats = {f"seat-{seat}": "me" if seat == 0 else "bot-novice" for seat in range(4)}
    return {"variant": variant, f"players-{variant}": str(count), "name": "Ludmila", **seats, **more}


# --- opening -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "variant", "count"), EVERY)
def test_every_variant_and_number_opens_by_the_form(site: Site, name: str, variant: str, count: int) -> None:
    browser = site.browser(**PAGE)
    page = browser.get(f"/new/{name}")
    assert f'id="variant-{variant}"' in page.text
    assert f'id="players-{variant}-{count}"' in page.text
    table = opened(site, browser.post(f"/new/{name}", data=form(variant, count)))
    assert (table.game.name, table.game.variant, table.game.players) == (name, variant, count)
    assert [chair.kind for chair in table.chairs] == ["person", *["bot"] * (count - 1)]
    assert table.match is not None
    assert browser.get(f"/table/{table.id}").status_code == 200


@pytest.mark.parametrize("name", definitions())
def test_one_click_starts_against_bots_with_the_usual_options(site: Site, name: str) -> None:
    browser = site.browser(**PAGE)
    assert f'action="/new/{name}"' in browser.get("/").text
    table = opened(site, browser.post(f"/new/{name}"))
    assert dict(table.game.options) == dict(samizdat.game(name).options)
    assert table.chairs[0].kind == "person"
    assert {chair.kind for chair in table.chairs[1:]} == {"bot"}
    assert table.match is not None


def test_options_of_the_form_reach_the_game(site: Site) -> None:
    browser = site.browser(**PAGE)
    data = form("solitaire", 1, **{"house-difficulty": "4", "house-faction": "white"})
    table = opened(site, browser.post("/new/dual-powers", data=data))
    assert (table.game.options["difficulty"], table.game.options["faction"]) == (4, "white")
    assert table.game.options["leader_gives_presence"] is True  # a house rule that was not ticked
    data = form("extended", 3, **{"house-max_jumps_per_turn": "2", "house-deliver_by_forced_move": "on"})
    table = opened(site, browser.post("/new/mali-powstancy", data=data))
    assert table.game.variant == "extended"
    assert table.game.options["max_jumps_per_turn"] == 2
    assert table.game.options["deliver_by_forced_move"] is False  # one that was: not as usual


def test_the_whole_untouched_form_is_the_usual_game(site: Site) -> None:
    """A browser that sends the form as it came ticks no house rule."""
    for name in definitions():
        assert not re.findall(r'name="house-(\w+)" checked', site.browser(**PAGE).get(f"/new/{name}").text)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"house-max_rounds": "0"}, "must be a whole number from 1 to"),
        ({"house-max_rounds": "many"}, "must be a whole number from 1 to"),
        ({"players-standard": "7"}, "not for that number of players"),
        ({"variant": "huge"}, "no such variant"),
        ({"seat-1": "me"}, "one seat of your own"),
        ({"seat-1": "queen"}, "A seat is yours"),
    ],
)
def test_what_is_wrong_comes_back_in_the_form_and_nothing_is_lost(
    site: Site, change: dict[str, str], sentence: str
) -> None:
    browser = site.browser(**PAGE)
    data = form(
        count=4, **{"name": "Żółć", "seat-2": "here", "name-2": "Nadia", "shuffle": "on", "house-refund": "on"}
    )
    answer = browser.post("/new/revolution", data={**data, **change})
    assert answer.status_code == 422
    assert sentence in html.unescape(answer.text)
    assert 'value="Żółć"' in answer.text
    assert 'value="Nadia"' in answer.text
    assert 'name="shuffle" checked' in answer.text
    assert 'name="house-refund" checked' in answer.text
    assert re.search(r'<option value="here" selected>', answer.text)
    assert not site.house.tables


@pytest.mark.parametrize("level", LEVELS)
def test_bots_of_every_level_take_a_seat(site: Site, level: str) -> None:
    table = opened(site, site.browser(**PAGE).post("/new/revolution", data=form(**{"seat-3": f"bot-{level}"})))
    assert table.chairs[3].level == level
    assert len({chair.name for chair in table.chairs}) == 4


def test_shuffled_seats_are_the_same_people(site: Site) -> None:
    browser = site.browser(**PAGE)
    places = set()
    for _ in range(12):
        table = opened(site, browser.post("/new/revolution", data=form(shuffle="on")))
        assert sorted(chair.kind for chair in table.chairs) == ["bot", "bot", "bot", "person"]
        places.add([chair.kind for chair in table.chairs].index("person"))
    assert len(places) > 1


def test_there_is_no_form_for_a_game_that_is_not_there(site: Site) -> None:
    browser = site.browser(**PAGE)
    assert browser.get("/new/chess").status_code == 404
    assert browser.post("/new/chess").status_code == 404


# --- seats ---------------------------------------------------------------------------------------------------


def two_open(site: Site, host: Browser, **more: str) -> LiveTable:
    return opened(site, host.post("/new/revolution", data=form(**{"seat-1": "open", "seat-2": "open", **more})))


def test_a_seat_is_taken_by_its_link_and_the_match_begins_when_all_sit(site: Site) -> None:
    host, guest, other = site.browser(**PAGE), site.browser(**PAGE), site.browser(**PAGE)
    table = two_open(site, host)
    room = host.get(f"/table/{table.id}").text
    keys = [table.chairs[seat].key for seat in (1, 2)]
    for key in keys:
        assert f"/sit/{key}" in room
    asked = guest.get(f"/sit/{keys[0]}")
    assert asked.status_code == 200
    assert "Sit down" in asked.text
    assert guest.post(f"/sit/{keys[0]}", data={"name": "Nadia"}).status_code == 303
    assert table.chairs[1].name == "Nadia"
    assert table.status == "open"
    taken = other.post(f"/table/{table.id}/sit", data={"seat": "2", "name": "Piotr"})
    assert taken.status_code == 303
    assert table.match is not None
    assert 'data-seat="1"' in guest.get(f"/table/{table.id}").text
    assert 'data-seat="2"' in other.get(f"/table/{table.id}").text


def test_opening_a_seats_link_changes_nothing(site: Site) -> None:
    """A chat program that shows a preview of the link is no guest, and does not come back for its owner."""
    host = site.browser(**PAGE)
    table = two_open(site, host)
    preview = site.browser(**PAGE)
    before = [(chair.kind, chair.name, chair.key, set(chair.holders)) for chair in table.chairs]
    for seat in (0, 1):
        shown = preview.get(f"/sit/{table.chairs[seat].key}")
        assert shown.status_code == 200
        assert "Revolution!" in shown.text
        assert f'<form method="post" action="/sit/{table.chairs[seat].key}">' in shown.text
    assert "Ludmila invites you" in preview.get(f"/sit/{table.chairs[1].key}").text
    assert [(chair.kind, chair.name, chair.key, set(chair.holders)) for chair in table.chairs] == before
    assert site.house.store.holders(table.id) == {0: table.chairs[0].holders}
    assert "invites you" not in host.get(f"/sit/{table.chairs[1].key}").text


def test_links_are_shown_to_those_whose_they_are(site: Site) -> None:
    host, guest, stranger = site.browser(**PAGE), site.browser(**PAGE), site.browser(**PAGE)
    table = two_open(site, host)
    guest.post(f"/sit/{table.chairs[1].key}", data={"name": "Nadia"})
    keys = [chair.key for chair in table.chairs]
    rooms = {who: browser.get(f"/table/{table.id}").text for who, browser in
             {"host": host, "guest": guest, "stranger": stranger}.items()}  # fmt: skip
    assert [key in rooms["host"] for key in keys] == [True, False, True, False]
    assert [key in rooms["guest"] for key in keys] == [False, True, False, False]
    assert [key in rooms["stranger"] for key in keys] == [False] * 4
    stranger.post(f"/table/{table.id}/sit", data={"seat": "2", "name": "Piotr"})
    onlooker = site.browser(**PAGE)
    keys = [chair.key for chair in table.chairs]
    assert [key in onlooker.get(f"/table/{table.id}").text for key in keys] == [False] * 4
    assert [key in host.get(f"/table/{table.id}").text for key in keys] == [True, False, False, False]


def test_a_taken_seat_cannot_be_taken_again(site: Site) -> None:
    host, guest = site.browser(**PAGE), site.browser(**PAGE)
    table = two_open(site, host)
    answer = guest.post(f"/table/{table.id}/sit", data={"seat": "0", "name": "Nadia"})
    assert answer.status_code == 403
    assert "That seat is taken." in answer.text
    for seat in ("9", "-1", "", "x"):
        assert guest.post(f"/table/{table.id}/sit", data={"seat": seat}).status_code == 403
    assert table.chairs[0].name == "Ludmila"


def test_only_whoever_opened_the_table_changes_its_seats(site: Site) -> None:
    host, guest = site.browser(**PAGE), site.browser(**PAGE)
    table = two_open(site, host)
    old = table.chairs[1].key
    guest.post(f"/sit/{old}", data={"name": "Nadia"})
    answer = guest.post(f"/table/{table.id}/seats", data={"seat": "2", "kind": "bot-novice"})
    assert answer.status_code == 403
    assert table.chairs[2].kind == "open"
    held = table.chairs[1].key
    assert host.post(f"/table/{table.id}/seats", data={"seat": "1", "kind": "open"}).status_code == 303
    assert table.chairs[1].kind == "open"
    for key in (old, held):
        gone = guest.get(f"/sit/{key}")
        assert gone.status_code == 404
        assert "no longer valid" in gone.text
    host.post(f"/table/{table.id}/seats", data={"seat": "1", "kind": "bot-regular"})
    host.post(f"/table/{table.id}/seats", data={"seat": "2", "kind": "here", "name": "Oskar"})
    assert (table.chairs[1].kind, table.chairs[1].level) == ("bot", "regular")
    assert table.chairs[2].name == "Oskar"
    assert table.match is not None


def test_a_seat_of_a_running_match_can_be_freed_and_taken_by_somebody_else(site: Site) -> None:
    host, guest = site.browser(**PAGE), site.browser(**PAGE)
    table = opened(site, host.post("/new/revolution", data=form()))
    host.post(f"/table/{table.id}/seats", data={"seat": "2", "kind": "open"})
    page = guest.get(f"/table/{table.id}").text
    assert "Take a seat" in page
    assert named(table.names, "en")[2] == "free seat"
    assert re.search(r"Waiting for Ludmila, \w+, free seat and \w+\.", page)
    assert f"/sit/{table.chairs[2].key}" in host.get(f"/table/{table.id}").text
    guest.post(f"/table/{table.id}/sit", data={"seat": "2", "name": "Nadia"})
    assert 'data-seat="2"' in guest.get(f"/table/{table.id}").text


def test_an_owner_comes_back_from_another_device_by_the_seats_key(site: Site) -> None:
    host, other = site.browser(**PAGE), site.browser(**PAGE)
    table = opened(site, host.post("/new/revolution", data=form()))
    assert 'data-seat=""' in other.get(f"/table/{table.id}").text
    asked = other.get(f"/sit/{table.chairs[0].key}")
    assert "This is the seat of Ludmila." in asked.text
    assert 'data-seat=""' in other.get(f"/table/{table.id}").text
    back = other.post(f"/sit/{table.chairs[0].key}")
    assert back.headers["location"] == f"/table/{table.id}?seat=0"
    assert other.get(f"/sit/{table.chairs[0].key}").headers["location"] == f"/table/{table.id}?seat=0"
    for browser in (host, other):
        assert 'data-seat="0"' in browser.get(f"/table/{table.id}").text
    assert f'href="/table/{table.id}"' in other.get("/").text


def test_hot_seat_players_meet_a_cover_that_shows_nothing(site: Site) -> None:
    browser = site.browser(**PAGE)
    data = form(**{"seat-1": "here", "name-1": "Nadia"})
    table = opened(site, browser.post("/new/revolution", data=data))
    answer = browser.get(f"/table/{table.id}")
    assert answer.headers["location"] == f"/table/{table.id}/cover"
    cover = browser.get(f"/table/{table.id}/cover").text
    assert "Nadia" in cover
    assert f"/table/{table.id}?seat=1" in cover
    assert 'id="board"' not in cover
    assert all(chair.key not in cover for chair in table.chairs)
    assert browser.get(f"/table/{table.id}?seat=1").status_code == 200
    assert browser.get(f"/table/{table.id}?seat=2").headers["location"] == f"/table/{table.id}"


def test_a_hot_seat_that_is_not_to_act_stays_covered(site: Site) -> None:
    """Whoever goes back in the browser's history does not find the hand of the player before."""
    browser = site.browser(**PAGE)
    data = {"name": "A", "seat-0": "me", "seat-1": "here", "name-1": "Nadia"}
    table = opened(site, browser.post("/new/dual-powers", data=data))
    assert table.match is not None
    site.wander(table, 4)
    [acts] = table.match.turn
    assert 'id="board"' in browser.get(f"/table/{table.id}?seat={acts}").text
    waits = browser.get(f"/table/{table.id}?seat={1 - acts}")
    assert waits.headers["location"] == f"/table/{table.id}/cover"
    site.wander(table, 10_000)
    assert 'id="board"' in browser.get(f"/table/{table.id}?seat={1 - acts}").text, "after the end nothing is secret"


def test_an_address_with_somebody_elses_seat_leads_to_the_table(site: Site) -> None:
    table = site.table(samizdat.game("revolution"))
    friend = site.browser(**PAGE)
    answer = friend.get(f"/table/{table.id}?seat=1")
    assert answer.headers["location"] == f"/table/{table.id}"
    assert 'data-seat=""' in friend.get(answer.headers["location"]).text


def test_only_its_owner_is_told_whether_a_seat_is_to_decide(site: Site) -> None:
    browser, stranger = site.browser(**PAGE), site.browser(**PAGE)
    table = opened(site, browser.post("/new/revolution", data=form(**{"seat-1": "here", "name-1": "Nadia"})))
    assert table.match is not None
    for seat in (0, 1):
        answer = browser.get(f"/table/{table.id}/turn?seat={seat}").json()
        assert answer == {"yours": seat in table.match.turn}
        assert stranger.get(f"/table/{table.id}/turn?seat={seat}").status_code == 403
    assert browser.get(f"/table/{table.id}/turn?seat=2").status_code == 403


# --- names ---------------------------------------------------------------------------------------------------


UNNAMED = {"en": "Player", "it": "Giocatore", "de": "Spieler", "pl": "Gracz"}


@pytest.mark.parametrize("opener", UNNAMED)
def test_who_gave_no_name_is_called_so_in_the_readers_language(site: Site, opener: str) -> None:
    """In every room of the table, whatever was spoken when somebody sat down without a name."""
    browser, guest = site.browser(**{"Accept-Language": opener}), site.browser()
    form = {"seat-0": "me", "seat-1": "here", "seat-2": "open", "players-standard": "3"}
    address = browser.post("/new/revolution", data=form).headers["location"]
    table = site.run(site.house.find(address.split("/")[2]))

    def read(reader: Browser, path: str, code: str) -> None:
        found = reader.get(path, headers={"Accept-Language": code})
        assert found.status_code == 200, path
        shown = re.sub(r"<[^>]*>", " ", found.text) + " ".join(re.findall(r'(?:value|label)="([^"]*)"', found.text))
        words = set(re.findall(r"\w+", shown))
        assert words & set(UNNAMED.values()) == {UNNAMED[code]}, f"{path} in {code}"

    for code in UNNAMED:
        for path in (address, "/", "/new/revolution"):
            read(browser, path, code)
        read(guest, f"/sit/{table.chairs[0].key}", code)
    site.run(site.house.do(table, ChangeSeat(2, "bot", "Oskar", level="random")))
    for code in UNNAMED:
        read(browser, f"{address}/cover", code)
        read(browser, f"{address}?seat=0", code)
    names = ["Player 2", "Players", "Ludmila", "Player Two"]
    assert named(names, "pl") == ["Gracz 2", *names[1:]]


def test_hostile_names_are_only_text(site: Site) -> None:
    host, guest = site.browser(**PAGE), site.browser(**PAGE)
    data = form(
        name=HOSTILE, public="on", **{"seat-1": "here", "name-1": '"><script>alert(1)</script>', "seat-2": "open"}
    )
    table = opened(site, host.post("/new/revolution", data=data))
    for browser in (host, guest):
        for path in ("/", f"/table/{table.id}", f"/sit/{table.chairs[2].key}", "/new/revolution"):
            page = browser.get(path).text
            assert "<img src=x" not in page
            assert "<script>alert" not in page
    guest.post(f"/sit/{table.chairs[2].key}", data={"name": "{0.__class__}{}%s%(name)s"})
    assert guest.get(f"/table/{table.id}").status_code == 200
    assert guest.get(f"/table/{table.id}/cover").status_code == 303
    assert host.get(f"/table/{table.id}/cover").status_code == 200
    assert host.get("/").status_code == 200


def test_a_name_is_one_short_printable_line(site: Site) -> None:
    browser = site.browser(**PAGE)
    table = opened(site, browser.post("/new/revolution", data=form(name="  Lud\n\tmila\u202e\x00 " + "a" * 90)))
    assert table.chairs[0].name == ("Ludmila " + "a" * 90)[:24]
    nameless = opened(site, site.browser(**PAGE).post("/new/revolution", data=form(name=" \n ")))
    assert nameless.chairs[0].name == "Player"


# --- the lobby itself ----------------------------------------------------------------------------------------


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


# --- rematch, files, preferences -----------------------------------------------------------------------------


def test_a_rematch_asked_for_by_two_is_one_table(site: Site) -> None:
    host, guest, stranger = site.browser(**PAGE), site.browser(**PAGE), site.browser(**PAGE)
    data = form(**{"seat-1": "open", "house-max_rounds": "1"})
    table = opened(site, host.post("/new/revolution", data=data))
    guest.post(f"/sit/{table.chairs[1].key}", data={"name": "Nadia"})
    assert host.post(f"/table/{table.id}/rematch").status_code == 403
    site.wander(table, 10_000)
    assert stranger.post(f"/table/{table.id}/rematch").status_code == 403
    places = [browser.post(f"/table/{table.id}/rematch").headers["location"] for browser in (host, guest)]
    assert places[0] == places[1] != f"/table/{table.id}"
    again = site.run(site.house.find(places[0].removeprefix("/table/")))
    assert again.game == table.game
    assert [chair.name for chair in again.chairs] == [*table.names[1:], table.names[0]]
    for viewer in table.viewers:  # whoever sat there is told, whether they asked or not
        told = f'href="{places[0]}"' in drawn(table, viewer, None, "en", True)["parts"]["status"]
        assert told == (viewer is not None), "who looks on at a private table is not invited to the next"
    assert 'data-seat="3"' in host.get(places[0]).text
    assert 'data-seat="0"' in guest.get(places[0]).text


def test_a_rematch_does_not_make_the_old_match_young_again(site: Site) -> None:
    browser = site.browser(**PAGE)
    table = opened(site, browser.post("/new/revolution", data=form(**{"house-max_rounds": "1"})))
    site.wander(table, 10_000)
    site.house.store.writer.do(lambda db: db.execute(update(tables).values(changed=1234.5)))
    assert browser.post(f"/table/{table.id}/rematch").status_code == 303
    row = site.house.store.table(table.id)
    assert row is not None
    assert row.rematch
    assert row.changed == 1234.5


def test_a_match_goes_out_as_a_file_and_comes_in_again(site: Site) -> None:
    browser = site.browser(**PAGE)
    table = opened(site, browser.post("/new/revolution", data=form(**{"house-max_rounds": "1"})))
    running = browser.get(f"/table/{table.id}/file")
    assert "samizdat-seat" in running.text
    site.wander(table, 10_000)
    file = browser.get(f"/table/{table.id}/file")
    answer = site.browser(**PAGE).post("/import", files={"file": ("match.json", file.content)})
    copy = opened(site, answer)
    assert copy.match is not None
    assert table.match is not None
    assert copy.match.moves == table.match.moves
    assert copy.commitment == table.commitment
    assert browser.get(f"/table/{copy.id}/file").text == file.text
    refused = browser.post("/import", files={"file": ("seat.json", running.content)})
    assert refused.status_code == 422
    assert "only the referee" in html.unescape(refused.text)


def test_a_table_with_a_retired_option_plays_on(site: Site) -> None:
    """Stored before `deals` was taken away: it is found again, stands in the lobby, is exported; bots think there."""
    browser = site.browser(**PAGE)
    assert "house-deals" not in browser.get("/new/revolution").text
    assert "deals" not in browser.get("/api/games").text
    body = {"game": "revolution", "seats": [{"kind": "me"}] * 3, "options": {"deals": True}}
    refused = site.browser().post("/api/tables", json=body)
    assert refused.status_code == 400
    assert "has no option “deals”" in refused.text
    old = definitions()["revolution"].recall(3, "standard", None, {"max_rounds": 1, "deals": True}, 1)
    table = opened(site, browser.post("/import", files={"file": ("match.json", old.match(5).dumps())}))
    del site.house.tables[table.id]  # read again
    site.house._held.clear()
    again = site.run(site.house.find(table.id))
    assert list(again.game.options)[:2] == ["max_rounds", "deals"]
    assert f"/table/{table.id}" in browser.get("/").text
    assert sight_of(request_of(again, 0)).game == again.game
    site.wander(again, 10_000)
    assert json.loads(browser.get(f"/table/{table.id}/file").text)["options"]["deals"] is True
    new = opened(site, browser.post(f"/table/{table.id}/rematch"))
    assert dict(new.game.options) == dict(samizdat.game("revolution", players=3, max_rounds=1).options)


def test_a_match_keeps_its_players_names_in_the_file(site: Site) -> None:
    browser, other = site.browser(**PAGE), site.browser(**PAGE)
    data = form(**{"name": "Żółć", "seat-1": "here", "name-1": "Nadia", "house-max_rounds": "1"})
    table = opened(site, browser.post("/new/revolution", data=data))
    site.wander(table, 10_000)
    file = browser.get(f"/table/{table.id}/file")
    assert json.loads(file.text)["seats"] == table.names
    assert table.names[:2] == ["Żółć", "Nadia"]
    copy = opened(site, other.post("/import", files={"file": ("match.json", file.content)}))
    assert copy.names == table.names
    assert "Nadia" in other.get(f"/table/{copy.id}/replay?open=true").text
    assert other.get(f"/table/{copy.id}/file").text == file.text


def test_names_of_a_file_are_names_like_others(site: Site) -> None:
    browser = site.browser(**PAGE)
    browser.post("/preferences", data={"name": "Ludmila"})
    file = json.loads(unfinished(site))
    file["seats"] = [f"{HOSTILE} and so on, and on", "  a\u202eb\n", ""]
    file["checksum"] = checksum(file)
    table = opened(site, browser.post("/import", files={"file": ("match.json", json.dumps(file).encode())}))
    assert table.names == [HOSTILE[:24], "ab", "Ludmila 3"]
    assert "<img src=x" not in browser.get("/").text
    del file["seats"]
    file["checksum"] = checksum(file)
    table = opened(site, browser.post("/import", files={"file": ("match.json", json.dumps(file).encode())}))
    assert table.names == ["Ludmila 1", "Ludmila 2", "Ludmila 3"]


def unfinished(site: Site) -> bytes:
    """The referee's file of a match that still runs; tables do not give it away, `Match.dumps` does."""
    table = site.table(samizdat.game("revolution", players=3), holder="other")
    site.wander(table, 6)
    assert table.match is not None
    return table.match.dumps().encode()


def test_everybody_is_told_that_somebody_may_know_what_is_to_come(site: Site) -> None:
    host, guest = site.browser(**PAGE), site.browser(**PAGE)
    file = unfinished(site)
    table = opened(site, host.post("/import", files={"file": ("match.json", file)}))
    warning = "may know what is to come"
    host.post(f"/table/{table.id}/seats", data={"seat": "2", "kind": "open"})
    assert warning in guest.get(f"/table/{table.id}").text
    assert warning in guest.get(f"/sit/{table.chairs[2].key}").text
    assert warning in host.get(f"/table/{table.id}?seat=0").text
    assert site.browser().get(f"/api/tables/{table.id}").json()["foreknown"] is True
    usual = opened(site, host.post("/new/revolution", data=form()))
    assert warning not in host.get(f"/table/{usual.id}").text
    del site.house.tables[table.id]  # read again
    site.house._held.clear()
    again = site.run(site.house.find(table.id))
    assert again is not table
    assert again.foreknown
    site.wander(again, 10_000)
    assert warning not in guest.get(f"/table/{table.id}").text


def test_a_visitor_opens_so_many_tables_a_day(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    site.house.tables_a_day = 2
    browser, other = site.browser(**PAGE), site.browser(**PAGE)
    for _ in range(2):
        assert browser.post("/new/revolution").status_code == 303
    refused = browser.post("/new/revolution")
    assert refused.status_code == 429
    assert "as many tables as one person may in a day" in refused.text
    assert other.post("/new/revolution").status_code == 303
    assert len(site.house.tables) == 3
    now = time.time()
    monkeypatch.setattr("samizdat.table.house.time.time", lambda: now + DAY + 1)
    assert browser.post("/new/revolution").status_code == 303


def test_a_visitor_brings_so_many_matches_a_day(site: Site) -> None:
    site.house.imports_a_day = 1
    browser, file = site.browser(**PAGE), unfinished(site)
    browser.post("/preferences", data={"lang": "de"})
    opened(site, browser.post("/import", files={"file": ("match.json", file)}))
    refused = browser.post("/import", files={"file": ("match.json", file)})
    assert refused.status_code == 422
    assert "So viele Partien" in refused.text
    assert browser.post("/new/revolution").status_code == 303  # tables are counted apart


@pytest.mark.parametrize(
    ("files", "sentence"),
    [
        ({"file": ("match.json", b"{}")}, "Not a match file"),
        ({"file": ("match.json", b"\xff\xfe<script>")}, "Not a whole match file"),
        ({"file": ("big.json", b"x" * (4 * 1024 * 1024 + 1))}, "larger than any match"),
        ({"other": ("match.json", b"{}")}, "Choose a match file first."),
    ],
)
def test_what_is_no_match_file_is_refused_in_the_lobby(
    site: Site, files: dict[str, tuple[str, bytes]], sentence: str
) -> None:
    answer = site.browser(**PAGE).post("/import", files=files)
    assert answer.status_code == 422
    assert sentence in html.unescape(answer.text)
    assert "<script>" not in answer.text.partition('id="wrong-file"')[2][:300]


@pytest.mark.parametrize(
    ("code", "sentence"),
    [("it", "il campo «format»"), ("de", "Ihr Feld „format“"), ("pl", "To nie jest plik partii: pole „format”")],
)
def test_a_file_is_refused_in_the_readers_language(site: Site, code: str, sentence: str) -> None:
    browser = site.browser(accept="text/html", cookie=f"lang={code}")
    assert sentence in html.unescape(browser.post("/import", files={"file": ("match.json", b"{}")}).text)


def test_a_decision_of_a_file_is_refused_in_the_words_of_its_game(site: Site) -> None:
    data = json.loads(unfinished(site))
    data["moves"].append("0 bid general force")
    data["checksum"] = checksum(data)
    browser = site.browser(accept="text/html", cookie="lang=pl")
    answer = html.unescape(browser.post("/import", files={"file": ("match.json", json.dumps(data).encode())}).text)
    said = answer.partition('id="wrong-file"')[2].partition("</p>")[0]
    assert "Pole „moves”, numer 7" in said
    assert "General" not in said.replace("general force", "")
    assert re.search(r"Generał|nie ma teraz nic do zdecydowania", said), said


def test_preferences_are_kept_and_lead_back(site: Site) -> None:
    browser = site.browser(**PAGE)
    wanted = {"lang": "pl", "theme": "dark", "helps": "off", "revelations": "important"}
    answer = browser.post("/preferences", data={**wanted, "back": "/rules?x=1"})
    assert answer.headers["location"] == "/rules?x=1"
    page = browser.get("/rules/revolution").text
    assert '<html lang="pl" data-theme="dark">' in page
    assert re.search(r'name="helps" value="off" aria-current="true"', page)
    assert re.search(r'name="revelations" value="important" aria-current="true"', page)
    browser.post("/preferences", data={"theme": ""})
    assert "data-theme=" not in browser.get("/").text.partition("<head>")[0]
    browser.post("/preferences", data={"lang": "xx", "theme": "pink", "revelations": "some", "name": "Nadia"})
    assert 'name="revelations" value="important" aria-current="true"' in browser.get("/").text
    assert '<html lang="pl">' in browser.get("/").text
    assert 'value="Nadia"' in browser.get("/").text


@pytest.mark.parametrize("back", ["https://evil.example/", "//evil.example", "/\\evil.example", "evil", ""])
def test_preferences_lead_nowhere_else(site: Site, back: str) -> None:
    assert site.browser(**PAGE).post("/preferences", data={"back": back}).headers["location"] == "/"


@pytest.mark.parametrize("origin", ["http://evil.example", "null", ""])
def test_another_site_cannot_post_in_ones_name(site: Site, origin: str) -> None:
    """A sandboxed frame or a file on disk has no origin: it says "null", and is no page of ours."""
    assert site.browser(origin=origin, **PAGE).post("/new/revolution").status_code == 403
    assert not site.house.tables
    assert site.browser(origin="http://table", **PAGE).post("/new/revolution").status_code == 303


@pytest.mark.parametrize(("says", "status"), [("same-origin", 303), ("same-site", 403), ("cross-site", 403)])
def test_a_browser_that_knows_whose_page_it_is_is_believed(site: Site, says: str, status: int) -> None:
    """A proxy or an extension that hides referrers makes every page of ours say "null" as its origin."""
    browser = site.browser(origin="null", **{"sec-fetch-site": says}, **PAGE)
    assert browser.post("/new/revolution").status_code == status
