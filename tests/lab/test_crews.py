"""Results come in the order of the tasks, all of them, once each, whoever works, dies or is slow."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Future
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from samizdat.kernel.errors import IllegalMove
from samizdat.lab.crews import AHEAD, QUEUED, TRIES, CrewError, Processes, Worked, in_order, labour


class Died(Exception):
    """What a worker of these tests leaves behind."""


class Whims:
    """A crew that finishes batches in any order, and loses some, as drawn numbers will have it."""

    deaths = (Died,)

    def __init__(self, draws: st.DataObject, places: int, batch_seconds: float = 0.0, most_deaths: int = 0) -> None:
        self.draws, self.number, self.batch_seconds, self.left = draws, places, batch_seconds, most_deaths
        self.begun: list[tuple[Callable[[Any], Any], Sequence[Any], Future[Worked[Any]]]] = []
        self.worked: list[Any] = []
        self.most = 0
        self.given_up = False

    def places(self) -> int:
        if self.begun:
            for _ in range(self.draws.draw(st.integers(1, len(self.begun)))):
                self._finish(self.begun.pop(self.draws.draw(st.integers(0, len(self.begun) - 1))))
        return self.draws.draw(st.sampled_from([self.number, 0]))  # places come and go

    def _finish(self, one: tuple[Callable[[Any], Any], Sequence[Any], Future[Worked[Any]]]) -> None:
        work, tasks, future = one
        if self.left and self.draws.draw(st.booleans()):
            self.left -= 1
            future.set_exception(Died())
        else:
            self.worked.extend(tasks)
            future.set_result(labour(work, tasks))

    def begin(self, work: Callable[[Any], Any], tasks: Sequence[Any]) -> Future[Worked[Any]]:
        future: Future[Worked[Any]] = Future()
        self.begun.append((work, tasks, future))
        self.most = max(self.most, len(self.begun))
        return future

    def give_up(self) -> None:
        self.given_up = True


def at_once(
    work: Callable[[int], int], tasks: Iterator[int], crew: Whims
) -> Generator[int, None, None]:  # fmt: skip
    """Nobody here comes back while somebody waits for it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("samizdat.lab.crews.LOOK", 0.0)
        with closing(in_order(work, tasks, crew)) as results:
            yield from results


def collected(results: Iterator[int]) -> tuple[list[int], Exception | None]:
    """What came, and what it ended with."""
    found: list[int] = []
    try:
        while True:
            found.append(next(results))
    except StopIteration:
        return found, None
    except Exception as error:
        return found, error


def square(number: int) -> int:
    return number * number


@given(st.data(), st.integers(0, 60), st.integers(1, 4), st.sampled_from([0.0, 1e-5, 1.0]))
def test_whoever_is_first_or_dies_results_are_those_of_one_process(
    data: st.DataObject, number: int, places: int, batch_seconds: float
) -> None:
    crew = Whims(data, places, batch_seconds, most_deaths=TRIES - 1)
    assert list(at_once(square, iter(range(number)), crew)) == [*map(square, range(number))]
    assert sorted(crew.worked) == [*range(number)], "no task is done twice if nobody is lost after it"
    assert crew.most <= QUEUED * places
    assert crew.given_up


class Late(Whims):
    """Everybody is back at once but whoever has the first task."""

    looked = 0

    def places(self) -> int:
        self.looked += 1
        for one in [one for one in self.begun if 1 not in one[1] or self.looked > 50]:
            self.begun.remove(one)
            self._finish(one)
        return self.number


@given(st.data(), st.integers(1, 4))
def test_memory_is_bounded(data: st.DataObject, places: int) -> None:
    """However many tasks there are, only some are taken before the oldest is handed on."""
    taken = 0

    def tasks() -> Iterator[int]:
        nonlocal taken
        while taken < 200:
            taken += 1
            yield taken

    crew = Late(data, places)
    with closing(at_once(square, tasks(), crew)) as working:
        assert next(working) == 1
        assert taken == AHEAD * places
    assert crew.given_up


@given(st.data(), st.integers(0, 20), st.booleans())
def test_a_failure_comes_in_its_turn(data: st.DataObject, bad: int, several: bool) -> None:
    """All that was before it is handed on, and the failure says where it happened."""

    def work(number: int) -> int:
        if number == bad:
            raise IllegalMove("Nothing of the kind.", "R1.2")
        return number

    found, ended = collected(at_once(work, iter(range(40)), Whims(data, 3, float(several))))
    assert found == [*range(bad)]
    assert isinstance(ended, IllegalMove)
    assert "in work" in ended.__notes__[0]


class Deadly(Whims):
    """Whoever gets a certain task dies of it."""

    def _finish(self, one: tuple[Callable[[Any], Any], Sequence[Any], Future[Worked[Any]]]) -> None:
        if 7 in one[1]:
            one[2].set_exception(Died())
        else:
            super()._finish(one)


@given(st.data(), st.sampled_from([0.0, 1.0]))
def test_a_task_that_kills_every_worker_is_named(data: st.DataObject, batch_seconds: float) -> None:
    crew = Deadly(data, 2, batch_seconds)
    found, ended = collected(at_once(square, iter(range(30)), crew))
    assert isinstance(ended, CrewError)
    assert str(ended).startswith(f"{TRIES} workers died over the same task")
    assert str(ended).endswith(": 7")
    assert found == [*map(square, range(len(found)))]
    assert len(found) <= 7


# --- Processes of this machine ------------------------------------------------


def marked(task: tuple[int, str]) -> int:
    """Kills its process the first time that it is asked for number 3."""
    number, folder = task
    mark = Path(folder) / f"{number}"
    if number == 3 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def test_a_process_that_dies_is_replaced(tmp_path: Path) -> None:
    tasks = ((number, str(tmp_path)) for number in range(8))
    assert list(in_order(marked, tasks, 2)) == [*range(8)]
    assert (tmp_path / "3").exists(), "it did die"


def poison(number: int) -> int:
    if number == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def test_a_task_that_kills_every_process_ends_with_a_sentence() -> None:
    with pytest.raises(CrewError, match="died over the same task"):
        list(in_order(poison, iter(range(3)), 2))


def pid_and_sleep(folder: str) -> int:
    (Path(folder) / str(os.getpid())).touch()
    time.sleep(600)
    return 0


def test_closing_ends_processes_at_once(tmp_path: Path) -> None:
    crew = Processes(2)
    for _ in range(2):
        crew.begin(pid_and_sleep, [str(tmp_path)])
    deadline = time.monotonic() + 60
    while len(list(tmp_path.iterdir())) < 2 and time.monotonic() < deadline:
        time.sleep(0.05)
    pids = [int(file.name) for file in tmp_path.iterdir()]
    assert len(pids) == 2
    crew.give_up()
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
