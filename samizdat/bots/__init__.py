"""Opponents: they know the kernel, never a game by name, and see what a person in their seat would see.

    bot = samizdat.bot("expert", seconds=1.0)
    bot.choose(match.sight(0))

A level is a budget and a method. `random` plays anything; `novice` is greedy with noise; `regular` and `expert`
search, for about 0.6 and 3 seconds unless told otherwise.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from samizdat.bots.novice import Novice
from samizdat.kernel.errors import IllegalMove, OptionError
from samizdat.kernel.match import Sight
from samizdat.kernel.moves import Move

LEVELS = ("random", "novice", "regular", "expert")


@dataclass
class Bot:
    """An opponent of one level. The same seed, sights and number of simulations give the same choices."""

    level: str
    seconds: float | None = None
    simulations: int | None = None
    rng: random.Random = field(default_factory=random.Random, repr=False)

    def choose(self, sight: Sight, patient: bool = True) -> Move:
        """One of the decisions open to the sight's seat."""
        moves = sight.legal()
        if not moves:
            raise IllegalMove(f"Seat {sight.seat} has nothing to decide now.", "turn")
        if self.level == "random":
            return self.rng.choice(moves)
        return Novice(self.rng).choose(sight)


def bot(level: str, seconds: float | None = None, simulations: int | None = None, seed: int | None = None) -> Bot:
    """A bot of a level, with a budget for each decision in seconds or in simulations; OptionError names a bad one."""
    if level not in LEVELS:
        raise OptionError(f"There is no level {level!r}; there are {', '.join(LEVELS)}.")
    return Bot(level, seconds, simulations, random.Random(seed))
