"""What was acknowledged is on disk: nobody is answered before the transaction has ended, and those who ask at the
same time share one."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import Connection, event, insert, select

from samizdat.table.store.schema import players
from samizdat.table.store.store import Store
from samizdat.table.store.writing import Work, Writer


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with closing(Store(f"sqlite:///{tmp_path / 'samizdat.db'}")) as made:
        yield made


def add(name: str) -> Work:
    return lambda db: db.execute(insert(players).values(id=name, name=name, made=0.0))


def names(store: Store) -> set[str]:
    with store.engine.connect() as db:
        return set(db.execute(select(players.c.name)).scalars())


def until(happened: Callable[[], bool]) -> None:
    for _ in range(60_000):
        if happened():
            return
        time.sleep(0.001)
    raise AssertionError("that never happened")


class Held:
    """Keeps the writer busy until several others have asked."""

    def __init__(self, writer: Writer) -> None:
        self.writer, self.go, self.busy = writer, threading.Event(), threading.Event()

    def work(self, _: Connection) -> None:
        self.busy.set()
        assert self.go.wait(60)

    def together(self, *wanted: Work) -> list[BaseException | None]:
        """What became of work that was all asked for before any was begun."""
        with ThreadPoolExecutor(len(wanted) + 1) as pool:
            first = pool.submit(self.writer.do, self.work)
            assert self.busy.wait(60)
            asked = [pool.submit(self.writer.do, one) for one in wanted]
            until(lambda: self.writer.waiting == len(wanted))
            self.go.set()
            first.exception(60)
            return [one.exception(60) for one in asked]


def test_every_commit_waits_for_the_disk(store: Store) -> None:
    """2 is FULL: the write-ahead log is synchronised at the end of each transaction, not now and then."""
    with store.engine.connect() as db:
        assert db.exec_driver_sql("PRAGMA synchronous").scalar() == 2
        assert db.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
    assert store.writer.do(lambda db: db.exec_driver_sql("PRAGMA synchronous").scalar()) == 2


def test_those_who_ask_together_share_a_transaction(store: Store) -> None:
    commits: list[int] = []
    event.listen(store.engine, "commit", lambda _: commits.append(1))
    assert Held(store.writer).together(*(add(f"p{i}") for i in range(20))) == [None] * 20
    assert len(commits) == 2, "the one that was under way, and one for all the others"
    assert names(store) == {f"p{i}" for i in range(20)}


def test_one_that_fails_fails_alone(store: Store) -> None:
    wrong = add("p0")
    errors = Held(store.writer).together(add("p0"), wrong, add("p1"))
    assert [error is None for error in errors].count(False) == 1
    assert isinstance(next(error for error in errors if error), Exception)
    assert names(store) == {"p0", "p1"}


def test_nobody_is_answered_when_the_transaction_cannot_end(store: Store) -> None:
    def full(_: Connection) -> None:
        raise OSError(28, "No space left on device")

    event.listen(store.engine, "commit", full)
    errors = Held(store.writer).together(*(add(f"p{i}") for i in range(3)))
    assert all(isinstance(error, OSError) for error in errors)
    event.remove(store.engine, "commit", full)
    assert names(store) == set()
    store.writer.do(add("later"))
    assert names(store) == {"later"}


def test_what_was_asked_for_is_written_before_the_store_closes(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path / 'samizdat.db'}")
    held = Held(store.writer)
    with ThreadPoolExecutor(3) as pool:
        pool.submit(store.writer.do, held.work)
        assert held.busy.wait(60)
        late = pool.submit(store.writer.do, add("late"))
        until(lambda: store.writer.waiting == 1)
        closed = pool.submit(store.close)
        held.go.set()
        late.result(60)
        closed.result(60)
    with closing(Store(f"sqlite:///{tmp_path / 'samizdat.db'}")) as again:
        assert names(again) == {"late"}
    with pytest.raises(RuntimeError, match="closed"):
        store.writer.do(add("too late"))
