"""Tables of other rules, other boxes or games that are gone: closed with one sentence, readable, and nobody else
notices."""

from __future__ import annotations

import html
import json
import re
from typing import Any

import pytest
from sqlalchemy import delete, select, update

import samizdat
from samizdat.kernel.matchfile import checksum
from samizdat.table.closed import closed_table
from samizdat.table.commands import Play, TakeBack
from samizdat.table.store.schema import holders, tables
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
def test_a_table_of_other_rules_is_closed_and_can_be_read(site: Site, values: dict[str, Any], finished: bool) -> None:
    browser, stranger = site.browser(**PAGE), site.browser(**PAGE)
    data = {"name": "Ludmila", "seat-0": "me", "house-max_rounds": "1"}
    id = browser.post("/new/revolution", data=data).headers["location"].removeprefix("/table/")
    table = site.run(site.house.find(id))
    site.wander(table, 10_000 if finished else 3)
    assert table.match is not None
    whole, played = json.loads(table.match.dumps()), table.match.moves
    other = browser.post("/new/dual-powers").headers["location"]
    forget(site, table, **values)
    before = row(site.house.store, id)

    for reader in (browser, stranger):
        for path in (f"/table/{id}", f"/table/{id}/cover", f"/table/{id}/replay"):
            answer = reader.get(path)
            assert answer.status_code == 200
            assert REFUSED in html.unescape(answer.text)
            assert id in answer.text
            shown = [html.unescape(move) for move in re.findall(r"<code>(.*?)</code>", answer.text)]
            assert shown == [str(move) for seat, move in played if finished or (reader is browser and seat == 0)]
        taken = json.loads(reader.get(f"/table/{id}/file").text)
        if finished:
            apart = {"checksum", "game", "rules", "box", "variant", "players", "options"}
            assert {key: value for key, value in taken.items() if key not in apart} == {
                key: value for key, value in whole.items() if key not in apart
            }
            assert taken["checksum"] == checksum(taken)
            assert all(taken[key] == values.get(key, whole[key]) for key in apart - {"checksum"})
        else:
            assert (taken["format"], taken["view"], taken["log"]) == ("samizdat-seat", None, [])
            assert taken["moves"] == [str(move) for seat, move in played if reader is browser and seat == 0]

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
    assert f'href="/table/{id}"' in lobby.text
    where = "Won by|Everyone lost" if finished else "of other rules than this program has"
    assert re.search(where, lobby.text)
    assert lobby.text.count('aria-label="Continue: ') == 1, "only the other table waits"
    assert row(site.house.store, id) == before, "nothing was changed"


def test_a_closed_table_keeps_what_was_taken_back_out_and_what_hot_seats_decided_covered(site: Site) -> None:
    browser = site.browser(**PAGE)
    data = {"name": "Ludmila", "players-standard": "3", "seat-0": "me", "seat-1": "here", "seat-2": "here"}
    id = browser.post("/new/revolution", data=data).headers["location"].partition("?")[0].split("/")[2]
    table = site.run(site.house.find(id))
    assert table.match is not None
    for _ in range(2):
        site.run(site.house.do(table, Play(0, [str(table.match.legal(0)[0])])))
    site.run(site.house.do(table, TakeBack(0)))
    kept = [str(move) for _, move in table.match.moves]
    assert len(kept) == 1
    with site.house.store.engine.connect() as db:
        [player] = set(db.execute(select(holders.c.player).where(holders.c.table == id)).scalars())
    forget(site, table, rules=77)
    assert "<code>" not in browser.get(f"/table/{id}").text
    site.house.store.writer.do(lambda db: db.execute(delete(holders).where(holders.c.seat > 0)))
    assert [one.move for _, one in closed_table(site.house.store, id, player).decisions] == kept


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
