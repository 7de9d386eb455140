"""Everything is walked over when nobody waits, and all the same when that never comes."""

from __future__ import annotations

import asyncio
import gc
import weakref
from collections.abc import Iterator

import pytest

from samizdat.table import sweeping
from samizdat.table.sweeping import FEW, PATIENCE, THRESHOLDS, WORTH, Sweeper


class Ring:
    """Something that holds itself: counting references never frees it."""

    def __init__(self) -> None:
        self.own = self


@pytest.fixture(autouse=True)
def usual() -> Iterator[None]:
    before = gc.get_threshold()
    yield
    gc.unfreeze()
    gc.set_threshold(*before)


@pytest.fixture
def sweeper(monkeypatch: pytest.MonkeyPatch) -> Sweeper:
    """One of a process in which enough has grown old, and whose sweeps take long."""
    monkeypatch.setattr(sweeping.gc, "get_count", lambda: (0, 0, WORTH))
    found = Sweeper()
    found._took = 1.0
    return found


def left() -> weakref.ref[Ring]:
    return weakref.ref(Ring())


def test_a_quiet_moment_is_used(sweeper: Sweeper) -> None:
    gone = left()
    for _ in range(FEW - 1):
        sweeper.noticed()
    asyncio.run(sweeper.look())
    assert gone() is None


def test_while_people_decide_nobody_stands_still_for_it(sweeper: Sweeper) -> None:
    gc.disable()
    try:
        gone = left()
        for _ in range(FEW):
            sweeper.noticed()
        asyncio.run(sweeper.look())
        assert gone() is not None
        asyncio.run(sweeper.look())  # nobody decided since
        assert gone() is None
    finally:
        gc.enable()


def test_it_is_not_put_off_for_ever(sweeper: Sweeper) -> None:
    for _ in range(FEW):
        sweeper.noticed()
    now = sweeper._swept
    assert not sweeper.due(now + PATIENCE - 1)
    assert sweeper.due(now + PATIENCE + 1)


def test_where_it_takes_no_time_there_is_no_need_to_wait(sweeper: Sweeper) -> None:
    sweeper._took = 0.0
    for _ in range(FEW):
        sweeper.noticed()
    assert sweeper.due(sweeper._swept)


def test_where_little_has_grown_old_nothing_is_done(sweeper: Sweeper, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweeping.gc, "get_count", lambda: (0, 0, WORTH - 1))
    assert not sweeper.due(sweeper._swept + PATIENCE + 1)
    sweeper.ask()
    assert sweeper.due(sweeper._swept)


def test_whoever_lets_go_of_much_gets_its_memory_back(sweeper: Sweeper, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[bool] = []
    monkeypatch.setattr(sweeping, "give_back", lambda: given.append(True))
    asyncio.run(sweeper.look())
    assert given == []
    sweeper.ask()
    asyncio.run(sweeper.look())
    asyncio.run(sweeper.look())
    assert given == [True]


def test_a_server_never_walks_over_everything_by_itself() -> None:
    sweeping.settle()
    assert gc.get_threshold() == THRESHOLDS
    before = gc.get_stats()[2]["collections"]
    held: list[list[int]] = []
    for number in range(THRESHOLDS[0] * THRESHOLDS[1] * 12):
        held.append([number])
    assert gc.get_stats()[1]["collections"] > 0
    assert gc.get_stats()[2]["collections"] == before
