"""Boxes: what is printed on the components. `boxfile.py` reads and writes them as files.

A game declares the tables it expects (its layout); anything missing, unknown or out of range is refused with the
file, the line and the field.
"""

from __future__ import annotations

import functools
import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from samizdat.kernel.arguments import clip, shorten
from samizdat.kernel.errors import BoxError
from samizdat.kernel.records import Record
from samizdat.kernel.telling import Listing, Phrase

PROVENANCE = ("rulebook", "public", "reconstructed")
COPY = "copy"  # read off a printed copy by whoever owns it
ORIGINS = (*PROVENANCE, COPY)
CONSTANTS = "constants"
ID = re.compile(r"[a-z0-9][a-z0-9_]*\Z")


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
    source: str = "provenance"  # the column, if there is such, that says where its values come from
    drawn: bool = False  # for the picture alone: the rules do not read it

    @property
    def of_sources(self) -> bool:
        """Whether it only says where others come from."""
        return self.choices == PROVENANCE


@dataclass(frozen=True)
class Table:
    """A table of the box: its columns, and how many rows it may have."""

    name: str
    columns: tuple[Column, ...]
    least: int
    most: int

    @functools.cached_property
    def facts(self) -> tuple[Column, ...]:
        """The columns that the printed components could say otherwise; of a mere list of names, the names."""
        told = tuple(one for one in self.columns if one.kind != "id" and not one.of_sources and not one.drawn)
        return told or tuple(one for one in self.columns if one.kind == "id" and len(self.columns) == 1)


@dataclass(frozen=True)
class Constant:
    """A single number of the box."""

    name: str
    low: int
    high: int


@dataclass(frozen=True)
class Layout:
    """What a box of a game consists of."""

    game: str
    tables: tuple[Table, ...] = ()
    constants: tuple[Constant, ...] = ()


@dataclass(frozen=True)
class BoxFile:
    """The text of a box file that lies in no folder, and what to call it in a refusal."""

    name: str
    text: str


@dataclass
class BoxText:
    """A box file as read: rows and constants, where each of them stands and where it comes from."""

    name: str
    path: str
    tables: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    constants: dict[str, int] = field(default_factory=dict)
    provenance: dict[str, tuple[str, str]] = field(default_factory=dict)
    lines: dict[tuple[str, int | str], int] = field(default_factory=dict)
    layout: Layout = Layout("")
    # By table: what comes from elsewhere than the table itself: a row ("tavern"), a column (".vp"), or one of both.
    marks: dict[str, dict[str, str]] = field(default_factory=dict)

    def refuse(self, table: str, where: int | str, why: Phrase | str, column: str = "") -> BoxError:
        """The error for a row (by number) or a key (by name) of a table."""
        line = self.lines.get((table, where)) or self.lines.get((table, ""), 0)
        row = where if isinstance(where, int) else None
        spot: Phrase | str = "" if where == "" else f" {shorten(where)}"
        if row is not None:
            words = {"row": row + 1, "column": column}
            spot = Phrase(" row {row}, {column}", words) if column else Phrase(" row {row}", words)
        place = {
            "file": self.path, "at": Phrase(", line {line}", {"line": line}) if line else "", "table": shorten(table),
            "spot": spot, "why": why,
        }  # fmt: skip
        said = Phrase("{file}{at}: [{table}]{spot}: {why}", place)
        key = where if isinstance(where, str) and table == CONSTANTS else column
        return BoxError(said, table, row, key, why)

    def ids(self, table: str) -> tuple[str, ...]:
        return tuple(row["id"] for row in self.tables[table])

    def row(self, table: str, id: str) -> dict[str, Any]:
        """The row with an id."""
        return next(row for row in self.tables[table] if row["id"] == id)

    def index(self, table: str, id: str) -> int:
        """The row number of an id, -1 for the empty one."""
        return self.ids(table).index(id) if id else -1

    def address(self, table: str, row: int) -> str:
        """How marks call a row: by its id, or else by its number."""
        return str(self.tables[table][row].get("id", row + 1))

    def origin(self, table: str, row: int, column: Column) -> str:
        """Where one value comes from: what is said of it, of its row, of its column, or else of the whole table."""
        marks, address = self.marks.get(table, {}), self.address(table, row)
        for said in (f"{address}.{column.name}", address, f".{column.name}"):
            if said in marks:
                return marks[said]
        return str(self.tables[table][row].get(column.source) or self.provenance[table][0])

    def origin_of_constant(self, name: str) -> str:
        return self.marks.get(CONSTANTS, {}).get(name) or self.provenance[CONSTANTS][0]


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
                    what = Phrase(
                        "{word} would mean two things among the {kind}; choose another id",
                        {"word": clip(word), "kind": kind},
                    )
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
        """A fingerprint of what is printed: it changes with any number, name or count, not with comments or where
        something comes from."""
        printed = json.dumps([self.text.tables, self.text.constants], sort_keys=True).encode()
        return hashlib.sha256(printed).hexdigest()[:16]


def problems(text: BoxText) -> Iterator[BoxError]:
    """Everything wrong with single values, in the order of the file; how they fit together is the game's to say."""
    for table in text.layout.tables:
        yield from _problems(text, table)
    for table in text.layout.tables:
        yield from _loose_ends(text, table)
    for constant in text.layout.constants:
        if why := number_problem(constant, text.constants[constant.name]):
            yield text.refuse(CONSTANTS, constant.name, why)


def rows_wanted(table: Table, rows: int) -> Phrase:
    words = {"count": rows, "least": table.least, "most": table.most}
    return Phrase("has {count} rows; this game plays with {least} to {most}", words)


def _problems(text: BoxText, table: Table) -> Iterator[BoxError]:
    rows = text.tables[table.name]
    if not table.least <= len(rows) <= table.most:
        yield text.refuse(table.name, "rows", rows_wanted(table, len(rows)))
    seen: set[object] = set()
    for number, row in enumerate(rows):
        for column in table.columns:
            if why := problem_of(column, row[column.name]):
                yield text.refuse(table.name, number, why, column.name)
            elif column.kind == "id":
                if row["id"] in seen:
                    why = Phrase("{id} is used twice", {"id": clip(row["id"])})
                    yield text.refuse(table.name, number, why, column.name)
                seen.add(row["id"])


def problem_of(column: Column, value: object) -> Phrase | None:
    """What is wrong with one value, or None."""
    given = {"value": clip(value)}
    if column.kind == "id":
        good = isinstance(value, str) and ID.match(value) is not None
        return None if good else Phrase("must be a word of small letters, digits and _, not {value}", given)
    if column.kind in ("text", "ref"):
        if not isinstance(value, str):
            return Phrase("must be a text, not {value}", given)
        if column.choices and value not in column.choices:
            known = Listing([choice or Phrase("nothing") for choice in column.choices])
            return Phrase("must be one of {known}", {"known": known})
        return None
    if column.kind == "flag":
        return None if isinstance(value, bool) else Phrase("must be true or false, not {value}", given)
    if column.kind == "refs":
        good = isinstance(value, list) and all(isinstance(item, str) for item in value)
        return None if good else Phrase("must be a list of ids, not {value}", given)
    if column.kind == "ints":
        if isinstance(value, list):
            return next((why for item in value if (why := number_problem(column, item))), None)
        return Phrase("must be a list of whole numbers, not {value}", given)
    return number_problem(column, value)


def number_problem(column: Column | Constant, value: object) -> Phrase | None:
    if isinstance(value, int) and not isinstance(value, bool) and column.low <= value <= column.high:
        return None
    words = {"low": column.low, "high": column.high, "value": clip(value)}
    return Phrase("must be a whole number from {low} to {high}, not {value}", words)


def _loose_ends(text: BoxText, table: Table) -> Iterator[BoxError]:
    """Ids that no row of the table they point to has."""
    for column in table.columns:
        if column.kind not in ("ref", "refs") or not column.table:
            continue
        ids = set(text.ids(column.table))
        for number, row in enumerate(text.tables[table.name]):
            value = row[column.name]
            if problem_of(column, value):
                continue  # said already
            for id in value if column.kind == "refs" else [value]:
                if id not in ids and not (id == "" and column.optional):
                    why = Phrase("{id} is not in [{table}]", {"id": clip(id), "table": column.table})
                    yield text.refuse(table.name, number, why, column.name)
