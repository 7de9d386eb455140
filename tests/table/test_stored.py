"""What earlier code left behind: the data folder of one evening, written before the rules were mended.

Later code reads it as it was: nothing lost, nothing that a player sees changed without a word.
"""

from __future__ import annotations

import gzip
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

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


@pytest.mark.parametrize("id", sorted(SHOWN), ids=lambda id: "-".join(
    str(SHOWN[id][name]) for name in ("game", "variant", "players", "status")))  # fmt: skip
def test_a_table_is_shown_as_it_was(club: Site, id: str) -> None:
    table = club.run(club.house.find(id))
    assert json.loads(json.dumps(shown(table))) == SHOWN[id]


def test_the_owner_finds_all_tables_in_the_lobby(club: Site) -> None:
    rows = {row.id for row in club.house.store.tables_of(OWNER)}
    assert {id for id, one in SHOWN.items() if one["status"] != "open"} <= rows
