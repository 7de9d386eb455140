"""The arena: bots against bots, every seat rotated, all on the same deals.

    arena = Arena(Setting("some-game", players=4), read_entrants("regular,novice"), seed=0)
    results = list(arena.play(games=400, workers=3))

A line-up is one bot for each seat. Fewer bots than seats: the last one takes the seats that are left, so that
`regular,novice` is one regular among novices. More bots than seats: every choice of so many of them is a line-up.
Each deal is played once for every line-up and every rotation of it, with the same seed, so that nobody owes a win to
a better seat or a better hand. The same seed and budgets in simulations give the same games, on any number of
processes or machines.
"""

from __future__ import annotations

import functools
import hashlib
import itertools
import math
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any

from samizdat.bots import LEARNT, LEVELS, Bot, bot, guests, offered
from samizdat.kernel.arguments import SIM_SEED_BITS, check_seed, clip
from samizdat.kernel.box import BoxFile
from samizdat.kernel.errors import OptionError
from samizdat.kernel.game import Game, definition
from samizdat.kernel.match import Match
from samizdat.kernel.scoring import shares_of_win
from samizdat.lab.crews import Crew, in_order

SEED_BITS = 62


@dataclass(frozen=True)
class Setting:
    """A game with everything chosen, in words that another process or machine understands."""

    name: str
    players: int | None = None
    variant: str | None = None
    options: tuple[tuple[str, Any], ...] = ()
    box: str | BoxFile | None = None  # by its name or path, or with what stands in it

    @classmethod
    def of(cls, game: Game) -> Setting:
        """A game that was chosen already. A box of somebody's own goes along as a text, to where its file is not."""
        box = None if game.printed is None else BoxFile(game.box.text.path, game.printed)
        return cls(game.name, game.players, game.variant, tuple(game.options.items()), box)

    def __reduce__(self) -> tuple[Any, ...]:
        """One of a kind in every process: thousands of results come back with it, and a box is long."""
        return _setting, (self.name, self.players, self.variant, self.options, self.box)

    def game(self) -> Game:
        return _game(self)


@functools.cache
def _setting(
    name: str, players: int | None, variant: str | None, options: tuple[tuple[str, Any], ...],
    box: str | BoxFile | None,
) -> Setting:  # fmt: skip
    return Setting(name, players, variant, options, box)


@functools.cache
def _game(setting: Setting) -> Game:
    found, box = definition(setting.name), setting.box
    printed = found.box_from(box) if isinstance(box, BoxFile) else box
    return found.choose_from(dict(setting.options), setting.players, setting.variant, printed)


@dataclass(frozen=True)
class Entrant:
    """A bot as it is written: `expert`, `expert:simulations=200`, `my_package:MyBot`, `my.py:Agent:seconds=0.1`,
    `policy.onnx`."""

    level: str
    seconds: float | None = None
    simulations: int | None = None

    def __str__(self) -> str:
        budget = [f":{name}={value:g}" for name in ("seconds", "simulations") if (value := getattr(self, name))]
        return self.level + "".join(budget)

    @property
    def searches(self) -> bool:
        """Whether it needs the compiled search of its game."""
        return self.level in LEVELS and self.level != "random"

    def takes(self, budget: str) -> bool:
        if self.level.rpartition(":")[2] in LEARNT:
            return False
        return self.level in LEVELS or guests.takes_budget(self.level, budget)

    def bot(self, seed: int) -> Bot:
        return bot(self.level, self.seconds, self.simulations, seed)


def read_entrants(text: str, seconds: float | None = None, simulations: int | None = None) -> list[Entrant]:
    """Bots by name, between commas; the budgets given are for those who search and name none of their own."""
    found = []
    for one in text.split(","):
        entrant = _read_entrant(one.strip())
        if entrant.level != "random" and entrant.seconds is None and entrant.simulations is None:
            entrant = replace(
                entrant,
                seconds=seconds if entrant.takes("seconds") else None,
                simulations=simulations if entrant.takes("simulations") else None,
            )
        entrant.bot(0)  # a level or a budget that cannot be is refused here
        found.append(entrant)
    return found


def _read_entrant(text: str) -> Entrant:
    level, *parts = text.split(":")
    if parts and "=" not in parts[0]:
        level = f"{level}:{parts.pop(0)}"
    elif level not in offered() and not guests.is_named(level):
        known = ", ".join(offered())
        raise OptionError(
            f"There is no bot {clip(level)}; there are {known}, package:Class, file.py:Class and policy.onnx."
        )
    kinds: dict[str, Callable[[str], float]] = {"seconds": float, "simulations": int}
    given: dict[str, Any] = {}
    for part in parts:
        key, _, value = part.partition("=")
        if key not in kinds:
            raise OptionError(f"A bot's budget is seconds=NUMBER or simulations=NUMBER, not {clip(part)}.")
        try:
            given[key] = kinds[key](value)
            if not math.isfinite(given[key]):
                raise ValueError
        except (ValueError, OverflowError):
            raise OptionError(f"A bot's {key} are a number, not {clip(value)}.") from None
    return Entrant(level, **given)


def line_ups(entrants: Sequence[Entrant], players: int) -> list[tuple[Entrant, ...]]:
    """One bot for each seat, in every way that the module's first page describes."""
    if len(entrants) <= players:
        return [(*entrants, *[entrants[-1]] * (players - len(entrants)))]
    return list(dict.fromkeys(itertools.combinations(entrants, players)))


@dataclass(frozen=True)
class Fixture:
    """One game to be played: which deal, and who sits where."""

    setting: Setting
    seed: int  # of the arena
    deal: int
    line_up: int
    rotation: int
    seats: tuple[Entrant, ...]

    @property
    def match_seed(self) -> int:
        return self.seed + (self.deal << 64)


@dataclass(frozen=True)
class Result:
    """One game that was played; everything by seat."""

    fixture: Fixture
    points: tuple[int, ...]
    ranks: tuple[int, ...]
    reason: str
    decisions: tuple[int, ...]
    times: tuple[tuple[float, ...], ...]  # seconds of each decision where there was a choice

    @property
    def shares(self) -> tuple[float, ...]:
        """Of the win: a victory shared by k counts 1/k for each; a common defeat is nobody's."""
        return tuple(shares_of_win(self.ranks))


def play(fixture: Fixture) -> Result:
    """Play one game to its end; runs in any process."""
    game = fixture.setting.game()
    match = Match(game, fixture.match_seed)
    bots = [entrant.bot(bot_seed(fixture, seat)) for seat, entrant in enumerate(fixture.seats)]
    decisions = [0] * game.players
    times: list[list[float]] = [[] for _ in bots]
    while not match.over:
        seat = match.turn[0]
        moves = match.legal(seat)
        if len(moves) > 1:
            sight = match.sight(seat)
            before = perf_counter()
            match.play(seat, bots[seat].choose(sight))
            times[seat].append(perf_counter() - before)
        else:
            match.play(seat, moves[0])
        decisions[seat] += 1
    by_seat = tuple(tuple(one) for one in times)
    return Result(fixture, tuple(match.scores), tuple(match.ranks), str(match.reason), tuple(decisions), by_seat)


def bot_seed(fixture: Fixture, seat: int) -> int:
    """What the bot on a seat draws from: another for every game and seat, and always the same."""
    text = f"{fixture.seed} {fixture.deal} {fixture.line_up} {fixture.rotation} {seat}"
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest()) >> (64 - SEED_BITS)


def fixtures_of_deal(
    setting: Setting, lines: Sequence[tuple[Entrant, ...]], seed: int, deal: int
) -> Iterator[Fixture]:  # fmt: skip
    """Every line-up of a deal in every rotation."""
    for number, line in enumerate(lines):
        for rotation in range(len(line)):
            yield Fixture(setting, seed, deal, number, rotation, line[rotation:] + line[:rotation])


class Arena:
    """All games of one question."""

    def __init__(self, setting: Setting, entrants: Sequence[Entrant], seed: int = 0) -> None:
        self.setting = setting
        self.seed = check_seed(seed, SIM_SEED_BITS)
        self.given = list(entrants)
        self.entrants = list(dict.fromkeys(entrants))
        self.line_ups = line_ups(entrants, setting.game().players)
        for entrant in self.entrants:  # better refused before the games than in the middle of them
            entrant.bot(0).check(setting.game())

    @property
    def games_per_deal(self) -> int:
        return len(self.line_ups) * self.setting.game().players

    def deals(self, games: int) -> int:
        """So many deals make at least so many games."""
        return math.ceil(games / self.games_per_deal)

    def fixtures(self, games: int) -> Iterator[Fixture]:
        """Deal by deal; the last deal is played in full as well."""
        for deal in range(self.deals(games)):
            yield from fixtures_of_deal(self.setting, self.line_ups, self.seed, deal)

    def play(self, games: int, workers: int | Crew = 1) -> Generator[Result, None, None]:
        """The games, in the order of their fixtures; close the iterator to play no more of them."""
        return in_order(play, self.fixtures(games), workers)

    @property
    def searches(self) -> bool:
        """Whether any bot here needs compiled code."""
        return any(entrant.searches for entrant in self.entrants)
