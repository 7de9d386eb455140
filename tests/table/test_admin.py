"""`samizdat admin`: said once, it holds in every process, and tells nothing of what is played."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from sqlalchemy import insert, select, update
from typer.testing import CliRunner

import samizdat
from samizdat.cli import app
from samizdat.table.commands import Play
from samizdat.table.declined import NotAllowed
from samizdat.table.settings import Settings
from samizdat.table.store.schema import journal, players, reports, tables
from tests.table.conftest import Site

BOTH_DATABASES = True
YEAR = 365 * 24 * 3600.0


def admin(site: Site, *words: str, code: int = 0) -> str:
    settings: Settings = site.app.state.settings
    where = ["--database", settings.database] if settings.shared else ["--data", str(settings.data)]
    answer = CliRunner().invoke(app, ["admin", *words, *where], env={"COLUMNS": "200"})
    if answer.exception is not None and not isinstance(answer.exception, SystemExit):
        assert code, answer.exception
        return str(answer.exception)
    assert answer.exit_code == code, answer.output
    return answer.output


def looked(site: Site) -> None:
    """A few seconds later."""
    site.run(site.app.state.host.look())


def test_the_list_names_tables_and_nothing_of_what_is_played(site: Site) -> None:
    table = site.table(samizdat.game("revolution"))
    site.wander(table, 3)
    said = admin(site, "list")
    assert table.id in said
    assert "playing" in said
    assert not any(chair.key in said for chair in table.chairs)
    assert f"{table.seed:032x}" not in said
    assert "No such" not in admin(site, "list", "--status", "over")
    assert "no state of a table" in admin(site, "list", "--status", "what", code=1)


def test_at_a_frozen_table_nothing_is_decided_until_it_goes_on(site: Site) -> None:
    table, other = (site.table(samizdat.game("dual-powers"), seed=seed) for seed in (1, 2))
    admin(site, "freeze", table.id, "--why", "a quarrel")
    looked(site)
    assert table.match is not None
    seat = table.match.turn[0]
    move = table.match.legal(seat)[0]
    with pytest.raises(NotAllowed, match="frozen"):
        site.run(site.house.do(table, Play(seat, [move])))
    assert table.match.plies == 0
    browser = site.browser()
    browser.hold(other, 0)
    assert browser.get(f"/table/{table.id}").status_code == 200, "it can be read"
    site.wander(other, 2)
    assert "goes on" in admin(site, "unfreeze", table.id)
    looked(site)
    site.run(site.house.do(table, Play(seat, [move])))
    assert "There is no table" in admin(site, "freeze", "nowhere", code=1)


def test_who_is_kept_out_reads_one_sentence_until_it_is_over(site: Site) -> None:
    here, there = site.browser_at("203.0.113.9"), site.browser_at("203.0.114.9")
    assert here.get("/").status_code == 200
    admin(site, "ban", "203.0.113.0/24", "--until", "2d", "--why", "noise")
    looked(site)
    for path in ("/", "/rules/revolution", "/api/tables/x", "/static/samizdat.css"):
        answer = here.get(path)
        assert answer.status_code == 403
        assert "does not let you in" in answer.text
        assert "noise" not in answer.text
    assert there.get("/").status_code == 200
    assert "203.0.113.0/24" in admin(site, "bans")
    admin(site, "unban", "203.0.113.0/24")
    looked(site)
    assert here.get("/").status_code == 200
    assert "is no address" in admin(site, "ban", "nobody-known", code=1)
    assert "is no moment" in admin(site, "ban", "203.0.113.9", "--until", "soon", code=1)


def test_a_person_is_kept_out_wherever_they_come_from(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    table = site.table(samizdat.game("revolution"))
    browser = site.browser()
    browser.hold(table, 0)
    (player,) = table.chairs[0].holders - {"p0"}
    admin(site, "ban", player, "--until", "1h")
    looked(site)
    assert browser.get("/").status_code == 403
    later = time.time() + 3700
    monkeypatch.setattr(time, "time", lambda: later)
    assert browser.get("/").status_code == 200, "its time is over, whether or not anybody looked"


def test_retention_counts_first_and_then_lets_go(site: Site) -> None:
    store = site.house.store
    old, young = (site.table(samizdat.game("revolution"), seed=seed) for seed in (1, 2))
    store.remember_player("guest", "Ada")
    with store.engine.begin() as db:
        db.execute(update(players).where(players.c.id == "guest").values(made=time.time() - YEAR))
        db.execute(update(tables).where(tables.c.id == old.id).values(status="over", changed=time.time() - YEAR))
        db.execute(update(tables).where(tables.c.id == young.id).values(status="over"))
    asked = ("retention", "--finished-days", "90", "--guest-days", "90")
    assert "1 finished tables, 0 that never began and 1 guests would go" in admin(site, *asked)
    assert store.table(old.id) is not None
    assert "are gone" in admin(site, *asked, "--go")
    assert store.table(old.id) is None
    assert store.table(young.id) is not None
    assert store.player_name("guest") is None
    assert store.player_name("p0") is not None, "who has a table stays"
    looked(site)
    assert old.gone, "whoever looks on is told"


def test_repair_trusts_the_decisions_and_never_changes_them(site: Site) -> None:
    store = site.house.store
    good, bent, broken = (site.table(samizdat.game("war-of-whispers"), seed=seed) for seed in (1, 2, 3))
    for table in (good, bent, broken):
        site.wander(table, 8)
    with store.engine.begin() as db:
        db.execute(update(tables).where(tables.c.id == bent.id).values(state=b"nothing", plies=3))
        db.execute(update(journal).where(journal.c.table == broken.id, journal.c.n == 4).values(move="fly away"))
        before = db.execute(select(journal).order_by(journal.c.table, journal.c.n)).all()
    said = admin(site, "repair", code=1)
    assert "1 tables are in order" in said
    assert bent.id in said and broken.id in said  # noqa: PT018
    assert "is in order" in admin(site, "repair", good.id)
    assert "8 decisions" in admin(site, "repair", bent.id)
    assert "Line 5 of the 8 decisions" in admin(site, "repair", broken.id, code=1)
    assert "fly" not in admin(site, "repair", broken.id, code=1), "what was decided is not told"
    with store.engine.connect() as db:
        assert db.execute(select(journal).order_by(journal.c.table, journal.c.n)).all() == before
    assert "2 tables are in order" in admin(site, "repair", code=1)


def test_reports_are_read_and_closed(site: Site) -> None:
    assert "nothing to read" in admin(site, "reports")
    site.house.store.remember_player("p0", "Ludmila")
    site.house.store.remember_player("p1", "Borys")
    values = {"reporter": "p0", "about": "p1", "table": "t", "why": "rude"}
    words = [{"name": "Borys", "sheet": "all", "text": "[red]boo", "at": 0.0}]
    with site.house.store.engine.begin() as db:
        db.execute(insert(reports).values(id="r1", words=words, at=time.time(), closed=None, **values))
    said = admin(site, "reports")
    assert "Ludmila reports Borys" in said
    assert "[red]boo" in said
    assert "is closed" in admin(site, "reports", "--close", "r1")
    assert "no open report" in admin(site, "reports", "--close", "r1")
    assert "Borys" in admin(site, "reports", "--closed")


def test_there_must_be_a_house(tmp_path: Path) -> None:
    answer = CliRunner().invoke(app, ["admin", "list", "--data", str(tmp_path)])
    assert "There is no house" in str(answer.exception)
    assert not list(tmp_path.iterdir())
