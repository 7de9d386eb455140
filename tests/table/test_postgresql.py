"""PostgreSQL: the same store on a server's database."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

import samizdat
from samizdat.table.settings import ServeError
from samizdat.table.store.databases import migrations
from samizdat.table.store.schema import metadata
from samizdat.table.store.store import Store
from tests.postgres import Postgres
from tests.table.conftest import Site


def test_the_migrations_build_the_schema_up_and_down(postgresql: Postgres) -> None:
    store = Store(postgresql.fresh())
    for _ in range(2):
        with store.engine.connect() as db:
            assert compare_metadata(MigrationContext.configure(db), metadata) == []
        config = migrations()
        with store.engine.begin() as db:
            config.attributes["connection"] = db
            command.downgrade(config, "base")
            command.upgrade(config, "head")
    store.close()


def test_a_match_goes_on_after_a_restart(postgresql: Postgres, tmp_path: Path) -> None:
    address = postgresql.fresh()
    with closing(Site(tmp_path, database=address)) as site:
        table = site.table(samizdat.game("revolution", players=3))
        site.wander(table, 20)
        assert table.match is not None
        before = table.match.dumps()
    assert not list(tmp_path.iterdir()), "nothing is kept in a folder"
    with closing(Site(tmp_path, database=address)) as site:
        again = site.run(site.house.find(table.id))
        assert again.match is not None
        assert again.match.dumps() == before
        site.wander(again, 20)


def test_who_somebody_is_every_process_knows(postgresql: Postgres, tmp_path: Path) -> None:
    address = postgresql.fresh()
    with closing(Site(tmp_path, database=address)) as one, closing(Site(tmp_path, database=address)) as other:
        here = one.browser()
        assert here.get("/").headers["set-cookie"]
        there = other.browser()
        there.client.cookies = here.client.cookies
        assert "set-cookie" not in there.get("/").headers


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("postgresql://nobody@127.0.0.1:1/none", "cannot be opened"),
        ("mysql://somebody@127.0.0.1/none", "kind mysql is not known"),
        ("not an address", "cannot be read"),
    ],
)
def test_a_database_that_is_not_there_is_one_sentence(address: str, words: str) -> None:
    with pytest.raises(ServeError, match=words) as refused:
        Store(address)
    assert "\n" not in str(refused.value)


def test_a_text_that_postgresql_does_not_take_is_refused(postgresql: Postgres, tmp_path: Path) -> None:
    """It knows no zero in a text; a browser that sends one changes nothing and meets no error of the server's."""
    with closing(Site(tmp_path, database=postgresql.fresh())) as site:
        browser = site.browser(accept="application/json")
        for path in ("/table/%00", "/sit/%00", "/api/tables/a%00b"):
            assert browser.get(path).status_code in (404, 422), path
        table = site.table(samizdat.game("revolution"))
        for path, form in (
            ("/new/revolution", {"name": "A\x00B", "seat-0": "me", "seat-1": "bot-random", "seat-2": "bot-random"}),
            (f"/sit/{table.chairs[0].key}", {"name": "A\x00B"}),
        ):
            assert browser.post(path, data=form).status_code < 500
