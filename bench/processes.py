"""Seconds of processor, of a process and all that it started."""

from __future__ import annotations

import os
from pathlib import Path

TICK = os.sysconf("SC_CLK_TCK")


def processor(process: int) -> float:
    """What a process has used, with those that it started: those that it saw ending, and those that still run."""
    folder = Path(f"/proc/{process}")
    try:
        fields = (folder / "stat").read_text().rpartition(")")[2].split()
        children = [int(one) for task in (folder / "task").iterdir() for one in _words(task / "children")]
    except OSError:  # it has just ended
        return 0.0
    return sum(map(int, fields[11:15])) / TICK + sum(processor(child) for child in children)


def _words(path: Path) -> list[str]:
    return path.read_text().split()
