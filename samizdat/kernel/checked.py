"""Checked rules: the same functions with every index looked at before it is used, for the tests.

Compiled code checks no index. One that is too high reads whatever lies behind the field, a negative one counts from
its end, and as long as what was read does not matter nobody notices. With SAMIZDAT_CHECKED=1 in the environment the
compiled engines get each function with `grid[a, b]` written as `grid[within(a, ...), within(b, ...)]`; the first wild
index ends the run as a `WildIndex` that names file, line and index (a GPU prints the numbers instead). The mode is
the whole process's: compiled code knows one form of each function.
"""

from __future__ import annotations

import ast
import functools
import inspect
import linecache
import os
import sys
import textwrap
import types
import zlib
from collections.abc import Callable
from typing import Any

CHECKED = os.environ.get("SAMIZDAT_CHECKED") == "1"

LINE_BITS, AXIS_BITS = 20, 4


class WildIndex(IndexError):
    """An index below 0 or beyond the last element. Compiled code can only hand over numbers."""

    def __init__(self, place: int, index: int, size: int) -> None:
        super().__init__(place, index, size)
        self.place, self.index, self.size = place, index, size

    def __str__(self) -> str:
        file, line, axis = read_place(self.place)
        text = linecache.getline(file, line).strip()
        return f"{file}:{line}: `{text}`: index {self.index} of axis {axis}, which has {self.size} elements"


def within(index: int, size: int, place: int) -> int:
    """The index itself, if it is one."""
    if index < 0 or index >= size:
        raise WildIndex(place, index, size)
    return index


def note_place(module: str, line: int, axis: int) -> int:
    """Where an index stands, as a number that is the same in every process: compiled code is kept on disk."""
    return (zlib.crc32(module.encode()) << LINE_BITS | line) << AXIS_BITS | axis


def read_place(place: int) -> tuple[str, int, int]:
    """File, line and axis."""
    axis = place & ((1 << AXIS_BITS) - 1)
    line = place >> AXIS_BITS & ((1 << LINE_BITS) - 1)
    number = place >> AXIS_BITS + LINE_BITS
    found = (module for name, module in sys.modules.items() if zlib.crc32(name.encode()) == number)
    return str(getattr(next(found, None), "__file__", "?")), line, axis


class _Checks(ast.NodeTransformer):
    """Puts `within` around every index of a function."""

    def __init__(self, module: str) -> None:
        self.module = module
        self.found = 0

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        self.found += 1
        several = isinstance(node.slice, ast.Tuple)
        indices = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        whole = ast.unparse(node.value)
        checked: list[ast.expr] = []
        for axis, index in enumerate(indices):
            size = f"{whole}.shape[{axis}]" if axis else f"len({whole})"
            place = note_place(self.module, node.lineno, axis)
            call = ast.parse(f"{within.__name__}(0, {size}, {place})", mode="eval").body
            assert isinstance(call, ast.Call)
            call.args[0] = index
            checked.append(call)
        node.slice = ast.Tuple(checked, ast.Load()) if several else checked[0]
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        return ast.arg(node.arg)  # annotations are not indices

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        node.annotation = ast.Constant(None)
        return self.generic_visit(node)


@functools.cache
def with_checks(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function with every index checked; what it calls stays what it is, as the engines look that up."""
    lines, first = inspect.getsourcelines(function)
    tree = ast.parse(textwrap.dedent("".join(lines)))
    (definition,) = tree.body
    assert isinstance(definition, ast.FunctionDef), function
    definition.decorator_list, definition.returns = [], None
    ast.increment_lineno(tree, first - 1)
    checks = _Checks(function.__module__)
    checks.visit(tree)
    if not checks.found:
        return function
    if function.__closure__:
        raise TypeError(f"{function.__qualname__} is a closure: its indices cannot be checked.")
    code = compile(ast.fix_missing_locations(tree), inspect.getfile(function), "exec")
    (body,) = (part for part in code.co_consts if isinstance(part, types.CodeType))
    known = function.__globals__ | {within.__name__: within}
    twin = types.FunctionType(body, known, function.__name__, function.__defaults__)
    twin.__module__, twin.__qualname__, twin.__doc__ = function.__module__, function.__qualname__, function.__doc__
    return twin
