"""Ink: a chart as a few strokes, written as SVG that follows the page, as an SVG file of its own, or as a PNG.

Strokes are named by what they mean, never by a colour: `ink` is the data, `doubt` the hatched interval, `fair` the
dashed edge of what would be even, `mean` a carbon dash at the middle, `other` the carbon of what it is compared with.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from markupsafe import Markup, escape

WIDTH = 320
DPI = 200
PNG_INCHES = 4.4  # the width of a PNG

# The colours of paper, for files outside a page.
PAPER = {
    "ink": "#1C1B20", "wash": "#E3DBCA", "doubt": "#39447A", "fair": "#827A6C", "other": "#39447A", "rule": "#CDC4B2",
    "sheet": "#FAF7EF", "faint": "#625E64",
}  # fmt: skip
NIGHT = {
    "ink": "#ECE6D8", "wash": "#363A46", "doubt": "#A3AFEC", "fair": "#7C7F8C", "other": "#A3AFEC", "rule": "#363A46",
    "sheet": "#1C1E26", "faint": "#9C968C",
}  # fmt: skip
HATCH = (
    '<pattern id="hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    '<rect class="hatch" width="5" height="5"/><path class="hatch-line" d="M0 0V5"/></pattern>'
)


@dataclass(frozen=True)
class Filled:
    """A filled rectangle."""

    x: float
    y: float
    width: float
    height: float
    kind: str = "ink"


@dataclass(frozen=True)
class Stroke:
    """A line through points."""

    points: tuple[tuple[float, float], ...]
    kind: str = "ink"


@dataclass(frozen=True)
class Lettering:
    """A piece of text: a label, an axis, or a number in the poster face."""

    x: float
    y: float
    text: str
    kind: str = "label"  # label, axis, number, note
    anchor: str = "start"


@dataclass
class Chart:
    """What is drawn, and the same in a sentence for those who do not see it."""

    height: float
    label: str
    marks: list[Filled | Stroke | Lettering] = field(default_factory=list)


def _fine(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def _mark(mark: Filled | Stroke | Lettering) -> str:
    if isinstance(mark, Filled):
        place = f'x="{_fine(mark.x)}" y="{_fine(mark.y)}" width="{_fine(mark.width)}" height="{_fine(mark.height)}"'
        return f'<rect class="b-{mark.kind}" {place}/>'
    if isinstance(mark, Stroke):
        path = "L".join(f"{_fine(x)} {_fine(y)}" for x, y in mark.points)
        return f'<path class="s-{mark.kind}" d="M{path}"/>'
    anchor = f' text-anchor="{mark.anchor}"' if mark.anchor != "start" else ""
    return f'<text class="t-{mark.kind}" x="{_fine(mark.x)}" y="{_fine(mark.y)}"{anchor}>{escape(mark.text)}</text>'


def inline(chart: Chart) -> Markup:
    """For a page, whose style sheet colours it."""
    head = f'<svg viewBox="0 0 {WIDTH} {_fine(chart.height)}" role="img" aria-label="{escape(chart.label)}">'
    return Markup(head + "".join(map(_mark, chart.marks)) + "</svg>")


def _rules(colours: dict[str, str]) -> str:
    return (
        f".b-ink,.t-label,.t-number{{fill:{colours['ink']}}}.b-wash{{fill:{colours['wash']}}}"
        f".b-sheet{{fill:{colours['sheet']}}}.hatch{{fill:{colours['doubt']}}}"
        f".hatch-line{{stroke:{colours['sheet']};stroke-width:2.4;opacity:.35}}"
        f".s-ink{{stroke:{colours['ink']}}}.s-rule{{stroke:{colours['rule']}}}.s-fair{{stroke:{colours['fair']}}}"
        f".s-other,.s-mean{{stroke:{colours['other']}}}.t-axis{{fill:{colours['faint']}}}.t-note{{fill:{colours['other']}}}"
    )


def svg_file(chart: Chart) -> str:
    """A file of its own: light, or dark where the reader's system is."""
    style = (
        "path{fill:none}.b-doubt{fill:url(#hatch);opacity:.6}.s-ink{stroke-width:1.5}"
        ".s-fair{stroke-width:2;stroke-dasharray:3 3}.s-mean{stroke-width:2;stroke-dasharray:4 3}"
        ".s-other{stroke-width:2.5}"
        ".t-label{font:600 12px 'IBM Plex Sans',sans-serif}.t-axis,.t-note{font:11px 'IBM Plex Mono',monospace}"
        ".t-number{font:800 17px 'Sofia Sans Extra Condensed','Arial Narrow',sans-serif}"
        f"{_rules(PAPER)}@media(prefers-color-scheme:dark){{{_rules(NIGHT)}}}"
    )
    margin = 8
    size = f"{-margin} {-margin} {WIDTH + 2 * margin} {_fine(chart.height + 2 * margin)}"
    ground = _mark(Filled(-margin, -margin, WIDTH + 2 * margin, chart.height + 2 * margin, "sheet"))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{size}" role="img" aria-label="{escape(chart.label)}">'
        f"<style>{style}</style><defs>{HATCH}</defs>{ground}{''.join(map(_mark, chart.marks))}</svg>\n"
    )


def png_file(chart: Chart, path: Path) -> None:
    """The same strokes through matplotlib, whose own letters stand for the house's."""
    from matplotlib.figure import Figure
    from matplotlib.patches import Rectangle

    figure = Figure(figsize=(PNG_INCHES, PNG_INCHES * (chart.height + 16) / (WIDTH + 16)), facecolor=PAPER["sheet"])
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_xlim(-8, WIDTH + 8)
    axes.set_ylim(chart.height + 8, -8)
    axes.axis("off")
    unit = PNG_INCHES * 72 / (WIDTH + 16)  # points of a unit
    sizes = {"label": 11, "axis": 10, "note": 10, "number": 14}
    for mark in chart.marks:
        if isinstance(mark, Filled):
            doubt = mark.kind == "doubt"
            axes.add_patch(
                Rectangle(
                    (mark.x, mark.y), mark.width, mark.height, facecolor=PAPER[mark.kind], linewidth=0,
                    alpha=0.6 if doubt else 1.0, hatch="/////" if doubt else None, edgecolor=PAPER["sheet"],
                )
            )  # fmt: skip
        elif isinstance(mark, Stroke):
            xs, ys = zip(*mark.points, strict=True)
            dashes = "--" if mark.kind in ("fair", "mean") else "-"
            colour = PAPER["other" if mark.kind == "mean" else mark.kind]
            axes.plot(xs, ys, dashes, color=colour, linewidth={"rule": 0.7, "other": 2}.get(mark.kind, 1.3))
        else:
            axes.text(
                mark.x, mark.y, mark.text, color=PAPER[{"axis": "faint", "note": "other"}.get(mark.kind, "ink")],
                fontsize=sizes[mark.kind] * unit, fontweight="normal" if mark.kind in ("axis", "note") else "bold",
                ha={"start": "left", "middle": "center", "end": "right"}[mark.anchor],
            )  # fmt: skip
    figure.savefig(path, dpi=DPI, metadata={"Software": None})
