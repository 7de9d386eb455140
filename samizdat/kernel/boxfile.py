"""Box files: TOML that is read and checked line by line, and written in the one way there is, so that the same box
is the same text everywhere.

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

and `[constants]` holds single numbers.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from samizdat.kernel.arguments import clip
from samizdat.kernel.box import (
    CONSTANTS,
    ORIGINS,
    PROVENANCE,
    BoxFile,
    BoxText,
    Constant,
    Layout,
    Table,
    number_problem,
    problem_of,
    problems,
    rows_wanted,
)
from samizdat.kernel.errors import BoxError
from samizdat.kernel.files import KB, name_of, parse_box, read_text
from samizdat.kernel.telling import Listing, Phrase

LONGEST_BOX = 256 * KB  # characters; ten times the largest of ours
LONGEST_NAME = 80  # characters
KEYS = ("provenance", "source", "columns", "rows", *ORIGINS)

Value = str | int | bool | Sequence[str | int]


# --- Reading ------------------------------------------------------------------------------------------------


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
        raise text.refuse(table.name, "rows", rows_wanted(table, len(rows)))
    text.tables[table.name] = []
    for number, row in enumerate(rows):
        if not isinstance(row, list) or len(row) != len(names):
            words = {"count": len(names), "columns": Listing(names)}
            raise text.refuse(table.name, number, Phrase("must have {count} values: {columns}", words))
        for column, value in zip(table.columns, row, strict=True):
            if not _plain(value):
                raise text.refuse(table.name, number, problem_of(column, value) or Phrase("unknown"), column.name)
        text.tables[table.name].append(dict(zip(names, row, strict=True)))
    _check_marks(text, table.name, _addresses(text, table), {f".{name}" for name in names})


def _plain(value: object) -> bool:
    """Whether a table can hold that, right or wrong: a text, a whole number, a flag, or a list of those."""
    items = value if isinstance(value, list) else [value]
    return all(isinstance(item, str | int) for item in items)


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
            raise text.refuse(CONSTANTS, constant.name, number_problem(constant, value) or Phrase("unknown"))
        text.constants[constant.name] = value  # type: ignore[assignment]  # checked with all the others


# --- Writing ------------------------------------------------------------------------------------------------


def write_box(text: BoxText) -> str:
    """The TOML of a box, right or wrong; read again, it is the same box."""
    lines = [f"game = {_value(text.layout.game)}", f"name = {_value(text.name)}"]
    for table in text.layout.tables:
        lines += _head(text, table.name)
        lines.append(f"columns = {_value([column.name for column in table.columns])}")
        rows = text.tables[table.name]
        lines += ["rows = [", *(f"    {_value(list(row.values()))}," for row in rows), "]"] if rows else ["rows = []"]
    if text.layout.constants:
        lines += _head(text, CONSTANTS)
        lines += [f"{name} = {_value(value)}" for name, value in text.constants.items()]
    return "\n".join(lines) + "\n"


def _head(text: BoxText, table: str) -> list[str]:
    provenance, source = text.provenance[table]
    lines = ["", f"[{table}]", f"provenance = {_value(provenance)}", f"source = {_value(source)}"]
    for origin in ORIGINS:
        named = [address for address, said in text.marks[table].items() if said == origin]
        lines += [f"{origin} = {_value(named)}"] if named else []
    return lines


def _value(value: Value) -> str:
    if isinstance(value, str):  # JSON's texts are TOML's, but for one sign that TOML wants escaped
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    return f"[{', '.join(map(_value, value))}]"
