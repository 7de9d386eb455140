"""The same agent in PyTorch: masked PPO with a value network, then a bot as a file of `torch.export`.

    pip install torch
    python examples/agents/ppo.py dual-powers dual-powers.pt2 --minutes 5
    samizdat arena dual-powers --bots dual-powers.pt2,novice

With `--self-play` the other seats are earlier selves (`samizdat.lab.pools.Pool`) instead of random ones.
"""

from __future__ import annotations

import argparse
import random
import time
from typing import Any

import numpy as np
import torch
from torch import nn

import samizdat
from samizdat.lab import policies_torch
from samizdat.lab.gymnasium import VectorEnv
from samizdat.lab.observations import size
from samizdat.lab.pools import Pool

STEPS = 64  # of each game between two rounds of learning
PART = 2048  # decisions that one update learns from
DISCOUNT, TRACE, CLIP, CURIOUS = 0.997, 0.95, 0.2, 0.01
CHECKPOINT = 20  # rounds between two that join the pool


def network(inputs: int, outputs: int, hidden: int = 128) -> nn.Module:
    return nn.Sequential(nn.Linear(inputs, hidden), nn.ReLU(), nn.Linear(hidden, outputs))


def masked(logits: Any, masks: Any) -> Any:
    return torch.distributions.Categorical(logits=logits.masked_fill(~masks.bool(), -1e9))


def advantages(rewards: Any, over: Any, values: Any) -> Any:
    """Generalised advantage estimation; the last row of `values` is that of what comes after."""
    found, trace = torch.zeros_like(rewards), torch.zeros(rewards.shape[1])
    for step in reversed(range(len(rewards))):
        goes_on = 1.0 - over[step]
        surprise = rewards[step] + DISCOUNT * values[step + 1] * goes_on - values[step]
        trace = surprise + DISCOUNT * TRACE * goes_on * trace
        found[step] = trace
    return found


def train(
    name: str, minutes: float, rounds: int | None = None, games: int = 128, seed: int = 0, selfish: bool = False
) -> tuple[Any, nn.Module, float]:
    """Train for so long, or for so many rounds; the game, the policy, and the mean reward of the last 1,000 games."""
    torch.manual_seed(seed)
    game, rng = samizdat.game(name), random.Random(seed)
    pool = Pool()
    against: Any = pool if selfish else "random"
    batches = [VectorEnv(game, games // game.players, seat, against) for seat in range(game.players)]
    policy, critic = network(size(game), game.capacity), network(size(game), 1)
    learner = torch.optim.Adam([*policy.parameters(), *critic.parameters()], lr=1e-3)
    seen = [batch.reset(seed=seed + 1_000_000 * seat)[0] for seat, batch in enumerate(batches)]
    ended: list[float] = []
    began, done = time.perf_counter(), 0
    while done < rounds if rounds is not None else time.perf_counter() - began < 60 * minutes:
        kept: dict[str, list[Any]] = {key: [] for key in ("rows", "masks", "actions", "logs", "rewards", "over")}
        for _ in range(STEPS):
            rows = torch.from_numpy(np.concatenate([one["observation"] for one in seen]))
            masks = torch.from_numpy(np.concatenate([one["action_mask"] for one in seen]))
            with torch.no_grad():
                chances = masked(policy(rows), masks)
                actions = chances.sample()
                logs = chances.log_prob(actions)
            parts = np.split(actions.numpy(), np.cumsum([batch.num_envs for batch in batches])[:-1])
            stepped = [batch.step(part) for batch, part in zip(batches, parts, strict=True)]
            seen = [one[0] for one in stepped]
            rewards, over = (np.concatenate([one[i] for one in stepped]) for i in (1, 2))
            ended += rewards[over].tolist()
            given = (rows, masks, actions, logs, torch.tensor(rewards).float(), torch.tensor(over).float())
            for key, value in zip(kept, given, strict=True):
                kept[key].append(value)
        flat = {key: torch.stack(value) for key, value in kept.items()}
        with torch.no_grad():
            after = torch.from_numpy(np.concatenate([one["observation"] for one in seen]))
            values = critic(torch.cat([flat["rows"], after[None]])).squeeze(-1)
        better = advantages(flat["rewards"], flat["over"], values)
        targets = (better + values[:-1]).flatten()
        worth = ((better - better.mean()) / (better.std() + 1e-6)).flatten()
        rows, masks, actions, logs = (flat[key].flatten(0, 1) for key in ("rows", "masks", "actions", "logs"))
        for _ in range(3):
            for part in torch.randperm(len(rows)).split(PART):
                chances = masked(policy(rows[part]), masks[part])
                ratio = torch.exp(chances.log_prob(actions[part]) - logs[part])
                least = torch.min(ratio * worth[part], ratio.clamp(1 - CLIP, 1 + CLIP) * worth[part])
                missed = (critic(rows[part]).squeeze(-1) - targets[part]).square()
                loss = -least.mean() + 0.5 * missed.mean() - CURIOUS * chances.entropy().mean()
                learner.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_([*policy.parameters(), *critic.parameters()], 0.5)
                learner.step()
        done += 1
        if selfish and done % CHECKPOINT == 0:
            pool.add(policies_torch.policy(policy, game, "sampled", seed=done))
        if selfish:
            pool.draw(rng)
    return game, policy, float(np.mean(ended[-1000:])) if ended else 0.0


def main() -> None:
    parser = argparse.ArgumentParser(description="Train a policy in PyTorch and write it as a .pt2 file.")
    parser.add_argument("game", help="dual-powers, revolution, …")
    parser.add_argument("file", help="where the policy goes: policy.pt2")
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--rounds", type=int, help="so many rounds instead")
    parser.add_argument("--self-play", action="store_true", help="against earlier selves instead of random seats")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    game, policy, usual = train(given.game, given.minutes, given.rounds, seed=given.seed, selfish=given.self_play)
    policies_torch.write(given.file, game, policy)
    share = usual + 1 / game.fair_seats
    print(f"The last 1,000 games of training: {share:.1%} of the wins; fair: {1 / game.fair_seats:.1%}.")


if __name__ == "__main__":
    main()
