"""Findings: four headlines, chosen by what is largest beyond chance; and, as honestly, that nothing is."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from samizdat.lab.study.comparing import Moved, lead_changes, length
from samizdat.lab.study.counting import RECONSTRUCTED, Choices, Worth, ends, leads
from samizdat.lab.study.doubt import ALPHA, Estimate, mean, quantile, share
from samizdat.lab.study.playing import Noted

WISHED = 0.015  # a seat's share of wins known to ± so much is enough for anybody
FINE = 10  # numbers below it have two digits after the point
OFTEN = 0.1  # times a match: of things that are seldom chosen anyway none is remarkable
NEARLY, NONE = 0.0095, 0.0005  # from none or all: told more finely; not told
HARDLY = 0.25  # part of the usual below which a thing is hardly ever chosen


@dataclass(frozen=True)
class Finding:
    """One headline and what stands under it."""

    title: str
    text: str


def percent(value: float) -> str:
    """Without a fraction, unless it would be taken for none or all."""
    digits = 1 if NONE <= value < NEARLY or NONE <= 1 - value < NEARLY else 0
    return f"{100 * value:.{digits}f}\N{NO-BREAK SPACE}%"


def signed(value: float, digits: int = 1) -> str:
    """With its sign, and a true minus."""
    text = f"{value:+.{digits}f}"
    return text.replace("-", "−") if float(text) else text[1:]


def points(value: float) -> str:
    """A difference of shares in percentage points."""
    return signed(100 * value, 0)


def number(value: float, digits: int = 1) -> str:
    return f"{value:,.{digits}f}".replace("-", "−" if round(value, digits) else "")


def digits(*values: float) -> int:
    """After the point: small numbers are told more finely."""
    return 1 if max(map(abs, values)) >= FINE else 2


def how_many(matches: Sequence[Noted], unit: str, said: dict[str, str], lost: str) -> Finding:
    counted = ends(matches)
    first = next(iter(counted))
    many = "all" if len(counted) == 1 else percent(counted[first].value)
    text = f"{number(mean([length(one) for one in matches]).value)} {unit} each; how {many} ended: {said[first]}."
    gone = share([float(1 not in one.ranks) for one in matches])
    if gone.value:
        text += f" {percent(gone.value)} (± {100 * gone.half:.0f}) were {lost}."
    return Finding(f"{len(matches):,} matches", text)


def fairness(seats: Mapping[str, Estimate], places: Mapping[str, Estimate]) -> Finding:
    """Whether a seat, or a place in the order of beginning, has more or less of the wins than all have on average."""
    if len(seats) == 1:
        (one,) = seats.values()
        text = f"Between {percent(one.low)} and {percent(one.high)} of {one.matches:,} matches."
        return Finding(f"{percent(one.value)} are won", text)
    even = sum(one.value for one in seats.values()) / len(seats)  # what all lose is nobody's
    off = {name: one for name, one in (*seats.items(), *places.items()) if one.beyond(even)}
    if off:
        name = max(off, key=lambda name: abs(off[name].value - even))
        one, word = off[name], "favoured" if off[name].value > even else "worse off"
        sure = f"between {percent(one.low)} and {percent(one.high)}; {one.matches:,} matches"
        text = f"{percent(one.value)} of the wins ({sure}); even would be {percent(even)}."
        return Finding(f"{name[:1].upper()}{name[1:]} is {word}", text)
    matches = next(iter(seats.values())).matches
    needed = math.ceil(even * (1 - even) * (quantile(ALPHA / len(seats)) / WISHED) ** 2 / 100) * 100
    text = f"Every interval holds the even {percent(even)}."
    if needed > matches:
        text += f" To be sure to ±\N{NO-BREAK SPACE}{100 * WISHED:g}\N{NO-BREAK SPACE}%, ask for {needed:,} matches."
    return Finding("No seat is favoured", text)


def best_choice(choices: Sequence[Choices]) -> tuple[Choices, Worth] | None:
    """What goes furthest with winning or losing, of all that could be no chance."""
    sure = [(one, worth) for one in choices for worth in one.worths if worth.sure]
    return max(sure, key=lambda found: min(abs(found[1].moves.low), abs(found[1].moves.high)), default=None)


def worth_of(choices: Sequence[Choices]) -> Finding:
    found = best_choice(choices)
    rows = sum(len(one.worths) for one in choices)
    if found is None:
        return Finding(
            "No choice stands out", f"Of {rows} things that were counted none moves the winning chance beyond chance."
        )
    one, worth = found
    word = "goes with winning" if worth.moves.value > 0 else "goes with losing"
    text = (
        f"{one.tally.title}: who has the most of it wins {percent(worth.usual + worth.moves.value)}, "
        f"where those seats win {percent(worth.usual)} ({points(worth.moves.value)} ± {100 * worth.moves.half:.0f}; "
        f"{worth.moves.matches:,} matches)."
    )
    return Finding(f"{worth.label} {word}", text)


def the_lead(matches: Sequence[Noted]) -> Finding:
    half = leads(matches)[1]
    often = mean([lead_changes(one) for one in matches])
    if not half.wins.matches:
        return Finding("Nobody leads", "At half of the match nobody is alone ahead.")
    title = "Half-time decides" if half.wins.low > 0.5 else "The lead is open at half-time"
    text = (
        f"Who is alone ahead then wins {percent(half.wins.value)} "
        f"(± {100 * half.wins.half:.0f}; {half.wins.matches:,} matches); "
        f"the lead changes {number(often.value)} times a match."
    )
    return Finding(title, text)


def said_change(one: Moved) -> str:
    """From, to, by how much, in the unit of the line."""
    if one.line.share:
        return (
            f"{percent(one.before)} → {percent(one.after)} ({points(one.change.value)} ± {100 * one.change.half:.0f})"
        )
    fine = digits(one.before, one.after)
    change = f"{signed(one.change.value, fine)} ± {number(one.change.half, fine)}"
    return f"{number(one.before, fine)} → {number(one.after, fine)} ({change})"


def what_moved(lines: Sequence[Moved], deals: int) -> Finding:
    largest = max(lines, key=lambda one: one.weight)
    if not largest.weight:
        same, played = sum(one.verdict == "same" for one in lines), f"({deals:,} deals, each twice)"
        if same == len(lines):
            what = f"{lines[0].line.name}: {said_change(lines[0])}" if same == 1 else f"All {same} lines"
            return Finding("Nothing moved", f"{what[:1].upper()}{what[1:]}, as good as the same {played}.")
        text = f"{same} of {len(lines)} lines are as good as the same, the others could be chance {played}."
        if len(lines) == 1:
            text = f"{lines[0].line.name}: {said_change(lines[0])}; it could be chance {played}."
        return Finding("Nothing moved for sure", f"{text[:1].upper()}{text[1:]}")
    word = "more" if largest.verdict == "up" else "less"
    others = sum(bool(one.weight) for one in lines) - 1
    rest = f"{others} other line{'s' if others > 1 else ''} moved" if others else "nothing else moved for sure"
    if len(lines) == 1:
        rest = "that was the question"
    return Finding(
        f"{largest.line.name[:1].upper()}{largest.line.name[1:]}: {word}",
        f"{said_change(largest)}; {rest} ({deals:,} deals, each twice).",
    )


def to_look_at(choices: Sequence[Choices]) -> list[Finding]:
    """Reconstructed things that stand out: they go with winning or losing, or are hardly ever chosen."""
    found = []
    for one in choices:
        made_up = [worth for worth in one.worths if worth.source == RECONSTRUCTED]
        for worth in made_up:
            if worth.sure:
                word = "winning" if worth.moves.value > 0 else "losing"
                sure = f"{points(worth.moves.value)} ± {100 * worth.moves.half:.0f}"
                text = f"{sure} of 100 matches ({worth.moves.matches:,} matches)"
                found.append(Finding(worth.label, f"{one.tally.title}: goes with {word}: {text}."))
        usual = sum(worth.times.value for worth in one.worths) / len(one.worths)
        rare = [worth for worth in made_up if usual >= OFTEN and worth.times.high < HARDLY * usual]
        if rare:
            names = ", ".join(f"{worth.label} ({number(worth.times.value, 2)})" for worth in rare)
            found.append(
                Finding(
                    f"Hardly ever: {one.tally.title}",
                    f"{names} times a match; the mean of all is {number(usual, 2)}.",
                )
            )
    return found
