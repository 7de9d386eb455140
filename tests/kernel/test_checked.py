"""The checked mode catches every kind of wild index in compiled code, and without it nothing changes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from samizdat.kernel.checked import WildIndex, note_place, read_place, with_checks
from samizdat.kernel.native import Native
from samizdat.kernel.records import Ints, Record, grid, scalar
from samizdat.kernel.rule import rule


class Shelf(Record):
    books: Ints = grid((2, 3), 0, 100, "a test")
    cups: Ints = grid(4, 0, 100, "a test")
    lamp: int = scalar(0, 1, "a test")


COLOURS = (7, 8, 9)


@rule
def put_book(s: Shelf, board: int, place: int) -> None:
    s.books[board, place] = 1


@rule
def add_cup(s: Shelf, place: int) -> None:
    s.cups[place] += 1


@rule
def colour(number: int) -> int:
    return COLOURS[number]


def use(shelves: Any, how: int, a: int, b: int) -> int:
    s = shelves[0]
    if how == 0:
        put_book(s, a, b)
    elif how == 1:
        add_cup(s, a)
    elif how == 2:
        return colour(a)
    elif how == 3:
        return shelves[a].lamp  # type: ignore[no-any-return]
    elif how == 4:
        return s.cups[s.cups[a]]  # type: ignore[no-any-return]
    return 0


RIGHT = [(0, 1, 2), (1, 3, 0), (2, 2, 0), (3, 0, 0), (4, 3, 0)]
WILD = {
    "too high in the first axis": ((0, 2, 0), "s.books[board, place] = 1", "index 2 of axis 0, which has 2"),
    "too high in the second": ((0, 1, 3), "s.books[board, place] = 1", "index 3 of axis 1, which has 3"),
    "negative in the first axis": ((0, -1, 0), "s.books[board, place] = 1", "index -1 of axis 0"),
    "negative in the second": ((0, 0, -3), "s.books[board, place] = 1", "index -3 of axis 1"),
    "added to": ((1, 4, 0), "s.cups[place] += 1", "index 4 of axis 0, which has 4"),
    "added to, negative": ((1, -1, 0), "s.cups[place] += 1", "index -1 of axis 0"),
    "a table of constants": ((2, 3, 0), "return COLOURS[number]", "index 3 of axis 0, which has 3"),
    "a table of constants, negative": ((2, -1, 0), "return COLOURS[number]", "index -1 of axis 0"),
    "an array of records": ((3, 1, 0), "return shelves[a].lamp", "index 1 of axis 0, which has 1"),
    "an array of records, negative": ((3, -1, 0), "return shelves[a].lamp", "index -1 of axis 0"),
    "an index within an index": ((4, 9, 0), "return s.cups[s.cups[a]]", "index 9 of axis 0, which has 4"),
}


def try_all(cases: list[tuple[int, int, int]]) -> None:
    """In a process of its own: what each case came to."""
    compiled = Native(Path(__file__)).compile(use)
    for case in cases:
        try:
            compiled(np.zeros(1, Shelf.dtype), *case)
            print(json.dumps("fine"))
        except WildIndex as error:
            print(json.dumps(str(error)))


def outcomes(cases: list[tuple[int, int, int]], cache: Path, mode: str) -> list[str]:
    code = f"from tests.kernel.test_checked import try_all; try_all({cases})"
    environment = os.environ | {"SAMIZDAT_CHECKED": mode, "SAMIZDAT_CACHE": str(cache)}
    ran = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in ran.stdout.splitlines()]


def test_compiled_code_names_every_wild_index(tmp_path: Path) -> None:
    cases = RIGHT + [case for case, _, _ in WILD.values()]
    for run in ("compiled", "read from disk"):
        told = outcomes(cases, tmp_path, "1")
        assert told[: len(RIGHT)] == ["fine"] * len(RIGHT), run
        for sentence, (kind, (_, line, words)) in zip(told[len(RIGHT) :], WILD.items(), strict=True):
            assert "test_checked.py" in sentence, (run, kind)
            assert f"`{line}" in sentence, (run, kind)
            assert words in sentence, (run, kind)


def test_the_mode_is_off_unless_asked_for(tmp_path: Path) -> None:
    """Wild, but within the record: a negative index counts from the end, as compiled code always did."""
    assert outcomes([(0, -1, 0), (1, -1, 0)], tmp_path, "0") == ["fine", "fine"]


def test_a_place_is_the_same_number_in_every_process() -> None:
    file, line, axis = read_place(note_place(__name__, 12345, 2))
    assert (Path(file), line, axis) == (Path(__file__), 12345, 2)


def test_a_function_without_an_index_stays_itself() -> None:
    def glue(one: int) -> int:
        return one + len(COLOURS)

    assert with_checks(glue) is glue


def test_a_closure_with_an_index_is_refused() -> None:
    table = (1, 2)

    def look_up(number: int) -> int:
        return table[number]

    with pytest.raises(TypeError, match="closure"):
        with_checks(look_up)
