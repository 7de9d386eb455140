"""Steps per second of the vectorised environments, beside PettingZoo's Connect Four in the same run.

python -m bench.vector [seconds for each row] [games at once]

A step of ours is one decision of the agent, all decisions of the other seats up to its next one, and its
observation and mask; compiled, on one core. A step of PettingZoo's is one decision of either player in its
agent-environment cycle, with the observation and mask. Rates count the time inside `step` only; `with_choice`
also counts NumPy choosing a random open action for each game.
"""

from __future__ import annotations

import importlib.util
import json
import sys
import time
import warnings
from typing import Any

import numpy as np

from samizdat.kernel.game import Game, definitions
from samizdat.lab.gymnasium import VectorEnv


def measure(game: Game, seconds: float, games: int) -> dict[str, Any]:
    """Random play through `VectorEnv.step` for about so long, after a warm-up into the middle of games."""
    batch = VectorEnv(game, games)
    rng = np.random.default_rng(1)
    seen, _ = batch.reset(seed=1)
    noise = rng.random(seen["action_mask"].shape, np.float32)
    inside, steps, ended, started = 0.0, 0, 0, 0.0
    for number in range(1 << 30):
        if number == 20:
            inside, steps, ended, started = 0.0, 0, 0, time.perf_counter()
        if number > 20 and time.perf_counter() - started > seconds:
            break
        # The same noise, turned: fresh random numbers for every mask would take longer than the games.
        actions = (seen["action_mask"] * np.roll(noise, number, axis=0)).argmax(1)
        before = time.perf_counter()
        seen, _, terminated, _, _ = batch.step(actions)
        inside += time.perf_counter() - before
        steps += games
        ended += int(terminated.sum())
    return {
        "game": game.name, "variant": game.variant, "players": game.players, "games_at_once": games,
        "numbers": seen["observation"].shape[1], "actions": game.capacity, "games_ended": ended,
        "steps_per_second": round(steps / inside), "with_choice": round(steps / (time.perf_counter() - started)),
    }  # fmt: skip


def connect_four(seconds: float) -> float | None:
    """Decisions per second of PettingZoo's Connect Four; None if it is not installed."""
    if importlib.util.find_spec("pettingzoo") is None or importlib.util.find_spec("pygame") is None:
        return None
    from bench.rivals.pettingzoo_aec import random_games

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of pygame about its own packaging
        found = random_games("classic/connect_four-v3", seconds, 1)
    return found.decisions_per_s


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 3.0
    games = int(sys.argv[2]) if len(sys.argv) > 2 else 4096
    rival = connect_four(seconds)
    rows = []
    for found in definitions().values():
        for variant in found.variants:
            row = measure(found.choose(variant=variant), seconds, games)
            if rival is not None:
                row["times_pettingzoo_connect_four"] = round(row["steps_per_second"] / rival, 1)
            rows.append(row)
    print(json.dumps({"pettingzoo_connect_four": rival and round(rival), "rows": rows}, indent=1))


if __name__ == "__main__":
    main()
