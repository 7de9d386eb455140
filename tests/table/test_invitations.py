"""Invitations: a link to pass on, what is read beside it before it is opened, and a seat to choose on arrival."""

from __future__ import annotations

import html
import re
import struct

import pytest

import samizdat
from samizdat.kernel.game import Game, definitions
from samizdat.kernel.telling import Phrase
from samizdat.table.commands import TakeSeat
from samizdat.table.declined import NotAllowed
from samizdat.table.invitations import LinkPreview, link_preview, qr_code
from samizdat.table.link_pictures import HEIGHT, ROOM, WIDTH, drawable, drawing, headline, picture, wide
from samizdat.table.manners import Manners
from samizdat.table.rendering import sentence
from tests.conftest import label, plain_games
from tests.table.conftest import Browser, Site
from tests.table.forms import HOSTILE, PAGE, form, opened, two_open


def tags(browser: Browser, path: str) -> dict[str, str]:
    """What a messenger reads of a page."""
    page = browser.get(path)
    assert page.status_code == 200, page.text
    found = re.findall(r'<meta (?:property|name)="([\w:]+)" content="([^"]*)">', page.text)
    return {name: html.unescape(content) for name, content in found}


def size(png: bytes) -> tuple[int, int]:
    assert png.startswith(b"\x89PNG")
    width, height = struct.unpack(">II", png[16:24])
    return width, height


def test_a_messenger_is_told_whose_table_it_is_and_takes_no_seat(site: Site) -> None:
    host, robot = site.browser(**PAGE), site.browser(**{"user-agent": "WhatsApp/2.23", "accept": "*/*"})
    table = two_open(site, host)
    before = [(chair.kind, chair.key) for chair in table.chairs]
    for path in (f"/sit/{table.chairs[1].key}", f"/table/{table.id}"):
        told = tags(robot, path)
        assert told["og:title"] == "Ludmila keeps you a seat: Revolution!"
        assert told["og:description"] == "Revolution! · 2 of 4 sit"
        assert told["og:image"].startswith(f"http://table/table/{table.id}/picture.png?")
        assert told["robots"] == "noindex"
        assert not any(chair.key in value for chair in table.chairs for value in told.values())
        drawn = robot.get(told["og:image"])
        assert drawn.headers["content-type"] == "image/png"
        assert "set-cookie" not in drawn.headers, "proxies may keep it"
        assert size(drawn.content) == (WIDTH, HEIGHT)
    assert [(chair.kind, chair.key) for chair in table.chairs] == before


def test_the_picture_has_another_address_when_a_seat_changes(site: Site) -> None:
    host, guest = site.browser(**PAGE), site.browser(**PAGE)
    table = two_open(site, host)
    old = tags(host, f"/table/{table.id}")["og:image"]
    guest.post(f"/sit/{table.chairs[1].key}", data={"name": "Nadia"})
    new = tags(host, f"/table/{table.id}")["og:image"]
    assert new != old
    moved = host.get(old)
    assert moved.status_code == 302
    assert "http://table" + moved.headers["location"] == new, "whoever comes late sees the present"
    assert host.get(new).content != b""


def test_a_picture_of_what_is_not_there(site: Site) -> None:
    assert site.browser().get("/table/nowhere/picture.png").status_code == 404


@pytest.mark.parametrize("game", plain_games(), ids=label)
def test_nothing_of_a_running_match_is_read_beside_its_link(site: Site, game: Game) -> None:
    """The same before and after any decision; and nobody's name who only looks on."""
    table = site.table(game)
    robot, onlooker = site.browser(**PAGE), site.browser(**PAGE)
    onlooker.post("/preferences", data={"name": "Zinaida"})
    onlooker.get(f"/table/{table.id}")
    before = tags(robot, f"/table/{table.id}")
    site.wander(table, 12)
    assert table.match is not None
    assert not table.match.over
    assert tags(robot, f"/table/{table.id}") == before
    assert "Zinaida" not in repr(before)


def test_where_nobody_may_look_on_nobody_is_told_who_plays(site: Site) -> None:
    table = site.table(samizdat.game("revolution"))
    there = link_preview(table, "Ludmila", "en")
    assert "Player 0" in repr(there)
    table.manners = Manners(watch="nobody")
    assert not table.watched_by(None)
    closed = link_preview(table, "Ludmila", "en")
    assert not any(name in repr(closed) for name in ("Ludmila", *table.names))
    assert closed.seats == ("",) * table.game.players


@pytest.mark.parametrize("name", definitions())
def test_a_finished_match_says_who_won(site: Site, name: str) -> None:
    table = site.table(samizdat.game(name, **({"max_rounds": 2} if name == "revolution" else {})))
    site.wander(table, 10_000)
    told = tags(site.browser(**PAGE), f"/table/{table.id}/replay")
    assert re.search("won|share|fallen|wins", told["og:title"])
    assert size(site.browser().get(told["og:image"]).content) == (WIDTH, HEIGHT)


def kept_by(name: str, code: str = "en") -> LinkPreview:
    """What is read beside the link to a table that somebody keeps."""
    words = sentence(Phrase("{name} keeps you a seat", {"name": name}), code)
    return LinkPreview("revolution", words, words, "A seat is kept for you", ("Revolution!",), ("red", "", "", ""))


@pytest.mark.parametrize("name", ["<image href='/etc/x'/>", HOSTILE[:24], "&amp;&#0;\"'"])
def test_hostile_names_are_only_drawn(name: str) -> None:
    svg = drawing(kept_by(name))
    assert svg.count("<image") == 1, "the poster alone"
    assert "<img" not in svg
    assert size(picture(kept_by(name))) == (WIDTH, HEIGHT)


def test_a_name_in_letters_that_we_have_not_is_left_out() -> None:
    foreign = kept_by("日本語")
    assert not drawable(foreign.headline)
    assert ">A seat is</text>" in drawing(foreign), "no empty boxes instead of letters"


@pytest.mark.parametrize("name", ["W" * 24, "Ża " * 8, "i", "Bartłomiej Wawrzyńczyk-Z"])
@pytest.mark.parametrize("code", ["en", "de", "it", "pl"])
def test_a_headline_fits(name: str, code: str) -> None:
    found, lines = headline(kept_by(name, code).headline)
    assert all(wide(line, found, "poster") <= ROOM for line in lines)
    assert 72 + found * (1 + 0.94 * (len(lines) - 1)) < 400, "and leaves room for the seats"


def test_a_code_leads_where_the_link_does() -> None:
    square = qr_code("http://table/sit/abc", 'a "label"')
    assert 'aria-label="a &#34;label&#34;"' in square
    assert "style" not in square
    assert square.count("<path") == 2
    assert square != qr_code("http://table/sit/abd", 'a "label"')


def test_everybody_passes_on_what_is_theirs(site: Site) -> None:
    """Whoever opened the table the link of a free seat, others at it the table's own, and strangers none."""
    host, guest, stranger = site.browser(**PAGE), site.browser(**PAGE), site.browser(**PAGE)
    table = two_open(site, host, **{"seat-3": "open"})
    guest.post(f"/sit/{table.chairs[1].key}", data={"name": "Nadia"})
    address = f"/table/{table.id}"
    assert f'id="invite-2" readonly value="http://table/sit/{table.chairs[2].key}"' in host.get(address).text
    other = host.get(f"{address}?invite=3").text
    assert f'id="invite-3" readonly value="http://table/sit/{table.chairs[3].key}"' in other
    assert 'id="invite-2"' in host.get(f"{address}?invite=1").text, "that one is taken"
    assert f'id="passed" readonly value="http://table{address}"' in guest.get(f"{address}?invite=3").text
    assert "Pass it on" not in stranger.get(address).text


def test_a_link_that_went_astray_is_made_anew(site: Site) -> None:
    host, guest = site.browser(**PAGE), site.browser(**PAGE)
    table = two_open(site, host)
    old = table.chairs[1].key
    host.post(f"/table/{table.id}/seats", data={"seat": "1", "kind": "open"})
    assert table.chairs[1].key != old
    assert guest.get(f"/sit/{old}").status_code == 404
    assert guest.get(f"/sit/{table.chairs[1].key}").status_code == 200


@pytest.mark.parametrize("seat", ["0", "3", "9", "-1", "x", ""])
def test_no_seat_that_is_not_free_is_chosen(site: Site, seat: str) -> None:
    host, guest = site.browser(**PAGE), site.browser(**PAGE)
    table = two_open(site, host)
    key = table.chairs[1].key
    assert guest.post(f"/sit/{key}", data={"name": "Nadia", "seat": seat}).status_code == 403
    assert table.chairs[1].kind == "open"
    assert table.chairs[1].key == key


def test_two_who_choose_the_same_seat(site: Site) -> None:
    """The second is refused, and keeps the link."""
    table = two_open(site, site.browser(**PAGE))
    for player in ("p1", "p2"):
        site.house.store.remember_player(player, player)
    site.run(site.house.do(table, TakeSeat(2, "Nadia", "p1", invited=1)))
    key = table.chairs[1].key
    with pytest.raises(NotAllowed):
        site.run(site.house.do(table, TakeSeat(2, "Piotr", "p2", invited=1)))
    with pytest.raises(NotAllowed):
        site.run(site.house.do(table, TakeSeat(1, "Piotr", "p2", invited=2)))
    assert table.chairs[1].key == key


def test_a_variant_is_named(site: Site) -> None:
    found = definitions()["mali-powstancy"]
    variant = list(found.variants)[-1]
    count = str(next(iter(found.variants[variant])))
    seats = {"seat-0": "me", **{f"seat-{number}": "open" for number in range(1, int(count))}}
    host = site.browser(**PAGE)
    table = opened(site, host.post("/new/mali-powstancy", data=form(variant, count, **seats)))
    told = tags(host, f"/table/{table.id}")
    assert told["og:description"].lower().startswith(f"mali powstańcy: warszawa 1944, {variant}")
