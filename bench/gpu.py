"""Random games per second on one GPU, and whether its results equal the CPU's, byte for byte.

    python -m bench.gpu [GAME[:VARIANT] ...] [--games N] [--pgx]
    python -m bench.gpu --sweep [GAME[:VARIANT] ...]

Prints one JSON line a game; --pgx adds Connect Four on our kernel and on pgx, on the same card. --sweep looks for the
launch that does best. Games compile side by side and are measured one after the other. What was last measured on a
machine with a card is kept in bench/gpu.json, and `make bench` folds it into its results.
"""

from __future__ import annotations

import argparse
import fcntl
import json
import multiprocessing
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from samizdat.kernel.game import Game, definition, definitions
from samizdat.kernel.gpu import Gpu, Launch
from samizdat.lab.simulation import Simulation

PARITY_GAMES = 20_000
LOCK = Path(tempfile.gettempdir()) / "samizdat-gpu-bench.lock"


def rate(gpu: Gpu, games: int, seed: int = 7) -> tuple[float, float]:
    """Decisions and games per second, the best of three runs after a first one."""
    batch = gpu.batch(games)
    gpu.simulate(batch, seed)
    best, games_per_s = 0.0, 0.0
    for _ in range(3):
        started = time.perf_counter()
        gpu.simulate(batch, seed)
        took = time.perf_counter() - started
        decisions = int(batch.lengths.copy_to_host().sum())
        best, games_per_s = max(best, decisions / took), max(games_per_s, games / took)
    return best, games_per_s


@contextmanager
def alone() -> Iterator[None]:
    """Several of these may compile side by side; they measure one after the other."""
    with LOCK.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def chosen(name: str) -> Game:
    game, _, variant = name.partition(":")
    if game == "connect-four":
        from bench.games.outside import CONNECT_FOUR

        return CONNECT_FOUR.choose()
    return definition(game).choose(variant=variant or None)


def launches(game: Game) -> list[Launch]:
    """The launch that the engine chooses, and some with one thing changed."""
    usual = Launch.of(game)
    others = [
        replace(usual, threads=max(1, usual.threads // 2)),
        replace(usual, registers=64 if usual.registers > 64 else 96),
        replace(usual, registers=128 if usual.registers < 128 else 168),
        replace(usual, stay=not usual.stay),
        replace(usual, together=1 if usual.together == 2 else 2 * usual.together),
        replace(usual, together=2 * usual.together, stay=usual.stay),
    ]
    return list(dict.fromkeys([usual, *others]))


def sweep(name: str, games: int, launch: Launch) -> None:
    """One launch; compiles beside others, measures alone."""
    gpu = Gpu(chosen(name), launch)
    gpu.results(1000, 7)
    with alone():
        best, _ = rate(gpu, games)
    print(json.dumps({"game": name, **asdict(launch), "decisions_per_s": round(best)}), flush=True)


def measure(name: str, games: int, seed: int = 7) -> None:
    """Speed, and the bytes of the CPU's games."""
    game = chosen(name)
    started = time.perf_counter()
    gpu = Gpu(game)
    gpu.results(1000, seed)
    compiled = time.perf_counter() - started
    simulation = Simulation(game, seed)
    simulation.play(1)
    with alone():
        best, games_per_s = rate(gpu, games, seed)
        started = time.perf_counter()
        expected = simulation.play(PARITY_GAMES)
        one_core = int(expected.lengths.sum()) / (time.perf_counter() - started)
    states, scores, lengths = gpu.results(PARITY_GAMES, seed)
    equal = (
        states.tobytes() == expected.states.tobytes()
        and scores.tobytes() == expected.scores.tobytes()
        and bool(np.array_equal(lengths, expected.lengths))
    )
    row = {
        "game": game.name, "variant": game.variant, "players": game.players, "games": games, **asdict(gpu.launch),
        "decisions_per_s": round(best), "games_per_s": round(games_per_s),
        "cpu_core_decisions_per_s": round(one_core), "record_bytes": game.definition.state.dtype.itemsize,
        "first_launch_s": round(compiled, 1), "equal_to_cpu": equal, "parity_games": PARITY_GAMES,
    }  # fmt: skip
    print(json.dumps(row), flush=True)


def side_by_side(jobs: list[tuple[Callable[..., None], tuple[Any, ...]]]) -> None:
    """Each in a process of its own."""
    started = [multiprocessing.get_context("spawn").Process(target=job, args=args) for job, args in jobs]
    for process in started:
        process.start()
    for process in started:
        process.join()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games_to_measure", nargs="*")
    parser.add_argument("--games", type=int, default=1 << 22)
    parser.add_argument("--sweep", action="store_true")
    parser.add_argument("--pgx", action="store_true")
    given = parser.parse_args()
    every = [f"{name}:{variant}" for name, found in definitions().items() for variant in found.variants]
    names = given.games_to_measure or every
    if given.sweep:
        side_by_side([(sweep, (name, given.games, launch)) for name in names for launch in launches(chosen(name))])
        return
    side_by_side([(measure, (name, given.games)) for name in names])
    if given.pgx:
        measure("connect-four", 1 << 24)
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
