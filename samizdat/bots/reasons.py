"""Why a decision is advised: what it wins and what it risks against another, counted in the same imagined worlds.

A difference that may be luck, or that would not show in the figures, is no reason; where nothing differs, it is said.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, stdev
from typing import Any

from samizdat.bots.at_once import WON
from samizdat.bots.futures import Future, futures
from samizdat.bots.thinking import SEED_BITS, SURE, JudgedMove
from samizdat.kernel.match import Sight
from samizdat.kernel.moves import Move
from samizdat.kernel.stakes import OUT_OF, Stake
from samizdat.kernel.telling import Line, Listing, Phrase, template

WORLDS = 20  # guessed; the same ones for every decision, so that luck does not tell them apart
RARELY, OFTEN = 0.1, 0.9  # how often a mixed decision is played so that it helps to say so
WINS, RISKS, NOTE = "wins", "risks", "note"

World = Sequence[Future]
Way = Phrase  # what a decision is compared with
AS_PLAYED = Phrase("as played")


@dataclass(frozen=True)
class Why:
    """One sentence: something that a decision wins, something that it risks, or a note."""

    sign: str
    line: Line


@dataclass(frozen=True)
class Candidate:
    """A decision to be advised: as the search saw it, the whole line, and what the seat sees before its last part."""

    option: JudgedMove
    line: tuple[Move, ...]
    before_last: Sight

    def clearly_below(self, other: Candidate) -> bool:
        return self.option.share + self.option.error < other.option.share - other.option.error


@dataclass(frozen=True)
class Figure:
    """A quantity in some worlds: its own part and, where there is one, a rival's."""

    stake: Stake
    own: tuple[float, ...]
    rival: tuple[float, ...]

    @property
    def balance(self) -> tuple[float, ...]:
        return tuple(a - b for a, b in zip(self.own, self.rival, strict=True)) if self.rival else self.own

    @property
    def numbers(self) -> tuple[int, ...]:
        """As they are said: whole, or so many of ten."""
        scale = OUT_OF if self.stake.chance else 1
        return tuple(round(scale * fmean(part)) for part in (self.own, self.rival) if part)

    @property
    def said(self) -> Phrase:
        if self.rival:
            return Phrase("{own} : {rival}", dict(zip(("own", "rival"), self.numbers, strict=True)))
        if self.stake.chance:
            return Phrase("{n} of {all}", {"n": self.numbers[0], "all": OUT_OF})
        return Phrase("{n}", {"n": self.numbers[0]})


@dataclass(frozen=True)
class Reason:
    """One quantity with a decision, and with another."""

    here: Figure
    there: Figure | None = None

    @property
    def gain(self) -> float:
        """What the difference is worth; 0 where it may be luck or would not show."""
        assert self.there is not None
        if self.here.numbers == self.there.numbers:
            return 0.0
        apart = [a - b for a, b in zip(self.here.balance, self.there.balance, strict=True)]
        mean, doubt = fmean(apart), SURE * stdev(apart) / sqrt(len(apart))
        return self.here.stake.worth * mean if abs(mean) > doubt else 0.0

    def why(self, sign: str, way: Way | None) -> Why:
        stake = self.here.stake
        fact = Phrase(stake.fact, {**stake.values, "figure": self.here.said})
        if way is None or self.there is None:
            return Why(sign, Line(stake.rule, "{fact}.", {"fact": fact}))
        compared = {"fact": fact, "way": way, "other": self.there.said}
        return Why(sign, Line(stake.rule, "{fact} ({way}: {other}).", compared))


def why(sight: Sight, mixed: bool, candidates: Sequence[Candidate], rng: random.Random) -> list[tuple[Why, ...]]:
    """Sentences for each candidate, never none; the best candidate comes first. It is compared with the second, each
    other one with the first."""
    seeds = [rng.getrandbits(SEED_BITS) for _ in range(WORLDS)]
    measured = [measure(sight, one.before_last, one.line[-1], seeds) for one in candidates]
    reasons = []
    for place, one in enumerate(candidates):
        other = (1 if place == 0 else 0) if len(candidates) > 1 else None
        found = [] if _at_once(one) else _points(measured, place, other)
        notes = _notes(one, mixed)
        if not found and not notes:
            notes = [_without_figures(one, candidates, other)]
        reasons.append((*found, *notes))
    return reasons


def compared(sight: Sight, better: Move, played: Move, rng: random.Random, way: Way = AS_PLAYED) -> tuple[Why, ...]:
    """What one decision would have won or risked more than another; nothing if that cannot be counted."""
    seeds = [rng.getrandbits(SEED_BITS) for _ in range(WORLDS)]
    here, there = (measure(sight, sight, move, seeds) for move in (better, played))
    return tuple(_told(here, there, way))


def measure(sight: Sight, before_last: Sight, last: Move, seeds: Sequence[int]) -> list[Figure]:
    """All that is at stake in a position, after a decision, in each of some worlds."""
    stakes = sight.game.definition.stakes(sight.game, sight.state, sight.seat)
    if not stakes:
        return []
    later = any(stake.later for stake in stakes)
    worlds = [futures(before_last, last, seed, later) for seed in seeds]
    return [Figure(stake, _in(worlds, stake, stake.own), _in(worlds, stake, stake.rival)) for stake in stakes]


def _in(worlds: Sequence[World], stake: Stake, of: Any) -> tuple[float, ...]:
    if of is None:
        return ()
    return tuple(of(world[-1 if stake.later else 0].state, world[-1 if stake.later else 0].told) for world in worlds)


def _points(measured: Sequence[list[Figure]], place: int, other: int | None) -> list[Why]:
    if other is not None:
        return _told(measured[place], measured[other], way_of(other))
    counted = [figure for figure in measured[place] if any(figure.numbers)]
    most = max(counted, key=lambda figure: abs(figure.stake.worth * fmean(figure.balance)), default=None)
    return [] if most is None else [Reason(most).why(NOTE, None)]


def _told(here: Sequence[Figure], there: Sequence[Figure], way: Way) -> list[Why]:
    """The quantity that speaks most for a decision, and the one that speaks most against it."""
    reasons = [Reason(*pair) for pair in zip(here, there, strict=True)]
    if not reasons:
        return []
    best, worst = max(reasons, key=lambda one: one.gain), min(reasons, key=lambda one: one.gain)
    found = [best.why(WINS, way)] if best.gain > 0 else []
    return [*found, worst.why(RISKS, way)] if worst.gain < 0 else found


def way_of(place: int) -> Way:
    return Phrase("way {number}", {"number": place + 1})


def _at_once(one: Candidate) -> bool:
    return one.option.known in (0.0, WON)


def _notes(one: Candidate, mixed: bool) -> list[Why]:
    if one.option.known == WON:
        return [Why(WINS, Line("bots", "It wins the match at once."))]
    if one.option.known == 0.0:
        return [Why(RISKS, Line("bots", "It loses the match at once."))]
    if mixed and len(one.line) == 1 and RARELY <= one.option.played < OFTEN:
        percent = {"percent": round(100 * one.option.played)}
        often = Line("bots", "Play it about {percent} % of the time, so that nobody can foresee it.", percent)
        return [Why(NOTE, often)]
    return []


def _without_figures(one: Candidate, candidates: Sequence[Candidate], other: int | None) -> Why:
    """Where nothing that can be counted differs: how often it won, or that it is about equal."""
    won = {"n": round(100 * one.option.share)}
    if other is None:
        return Why(NOTE, Line("bots", "It wins {n} of 100 games from here.", won))
    another = candidates[other]
    if one.clearly_below(another) or another.clearly_below(one):
        values = {**won, "way": way_of(other), "other": round(100 * another.option.share)}
        return Why(NOTE, Line("bots", "It wins {n} of 100 games from here ({way}: {other}).", values))
    return Why(
        NOTE, Line("bots", "About equal to {way}: nothing that can be counted differs.", {"way": way_of(other)})
    )


EQUAL = template(
    "{ways} are about equal: you know too little to tell them apart. Choose by what each wins and risks."
)
ALL_ONE = template("{ways} are about equal, and nothing that can be counted differs: any of them will do.")
VARY = template("{ways} are about equal. Vary them: whoever always does the same is easily read.")


def summary(mixed: bool, candidates: Sequence[Candidate], reasons: Sequence[Sequence[Why]]) -> Line | None:
    """How the candidates stand to each other, in one sentence; None for a single one."""
    if len(candidates) < 2:
        return None
    first, *others = candidates
    equal = [place for place, one in enumerate(candidates) if not one.clearly_below(first)]
    if len(equal) == 1:
        lost = round(100 * (first.option.share - max(one.option.share for one in others)))
        return Line("bots", "Only way 1 keeps your chances: the next best costs {n} of 100.", {"n": lost})
    ways = {"ways": Listing([place + 1 for place in equal], template("and"))}
    if mixed:
        return Line("bots", VARY, ways)
    differ = any(one.sign != NOTE for place in equal for one in reasons[place])
    return Line("bots", EQUAL if differ else ALL_ONE, ways)
