"""Moving a data folder to PostgreSQL and back: everything comes along, and nothing is overwritten."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import select, update

import samizdat
from samizdat.kernel.tours import Progress
from samizdat.table.settings import ServeError
from samizdat.table.store import moving
from samizdat.table.store.boxes import OwnBox
from samizdat.table.store.moving import digest, lasting, move
from samizdat.table.store.schema import journal
from tests.postgres import Postgres
from tests.table.conftest import Site


def lived_in(folder: Path) -> tuple[str, dict[str, str]]:
    """A folder with something of everything in it: a table's id, and the cookies of a visitor."""
    with closing(Site(folder)) as site:
        table = site.table(samizdat.game("revolution", players=3), kinds="pbp")
        site.wander(table, 30)
        assert table.match is not None
        site.run(site.house.import_match(table.match.dumps(), "p0", "Żofia – „Zosia“"))
        site.house.store.keep_tour(table.id, "first", Progress())
        site.house.store.keep_solved("p0", "revolution", "t06_spy")
        site.house.store.keep_draft(table.id, 0, ["a", "b"])
        site.app.state.own_boxes.add(OwnBox("box", "p0", "revolution", "half a box = \n"))
        here = site.browser()
        here.get("/")
        return table.id, dict(here.client.cookies)


def everything(site: Site) -> dict[str, tuple[int, str]]:
    with site.house.store.engine.connect() as db:
        return {table.name: digest(db, table) for table in lasting()}


def test_everything_moves_there_and_back(tmp_path: Path, postgresql: Postgres) -> None:
    first, second, address = tmp_path / "first", tmp_path / "second", postgresql.fresh()
    id, cookies = lived_in(first)
    moved = move(str(first), address)
    assert {name for name, rows in moved.items() if rows} >= {
        "players",
        "tables",
        "seats",
        "journal",
        "boxes",
        "tours",
    }
    with closing(Site(tmp_path, database=address)) as site:
        there = everything(site)
        table = site.run(site.house.find(id))
        assert table.match is not None
        assert table.drafts == {0: ("a", "b")}
        known = site.browser()
        known.client.cookies.update(cookies)
        assert "set-cookie" not in known.get("/").headers, "whoever was here is still known"
    assert move(address, str(second)) == moved
    with closing(Site(second)) as site:
        assert everything(site) == there
        site.wander(site.run(site.house.find(id)), 5)
    assert (second / "secret.key").read_text() == (first / "secret.key").read_text()


def test_nothing_is_overwritten(tmp_path: Path, postgresql: Postgres) -> None:
    address = postgresql.fresh()
    lived_in(tmp_path / "one")
    move(str(tmp_path / "one"), address)
    lived_in(tmp_path / "other")
    for target in (address, str(tmp_path / "other")):
        with pytest.raises(ServeError, match=r"not empty.*nothing was moved"):
            move(str(tmp_path / "one"), target)
    with pytest.raises(ServeError, match="already served"):
        move(str(tmp_path / "one"), str(tmp_path / "one"))


def test_nobody_may_be_there(tmp_path: Path, postgresql: Postgres) -> None:
    address = postgresql.fresh()
    lived_in(tmp_path / "one")
    with closing(Site(tmp_path / "one")), pytest.raises(ServeError, match="already served"):
        move(str(tmp_path / "one"), address)
    with closing(Site(tmp_path, database=address)) as site:
        site.house.store.player_name("p0")
        with pytest.raises(ServeError, match="Somebody is at the database"):
            move(str(tmp_path / "one"), address)
    move(str(tmp_path / "one"), address)


def test_what_reads_otherwise_afterwards_is_not_moved(
    tmp_path: Path, postgresql: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    address, copied = postgresql.fresh(), moving._copy
    lived_in(tmp_path / "one")

    def damaged(*args: object) -> None:
        copied(*args)  # type: ignore[arg-type]
        if args[2] is journal:
            args[1].execute(update(journal).where(journal.c.n == 3).values(at=journal.c.at + 1))  # type: ignore[attr-defined]

    monkeypatch.setattr(moving, "_copy", damaged)
    with pytest.raises(ServeError, match="journal reads otherwise"):
        move(str(tmp_path / "one"), address)
    monkeypatch.undo()
    with closing(Site(tmp_path, database=address)) as site, site.house.store.engine.connect() as db:
        assert not db.execute(select(journal)).all()
