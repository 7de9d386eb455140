"""Games and bots of packages outside ours, installed by pip beside it: on the shelf, at the table, in the lab.

What is announced is read once in a process, so everything runs in processes of its own.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.outside.conftest import EXAMPLES, PACKAGES, ROOT

GAMES = PACKAGES[:2]
MOST_LINES = 200  # of code and data; rulebook, translations and tests aside


def run(beside: Path, *command: str, more: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run Python with the packages beside ours."""
    path = os.pathsep.join(str(part) for part in (ROOT, beside, *([more] if more else [])))
    environment = os.environ | {"PYTHONPATH": path, "COLUMNS": "200"}
    return subprocess.run(
        [sys.executable, *command], check=False, capture_output=True, text=True, env=environment, cwd=ROOT
    )


def good(ran: subprocess.CompletedProcess[str]) -> str:
    assert ran.returncode == 0, ran.stdout[-4000:] + ran.stderr[-2000:]
    return ran.stdout


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_small(name: str) -> None:
    files = [EXAMPLES / name / "pyproject.toml", *(EXAMPLES / name / name).glob("*.*")]
    assert sum(len(file.read_text(encoding="utf-8").splitlines()) for file in files) <= MOST_LINES


def test_everybody_finds_them(beside: Path) -> None:
    listed = good(run(beside, "-m", "samizdat", "games"))
    assert "connect-four" in listed
    assert "liars-dice" in listed
    code = "from samizdat.bots import offered; print(*offered())"
    assert good(run(beside, "-c", code)).split()[-1] == "honest"
    assert "C3" in good(run(beside, "-m", "samizdat", "rules", "connect-four", "C3"))


@pytest.mark.parametrize("name", GAMES)
def test_they_are_studied_without_saying_how(beside: Path, tmp_path: Path, name: str) -> None:
    study = ("study", name.replace("_", "-"), "--bots", "random", "-n", "3", "--workers", "1", "--out", str(tmp_path))
    assert "3 matches" in good(run(beside, "-m", "samizdat", *study))
    assert "What a choice is worth" in (tmp_path / "report.html").read_text(encoding="utf-8")


@pytest.mark.slow
def test_they_are_played_at_the_table(beside: Path) -> None:
    """`with_them.py`: the shelf, rules, whole matches against bots, hints, reviews, a bot from outside."""
    good(run(beside, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(Path(__file__).parent / "with_them.py")))


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_they_conform(beside: Path, name: str) -> None:
    """Both tiers, with one command: engines, the GPU's kernel, secrets, PettingZoo, OpenSpiel, pages."""
    good(run(beside, "-m", "samizdat.conformance", name))


@pytest.mark.slow
def test_a_folder_conforms_that_is_not_installed_and_brings_rules_alone(tmp_path: Path) -> None:
    """Nim has no box, laws, words, board or rulebook: what stands in for them is enough for both tiers."""
    good(run(tmp_path, "-m", "samizdat.conformance", str(Path(__file__).parent / "nim")))


def test_a_game_that_breaks_the_rules_does_not_conform(tmp_path: Path) -> None:
    """The suite can fail: a game in which what may be decided tells what lies under somebody's cup."""
    shutil.copytree(EXAMPLES / "liars_dice", tmp_path / "liars_dice")
    rules = tmp_path / "liars_dice" / "liars_dice" / "rules.py"
    text = rules.read_text(encoding="utf-8")
    assert "if s.bids == 0:" in text
    rules.write_text(text.replace("if s.bids == 0:", "if s.bids == 0 or s.face[0, 0] == 6:"), encoding="utf-8")
    checks = ("--tier", "lab", "--", "-k", "no_channel_leaks")
    ran = run(tmp_path, "-m", "samizdat.conformance", str(tmp_path / "liars_dice"), *checks)
    assert ran.returncode == 1, ran.stdout
    assert "GUESS_LEGAL" in ran.stdout


@pytest.mark.parametrize(
    ("wish", "why"),
    [
        ("no-such-game", "There is no game, package or folder “no-such-game”."),
        ("samizdat.kernel", "“samizdat.kernel” announces no game"),
        ("docs", "“docs” has no pyproject.toml."),
    ],
)
def test_the_suite_says_what_it_cannot_find(tmp_path: Path, wish: str, why: str) -> None:
    ran = run(tmp_path, "-m", "samizdat.conformance", wish)
    assert ran.returncode == 1
    assert ran.stderr.startswith(f"samizdat: {why}")


def test_bots_from_outside_meet_ours_in_the_arena(beside: Path) -> None:
    for name in ("honest", "honest:Honest", f"{EXAMPLES / 'honest_bot' / 'honest.py'}:Honest"):
        arena = ("-m", "samizdat", "arena", "liars-dice", "--players", "2", "--bots", f"{name},random")
        shown = good(run(beside, *arena, "--games", "8", "--workers", "1"))
        assert "honest" in shown
        assert "random" in shown
    ran = run(beside, *arena[:-1], "no_such:Bot,random", "--games", "2")
    assert ran.returncode == 2
    assert ran.stderr == "samizdat: The bot “no_such:Bot” cannot be read: No module named 'no_such'.\n"


def announce(folder: Path, project: str, group: str, **entries: str) -> None:
    """A package's metadata as pip would leave it."""
    info = folder / f"{project}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project}\nVersion: 1.0\n")
    lines = [f"[{group}]", *(f"{name} = {value}" for name, value in entries.items())]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n")


def test_a_package_that_cannot_be_read_harms_nobody(beside: Path, tmp_path: Path) -> None:
    twin = {"connect-four-again": "connect_four:GAME"}
    announce(tmp_path, "broken", "samizdat.games", broken="no_such_module:GAME", wrong="os:path", **twin)
    announce(tmp_path, "rude", "samizdat.bots", expert="honest:Honest", **{"Not a name": "honest:Honest"})
    code = "import samizdat; from samizdat.bots import offered; print(*samizdat.games()); print(*offered())"
    ran = run(beside, "-c", code, more=tmp_path)
    games, bots = good(ran).splitlines()
    assert games.split()[-2:] == ["connect-four", "liars-dice"]
    assert bots == "random novice regular expert reflex honest"
    for why in (
        "The game announced as broken (no_such_module:GAME) is left out: No module named 'no_such_module'",
        "The game announced as wrong (os:path) is left out: it is no Definition",
        "The game announced as connect-four-again (connect_four:GAME) is left out: it calls itself connect-four",
        "The bot announced as expert (honest:Honest) is left out: it needs another name.",
        "The bot announced as Not a name (honest:Honest) is left out: it needs another name.",
    ):
        assert why in ran.stderr
