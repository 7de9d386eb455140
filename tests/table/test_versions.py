"""Tables of other rules, other boxes or games that are gone: refused in one sentence, and nobody else notices."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest
from sqlalchemy import select, update

import samizdat
from samizdat.table.store.schema import tables
from samizdat.table.store.store import Store
from samizdat.table.tables import LiveTable
from tests.table.conftest import Browser, Site

PAGE = {"accept": "text/html", "accept-language": "en"}
REFUSED = "was begun under other rules than this program has"
OTHERS: list[dict[str, Any]] = [
    {"rules": 77},
    {"box": "0123456789abcdef"},
    {"state": b"\x01" * 17},
    {"state": b""},
    {"options": {"hats": True}},
    {"options": {"max_rounds": "many"}},
    {"variant": "blitz"},
    {"players": 9},
    {"game": "chess"},
]


def forget(site: Site, table: LiveTable, **values: Any) -> None:
    """The table as an older or newer program would have left it, not in memory any more."""
    site.house.store.writer.do(lambda db: db.execute(update(tables).where(tables.c.id == table.id).values(**values)))
    site.house.tables.clear()
    site.house._held.clear()


def row(store: Store, id: str) -> Any:
    with store.engine.connect() as db:
        return db.execute(select(tables).where(tables.c.id == id)).one()


def host(site: Site) -> Browser:
    browser = site.browser(**PAGE)
    assert browser.post("/new/revolution", data={"name": "Ludmila", "seat-0": "me"}).status_code == 303
    return browser


@pytest.mark.parametrize("finished", [False, True], ids=["running", "finished"])
@pytest.mark.parametrize("values", OTHERS, ids=str)
def test_a_table_of_other_rules_is_refused_and_stays_as_it_is(
    site: Site, values: dict[str, Any], finished: bool
) -> None:
    browser = site.browser(**PAGE)
    data = {"name": "Ludmila", "seat-0": "me", "house-max_rounds": "1"}
    id = browser.post("/new/revolution", data=data).headers["location"].removeprefix("/table/")
    table = site.run(site.house.find(id))
    site.wander(table, 10_000 if finished else 3)
    other = browser.post("/new/dual-powers").headers["location"]
    forget(site, table, **values)
    before = row(site.house.store, id)

    for path in (f"/table/{id}", f"/table/{id}/cover", f"/table/{id}/replay", f"/table/{id}/file"):
        answer = browser.get(path)
        assert answer.status_code == 409
        assert REFUSED in html.unescape(answer.text)
        assert id in answer.text
    program = site.browser()
    for path in ("", "/view", "/log", "/events"):
        answer = program.get(f"/api/tables/{id}{path}")
        assert answer.status_code == 409
        assert REFUSED in answer.json()["error"]
    for path in ("move", "undo", "rematch"):
        answer = browser.post(f"/table/{id}/{path}", json={"seat": 0, "version": 1, "move": "done"})
        assert answer.status_code == 409

    lobby = browser.get("/")
    assert lobby.status_code == 200
    assert other in lobby.text
    if values.get("game") != "chess":
        assert f'href="/table/{id}"' in lobby.text
        where = "Won by|Everyone lost" if finished else "of other rules than this program has"
        assert re.search(where, lobby.text)
    assert lobby.text.count('aria-label="Continue: ') == 1, "only the other table waits"
    assert row(site.house.store, id) == before, "nothing was changed"


@pytest.mark.parametrize(("code", "word"), [("it", "altre regole"), ("de", "anderen Regeln"), ("pl", "innych zasad")])
def test_it_is_said_in_the_readers_language(site: Site, code: str, word: str) -> None:
    browser = host(site)
    [table] = site.house.tables.values()
    forget(site, table, rules=77)
    browser.client.cookies.set("lang", code)
    assert word in browser.get(f"/table/{table.id}").text
    assert word in browser.get("/").text


def test_a_table_where_nobody_has_decided_yet_begins_under_the_present_rules(site: Site) -> None:
    browser, guest = site.browser(**PAGE), site.browser(**PAGE)
    browser.post("/new/dual-powers", data={"name": "A", "seat-0": "me", "seat-1": "open"})
    [table] = site.house.tables.values()
    forget(site, table, rules=77, box="0123456789abcdef")
    assert browser.get("/").status_code == 200
    assert browser.get(f"/table/{table.id}").status_code == 200
    assert guest.post(f"/sit/{table.chairs[1].key}", data={"name": "B"}).status_code == 303
    now = row(site.house.store, table.id)
    game = samizdat.game("dual-powers")
    assert (now.status, now.rules, now.box) == ("playing", game.definition.version, game.box.hash)
    assert 'id="board"' in guest.get(f"/table/{table.id}").text


def test_bots_leave_such_a_table_alone(site: Site) -> None:
    table = site.table(samizdat.game("war-of-whispers", players=2), kinds="bb")
    forget(site, table, rules=77)
    site.run(site.app.state.bots.wake())
    assert not site.house.tables
