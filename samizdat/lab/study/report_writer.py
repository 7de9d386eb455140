"""The report of an inquiry: four findings, then section by section."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from samizdat.lab.study import charts
from samizdat.lab.study.charts import Mark
from samizdat.lab.study.comparing import HERE, compare, length
from samizdat.lab.study.counting import (
    Speak,
    all_choices,
    changes,
    ends,
    leads,
    spread,
    wins_by_order,
    wins_by_seat,
)
from samizdat.lab.study.doubt import mean
from samizdat.lab.study.findings import (
    Finding,
    fairness,
    how_many,
    number,
    percent,
    the_lead,
    what_moved,
    worth_of,
)
from samizdat.lab.study.inquiry import Inquiry
from samizdat.lab.study.parts import (
    Exhibit,
    Material,
    Section,
    plain,
    plus,
    shares_figure,
    spread_figure,
)
from samizdat.lab.study.report_arms import before_and_after, strengths
from samizdat.lab.study.report_choices import values, worth

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
NUMBERS = ("no", "one", "two", "three", "four", "five", "six")


@dataclass(frozen=True)
class StudyReport:
    """Everything a page shows."""

    over: str
    title: str
    findings: list[Finding]
    sections: list[Section]
    made: list[tuple[str, str]]


def write_report(inquiry: Inquiry, speak: Speak, seats: Sequence[str], command: str) -> StudyReport:
    choices = all_choices(inquiry.game, inquiry.of(HERE), speak)
    moved = compare(inquiry.lines, inquiry.matches) if inquiry.compares else []
    told = Material(inquiry, speak, seats, choices, moved)
    sections = [is_it_fair(told), points_by_seat(told)]
    if inquiry.compares:
        sections.append(before_and_after(told))
    sections += [worth(told), the_course(told)]
    if len(inquiry.arms) > 1 and not inquiry.compares:
        sections.append(strengths(told))
    sections.append(values(told))
    return StudyReport(
        *titles(told), findings(told), [one for one in sections if one.figures or one.texts], made(told, command)
    )


def titles(told: Material) -> tuple[str, str]:
    game, players = told.game, NUMBERS[told.game.players]
    arms = [arm.name for arm in told.inquiry.arms]
    box = f"{arms[0]} and {arms[1]}" if told.inquiry.compares else arms[0]
    many = "s" if game.players > 1 else ""
    title = f"{game.definition.title}, {players} player{many}"
    if game.variant != next(iter(game.definition.variants)):
        title += f", {game.variant}"
    return f"A designer’s report · {players} {told.inquiry.arms[HERE].bot} bot{many} · {box}", title


def findings(told: Material) -> list[Finding]:
    several = told.game.players > 1
    said = {reason: told.study.end(told.game, reason) for reason in told.game.definition.reasons}
    many = how_many(told.matches, told.unit, said, "lost by all" if several else "lost")
    order = wins_by_order(told.matches, 2)  # a headline must stand out among seats and places together
    seats = dict(zip(told.seats, wins_by_seat(told.matches, 2 if order else 1), strict=True))
    places = {f"the {ORDINALS[place]} to begin": one for place, one in enumerate(order or ())}
    fair = fairness(seats, places)
    if told.moved:
        return [many, what_moved(told.moved, told.moved[0].change.matches), fair, worth_of(told.choices)]
    return [many, fair, worth_of(told.choices), the_lead(told.matches) if several else _points(told)]


def _points(told: Material) -> Finding:
    one = mean([float(match.points[0]) for match in told.matches])
    return Finding(f"{number(one.value)} points", f"± {number(one.half)}; {one.matches:,} matches.")


def is_it_fair(told: Material) -> Section:
    won = wins_by_seat(told.matches)
    even = sum(one.value for one in won) / len(won) if len(won) > 1 else 1 / told.game.fair_seats
    figures = [shares_figure("wins-by-seat", "Wins by seat", told.n, told.seats, won, even)]
    order = wins_by_order(told.matches)
    if order:
        names = [f"{ORDINALS[place]} to begin" for place in range(len(order))]
        figures.append(shares_figure("wins-by-order", "Wins by order", told.n, names, order, even))
    long = spread([length(one) for one in told.matches])
    figures.append(spread_figure("length", "Length", f"{told.unit}; mean {plus(long.middle)}; {told.n}", long))
    came = ends(told.matches)
    names = [told.study.end(told.game, reason) for reason in came]
    figures.append(shares_figure("ends", "How the end comes", told.n, names, list(came.values()), None))
    return Section("Is it fair?", "hatched: 95 % sure, all rows together · dashed: even", figures)


def points_by_seat(told: Material) -> Section:
    everything = [float(one) for match in told.matches for one in match.points]
    figures = []
    for seat, name in enumerate(told.seats):
        own = spread([float(one.points[seat]) for one in told.matches], everything, len(told.seats))
        figures.append(spread_figure(f"points-{seat + 1}", name, f"mean {plus(own.middle)}; {told.n}", own))
    return Section("Points, seat by seat", "the same axis in all", figures)


def _parts(told: Material) -> Exhibit:
    """Where points come from: those of a seat, and those of winners."""
    matches, title = told.matches, "Where points come from"
    names = list(matches[0].parts)
    marks, rows = [], []
    for name in names:
        of_all = mean([sum(one.parts[name]) / len(one.points) for one in matches], len(names))
        won = [one.parts[name][seat] for one in matches for seat, rank in enumerate(one.ranks) if rank == 1]
        best = sum(won) / len(won) if won else None
        marks.append(Mark(name.replace("_", " "), of_all, other=best))
        rows.append(
            (name.replace("_", " "), plus(of_all), "" if best is None else number(best), f"{of_all.matches:,}")
        )
    chart = charts.dots(marks, title, number, plain, around=any(one.value.low < 0 for one in marks))
    caption = f"points of a seat; blue tick: of the winner; {told.n}"
    return Exhibit("parts", title, caption, chart, ("", "a seat", "the winner", "matches"), rows)


def the_course(told: Material) -> Section:
    """How the lead changes, and where the points come from in the end."""
    parts = [_parts(told)] if told.matches[0].parts else []
    if told.game.players == 1 or not any(one.ahead for one in told.matches):
        return Section("Where points come from", "", parts)
    found, title = leads(told.matches), "Does who leads win?"
    even = sum(sum(one.shares) for one in told.matches) / len(told.matches) / told.game.players
    own = shares_figure("", title, "", [one.after for one in found], [one.wins for one in found], even)
    rows = [(*row, percent(one.alone)) for row, one in zip(own.rows, found, strict=True)]
    caption = f"wins of the seat that is alone ahead; dashed: even; of {told.n}"
    figures = [Exhibit("leads", title, caption, own.chart, (*own.head, "somebody leads alone"), rows)]
    told_changes = changes(told.matches)
    caption = f"in a match; mean {plus(told_changes.middle)}; {told.n}"
    figures.append(spread_figure("lead-changes", "Changes of the lead", caption, told_changes))
    return Section("The lead, and the points in the end" if parts else "The lead", "", [*figures, *parts])


def made(told: Material, command: str) -> list[tuple[str, str]]:
    """How to make it again, and what the intervals are."""
    inquiry, game = told.inquiry, told.game
    found = [("Again", command), ("Matches", f"{len(inquiry.matches):,} in all, seed {inquiry.seed}")]
    for arm in inquiry.arms:
        own = arm.setting.game()
        timed = arm.bot.searches and not arm.bot.simulations and arm.bot.level != "novice"
        words = [str(arm.bot), "bounded by time, so another machine plays other matches"] if timed else [str(arm.bot)]
        words.append(f"box {own.box.hash}")
        words += [f"{name}={str(value).lower()}" for name, value in own.options.items()]
        found.append((arm.name, "; ".join(words)))
    found.append(("Rules", f"{game.name}, version {game.rules}, {game.variant}"))
    intervals = "95 % for all rows of a figure together (Bonferroni); shares: Wilson; means: Student"
    if inquiry.compares:
        intervals += "; before and after: by betting for shares, asymptotic confidence sequences for numbers"
    found.append(("Intervals", intervals))
    return found
