"""The tables of docs/spec/, as whoever writes a second program would copy them from the pages."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PAGES = Path(__file__).parents[2] / "docs" / "spec"
GAMES = {
    "Revolution!": "revolution",
    "Dual Powers: Revolution 1917": "dual-powers",
    "Mali Powstańcy: Warszawa 1944": "mali-powstancy",
    "A War of Whispers": "war-of-whispers",
}


@dataclass(frozen=True)
class Option:
    """What an option may be: its values or the ends of its range, and in which variants it is one."""

    values: tuple[Any, ...]
    low: int
    high: int
    default: Any
    variants: tuple[str, ...]

    def allows(self, value: Any) -> bool:
        if self.values:
            return any(value is one or (isinstance(one, str) and value == one) for one in self.values)
        return type(value) is int and self.low <= value <= self.high


@dataclass(frozen=True)
class Kind:
    """A kind of decision: where its numbers begin, and for each argument the name of its list and its capacity."""

    first: int
    arguments: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Facts:
    """What the pages say of a game."""

    rules: tuple[int, ...]
    box: str
    variants: dict[str, tuple[int, ...]]
    reasons: tuple[str, ...]
    options: dict[str, Option]
    kinds: dict[str, Kind]


def rows(text: str, *heads: str) -> list[list[str]]:
    """The rows of the one table with these headings."""
    head = "| " + " | ".join(heads) + " |"
    ((after),) = text.split(head)[1:]
    found = []
    for line in after.splitlines()[2:]:
        if not line.startswith("|"):
            break
        found.append([cell.strip() for cell in line.strip("|").split("|")])
    return found


def code(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def read_option(values: str, default: str, variants: str) -> Option:
    words = tuple(json.loads(one) for one in code(values))
    ends = [int(one) for one in re.findall(r"\d+", values)] if not words else [0, 0]
    return Option(words, ends[0], ends[1], json.loads(code(default)[0]), tuple(code(variants)))


def read_kinds(part: str) -> dict[str, Kind]:
    found = {}
    for name, arguments, first, _ in rows(part, "kind", "arguments", "first number", "decided at"):
        lists = re.findall(r"\w+: (\w+) (\d+)", arguments)
        found[code(name)[0]] = Kind(int(first), tuple((label, int(size)) for label, size in lists))
    return found


def read_pages() -> dict[str, Facts]:
    file, notation = ((PAGES / name).read_text(encoding="utf-8") for name in ("match-file.md", "notation.md"))
    options: dict[str, dict[str, Option]] = {name: {} for name in GAMES.values()}
    for game, option, values, default, variants in rows(
        file, "game", "option", "values", "unless chosen", "variants"
    ):
        options[code(game)[0]][code(option)[0]] = read_option(values, default, variants)
    parts = {part.partition("\n")[0]: part for part in re.split(r"^### ", notation, flags=re.MULTILINE)[1:]}
    found = {}
    for game, rules, box, variants, reasons in rows(
        file, "game", "rules", "standard box", "variants and players", "reasons"
    ):
        name = code(game)[0]
        (title,) = [title for title, one in GAMES.items() if one == name]
        counts = {
            one[0]: tuple(int(n) for n in one[1].split(", ")) for one in re.findall(r"`(\w+)` (\d[\d, ]*)", variants)
        }
        found[name] = Facts(
            tuple(int(one) for one in rules.split(", ")), code(box)[0], counts, tuple(code(reasons)), options[name],
            read_kinds(parts[title]),
        )  # fmt: skip
    return found


FACTS = read_pages()
