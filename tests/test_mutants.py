"""The changes that `tests/mutants.py` makes to rules, and that they take effect wherever the rule is called."""

from __future__ import annotations

import ast
import sys
import tomllib

import pytest

from samizdat.kernel.game import Definition, definitions
from tests.conftest import label
from tests.mutants import EQUIVALENT, changes, mutants, put_in_place

SOURCE = """
def count(s, seats):
    n = 0
    for seat in range(seats):
        if s.gold[seat] > 2 and s.open:
            n += 1
    note(s, n)
    return n
"""


def test_every_kind_of_change_is_made_once() -> None:
    (function,) = ast.parse(SOURCE).body
    assert isinstance(function, ast.FunctionDef)
    number = len(list(changes(function)))
    changed = set()
    for place in range(number):
        (fresh,) = ast.parse(SOURCE).body
        assert isinstance(fresh, ast.FunctionDef)
        list(changes(fresh))[place][2]()
        changed.add(ast.unparse(ast.fix_missing_locations(fresh)))
    assert len(changed) == number
    text = "\n".join(changed)
    for expected in (
        "gold[seat] >= 2", "gold[seat] > 3", "> 2 or s.open", "if not (s.gold", "n -= 1", "n += 2", "n = 1", "pass",
    ):  # fmt: skip
        assert expected in text, expected
    assert ast.unparse(function) not in changed


@pytest.mark.parametrize("definition", definitions().values(), ids=label)
def test_a_changed_rule_is_the_one_that_everybody_calls(definition: Definition) -> None:
    mutant = next(one for one in mutants(definition) if one.function in vars(sys.modules[one.module]))
    rule = getattr(sys.modules[mutant.module], mutant.function)
    true = rule.__code__
    try:
        put_in_place(mutant)
        assert rule.__code__ != true
        assert rule.__code__.co_varnames[: true.co_argcount] == true.co_varnames[: true.co_argcount]
    finally:
        rule.__code__ = true


def test_every_excuse_is_for_a_mutant_that_there_is() -> None:
    for name, excused in tomllib.loads(EQUIVALENT.read_text(encoding="utf-8")).items():
        known = {mutant.name for mutant in mutants(definitions()[name])}
        assert set(excused) <= known, name
        assert all(len(reason) > 20 for reason in excused.values()), name


@pytest.mark.parametrize("definition", definitions().values(), ids=label)
def test_every_mutant_has_a_name_of_its_own(definition: Definition) -> None:
    names = [mutant.name for mutant in mutants(definition)]
    assert len(set(names)) == len(names) > 500
