"""Random games per second on one GPU, and whether its results equal the CPU's, byte for byte.

    python bench/gpu.py [GAME ...] [--games N]

Prints one JSON line a game; `make bench` folds the last run kept in bench/gpu.json into its results.
"""

from __future__ import annotations

import argparse
import json
import time

import numpy as np

from samizdat.kernel.game import definition, definitions
from samizdat.kernel.gpu import Gpu
from samizdat.lab.simulation import Simulation

PARITY_GAMES = 20_000


def measure(name: str, games: int, seed: int = 7) -> dict[str, object]:
    game = definition(name).choose()
    started = time.perf_counter()
    gpu = Gpu(game)
    arrays = gpu.arrays(games)
    gpu.simulate(arrays, seed)
    compiled = time.perf_counter() - started
    best = 0.0
    for _ in range(3):
        started = time.perf_counter()
        gpu.simulate(arrays, seed)
        took = time.perf_counter() - started
        decisions = int(arrays[2].copy_to_host().sum())
        best = max(best, decisions / took)
    states, scores, lengths = gpu.results(PARITY_GAMES, seed)
    simulation = Simulation(game, seed)
    simulation.play(1)
    started = time.perf_counter()
    expected = simulation.play(PARITY_GAMES)
    one_core = int(expected.lengths.sum()) / (time.perf_counter() - started)
    equal = (
        states.tobytes() == expected.states.tobytes()
        and scores.tobytes() == expected.scores.tobytes()
        and bool(np.array_equal(lengths, expected.lengths))
    )
    return {
        "game": name, "games": games, "decisions_per_s": round(best), "cpu_core_decisions_per_s": round(one_core),
        "record_bytes": game.definition.state.dtype.itemsize, "first_launch_s": round(compiled, 1),
        "equal_to_cpu": equal, "parity_games": PARITY_GAMES,
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games_to_measure", nargs="*", default=list(definitions()))
    parser.add_argument("--games", type=int, default=1 << 22)
    given = parser.parse_args()
    for name in given.games_to_measure:
        print(json.dumps(measure(name, given.games)), flush=True)


if __name__ == "__main__":
    main()
