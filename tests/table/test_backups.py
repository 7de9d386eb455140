"""Backups: taken while the house is open, proved by playing every match through again, and restored into either
database."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import select, update

import samizdat
from samizdat.kernel.game import definitions
from samizdat.table.backups import BackupError, restore, take
from samizdat.table.settings import ServeError, Settings
from samizdat.table.store.moving import digest, lasting
from samizdat.table.store.schema import backups, tables
from tests.postgres import Postgres
from tests.table.conftest import Site

BOTH_DATABASES = True


def settings_of(site: Site) -> Settings:
    found: Settings = site.app.state.settings
    return found


def lived_in(site: Site) -> None:
    """One table of every game, some way in."""
    for number, name in enumerate(definitions()):
        site.wander(site.table(samizdat.game(name), seed=number), 12)


def told(site: Site) -> dict[str, tuple[int, str]]:
    with site.house.store.engine.connect() as db:
        return {one.name: digest(db, one) for one in lasting() if one is not backups}


def test_the_drill(site: Site, tmp_path: Path, postgresql: Postgres) -> None:
    """A backup of a house that is open, restored into both databases: everything is there, and the evening goes on
    with the same browsers."""
    lived_in(site)
    browser = site.browser()
    table = next(iter(site.house.tables.values()))
    browser.hold(table, 0)
    before = told(site)
    file, proof = take(settings_of(site), tmp_path / "backups")
    assert (proof.matches, proof.unproved) == (len(definitions()), ())
    assert file.stat().st_mode & 0o777 == 0o600, "every hand is in it"
    assert [one.name for one in file.parent.iterdir()] == [file.name]
    site.wander(table, 3)  # what comes afterwards is not in it
    for wanted in (str(tmp_path / "again"), postgresql.fresh()):
        _, proved = restore(file, wanted)
        assert proved == proof
        database = wanted if "://" in wanted else ""
        with closing(Site(tmp_path / "again", database=database)) as again:
            assert told(again) == before
            there = again.run(again.house.find(table.id))
            assert there.match is not None
            assert there.match.plies == 12
            same = again.browser(cookie=f"samizdat={browser.client.cookies['samizdat']}")
            assert same.get(f"/table/{table.id}/turn?seat=0").status_code == 200, "the same browser holds the seat"


def test_a_match_that_does_not_come_to_what_is_stored_is_named(site: Site, tmp_path: Path) -> None:
    lived_in(site)
    id = next(iter(site.house.tables))
    with site.house.store.engine.begin() as db:
        state = bytearray(db.execute(select(tables.c.state).where(tables.c.id == id)).scalar_one())
        state[7] ^= 1
        db.execute(update(tables).where(tables.c.id == id).values(state=bytes(state)))
    _, proof = take(settings_of(site), tmp_path / "backups")
    assert proof.unproved == (id,)
    assert proof.matches == len(definitions()) - 1
    with site.house.store.engine.connect() as db:
        assert db.execute(select(backups.c.matches, backups.c.unproved)).all() == [(proof.matches, 1)]


def test_old_backups_go_and_a_failed_one_takes_none_with_it(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "backups"
    names = [f"samizdat-2026010{day}-000000.backup" for day in range(1, 5)]
    for name in names:
        monkeypatch.setattr("samizdat.table.backups.NAME", name)
        take(settings_of(site), folder, keep=2)
    assert sorted(one.name for one in folder.iterdir()) == names[-2:]
    monkeypatch.setattr("samizdat.table.backups.os.fsync", lambda _: (_ for _ in ()).throw(OSError("No space left")))
    with pytest.raises(BackupError, match="No space left"):
        take(settings_of(site), folder, keep=1)
    assert sorted(one.name for one in folder.iterdir()) == names[-2:]
    with site.house.store.engine.connect() as db:
        assert (
            db.execute(select(backups.c.error).order_by(backups.c.made.desc())).scalars().first() == "No space left"
        )


def test_what_is_no_backup_or_damaged_is_refused_and_nothing_is_overwritten(site: Site, tmp_path: Path) -> None:
    lived_in(site)
    target = tmp_path / "again"
    file, _ = take(settings_of(site), tmp_path / "backups")
    text = tmp_path / "text"
    text.write_text("no backup")
    with pytest.raises(BackupError, match="no backup"):
        restore(text, str(target))
    with pytest.raises(BackupError, match="no file"):
        restore(tmp_path / "nothing", str(target))
    damaged = tmp_path / "damaged"
    raw = bytearray(file.read_bytes())
    for start in range(4096 * 4, len(raw) - 4096, 4096 * 3):
        raw[start : start + 512] = bytes(512)
    damaged.write_bytes(raw)
    with pytest.raises(BackupError, match="take another backup"):
        restore(damaged, str(target))
    assert not target.exists() or not list(target.iterdir())
    restore(file, str(target))
    with pytest.raises(ServeError, match="not empty"):
        restore(file, str(target))
    with closing(sqlite3.connect(target / "samizdat.db")) as db:
        assert db.execute("SELECT count(*) FROM tables").fetchone() == (len(definitions()),)
