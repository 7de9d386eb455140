"""How sure a number is.

**Intervals** hold together: a figure of k rows divides the 5 % among them, so that in 95 of 100 such figures every
row's interval holds the truth. Shares of wins have Wilson's interval, means Student's.

**Before and after.** Both arms play the same deals with the same luck, so each deal gives one difference. Whoever
looks again and again and stops when something shows would find too much by chance; these intervals hold whenever
one looks. For what lies between 0 and 1 (a win, a way to end) they come from betting, as in the arena
(`standings.py`). For what has no bounds (points, rounds) they are the asymptotic confidence sequences of Waudby-
Smith, Arbour, Sinha, Kennedy and Ramdas ("Time-uniform central limit theory", 2021), from `LEAST` deals on. A line
is settled when its interval leaves out 0 (it moved), or lies within what would be a small effect (it did not): a
tenth for shares, a fifth of the standard deviation for numbers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from samizdat.lab.report import share_interval
from samizdat.lab.standings import anytime_interval

ALPHA = 0.05
LEAST = 30  # deals before a number without bounds is judged
ENOUGH = 20  # matches before a row is judged at all
SMALL_SHARE, SMALL_EFFECT = 0.1, 0.2
TUNED = 200  # deals at which a lasting interval is tightest


@dataclass(frozen=True)
class Estimate:
    """A number, between which two it is with the agreed certainty, and of how many matches it was made."""

    value: float
    low: float
    high: float
    matches: int

    def beyond(self, mark: float) -> bool:
        """Whether a mark lies outside: the difference from it is more than chance."""
        return self.matches >= ENOUGH and not self.low <= mark <= self.high

    @property
    def half(self) -> float:
        return (self.high - self.low) / 2


def quantile(alpha: float) -> float:
    """So many standard deviations on either side leave out alpha."""
    return NormalDist().inv_cdf(1 - alpha / 2)


def student(alpha: float, degrees: int) -> float:
    """The same for few values (Cornish and Fisher's expansion; exact enough from some five values on)."""
    z = quantile(alpha)
    return z + (z**3 + z) / (4 * degrees) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * degrees**2)


def share(values: Sequence[float], rows: int = 1) -> Estimate:
    """A share of something between 0 and 1, one of so many rows of a figure."""
    n = len(values)
    total = math.fsum(values)
    low, high = share_interval(total, n, quantile(ALPHA / rows))
    return Estimate(total / n if n else 0.0, low, high, n)


def mean(values: Sequence[float], rows: int = 1) -> Estimate:
    """A mean of anything."""
    n = len(values)
    if n < 2:
        return Estimate(float(values[0]) if n else 0.0, -math.inf, math.inf, n)
    middle = math.fsum(values) / n
    error = float(np.std(values, ddof=1)) / math.sqrt(n)
    half = student(ALPHA / rows, n - 1) * error
    return Estimate(middle, middle - half, middle + half, n)


def lasting_share(differences: Sequence[float], alpha: float) -> Estimate:
    """The mean of differences between -1 and 1, whenever one looks."""
    if not differences:
        return Estimate(0.0, -1.0, 1.0, 0)
    low, high = anytime_interval([(1 + one) / 2 for one in differences], alpha)
    middle = math.fsum(differences) / len(differences)
    return Estimate(middle, min(middle, 2 * low - 1), max(middle, 2 * high - 1), len(differences))


def lasting_mean(differences: Sequence[float], alpha: float) -> Estimate:
    """The mean of differences without bounds, whenever one looks."""
    n = len(differences)
    if n < LEAST:
        return Estimate(math.fsum(differences) / n if n else 0.0, -math.inf, math.inf, n)
    middle = math.fsum(differences) / n
    tuned = (-2 * math.log(alpha) + math.log(-2 * math.log(alpha)) + 1) / TUNED
    spread = float(np.std(differences, ddof=1))
    half = spread * math.sqrt(2 * (n * tuned + 1) / (n * n * tuned) * math.log(math.sqrt(n * tuned + 1) / alpha))
    return Estimate(middle, middle - half, middle + half, n)


def settled(change: Estimate, small: float) -> str | None:
    """`up`, `down` or `same` where the deals leave no doubt; None while they do."""
    if change.matches < LEAST:
        return None
    if change.low > 0 or change.high < 0:
        return "up" if change.low > 0 else "down"
    return "same" if -small <= change.low and change.high <= small else None
