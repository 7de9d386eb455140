"""For whoever trains an agent: opponents that are earlier selves, and an evaluation that means something.

pool = Pool()
batch = VectorEnv("revolution", 256, opponents=pool)      # all other seats play as the pool's present member
pool.add(Policy(model, game))                             # a checkpoint, frozen
pool.draw(rng)                                            # another member for the games to come
standings = evaluate(Policy(model, game), Setting("revolution"), "novice", games=200)
"""

from __future__ import annotations

import copy
import random
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from samizdat.bots import Bot, Guest
from samizdat.kernel.errors import OptionError
from samizdat.kernel.game import Game
from samizdat.lab.arena import Arena, Entrant, Setting, read_entrants
from samizdat.lab.policies import Uniform
from samizdat.lab.standings import Scoreboard, Standing

LATEST = 0.5  # how often the newest member is drawn: most of all, an agent must learn to beat itself as it is


class Pool:
    """Opponents to train against: earlier selves and others, one of them at a time for all games.

    Members answer to rows (`actions(observations, masks)`), as policies do. The first is one that plays anything, so
    that there is somebody to begin with.
    """

    def __init__(self, members: Sequence[Any] = (), latest: float = LATEST) -> None:
        self.members: list[Any] = list(members) or [Uniform(0)]
        self.latest = latest
        self.now = self.members[-1]

    def add(self, member: Any) -> None:
        """A checkpoint: copied, so that learning on does not change it."""
        if not callable(getattr(member, "actions", None)):
            raise OptionError("A member of a pool is a policy: it has actions(observations, masks).")
        self.members.append(copy.deepcopy(member))

    def draw(self, rng: random.Random) -> Any:
        """Choose who plays from now on: the newest, or with the rest of the chance any of them."""
        self.now = self.members[-1] if rng.random() < self.latest else rng.choice(self.members)
        return self.now

    def check(self, game: Game) -> None:
        for member in self.members:
            if callable(check := getattr(member, "check", None)):
                check(game)

    def actions(self, observations: Any, masks: Any) -> npt.NDArray[np.int64]:
        found: npt.NDArray[np.int64] = self.now.actions(observations, masks)
        return found


@dataclass(frozen=True)
class Trained(Entrant):
    """An agent of this process in an arena: known by its name, seeded anew for every game if it can be."""

    agent: Any = field(default=None, compare=False)

    @property
    def searches(self) -> bool:
        return False

    def bot(self, seed: int) -> Bot:
        seeded = getattr(self.agent, "seeded", None)
        return Guest(self.level, seeded(seed) if callable(seeded) else self.agent)


def evaluate(
    agent: Any, setting: Setting | str, opponents: str = "random", games: int = 200, seed: int = 0, workers: int = 1,
    name: str = "agent",
) -> list[Standing]:  # fmt: skip
    """An arena for an agent (a policy, anything with `choose(sight)`, or a bot's name) against others as the arena
    writes them: every deal in all rotations; shares with their intervals, the best first."""
    if isinstance(setting, str):
        setting = Setting(setting)
    own = read_entrants(agent)[0] if isinstance(agent, str) else Trained(name, agent=agent)
    board = Scoreboard(Arena(setting, [own, *read_entrants(opponents)], seed))
    with closing(board.arena.play(games, workers)) as playing:
        for result in playing:
            board.add(result)
    return board.standings()
