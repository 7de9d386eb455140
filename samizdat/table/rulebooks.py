"""Rulebooks: a game's `rulebook/<language>.md` as HTML, with an anchor at every rule's number."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from typing import Any

from markdown_it import MarkdownIt
from markupsafe import Markup

from samizdat.kernel.game import definition, rulebook_text

NUMBER = re.compile(r"<(p|li|td)>(\s*(?:<p>)?)<strong>([A-Za-z0-9][A-Za-z0-9.\-]*)\.?</strong>")
CITED = re.compile(r"(?<![\w#\">/.-])([A-Z]+-?\d+(?:\.\d+)*[a-z]?|\d+\.\d+(?:\.\d+)*)(?![\w.-]*[\w<]/)\b")

MOST_LISTED = 12  # of the corners of an outline and the like


@dataclass(frozen=True)
class Rulebook:
    """A rulebook ready to be read."""

    language: str
    title: str
    html: Markup
    headings: tuple[tuple[str, str], ...]  # anchor and words
    numbers: frozenset[str]


@dataclass(frozen=True)
class Clause:
    """One numbered rule, and the title of the part in which it stands."""

    number: str
    part: str
    html: Markup


@dataclass(frozen=True)
class Component:
    """One table of the box: what is printed, and how we know."""

    name: str
    provenance: str
    source: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@functools.cache
def rulebook(name: str, code: str) -> Rulebook:
    """The rulebook of a game, in English where the language has none yet."""
    found, text = rulebook_text(definition(name), code)
    html = str(MarkdownIt("commonmark").enable("table").render(text))
    numbers: list[str] = []
    headings: list[tuple[str, str]] = []
    title = ""

    def anchor(match: re.Match[str]) -> str:
        tag, space, number = match.groups()
        numbers.append(number)
        return f'<{tag} id="{number}">{space}<strong><a href="#{number}">{number}</a></strong>'

    def heading(match: re.Match[str]) -> str:
        words = re.sub(r"<[^>]+>", "", match[1])
        headings.append((f"part-{len(headings) + 1}", words))
        return f'<h2 id="part-{len(headings)}">{match[1]}</h2>'

    def first(match: re.Match[str]) -> str:
        nonlocal title
        title = re.sub(r"<[^>]+>", "", match[1])
        return ""

    html = re.sub(r"<h1>(.*?)</h1>", first, html, count=1)
    html = NUMBER.sub(anchor, html)
    html = re.sub(r"<h2>(.*?)</h2>", heading, html)
    known = frozenset(numbers)
    html = _link_citations(html, known)
    html = html.replace("<table>", '<div class="scroll"><table>').replace("</table>", "</table></div>")
    return Rulebook(found, title, Markup(html), tuple(headings), known)  # our own file, rendered with HTML off


def _link_citations(html: str, known: frozenset[str]) -> str:
    """Rules that cite other rules link to them."""

    def link(match: re.Match[str]) -> str:
        return f'<a href="#{match[1]}">{match[1]}</a>' if match[1] in known else match[0]

    pieces = re.split(r"(<a .*?</a>|<h2.*?</h2>|<[^>]+>)", html)
    return "".join(piece if piece.startswith("<") else CITED.sub(link, piece) for piece in pieces)


CLAUSE = re.compile(r'<h2[^>]*>(.*?)</h2>|<(p|li|td) id="([^"]+)">(.*?)</\2>', re.DOTALL)


@functools.cache
def clauses(name: str, code: str) -> tuple[Clause, ...]:
    """The numbered rules of a game in the order of its rulebook; what they cite leads into the book."""
    found = []
    part = ""
    for title, _, number, inside in CLAUSE.findall(rulebook(name, code).html):
        if number:
            found.append(Clause(number, part, Markup(inside.replace('href="#', f'href="/rules/{name}#'))))
        else:
            part = re.sub(r"<[^>]+>", "", title)
    return tuple(found)


@functools.cache
def components(name: str) -> tuple[Component, ...]:
    """What is printed in the box of a game, table by table, each with where it comes from."""
    text = definition(name).standard_box.text
    found = []
    for table, rows in text.tables.items():
        columns = tuple(rows[0]) if rows else ()
        printed = tuple(tuple(_written(row[column]) for column in columns) for row in rows)
        found.append(Component(_words(table), *text.provenance[table], tuple(map(_words, columns)), printed))
    if text.constants:
        printed = tuple((_words(key), str(value)) for key, value in text.constants.items())
        found.append(Component("Constants", *text.provenance["constants"], ("name", "value"), printed))
    return tuple(found)


def _words(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _written(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else ""
    if isinstance(value, list):
        more = ["…"] if len(value) > MOST_LISTED else []
        return ", ".join([*map(str, value[:MOST_LISTED]), *more])
    return str(value)
