"""What else is sent by forms: rematches, files of matches, preferences; and what is not taken from elsewhere."""

from __future__ import annotations

import html
import json
import re
import time

import pytest
from sqlalchemy import update

import samizdat
from samizdat.kernel.game import definitions
from samizdat.kernel.matchfile import checksum
from samizdat.table.bots import request_of, sight_of
from samizdat.table.drawings import drawn
from samizdat.table.house import DAY
from samizdat.table.store.schema import tables
from tests.table.conftest import Site
from tests.table.forms import HOSTILE, PAGE, form, opened


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
    assert re.search(r'<html lang="pl"[^>]* data-theme="dark">', page)
    assert re.search(r'name="helps" value="off" aria-current="true"', page)
    assert re.search(r'name="revelations" value="important" aria-current="true"', page)
    browser.post("/preferences", data={"theme": ""})
    assert "data-theme=" not in browser.get("/").text.partition("<head>")[0]
    browser.post("/preferences", data={"lang": "xx", "theme": "pink", "revelations": "some", "name": "Nadia"})
    assert 'name="revelations" value="important" aria-current="true"' in browser.get("/").text
    assert '<html lang="pl"' in browser.get("/").text
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
