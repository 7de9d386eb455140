"""The report as one page: a file that needs no other, light or dark, for a screen, a phone or paper.

Charts are inline SVG coloured by the page's tokens, so that they follow the reader's theme; the letters are the
house's, carried inside, as far as the page uses them.
"""

from __future__ import annotations

import base64
import re
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from samizdat.lab.study.ink import HATCH, inline, png_file, svg_file
from samizdat.lab.study.parts import Exhibit
from samizdat.lab.study.report_writer import StudyReport

HERE = Path(__file__).parent
STATIC = HERE.parents[1] / "table" / "static"  # tokens and fonts are the house's
FONTS = (  # three voices; who reads without them loses nothing but their look
    ("Sofia Sans Extra Condensed", 800, "sofia-sans-extra-condensed-{}-800-normal.woff2"),
    ("IBM Plex Mono", 400, "ibm-plex-mono-{}-400-normal.woff2"),
    ("IBM Plex Sans", 400, "ibm-plex-sans-{}-400-normal.woff2"),
    ("IBM Plex Sans", 600, "ibm-plex-sans-{}-600-normal.woff2"),
)
RANGES = {
    "latin": "U+0000-00FF,U+2000-206F,U+20AC,U+2212",
    "latin-ext": "U+0100-02BA,U+1E00-1E9F",
}
EXTENDED = re.compile("[\u0100-\u02ba\u1e00-\u1e9f]")
PAGE, PLOTS = "report.html", "plots"


def tables(figure: Exhibit) -> Markup:
    """The same as the chart, in numbers."""
    head = "".join(f'<th scope="col">{escape(text)}</th>' if text else "<td></td>" for text in figure.head)
    rows = "".join(
        f'<tr><th scope="row">{escape(first)}</th>{"".join(f"<td>{escape(text)}</td>" for text in rest)}</tr>'
        for first, *rest in figure.rows
    )
    return Markup(
        f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(figure.title)}: numbers"><table>'
        f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def fonts(text: str) -> str:
    """The letters that a text needs, as a style sheet that carries them."""
    sets = ("latin", "latin-ext") if EXTENDED.search(text) else ("latin",)
    rules = []
    for family, weight, name in FONTS:
        for letters in sets:
            data = base64.b64encode((STATIC / "fonts" / name.format(letters)).read_bytes()).decode()
            rules.append(
                f"@font-face{{font-family:'{family}';font-weight:{weight};font-display:swap;"
                f"src:url(data:font/woff2;base64,{data}) format('woff2');unicode-range:{RANGES[letters]}}}"
            )
    return "".join(rules)


def style(text: str) -> Markup:
    """Tokens without their comments, our own rules, and the letters."""
    tokens = re.sub(r"/\*.*?\*/", "", (STATIC / "tokens.css").read_text(encoding="utf-8"), flags=re.DOTALL)
    tokens = re.sub(r"\s+", " ", tokens)
    return Markup(tokens + (HERE / "page.css").read_text(encoding="utf-8") + fonts(text))


def page(report: StudyReport) -> str:
    environment = Environment(loader=FileSystemLoader(HERE), autoescape=True, undefined=StrictUndefined)
    template = environment.get_template("page.html.jinja")
    given = {"report": report, "inline": inline, "table": tables, "hatch": Markup(HATCH)}
    text = template.render(style="", **given)
    return template.render(style=style(text), **given) + "\n"


def write(report: StudyReport, folder: Path, png: bool = False) -> list[Path]:
    """The page, and every chart as a file of its own."""
    plots = folder / PLOTS
    plots.mkdir(parents=True, exist_ok=True)
    written = [folder / PAGE]
    written[0].write_text(page(report), encoding="utf-8")
    for figure in (figure for section in report.sections for figure in section.figures):
        if figure.chart:
            written.append(plots / f"{figure.name}.svg")
            written[-1].write_text(svg_file(figure.chart), encoding="utf-8")
            if png:
                written.append(plots / f"{figure.name}.png")
                png_file(figure.chart, written[-1])
    return written
