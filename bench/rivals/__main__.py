"""Measure the rivals: `python -m bench.rivals`, or some of them: `python -m bench.rivals --only leduc`."""

from __future__ import annotations

import argparse
import os

from bench.rivals import isolated
from bench.rivals.rows import ROWS


def measure_here(name: str, seconds: float, repetitions: int, seed: int) -> str:
    """Measure in this process. The pinning comes first: libraries count the cores when they are imported."""
    row = ROWS[name]
    if row.cores is not None:
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-row.cores :])
    runs = [row.measure(seconds, seed + repetition) for repetition in range(repetitions)]
    return isolated.dumped(runs, row.count())


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.rivals", description=__doc__)
    parser.add_argument("--only", default="", help="rows whose name contains this")
    parser.add_argument("--seconds", type=float, default=2.0, help="how long each repetition plays, at least")
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--row", choices=sorted(ROWS), help="measure this row here and print it as JSON")
    options = parser.parse_args()
    if options.row:
        print(measure_here(options.row, options.seconds, options.repetitions, options.seed))
        return
    print(f"{'row':30} {'games/s best':>14} {'median':>12} {'decisions/s':>14} {'mean length':>18}  agrees")
    for name in ROWS:
        if options.only not in name:
            continue
        found = isolated.result(name, options.seconds, options.repetitions, options.seed)
        if found.failure:
            print(f"{name:30} not measured: {found.failure}")
            continue
        run = found.best
        length = f"{run.mean_length:.4f} ± {run.length_error:.4f}"
        verdict = "yes" if not found.objections else "NO: " + "; ".join(found.objections)
        print(
            f"{name:30} {run.games_per_s:14,.0f} {found.median_games_per_s:12,.0f}"
            f" {run.decisions_per_s:14,.0f} {length:>18}  {verdict} ({run.note})",
            flush=True,
        )


if __name__ == "__main__":
    main()
