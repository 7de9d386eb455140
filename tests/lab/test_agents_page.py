"""docs/agents.md from its first line to its last, shortened."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from samizdat.cli import app
from samizdat.lab.policies import read

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "agents.md"


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE.read_text(), re.S)


def shortened(command: str) -> list[str]:
    """Two games, or two to play again, in this process."""
    words = shlex.split(re.sub(r"--games \d+", "--games 2", command))
    return [*words[1:], "--workers", "1"]


def test_the_page_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(ROOT))
    known: dict[str, Any] = {}
    snippets = blocks("python")
    assert len(snippets) == 5
    for snippet in snippets:
        if snippet.startswith("# my.py"):
            (tmp_path / "my.py").write_text(snippet)
        short = snippet.replace("minutes=5", "minutes=0, rounds=1").replace("games=100", "games=2")
        exec(short.replace("range(100)", "range(3)"), known)  # our own page
    read(tmp_path / "dual-powers.onnx").check(known["game"])
    commands = [line for block in blocks("sh") for line in block.splitlines() if line.startswith("samizdat ")]
    assert len(commands) == 4
    for command in commands:
        monkeypatch.setattr(sys, "argv", shlex.split(command))
        done = CliRunner().invoke(app, shortened(command))
        assert done.exit_code == 0, (command, done.output, done.exception)
    assert "same byte for byte" in done.output


def test_the_example_writes_a_bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As the page calls it, with fewer rounds; the same seed writes the same file."""
    import examples.agents.gradient as example

    for name in ("a.onnx", "b.onnx"):
        monkeypatch.setattr(sys, "argv", ["gradient.py", "revolution", str(tmp_path / name), "--rounds", "1"])
        example.main()
    assert (tmp_path / "a.onnx").read_bytes() == (tmp_path / "b.onnx").read_bytes()
    read(tmp_path / "a.onnx", "sampled", 1)


def test_the_example_learns() -> None:
    """A toy of one decision, where one of five moves pays: what the gradient is for."""
    import numpy as np

    from examples.agents.gradient import Network

    network, rng = Network(3, 16, 5, seed=1), np.random.default_rng(1)
    masks = np.ones((64, 5), np.int8)
    masks[:, 4] = 0
    for _ in range(150):
        rows = rng.random((64, 3), np.float32)
        chances, _ = network.chances(rows, masks)
        actions = (chances.cumsum(1) > rng.random((64, 1))).argmax(1)
        worth = np.where(actions == (rows[:, 0] > 0.5), 1.0, -1.0).astype(np.float32)
        network.learn(rows, masks, actions, worth, 0.01, 0.001)
    rows = rng.random((400, 3), np.float32)
    chances, _ = network.chances(rows, np.tile(masks[0], (400, 1)))
    assert (chances.argmax(1) == (rows[:, 0] > 0.5)).mean() > 0.9
    assert not chances[:, 4].any()
