"""Rulebooks: a game's `rulebook/<language>.md` as HTML, with an anchor at every rule's number."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from dataclasses import dataclass
from html import unescape
from typing import Any

from markdown_it import MarkdownIt
from markupsafe import Markup

from samizdat.kernel.game import definition, rulebook_text
from samizdat.table.language import language
from samizdat.table.pictures import pictures
from samizdat.table.rulings import folded

NUMBER = re.compile(r"<(p|li|td)>(\s*(?:<p>)?)<strong>([A-Za-z0-9][A-Za-z0-9.\-]*)\.?</strong>")
CITED = re.compile(r"(?<![\w#\">/.-])([A-Z]+-?\d+(?:\.\d+)*[a-z]?|\d+\.\d+(?:\.\d+)*)(?![\w.-]*[\w<]/)\b")

# Pictures: each in a step of the round at a glance, or by itself; what is drawn there comes later (PLACE).
STEP = re.compile(r'<li>\s*<img src="([\w]+)" alt="([^"]*)" />\s*(.*?)</li>', re.DOTALL)
FIGURE = re.compile(r'<p><img src="([\w]+)" alt="([^"]*)" /></p>')
PLACE = re.compile(r"<!--([\w]+)-->")

MOST_LISTED = 12  # of the corners of an outline and the like


@dataclass(frozen=True)
class Rulebook:
    """A rulebook ready to be read."""

    language: str
    title: str
    aim: str  # in one sentence
    lead: Markup  # what stands before the first part
    html: Markup  # with an empty place for every picture
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


@dataclass(frozen=True)
class _Text:
    """A rulebook as HTML, in the order of its file: anchors and links set, nothing folded yet."""

    language: str
    title: str
    aim: str
    lead: str
    body: str
    headings: tuple[tuple[str, str], ...]
    numbers: frozenset[str]


@functools.cache
def _text(name: str, code: str) -> _Text:
    found, text = rulebook_text(definition(name), code)
    html = str(MarkdownIt("commonmark").enable("table").render(text))
    numbers: list[str] = []
    headings: list[tuple[str, str]] = []
    once = {"title": "", "aim": ""}

    def anchor(match: re.Match[str]) -> str:
        tag, space, number = match.groups()
        numbers.append(number)
        return f'<{tag} id="{number}">{space}<strong><a href="#{number}">{number}</a></strong>'

    def heading(match: re.Match[str]) -> str:
        headings.append((f"part-{len(headings) + 1}", _plain(match[1])))
        return f'<h2 id="part-{len(headings)}">{match[1]}</h2>'

    def taken(what: str) -> Callable[[re.Match[str]], str]:
        def take(match: re.Match[str]) -> str:
            once[what] = _plain(match[1])
            return ""

        return take

    html = re.sub(r"<h1>(.*?)</h1>", taken("title"), html, count=1)
    html = re.sub(r"<blockquote>(.*?)</blockquote>", taken("aim"), html, count=1, flags=re.DOTALL)
    html = NUMBER.sub(anchor, html)
    html = re.sub(r"<h2>(.*?)</h2>", heading, html)
    known = frozenset(numbers)
    html = _link_citations(html, known)
    html = html.replace("<table>", '<div class="scroll"><table>').replace("</table>", "</table></div>")
    html = STEP.sub(
        r'<li><div class="drawn" role="img" aria-label="\2"><!--\1--></div><div class="saying">\3</div></li>', html
    )
    html = html.replace('<ol>\n<li><div class="drawn"', '<ol class="glance">\n<li><div class="drawn"')
    html = FIGURE.sub(
        r'<figure class="pictured"><div class="drawn"><!--\1--></div><figcaption>\2</figcaption></figure>', html
    )
    lead, cut, body = html.partition("<h2")
    return _Text(found, once["title"], once["aim"], lead.strip(), cut + body, tuple(headings), known)


def _plain(html: str) -> str:
    return unescape(re.sub(r"<[^>]+>", "", html)).strip()


@functools.cache
def rulebook(name: str, code: str) -> Rulebook:
    """The rulebook of a game, in English where the language has none yet; rulings are folded under their rules."""
    text = _text(name, code)
    html = Markup(
        folded(definition(name), language(text.language), text.body)
    )  # our own file, rendered with HTML off
    return Rulebook(text.language, text.title, text.aim, Markup(text.lead), html, text.headings, text.numbers)


@functools.cache
def illustrated(name: str, code: str) -> Markup:
    """The text of a rulebook with its pictures."""
    book, drawn = rulebook(name, code), pictures(name, code)
    return Markup(PLACE.sub(lambda match: drawn[match[1]], book.html))


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
    for title, _, number, inside in CLAUSE.findall(_text(name, code).body):
        if number:
            found.append(Clause(number, part, Markup(inside.replace('href="#', f'href="/rules/{name}#'))))
        else:
            part = _plain(title)
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
