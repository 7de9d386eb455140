"""Match files that visitors bring: bounded in size, work and memory, whatever they ask for."""

from __future__ import annotations

import asyncio
import json
import random
import time
from contextlib import closing
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest

import samizdat
from samizdat.kernel.match import Match
from samizdat.kernel.matchfile import checksum, dumps
from samizdat.kernel.telling import Phrase
from samizdat.table import at_hand, importing
from samizdat.table.importing import Readers, read_elsewhere, read_match
from samizdat.table.tables import LiveTable
from tests.table.conftest import Site


def long_match(rounds: int = 40, seed: int = 3) -> Match:
    """Some two thousand decisions, over and done."""
    match = samizdat.game("revolution", max_rounds=rounds).match(seed)
    dice = random.Random(seed)
    while not match.over:
        seat = dice.choice(match.turn)
        match.play(seat, dice.choice(match.legal(seat)))
    return match


def altered(text: str, **fields: Any) -> str:
    data = json.loads(text) | fields
    data["checksum"] = checksum(data)
    return json.dumps(data)


@pytest.fixture
def small(site: Site) -> str:
    match = samizdat.game("revolution", players=3).match(5)
    for _ in range(6):
        seat = match.turn[0]
        match.play(seat, match.legal(seat)[0])
    site.house.store.remember_player("p0", "Ludmila")
    return dumps(match)


def test_a_file_is_read_elsewhere_as_it_is_read_here(small: str) -> None:
    assert read_elsewhere(small) == read_match(small)


def test_what_everybody_saw_of_a_match_is_part_of_its_weight(site: Site) -> None:
    """It weighs more than the match itself."""
    site.house.store.remember_player("p0", "Ludmila")
    match = long_match()
    table = site.run(site.house.import_match(dumps(match), "p0", "Ludmila"))
    assert table.match is not None
    assert table.match.raw == match.raw
    seen = sum(len(one.seen) for viewer in table.viewers for one in table.history(viewer).observations)
    assert len(table.history(None).observations) > 100
    assert table.weight > 1.5 * seen


def test_a_file_that_takes_too_long_is_refused(small: str) -> None:
    with pytest.raises(samizdat.MatchFileError, match="too long to be played through"):
        read_elsewhere(small, patience=0.0)


def test_a_process_that_ends_without_a_word_is_a_refusal(small: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As it does when its processor time is up: the system kills it."""
    monkeypatch.setattr(importing, "_read_apart", _dies)
    with pytest.raises(samizdat.MatchFileError, match="too long to be played through"):
        read_elsewhere(small)


def _dies(*_: object) -> None:
    raise SystemExit(1)


@pytest.mark.parametrize("greedy", ["_works_too_long", "_takes_too_much"])
def test_what_a_file_may_take_is_bounded(small: str, monkeypatch: pytest.MonkeyPatch, greedy: str) -> None:
    """Its process is ended for it; without these bounds, both would come to their end and answer."""
    monkeypatch.setattr(importing, "_read_apart", globals()[greedy])
    with pytest.raises(samizdat.MatchFileError, match="too long to be played through"):
        read_elsewhere(small)


def _works_too_long(text: str, answer: Connection) -> None:
    def read(text: str) -> importing.Brought:
        while time.process_time() < 8:
            pass
        return read_match(text)

    importing.read_match, importing.SECONDS = read, 1
    importing._read_apart(text, answer)


def _takes_too_much(text: str, answer: Connection) -> None:
    def read(text: str) -> importing.Brought:
        room = bytearray(importing.MEMORY)  # asked for, never written to
        return read_match(text[: len(room)])

    importing.read_match = read
    importing._read_apart(text, answer)


def test_refusals_come_back_in_words_of_the_game(small: str) -> None:
    data = json.loads(small)
    with pytest.raises(samizdat.MatchFileError, match="number 7") as refused:
        read_elsewhere(altered(small, moves=[*data["moves"], "0 bid general force"]))
    assert isinstance(refused.value.args[0], Phrase)
    assert refused.value.game == samizdat.game("revolution", players=3)


def test_only_so_many_files_wait(small: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def many() -> list[object]:
        readers = Readers()
        return await asyncio.gather(*(readers.read(small) for _ in range(5)), return_exceptions=True)

    monkeypatch.setattr(importing, "MOST_WAITING", 3)
    monkeypatch.setattr(importing, "read_elsewhere", lambda text, *_: read_match(text))
    found = asyncio.run(many())
    assert [isinstance(one, samizdat.MatchFileError) for one in found] == [False] * 3 + [True] * 2
    assert "try again in a minute" in str(found[-1])


def test_a_server_that_ends_does_not_wait_for_a_file(small: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def ended() -> list[Any]:
        readers = Readers()
        reading = asyncio.create_task(readers.read(small))
        while not readers._running:
            await asyncio.sleep(0.001)
        readers.close()
        return await asyncio.gather(reading, return_exceptions=True)

    monkeypatch.setattr(importing, "_read_apart", _sleeps)
    [error] = asyncio.run(ended())
    assert isinstance(error, samizdat.MatchFileError)


def _sleeps(*_: object) -> None:
    time.sleep(3600)


# --- tables in memory --------------------------------------------------------------------------------------


def kept(site: Site) -> list[str]:
    return list(site.house.tables)


def test_tables_leave_memory_by_their_weight(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(Site(tmp_path)) as site:
        site.house.store.remember_player("p0", "Ludmila")
        text = dumps(long_match())
        one = site.run(site.house.import_match(text, "p0", "L"))
        monkeypatch.setattr(at_hand, "MOST_WEIGHT", 3 * one.weight)
        others = [site.run(site.house.import_match(text, "p0", "L")) for _ in range(4)]
        assert kept(site) == [table.id for table in others[-3:]], "the one asked for last stays"
        site.run(site.house.find(one.id))
        assert kept(site)[-1] == one.id, "somebody still has it"


def test_a_table_that_somebody_looks_at_stays(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    table = site.table(samizdat.game("revolution"))
    table.listeners.setdefault(None, set()).add(asyncio.Event())
    monkeypatch.setattr(at_hand, "MOST_WEIGHT", 0)
    other = site.table(samizdat.game("revolution"))
    third = site.table(samizdat.game("revolution"))
    assert kept(site) == [table.id, third.id]
    assert isinstance(other, LiveTable)


def test_a_long_match_that_is_read_again_keeps_its_versions(tmp_path: Path) -> None:
    """Nobody looked at it before the restart, or since."""
    with closing(Site(tmp_path)) as site:
        table = site.table(samizdat.game("war-of-whispers", players=2))
        site.wander(table, 40)
        versions = {viewer: table.history(viewer).version for viewer in table.viewers}
    with closing(Site(tmp_path)) as site:
        again = site.run(site.house.find(table.id))
        assert {viewer: again.history(viewer).version for viewer in again.viewers} == versions
