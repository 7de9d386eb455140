"""The parts of a report: figures, each a chart, its caption and the same in numbers, in sections."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from samizdat.kernel.game import Game
from samizdat.kernel.studies import Study
from samizdat.lab.study import charts
from samizdat.lab.study.charts import Mark
from samizdat.lab.study.comparing import HERE, THERE, Moved
from samizdat.lab.study.counting import Choices, Speak, Spread
from samizdat.lab.study.doubt import ENOUGH, Estimate
from samizdat.lab.study.findings import Finding, number, percent
from samizdat.lab.study.ink import Chart
from samizdat.lab.study.inquiry import Inquiry
from samizdat.lab.study.playing import Noted

MOST_ROWS = 12  # of a chart; its table has them all


@dataclass(frozen=True)
class Exhibit:
    """A chart, what it says, and the same in numbers."""

    name: str  # of its file
    title: str
    caption: str
    chart: Chart | None
    head: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    open: bool = False  # the table is the figure
    below: Exhibit | None = None  # a table that belongs to the chart and says more than it


@dataclass(frozen=True)
class Section:
    title: str
    note: str
    figures: list[Exhibit]
    texts: list[Finding] = field(default_factory=list)


@dataclass(frozen=True)
class Material:
    """All that a report is made of."""

    inquiry: Inquiry
    speak: Speak
    seats: Sequence[str]
    choices: list[Choices]
    moved: list[Moved]

    @property
    def game(self) -> Game:
        return self.inquiry.game

    @property
    def study(self) -> Study:
        return self.game.definition.study

    @property
    def matches(self) -> list[Noted]:
        """Those of the first arm, which most figures are about."""
        return self.inquiry.of(HERE)

    @property
    def changed(self) -> str:
        return self.inquiry.arms[THERE].name

    @property
    def n(self) -> str:
        return f"{len(self.matches):,} matches"

    @property
    def unit(self) -> str:
        return "decisions" if self.matches[0].rounds is None else "rounds"


def between(one: Estimate) -> str:
    return f"{percent(one.low)} to {percent(one.high)}"


def plus(one: Estimate, digits: int = 1) -> str:
    return f"{number(one.value, digits)} ± {number(one.half, digits)}"


def word(beyond: bool, matches: int) -> str:
    """What a difference is called."""
    if matches < ENOUGH:
        return too_few(matches)
    return "more than chance" if beyond else "could be chance"


def too_few(matches: int) -> str:
    return f"{matches} of {ENOUGH} needed"


def hundredths(value: float) -> str:
    return f"{100 * value:.0f}"


def plain(value: float) -> str:
    return f"{value:g}".replace("-", "−")


def shares_figure(
    name: str, title: str, caption: str, labels: Sequence[str], values: Sequence[Estimate], even: float | None
) -> Exhibit:  # fmt: skip
    """Shares of something, row by row, against what would be even."""
    named = list(zip(labels, values, strict=True))
    marks = [
        Mark(label, one, even, few="" if one.matches >= ENOUGH else too_few(one.matches)) for label, one in named
    ]
    chart = charts.dots(marks, title, percent, hundredths, most=1.0)
    head = ("", "share", "95 %", "matches")
    rows = [(label, f"{100 * one.value:.1f} %", between(one), f"{one.matches:,}") for label, one in named]
    if even is None:
        return Exhibit(name, title, caption, chart, head, rows)
    told = [(*row, word(one.beyond(even), one.matches)) for row, one in zip(rows, values, strict=True)]
    return Exhibit(name, title, caption, chart, (*head, f"even: {percent(even)}"), told)


def means_figure(name: str, title: str, caption: str, labels: Sequence[str], values: Sequence[Estimate]) -> Exhibit:
    """Means of something, row by row."""
    named = list(zip(labels, values, strict=True))
    below = any(one.low < 0 for one in values)
    chart = charts.dots([Mark(label, one) for label, one in named], title, number, plain, around=below)
    rows = [(label, plus(one), f"{one.matches:,}") for label, one in named]
    return Exhibit(name, title, caption, chart, ("", "mean", "matches"), rows)


def spread_figure(
    name: str, title: str, caption: str, told: Spread, other: Spread | None = None, arms: Sequence[str] = ()
) -> Exhibit:  # fmt: skip
    """How often what; beside another arm if there is one."""
    head: tuple[str, ...] = ("", "matches") if other is None else ("", *arms)
    columns = [told.counts] if other is None else [told.counts, other.counts]
    rows = [(label, *(f"{counts[place]:,}" for counts in columns)) for place, label in enumerate(told.labels)]
    chart = charts.histogram(told, title, f"mean {number(told.middle.value)}", other)
    return Exhibit(name, title, caption, chart, head, rows)
