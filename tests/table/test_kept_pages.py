"""The table as an app: what a browser is told to keep, and that nobody at a shared screen is told more."""

from __future__ import annotations

import json
import re
import struct

import samizdat
from samizdat.table.scripts import STATIC
from tests.table.conftest import Browser, Site
from tests.table.forms import PAGE, two_open

PASSWORD = "four words in a row"


def kept(browser: Browser, path: str) -> bool:
    """Whether the service worker may keep what lies there; a script of the page is told the same."""
    answer = browser.get(path)
    may = "samizdat-keep" in answer.headers
    assert ("data-person=" in answer.text) == may
    assert answer.headers["cache-control"] == "no-store", "a browser's own memory keeps nothing"
    return may


def person(browser: Browser) -> str:
    return str(browser.get("/").headers["samizdat-person"])


def test_a_page_of_one_seat_may_be_kept_and_so_may_a_spectators(site: Site) -> None:
    table = site.table(samizdat.game("revolution"))
    alone, onlooker = site.browser(**PAGE), site.browser(**PAGE)
    alone.hold(table, 0)
    assert kept(alone, f"/table/{table.id}")
    assert kept(alone, f"/table/{table.id}?seat=0")
    assert kept(onlooker, f"/table/{table.id}")


def test_what_several_share_at_one_screen_is_never_kept(site: Site) -> None:
    """Neither a hand nor the cover, in any position; and not when the second sits down later."""
    table = site.table(samizdat.game("revolution"))
    shared = site.browser(**PAGE)
    shared.hold(table, 0)
    assert kept(shared, f"/table/{table.id}?seat=0")
    shared.hold(table, 1)
    for plies in (0, 5, 10_000):
        site.wander(table, plies)
        assert table.match is not None
        for path in ("", "?seat=0", "?seat=1", "/cover"):
            answer = shared.get(f"/table/{table.id}{path}")
            assert "samizdat-keep" not in answer.headers, path
            assert "data-person" not in answer.text, path


def test_nothing_else_is_kept(site: Site) -> None:
    """Rooms with links in them, lists of one's tables, settings, and pages that are only read."""
    host = site.browser(**PAGE)
    waiting = two_open(site, host)
    table = site.table(samizdat.game("revolution"))
    host.hold(table, 0)
    paths = [
        f"/table/{waiting.id}",
        f"/sit/{waiting.chairs[1].key}",
        "/",
        "/you",
        "/settings",
        "/sign-in",
        "/offline",
    ]
    for path in [*paths, f"/table/{table.id}?still=true", f"/table/{table.id}/browsers", f"/table/{table.id}/file"]:
        assert not kept(host, path), path


def test_whose_pages_they_are_changes_with_whoever_is_here(site: Site) -> None:
    """The worker lets go of all pages of others: signing in, signing out and another browser's end are told by it."""
    browser, other = site.browser(**PAGE), site.browser(**PAGE)
    guest = person(browser)
    assert guest == person(browser), "the same browser is the same person"
    assert guest != person(other)
    browser.post("/account", data={"name": "Ludmila", "password": PASSWORD})
    member = person(browser)
    assert member != guest
    table = site.table(samizdat.game("revolution"))
    assert f'data-person="{member}"' in browser.get(f"/table/{table.id}").text
    browser.post("/sign-out")
    assert person(browser) not in (member, "")


def test_a_person_is_told_by_a_hash_that_says_nothing(site: Site) -> None:
    browser = site.browser(**PAGE)
    seen = person(browser)
    assert re.fullmatch("[0-9a-f]{24}", seen)
    assert seen not in str(browser.client.cookies)


def test_what_is_everybodys_names_nobody(site: Site) -> None:
    for path in ("/manifest.webmanifest", "/service-worker.js", "/static/tokens.css"):
        answer = site.browser().get(path)
        assert answer.status_code == 200
        assert "samizdat-person" not in answer.headers
        assert "set-cookie" not in answer.headers


def test_a_phone_is_told_how_to_keep_the_table(site: Site) -> None:
    told = json.loads(site.browser(**{"accept-language": "pl"}).get("/manifest.webmanifest").text)
    assert told["lang"] == "pl"
    assert told["description"].startswith("Stół")
    assert {(icon["sizes"], icon["purpose"]) for icon in told["icons"]} == {
        ("192x192", "any"), ("512x512", "any"), ("512x512", "maskable"),
    }  # fmt: skip
    for icon in told["icons"]:
        png = site.browser().get(icon["src"]).content
        assert "{}x{}".format(*struct.unpack(">II", png[16:24])) == icon["sizes"]


def test_the_worker_serves_the_whole_site_and_is_never_an_old_one(site: Site) -> None:
    answer = site.browser().get("/service-worker.js?v=1")
    assert answer.headers["content-type"].startswith("text/javascript")
    assert answer.headers["cache-control"] == "no-cache"
    assert answer.text == (STATIC / "service-worker.js").read_text()
    assert '<link rel="manifest" href="/manifest.webmanifest">' in site.browser(**PAGE).get("/").text
