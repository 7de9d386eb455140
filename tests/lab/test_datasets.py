"""Datasets: every row is what the referee says of that moment, and the files are whole whenever writing stops."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pyarrow.parquet
import pytest

from samizdat.kernel.errors import OptionError
from samizdat.kernel.verdicts import verify
from samizdat.lab import datasets
from samizdat.lab.arena import Setting, read_entrants
from samizdat.lab.datasets import DECISION_COLUMNS, DECISIONS, MATCH_COLUMNS, MATCHES, Dataset, matches
from samizdat.lab.observations import Tensors

SHORT = Setting("revolution", 3, "standard", (("max_rounds", 1),))
PAGE = Path(__file__).parents[2] / "docs" / "datasets.md"


def written(setting: Setting, bots: str, games: int, folder: Path, workers: int = 1, seed: int = 0) -> Path:
    assert list(Dataset(setting, read_entrants(bots), seed).write(games, folder, workers)) == [*range(1, games + 1)]
    return folder


def rows(folder: Path, name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = pyarrow.parquet.read_table(folder / name).to_pylist()
    return found


@pytest.mark.parametrize(
    ("setting", "bots"),
    [
        (SHORT, "expert:simulations=20,random"),
        (Setting("dual-powers"), "random"),
        (Setting("mali-powstancy", 3, "extended"), "random"),
        (Setting("war-of-whispers", 2), "random"),
    ],
    ids=lambda one: one.name if isinstance(one, Setting) else "",
)
def test_every_row_is_what_the_referee_says(setting: Setting, bots: str, tmp_path: Path) -> None:
    folder = written(setting, bots, 2, tmp_path / "games")
    game, again = setting.game(), list(matches(folder))
    assert len(again) == 2
    for number, (match, about) in enumerate(zip(again, rows(folder, MATCHES), strict=True)):
        assert verify(about["file"]).good
        assert about["match"] == number
        assert (match.scores, match.ranks, match.reason) == (about["points"], about["ranks"], about["reason"])
        told = [row for row in rows(folder, DECISIONS) if row["match"] == number]
        assert [row["ply"] for row in told] == list(range(match.plies)) == list(range(about["decisions"]))
        fresh = game.match(int(about["seed"], 16))
        for row in told:
            sight = fresh.sight(row["seat"])
            assert np.array_equal(np.array(row["view"], np.float32), Tensors(game).of(sight))
            assert np.flatnonzero(row["mask"]).tolist() == sorted(move.id for move in sight.legal())
            assert row["point"] == game.definition.points.at(sight.state).name
            assert row["outcome"] == pytest.approx((match.ranks[row["seat"]] == 1) / max(1, match.ranks.count(1)))
            assert row["points"] == match.scores[row["seat"]]
            searched = about["seats"][row["seat"]].startswith("expert") and len(sight.legal()) > 1
            assert bool(row["actions"]) is bool(row["simulations"]) is searched
            if searched:
                assert sorted(row["actions"]) == np.flatnonzero(row["mask"]).tolist()
                assert len(row["visits"]) == len(row["shares"]) == len(row["strategy"]) == len(row["actions"])
                assert sum(row["visits"]) > 0
                assert sum(row["strategy"]) == pytest.approx(1)
            move = fresh.decide(row["seat"], row["move"])
            assert move.id == row["choice"]


def test_the_same_seed_writes_the_same_bytes_on_any_number_of_processes(tmp_path: Path) -> None:
    one, two, other = (tmp_path / name for name in ("one", "two", "other"))
    written(SHORT, "random", 5, one, 1)
    written(SHORT, "random", 5, two, 2)
    written(SHORT, "random", 5, other, 1, seed=1)
    for name in (MATCHES, DECISIONS):
        assert (one / name).read_bytes() == (two / name).read_bytes()
        assert (one / name).read_bytes() != (other / name).read_bytes()


def test_whoever_stops_keeps_what_was_played(tmp_path: Path) -> None:
    writing = Dataset(SHORT, read_entrants("random")).write(50, tmp_path)
    assert [next(writing), next(writing)] == [1, 2]
    writing.close()
    assert sorted(path.name for path in tmp_path.iterdir()) == [DECISIONS, MATCHES]
    assert len(list(matches(tmp_path))) == 2
    assert {row["match"] for row in rows(tmp_path, DECISIONS)} == {0, 1}


def test_memory_holds_a_batch_and_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(datasets, "BATCH", 40)
    held: list[int] = []
    add = datasets._Files.add

    def watched(self: Any, one: Any) -> None:
        add(self, one)
        held.append(len(self.rows[DECISIONS]))

    monkeypatch.setattr(datasets._Files, "add", watched)
    written(SHORT, "random", 6, tmp_path / "games")
    assert max(held) < 40
    assert pyarrow.parquet.ParquetFile(tmp_path / "games" / DECISIONS).num_row_groups > 1


def test_what_is_there_stays_there(tmp_path: Path) -> None:
    written(SHORT, "random", 1, tmp_path)
    before = (tmp_path / MATCHES).read_bytes()
    with pytest.raises(OptionError, match="is there already"):
        written(SHORT, "random", 1, tmp_path)
    assert (tmp_path / MATCHES).read_bytes() == before
    with pytest.raises(OptionError, match="not a folder"):
        written(SHORT, "random", 1, tmp_path / MATCHES)


def test_what_is_no_dataset_is_refused_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="holds no dataset"):
        list(matches(tmp_path))
    (tmp_path / MATCHES).write_bytes(b"PAR1 no")
    with pytest.raises(OptionError, match="holds no dataset"):
        list(matches(tmp_path))


def test_how_it_was_set_up_stands_in_the_schema(tmp_path: Path) -> None:
    written(SHORT, "random", 1, tmp_path / "games", seed=9)
    for name in (MATCHES, DECISIONS):
        about = json.loads(pyarrow.parquet.read_schema(tmp_path / "games" / name).metadata[b"samizdat"])
        assert (about["game"], about["players"], about["seed"]) == ("revolution", 3, 9)
        assert about["options"]["max_rounds"] == 1


def test_the_page_names_every_column() -> None:
    tables = PAGE.read_text().split("\n## ")[1:3]
    for table, columns in zip(tables, (MATCH_COLUMNS, DECISION_COLUMNS), strict=True):
        assert dict(re.findall(r"^\| `(\w+)` \| (.+) \|$", table, re.M)) == columns


def test_the_page_hands_views_and_masks_to_torch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """PyTorch is not installed here: a stand-in receives what it would be given."""
    written(SHORT, "random", 2, tmp_path / "games")
    monkeypatch.chdir(tmp_path)
    torch: Any = ModuleType("torch")
    torch.from_numpy = lambda array: SimpleNamespace(array=array)
    monkeypatch.setitem(sys.modules, "torch", torch)
    (snippet,) = [one for one in re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.S) if "torch" in one]
    known: dict[str, Any] = {}
    exec(snippet, known)  # our own page
    decisions = rows(tmp_path / "games", DECISIONS)
    for name, size in (("view", Tensors(SHORT.game()).size), ("mask", SHORT.game().capacity)):
        given = known[f"{name}s"]
        assert given.array.shape == (len(decisions), size)
        assert given.array[3].tolist() == decisions[3][name]


def test_the_command_writes_them(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "samizdat", "dataset", "revolution", "--bots", "random", "--games", "2"]
    ran = subprocess.run(
        [*command, "--option", "max_rounds=1", "--workers", "1", "--out", str(tmp_path / "games")],
        capture_output=True, text=True, env={**os.environ, "COLUMNS": "200"}, check=False,
    )  # fmt: skip
    assert (ran.returncode, ran.stdout) == (0, f"2 games in {tmp_path / 'games'}\n"), ran.stderr
    assert len(list(matches(tmp_path / "games"))) == 2
    again = subprocess.run([*command, "--out", str(tmp_path / "games")], capture_output=True, text=True, check=False)
    assert again.returncode == 2
    assert "is there already" in again.stderr
