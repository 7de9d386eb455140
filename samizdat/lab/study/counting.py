"""Numbers of many matches of one arm: wins by seat, points, lengths, ends, the lead, and what choices are worth.

**What a choice is worth.** In each match the seats that chose a thing most often (all that share the first place,
unless everybody does) are looked at: how much of the win they had, against what these seats have of it anyway. The
mean of that difference is how far choosing it goes together with winning. It need not be the cause: who is ahead
can afford more.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from samizdat.kernel.game import Game
from samizdat.kernel.studies import Tally
from samizdat.lab.study.comparing import lead_changes
from samizdat.lab.study.doubt import Estimate, mean, share
from samizdat.lab.study.playing import Noted

RECONSTRUCTED = "reconstructed"
MOST_STEPS = 20  # of a distribution
QUARTERS = ((0.25, "after a quarter"), (0.5, "after half"), (0.75, "after three quarters"), (1.0, "before the end"))

Speak = Callable[[Any], str]


def wins_by_seat(matches: Sequence[Noted], figures: int = 1) -> list[Estimate]:
    """So sure that so many such figures hold together."""
    seats = len(matches[0].points)
    return [share([one.shares[seat] for one in matches], figures * seats) for seat in range(seats)]


def wins_by_order(matches: Sequence[Noted], figures: int = 1) -> list[Estimate] | None:
    """First, second and so on to begin; None where that is the order of the seats."""
    seats = len(matches[0].points)
    if seats < 2 or all(one.order == list(range(seats)) for one in matches):
        return None
    return [share([one.shares[one.order[place]] for one in matches], figures * seats) for place in range(seats)]


def ends(matches: Sequence[Noted]) -> dict[str, Estimate]:
    """How often each reason ended a match, the most frequent first."""
    counted = Counter(one.reason for one in matches)
    order = sorted(counted, key=lambda reason: (-counted[reason], reason))
    return {reason: share([float(one.reason == reason) for one in matches], len(order)) for reason in order}


# --- Distributions ------------------------------------------------------------


@dataclass(frozen=True)
class Spread:
    """How often what: equal steps from the first on; the last may hold what lies beyond."""

    first: int
    step: int
    counts: tuple[int, ...]
    middle: Estimate

    @property
    def labels(self) -> list[str]:
        starts = [self.first + number * self.step for number in range(len(self.counts))]
        return [str(start) if self.step == 1 else f"{start} to {start + self.step - 1}" for start in starts]


def round_step(low: float, high: float) -> int:
    """A round width, so that not too many steps fill the whole."""
    for power in range(10):
        for size in (1, 2, 5):
            step: int = size * 10**power
            if high // step - low // step < MOST_STEPS:
                return step
    raise ValueError("numbers beyond any scale")


def spread(values: Sequence[float], axis: Sequence[float] = (), rows: int = 1) -> Spread:
    """The distribution of a number, on the axis of others if it shall be compared with them."""
    over = axis or values
    low, high = math.floor(min(over)), math.floor(max(over))
    step = round_step(low, high)
    first = low // step * step
    counts = [0] * (high // step - first // step + 1)
    for value in values:
        counts[math.floor(value) // step - first // step] += 1
    return Spread(first, step, tuple(counts), mean(values, rows))


# --- The lead -----------------------------------------------------------------


@dataclass(frozen=True)
class Lead:
    """Whether who is ahead wins, after some part of a match, and how often somebody is alone ahead by then."""

    after: str
    wins: Estimate
    alone: float


def leads(matches: Sequence[Noted]) -> list[Lead]:
    """After a quarter, half, three quarters of the rounds, and before the last."""
    found = []
    for part, words in QUARTERS:
        won = []
        asked = [one for one in matches if one.ahead]
        for one in asked:
            mask = one.ahead[max(0, math.ceil(part * len(one.ahead)) - 1)]
            if mask.bit_count() == 1:
                won.append(one.shares[mask.bit_length() - 1])
        found.append(Lead(words, share(won, len(QUARTERS)), len(won) / len(asked) if asked else 0.0))
    return found


def changes(matches: Sequence[Noted]) -> Spread:
    return spread([lead_changes(one) for one in matches])


# --- Choices ------------------------------------------------------------------


@dataclass(frozen=True)
class Worth:
    """One thing: how often it is chosen, and how that goes together with winning."""

    label: str
    times: Estimate  # a match, all seats together
    taken: float | None  # of the decisions at which it was open; None where it is no decision
    moves: Estimate  # what choosing it most adds to the share of the win
    usual: float  # the share of the win that those seats have anyway
    same_seats: bool  # always those, so that it says nothing
    sure: bool  # also when all things of all tallies shall hold together
    source: str  # where its printed values come from; empty where nothing is printed

    @property
    def beyond(self) -> bool:
        return not self.same_seats and self.moves.beyond(0.0)


@dataclass(frozen=True)
class Choices:
    """A tally with all its things, the most frequent first."""

    tally: Tally
    worths: list[Worth]


def all_choices(game: Game, matches: Sequence[Noted], speak: Speak) -> list[Choices]:
    """Every tally; things that are called alike are one."""
    tallies = game.definition.study.counted(game)
    usual = [sum(one.shares[seat] for one in matches) / len(matches) for seat in range(game.players)]
    grouped = [_grouped(game, tally, speak) for tally in tallies]
    rows = sum(map(len, grouped))
    found = []
    for number, (tally, groups) in enumerate(zip(tallies, grouped, strict=True)):
        worths = [
            _worth(label, things, number, matches, usual, (len(groups), rows), source(game, tally, things))
            for label, things in groups.items()
        ]
        found.append(Choices(tally, sorted(worths, key=lambda one: (-one.times.value, one.label))))
    return found


def _grouped(game: Game, tally: Tally, speak: Speak) -> dict[str, list[int]]:
    groups: dict[str, list[int]] = {}
    for place, thing in enumerate(tally.things(game)):
        groups.setdefault(speak(tally.name(game, thing)), []).append(place)
    return groups


def _sums(counts: dict[int, list[int]], things: Sequence[int], seats: int) -> list[int]:
    return [sum(counts[thing][seat] for thing in things if thing in counts) for seat in range(seats)]


def _worth(
    label: str, things: Sequence[int], number: int, matches: Sequence[Noted], usual: Sequence[float],
    rows: tuple[int, int], origin: str,
) -> Worth:  # fmt: skip
    seats = len(usual)
    times, moves, before = [], [], []
    whose: set[tuple[int, ...]] = set()
    taken = possible = 0
    for one in matches:
        counts = _sums(one.counts[number], things, seats)
        times.append(float(sum(counts)))
        offered = sum(_sums(one.open[number], things, seats))
        possible += offered
        taken += sum(counts) if offered else 0
        most = [seat for seat in range(seats) if counts[seat] == max(counts)]
        if max(counts) > 0 and (len(most) < seats or seats == 1):
            whose.add(tuple(most))
            before.append(sum(usual[seat] for seat in most) / len(most))
            moves.append(sum(one.shares[seat] for seat in most) / len(most) - before[-1])
    return Worth(
        label, mean(times, rows[0]), taken / possible if possible else None, mean(moves, rows[0]),
        sum(before) / len(before) if before else 0.0, len(whose) == 1,
        len(whose) > 1 and mean(moves, rows[1]).beyond(0.0), origin,
    )  # fmt: skip


def source(game: Game, tally: Tally, things: Sequence[int]) -> str:
    """Where the printed values of a thing come from: `reconstructed` if one of them does."""
    text = game.box.text
    tables = {table.name: table for table in text.layout.tables}
    if tally.names not in tables or tally.names not in text.tables:
        return ""
    facts = tables[tally.names].facts
    facts = tuple(column for column in facts if column.kind != "text") or facts  # a made-up name moves nothing
    origins = {text.origin(tally.names, thing, column) for thing in things for column in facts}
    return RECONSTRUCTED if RECONSTRUCTED in origins else next(iter(sorted(origins)), "")
