"""Steps per second of the vectorised environments, beside PettingZoo's and pgx's Connect Four in the same run.

python -m bench.vector [seconds for each row] [games at once]

A step of ours is one decision of the agent, all decisions of the other seats up to its next one, and its
observation and mask; compiled, on one core. A step of PettingZoo's is one decision of either player in its
agent-environment cycle, with the observation and mask; one of pgx's is one decision of either player in each game of
the batch, with observation, mask and auto-reset, on all cores JAX takes. Rates count the time inside `step` only;
`with_choice` also counts NumPy choosing a random open action for each game. The results go into bench/results.json.
"""

from __future__ import annotations

import importlib.util
import json
import sys
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from bench.games.outside import CONNECT_FOUR as FOUR
from samizdat.kernel.game import Game, definitions
from samizdat.lab.gymnasium import VectorEnv

RESULTS = Path(__file__).parent / "results.json"


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


def pgx_connect_four(seconds: float, games: int) -> float | None:
    """Decisions per second of pgx's Connect Four, a batch at a time; None if it is not installed."""
    if importlib.util.find_spec("pgx") is None:
        return None
    import jax
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make("connect_four")
    step = jax.jit(jax.vmap(auto_reset(env.step, env.init)))
    key = jax.random.PRNGKey(1)
    state = jax.jit(jax.vmap(env.init))(jax.random.split(key, games))
    rng = np.random.default_rng(1)
    noise = rng.random(state.legal_action_mask.shape, np.float32)
    inside, steps, started = 0.0, 0, 0.0
    for number in range(1 << 30):
        if number == 20:
            inside, steps, started = 0.0, 0, time.perf_counter()
        if number > 20 and time.perf_counter() - started > seconds:
            break
        actions = (np.asarray(state.legal_action_mask) * np.roll(noise, number, axis=0)).argmax(1)
        keys = jax.random.split(jax.random.fold_in(key, number), games)
        keys.block_until_ready()
        before = time.perf_counter()
        state = step(state, actions, keys)
        state.observation.block_until_ready()
        inside += time.perf_counter() - before
        steps += games
    return steps / inside


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 3.0
    games = int(sys.argv[2]) if len(sys.argv) > 2 else 4096
    rivals = {"pettingzoo": connect_four(seconds), "pgx": pgx_connect_four(seconds, games)}
    asked: list[Game] = [FOUR.choose()]
    asked += [found.choose(variant=variant) for found in definitions().values() for variant in found.variants]
    rows = []
    for game in asked:
        row = measure(game, seconds, games)
        for name, rate in rivals.items():
            if rate is not None:
                row[f"times_{name}_connect_four"] = round(row["steps_per_second"] / rate, 1)
        rows.append(row)
    found = {f"{name}_connect_four": rate and round(rate) for name, rate in rivals.items()} | {"rows": rows}
    print(json.dumps(found, indent=1))
    results = json.loads(RESULTS.read_text(encoding="utf-8"))
    results["vector"] = found
    RESULTS.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
