"""Boxes at the table: one's own, typed in value by value, and those that the server offers to everybody.

A box of one's own may be wrong for as long as somebody types; only a right one can be played with.
"""

from __future__ import annotations

import copy
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from samizdat.kernel.box import CONSTANTS, COPY, Box, BoxFile, BoxText, Column, Table, problems
from samizdat.kernel.boxfile import LONGEST_NAME, game_of_box, parse_box_text, write_box
from samizdat.kernel.errors import BoxError
from samizdat.kernel.game import Definition, definition
from samizdat.kernel.telling import Phrase

LONGEST_VALUE = 2000  # characters of one field: an outline has some hundred
WHOLE = re.compile(r"[-−]?\d{1,12}")
MOST_BOXES = 20  # that one visitor keeps
VALUE = Column("value", "int")  # what a constant has instead of columns

Find = Callable[[str, str], str]  # the id in a table that somebody means by a word


def house_text(found: Definition) -> BoxText:
    """The box that everybody has, for somebody to write into."""
    return copy.deepcopy(found.standard_box.text)


def read_draft(found: Definition, name: str, text: str) -> BoxText:
    """A box that is typed in, or brought as a file: with all its tables, whatever their values are."""
    return parse_box_text(BoxFile(name, text), found.standard_box.text.layout)


def playable(found: Definition, text: BoxText) -> Box:
    """BoxError names the first thing that is in the way."""
    return found.box_from(BoxFile(text.path, write_box(text)))


def wrong(found: Definition, text: BoxText) -> list[BoxError]:
    """Everything that is to be mended: all single values, or else the first thing that does not fit together."""
    if single := list(problems(text)):
        return single
    try:
        playable(found, text)
    except BoxError as error:
        return [error]
    return []


@lru_cache(maxsize=256)
def sound(game: str, text: str) -> bool:
    """Whether a kept box can be played with; worked out once."""
    found = definition(game)
    return not wrong(found, read_draft(found, "box.toml", text))


def name_in(text: str) -> str:
    """What a kept box is called: its second line says so."""
    return str(tomllib.loads(text.splitlines()[1])["name"])


# --- how much is whose -----------------------------------------------------------------------------------


def counted(text: BoxText, table: str) -> Counter[str]:
    """How many values of a table come from where."""
    if table == CONSTANTS:
        return Counter(text.origin_of_constant(name) for name in text.constants)
    facts, rows = _table(text, table).facts, range(len(text.tables[table]))
    return Counter(text.origin(table, row, column) for row in rows for column in facts)


def all_counted(text: BoxText) -> Counter[str]:
    return sum((counted(text, table) for table in tables_of(text)), Counter())


def tables_of(text: BoxText) -> list[str]:
    """What a box consists of; single numbers come last."""
    return [table.name for table in text.layout.tables] + ([CONSTANTS] if text.constants else [])


def _table(text: BoxText, name: str) -> Table:
    return next(table for table in text.layout.tables if table.name == name)


# --- typing it in ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Typed:
    """What the form of one table says: its fields, and the button that was pressed, if any."""

    table: str
    fields: Mapping[str, str]  # "c-<row>-<column>"
    act: str = ""  # "copy", "house", "add" or "remove"
    at: str = ""  # "<row>" or "<row>-<column>"

    @property
    def place(self) -> tuple[int, str]:
        row, _, column = self.at.partition("-")
        return (int(row) if row.isascii() and row.isdigit() and len(row) < 6 else -1), column


class StaleForm(BoxError):
    """The form is of another state of the box."""


def typed_in(text: BoxText, house: BoxText, typed: Typed, find: Find) -> BoxText:
    """The box as it is after a form was sent; whatever somebody changed is from that copy from now on."""
    text = copy.deepcopy(text)
    if typed.table == CONSTANTS:
        _type_constants(text, house, typed)
        return text
    table = _table(text, typed.table)
    rows, mine = text.tables[table.name], _mine(text, table)
    if typed.fields and typed.fields.get("rows") != str(len(rows)):
        raise StaleForm(Phrase("This table has changed in another window; look at it again, then go on."))
    for number, row in enumerate(rows):
        for column in table.columns:
            sent = typed.fields.get(f"c-{number}-{column.name}", "" if column.kind == "flag" else None)
            if column.kind == "id" or column.of_sources or not typed.fields or sent is None:
                continue
            value = _value(column, sent, find)
            if value != row[column.name]:
                row[column.name] = value
                mine[number].add(column.name)
    _act(text, house, table, mine, typed)
    _mark(text, house, table, mine)
    return text


def _act(text: BoxText, house: BoxText, table: Table, mine: list[set[str]], typed: Typed) -> None:
    """The button that was pressed."""
    rows, (row, column) = text.tables[table.name], typed.place
    facts = {one.name for one in table.facts}
    if typed.act == "add" and len(rows) < table.most:
        rows.append(_blank(text, table))
        mine.append(set())
    if not 0 <= row < len(rows):
        return
    if typed.act == "remove" and len(rows) > table.least:
        del rows[row], mine[row]
    elif typed.act == "copy":
        mine[row] |= {column} & facts if column else facts
    elif typed.act == "house":
        printed = _same_row(house, text, table.name, row)
        for name in [column] if column else [one.name for one in table.columns]:
            if printed is not None and name in printed:
                rows[row][name] = copy.copy(printed[name])
            mine[row].discard(name)


def _same_row(house: BoxText, text: BoxText, table: str, row: int) -> dict[str, Any] | None:
    """The row of everybody's box that stands for this one; None if it has none."""
    rows = house.tables[table]
    if "id" in text.tables[table][row]:
        return next((one for one in rows if one["id"] == text.tables[table][row]["id"]), None)
    return rows[row] if row < len(rows) else None


def _blank(text: BoxText, table: Table) -> dict[str, Any]:
    """A new row, with an id that no other has."""
    rows, row = text.tables[table.name], dict[str, Any]()
    used = {one.get("id") for one in rows}
    fresh = next(name for number in range(len(rows) + 1, 10_000) if (name := f"{table.name}_{number}") not in used)
    for column in table.columns:
        ids = text.ids(column.table) if column.table else ()
        empty: dict[str, Any] = {
            "id": fresh, "text": column.choices[0] if column.choices else "", "flag": False, "int": column.low,
            "ref": "" if column.optional else next(iter(ids), ""), "refs": [], "ints": [],
        }  # fmt: skip
        row[column.name] = "reconstructed" if column.of_sources else empty[column.kind]
    return row


def _mine(text: BoxText, table: Table) -> list[set[str]]:
    """By row, the columns that are from the owner's copy."""
    rows = range(len(text.tables[table.name]))
    return [{column.name for column in table.facts if text.origin(table.name, row, column) == COPY} for row in rows]


def _mark(text: BoxText, house: BoxText, table: Table, mine: Sequence[set[str]]) -> None:
    """Write down which values are from the owner's copy; the others come from where they came before."""
    marks = dict(house.marks.get(table.name, {}))
    facts = {column.name for column in table.facts}
    for row, columns in enumerate(mine):
        address = text.address(table.name, row)
        if facts and columns >= facts:
            for one in facts:
                marks.pop(f"{address}.{one}", None)
            marks[address] = COPY
        else:
            marks |= {f"{address}.{column}": COPY for column in sorted(columns & facts)}
    text.marks[table.name] = marks


def _type_constants(text: BoxText, house: BoxText, typed: Typed) -> None:
    marks = text.marks[CONSTANTS]
    names = list(text.constants)
    for number, name in enumerate(names):
        sent = typed.fields.get(f"c-{number}-value")
        if sent is not None:
            value = _value(VALUE, sent, lambda _, word: word)
            if value != text.constants[name]:
                text.constants[name] = value
                marks[name] = COPY
    row, _ = typed.place
    if not 0 <= row < len(names):
        return
    if typed.act == "copy":
        marks[names[row]] = COPY
    elif typed.act == "house":
        text.constants[names[row]] = house.constants[names[row]]
        marks.pop(names[row], None)
        marks |= {name: said for name, said in house.marks[CONSTANTS].items() if name == names[row]}


def _value(column: Column, words: str, find: Find) -> Any:
    """What somebody typed, as a table holds it; what makes no sense stays as it is, to be shown as wrong."""
    words = words.strip()[:LONGEST_VALUE]
    if column.kind == "flag":
        return bool(words)
    if column.kind == "int":
        return _whole(words)
    if column.kind == "ref":
        return find(column.table, words) if words else ""
    if column.kind in ("refs", "ints"):
        items = [item.strip() for item in words.split(",") if item.strip()]
        return [find(column.table, item) if column.kind == "refs" else _whole(item) for item in items]
    return words


def _whole(words: str) -> int | str:
    return int(words.replace("−", "-")) if WHOLE.fullmatch(words) else words


def renamed(text: BoxText, name: str) -> BoxText:
    clean = "".join(one for one in name if one.isprintable()).strip()[:LONGEST_NAME]
    return replace(text, name=clean) if clean else text


# --- boxes of the server ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Offered:
    """A box that a table can be opened with."""

    key: str
    box: Box
    own: bool = False


def offered_boxes(files: Sequence[Path]) -> dict[str, list[Offered]]:
    """By game, the boxes that a server offers to everybody; BoxError names the file that is none."""
    found: dict[str, list[Offered]] = {}
    for path in files:
        game = definition(game_of_box(path))
        box = game.box_from(path)
        found.setdefault(game.name, []).append(Offered(f"house-{box.hash}", box))
    return found
