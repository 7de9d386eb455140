"""Random games per second on one GPU, and whether its results equal the CPU's, byte for byte.

    python -m bench.gpu [GAME[:VARIANT] ...] [--games N] [--registers N] [--pgx]
    python -m bench.gpu --sweep [GAME ...]

Prints one JSON line a game; --pgx adds Connect Four on our kernel and on pgx, on the same card. --sweep looks for the
number of registers a thread that does best. What was last measured on a machine with a
card is kept in bench/gpu.json, and `make bench` folds it into its results.
"""

from __future__ import annotations

import argparse
import fcntl
import json
import multiprocessing
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from samizdat.kernel.game import Game, definition, definitions
from samizdat.kernel.gpu import REGISTERS, Gpu
from samizdat.lab.simulation import Simulation

PARITY_GAMES = 20_000
LOCK = Path(tempfile.gettempdir()) / "samizdat-gpu-bench.lock"


def rate(gpu: Gpu, games: int, seed: int = 7) -> tuple[float, float]:
    """Decisions and games per second, the best of three runs after a first one."""
    arrays = gpu.arrays(games)
    gpu.simulate(arrays, seed)
    best, games_per_s = 0.0, 0.0
    for _ in range(3):
        started = time.perf_counter()
        gpu.simulate(arrays, seed)
        took = time.perf_counter() - started
        decisions = int(arrays[2].copy_to_host().sum())
        best, games_per_s = max(best, decisions / took), max(games_per_s, games / took)
    return best, games_per_s


@contextmanager
def alone() -> Iterator[None]:
    """Several of these may compile side by side; they measure one after the other."""
    with LOCK.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def sweep(name: str, games: int, registers: int) -> None:
    """One number of registers; compiles beside others, measures alone."""
    gpu = Gpu(chosen(name), registers)
    gpu.results(1000, 7)
    with alone():
        best, _ = rate(gpu, games)
    print(json.dumps({"game": name, "registers": registers, "decisions_per_s": round(best)}), flush=True)


def chosen(name: str) -> Game:
    game, _, variant = name.partition(":")
    return definition(game).choose(variant=variant or None)


def measure(game: Game, games: int, registers: int, seed: int = 7) -> dict[str, object]:
    started = time.perf_counter()
    gpu = Gpu(game, registers)
    gpu.simulate(gpu.arrays(1000), seed)
    compiled = time.perf_counter() - started
    with alone():
        best, games_per_s = rate(gpu, games, seed)
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
        "game": game.name, "variant": game.variant, "players": game.players, "games": games, "registers": registers,
        "decisions_per_s": round(best),
        "games_per_s": round(games_per_s), "cpu_core_decisions_per_s": round(one_core),
        "record_bytes": game.definition.state.dtype.itemsize, "first_launch_s": round(compiled, 1),
        "equal_to_cpu": equal, "parity_games": PARITY_GAMES,
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games_to_measure", nargs="*", default=list(definitions()))
    parser.add_argument("--games", type=int, default=1 << 22)
    parser.add_argument("--registers", type=int, default=REGISTERS)
    parser.add_argument("--sweep", action="store_true")
    parser.add_argument("--pgx", action="store_true")
    given = parser.parse_args()
    if given.sweep:
        jobs = [
            multiprocessing.get_context("spawn").Process(target=sweep, args=(name, given.games, registers))
            for name in given.games_to_measure
            for registers in (64, 96, 128, 255)
        ]
        for job in jobs:
            job.start()
        for job in jobs:
            job.join()
        return
    for name in given.games_to_measure:
        print(json.dumps(measure(chosen(name), given.games, given.registers)), flush=True)
    if given.pgx:
        from bench.games.outside import CONNECT_FOUR as GAME

        print(json.dumps(measure(GAME.choose(), 1 << 24, given.registers)), flush=True)
        print(json.dumps(measure_pgx()), flush=True)


def measure_pgx(seconds: float = 3.0) -> dict[str, object]:
    """Random Connect Four games per second of pgx on the card: steady play, the best of several batch sizes."""
    os.environ["JAX_PLATFORMS"] = "cuda"
    from bench.rivals.pgx_cpu import steady_run

    rates = {}
    for batch in (1 << 14, 1 << 17, 1 << 20):
        played, spent = steady_run("connect_four", batch, seconds, 1)
        rates[batch] = played / spent
    best = max(rates, key=lambda batch: rates[batch])
    return {"game": "connect_four", "rival": "pgx", "batch": best, "games_per_s": round(rates[best])}


if __name__ == "__main__":
    main()
