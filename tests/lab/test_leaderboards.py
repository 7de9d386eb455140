"""A leaderboard holds when it is played again, and whatever is changed in it is noticed."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import samizdat
from samizdat.cli import app
from samizdat.kernel.errors import OptionError
from samizdat.lab.leaderboards import Leaderboard, seal, text_of
from tests.lab.policies import onnx_file

MINE = """
class Mine:
    def __init__(self, seed=None):
        self.seed = seed

    def choose(self, sight):
        return sight.legal()[self.seed % len(sight.legal())]
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A leaderboard of four games between a file of Python and a policy."""
    here = tmp_path_factory.mktemp("board")
    (here / "mine.py").write_text(MINE)
    onnx_file(here / "p.onnx", samizdat.game("dual-powers"))
    bots = f"{here}/mine.py:Mine,{here}/p.onnx:sampled"
    arguments = ["arena", "dual-powers", "--bots", bots, "-n", "4", "--workers", "1"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["samizdat", *arguments])
        done = CliRunner().invoke(app, [*arguments, "--leaderboard", str(here / "board.json")])
    assert done.exit_code == 0, done.output
    return here


def check(file: Path, *more: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, ["leaderboard", "check", str(file), "--workers", "1", *more])
    assert not isinstance(done.exception, Exception) or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.output


def test_a_leaderboard_says_what_it_takes_to_play_it_again(folder: Path) -> None:
    said = json.loads((folder / "board.json").read_text())
    assert said["command"].startswith("samizdat arena dual-powers --bots ")
    assert (said["game"], said["players"], said["seed"], len(said["results"])) == ("dual-powers", 2, 0, 4)
    assert said["box_hash"] == samizdat.game("dual-powers").box.hash
    assert all(len(one["sha256"]) == 64 for one in said["bots"])
    assert all(one["repeats"] for one in said["bots"])
    assert sum(one["share"] for one in said["standings"]) == pytest.approx(1.0, abs=1e-4)


def test_it_holds_byte_for_byte(folder: Path) -> None:
    code, said = check(folder / "board.json")
    assert code == 0, said
    assert "NO" not in said
    assert "4 of 4 games, played again, ended the same to the last point" in said
    assert "the same byte for byte" in said
    code, said = check(folder / "board.json", "-n", "1", "--seed", "5")
    assert code == 0
    assert "1 of 4 games" in said


def lied(said: dict[str, Any]) -> None:
    """A victory moved, and the sums made to fit."""
    ranks = said["results"][3]["ranks"]
    said["results"][3]["ranks"] = ranks[1:] + ranks[:1]


def dropped(said: dict[str, Any]) -> None:
    del said["results"][-1]


def swapped(said: dict[str, Any]) -> None:
    said["results"][0], said["results"][1] = said["results"][1], said["results"][0]


def boasted(said: dict[str, Any]) -> None:
    said["standings"][0]["share"] = 0.99


def reseeded(said: dict[str, Any]) -> None:
    said["seed"] = 1


def older(said: dict[str, Any]) -> None:
    said["rules_version"] -= 1


def boxed(said: dict[str, Any]) -> None:
    said["box_hash"] = "0" * 64


def longer(said: dict[str, Any]) -> None:
    said["results"][2]["decisions"][0] += 1


def nonsense(said: dict[str, Any]) -> None:
    said["results"][2] = {"deal": 0}


def changed(folder: Path, tmp_path: Path, change: Callable[..., None], sealed: bool) -> Path:
    said = json.loads((folder / "board.json").read_text())
    change(said)
    file = tmp_path / "board.json"
    file.write_text(text_of({**said, "sha256": seal(said)} if sealed else said))
    return file


@pytest.mark.parametrize("change", [dropped, swapped, boasted, older, boxed, nonsense, reseeded, lied, longer])
def test_whatever_is_changed_is_noticed(folder: Path, tmp_path: Path, change: Callable[..., None]) -> None:
    """Also where it was sealed anew: the sums do not fit, or the games go another way."""
    file = changed(folder, tmp_path, change, sealed=True)
    code, answer = check(file, *([] if change in (lied, longer) else ["-n", "1"]))
    assert code == 1
    assert "NO" in answer
    assert "its seal fits" in answer


def test_the_careless_are_told_by_the_seal(folder: Path, tmp_path: Path) -> None:
    code, answer = check(changed(folder, tmp_path, longer, sealed=False), "-n", "1")
    assert code == 1
    assert "its seal does not fit" in answer


def test_a_bot_that_changed_since_is_named(folder: Path, tmp_path: Path) -> None:
    mine = folder / "mine.py"
    before = mine.read_text()
    try:
        mine.write_text(before + "\n# a little better now\n")
        code, answer = check(folder / "board.json", "-n", "1")
    finally:
        mine.write_text(before)
    assert code == 1
    assert "mine.py" in answer
    assert "not so" in answer


def test_games_by_the_clock_are_not_played_again_and_that_is_said(tmp_path: Path) -> None:
    file = tmp_path / "board.json"
    arguments = ["arena", "dual-powers", "--bots", "novice:seconds=0.001,random", "-n", "2", "--workers", "1"]
    done = CliRunner().invoke(app, [*arguments, "--leaderboard", str(file)])
    assert done.exit_code == 0, done.output
    code, answer = check(file)
    assert code == 0
    assert "2 games cannot be played again: a bot in them goes by the clock" in answer
    assert "byte for byte" not in answer


def test_what_is_no_leaderboard_is_refused_in_one_sentence(tmp_path: Path) -> None:
    file = tmp_path / "board.json"
    for text in ("", "[]", "{}", '{"format": "samizdat leaderboard 1"}', '{"format": "another"}', "\0"):
        file.write_text(text)
        with pytest.raises(OptionError, match="is no leaderboard of ours"):
            Leaderboard(file)
    with pytest.raises(OptionError, match="there is no leaderboard to be read"):
        Leaderboard(tmp_path / "nowhere.json")
    done = CliRunner().invoke(
        app, ["arena", "revolution", "--bots", "random", "--leaderboard", str(tmp_path / "no" / "board.json")]
    )
    assert "a leaderboard cannot be written there" in str(done.exception)
