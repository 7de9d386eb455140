"""Boxes: what is printed on the components, read from TOML and checked line by line.

A box file is laid out like the tables of a rulebook::

    [areas]
    provenance = "public"
    rulebook = ["cathedral", "plantation.vp"]
    source = "three reviews"
    columns = ["id", "spaces", "vp"]
    rows = [
        ["fortress", 8, 50],
        ["town_hall", 7, 45],
    ]

and `[constants]` holds single numbers. A game declares the tables it expects (its layout); anything missing, unknown
or out of range is refused with the file, the line and the field. `boxfile.py` writes a box again.
"""

from __future__ import annotations

import functools
import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from samizdat.kernel.arguments import clip, shorten
from samizdat.kernel.errors import BoxError
from samizdat.kernel.files import KB, name_of, parse_box, read_text
from samizdat.kernel.records import Record
from samizdat.kernel.telling import Listing, Phrase

PROVENANCE = ("rulebook", "public", "reconstructed")
COPY = "copy"  # read off a printed copy by whoever owns it
ORIGINS = (*PROVENANCE, COPY)
CONSTANTS = "constants"
ID = re.compile(r"[a-z0-9][a-z0-9_]*\Z")
LONGEST_BOX = 256 * KB  # characters; ten times the largest of ours
LONGEST_NAME = 80  # characters
KEYS = ("provenance", "source", "columns", "rows", *ORIGINS)


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


def read_box_text(
    source: Path | BoxFile, game: str, tables: tuple[Table, ...], constants: tuple[Constant, ...]
) -> BoxText:
    """Read and check a box file; BoxError names the first thing wrong with it."""
    text = parse_box_text(source, Layout(game, tables, constants))
    for wrong in problems(text):
        raise wrong
    return text


def parse_box_text(source: Path | BoxFile, layout: Layout) -> BoxText:
    """A box file with every table and column of its game in it, whatever the values are."""
    raw = _raw(source)
    data, file = parse_box(raw, _file(source)), name_of(_file(source))
    text = BoxText(name=data.get("name", _file(source).stem), path=file, lines=_find_lines(raw), layout=layout)
    if data.get("game") != layout.game:
        why = Phrase('this is not a box for {game}: its first line must be game = "{game}".', {"game": layout.game})
        raise BoxError(Phrase("{file}: {why}", {"file": file, "why": why}))
    if not isinstance(text.name, str) or len(text.name) > LONGEST_NAME:
        line, words = text.lines.get(("", "name"), 1), {"most": LONGEST_NAME, "value": clip(text.name)}
        why = Phrase("name must be a text of at most {most} characters, not {value}", words)
        raise BoxError(Phrase("{file}, line {line}: {why}", {"file": file, "line": line, "why": why}))
    known = ("game", "name", CONSTANTS, *(table.name for table in layout.tables))
    for key in data:
        if key not in known:
            words = {"game": layout.game, "known": Listing(sorted(known))}
            raise text.refuse(key, "", Phrase("unknown; a box for {game} has {known}", words))
    for table in layout.tables:
        _read_table(text, data, table)
    _read_constants(text, data, layout.constants)
    return text


def problems(text: BoxText) -> Iterator[BoxError]:
    """Everything wrong with single values, in the order of the file; how they fit together is the game's to say."""
    for table in text.layout.tables:
        yield from _problems(text, table)
    for table in text.layout.tables:
        yield from _loose_ends(text, table)
    for constant in text.layout.constants:
        if why := _number(constant, text.constants[constant.name]):
            yield text.refuse(CONSTANTS, constant.name, why)


def game_of_box(source: Path | BoxFile) -> str:
    """The game a box file says it is for."""
    game = parse_box(_raw(source), _file(source)).get("game")
    if not isinstance(game, str):
        why = Phrase('the first line must name the game, like game = "revolution".')
        raise BoxError(Phrase("{file}: {why}", {"file": name_of(_file(source)), "why": why}))
    return game


def _raw(source: Path | BoxFile) -> str:
    if isinstance(source, Path):
        return read_text(source, LONGEST_BOX, BoxError)
    if len(source.text) > LONGEST_BOX:
        words = {"file": name_of(_file(source)), "most": LONGEST_BOX // KB}
        raise BoxError(Phrase("{file}: larger than {most} KB, which no such file is.", words))
    return source.text


def _file(source: Path | BoxFile) -> Path:
    return source if isinstance(source, Path) else Path(source.name)


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


def _read_table(text: BoxText, data: Mapping[str, Any], table: Table) -> None:
    found = data.get(table.name)
    if not isinstance(found, dict):
        words = {"file": text.path, "why": Phrase("table [{table}] is missing.", {"table": table.name})}
        raise BoxError(Phrase("{file}: {why}", words))
    for key in found:
        if key not in KEYS:
            raise text.refuse(table.name, key, Phrase("unknown key; a table has {known}", {"known": Listing(KEYS)}))
    _read_sources(text, table.name, found)
    names = [column.name for column in table.columns]
    if found.get("columns") != names:
        raise text.refuse(table.name, "columns", Phrase("must be {columns}", {"columns": str(names)}))
    rows = found.get("rows")
    if not isinstance(rows, list):
        raise text.refuse(table.name, "rows", Phrase("must be a list of rows"))
    if len(rows) > table.most:
        raise text.refuse(table.name, "rows", _count(table, len(rows)))
    text.tables[table.name] = []
    for number, row in enumerate(rows):
        if not isinstance(row, list) or len(row) != len(names):
            words = {"count": len(names), "columns": Listing(names)}
            raise text.refuse(table.name, number, Phrase("must have {count} values: {columns}", words))
        for column, value in zip(table.columns, row, strict=True):
            if not _plain(value):
                raise text.refuse(table.name, number, _problem(column, value) or Phrase("unknown"), column.name)
        text.tables[table.name].append(dict(zip(names, row, strict=True)))
    _check_marks(text, table.name, _addresses(text, table), {f".{name}" for name in names})


def _plain(value: object) -> bool:
    """Whether a table can hold that, right or wrong: a text, a whole number, a flag, or a list of those."""
    items = value if isinstance(value, list) else [value]
    return all(isinstance(item, str | int) for item in items)


def _count(table: Table, rows: int) -> Phrase:
    words = {"count": rows, "least": table.least, "most": table.most}
    return Phrase("has {count} rows; this game plays with {least} to {most}", words)


def _addresses(text: BoxText, table: Table) -> set[str]:
    """All that a mark of a table may speak of."""
    rows = [text.address(table.name, row) for row in range(len(text.tables[table.name]))]
    columns = [f".{column.name}" for column in table.columns]
    return {*rows, *columns, *(row + column for row in rows for column in columns)}


def _read_sources(text: BoxText, table: str, found: Mapping[str, Any]) -> None:
    """Where a table comes from, and what of it comes from elsewhere."""
    provenance = found.get("provenance")
    if provenance not in PROVENANCE:
        raise text.refuse(table, "provenance", Phrase("must be one of {known}", {"known": Listing(PROVENANCE)}))
    source = found.get("source", "")
    if not isinstance(source, str):
        raise text.refuse(table, "source", Phrase("must be a text, not {value}", {"value": clip(source)}))
    text.provenance[table] = (provenance, source)
    marks = text.marks[table] = {}
    for origin in ORIGINS:
        named = found.get(origin, [])
        if not isinstance(named, list) or not all(isinstance(one, str) for one in named):
            why = Phrase("must be a list of texts, not {value}", {"value": clip(named)})
            raise text.refuse(table, origin, why)
        marks |= dict.fromkeys(named, origin)


def _check_marks(text: BoxText, table: str, known: set[str], columns: set[str]) -> None:
    """What is said of a row that somebody took out goes with it; of a column that never was, it is a slip."""
    for address, origin in list(text.marks[table].items()):
        column = address[address.index(".") :] if "." in address else ""
        if (column not in columns) if column else (not columns and address not in known):
            why = Phrase("there is no {address} in this table", {"address": clip(address)})
            raise text.refuse(table, origin, why)
        if address not in known:
            del text.marks[table][address]


def _problems(text: BoxText, table: Table) -> Iterator[BoxError]:
    rows = text.tables[table.name]
    if not table.least <= len(rows) <= table.most:
        yield text.refuse(table.name, "rows", _count(table, len(rows)))
    seen: set[object] = set()
    for number, row in enumerate(rows):
        for column in table.columns:
            if why := _problem(column, row[column.name]):
                yield text.refuse(table.name, number, why, column.name)
            elif column.kind == "id":
                if row["id"] in seen:
                    why = Phrase("{id} is used twice", {"id": clip(row["id"])})
                    yield text.refuse(table.name, number, why, column.name)
                seen.add(row["id"])


def _problem(column: Column, value: object) -> Phrase | None:
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
            return next((why for item in value if (why := _number(column, item))), None)
        return Phrase("must be a list of whole numbers, not {value}", given)
    return _number(column, value)


def _number(column: Column | Constant, value: object) -> Phrase | None:
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
            if _problem(column, value):
                continue  # said already
            for id in value if column.kind == "refs" else [value]:
                if id not in ids and not (id == "" and column.optional):
                    why = Phrase("{id} is not in [{table}]", {"id": clip(id), "table": column.table})
                    yield text.refuse(table.name, number, why, column.name)


def _read_constants(text: BoxText, data: Mapping[str, Any], constants: tuple[Constant, ...]) -> None:
    found = data.get(CONSTANTS, {})
    if not isinstance(found, dict):
        words = {"file": text.path, "why": Phrase("[constants] must be a table.")}
        raise BoxError(Phrase("{file}: {why}", words))
    names = {constant.name for constant in constants}
    for key in found:
        if key not in names and key not in ("provenance", "source", *ORIGINS):
            why = Phrase("unknown; the constants are {known}", {"known": Listing(sorted(names))})
            raise text.refuse(CONSTANTS, key, why)
    if not constants:
        text.provenance[CONSTANTS] = ("", "")
        return
    _read_sources(text, CONSTANTS, found)
    _check_marks(text, CONSTANTS, names, set())
    for constant in constants:
        if constant.name not in found:
            raise text.refuse(CONSTANTS, "", Phrase("{name} is missing", {"name": constant.name}))
        value = found[constant.name]
        if not isinstance(value, str | int):
            raise text.refuse(CONSTANTS, constant.name, _number(constant, value) or Phrase("unknown"))
        text.constants[constant.name] = value  # type: ignore[assignment]  # checked with all the others
