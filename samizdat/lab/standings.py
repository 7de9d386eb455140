"""What an arena found: shares of wins with their uncertainty, ratings, times, and whether the question is settled.

**Intervals** are Wilson's, which behave near 0 and 100 %. Rotations of one deal are played with the same cards, so a
deal is one cluster: the number of games in the formula is divided by the design effect, which is how much larger the
variance between deals is than that of as many independent games. It is never taken to be below 1: a lucky handful of
deals must not look more certain than independent games would.

**Stopping early.** Looking at an interval after every game and stopping when it excludes the fair share would stop
far too often by chance. So the question is settled by betting instead (Waudby-Smith and Ramdas, "Estimating means of
bounded random variables by betting", 2024). For each bot a gambler bets, deal by deal and knowing only earlier deals,
that its share is above the fair one; another that it is below. If the share were fair the bets would be fair, and
by Ville's inequality no gambler's capital would *ever* grow to 1/a with more than probability a. With `ALPHA` divided
among bots and directions, all false conclusions together stay below 5 %, however often one looks. Two more gamblers
bet against "at least 1.2 times the fair share" and "at most 0.8 times": if both succeed, the bot is as good as fair.
The arena stops when every bot is above, below, or as good as fair. The deals count in their own order, up to the
first that is not finished, so that short games have no head start. After an early stop the interval shown is the
range of shares that no gambler could reject: wider, but true in spite of the stop.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from samizdat.lab.arena import Arena, Entrant, Result
from samizdat.lab.report import share_interval

ALPHA = 0.05
EVEN = 0.2  # part of the fair share within which a bot is as good as fair
GRID = 1001  # shares that are tried for an interval after an early stop
BOLD = 0.75  # of its capital a gambler risks at most so much

Floats = npt.NDArray[np.float64]


# --- Intervals ----------------------------------------------------------------


def clustered_interval(deals: Sequence[Sequence[float]]) -> tuple[float, float]:
    """The 95 % interval of a share from the shares of each game, deal by deal."""
    games = sum(len(deal) for deal in deals)
    if not games:
        return 0.0, 1.0
    mean = sum(map(sum, deals)) / games
    independent = max(1, round(games / design_effect(deals)))
    return share_interval(mean * independent, independent)


def design_effect(deals: Sequence[Sequence[float]]) -> float:
    """How many games of these deals tell as much as one independent game; at least 1."""
    games = sum(len(deal) for deal in deals)
    if len(deals) == 1:
        return float(games)
    mean = sum(map(sum, deals)) / games
    independent = mean * (1 - mean) / (games - 1)
    means = np.array([np.mean(deal) for deal in deals])
    between = float(means.var(ddof=1)) / len(deals)
    return max(1.0, between / independent) if independent > 0 else 1.0


# --- Settling -----------------------------------------------------------------


def best_capital(values: Floats, shares: Floats, above: bool) -> Floats:
    """The most that a gambler ever had, in logarithms, for each share against which he bets (values are 0 to 1)."""
    seen = np.arange(1, len(values) + 1)
    total = np.concatenate([[0.0], np.cumsum(values)[:-1]])
    squares = np.concatenate([[0.0], np.cumsum(values**2)[:-1]])
    mean = ((0.5 + total) / seen)[:, None]  # of the deals before, with half a win in one game for a start
    spread = np.maximum((0.5 + squares) / seen - mean[:, 0] ** 2, 1e-4)[:, None]
    edge = mean - shares if above else shares - mean
    limit = BOLD / np.maximum(shares if above else 1 - shares, 1e-9)
    stake = np.clip(edge / (spread + edge**2), 0.0, limit)
    gains = (values[:, None] - shares) * (1.0 if above else -1.0)
    capital: Floats = np.cumsum(np.log1p(stake * gains), axis=0).max(axis=0)
    return capital


def settled(values: Sequence[float], fair: float, alpha: float = ALPHA) -> str | None:
    """`above`, `below` or `even` where a bot's deals leave no doubt; None while they do."""
    if not len(values):
        return None
    line = math.log(2 / alpha)
    array = np.asarray(values, np.float64)
    up = best_capital(array, np.array([fair, (1 - EVEN) * fair]), above=True)
    down = best_capital(array, np.array([fair, (1 + EVEN) * fair]), above=False)
    if up[0] >= line or down[0] >= line:
        return "above" if up[0] > down[0] else "below"
    return "even" if up[1] >= line and down[1] >= line else None


def anytime_interval(values: Sequence[float], alpha: float = ALPHA) -> tuple[float, float]:
    """The shares that no gambler could reject, whenever one looks."""
    array, grid = np.asarray(values, np.float64), np.linspace(0.0, 1.0, GRID)
    line = math.log(2 / alpha)
    kept = grid[(best_capital(array, grid, above=True) < line) & (best_capital(array, grid, above=False) < line)]
    return (float(kept[0]), float(kept[-1])) if len(kept) else (float(array.mean()), float(array.mean()))


# --- Standings ----------------------------------------------------------------


@dataclass(frozen=True)
class Standing:
    """One bot over all games it played in."""

    entrant: Entrant
    games: int
    share: float
    low: float
    high: float
    verdict: str | None
    median: float | None  # seconds a decision; None if it never had a choice
    slowest: float | None  # 99 of 100 decisions were quicker
    rating: tuple[float, float] | None = None  # OpenSkill: how good, how uncertain


@dataclass
class Scoreboard:
    """The results of an arena so far, deal by deal."""

    arena: Arena
    results: list[Result] = field(default_factory=list)
    _open: dict[int, list[Result]] = field(default_factory=dict)
    _next: int = 0  # the first deal that is not finished
    _series: dict[Entrant, list[float]] = field(default_factory=dict)
    _deals: dict[Entrant, list[list[float]]] = field(default_factory=dict)
    stopped: bool = False

    @property
    def fair(self) -> float:
        return 1 / self.arena.setting.game().fair_seats

    @property
    def finished_deals(self) -> int:
        return self._next

    @property
    def complete(self) -> list[Result]:
        """The games of finished deals, in the order of the deals."""
        found = [result for result in self.results if result.fixture.deal < self._next]
        return sorted(
            found, key=lambda result: (result.fixture.deal, result.fixture.line_up, result.fixture.rotation)
        )

    def add(self, result: Result) -> bool:
        """Take in a game; True if a deal was finished by it."""
        self.results.append(result)
        self._open.setdefault(result.fixture.deal, []).append(result)
        before = self._next
        while len(self._open.get(self._next, ())) == self.arena.games_per_deal:
            for entrant, shares in shares_of(self._open.pop(self._next)).items():
                self._deals.setdefault(entrant, []).append(shares)
                self._series.setdefault(entrant, []).append(sum(shares) / len(shares))
            self._next += 1
        return self._next > before

    def series(self, entrant: Entrant) -> list[float]:
        """The bot's share of the wins of each finished deal."""
        return self._series.get(entrant, [])

    def verdict(self, entrant: Entrant) -> str | None:
        return settled(self.series(entrant), self.fair, ALPHA / len(self.arena.entrants))

    @property
    def is_settled(self) -> bool:
        """Whether there is a question, and nothing left to ask."""
        alone = len(self.arena.entrants) == 1 and self.arena.setting.game().players > 1
        return not alone and all(self.verdict(entrant) for entrant in self.arena.entrants)

    @property
    def lost_by_all(self) -> int:
        return sum(1 not in result.ranks for result in self.complete)

    def standings(self) -> list[Standing]:
        """Every bot, the best first; only finished deals count."""
        complete = self.complete
        rated = ratings(complete) if complete and self.arena.setting.game().players > 1 else {}
        found = [self._standing(entrant, complete, rated.get(entrant)) for entrant in self.arena.entrants]
        return sorted(found, key=lambda standing: -standing.share)

    def _standing(self, entrant: Entrant, complete: list[Result], rating: tuple[float, float] | None) -> Standing:
        deals, series = self._deals.get(entrant, []), self.series(entrant)
        alpha = ALPHA / len(self.arena.entrants)
        times = [second for result in complete for second in _times(result, entrant)]
        return Standing(
            entrant,
            sum(map(len, deals)),
            float(np.mean(series)) if series else 0.0,
            *(anytime_interval(series, alpha) if self.stopped else clustered_interval(deals)),
            self.verdict(entrant),
            float(np.median(times)) if times else None,
            float(np.quantile(times, 0.99)) if times else None,
            rating,
        )


def shares_of(results: Sequence[Result]) -> dict[Entrant, list[float]]:
    """Each bot's share in each game it played in; several copies in one game count with their mean."""
    found: dict[Entrant, list[float]] = {}
    for result in results:
        for entrant in dict.fromkeys(result.fixture.seats):
            own = [
                share for share, other in zip(result.shares, result.fixture.seats, strict=True) if other == entrant
            ]
            found.setdefault(entrant, []).append(sum(own) / len(own))
    return found


def _times(result: Result, entrant: Entrant) -> list[float]:
    return [
        second
        for times, other in zip(result.times, result.fixture.seats, strict=True)
        if other == entrant
        for second in times
    ]


def ratings(results: Sequence[Result]) -> dict[Entrant, tuple[float, float]]:
    """OpenSkill's Plackett-Luce rating (mu, sigma) after these games, in this order; a bot that sits at several
    seats of one game moves by the mean of what happens to it there."""
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    known: dict[Entrant, Any] = {}
    for result in results:
        seats = result.fixture.seats
        for entrant in seats:
            known.setdefault(entrant, model.rating())
        teams = [[model.create_rating([known[entrant].mu, known[entrant].sigma])] for entrant in seats]
        rated = model.rate(teams, ranks=[float(rank) for rank in result.ranks])
        for entrant in dict.fromkeys(seats):
            own = [team[0] for team, other in zip(rated, seats, strict=True) if other == entrant]
            known[entrant].mu = float(np.mean([one.mu for one in own]))
            known[entrant].sigma = float(np.mean([one.sigma for one in own]))
    return {entrant: (rating.mu, rating.sigma) for entrant, rating in known.items()}
