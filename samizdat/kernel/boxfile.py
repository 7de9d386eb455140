"""Writing a box as a file: the one way there is, so that the same box is the same text everywhere."""

from __future__ import annotations

import json
from collections.abc import Sequence

from samizdat.kernel.box import CONSTANTS, ORIGINS, BoxText

Value = str | int | bool | Sequence[str | int]


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
