"""Boxes as pages show them: tables, fields and problems in the reader's words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from samizdat.kernel.box import CONSTANTS, COPY, ORIGINS, BoxText, Column, Table
from samizdat.kernel.errors import BoxError
from samizdat.kernel.game import Definition
from samizdat.kernel.telling import Phrase, Word
from samizdat.table.boxes import VALUE, all_counted, counted, tables_of, wrong
from samizdat.table.language import Language, Speaker

FEW = 12  # rows that a list to choose from shows at once; of more, one types the beginning
NOTHING = "–"
ORIGIN_WORDS = {
    COPY: Phrase("my copy"),
    "rulebook": Phrase("rulebook"),
    "public": Phrase("public sources"),
    "reconstructed": Phrase("reconstructed"),
}


@dataclass(frozen=True)
class BoxTable:
    """One table of a box in the list of them."""

    name: str
    label: str
    mine: int
    all: int
    wrong: int
    counts: dict[str, int]
    source: str


@dataclass(frozen=True)
class BoxCell:
    """One field."""

    name: str  # of the form's field
    column: str
    label: str  # for those who hear it
    kind: str  # "flag", "choice", "typed" or "list"
    value: str
    checked: bool
    number: bool
    origin: str
    drawn: bool
    choices: tuple[tuple[str, str], ...] = ()
    list: str = ""  # the list of names that may be typed
    wrong: str = ""


@dataclass(frozen=True)
class BoxRow:
    """One row of a table."""

    number: int
    label: str
    cells: tuple[BoxCell, ...]
    mine: bool  # all of it


class BoxPage:
    """One box, one of its tables open. One that is `right` need not be checked."""

    def __init__(
        self, found: Definition, text: BoxText, speech: Language, table: str = "", right: bool = False
    ) -> None:
        self.found, self.text, self.speech = found, text, speech
        self.say = Speaker(speech, found.choose())
        self.tables = tables_of(text)
        self._names: dict[str, dict[str, str]] = {}
        self.table = table if table in self.tables else _first_open(text)
        self.problems: list[BoxError] = [] if right else wrong(found, text)

    def word(self, kind: str, id: str) -> str:
        return self.speech.word(self.found.name, Word(kind, id))

    # --- all of it ---------------------------------------------------------------------------------------

    @cached_property
    def counts(self) -> dict[str, int]:
        found = all_counted(self.text)
        return {origin: found[origin] for origin in (COPY, *ORIGINS[:-1])}

    @cached_property
    def parts(self) -> list[BoxTable]:
        return [self._part(name) for name in self.tables]

    def _part(self, name: str) -> BoxTable:
        found = counted(self.text, name)
        bad = sum(error.table == name for error in self.problems)
        return BoxTable(
            name, self.word("tables", name), found[COPY], found.total(), bad,
            {origin: found[origin] for origin in (COPY, *ORIGINS[:-1])}, self.text.provenance[name][1],
        )  # fmt: skip

    @cached_property
    def part(self) -> BoxTable:
        return next(one for one in self.parts if one.name == self.table)

    @cached_property
    def mended(self) -> list[tuple[str, str, str]]:
        """What is to be mended: the table, the field's name if there is one, and the sentence."""
        return [(error.table or self.table, self._field(error), self.sentence(error)) for error in self.problems]

    def sentence(self, error: BoxError) -> str:
        """A problem as somebody reads it who never saw the file."""
        place = [self.word("tables", error.table)] if error.table else []
        if error.table == CONSTANTS and error.column:
            place = [self.word(CONSTANTS, error.column)]
        elif error.row is not None and error.table in self.text.tables:
            place = [self.row_label(error.table, error.row)]
        if error.column and error.table != CONSTANTS and error.column != "id":
            place.append(self.word("columns", error.column))
        why = self.say(error.why if error.why is not None else error.args[0])
        return f"{', '.join(place)}: {why}." if place else why

    def _field(self, error: BoxError) -> str:
        if error.table == CONSTANTS:
            names = list(self.text.constants)
            return f"c-{names.index(error.column)}-value" if error.column in names else ""
        return f"c-{error.row}-{error.column}" if error.row is not None and error.column not in ("", "id") else ""

    # --- the open table ----------------------------------------------------------------------------------

    @cached_property
    def columns(self) -> list[tuple[str, bool]]:
        """What stands above the fields, and whether it is for the picture alone."""
        if self.table == CONSTANTS:
            return [(self.word("columns", "value"), False)]
        return [(self.word("columns", one.name), one.drawn) for one in self._shown]

    @property
    def _layout(self) -> Table:
        return next(table for table in self.text.layout.tables if table.name == self.table)

    @cached_property
    def _shown(self) -> list[Column]:
        told = [one for one in self._layout.columns if one.kind != "id" and not one.of_sources]
        return sorted(told, key=lambda one: one.drawn)

    @property
    def may_grow(self) -> bool:
        return self.table != CONSTANTS and len(self.text.tables[self.table]) < self._layout.most

    @property
    def may_shrink(self) -> bool:
        return self.table != CONSTANTS and len(self.text.tables[self.table]) > self._layout.least

    @cached_property
    def _bad(self) -> dict[tuple[int | None, str], str]:
        found: dict[tuple[int | None, str], str] = {}
        for error in self.problems:
            if error.table == self.table:
                found.setdefault((error.row, error.column), self.sentence(error))
        return found

    @cached_property
    def lines(self) -> list[BoxRow]:
        if self.table == CONSTANTS:
            return [self._constant(number, name) for number, name in enumerate(self.text.constants)]
        return [self._line(number, row) for number, row in enumerate(self.text.tables[self.table])]

    def said_of(self, line: BoxRow) -> list[str]:
        """What is wrong with a row."""
        if self.table == CONSTANTS:
            return [words for (_, name), words in self._bad.items() if name == list(self.text.constants)[line.number]]
        return [words for (row, _), words in self._bad.items() if row == line.number]

    @property
    def said_of_all(self) -> list[str]:
        """What is wrong with the table as a whole."""
        return [words for (row, name), words in self._bad.items() if row is None and self.table != CONSTANTS]

    def _constant(self, number: int, name: str) -> BoxRow:
        label, origin = self.word(CONSTANTS, name), self.text.origin_of_constant(name)
        value, bad = str(self.text.constants[name]), self._bad.get((None, name), "")
        cell = BoxCell(
            f"c-{number}-value", VALUE.name, label, "typed", value, False, True, origin, False, wrong=bad
        )  # fmt: skip
        return BoxRow(number, label, (cell,), origin == COPY)

    def _line(self, number: int, row: dict[str, Any]) -> BoxRow:
        label = self.row_label(self.table, number)
        cells = tuple(self._cell(number, label, one, row[one.name]) for one in self._shown)
        facts = [cell for cell in cells if not cell.drawn]
        return BoxRow(number, label, cells, bool(facts) and all(cell.origin == COPY for cell in facts))

    def _cell(self, number: int, label: str, column: Column, value: Any) -> BoxCell:
        name, wrong = f"c-{number}-{column.name}", self._bad.get((number, column.name), "")
        origin = "drawn" if column.drawn else self.text.origin(self.table, number, column)
        label = f"{label}, {self.word('columns', column.name)}"
        choices = self._choices(column, value)
        kind = "flag" if column.kind == "flag" else "choice" if choices else "typed"
        shown = value if isinstance(value, str) else ", ".join(map(str, value)) if isinstance(value, list) else value
        if column.kind == "ref" and not choices:
            shown = self.called(column.table, str(value))
        elif column.kind == "refs" and isinstance(value, list):
            shown = ", ".join(self.called(column.table, str(one)) for one in value)
        return BoxCell(
            name, column.name, label, kind, str(shown), value is True, column.kind == "int", origin, column.drawn,
            choices, f"names-{column.table}" if column.kind == "ref" and not choices else "", wrong,
        )  # fmt: skip

    def _choices(self, column: Column, value: Any) -> tuple[tuple[str, str], ...]:
        """What can be chosen, each with its word; what stands there and cannot be, too."""
        if column.kind == "ref" and len(self.text.tables[column.table]) <= FEW:
            known = [(id, self.called(column.table, id)) for id in self.text.ids(column.table)]
            known = [("", NOTHING), *known] if column.optional else known
        elif column.choices:
            known = [(one, self.word(f"{column.name}s", one) if one else NOTHING) for one in column.choices]
        else:
            return ()
        if value not in [id for id, _ in known]:
            known = [(str(value), str(value)), *known]
        return tuple(known)

    @cached_property
    def lists(self) -> dict[str, list[str]]:
        """By id of the list, names that may be typed."""
        if self.table == CONSTANTS:
            return {}
        long = [one.table for one in self._shown if one.kind in ("ref", "refs") and one.table]
        return {f"names-{table}": [self.called(table, id) for id in self.text.ids(table)] for table in long}

    # --- names of rows -----------------------------------------------------------------------------------

    def row_label(self, table: str, row: int) -> str:
        here = self.text.tables[table][row]
        if "id" in here:
            return self.called(table, str(here["id"]))
        return self.say(Phrase("row {number}", {"number": row + 1}))

    def called(self, table: str, id: str) -> str:
        """What a row is called; what no row is called stays as it was typed."""
        if table not in self._names:
            self._names[table] = self._all_called(table)
        return self._names[table].get(id, id)

    def _all_called(self, table: str) -> dict[str, str]:
        """By id, what the rows of a table are called: no two of them the same."""
        names = {
            str(row["id"]): self._called(table, str(row["id"])) for row in self.text.tables[table] if "id" in row
        }
        times, used = Counter(names.values()), Counter[str]()
        for id, name in names.items():
            if times[name] > 1:
                used[name] += 1
                names[id] = f"{name} ({used[name]})"
        return names

    def _called(self, table: str, id: str) -> str:
        """As the game calls it, as it is printed, or as the file does."""
        words = self.speech.glossaries[self.found.name]
        if (table, id, "") in words:
            return words[table, id, ""]
        other = next((word for (_, one, form), word in words.items() if one == id and not form), "")
        rows = self.text.tables[table]
        row = next((one for one in rows if one.get("id") == id), {})
        return str(row.get("name") or other or str(Word(table, id)))

    def find(self, table: str, words: str) -> str:
        """The id that somebody means: the name of a row in this language, or the id itself."""
        wanted = words.casefold()
        for id in self.text.ids(table) if table else ():
            if wanted in (str(id).casefold(), self.called(table, str(id)).casefold()):
                return str(id)
        return words


def _first_open(text: BoxText) -> str:
    """The table that one begins with: the largest of those that somebody had to make up."""
    sizes = {name: counted(text, name)["reconstructed"] for name in tables_of(text)}
    return max(sizes, key=lambda name: sizes[name]) if any(sizes.values()) else tables_of(text)[0]


def summary(counts: dict[str, int], speech: Language) -> str:
    """How much comes from where, for those who do not see the bar."""
    say = Speaker(speech)
    return ", ".join(f"{say(ORIGIN_WORDS[origin])}: {number}" for origin, number in counts.items() if number)


def share(number: int, counts: Sequence[int]) -> float:
    return round(100 * number / max(1, sum(counts)), 1)
