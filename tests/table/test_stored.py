"""What earlier code left behind: the data folder of one evening, written before the rules were mended.

Later code reads it as it was: nothing lost, nothing that a player sees changed without a word.
"""

from __future__ import annotations

import gzip
import json
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import samizdat
from tests.stored.write import OWNER, shown
from tests.table.conftest import Site

EVENING = Path(__file__).parents[1] / "stored" / "evening"
SHOWN: dict[str, dict[str, Any]] = json.loads(gzip.decompress((EVENING / "shown.json.gz").read_bytes()))


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("evening")
    for name in ("samizdat.db", "secret.key"):
        shutil.copy(EVENING / name, folder / name)
    made = Site(folder)
    yield made
    made.close()


def test_the_evening_holds_every_kind_of_table() -> None:
    """A fixture that lost half of its cases would prove nothing."""
    kinds = {(one["game"], one["variant"], one["players"], one["status"]) for one in SHOWN.values()}
    for game, variant, players in {kind[:3] for kind in kinds}:
        assert {(game, variant, players, "playing"), (game, variant, players, "over")} <= kinds
    assert len({kind[:2] for kind in kinds}) == 6
    assert any(one["status"] == "open" for one in SHOWN.values())
    assert {one["status"] for one in SHOWN.values() if one["imported"]} == {"playing", "over"}
    assert {one["game"] for one in SHOWN.values() if one["drafts"]} >= {"revolution", "mali-powstancy"}
    with closing(sqlite3.connect(EVENING / "samizdat.db")) as db:  # a line without a move takes the last one back
        taken_back = {id for (id,) in db.execute("SELECT [table] FROM journal WHERE move = ''")}
    assert {SHOWN[id]["game"] for id in taken_back} == {one["game"] for one in SHOWN.values()}


@pytest.mark.parametrize("id", sorted(SHOWN), ids=lambda id: "-".join(
    str(SHOWN[id][name]) for name in ("game", "variant", "players", "status")))  # fmt: skip
def test_a_table_is_shown_as_it_was(club: Site, id: str) -> None:
    """Under the rules it began with, whatever the present ones are; what is told besides may have become more."""
    table = club.run(club.house.find(id))
    then, now = SHOWN[id], json.loads(json.dumps(shown(table)))
    if then["status"] == "open":  # nobody has decided anything: it begins under the present rules
        then, now = then | {"rules": 0}, now | {"rules": 0}
    assert missing(then, now) == []


def missing(then: Any, now: Any, where: str = "") -> list[str]:
    """What was told then and is not told now, or told otherwise."""
    if isinstance(then, dict) and isinstance(now, dict):
        return [
            wrong for name, value in then.items() for wrong in missing(value, now.get(name, "–"), f"{where}/{name}")
        ]
    if isinstance(then, list) and isinstance(now, list) and len(then) == len(now):
        return [
            wrong for n, (one, other) in enumerate(zip(then, now, strict=True))
            for wrong in missing(one, other, f"{where}/{n}")
        ]  # fmt: skip
    return [] if then == now else [f"{where}: {then!r}, now {now!r}"]


def test_the_owner_finds_all_tables_in_the_lobby(club: Site) -> None:
    rows = {row.id for row in club.house.store.tables_of(OWNER)}
    assert {id for id, one in SHOWN.items() if one["status"] != "open"} <= rows


RUNNING = [id for id in sorted(SHOWN) if SHOWN[id]["status"] == "playing"]


@pytest.mark.parametrize("id", RUNNING, ids=lambda id: f"{SHOWN[id]['game']}-{SHOWN[id]['players']}")
def test_a_running_match_goes_on_to_its_end_under_its_own_rules(tmp_path: Path, id: str) -> None:
    for name in ("samizdat.db", "secret.key"):
        shutil.copy(EVENING / name, tmp_path / name)
    site = Site(tmp_path)
    table = site.run(site.house.find(id))
    site.wander(table, 5)
    site.house.tables.clear()
    site.house._held.clear()
    table = site.run(site.house.find(id))  # stored by the present program, read again
    assert table.match is not None
    assert table.match.plies == len(SHOWN[id]["moves"]) + 5
    site.wander(table, table.game.longest)
    assert table.status == "over"
    text = site.run(site.house.file(table, None))
    assert json.loads(text)["rules"] == SHOWN[id]["rules"]
    again = samizdat.loads(text)
    assert (again.scores, again.reason) == (table.match.scores, table.match.reason)
    site.close()


def test_whispers_of_the_first_rules_are_played_by_them(club: Site) -> None:
    """Version 1 had no window after a pass (A66): matches that passed so replay only without it."""
    passed = 0
    for id, one in SHOWN.items():
        if one["game"] == "war-of-whispers" and one["status"] != "open":
            table = club.run(club.house.find(id))
            assert table.game.rules == 1 != table.game.definition.version
            assert table.match is not None
            passed += sum(move.split()[1] == "pass" for move in one["moves"])
            again = table.game.anew()
            assert again.rules == table.game.definition.version
    assert passed
