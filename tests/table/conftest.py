"""A table over a fresh data folder, without processes for bots: tests move them by hand."""

from __future__ import annotations

import asyncio
import atexit
import functools
import random
import shutil
import tempfile
from collections.abc import Awaitable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import httpx
import pytest
from fastapi import FastAPI

from samizdat.kernel.game import Game
from samizdat.table.app import create_app
from samizdat.table.commands import Play
from samizdat.table.house import House
from samizdat.table.seats import Seat, new_key
from samizdat.table.settings import Settings
from samizdat.table.tables import LiveTable
from tests.postgres import Postgres

T = TypeVar("T")


@functools.cache
def new_data() -> Path:
    """A data folder as a first start leaves it: the migrations run once, not for every test."""
    folder = tempfile.TemporaryDirectory()
    atexit.register(folder.cleanup)
    create_app(Settings(Path(folder.name))).state.house.store.close()
    return Path(folder.name)


@functools.cache
def new_database(server: Postgres) -> str:
    """The name of a database as a first start leaves it."""
    address = server.fresh()
    with tempfile.TemporaryDirectory() as folder:
        create_app(Settings(Path(folder), database=address)).state.house.store.close()
    return address.rpartition("/")[2]


class Site:
    """The application, and browsers that talk to it."""

    def __init__(self, folder: Path, **settings: Any) -> None:
        self.app: FastAPI = create_app(Settings(folder, **settings))
        self.house: House = self.app.state.house
        self.loop = asyncio.new_event_loop()

    def close(self) -> None:
        self.loop.run_until_complete(self.loop.shutdown_default_executor())  # what still reads ends first
        self.house.store.close()
        self.loop.close()

    def run(self, work: Awaitable[T]) -> T:
        return self.loop.run_until_complete(work)  # type: ignore[arg-type]

    def browser(self, **headers: str) -> Browser:
        return Browser(self, headers)

    def browser_at(self, address: str, **headers: str) -> Browser:
        """One on another machine."""
        return Browser(self, headers, address)

    def table(self, game: Game, holder: str = "p0", kinds: str = "", seed: int | None = 7) -> LiveTable:
        """A table whose match runs: every seat a person's (`p`), or a bot's (`b`) by its place in `kinds`."""
        if self.house.store.player_name(holder) is None:
            self.house.store.remember_player(holder, "Ludmila")
        chairs = []
        for seat in range(game.players):
            if kinds[seat : seat + 1] == "b":
                chairs.append(Seat("bot", "random", f"Bot {seat}", new_key()))
            else:
                chairs.append(Seat("person", "", f"Player {seat}", new_key(), {holder}))
        return self.run(self.house.open_table(game, chairs, holder, False, seed))

    def wander(self, table: LiveTable, plies: int, seed: int = 3) -> None:
        """Random decisions of whoever is to act."""
        dice = random.Random(seed)
        for _ in range(plies):
            if table.match is None or table.match.over:
                return
            seat = dice.choice(table.match.turn)
            self.run(self.house.do(table, Play(seat, [dice.choice(table.match.legal(seat))])))


class Browser:
    """One browser: it keeps its cookies."""

    def __init__(self, site: Site, headers: dict[str, str], address: str = "127.0.0.1") -> None:
        self.site = site
        transport = httpx.ASGITransport(app=site.app, client=(address, 1917))
        self.client = httpx.AsyncClient(transport=transport, base_url="http://table", headers=headers)

    def get(self, path: str, **more: Any) -> httpx.Response:
        return self.site.run(self.client.get(path, **more))

    def post(self, path: str, **more: Any) -> httpx.Response:
        return self.site.run(self.client.post(path, **more))

    def hold(self, table: LiveTable, *seats: int) -> None:
        """Sit down on seats by their own links."""
        for seat in seats:
            answer = self.post(f"/sit/{table.chairs[seat].key}")
            assert answer.status_code == 303, answer.text


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A module with `BOTH_DATABASES` is held by SQLite and by PostgreSQL."""
    if "site" in metafunc.fixturenames and getattr(metafunc.module, "BOTH_DATABASES", False):
        metafunc.parametrize("site", ["sqlite", "postgresql"], indirect=True)


@pytest.fixture
def site(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Site]:
    settings = getattr(request.module, "SETTINGS", {})
    if getattr(request, "param", "sqlite") == "sqlite":
        shutil.copytree(new_data(), tmp_path, dirs_exist_ok=True)
        made = Site(tmp_path, **settings)
    else:
        server = request.getfixturevalue("postgresql")
        made = Site(tmp_path, database=server.fresh(like=new_database(server)), **settings)
    yield made
    made.close()
