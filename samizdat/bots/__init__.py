"""Opponents: they know the kernel, never a game by name, and see what a person in their seat would see.

    bot = samizdat.bot("expert", seconds=1.0)
    bot.choose(match.sight(0))

A level is a budget and a method. `random` plays anything; `novice` is greedy with noise; `regular` and `expert`
search, and differ in how long; `reflex` has taught itself the game and answers at once, where the package has weights
for it. Bots from outside (`guests.py`) have names of their own.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from samizdat.bots import guests, thinking
from samizdat.bots.novice import NOISE, Novice
from samizdat.bots.reflex import reader
from samizdat.bots.thinking import SEED_BITS, Mind, SearchResult, all_of_it, check_budget
from samizdat.bots.weights import Weights, WeightsError, read_weights, shipped_files
from samizdat.kernel.arguments import check_seed, clip
from samizdat.kernel.errors import IllegalMove, OptionError
from samizdat.kernel.game import Definition, Game
from samizdat.kernel.lores import Lore
from samizdat.kernel.match import Sight
from samizdat.kernel.moves import Move

LEVELS = ("random", "novice", "regular", "expert")
LEARNT = ("reflex",)  # levels of whoever has taught itself a game; `weights.npz:reflex` with weights from a file

NOVICE_SIMULATIONS = 50
REGULAR_SECONDS = 0.6
REGULAR_SIMULATIONS = 1000  # at most: the machine of whoever plays decides how fast it is, not how good
EXPERT_SECONDS = 3.0
SERIOUS = 4  # a novice overlooks what was tried less than this part of the most tried
RARELY = 0.2  # part of the likeliest mixed decision below which one is not played at all


def ready(game: Game) -> bool:
    """Whether the search of a game is compiled in this process, so that no bot need compile it first."""
    return thinking.ready(game.definition)


def warm(game: Game) -> None:
    """Compile the search of a game, or read it from disk; it takes up to a few minutes the first time."""
    match = game.match(seed=0)
    rng = random.Random(0)
    while not match.over:
        sight = match.sight(match.turn[0])
        moves = sight.legal()
        if len(moves) > 1:
            Mind().think(sight, seed=0, simulations=1)
            return
        match.play(sight.seat, rng.choice(moves))


@dataclass
class Bot:
    """An opponent of one level. The same seed, sights and number of simulations give the same choices."""

    level: str
    seconds: float | None = None
    simulations: int | None = None
    rng: random.Random = field(default_factory=random.Random, repr=False)
    mind: Mind = field(default_factory=Mind, repr=False)
    found: SearchResult | None = field(default=None, repr=False)  # what its last search brought
    weights: Weights | None = field(default=None, repr=False)  # others than those of the package

    def choose(self, sight: Sight, patient: bool = True, share: Callable[[], float] = all_of_it) -> Move:
        """One of the decisions open to the sight's seat.

        Without patience a bot whose search is not compiled yet plays like a novice rather than make anyone wait.
        `share` is the part of its seconds that it may use, asked again and again while it thinks.
        """
        moves = sight.legal()
        if not moves:
            raise IllegalMove(f"Seat {sight.seat} has nothing to decide now.", "turn")
        if len(moves) == 1:
            return moves[0]
        if self.level == "random":
            return self.rng.choice(moves)
        if self.level in LEARNT:
            learnt = reader(sight.game, self.weights)
            if learnt is not None:
                return learnt.choose(sight, self.rng)
        if not patient and not thinking.ready(sight.game.definition, self.mind.lore):
            return Novice(self.rng, self.mind.lore).choose(sight)
        seconds, simulations = self.seconds, self.simulations
        if self.level in LEARNT:  # by the lore, and no stronger than whoever answers as fast
            seconds, simulations = None, NOVICE_SIMULATIONS
        self.found = self.mind.think(sight, self.rng.getrandbits(SEED_BITS), seconds, simulations, share)
        return self._decide(self.found)

    def check(self, game: Game) -> None:
        """OptionError if it cannot play a game; ours play all of them."""

    def _decide(self, found: SearchResult) -> Move:
        if self.level == "novice":
            enough = max(option.visits for option in found.choices) / SERIOUS
            tried = [option for option in found.choices if option.visits >= enough]
            return max(tried, key=lambda option: option.share + self.rng.gauss(0.0, NOISE)).move
        if not found.mixed:
            return found.best.move
        enough = RARELY * found.best.played
        options = [option for option in found.choices if option.played >= enough]
        return self.rng.choices(options, [option.played for option in options])[0].move


class Guest(Bot):
    """A bot from outside, held to the rules."""

    def __init__(self, name: str, agent: guests.Agent) -> None:
        super().__init__(name)
        self.agent = agent

    def check(self, game: Game) -> None:
        if callable(check := getattr(self.agent, "check", None)):
            check(game)

    def choose(self, sight: Sight, patient: bool = True, share: Callable[[], float] = all_of_it) -> Move:
        moves = sight.legal()
        if not moves:
            raise IllegalMove(f"Seat {sight.seat} has nothing to decide now.", "turn")
        return moves[0] if len(moves) == 1 else guests.choose(self.level, self.agent, sight)


def offered(definition: Definition | None = None) -> tuple[str, ...]:
    """The bots that can be asked for by a mere name: our levels, and those that installed packages announce. For a
    game that nobody has learnt yet, without the levels of those who have."""
    learnt = LEARNT if definition is None or shipped_files(definition) else ()
    return (*LEVELS, *learnt, *guests.announced((*LEVELS, *LEARNT)))


def knows(level: str, game: Game) -> bool:
    """Whether a bot plays as its level says. One that has taught itself a game falls back on the lore with a box,
    options or a number of players that it has not learnt."""
    name, weights = _learnt(level)
    return name not in LEARNT or reader(game, weights) is not None


def searches(level: str, game: Game) -> bool:
    """Whether a bot of a level needs the compiled search of a game."""
    return level != "random" and not (level in LEARNT and knows(level, game))


def by_the_lore(level: str, game: Game) -> str | None:
    """What to tell people of a bot that does not play as its level says."""
    if knows(level, game):
        return None
    how = f"{game.definition.title} ({game.variant}, {game.players} players) with this box and these options"
    return f"{level} has not learnt {how}: it plays by the lore, like a novice without the noise."


def _learnt(level: str) -> tuple[str, Weights | None]:
    """A level, and the weights of the file that stands before it, if one does."""
    where, _, name = level.rpartition(":")
    if name not in LEARNT or not where.endswith(".npz"):
        return level, None
    return name, _from_file(Path(where))


@functools.cache
def _from_file(path: Path) -> Weights:
    try:
        return read_weights(path)
    except WeightsError as error:
        raise OptionError(str(error)) from None


def bot(
    level: str, seconds: float | None = None, simulations: int | None = None, seed: int | None = None,
    lore: Lore | None = None,
) -> Bot:  # fmt: skip
    """A bot of a level, or one from outside by its name, with a budget for each decision in seconds or simulations,
    and another lore than its game's if it shall have one; OptionError names what cannot be."""
    seconds, simulations = check_budget(seconds, simulations)
    if seed is not None:
        seed = check_seed(seed)
    if not isinstance(level, str) or (level not in offered() and not guests.is_named(level)):
        raise OptionError(f"There is no level {clip(level)}; there are {', '.join(offered())}.")
    level, weights = _learnt(level)
    if level not in (*LEVELS, *LEARNT):
        if lore is not None:
            raise OptionError(f"The bot {clip(level)} takes no lore: it searches as it likes.")
        return Guest(level, guests.make(level, seconds, simulations, seed))
    if seconds is None and simulations is None:
        seconds, simulations = {
            "random": (None, None),
            "novice": (None, NOVICE_SIMULATIONS),
            "regular": (REGULAR_SECONDS, REGULAR_SIMULATIONS),
            "expert": (EXPERT_SECONDS, None),
            "reflex": (None, None),
        }[level]
    return Bot(level, seconds, simulations, random.Random(seed), Mind(lore=lore), weights=weights)
