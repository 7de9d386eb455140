"""Leaving: browsers that hold a seat, tables that are deleted, names taken off, and everything of somebody."""

from __future__ import annotations

import io
import json
import re
import time
import zipfile
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Column, String, Table, cast, func, select

from samizdat.kernel.verdicts import verify
from samizdat.table import passwords
from samizdat.table.house import House
from samizdat.table.names import SOMEBODY
from samizdat.table.store.belonging import named
from samizdat.table.store.schema import accounts, boxes, metadata, players, sessions, tables, talk, ways
from samizdat.table.tables import LiveTable
from tests.postgres import Postgres
from tests.table.conftest import Browser, Site

BOTH_DATABASES = True
PASSWORD = "barricade under snow"


@pytest.fixture(autouse=True)
def _cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passwords, "_hasher", passwords.PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))


def guest(site: Site, name: str) -> Browser:
    browser = site.browser()
    browser.post("/preferences", data={"name": name})
    return browser


def signed_in(site: Site, name: str) -> Browser:
    browser = site.browser()
    assert browser.post("/account", data={"name": name, "password": PASSWORD}).status_code == 303
    return browser


def opened(site: Site, host: Browser, *others: Browser, seats: int = 3) -> LiveTable:
    """A table of a host with open seats, on which others sit down; and a bot for each seat that is left."""
    form = {"variant": "standard", "players-standard": str(seats), "seat-0": "me", "name": "Ludmila"}
    form |= {f"seat-{n}": "open" if n <= len(others) else "bot-random" for n in range(1, seats)}
    answer = host.post("/new/revolution", data=form)
    assert answer.status_code == 303, answer.text
    table = site.run(site.house.find(answer.headers["location"].removeprefix("/table/")))
    for other in others:
        seat = next(n for n, chair in enumerate(table.chairs) if chair.kind == "open")
        assert (
            other.post(f"/table/{table.id}/sit", data={"seat": str(seat), "name": f"Other {seat}"}).status_code == 303
        )
    return table


def played_out(site: Site, table: LiveTable) -> None:
    site.wander(table, 10_000)
    assert table.match is not None
    assert table.match.over


def again(site: Site, table: LiveTable) -> LiveTable:
    """The table as it is read from the database."""
    return House(site.house.store, 100, 100)._read(table.id)


def traces(site: Site, id: str) -> list[str]:
    """Where in the database something is written, whichever column it is in."""
    found = []
    with site.house.store.engine.connect() as db:
        for table in metadata.sorted_tables:
            for column in table.columns:
                wanted = select(func.count()).select_from(table).where(cast(column, String).contains(id))
                if db.execute(wanted).scalar_one():
                    found.append(f"{table.name}.{column.name}")
    return found


# --- the browsers that hold a seat -----------------------------------------------------------------------


def test_a_seats_owner_sends_other_browsers_away_and_the_link_with_them(site: Site) -> None:
    owner, phone, stranger = guest(site, "Ludmila"), guest(site, "Ludmila's phone"), guest(site, "Fedor")
    table = opened(site, owner)
    old = table.chairs[0].key
    phone.hold(table, 0)
    stranger.hold(table, 0)
    page = owner.get(f"/table/{table.id}/browsers").text
    assert "Ludmila&#39;s phone" in page
    assert "Fedor" in page
    assert not any(one in page for one in table.chairs[0].holders), "what players are called inside is not told"
    given = re.search(r'name="player" value="(\w+)"><button[^>]*: Fedor"', page)
    assert given is not None
    assert owner.post(f"/table/{table.id}/browsers", data={"seat": "0", "player": given[1]}).status_code == 303
    assert old != table.chairs[0].key
    assert stranger.post(f"/table/{table.id}/move", json={"seat": 0, "version": 0}).status_code == 403
    assert stranger.post(f"/sit/{old}").status_code == 404, "nor does the old link bring them back"
    assert len(table.chairs[0].holders) == 2
    assert phone.get(f"/table/{table.id}/browsers").status_code == 200
    phone.post(f"/table/{table.id}/browsers", data={"seat": "0"})
    assert owner.get(f"/table/{table.id}/browsers").status_code == 403
    assert len(again(site, table).chairs[0].holders) == 1
    assert again(site, table).chairs[0].key == table.chairs[0].key


def test_nobody_sends_away_from_a_seat_of_others(site: Site) -> None:
    owner, other = guest(site, "Ludmila"), guest(site, "Fedor")
    table = opened(site, owner, other)
    keys = [chair.key for chair in table.chairs]
    for seat in ("0", "7", "x", "-1"):
        assert other.post(f"/table/{table.id}/browsers", data={"seat": seat}).status_code == 403
    assert [chair.key for chair in table.chairs] == keys
    assert guest(site, "Hugo").get(f"/table/{table.id}/browsers").status_code == 403


# --- tables ----------------------------------------------------------------------------------------------


def test_only_whoever_opened_a_table_deletes_it(site: Site) -> None:
    host, other = guest(site, "Ludmila"), guest(site, "Fedor")
    table = opened(site, host, other)
    assert other.get(f"/table/{table.id}/delete").status_code == 403
    assert other.post(f"/table/{table.id}/delete").status_code == 403
    assert guest(site, "Hugo").post(f"/table/{table.id}/delete").status_code == 403
    assert other.post("/table/nothing/delete").status_code == 403
    assert again(site, table).opened_by == table.opened_by


def test_a_table_with_nobody_else_goes_altogether(site: Site) -> None:
    host = guest(site, "Ludmila")
    table = opened(site, host)
    site.wander(table, 5)
    assert "cannot be brought back" in host.get(f"/table/{table.id}/delete").text
    assert host.post(f"/table/{table.id}/delete").status_code == 303
    assert host.get(f"/table/{table.id}").status_code == 404
    assert traces(site, table.id) == []
    assert host.post(f"/table/{table.id}/move", json={"seat": 0, "version": 0, "move": "x"}).status_code == 404


def test_a_running_match_stays_for_the_others_with_a_bot(site: Site) -> None:
    host, other = guest(site, "Ludmila"), guest(site, "Fedor")
    table = opened(site, host, other)
    site.wander(table, 5)
    assert "a bot takes your seat" in host.get(f"/table/{table.id}/delete").text
    assert host.post(f"/table/{table.id}/delete").status_code == 303
    assert table.chairs[0].kind == "bot"
    assert table.opened_by in table.chairs[1].holders, "the other may change seats now"
    assert f"/table/{table.id}" not in host.get("/").text
    assert "Ludmila" not in other.get(f"/table/{table.id}").text
    assert again(site, table).opened_by == table.opened_by
    site.wander(table, 5)  # and it goes on
    assert again(site, table).journaled == table.journaled


def test_a_finished_match_stays_for_the_others_without_the_name(site: Site) -> None:
    host, other = guest(site, "Ludmila"), guest(site, "Fedor")
    table = opened(site, host, other)
    played_out(site, table)
    file = other.get(f"/table/{table.id}/file").text
    assert host.post(f"/table/{table.id}/delete").status_code == 303
    assert table.chairs[0].name == again(site, table).chairs[0].name == SOMEBODY
    page = other.get(f"/table/{table.id}").text
    assert "Ludmila" not in page
    assert "Ktoś" in other.get(f"/table/{table.id}", headers={"cookie": "lang=pl"}).text
    kept = other.get(f"/table/{table.id}/file").text
    assert json.loads(kept)["moves"] == json.loads(file)["moves"]
    assert verify(kept)
    assert host.get(f"/table/{table.id}/delete").status_code == 403


# --- everything ------------------------------------------------------------------------------------------


def test_everything_of_somebody_comes_in_one_archive_and_nothing_secret_of_others(site: Site) -> None:
    me, other = signed_in(site, "Ludmila"), guest(site, "Fedor")
    over, running = opened(site, me, other), opened(site, me, other)
    played_out(site, over)
    site.wander(running, 7)
    answer = me.get("/settings/data")
    assert answer.headers["content-type"] == "application/zip"
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        files = {name: archive.read(name).decode() for name in archive.namelist()}
    [whole] = [text for name, text in files.items() if over.id in name]
    assert verify(whole), "a finished match is whole"
    assert whole == other.get(f"/table/{over.id}/file").text
    [seat] = [text for name, text in files.items() if running.id in name]
    assert seat == me.get(f"/table/{running.id}/file").text, "of a running one only what the seat knows"
    everything = "\n".join(files.values())
    secrets = [f"{running.seed:032x}", f"{running.nonce:032x}", *(chair.key for chair in running.chairs)]
    with site.house.store.engine.connect() as db:
        secrets += [value for row in db.execute(select(sessions.c.token, sessions.c.player)) for value in row]
        secrets += [row.password for row in db.execute(select(accounts))]
        secrets += db.execute(select(players.c.id)).scalars().all()
    assert not [secret for secret in secrets if secret in everything]
    assert json.loads(files["about.json"])["name"] == "Ludmila"


def test_a_name_is_off_everywhere_and_the_tables_stay(site: Site) -> None:
    me, other = signed_in(site, "Ludmila"), guest(site, "Fedor")
    over, running = opened(site, me, other), opened(site, me, other)
    played_out(site, over)
    assert me.post("/settings/name-off").status_code == 303
    for table in (over, running):
        assert "Ludmila" not in other.get(f"/table/{table.id}").text
        assert again(site, table).chairs[0].name == SOMEBODY
        assert f"/table/{table.id}" in me.get("/").text
    assert [one for one in traces(site, "Ludmila") if one != "accounts.login"] == []


def test_an_account_goes_after_seven_days_unless_its_owner_comes_back(site: Site) -> None:
    me, other = signed_in(site, "Ludmila"), guest(site, "Fedor")
    over, running, alone = opened(site, me, other), opened(site, me, other), opened(site, me)
    hosted = opened(site, other, me)
    form = {"variant": "standard", "players-standard": "3", "seat-0": "me", "seat-1": "open", "seat-2": "open"}
    waiting = other.post("/new/revolution", data=form)
    unbegun = site.run(site.house.find(waiting.headers["location"].removeprefix("/table/")))
    assert me.post(f"/table/{unbegun.id}/sit", data={"seat": "1", "name": "Ludmila"}).status_code == 303
    played_out(site, over)
    player = over.opened_by
    with site.house.store.engine.connect() as db:
        login = db.execute(select(accounts.c.login)).scalar_one()
    assert me.post("/settings/delete").status_code == 303
    assert running.chairs[0].kind == hosted.chairs[1].kind == "bot", "running seats go at once"
    assert unbegun.chairs[1].kind == "open"
    assert "Sign in" in me.get("/").text
    site.run(site.app.state.leaving.sweep())
    assert again(site, over).opened_by == player, "not yet"
    back = site.browser()
    assert back.post("/sign-in", data={"login": login, "password": PASSWORD}).status_code == 303
    with site.house.store.engine.begin() as db:
        assert db.execute(select(accounts.c.leaving)).scalar_one() is None, "whoever comes back stays"
    back.post("/settings/delete")
    with site.house.store.engine.begin() as db:
        db.execute(accounts.update().values(leaving=time.time() - 1))
    site.run(site.app.state.leaving.sweep())
    assert back.post("/sign-in", data={"login": login, "password": PASSWORD}).status_code == 422
    assert traces(site, alone.id) == [], "nobody else sat there"
    assert again(site, over).chairs[0].name == SOMEBODY
    assert again(site, unbegun).opened_by != player
    left = {one for one in traces(site, player) if one not in ("players.id", "seatings.held")}
    assert left == set(), "of an account a number is left, for what others keep"
    with site.house.store.engine.connect() as db:
        assert db.execute(select(players.c.name).where(players.c.id == player)).scalar_one() == SOMEBODY
        assert not db.execute(select(boxes)).all()


# What still says that there was somebody, without a name: what others keep, and what was reported (docs/hosting.md).
KEPT = {"players.id", "seatings.held", "talk.player", "reports.reporter", "reports.about"}


def names(column: Column[Any]) -> bool:
    """Whether it says which player something belongs to."""
    return any(key.column is players.c.id for key in column.foreign_keys)


def a_row(table: Table, known: dict[Column[Any], str], n: int) -> dict[str, Any]:
    """Something in a table, whichever it is: keys lead to what is there, the rest is anything of its kind."""
    row: dict[str, Any] = {}
    for column in table.columns:
        leads = next((key.column for key in column.foreign_keys), column)
        if leads in known:
            row[column.name] = known[leads]
        elif not column.nullable:
            kind = column.type.python_type
            row[column.name] = {str: f"{n}", int: n, float: 1.0, bool: False, bytes: b"1"}.get(kind, {})
    return row


def test_no_table_keeps_whoever_is_gone(site: Site) -> None:
    """A law of the schema, of tables to come, too: in every column that names a player there is a row, and after
    somebody is gone, none of them is theirs but those that are said to stay."""
    me, other = guest(site, "Ludmila"), guest(site, "Fedor")
    there = opened(site, me, other)
    player, filled = there.opened_by, set()
    known = {players.c.id: player, tables.c.id: there.id, ways.c.id: "way"}
    store = site.house.store
    store.remember_player("third", "Greta")
    for table, column in named():
        with store.engine.begin() as db:
            if not db.execute(select(column).where(column == player)).all():
                besides = {one.name: "third" for one in table.columns if one is not column and names(one)}
                db.execute(table.insert().values(a_row(table, known, len(filled)) | besides))
            filled.add(f"{table.name}.{column.name}")
    assert filled <= set(traces(site, player)), "each of them names somebody"
    site.run(site.app.state.leaving.erase(player))
    assert set(traces(site, player)) <= KEPT
    with store.engine.connect() as db:
        assert db.execute(select(talk.c.words).where(talk.c.player == player)).scalars().all() == [""]
        assert db.execute(select(players.c.name).where(players.c.id == player)).scalar_one() == SOMEBODY


def test_a_guest_goes_at_once(site: Site) -> None:
    me, other = guest(site, "Ludmila"), guest(site, "Fedor")
    table = opened(site, me, other)
    assert "cannot come back" in me.get("/settings/leave").text
    assert me.post("/settings/delete").status_code == 303
    assert table.chairs[0].kind == "bot"
    assert "Ludmila" not in other.get(f"/table/{table.id}").text
    assert traces(site, "Ludmila") == []


def test_a_stolen_browser_deletes_nothing(site: Site) -> None:
    me = signed_in(site, "Ludmila")
    with site.house.store.engine.begin() as db:
        db.exec_driver_sql("UPDATE sessions SET proved = 0")
    site.app.state.sessions.forget()
    for path in ("/settings/delete", "/settings/name-off"):
        assert me.post(path).headers["location"].startswith("/sign-in")
    with site.house.store.engine.connect() as db:
        assert db.execute(select(accounts.c.leaving)).scalar_one() is None


def test_another_process_knows_who_came_along_and_what_is_gone(postgresql: Postgres, tmp_path: Path) -> None:
    address = postgresql.fresh()
    with closing(Site(tmp_path, database=address)) as one, closing(Site(tmp_path, database=address)) as other:
        here, there = guest(one, "Ludmila"), other.browser()
        table = opened(one, here)
        elsewhere = other.run(other.house.find(table.id))
        assert here.post("/account", data={"name": "Ludmila", "password": PASSWORD}).status_code == 303
        there.client.cookies = here.client.cookies
        assert table.chairs[0].key in there.get(f"/table/{table.id}").text, "the account holds the seat there, too"
        assert elsewhere.opened_by == table.opened_by
        here.post("/settings/name-off")
        other.run(other.house.find(table.id))
        assert elsewhere.chairs[0].name == SOMEBODY
        assert here.post(f"/table/{table.id}/delete").status_code == 303
        other.run(other.house.look_around())
        assert elsewhere.gone
        assert there.get(f"/table/{table.id}").status_code == 404
