"""PyTorch: thousands of games of one kind as tensors that the engine itself writes into.

    games = Games("revolution", 4096, players=3)
    now = games.reset(seed=0)
    while learning:
        logits = network(now.observations).masked_fill(now.masks == 0, -torch.inf)
        now = games.step(torch.distributions.Categorical(logits=logits).sample())

Every seat is asked in its turn, or one seat (`seat=2`) while the others play at random: then all numbers are those of
`samizdat.lab.gymnasium.VectorEnv`, to the bit. Observations and masks are explained in docs/observations.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from samizdat.kernel.arguments import clip, whole
from samizdat.kernel.errors import OptionError, SamizdatError
from samizdat.kernel.game import Game
from samizdat.kernel.luck import fresh_seed
from samizdat.lab import vector
from samizdat.lab.faces import SEEDS, check_env_seed, chosen

try:
    import torch
except ImportError as error:
    raise SamizdatError("samizdat.lab.torch needs PyTorch: pip install torch.") from error


class Now(NamedTuple):
    """Where all games stand, a row each. These are views of the engine's own memory: always the same tensors, written
    anew by the next step. Clone what must last."""

    observations: Any  # float32: what the seat sees that is asked
    masks: Any  # int8: 1 for every action that is open to it
    seats: Any  # int64: which seat it is
    rewards: Any  # float64, by game and seat: its share of the win less a fair share, where a game has just ended
    ended: Any  # bool: a game has just ended, and the next one was dealt
    illegal: Any  # bool: because the last action was not open
    finals: Any  # float32: where a game has just ended, its last position as the seat sees it that was asked before


class Games:
    """Many games of one kind, stepped in compiled code."""

    def __init__(
        self,
        game: Game | str,
        number: int = 1,
        seat: int | None = None,
        *,
        choices: bool = False,
        device: str = "cpu",
        **options: Any,
    ) -> None:
        """So many games; with `choices`, decisions that leave none are played without asking (if every seat is
        asked). The engine that these tensors belong to is the processor's."""
        if device != "cpu":
            raise OptionError(f"These games are played on the processor: device is cpu, not {clip(device)}.")
        self.game = chosen(game, options)
        many = whole(number)
        if many is None or many < 1:
            raise OptionError(f"The number of games is a whole number from 1 on, not {clip(number)}.")
        agent = vector.EVERY_SEAT if seat is None else whole(seat)
        if agent is None or (seat is not None and not 0 <= agent < self.game.players):
            raise OptionError(f"A seat is a number from 0 to {self.game.players - 1}, not {clip(seat)}.")
        self.number, self.seat, self.choices = many, agent, choices
        self.arrays = vector.arrays(self.game, self.number)
        self.arrays.seeds[:] = -1
        a = self.arrays
        views = (a.observations, a.masks, a.seats, a.rewards, a.terminated, a.illegal, a.finals)
        self.now = Now(*map(torch.from_numpy, views))

    def reset(self, seed: int | Sequence[int] | None = None) -> Now:
        """Begin anew: game i with seed `seed + i`, or with the i-th of a list; without, the next deals."""
        a = self.arrays
        if seed is None and a.seeds[0] < 0:
            seed = fresh_seed() % (SEEDS - self.number)
        if seed is not None:
            single = whole(seed)
            seeds = list(seed) if single is None else [single + i for i in range(self.number)]  # type: ignore[arg-type]
            if len(seeds) != self.number:
                raise OptionError(f"There are {self.number} games, but {len(seeds)} seeds.")
            a.seeds[:] = [check_env_seed(one) for one in seeds]
            a.episodes[:] = -1
        return self._advance(np.zeros(self.number, np.int64), anew=True)

    def step(self, actions: Any) -> Now:
        """One action for each game, as a tensor of whole numbers; where a game ends, the next one is dealt."""
        if self.arrays.seeds[0] < 0:
            raise OptionError("Call reset before the first step.")
        if tuple(actions.shape) != (self.number,):
            raise OptionError(f"There are {self.number} games, but actions have shape {tuple(actions.shape)}.")
        return self._advance(np.asarray(actions.detach().cpu().numpy(), np.int64), anew=False)

    def _advance(self, actions: Any, anew: bool) -> Now:
        vector.step(self.game, self.arrays, actions, anew, self.seat, self.choices)
        return self.now

    def save(self) -> dict[str, Any]:
        """All games as they stand, as tensors of their own: for `restore`, or for `torch.save`."""
        return {name: torch.from_numpy(array) for name, array in vector.kept(self.arrays).items()}

    def restore(self, saved: Mapping[str, Any]) -> Now:
        """Go on from what `save` gave, in as many games of the same kind."""
        try:
            vector.go_on(self.arrays, {name: saved[name].numpy() for name in vector.GOING_ON})
        except (KeyError, ValueError, AttributeError):
            raise OptionError("These are not saved games of this kind and number.") from None
        self.arrays.rewards[:] = 0
        self.arrays.terminated[:] = False
        self.arrays.illegal[:] = False
        return self.now
