"""Migrations: an old database comes up, what it was before is kept, and a newer one is not touched."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

import samizdat
from samizdat.table.settings import ServeError
from samizdat.table.store import databases
from samizdat.table.store.databases import migrations
from samizdat.table.store.schema import metadata
from tests.table.conftest import Site


def downgrade(site: Site, revision: str) -> None:
    config = migrations()
    with site.house.store.engine.begin() as connection:
        config.attributes["connection"] = connection
        command.downgrade(config, revision)


def old_folder(folder: Path) -> str:
    """A data folder of the first schema with one table in it; the table's id."""
    site = Site(folder)
    table = site.table(samizdat.game("revolution", players=3))
    site.wander(table, 5)
    downgrade(site, "0001")
    site.close()
    return table.id


def facts(file: Path) -> tuple[str, list[tuple[object, ...]]]:
    """The schema and the decisions of a database."""
    with closing(sqlite3.connect(file)) as db:
        [revision] = db.execute("SELECT version_num FROM alembic_version").fetchone()
        return revision, db.execute("SELECT * FROM journal ORDER BY n").fetchall()


def test_the_migrations_build_the_schema(site: Site) -> None:
    with site.house.store.engine.connect() as db:
        assert compare_metadata(MigrationContext.configure(db), metadata) == []


def test_an_old_database_comes_up_and_its_imported_matches_are_known(tmp_path: Path) -> None:
    site = Site(tmp_path)
    played = site.table(samizdat.game("revolution", players=3))
    site.wander(played, 5)
    assert played.match is not None
    imported = site.run(site.house.import_match(played.match.dumps(), "p0", "Ludmila"))
    downgrade(site, "0001")
    site.close()
    again = Site(tmp_path)
    assert again.run(again.house.find(imported.id)).foreknown
    assert not again.run(again.house.find(played.id)).foreknown
    again.close()


def test_the_old_database_is_kept_before_a_migration(tmp_path: Path) -> None:
    old_folder(tmp_path)
    with closing(sqlite3.connect(tmp_path / "samizdat.db")) as living:
        living.execute("PRAGMA journal_mode=WAL")
        living.execute("UPDATE journal SET at = 17")  # only in the write-ahead log
        living.commit()
        before = facts(tmp_path / "samizdat.db")
        Site(tmp_path).close()
    [copy] = tmp_path.glob("samizdat-0001-*.db")
    assert facts(copy) == before
    assert before[0] == "0001"
    assert before[1]
    assert facts(tmp_path / "samizdat.db")[0] != "0001"
    assert copy.stat().st_mode & 0o077 == 0, "it holds the same secrets"


def test_no_copy_is_made_where_nothing_changes(tmp_path: Path) -> None:
    for _ in range(2):
        Site(tmp_path).close()
    assert [file.name for file in tmp_path.glob("*.db*")] == ["samizdat.db"]


def test_without_a_copy_there_is_no_migration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old_folder(tmp_path)
    before = facts(tmp_path / "samizdat.db")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(databases.os, "fsync", full)
    with pytest.raises(ServeError, match=r"No space left on device.*nothing was changed"):
        Site(tmp_path)
    assert facts(tmp_path / "samizdat.db") == before
    assert not list(tmp_path.glob("samizdat-*"))


def test_a_database_of_a_newer_program_is_left_alone(tmp_path: Path) -> None:
    Site(tmp_path).close()
    with closing(sqlite3.connect(tmp_path / "samizdat.db")) as db:
        db.execute("UPDATE alembic_version SET version_num = '9999'")
        db.commit()
    with pytest.raises(ServeError, match="newer version of this program"):
        Site(tmp_path)
    assert facts(tmp_path / "samizdat.db")[0] == "9999"
    assert [file.name for file in tmp_path.glob("*.db")] == ["samizdat.db"]


def test_a_file_that_is_no_database_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "samizdat.db").write_bytes(b"this is a text, and a rather long one at that" * 40)
    with pytest.raises(ServeError, match="cannot be opened"):
        Site(tmp_path)
