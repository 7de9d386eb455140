"""One row in a process of its own, so that no rival's threads, memory or imports touch another's."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import asdict, dataclass
from fractions import Fraction
from pathlib import Path

from bench.rivals.facts import disagreements
from bench.rivals.measured import Counts, Measured, best, median_games_per_s
from bench.rivals.rows import ROWS, Row

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Result:
    """A row's runs and counts, or the reason why there are none."""

    row: Row
    runs: list[Measured]
    counts: Counts
    failure: str

    @property
    def best(self) -> Measured:
        return best(self.runs)

    @property
    def median_games_per_s(self) -> float:
        return median_games_per_s(self.runs)

    @property
    def objections(self) -> list[str]:
        """Why the row does not count; empty when it does."""
        if self.failure:
            return [self.failure]
        game, counts = self.row.game, self.counts
        return [objection for run in self.runs for objection in disagreements(game, run, counts)]


def result(name: str, seconds: float = 2.0, repetitions: int = 3, seed: int = 1) -> Result:
    """Measure one row of `ROWS`, pinned to one core unless the row is about all of them."""
    command = [sys.executable, "-m", "bench.rivals", "--row", name]
    command += ["--seconds", str(seconds), "--repetitions", str(repetitions), "--seed", str(seed)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        lines = done.stderr.strip().splitlines()
        return Result(ROWS[name], [], {}, lines[-1] if lines else f"ended with status {done.returncode}")
    # Rivals may print on import; ours is the last line.
    return loaded(name, done.stdout.strip().splitlines()[-1])


def dumped(runs: list[Measured], counts: Counts) -> str:
    fractions = {what: str(count) for what, count in counts.items()}
    return json.dumps({"runs": [asdict(run) for run in runs], "counts": fractions})


def loaded(name: str, text: str) -> Result:
    data = json.loads(text)
    counts = {what: Fraction(count) for what, count in data["counts"].items()}
    return Result(ROWS[name], [Measured(**run) for run in data["runs"]], counts, "")
