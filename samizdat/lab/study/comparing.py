"""Before and after: what a changed box or option moved, deal by deal with the same luck.

A line is one number of a match. Its change is the mean of the differences between the two matches of each deal,
with an interval that holds whenever one looks and for all lines together (`doubt.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from samizdat.kernel.arguments import clip
from samizdat.kernel.errors import OptionError
from samizdat.kernel.game import Game
from samizdat.lab.study.doubt import ALPHA, SMALL_EFFECT, SMALL_SHARE, Estimate, lasting_mean, lasting_share, settled
from samizdat.lab.study.playing import Arm, Noted

LOOK_EVERY = 10  # deals between two looks at whether it is settled
HERE, THERE = 0, 1  # the two arms

Of = Callable[[Noted], float]


@dataclass(frozen=True)
class NumberLine:
    """A number of a match that may move."""

    name: str
    of: Of
    share: bool = False  # it lies between 0 and 1


@dataclass(frozen=True)
class Moved:
    """A line in both arms, and by how much it moved."""

    line: NumberLine
    before: float
    after: float
    change: Estimate
    small: float
    verdict: str | None  # up, down, same; None: could be chance

    @property
    def words(self) -> str:
        if self.verdict in ("up", "down"):
            return "a change"
        return "as good as the same" if self.verdict == "same" else "could be chance"

    @property
    def weight(self) -> float:
        """How much it moved at least, in small effects: to compare lines with each other."""
        if self.verdict not in ("up", "down"):
            return 0.0
        return min(abs(self.change.low), abs(self.change.high)) / self.small if self.small else 0.0


def winners_points(one: Noted) -> float:
    return float(max(one.points))


def points_of_a_seat(one: Noted) -> float:
    return sum(one.points) / len(one.points)


def winners_lead(one: Noted) -> float:
    best, *others = sorted(one.points, reverse=True)
    return float(best - others[0])


def lead_changes(one: Noted) -> float:
    """How often another seat came to be alone ahead."""
    alone = [mask for mask in one.ahead if mask.bit_count() == 1]
    return float(sum(before != after for before, after in pairwise(alone)))


def length(one: Noted) -> float:
    return float(one.decisions if one.rounds is None else one.rounds)


def lines_of(game: Game, seats: Sequence[str]) -> list[NumberLine]:
    """All lines of a game, in the order of a table."""
    study, several = game.definition.study, game.players > 1
    rounds = "rounds" in game.definition.state.fields
    found = [NumberLine("points of the winner", winners_points), NumberLine("points of a seat", points_of_a_seat)]
    if several:
        found.append(NumberLine("lead of the winner", winners_lead))
    found.append(NumberLine("rounds" if rounds else "decisions", length))
    if rounds:
        found.append(NumberLine("decisions", lambda one: float(one.decisions)))
    if several:
        found.append(NumberLine("changes of the lead", lead_changes))
    if game.definition.all_may_lose or not several:
        found.append(
            NumberLine("lost by all" if several else "lost", lambda one: float(1 not in one.ranks), share=True)
        )
    for reason in game.definition.reasons[1:] if len(game.definition.reasons) > 2 else ():
        found.append(NumberLine(f"end: {study.end(game, reason)}", _ends_by(reason), share=True))
    for seat, name in enumerate(seats if several else ()):
        found.append(NumberLine(f"wins: {name}", _wins(seat), share=True))
    known = {line.name for line in found}
    figures = game.definition.show.FIGURES if study.figures is None else study.figures
    found += [NumberLine(name, _figure(name)) for name in figures if name not in known]
    return found


def _ends_by(reason: str) -> Of:
    return lambda one: float(one.reason == reason)


def _wins(seat: int) -> Of:
    return lambda one: one.shares[seat]


def _figure(name: str) -> Of:
    return lambda one: one.figures[name]


def lines_of_choices(game: Game, names: Callable[[Any], str]) -> list[NumberLine]:
    """How often each thing was chosen in a match, by all seats together."""
    found = []
    for number, tally in enumerate(game.definition.study.counted(game)):
        grouped: dict[str, list[int]] = {}
        for place, thing in enumerate(tally.things(game)):
            grouped.setdefault(names(tally.name(game, thing)), []).append(place)
        found += [NumberLine(f"{tally.title}: {label}", _times(number, places)) for label, places in grouped.items()]
    return found


def _times(tally: int, things: Sequence[int]) -> Of:
    return lambda one: float(sum(sum(one.counts[tally].get(thing, ())) for thing in things))


def asked(lines: Sequence[NumberLine], wanted: Sequence[str]) -> list[NumberLine]:
    """The lines that a question is about: all of them, unless some are named."""
    known = {line.name: line for line in lines}
    for name in wanted:
        if name not in known:
            raise OptionError(f"There is no line {clip(name)} to ask about; there are: {'; '.join(known)}.")
    return [known[name] for name in dict.fromkeys(wanted)] if wanted else list(lines)


def pairs(matches: Sequence[Noted]) -> list[tuple[Noted, Noted]]:
    """The deals that both arms have played, in their order."""
    here = {one.deal: one for one in matches if one.arm == HERE}
    there = {one.deal: one for one in matches if one.arm == THERE}
    return [(here[deal], there[deal]) for deal in sorted(here) if deal in there]


def moved(line: NumberLine, played: Sequence[tuple[Noted, Noted]], together: int) -> Moved:
    """What came of one line, one of so many that shall hold together."""
    before = [line.of(here) for here, _ in played]
    after = [line.of(there) for _, there in played]
    differences = [there - here for here, there in zip(before, after, strict=True)]
    alpha = ALPHA / together
    change = lasting_share(differences, alpha) if line.share else lasting_mean(differences, alpha)
    spread = float(np.std(before + after)) if before else 0.0
    small = SMALL_SHARE if line.share else SMALL_EFFECT * spread
    n = max(1, len(played))
    return Moved(line, sum(before) / n, sum(after) / n, change, small, settled(change, small))


def compare(lines: Sequence[NumberLine], matches: Sequence[Noted]) -> list[Moved]:
    played = pairs(matches)
    return [moved(line, played, len(lines)) for line in lines]


def is_settled(lines: Sequence[NumberLine], matches: Sequence[Noted], arms: Sequence[Arm]) -> bool:
    """Whether nothing is left to ask; looked at only now and then, and at the same deals in every run."""
    if len(arms) != 2 or len(matches) % (len(arms) * LOOK_EVERY):
        return False
    return all(one.verdict for one in compare(lines, matches))
