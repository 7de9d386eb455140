"""An agent of one's own, in NumPy alone: a masked policy gradient against random seats, then a bot as an ONNX file.

    python examples/agents/gradient.py dual-powers dual-powers.onnx --minutes 5
    samizdat arena dual-powers --bots dual-powers.onnx,random
    samizdat arena dual-powers --bots dual-powers.onnx,novice

A network of one hidden layer gives a logit for every move; closed moves are masked. All games of a batch are stepped
at once (`VectorEnv`), one batch for each seat. The reward at the end of a game counts for all decisions of it, less
what games bring on the average, and Adam follows the gradient. `ppo.py` beside it does the same with PyTorch.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np

import samizdat
from samizdat.lab.gymnasium import VectorEnv
from samizdat.lab.observations import size
from samizdat.lab.policies import write_onnx

STEPS = 64  # of each game between two rounds of learning
PART = 2048  # decisions that one update learns from


class Network:
    """One hidden layer, with Adam's memory of past gradients."""

    def __init__(self, inputs: int, hidden: int, outputs: int, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.parts: list[Any] = [
            rng.normal(0, inputs**-0.5, (inputs, hidden)).astype(np.float32),
            np.zeros(hidden, np.float32),
            rng.normal(0, 0.01, (hidden, outputs)).astype(np.float32),
            np.zeros(outputs, np.float32),
        ]
        self.means = [np.zeros_like(part) for part in self.parts]
        self.squares = [np.zeros_like(part) for part in self.parts]
        self.updates = 0

    def hidden(self, rows: Any) -> Any:
        return np.maximum(rows @ self.parts[0] + self.parts[1], 0)

    def chances(self, rows: Any, masks: Any) -> tuple[Any, Any]:
        """Of every move in every row; closed ones have none. And the hidden layer, for the way back."""
        hidden = self.hidden(rows)
        logits = np.where(masks, hidden @ self.parts[2] + self.parts[3], -np.inf)
        chances = np.exp(logits - logits.max(1, keepdims=True))
        return chances / chances.sum(1, keepdims=True), hidden

    def learn(self, rows: Any, masks: Any, actions: Any, worth: Any, rate: float, curious: float) -> None:
        """Make what was worth more more likely; `curious` keeps it from being sure too soon (entropy)."""
        chances, hidden = self.chances(rows, masks)
        wanted = chances * worth[:, None]
        wanted[np.arange(len(rows)), actions] -= worth
        logs = np.log(np.maximum(chances, 1e-9))
        wanted += curious * chances * (logs - (chances * logs).sum(1, keepdims=True))
        wanted /= len(rows)
        back = (wanted @ self.parts[2].T) * (hidden > 0)
        slopes = [rows.T @ back, back.sum(0), hidden.T @ wanted, wanted.sum(0)]
        self.updates += 1
        for part, mean, square, slope in zip(self.parts, self.means, self.squares, slopes, strict=True):
            mean[...] = 0.9 * mean + 0.1 * slope
            square[...] = 0.999 * square + 0.001 * slope**2
            fair = np.sqrt(square / (1 - 0.999**self.updates)) + 1e-8
            part[...] -= rate * mean / (1 - 0.9**self.updates) / fair

    @property
    def layers(self) -> list[tuple[Any, Any]]:
        return [(self.parts[0], self.parts[1]), (self.parts[2], self.parts[3])]


def train(
    name: str, minutes: float, rounds: int | None = None, games: int = 128, hidden: int = 128, seed: int = 0,
    opponents: Any = "random", rate: float = 1e-3, curious: float = 0.01,
) -> tuple[Any, Network, float]:  # fmt: skip
    """Train for so long, or for so many rounds; the game, the network, the mean reward of the last 1,000 games."""
    game = samizdat.game(name)
    batches = [VectorEnv(game, games // game.players, seat, opponents, copy=True) for seat in range(game.players)]
    network = Network(size(game), hidden, game.capacity, seed)
    rng = np.random.default_rng(seed)
    seen = [batch.reset(seed=seed + 1_000_000 * seat)[0] for seat, batch in enumerate(batches)]
    open_games: list[list[list[Any]]] = [[[] for _ in range(batch.num_envs)] for batch in batches]
    ended: list[float] = []
    began, done = time.perf_counter(), 0
    while done < rounds if rounds is not None else time.perf_counter() - began < 60 * minutes:
        finished: list[tuple[list[Any], float]] = []
        for _ in range(STEPS):
            for which, batch in enumerate(batches):
                rows, masks = seen[which]["observation"], seen[which]["action_mask"]
                chances, _ = network.chances(rows, masks)
                actions = (chances.cumsum(1) > rng.random((len(rows), 1)) * chances.sum(1, keepdims=True)).argmax(1)
                seen[which], rewards, over, _, _ = batch.step(actions)
                for i in range(batch.num_envs):
                    open_games[which][i].append((rows[i], masks[i], actions[i]))
                    if over[i]:
                        finished.append((open_games[which][i], float(rewards[i])))
                        open_games[which][i] = []
        done += 1
        ended += [reward for _, reward in finished]
        if not finished:
            continue
        usual, spread = float(np.mean(ended[-1000:])), float(np.std(ended[-1000:])) + 1e-6
        decided = [(*step, (reward - usual) / spread) for decisions, reward in finished for step in decisions]
        rows, masks, actions, worth = (np.array(column) for column in zip(*decided, strict=True))
        for part in np.array_split(rng.permutation(len(rows)), -(-len(rows) // PART)):
            network.learn(rows[part], masks[part], actions[part], worth[part].astype(np.float32), rate, curious)
    return game, network, float(np.mean(ended[-1000:])) if ended else 0.0


def main() -> None:
    parser = argparse.ArgumentParser(description="Train a policy in NumPy and write it as an ONNX file.")
    parser.add_argument("game", help="dual-powers, revolution, …")
    parser.add_argument("file", help="where the policy goes: policy.onnx")
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--rounds", type=int, help="so many updates instead")
    parser.add_argument("--opponents", default="random", help="random, or another policy's file")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    game, network, usual = train(
        given.game, given.minutes, given.rounds, opponents=given.opponents, seed=given.seed
    )  # fmt: skip
    write_onnx(given.file, game, network.layers)
    share = usual + 1 / game.fair_seats
    print(
        f"{network.updates} updates; the last 1,000 games: {share:.1%} of the wins; fair: {1 / game.fair_seats:.1%}."
    )


if __name__ == "__main__":
    main()
