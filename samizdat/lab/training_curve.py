"""The learning curve of a training as a picture: two panels over the decisions that were made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from samizdat.lab.study.charts import round_up
from samizdat.lab.study.ink import WIDTH, Chart, Lettering, Stroke

if TYPE_CHECKING:
    from samizdat.lab.training import Training

LEFT, RIGHT = 34, WIDTH - 8
HIGH, APART = 92, 46  # a panel, and from one to the next
MILLION = 1_000_000


def curve_chart(training: Training) -> Chart:
    """Shares of the win above, nats below; drawn again with every checkpoint."""
    game, looks = training.game, training.curve
    title = f"{game.definition.title}, {game.variant}, {game.players} players"
    chart = Chart(2 * (HIGH + APART) + 14, f"The learning curve of {title}: {training.steps:,} decisions.")
    chart.marks.append(Lettering(0, 10, title))
    end = round_up(max(training.steps, 1) / MILLION)
    steps = [look.steps / MILLION / end for look in looks]
    shares = [[look.among_random for look in looks], [look.among_earlier for look in looks]]
    nats = [[look.evenness for look in looks], [look.loss for look in looks]]
    most = round_up(max([*nats[0], *nats[1], 1.0]))
    _panel(chart, 32, steps, shares, 1.0, "share of the win", ("among random", "among earlier"), 1 / game.fair_seats)
    _panel(chart, 32 + HIGH + APART, steps, nats, most, "nats", ("evenness", "forecast's loss"), None)
    bottom = 32 + 2 * HIGH + APART
    for part in (0.0, 0.5, 1.0):
        anchor = "start" if part == 0 else "end" if part == 1 else "middle"
        where = LEFT + (RIGHT - LEFT) * part
        chart.marks.append(Lettering(where, bottom + 14, f"{end * part:g}", "axis", anchor))
    chart.marks.append(Lettering(RIGHT, bottom + 26, "million decisions", "axis", "end"))
    return chart


def _panel(
    chart: Chart, top: float, steps: Sequence[float], lines: Sequence[Sequence[float]], most: float, unit: str,
    names: tuple[str, str], fair: float | None,
) -> None:  # fmt: skip
    """Two lines over the same steps: the first in ink, the second in the other colour."""

    def at(step: float, value: float) -> tuple[float, float]:
        return LEFT + (RIGHT - LEFT) * step, top + HIGH * (1 - value / most)

    for part in (0.0, 0.5, 1.0):
        chart.marks.append(Stroke((at(0, most * part), at(1, most * part)), "rule"))
        chart.marks.append(Lettering(LEFT - 4, at(0, most * part)[1] + 4, f"{most * part:g}", "axis", "end"))
    if fair is not None:
        chart.marks.append(Stroke((at(0, fair), at(1, fair)), "fair"))
    chart.marks.append(Lettering(LEFT, top - 5, unit, "axis"))
    chart.marks.append(Lettering(RIGHT - 108, top - 5, names[0], "label", "end"))
    chart.marks.append(Lettering(RIGHT, top - 5, names[1], "note", "end"))
    for values, kind in zip(lines, ("ink", "other"), strict=True):
        if len(values) > 1:
            chart.marks.append(Stroke(tuple(map(at, steps, values)), kind))
