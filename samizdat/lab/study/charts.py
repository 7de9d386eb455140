"""The charts of a report: marks with their doubt, bars, and distributions. 320 units wide, at most three ticks."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from samizdat.lab.study.counting import Spread
from samizdat.lab.study.doubt import Estimate
from samizdat.lab.study.ink import WIDTH, Chart, Filled, Lettering, Stroke

RIGHT, LINE = 272, 26  # where an axis ends, and how high a row is
LETTER = 6.3  # units of a letter of a label, on average
SHORTEST_LEFT, LONGEST_LEFT = 56, 150
GAP = 8
BARS_LEFT, BARS_RIGHT, BARS_TOP, BARS_BOTTOM = 10, 310, 20, 126

Say = Callable[[float], str]


@dataclass(frozen=True)
class Mark:
    """One row: its name, its number, what would be even, and what it is compared with."""

    label: str
    value: Estimate
    even: float | None = None
    other: float | None = None
    few: str = ""  # said instead of a number where there are too few matches


def _left(labels: Sequence[str]) -> float:
    longest = max(len(label) for label in labels)
    return min(LONGEST_LEFT, max(SHORTEST_LEFT, longest * LETTER)) + GAP


def _cut(label: str, left: float) -> str:
    most = math.floor((left - GAP) / LETTER + 0.01)
    return label if len(label) <= most else f"{label[: most - 1]}…"


def round_up(value: float) -> float:
    """The next round number: the end of an axis."""
    if value <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    return next(size * power for size in (1, 2, 4, 5, 6, 8, 10) if size * power >= value * 0.999)


def dots(
    marks: Sequence[Mark], label: str, say: Say, tick: Say, around: bool = False, most: float | None = None
) -> Chart:
    """Where each number is, and how sure: on an axis from 0, or around 0 where it may fall on both sides."""
    shown = [one for one in marks if not one.few]
    ends = [
        abs(edge) for one in shown for edge in (one.value.low, one.value.high, one.value.value) if math.isfinite(edge)
    ]
    ends += [one.even for one in shown if one.even is not None] + [
        abs(one.other) for one in shown if one.other is not None
    ]
    end = round_up(max(ends, default=1.0))
    end = min(end, most) if most is not None else end
    start = -end if around else 0.0
    left = _left([one.label for one in marks])

    def at(value: float) -> float:
        return left + (RIGHT - left) * (min(max(value, start), end) - start) / (end - start)

    height = LINE * len(marks)
    chart = Chart(height + 20, label)
    for part in range(5):
        x = left + (RIGHT - left) * part / 4
        chart.marks.append(Stroke(((x, 2), (x, height + 2)), "rule"))
        if part % 2 == 0:
            chart.marks.append(Lettering(x, height + 15, tick(start + (end - start) * part / 4), "axis", "middle"))
    for row, one in enumerate(marks):
        top = LINE * row
        chart.marks.append(Lettering(0, top + 17, _cut(one.label, left)))
        if one.few:
            chart.marks.append(Lettering(RIGHT, top + 17, one.few, "axis", "end"))
            continue
        if one.even is not None:
            chart.marks.append(Stroke(((at(one.even), top + 3), (at(one.even), top + LINE - 3)), "fair"))
        low, high = at(one.value.low), at(one.value.high)
        chart.marks.append(Filled(low, top + 8, max(0.5, high - low), 10, "doubt"))
        if one.other is not None:
            chart.marks.append(Stroke(((at(one.other), top + 3), (at(one.other), top + LINE - 3)), "other"))
        chart.marks.append(Filled(at(one.value.value) - 2, top + 4, 4, 18))
        chart.marks.append(Lettering(WIDTH - 1, top + 19, say(one.value.value), "number", "end"))
    return chart


def bars(marks: Sequence[Mark], label: str, say: Say) -> Chart:
    """How much of each: solid from 0 as far as it is sure, then hatched, with a tick where it was found."""
    ends = [one.value.high if math.isfinite(one.value.high) else one.value.value for one in marks]
    end = round_up(max([*ends, *(one.other or 0.0 for one in marks)], default=1.0))
    left = _left([one.label for one in marks])

    def at(value: float) -> float:
        return left + (RIGHT - left) * min(max(value, 0.0), end) / end

    height = LINE * len(marks)
    chart = Chart(height + 20, label)
    for part in (0, 1, 2):
        x = at(end * part / 2)
        chart.marks.append(Stroke(((x, 2), (x, height + 2)), "rule"))
        chart.marks.append(Lettering(x, height + 15, f"{end * part / 2:g}", "axis", "middle"))
    for row, one in enumerate(marks):
        top = LINE * row
        chart.marks.append(Lettering(0, top + 17, _cut(one.label, left)))
        low = one.value.low if math.isfinite(one.value.low) else one.value.value
        chart.marks.append(Filled(left, top + 6, max(0.5, at(low) - left), 14))
        if math.isfinite(one.value.low):
            chart.marks.append(Filled(at(low), top + 6, max(0.5, at(one.value.high) - at(low)), 14, "doubt"))
            chart.marks.append(Filled(at(one.value.value) - 1, top + 6, 2, 14))
        if one.other is not None:
            chart.marks.append(Stroke(((at(one.other), top + 3), (at(one.other), top + LINE - 3)), "other"))
        chart.marks.append(Lettering(WIDTH - 1, top + 19, say(one.value.value), "number", "end"))
    return chart


def histogram(told: Spread, label: str, mean: str, other: Spread | None = None) -> Chart:
    """How often what; filled pale under the line of what it is compared with."""
    width = (BARS_RIGHT - BARS_LEFT) / len(told.counts)
    total, others = max(1, sum(told.counts)), max(1, sum(other.counts)) if other else 1
    parts = [count / total for count in told.counts]
    beside = [count / others for count in other.counts] if other else []
    high = (BARS_BOTTOM - BARS_TOP) / max([*parts, *beside, 1e-9])
    chart = Chart(BARS_BOTTOM + 20, label)
    for number, part in enumerate(parts):
        if part:
            left, top = BARS_LEFT + number * width + 1, BARS_BOTTOM - part * high
            chart.marks.append(Filled(left, top, max(1.0, width - 2), part * high, "wash" if other else "ink"))
    if other:
        path = [(float(BARS_LEFT), float(BARS_BOTTOM))]
        for number, part in enumerate(beside):
            path += [(BARS_LEFT + (number + side) * width, BARS_BOTTOM - part * high) for side in (0, 1)]
        chart.marks.append(Stroke((*path, (BARS_RIGHT, BARS_BOTTOM)), "other"))
    chart.marks.append(Stroke(((BARS_LEFT, BARS_BOTTOM), (BARS_RIGHT, BARS_BOTTOM))))
    few = len(told.counts)
    for number in sorted({0, few // 2, few - 1 if told.step == 1 else few}):
        middle = told.step == 1  # a bar that is one number has it under itself
        x = BARS_LEFT + (number + 0.5 * middle) * width
        anchor = "middle" if middle else "start" if number == 0 else "end" if number == few else "middle"
        chart.marks.append(
            Lettering(x, BARS_BOTTOM + 14, f"{told.first + number * told.step}".replace("-", "−"), "axis", anchor)
        )
    place = (told.middle.value - told.first) / told.step + (0.5 if told.step == 1 else 0.0)
    x = BARS_LEFT + place * width
    if not other:
        chart.marks.append(Stroke(((x, 14), (x, BARS_BOTTOM)), "mean"))
    chart.marks.append(Lettering(x, 10, mean, "note", "start" if x < WIDTH / 2 else "end"))
    return chart
