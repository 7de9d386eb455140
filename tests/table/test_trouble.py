"""Errors at three in the morning: what fails for a moment is made good, and no error tells what is secret."""

from __future__ import annotations

import asyncio
import gc
import pickle
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update
from sqlalchemy.exc import OperationalError

import samizdat
from samizdat.table import bots as bots_module
from samizdat.table.bots import Bots
from samizdat.table.commands import ChangeSeat, Play, TakeBack
from samizdat.table.declined import Stale
from samizdat.table.journal import Decision
from samizdat.table.pacing import Pace
from samizdat.table.settings import ServeError, Settings
from samizdat.table.store.schema import journal
from samizdat.table.turns import Job
from tests.table.conftest import Site

BOTH_DATABASES = True

PAGE = {"accept": "text/html", "accept-language": "en"}


def failing(monkeypatch: pytest.MonkeyPatch, owner: Any, name: str, times: int) -> list[int]:
    """Let a call fail so many times, as it does when the disk is full; what was tried."""
    act, tried = getattr(owner, name), []

    def fails(*args: Any, **values: Any) -> Any:
        tried.append(1)
        if len(tried) <= times:
            raise OSError("no space left")
        return act(*args, **values)

    monkeypatch.setattr(owner, name, fails)
    return tried


def test_a_bot_whose_decision_could_not_be_stored_tries_again(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    table = site.table(samizdat.game("war-of-whispers", players=2), kinds="bp")
    bots: Bots = site.app.state.bots
    paused: list[float] = []

    async def choose(_: object, request: dict[str, Any], job: Job) -> str:
        assert table.match is not None
        return str(table.match.legal(request["seat"])[0])

    async def sleep(seconds: float) -> None:
        paused.append(seconds)

    async def until(_: float) -> None:
        pass

    monkeypatch.setattr(bots, "run", choose)
    monkeypatch.setattr(bots, "_until", until)
    monkeypatch.setattr(bots_module.asyncio, "sleep", sleep)
    tried = failing(monkeypatch, site.house.store, "append", 12)
    assert table.match is not None
    while 0 not in table.match.turn:
        site.run(site.house.do(table, Play(1, [table.match.legal(1)[0]])))
    site.run(bots._act(table, 0))
    assert len(tried) > 12
    assert 0 not in table.match.turn
    assert paused[:3] == [1.0, 2.0, 4.0]
    assert max(paused) == bots_module.LONGEST_PAUSE


def test_a_table_that_could_not_be_read_at_the_start_goes_on_when_somebody_looks(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = site.table(samizdat.game("war-of-whispers", players=2), kinds="bb")
    id, bots = table.id, site.app.state.bots
    looked: list[str] = []
    monkeypatch.setattr(site.house, "on_change", lambda table: looked.append(table.id))

    async def sleep(_: float) -> None:
        pass

    monkeypatch.setattr(bots_module.asyncio, "sleep", sleep)
    site.house.tables.clear()
    del table
    gc.collect()
    failing(monkeypatch, site.house.store, "waiting_for_bots", 3)
    tried = failing(monkeypatch, site.house.store, "journal", 1)
    site.run(bots.wake())
    assert len(tried) == 1
    assert looked == []
    site.run(site.house.find(id))
    assert looked == [id]


def test_an_error_of_a_bot_does_not_end_its_process(site: Site) -> None:
    """What is raised in another process must be sendable; not every error of ours is."""
    table = site.table(samizdat.game("war-of-whispers", players=2), kinds="bb")
    assert table.match is not None
    waits = next(seat for seat in range(2) if seat not in table.match.turn)
    asked = bots_module.request_of(table, waits) | {"level": "random", "patient": False, "seconds": 0.0, "place": 0}
    with pytest.raises(bots_module.NoDecision) as failed:
        bots_module.choose(asked)
    assert str(pickle.loads(pickle.dumps(failed.value))) == str(failed.value) != ""


def test_a_match_that_could_not_begin_begins_when_somebody_looks(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    host, guest = site.browser(**PAGE), site.browser(**PAGE)
    host.post("/new/dual-powers", data={"name": "A", "seat-0": "me", "seat-1": "open"})
    [table] = site.house.tables.values()
    failing(monkeypatch, site.house.store, "set_table", 1)
    with pytest.raises(OSError, match="no space"):
        guest.post(f"/sit/{table.chairs[1].key}", data={"name": "B"})
    assert table.match is None
    assert 'id="board"' in host.get(f"/table/{table.id}").text
    assert table.match is not None


def test_a_failing_database_does_not_write_decisions_into_the_log(site: Site) -> None:
    table = site.table(samizdat.game("revolution"))
    decision = Decision(0, "bid priest force")
    site.house.store.append(table.id, 0, [decision], [], False, plies=1)
    with pytest.raises(Exception, match="journal") as failed:  # the same line twice
        site.house.store.append(table.id, 0, [decision], [], False, plies=1)
    assert "priest" not in str(failed.value)


def test_a_journal_that_cannot_be_replayed_tells_nobody_what_is_in_it(site: Site) -> None:
    """After a change of rules: the refusal of a secret decision is not for whoever opens the table."""
    table = site.table(samizdat.game("revolution"))
    site.wander(table, 5)
    with site.house.store.engine.begin() as db:
        db.execute(update(journal).where(journal.c.n == 2).values(move="bid general force"))
    id = table.id
    site.house.tables.clear()
    del table
    for accept, status in (("text/html", 200), ("application/json", 409)):
        answer = site.browser(accept=accept).get(f"/table/{id}")
        assert answer.status_code == status
        assert "was begun under other rules" in answer.text
        assert "general" not in answer.text.casefold()


def test_a_late_taking_back_is_not_that_of_whoever_sits_there_now(site: Site) -> None:
    table = site.table(samizdat.game("revolution"))
    site.wander(table, 1)
    assert table.match is not None
    seat = table.match.moves[0][0]

    async def race() -> tuple[object, ...]:
        """It waits while the seat is given away."""
        give = site.house.do(table, ChangeSeat(seat, "bot", "Ada", level="random"))
        return await asyncio.gather(give, site.house.do(table, TakeBack(seat)), return_exceptions=True)

    assert isinstance(site.run(race())[1], Stale)
    assert table.match.plies == 1


def test_a_bot_does_not_decide_for_whoever_sits_there_after_it(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    table = site.table(samizdat.game("revolution"))
    assert table.match is not None
    site.run(site.house.do(table, ChangeSeat(0, "bot", "Ada", level="random")))

    async def freed(*_: object) -> str:
        """The seat is freed while its bot thinks."""
        move = str(table.match.legal(0)[0])
        await site.house.do(table, ChangeSeat(0, "open", ""))
        return move

    monkeypatch.setattr(site.app.state.bots, "run", freed)
    with pytest.raises(Stale):
        site.run(site.app.state.bots._decide(table, 0, Pace(0.0, 1, 0.25)))
    assert 0 in table.match.turn
    assert not [seat for seat, _ in table.match.moves if seat == 0]


def test_an_empty_secret_is_none(tmp_path: Path) -> None:
    """A disk that was full at the first start: whoever knew that cookies are signed with nothing could be anybody."""
    (tmp_path / "secret.key").touch()
    secret = Settings(tmp_path).secret()
    assert len(secret) > 40
    assert Settings(tmp_path).secret() == secret
    assert (tmp_path / "secret.key").stat().st_mode & 0o077 == 0


def test_a_secret_that_cannot_be_written_leaves_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("samizdat.table.settings.secrets.token_urlsafe", full)
    with pytest.raises(ServeError, match="No space left"):
        Settings(tmp_path).secret()
    assert not (tmp_path / "secret.key").exists()


def test_a_database_that_is_busy_is_an_answer_not_a_hang(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(Site(tmp_path)) as site:
        table = site.table(samizdat.game("war-of-whispers"))
        browser = site.browser(accept="application/json")
        assert table.match is not None
        seat = table.match.turn[0]
        browser.hold(table, seat)

        def busy(*_: object, **__: object) -> None:
            raise OperationalError("INSERT", {}, Exception("database is locked"))

        monkeypatch.setattr(site.house.store, "append", busy)
        body = {"seat": seat, "version": table.history(seat).version, "move": str(table.match.legal(seat)[0])}
        assert browser.post(f"/table/{table.id}/move", json=body).status_code == 503
        assert not table.lock.locked()
        monkeypatch.undo()
        assert browser.post(f"/table/{table.id}/move", json=body).status_code == 200
