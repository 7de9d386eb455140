"""Tables opened by the form, seats taken, given away and come back to, and what people are called there."""

from __future__ import annotations

import html
import re

import pytest

import samizdat
from samizdat.bots import LEARNT, LEVELS
from samizdat.kernel.game import definitions
from samizdat.table.commands import ChangeSeat
from samizdat.table.rendering import named
from tests.table.conftest import Browser, Site
from tests.table.forms import HOSTILE, PAGE, form, opened, two_open

EVERY = [
    (name, variant, count)
    for name, found in definitions().items()
    for variant, counts in found.variants.items()
    for count in counts
]

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


@pytest.mark.parametrize("level", [*LEVELS, *LEARNT])
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
        assert f'<form method="post" action="/sit/{table.chairs[seat].key}"' in shown.text
    assert "Ludmila keeps you a seat" in preview.get(f"/sit/{table.chairs[1].key}").text
    assert [(chair.kind, chair.name, chair.key, set(chair.holders)) for chair in table.chairs] == before
    assert site.house.store.holders(table.id) == {0: table.chairs[0].holders}


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
