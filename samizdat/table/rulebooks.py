"""Rulebooks: a game's `rulebook/<language>.md` as HTML, with an anchor at every rule's number."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass

from markdown_it import MarkdownIt
from markupsafe import Markup

from samizdat.kernel.game import definition

NUMBER = re.compile(r"<(p|li|td)>(\s*)<strong>([A-Za-z0-9][A-Za-z0-9.\-]*)\.?</strong>")


@dataclass(frozen=True)
class Rulebook:
    """A rulebook ready to be read."""

    html: Markup
    headings: tuple[tuple[str, str], ...]  # anchor and words
    numbers: frozenset[str]


@functools.cache
def rulebook(name: str, code: str) -> Rulebook:
    """The rulebook of a game, in English where the language has none yet."""
    folder = definition(name).folder / "rulebook"
    file = folder / f"{code}.md"
    text = (file if file.is_file() else folder / "en.md").read_text(encoding="utf-8")
    html = str(MarkdownIt("commonmark").enable("table").render(text))
    numbers: list[str] = []

    def anchor(found: re.Match[str]) -> str:
        tag, space, number = found.groups()
        numbers.append(number)
        return f'<{tag} id="{number}">{space}<strong><a href="#{number}">{number}</a></strong>'

    html = NUMBER.sub(anchor, html)
    headings: list[tuple[str, str]] = []

    def heading(found: re.Match[str]) -> str:
        words = re.sub(r"<[^>]+>", "", found[2])
        headings.append((f"part-{len(headings) + 1}", words))
        return f'<h2 id="part-{len(headings)}">{found[2]}</h2>'

    html = re.sub(r"<h(2)>(.*?)</h2>", heading, html)
    return Rulebook(Markup(html), tuple(headings), frozenset(numbers))
