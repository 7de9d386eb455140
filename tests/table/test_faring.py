"""How the house fares and what it told last: numbers of all processes, only so many of them, and nothing secret."""

from __future__ import annotations

import ast
import asyncio
import logging
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import func, select

import samizdat
import samizdat.table
from samizdat.table import course as course_module
from samizdat.table.course import BOUNDS, ENOUGH, TICK, Course, below, faring
from samizdat.table.house_log import LONGEST, OVERTYPED, HouseLog, overtyped
from samizdat.table.store import faring as store_faring
from samizdat.table.store.faring import MOST_LINES, SLOT, SLOTS, last_lines, slot_of
from samizdat.table.store.schema import log_lines, samples
from tests.table.conftest import Site

BOTH_DATABASES = True
HERE = Path(samizdat.table.__file__).parent
NOON = 48_000 * SLOT  # a moment at which a half hour begins


class Wall:
    """The clock on the wall, as a test sets it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = NOON
        monkeypatch.setattr(time, "time", lambda: self.now)


# --- the numbers -----------------------------------------------------------------------------------------


@given(st.lists(st.floats(0.0, 99_000.0), max_size=300))
def test_so_many_answers_took_less_than_it_says(took: list[float]) -> None:
    house = Course.__new__(Course)
    house._answers, house._failed = [0] * (len(BOUNDS) + 1), 0
    for milliseconds in took:
        house.answered("POST", "/table/{id}/move", 200, milliseconds / 1000)
    said = below(house._answers)
    if len(took) < ENOUGH:
        assert said is None, "too few say nothing, not even that there were some"
        return
    assert said is not None
    assert sum(one <= said + 1e-6 for one in took) >= 0.95 * len(took)
    lower = [bound for bound in BOUNDS if bound < said]
    assert not lower or sum(one <= lower[-1] - 1e-6 for one in took) < 0.95 * len(took), (
        "and no smaller bound would do"
    )


def test_only_decisions_that_were_taken_are_measured(site: Site) -> None:
    course: Course = site.app.state.course
    for _ in range(30):
        course.answered("GET", "/table/{id}", 200, 0.5)
        course.answered("POST", "/table/{id}/move", 409, 0.5)
        course.answered("POST", "/table/{id}/draft", 200, 0.5)
    course.sample()
    assert faring(site.house, time.time()).below is None
    for _ in range(30):
        course.answered("POST", "/api/tables/{id}/play", 200, 0.0385)
    course.sample()
    assert faring(site.house, time.time()).below == 40


def test_a_decision_over_the_wire_is_measured_by_the_server_itself(site: Site) -> None:
    table = site.table(samizdat.game("dual-powers"))
    assert table.match is not None
    browser, seat = site.browser(), table.match.turn[0]
    browser.hold(table, seat)
    body = {"seat": seat, "version": table.history(seat).version, "move": str(table.match.legal(seat)[0])}
    before = sum(site.app.state.course._answers)
    assert browser.post(f"/table/{table.id}/move", json=body).status_code == 200
    assert sum(site.app.state.course._answers) == before + 1


def test_what_several_processes_see_comes_together(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    wall = Wall(monkeypatch)
    table = site.table(samizdat.game("dual-powers"))
    processes = [Course(site.house, lambda: (2, 1, 4)) for _ in range(3)]
    for one in range(3):
        table.listeners.setdefault(None if one else 0, set()).add(asyncio.Event())
    for _ in range(int(SLOT / TICK)):
        for process in processes:
            process.sample()
        wall.now += TICK
    wall.now -= 1
    told = faring(site.house, wall.now)
    assert (told.tables, told.boards, told.watching, told.processes) == (1, 9, 6, 3), "each has looked for itself"
    assert (told.places, told.waited) == (4, 1), "and all have seen the same"
    assert told.busy == pytest.approx(0.5, rel=0.05)
    assert told.course["boards"][-1] == pytest.approx(9, rel=0.05)
    wall.now += SLOT
    told = faring(site.house, wall.now)
    assert (told.boards, told.processes) == (0, 0), "who was not heard of since has ended"
    assert told.course["boards"][-2] == pytest.approx(9)
    assert told.course["boards"][-1] == 0


def test_a_day_is_all_there_ever_is(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    wall, course = Wall(monkeypatch), site.app.state.course
    for _ in range(2 * SLOTS):
        course.sample()
        wall.now += SLOT
    with site.house.store.reading() as db:
        assert db.execute(select(func.count()).select_from(samples)).scalar_one() <= SLOTS + 1
    assert len(faring(site.house, wall.now).course["tables"]) == SLOTS
    assert slot_of(wall.now) * SLOT <= wall.now


def test_failures_are_forgotten_after_an_hour(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    wall, course = Wall(monkeypatch), site.app.state.course
    course.sample()
    course.answered("GET", "/", 500, 0.1)
    course.sample()
    assert faring(site.house, wall.now).failed == 1
    for _ in range(2):
        wall.now += SLOT
        course.sample()
    assert faring(site.house, wall.now).failed == 0


def test_memory_is_that_of_this_process() -> None:
    assert course_module.memory() > 10_000_000


# --- the log ---------------------------------------------------------------------------------------------


def record(name: str, message: Any, *args: Any, level: int = logging.WARNING, error: Any = None) -> logging.LogRecord:
    return logging.LogRecord(name, level, "x.py", 1, message, args, error)


@given(st.text(min_size=7), st.integers(), st.floats(allow_nan=False))
def test_whatever_is_put_into_a_sentence_is_overtyped(secret: str, number: int, part: float) -> None:
    words = overtyped(
        record("samizdat.bots", "seat %d at table %s: %s (%s), %.1f", number, secret, [secret], {"a": 1}, part)
    )
    plain = overtyped(
        record("samizdat.bots", "seat %d at table %s: %s (%s), %.1f", number, "other", ["b"], {"b": 2}, part)
    )
    assert words == plain
    assert words.count(OVERTYPED) == 3


def test_kinds_of_errors_are_named_and_their_words_are_not() -> None:
    try:
        raise ValueError("bid general force")
    except ValueError:
        error = sys.exc_info()
    assert (
        overtyped(record("samizdat.house", "table %s (%s)", "a-link", "ValueError"))
        == f"table {OVERTYPED} (ValueError)"
    )
    assert overtyped(record("samizdat.house", "it failed", error=error)) == "it failed (ValueError)"
    assert overtyped(record("uvicorn.error", "all of it: bid general force\n", error=error)) == "uvicorn: ValueError"
    assert overtyped(record("asyncio", "<Task bid general force>")) == f"asyncio: {OVERTYPED}"
    assert overtyped(record("samizdat.x", ValueError("bid"))) == f"samizdat: {OVERTYPED}"
    assert len(overtyped(record("samizdat.x", "x" * 999))) == LONGEST


def test_every_sentence_that_we_log_stands_in_the_code() -> None:
    """What is put together before it is logged could not be overtyped."""
    found = 0
    for file in HERE.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
                continue
            whose = node.func.value
            if isinstance(whose, ast.Name) and whose.id in ("log", "requests") and node.func.attr in (
                "debug", "info", "warning", "error", "exception", "critical",
            ):  # fmt: skip
                found += 1
                assert isinstance(node.args[0], ast.Constant), f"{file.name}:{node.lineno}"
    assert found > 25


def test_lines_are_written_once_and_only_so_many_stay(site: Site) -> None:
    log = HouseLog(site.house.store, "here")
    for n in range(3):
        log.emit(record("samizdat.host", "line %d", n, level=logging.INFO))
    log.emit(record("samizdat.requests", "request", level=logging.INFO))
    log.emit(record("sqlalchemy", "something", level=logging.INFO))
    log.write()
    log.write()
    assert [row.words for row in last_lines(site.house.store, 9)] == ["line 2", "line 1", "line 0"]
    for batch in range(MOST_LINES // 100 + 2):
        for n in range(100):
            log.emit(record("samizdat.host", "line %d", 100 * batch + n))
        log.write()
    with site.house.store.reading() as db:
        assert db.execute(select(func.count()).select_from(log_lines)).scalar_one() <= MOST_LINES


def test_lines_that_could_not_be_written_are_tried_again(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    log = HouseLog(site.house.store, "here")
    log.emit(record("samizdat.host", "it matters"))
    with monkeypatch.context() as broken:
        broken.setattr(store_faring, "MOST_LINES", "no number")
        with pytest.raises(Exception):  # noqa: B017, PT011
            log.write()
    log.write()
    assert [row.words for row in last_lines(site.house.store, 9)] == ["it matters"]


def test_what_is_told_while_the_house_is_open_is_kept(site: Site) -> None:
    course: Course = site.app.state.course

    async def open_for_a_while() -> None:
        course.start()
        logging.getLogger("samizdat.house").warning("table %s stays as it is", "some-id")
        await course.stop()

    site.run(open_for_a_while())
    assert last_lines(site.house.store, 1)[0].words == f"table {OVERTYPED} stays as it is"
    assert course.log not in logging.getLogger().handlers
