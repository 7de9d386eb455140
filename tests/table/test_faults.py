"""Killed at random moments of play: every acknowledged decision is there, none twice, and the evening goes on.

Servers and workers are ended with SIGKILL and started again while people (programs, here) play and look on, and
somebody who is elsewhere is told that matches begin: at least once of each, and at most once more. A longer dose
kills more often: `SAMIZDAT_KILLS=500 pytest tests/table/test_faults.py`.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, suppress
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import select

from samizdat.table.journal import Decision
from samizdat.table.postman import Postman
from samizdat.table.settings import Settings
from samizdat.table.store import messages as outboxes
from samizdat.table.store.messages import BEGUN
from samizdat.table.store.schema import messages, tables, ways
from samizdat.table.store.store import Store
from tests.conftest import DOSE
from tests.postgres import free_port
from tests.table.conftest import Site
from tests.table.standins import Taken, post_server

KILLS = int(os.environ.get("SAMIZDAT_KILLS", 6 if DOSE == 1 else 25 * DOSE))  # 500 in `make soak`
SEED = int(os.environ.get("SAMIZDAT_SEED", "1917"))
PATIENCE = 120.0  # seconds without any progress: that is a failure, not a slow machine
UNLIMITED = {"tables_a_day": 100_000, "requests_a_minute": 0, "warm": False, "private_hooks": True}
PAGE = {"accept": "text/html"}
QUIET_NEVER = {"from": "", "to": "", "zone": "UTC"}
AGAINST_A_BOT = {"variant": "standard", "players-standard": "2", "seat-0": "me", "seat-1": "bot-random"}
LEASE = 2.0  # seconds that a message is a process's, here: those who are killed leave many behind


def serve(settings: Settings, port: int) -> None:
    """One server, without what makes its first pages fast."""
    from uvicorn import Server

    from samizdat.table.app import create_app
    from samizdat.table.serve import configured

    quiet()
    hasten()
    Server(configured(create_app(settings), host="127.0.0.1", port=port)).run()


def work(settings: Settings) -> None:
    from samizdat.table.worker import work_until_told

    quiet()
    work_until_told(settings.address, 1, warm=False)


def hasten() -> None:
    """Messages go out at once, and those of whoever was killed soon after."""
    from samizdat.table import postman
    from samizdat.table.store import messages

    messages.DELAYS, messages.LEASE, postman.EVERY = dict.fromkeys(messages.KINDS, 0.0), LEASE, 0.05


def quiet() -> None:
    """What a process says that loses its database, or is killed over its work, is not what is tested."""
    sys.stderr = open(os.devnull, "w")  # noqa: SIM115


class Machine:
    """Servers and workers that are killed and started again. They are forked from a process that has read the program
    already, so that this takes no time."""

    def __init__(self, settings: Settings, servers: int, workers: int) -> None:
        self.context = get_context("forkserver")
        self.context.set_forkserver_preload(["samizdat.table.app", "samizdat.table.worker", "uvicorn"])
        self.ports = [free_port() for _ in range(servers)]
        self.works: list[Any] = [(serve, settings, port) for port in self.ports]
        self.works += [(work, settings)] * workers
        self.running: list[Any] = [self._started(place) for place in range(len(self.works))]

    def _started(self, place: int) -> Any:
        process = self.context.Process(target=self.works[place][0], args=self.works[place][1:])
        process.start()
        return process

    def kill(self, place: int) -> None:
        process = self.running[place]
        process.kill()
        process.join()
        assert process.exitcode == -signal.SIGKILL, "it had ended by itself"
        self.running[place] = self._started(place)

    def close(self) -> None:
        for process in self.running:
            process.kill()
            process.join()
            process.close()


class Evening:
    """People at their tables, who go on whatever happens, and write down what they were told."""

    def __init__(self, ports: list[int], seed: int, hook: Taken) -> None:
        self.ports, self.dice, self.hook = ports, random.Random(seed), hook
        self.begun: list[str] = []  # tables that somebody opened who is told of them elsewhere
        self.sent: dict[str, list[tuple[str, bool]]] = {}  # by table: each decision, and whether it was acknowledged
        self.seen: dict[str, list[int]] = {}  # by table: the versions that somebody was told who looks on
        self.over = False

    def client(self) -> httpx.AsyncClient:
        return httpx.AsyncClient(base_url=f"http://127.0.0.1:{self.dice.choice(self.ports)}", timeout=30)

    async def ask(self, method: str, path: str, **more: Any) -> httpx.Response | None:
        """An answer; None if whoever was asked died over it."""
        async with self.client() as client:
            try:
                answer = await client.request(method, path, **more)
            except httpx.TransportError:
                await asyncio.sleep(0.05)
                return None
        return None if answer.status_code == 503 else answer  # the database was away

    async def play(self) -> None:
        """One table after the other, each against bots."""
        while not self.over:
            game, players = self.dice.choice([("war-of-whispers", 2), ("dual-powers", 2), ("revolution", 3)])
            bots = [{"kind": "bot", "level": "random"}] * (players - 1)
            opened = await self.ask("POST", "/api/tables", json={"game": game, "seats": [{"kind": "me"}, *bots]})
            if opened is None:
                continue
            assert opened.status_code == 201, opened.text
            id, key = opened.json()["id"], opened.json()["seats"][0]["key"]
            self.sent[id], self.seen[id] = [], []
            looking = asyncio.create_task(self.look(id))
            await self.play_at(id, {"authorization": f"Bearer {key}"})
            looking.cancel()
            with suppress(asyncio.CancelledError):
                await looking

    async def invite(self) -> None:
        """Somebody with a hook opens one table after the other, and plays at none of them."""
        while (first := await self.ask("GET", "/rules/revolution", headers=PAGE)) is None:
            pass
        me = {**PAGE, "cookie": "; ".join(f"{name}={value}" for name, value in first.cookies.items())}
        notices = "/settings/notices"
        for path, data in ((f"{notices}/hours", QUIET_NEVER), (f"{notices}/hook", {"url": f"{self.hook.url}/told"})):
            while (await self.ask("POST", path, data=data, headers=me)) is None:
                pass
        while not self.over:
            opened = await self.ask("POST", "/new/war-of-whispers", data=AGAINST_A_BOT, headers=me)
            if opened is not None:
                assert opened.status_code == 303, opened.text
                self.begun.append(opened.headers["location"].removeprefix("/table/"))
            await asyncio.sleep(0.1)

    @property
    def told(self) -> Counter[str]:
        """How often somebody was told of each table that its match has begun."""
        posts = [json.loads(body) for _, _, body in list(self.hook.posts)]
        return Counter(one["table"] for one in posts if one["kind"] == BEGUN)

    async def play_at(self, id: str, key: dict[str, str]) -> None:
        for _ in range(400):
            found = await self.ask("GET", f"/api/tables/{id}/legal", headers=key)
            if self.over:
                return
            if found is None or not (moves := found.json().get("moves")):
                await asyncio.sleep(0.05)
                table = await self.ask("GET", f"/api/tables/{id}")
                if table is not None and table.json()["status"] == "over":
                    return
                continue
            move = self.dice.choice(moves)
            body = {"move": move, "version": found.json()["version"]}
            said = await self.ask("POST", f"/api/tables/{id}/play", headers=key, json=body)
            if said is not None and said.status_code == 409:
                continue  # a bot was faster; nothing was stored
            assert said is None or said.status_code == 200, said.text
            self.sent[id].append((move, said is not None))

    async def look(self, id: str) -> None:
        """The stream of somebody who looks on, taken up again where it broke off."""
        while True:
            last = {"last-event-id": str(self.seen[id][-1])} if self.seen[id] else {}
            try:
                async with (
                    self.client() as client,
                    client.stream("GET", f"/api/tables/{id}/events", headers=last) as told,
                ):
                    async for line in told.aiter_lines():
                        if line.startswith("data: ") and "version" in (data := json.loads(line[6:])):
                            if data.get("steps") is not None:
                                self.seen[id].append(data["version"])
            except httpx.TransportError:
                await asyncio.sleep(0.05)

    @property
    def acknowledged(self) -> int:
        return sum(said for sent in self.sent.values() for _, said in sent)

    async def progress(self) -> None:
        """Wait until something more was acknowledged."""
        before, since = self.acknowledged, time.monotonic()
        while self.acknowledged == before:
            assert time.monotonic() - since < PATIENCE, "the evening does not go on"
            await asyncio.sleep(0.02)


async def killed(machine: Machine, evening: Evening, kills: int) -> None:
    """Play on, and meanwhile one process after the other is killed."""
    playing = [asyncio.create_task(evening.play()) for _ in range(3)]
    playing.append(asyncio.create_task(evening.invite()))
    dice = random.Random(SEED)
    try:
        await evening.progress()
        for _ in range(kills):
            await asyncio.sleep(dice.random() * 0.4)
            machine.kill(dice.randrange(len(machine.running)))
            for one in playing:
                assert not one.done(), one.exception()
            if dice.random() < 0.5:  # otherwise the next one comes while this one still begins
                await evening.progress()
        await evening.progress()
        await evening.progress()
    finally:
        evening.over = True
        results = await asyncio.gather(*playing, return_exceptions=True)
    for failed in results:
        assert failed is None, failed


def check(store: Store, site: Site, evening: Evening) -> None:
    """What is stored is what was acknowledged, and nothing else than what was sent."""
    for id, sent in evening.sent.items():
        stored = [one.move for one in store.journal(id) if isinstance(one, Decision) and one.seat == 0]
        reached = {0}  # how much of it can be what was sent so far
        for move, acknowledged in sent:
            reached = {n + 1 for n in reached if stored[n : n + 1] == [move]} | (set() if acknowledged else reached)
            assert reached, f"{id}: an acknowledged decision is lost, or one is there that nobody sent"
        assert len(stored) in reached, f"{id}: a decision is there twice"
        table = site.run(site.house.find(id))  # played through again: it comes to the very state that is stored
        assert table.match is not None
        seen = evening.seen[id]
        assert seen == sorted(set(seen)), f"{id}: somebody was told a step twice"
        assert not seen or seen[-1] <= table.history(None).version


def check_messages(site: Site, settings: Settings, evening: Evening) -> None:
    """What is still to be sent is sent; then every match that began was told of, and nothing more than twice."""
    postman = Postman(site.house, settings)
    since = time.monotonic()
    with site.house.store.reading() as db:
        wanted = select(messages.c.id).where(messages.c.kind == BEGUN)
        while db.execute(wanted).first() is not None:
            db.rollback()
            assert time.monotonic() - since < PATIENCE, "messages stay where they are"
            site.run(postman.go_round())
            time.sleep(0.05)
        mine = select(tables.c.id).where(tables.c.opened_by.in_(select(ways.c.player)), tables.c.status != "open")
        begun = set(db.execute(mine).scalars())
    assert begun >= set(evening.begun)
    never = begun - set(evening.told)
    assert not never, f"nobody was told of {sorted(never)}"
    often = Counter(json.loads(body)["id"] for _, _, body in evening.hook.posts)
    assert max(often.values()) <= 2, "a message came a third time"
    assert max(evening.told.values()) <= 2, "somebody was told a third time"


@pytest.fixture(params=["sqlite", "postgresql"])
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Settings]:
    if request.param == "sqlite":
        yield Settings(tmp_path, **UNLIMITED)
    else:
        yield Settings(tmp_path, request.getfixturevalue("postgresql").fresh(), 0, **UNLIMITED)


@pytest.mark.slow
def test_killed_at_random_moments_nothing_is_lost(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """On SQLite the one server; on PostgreSQL any of two servers and two workers."""
    hasten_here(monkeypatch)
    with post_server() as hook:
        machine = Machine(settings, *((2, 2) if settings.shared else (1, 0)))
        evening = Evening(machine.ports, SEED, hook)
        try:
            asyncio.run(killed(machine, evening, KILLS))
        finally:
            machine.close()
        with closing(Site(settings.data, database=settings.database, private_hooks=True)) as site:
            check(site.house.store, site, evening)
            check_messages(site, settings, evening)
    assert evening.acknowledged
    assert evening.begun


def hasten_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same in this process, which sends what is left."""
    monkeypatch.setattr(outboxes, "LEASE", LEASE)
    monkeypatch.setattr(outboxes, "DELAYS", dict.fromkeys(outboxes.KINDS, 0.0))
