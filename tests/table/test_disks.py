"""A full disk, a read-only one, a damaged page, a clock that jumps, a database that is restarted: what cannot be done
is one sentence and changes nothing, everything else goes on."""

from __future__ import annotations

import asyncio
import random
import shutil
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import event

import samizdat
from samizdat.table.journal import Decision
from samizdat.table.settings import DATABASE
from samizdat.table.tables import LiveTable
from tests.postgres import Postgres
from tests.table.conftest import Browser, Site, new_data

PAGE = 4096  # bytes of SQLite's


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    shutil.copytree(new_data(), tmp_path, dirs_exist_ok=True)
    return tmp_path


def decide(browser: Browser, table: LiveTable) -> httpx.Response:
    """One decision of whoever is to act, over the wire."""
    assert table.match is not None
    seat = table.match.turn[0]
    move, version = str(table.match.legal(seat)[0]), table.history(seat).version
    return browser.post(f"/table/{table.id}/move", json={"seat": seat, "version": version, "move": move})


def under(site: Site, pragma: str) -> None:
    """Every connection of the house from now on is told so."""

    def tell(connection: Any, _: object) -> None:
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        connection.execute(f"PRAGMA {pragma.format(pages=pages)}")

    event.listen(site.house.store.engine, "connect", tell)
    site.house.store.engine.dispose()


@pytest.mark.parametrize(
    ("trouble", "relief", "words"),
    [
        ("max_page_count={pages}", "max_page_count=1000000", "is full"),
        ("query_only=ON", "query_only=OFF", "database"),
    ],
)
def test_what_the_disk_does_not_take_is_refused_and_changes_nothing(
    folder: Path, trouble: str, relief: str, words: str
) -> None:
    """SQLite itself says so: that the disk is full, that it can only be read."""
    with closing(Site(folder)) as site:
        table, browser = site.table(samizdat.game("dual-powers")), site.browser()
        browser.hold(table, 0, 1)
        site.wander(site.table(samizdat.game("dual-powers"), seed=1), 75)  # a page holds some 87 lines of the journal
        assert decide(browser, table).status_code == 200
        with site.house.store.engine.connect() as db:  # not an empty page is left
            db.exec_driver_sql("VACUUM")
        under(site, trouble)
        while (answer := decide(browser, table)).status_code == 200:  # there may be room on the last page
            assert table.match is not None
            assert table.match.plies < 150
        assert answer.status_code == 503
        assert words in answer.json()["error"]
        assert browser.get(f"/table/{table.id}?seat={table.match.turn[0]}").status_code == 200  # type: ignore[union-attr]
        stored = site.house._read(table.id)
        assert stored.match is not None
        assert table.match is not None
        assert stored.match.moves == table.match.moves, "what everybody sees is what is stored"
        under(site, relief)
        assert decide(browser, table).status_code == 200


def damaged(file: Path, id: str, others: list[str]) -> None:
    """A page of the journal that has lines of one table alone becomes noise."""
    raw = bytearray(file.read_bytes())
    for start in range(PAGE, len(raw), PAGE):
        page = raw[start : start + PAGE]
        of_it = page.count(id.encode())
        if page[0] == 0x0D and of_it > 20 and not any(page.count(one.encode()) for one in others):
            raw[start + 8 : start + PAGE] = random.Random(1).randbytes(PAGE - 8)
            file.write_bytes(raw)
            return
    raise AssertionError("there is no such page")


def test_a_damaged_page_costs_its_table_and_no_other(folder: Path) -> None:
    with closing(Site(folder)) as site:
        tables = [site.table(samizdat.game("dual-powers"), seed=seed) for seed in range(3)]
        for table in tables:
            site.wander(table, 100)
        ids = [table.id for table in tables]
    with closing(sqlite3.connect(folder / DATABASE)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    damaged(folder / DATABASE, ids[0], ids[1:])
    with closing(Site(folder)) as site:
        browser = site.browser()
        for path in (f"/table/{ids[0]}", f"/api/tables/{ids[0]}"):
            answer = browser.get(path, headers={"accept": "text/html, */*"})
            assert answer.status_code == 503
            assert "database" in answer.text
        for id in ids[1:]:
            table = site.run(site.house.find(id))
            browser.hold(table, 0, 1)
            assert decide(browser, table).status_code == 200
        assert browser.get("/").status_code == 200


def test_a_clock_that_jumps_changes_no_order(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A day back, ten months on (a browser keeps its cookies for a year):
    decisions stay in the order in which they were made, and seats their owners'."""
    dice, real = random.Random(5), time.time
    monkeypatch.setattr(time, "time", lambda: real() + dice.choice([-86400.0, 0.0, 2.6e7]))
    with closing(Site(folder)) as site:
        table, browser = site.table(samizdat.game("war-of-whispers", players=2)), site.browser()
        browser.hold(table, 0, 1)
        for _ in range(20):
            answer = decide(browser, table)
            assert answer.status_code == 200, answer.text
            assert browser.get("/").status_code == 200
        assert table.match is not None
        moves = [(seat, str(move)) for seat, move in table.match.moves]
        assert [
            (one.seat, one.move) for one in site.house.store.journal(table.id) if isinstance(one, Decision)
        ] == moves
        again = site.house._read(table.id)
        assert again.match is not None
        assert again.match.raw == table.match.raw


def test_a_database_that_is_restarted_under_load_loses_nothing(postgresql: Postgres, tmp_path: Path) -> None:
    """Four tables play on while it goes and comes back: what was acknowledged is there, once, and nothing else."""
    with closing(Site(tmp_path, database=postgresql.fresh())) as site:
        tables, browser = (
            [site.table(samizdat.game("war-of-whispers", players=2), seed=n) for n in range(4)],
            site.browser(),
        )
        for table in tables:
            browser.hold(table, 0, 1)
        back = asyncio.Event()
        refused = 0

        async def play(table: LiveTable) -> None:
            nonlocal refused
            after = 0
            while after < 3:
                assert table.match is not None
                seat = table.match.turn[0]
                sent = {"seat": seat, "version": table.history(seat).version, "move": str(table.match.legal(seat)[0])}
                answer = await browser.client.post(f"/table/{table.id}/move", json=sent)
                assert answer.status_code in (200, 409, 503), answer.text
                refused += answer.status_code == 503
                after += back.is_set() and answer.status_code == 200
                await asyncio.sleep(0.01)

        async def restart() -> None:
            await asyncio.sleep(0.3)
            postgresql.stop()
            await asyncio.sleep(0.3)
            postgresql.start()  # by this thread: it ends with whoever started it
            back.set()

        async def evening() -> None:
            await asyncio.gather(restart(), *(play(table) for table in tables))

        site.run(evening())
        assert refused
        for table in tables:
            stored = site.house._read(table.id)
            assert stored.match is not None
            assert table.match is not None
            assert stored.match.moves == table.match.moves
