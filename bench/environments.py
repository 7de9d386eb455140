"""Steps per second of single environments, beside PettingZoo's own Connect Four in the same run.

python -m bench.environments [seconds of the processor for each row]

A step of the agent-environment cycle is `last` (observation, mask, reward, info) and `step`, one decision of whoever
is asked; of the parallel environment `step`, one action of every agent; of a Gymnasium environment `step`, one
decision of the agent and those of its random opponents up to its next. All through the wrappers that users get. Rates
count the processor's time inside these calls and `reset`, not that of choosing a random open action. Rows take turns,
so that whatever else the machine does falls on all alike. The results go into bench/results.json.
"""

from __future__ import annotations

import json
import sys
import time
import warnings
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from samizdat.kernel.game import Game, definitions
from samizdat.lab.gymnasium import env as seat_env
from samizdat.lab.pettingzoo import env, parallel_env

RESULTS = Path(__file__).parent / "results.json"
TURNS = 5
BATCH = 500  # steps between two looks at the clock

clock = time.process_time


def opens(rng: Random, mask: Any) -> int:
    actions = mask.nonzero()[0]
    return int(actions[int(rng.random() * len(actions))])


class Cycle:
    """An agent-environment cycle, ours or PettingZoo's."""

    def __init__(self, made: Any) -> None:
        self.made, self.rng = made, Random(1)
        made.reset(seed=1)

    def play(self, steps: int) -> float:
        inside, made = 0.0, self.made
        for _ in range(steps):
            before = clock()
            seen, _, ended, cut, _ = made.last()
            inside += clock() - before
            if ended or cut:
                before = clock()
                made.reset()
                seen = made.last()[0]
                inside += clock() - before
            action = opens(self.rng, seen["action_mask"])
            before = clock()
            made.step(action)
            inside += clock() - before
        return inside


class Together:
    """A parallel environment."""

    def __init__(self, game: Game) -> None:
        self.made, self.rng = parallel_env(game), Random(1)
        self.seen, _ = self.made.reset(seed=1)

    def play(self, steps: int) -> float:
        inside = 0.0
        for _ in range(steps):
            actions = {agent: opens(self.rng, one["action_mask"]) for agent, one in self.seen.items()}
            before = clock()
            self.seen, *_ = self.made.step(actions)
            if not self.made.agents:
                self.seen, _ = self.made.reset()
            inside += clock() - before
        return inside


class Seat:
    """One seat of a game."""

    def __init__(self, game: Game) -> None:
        self.made, self.rng = seat_env(game), Random(1)
        self.seen, _ = self.made.reset(seed=1)

    def play(self, steps: int) -> float:
        inside = 0.0
        for _ in range(steps):
            action = opens(self.rng, self.seen["action_mask"])
            before = clock()
            self.seen, _, over, _, _ = self.made.step(action)
            if over:
                self.seen, _ = self.made.reset()
            inside += clock() - before
        return inside


def connect_four() -> Cycle | None:
    """PettingZoo's; None where it is not installed (requirements/bench.txt)."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of pygame about its own packaging
        try:
            import pettingzoo

            return Cycle(pettingzoo.make("aec", "classic/connect_four-v3"))
        except ImportError:
            return None


def empty_call() -> float:
    """What looking at the clock twice takes: it is no part of a step."""
    inside = 0.0
    for _ in range(10_000):
        before = clock()
        inside += clock() - before
    return inside / 10_000


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 2.0
    rows: dict[str, Any] = {}
    if theirs := connect_four():
        rows["pettingzoo connect_four"] = theirs
    for name, found in definitions().items():
        game = found.choose()
        rows |= {f"{name} cycle": Cycle(env(game)), f"{name} parallel": Together(game), f"{name} seat": Seat(game)}
    best: dict[str, list[float]] = {name: [] for name in rows}
    for one in rows.values():
        one.play(BATCH)
    for _ in range(TURNS):
        for name, one in rows.items():
            inside, steps = 0.0, 0
            while inside < seconds / TURNS:
                inside += one.play(BATCH)
                steps += BATCH
            best[name].append(steps / inside)
    found_rates = {name: round(float(np.median(rates))) for name, rates in best.items()}
    said = {
        "seconds": seconds,
        "two_looks_at_the_clock_us": round(1e6 * empty_call(), 2),
        "steps_per_second": found_rates,
    }
    print(json.dumps(said, indent=1))
    results = json.loads(RESULTS.read_text(encoding="utf-8"))
    results["environments"] = said
    RESULTS.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
