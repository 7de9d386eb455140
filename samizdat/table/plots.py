"""Small plots in the house style: ink is the data, hatching is doubt, a dashed edge is what would be fair.

320 units wide; labels left, numbers right, at most three ticks. No colours but those of the page.
"""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup, escape

from samizdat.table.figures import Bars, Share
from samizdat.table.ratings import RatingPoint

WIDTH = 320
LEFT, RIGHT, LINE = 118, 268, 30  # where the axis begins and ends, and how high a row is
LONGEST_LABEL = 17  # letters that fit left of the axis
BARS_LEFT, BARS_RIGHT, BARS_TOP, BARS_BOTTOM = 12, 308, 20, 126
LINE_WIDTH, LINE_HEIGHT, MARGIN = 260, 52, 4
COURSE_WIDTH, COURSE_HEIGHT = 240, 38


def _svg(height: int, label: str, inside: list[str]) -> Markup:
    head = f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escape(label)}">'
    return Markup(head + "".join(inside) + "</svg>")


def _text(kind: str, x: float, y: float, words: object, anchor: str = "") -> str:
    end = f' text-anchor="{anchor}"' if anchor else ""
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}"{end}>{escape(words)}</text>'


def share_plot(rows: Sequence[Share], label: str, too_few: str) -> Markup:
    """How often, row by row, on one axis from 0 to 100."""
    height = LINE * len(rows)
    across = [LEFT + (RIGHT - LEFT) * part / 4 for part in range(5)]
    inside = [f'<path class="gr" d="M{x:.1f} 2V{height + 4}"/>' for x in across]
    inside += [_text("ax", across[part], height + 18, part * 25, "middle") for part in (0, 2, 4)]
    for number, row in enumerate(rows):
        inside += _share_row(row, LINE * number, too_few)
    return _svg(height + 24, label, inside)


def _share_row(row: Share, top: int, too_few: str) -> list[str]:
    def at(value: float) -> float:
        return LEFT + (RIGHT - LEFT) * value

    cut = row.label if len(row.label) <= LONGEST_LABEL else f"{row.label[: LONGEST_LABEL - 1]}…"
    name = _text("lb", 0, top + 20, cut)
    if not row.enough:
        return [name, _text("ax", RIGHT, top + 20, too_few.format(n=row.matches), "end")]
    fair = f'<path class="fair" d="M{at(row.fair):.1f} {top + 5}v22"/>'
    wide = at(row.high) - at(row.low)
    doubt = f'<rect class="doubt" x="{at(row.low):.1f}" y="{top + 11}" width="{wide:.1f}" height="10"/>'
    mark = f'<rect class="ink" x="{at(row.value) - 2.5:.1f}" y="{top + 7}" width="5" height="18"/>'
    return [name, fair, doubt, mark, _text("bigt", WIDTH - 2, top + 22, f"{row.value:.0%}", "end")]


def bar_plot(told: Bars, label: str, mean: str) -> Markup:
    """How often what was scored, with the mean."""
    width = (BARS_RIGHT - BARS_LEFT) / len(told.counts)
    high = (BARS_BOTTOM - BARS_TOP) / max(told.counts)
    inside = [
        f'<rect class="ink" x="{BARS_LEFT + n * width + 1:.1f}" y="{BARS_BOTTOM - count * high:.1f}" '
        f'width="{max(1.0, width - 2):.1f}" height="{count * high:.1f}"/>'
        for n, count in enumerate(told.counts)
    ]
    inside.append(f'<path class="axis" d="M{BARS_LEFT} {BARS_BOTTOM}H{BARS_RIGHT}"/>')
    ticks = sorted({0, len(told.counts) // 2, len(told.counts)})
    inside += [
        _text("ax", BARS_LEFT + n * width, BARS_BOTTOM + 15, told.first + n * told.step,
              "start" if n == 0 else "end" if n == len(told.counts) else "middle")
        for n in ticks
    ]  # fmt: skip
    middle = BARS_LEFT + (told.mean - told.first) / told.step * width
    inside.append(f'<path class="mean" d="M{middle:.1f} 14V{BARS_BOTTOM}"/>')
    side = "start" if middle < WIDTH / 2 else "end"
    inside.append(_text("ax mn", middle, 10, mean, side))
    return _svg(BARS_BOTTOM + 22, label, inside)


def course_plot(values: Sequence[float]) -> Markup:
    """How something went, bar by bar. The tile around it says the number, and a table has all of them."""
    step, top = COURSE_WIDTH / len(values), max(*values, 1e-9)
    bars = "".join(
        f'<rect x="{n * step:.1f}" y="{COURSE_HEIGHT * (1 - value / top):.1f}" width="{step - 1.2:.1f}" '
        f'height="{COURSE_HEIGHT * value / top:.1f}"/>'
        for n, value in enumerate(values)
        if value
    )
    box = f"0 0 {COURSE_WIDTH} {COURSE_HEIGHT}"
    return Markup(f'<svg class="day" viewBox="{box}" preserveAspectRatio="none" aria-hidden="true">{bars}</svg>')


def line_plot(course: Sequence[RatingPoint]) -> Markup:
    """How a rating came to be, with its band of doubt. The card beside it says the number."""
    low = min(one.value - one.doubt for one in course)
    high = max(one.value + one.doubt for one in course)

    def place(n: int, value: float) -> str:
        x = MARGIN + (LINE_WIDTH - 2 * MARGIN) * (n / (len(course) - 1) if len(course) > 1 else 0.5)
        return f"{x:.1f},{LINE_HEIGHT - MARGIN - (LINE_HEIGHT - 2 * MARGIN) * (value - low) / max(1, high - low):.1f}"

    above = [place(n, one.value + one.doubt) for n, one in enumerate(course)]
    below = [place(n, one.value - one.doubt) for n, one in reversed(list(enumerate(course)))]
    line = [place(n, one.value) for n, one in enumerate(course)]
    return Markup(
        f'<svg class="course" viewBox="0 0 {LINE_WIDTH} {LINE_HEIGHT}" preserveAspectRatio="none" aria-hidden="true">'
        f'<polygon class="band" points="{" ".join(above + below)}"/>'
        f'<polyline class="ln" points="{" ".join(line)}"/></svg>'
    )
