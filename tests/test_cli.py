"""The command line, run as a person would: what it prints, and how it refuses."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from samizdat.kernel.game import definitions
from tests.rulebook import RECORDED

MATCH = str(RECORDED / "revolution" / "city_full.json")


def run(*args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "samizdat", *args], capture_output=True, text=True, check=False)


def test_games() -> None:
    done = run("games")
    assert done.returncode == 0
    for name in definitions():
        assert name in done.stdout


@pytest.mark.parametrize("name", list(definitions()))
def test_rules(name: str) -> None:
    assert run("rules", name).returncode == 0


def test_one_rule() -> None:
    done = run("rules", "revolution", "R5.3")
    assert "At most six different characters" in done.stdout


@pytest.mark.parametrize("name", list(definitions()))
def test_sim(name: str) -> None:
    done = run("sim", name, "--games", "300")
    assert done.returncode == 0, done.stderr
    assert "300 random games, by seat" in done.stdout
    data = json.loads(run("sim", name, "--games", "300", "--json").stdout)
    assert data["games"] == 300
    assert sum(data["reasons"].values()) == 300
    shares = sum(seat["win_share"] for seat in data["seats"])
    assert shares <= 1.000001
    assert data == json.loads(run("sim", name, "--games", "300", "--json").stdout), "the same seed, the same games"


def test_replay_and_verify() -> None:
    done = run("replay", MATCH)
    assert done.returncode == 0
    assert "The game ends: the city is full." in done.stdout
    assert run("replay", MATCH, "--seat", "0").returncode == 0
    done = run("verify", MATCH)
    assert done.returncode == 0
    assert "yes." in done.stdout


def test_parity() -> None:
    done = run("parity", "revolution", "-n", "1")
    assert done.returncode == 0
    assert "yes" in done.stdout


def test_box_check(tmp_path: Path) -> None:
    standard = definitions()["revolution"].folder / "box.toml"
    assert "exactly what the printed components show" in run("box", "check", str(standard)).stdout
    mine = tmp_path / "mine.toml"
    mine.write_text(standard.read_text().replace('["tavern", 4, 20]', '["tavern", 5, 20]'))
    done = run("box", "check", str(mine))
    assert done.returncode == 0
    assert "[areas] row 7: spaces 4 → 5" in " ".join(done.stdout.split())
    assert run("sim", "revolution", "--games", "5", "--box", str(mine)).returncode == 0


def test_a_port_that_is_taken_is_refused_in_one_sentence(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        done = run("serve", "--no-browser", "--no-warm", "--port", port, "--data", str(tmp_path))
    assert done.returncode == 2
    assert done.stderr.strip().endswith("choose another with --port.")
    assert len(done.stderr.strip().splitlines()) == 1


BAD = [
    (["sim", "chess"], "There is no game “chess”"),
    (["sim", "revolution", "--players", "9"], "is for 3 or 4 players, not 9"),
    (["sim", "revolution", "--variant", "blitz"], "has no variant 'blitz'"),
    (["sim", "revolution", "-o", "refund"], "An option is written name=value"),
    (["sim", "revolution", "-o", "refund=perhaps"], "Option refund is True or False"),
    (["sim", "revolution", "-o", "hats=1"], "has no option hats"),
    (["sim", "revolution", "-o", "max_rounds=0"], "Option max_rounds is a whole number from 1"),
    (["sim", "revolution", "--seed", "-1"], "seed must be a whole number"),
    (["sim", "revolution", "--box", "/nonexistent.toml"], "cannot be read"),
    (["serve", "--no-browser", "--data", "/dev/null/here"], "cannot be made"),
    (["rules", "revolution", "R99"], "has no rule “R99”"),
    (["verify", "/nonexistent.json"], "cannot be read"),
    (["replay", __file__], "Not a whole match file"),
    (["box", "check", __file__], "not valid TOML"),
    (["parity", "chess"], "There is no game"),
]


@pytest.mark.parametrize(("args", "message"), BAD, ids=[" ".join(args)[:40] for args, _ in BAD])
def test_mistakes_are_one_sentence_and_exit_code_2(args: list[str], message: str) -> None:
    done = run(*args)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_altered_match_file(tmp_path: Path) -> None:
    path = tmp_path / "altered.json"
    path.write_text(Path(MATCH).read_text().replace('"0 done"', '"1 done"', 1))
    done = run("verify", str(path))
    assert done.returncode == 2
    assert "checksum" in done.stderr


def test_the_gpu_is_refused_in_one_sentence_where_there_is_none() -> None:
    done = run("parity", "--gpu")
    if done.returncode == 0:
        return
    assert done.returncode == 2
    assert "GPU" in done.stderr
    assert "Traceback" not in done.stderr
