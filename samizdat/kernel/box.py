"""Boxes: what is printed on the components, read from TOML and checked line by line.

A box file is laid out like the tables of a rulebook::

    [areas]
    provenance = "public"
    source = "three reviews"
    columns = ["id", "spaces", "vp"]
    rows = [
        ["fortress", 8, 50],
        ["town_hall", 7, 45],
    ]

and `[constants]` holds single numbers. A game declares the tables it expects; anything missing, unknown or
out of range is refused with the file, the line and the field.
"""

from __future__ import annotations

import functools
import hashlib
import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from samizdat.kernel.arguments import clip, shorten
from samizdat.kernel.errors import BoxError
from samizdat.kernel.files import KB, name_of, parse_box, read_text
from samizdat.kernel.records import Record

PROVENANCE = ("rulebook", "public", "reconstructed")
ID = re.compile(r"[a-z0-9][a-z0-9_]*\Z")
LONGEST_BOX = 256 * KB  # characters; ten times the largest of ours


@dataclass(frozen=True)
class Column:
    """One column: an id, a text, a whole number within bounds, a flag, or ids of another table."""

    name: str
    kind: str  # "id", "text", "int", "flag", "ref" (an id of `table`, or "" if `optional`), "refs", "ints"
    low: int = 0
    high: int = 0
    table: str = ""
    optional: bool = False
    choices: tuple[str, ...] = ()


@dataclass(frozen=True)
class Table:
    """A table of the box: its columns, and how many rows it may have."""

    name: str
    columns: tuple[Column, ...]
    least: int
    most: int


@dataclass(frozen=True)
class Constant:
    """A single number of the box."""

    name: str
    low: int
    high: int


@dataclass
class BoxText:
    """A box file as read: rows and constants, and where each of them stands."""

    name: str
    path: str
    tables: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    constants: dict[str, int] = field(default_factory=dict)
    provenance: dict[str, tuple[str, str]] = field(default_factory=dict)
    lines: dict[tuple[str, int | str], int] = field(default_factory=dict)

    def refuse(self, table: str, where: int | str, what: str) -> BoxError:
        """The error for a row (by number) or a key (by name) of a table."""
        line = self.lines.get((table, where)) or self.lines.get((table, ""), 0)
        at = f", line {line}" if line else ""
        spot = "" if where == "" else f" row {where + 1}" if isinstance(where, int) else f" {shorten(where)}"
        return BoxError(f"{self.path}{at}: [{shorten(table)}]{spot}: {what}")

    def ids(self, table: str) -> tuple[str, ...]:
        return tuple(row["id"] for row in self.tables[table])

    def row(self, table: str, id: str) -> dict[str, Any]:
        """The row with an id."""
        return next(row for row in self.tables[table] if row["id"] == id)

    def index(self, table: str, id: str) -> int:
        """The row number of an id, -1 for the empty one."""
        return self.ids(table).index(id) if id else -1


@dataclass(frozen=True)
class Box:
    """A box ready to play with: the read-only record the rules see, and the names around it."""

    name: str
    record: Record
    text: BoxText
    names: dict[str, tuple[str, ...]]

    def __post_init__(self) -> None:
        """Moves are written and read by these names: one that meant two things would make two moves one text."""
        for kind, words in self.names.items():
            for word in words:
                if words.count(word) > 1:
                    what = f"{clip(word)} would mean two things among the {kind}; choose another id"
                    raise self.text.refuse(*self._row(kind, word), what)

    def _row(self, kind: str, word: str) -> tuple[str, int | str]:
        """The table and row that bring a word in among names of this kind."""
        for table, rows in self.text.tables.items():
            ids = [row.get("id") for row in rows]
            if word in ids and set(ids) <= set(self.names[kind]):
                return table, ids.index(word)
        return kind, ""

    @functools.cached_property
    def hash(self) -> str:
        """A fingerprint of what is printed: it changes with any number, name or count, not with comments."""
        printed = json.dumps([self.text.tables, self.text.constants], sort_keys=True).encode()
        return hashlib.sha256(printed).hexdigest()[:16]


def read_box_text(path: Path, game: str, tables: tuple[Table, ...], constants: tuple[Constant, ...]) -> BoxText:
    """Read and check a box file; BoxError names the first thing wrong with it."""
    raw = read_text(path, LONGEST_BOX, BoxError)
    data, file = parse_box(raw, path), name_of(path)
    text = BoxText(name=data.get("name", path.stem), path=file, lines=_find_lines(raw))
    if data.get("game") != game:
        raise BoxError(f'{file}: this is not a box for {game}: its first line must be game = "{game}".')
    if not isinstance(text.name, str):
        raise BoxError(f"{file}, line {text.lines.get(('', 'name'), 1)}: name must be a text, not {clip(text.name)}")
    known = {"game", "name", "constants", *(table.name for table in tables)}
    for key in data:
        if key not in known:
            raise text.refuse(key, "", f"unknown; a box for {game} has {', '.join(sorted(known))}")
    for table in tables:
        _read_table(text, data, table)
    for table in tables:
        _check_references(text, table)
    _read_constants(text, data, constants)
    return text


def game_of_box(path: Path) -> str:
    """The game a box file says it is for."""
    game = parse_box(read_text(path, LONGEST_BOX, BoxError), path).get("game")
    if not isinstance(game, str):
        raise BoxError(f'{name_of(path)}: the first line must name the game, like game = "revolution".')
    return game


def _find_lines(raw: str) -> dict[tuple[str, int | str], int]:
    """Where tables, keys and rows stand: tomllib itself does not say."""
    lines: dict[tuple[str, int | str], int] = {}
    table, row, in_rows = "", 0, False
    for number, line in enumerate(raw.splitlines(), start=1):
        stripped = line.strip()
        if in_rows and stripped.startswith("["):
            lines[(table, row)] = number
            row += 1
        elif in_rows and stripped.startswith("]"):
            in_rows = False
        elif found := re.match(r"\[([^\[\]]+)\]", stripped):
            table, row, in_rows = found[1].strip(), 0, False
            lines[(table, "")] = number
        elif found := re.match(r"([A-Za-z0-9_]+)\s*=", stripped):
            lines[(table, found[1])] = number
            in_rows = found[1] == "rows" and not stripped.endswith("]]")
    return lines


def _read_table(text: BoxText, data: dict[str, Any], table: Table) -> None:
    found = data.get(table.name)
    if not isinstance(found, dict):
        raise BoxError(f"{text.path}: table [{table.name}] is missing.")
    for key in found:
        if key not in ("provenance", "source", "columns", "rows"):
            raise text.refuse(table.name, key, "unknown key; a table has provenance, source, columns, rows")
    provenance = found.get("provenance")
    if provenance not in PROVENANCE:
        raise text.refuse(table.name, "provenance", f"must be one of {', '.join(PROVENANCE)}")
    text.provenance[table.name] = (provenance, _source(text, table.name, found))
    names = [column.name for column in table.columns]
    if found.get("columns") != names:
        raise text.refuse(table.name, "columns", f"must be {names}")
    rows = found.get("rows")
    if not isinstance(rows, list) or not table.least <= len(rows) <= table.most:
        count = f"has {len(rows)} rows" if isinstance(rows, list) else "has no rows"
        raise text.refuse(table.name, "rows", f"{count}; this game plays with {table.least} to {table.most}")
    text.tables[table.name] = []
    for number, row in enumerate(rows):
        if not isinstance(row, list) or len(row) != len(names):
            raise text.refuse(table.name, number, f"must have {len(names)} values: {', '.join(names)}")
        for column, value in zip(table.columns, row, strict=True):
            if problem := _problem(column, value):
                raise text.refuse(table.name, number, f"{column.name} {problem}")
        text.tables[table.name].append(dict(zip(names, row, strict=True)))
    seen: set[str] = set()
    for number, named in enumerate(text.tables[table.name]):
        if "id" in named and (named["id"] in seen or seen.add(named["id"])):  # type: ignore[func-returns-value]
            raise text.refuse(table.name, number, f"id {clip(named['id'])} is used twice")


def _source(text: BoxText, table: str, found: dict[str, Any]) -> str:
    source = found.get("source", "")
    if not isinstance(source, str):
        raise text.refuse(table, "source", f"must be a text, not {clip(source)}")
    return source


def _problem(column: Column, value: object) -> str | None:
    """What is wrong with one value, or None."""
    if column.kind == "id":
        good = isinstance(value, str) and ID.match(value) is not None
        return None if good else f"must be a word of small letters, digits and _, not {clip(value)}"
    if column.kind in ("text", "ref"):
        if not isinstance(value, str):
            return f"must be a text, not {clip(value)}"
        if column.choices and value not in column.choices:
            return f"must be one of {', '.join(choice or 'nothing' for choice in column.choices)}"
        return None
    if column.kind == "flag":
        return None if isinstance(value, bool) else f"must be true or false, not {clip(value)}"
    if column.kind == "refs":
        good = isinstance(value, list) and all(isinstance(item, str) for item in value)
        return None if good else f"must be a list of ids, not {clip(value)}"
    if column.kind == "ints":
        if isinstance(value, list):
            return next((problem for item in value if (problem := _number(column, item))), None)
        return f"must be a list of whole numbers, not {clip(value)}"
    return _number(column, value)


def _number(column: Column | Constant, value: object) -> str | None:
    if isinstance(value, int) and not isinstance(value, bool) and column.low <= value <= column.high:
        return None
    return f"must be a whole number from {column.low} to {column.high}, not {clip(value)}"


def _check_references(text: BoxText, table: Table) -> None:
    for column in table.columns:
        if column.kind not in ("ref", "refs") or not column.table:
            continue
        ids = set(text.ids(column.table))
        for number, row in enumerate(text.tables[table.name]):
            wanted = row[column.name] if column.kind == "refs" else [row[column.name]]
            for id in wanted:
                if id not in ids and not (id == "" and column.optional):
                    raise text.refuse(table.name, number, f"{column.name} {clip(id)} is not in [{column.table}]")


def _read_constants(text: BoxText, data: dict[str, Any], constants: tuple[Constant, ...]) -> None:
    found = data.get("constants", {})
    if not isinstance(found, dict):
        raise BoxError(f"{text.path}: [constants] must be a table.")
    names = {constant.name for constant in constants}
    for key in found:
        if key not in names and key not in ("provenance", "source"):
            raise text.refuse("constants", key, f"unknown; the constants are {', '.join(sorted(names))}")
    if constants and found.get("provenance") not in PROVENANCE:
        raise text.refuse("constants", "provenance", f"must be one of {', '.join(PROVENANCE)}")
    text.provenance["constants"] = (str(found.get("provenance", "")), _source(text, "constants", found))
    for constant in constants:
        if constant.name not in found:
            raise text.refuse("constants", "", f"{constant.name} is missing")
        if problem := _number(constant, found[constant.name]):
            raise text.refuse("constants", constant.name, problem)
        text.constants[constant.name] = found[constant.name]
