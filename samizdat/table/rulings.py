"""Rulings in a rulebook: each folded under the rule that it is about, in the order of the game's `rulings.toml`.

A rulebook's file lists its rulings at the end, by number. Who reads a rule wants those on it and no others; who looks
for a number finds it by its anchor, by the search of the page, and in the index that is left where the list was.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence

from samizdat.kernel.game import Definition
from samizdat.table.examples import examples_of
from samizdat.table.language import Language

ITEM = re.compile(r'<li id="([^"]+)">(.*?)</li>\n?', re.DOTALL)
EMPTIED = re.compile(r"<ul>\s*((?:<!--ruling [^>]+-->\s*)+)</ul>")
LEFT = re.compile(r"<!--ruling ([^>]+)-->")


def rulings_of(found: Definition) -> Mapping[str, Sequence[str]]:
    """The rulings on each rule that has any."""
    file = found.folder / "rulings.toml"
    return tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}


def folded(found: Definition, spoken: Language, html: str) -> str:
    """The text of a rulebook with rulings and worked examples under the rules they are about."""
    under = rulings_of(found)
    moved = {number for numbers in under.values() for number in numbers}
    examples = examples_of(found, spoken, under)
    texts = {number: inside for number, inside in ITEM.findall(html) if number in moved}

    def item(match: re.Match[str]) -> str:
        number, inside = match.groups()
        if number in moved:
            return f"<!--ruling {number}-->"
        folds = _fold(spoken, under.get(number, ()), texts) + examples.get(number, "")
        return f'<li id="{number}">{inside}{folds}</li>\n'

    return EMPTIED.sub(_index, ITEM.sub(item, html))


def _fold(spoken: Language, numbers: Sequence[str], texts: Mapping[str, str]) -> str:
    if not numbers:
        return ""
    word = spoken.ngettext("Ruling", "Rulings", len(numbers))
    named = " ".join(f"<b>{number}</b>" for number in numbers)
    items = "".join(f'<li id="{number}" class="ruling">{texts[number]}</li>' for number in numbers)
    return f'<details class="rulings"><summary>{word} {named}</summary><ul>{items}</ul></details>'


def _index(match: re.Match[str]) -> str:
    """What is left of a list of rulings: where to find each."""
    links = "".join(f'<li><a href="#{number}">{number}</a></li>' for number in LEFT.findall(match[1]))
    return f'<ul class="index">{links}</ul>'
