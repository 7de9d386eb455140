"""Marking rules: plain Python functions that the native and the GPU engine may compile.

A function marked with `@rule` stays what it is, so the interpreter, the debugger and the coverage tool see
ordinary code. The engines compile it when first asked. Rules keep to what all three ways of running accept:
integers, records, `if`, `for`, `while`; no allocation, no exceptions, no slices.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

RULES: list[Callable[..., Any]] = []
INLINED: set[Callable[..., Any]] = set()


def rule(function: F) -> F:
    """Let compiled code call this function."""
    RULES.append(function)
    return function


def inlined(function: F) -> F:
    """A rule whose body compiled code repeats where it is called, for the few places where a call costs too much."""
    INLINED.add(function)
    return rule(function)
