"""Compiled code is put together once, and found again wherever it was compiled."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
from numba.core import codegen

from samizdat.kernel import kept
from samizdat.kernel.native import Native
from samizdat.kernel.rule import rule


@rule
def triple(n: int) -> int:
    return 3 * n


@rule
def odd(n: int) -> int:
    return triple(n) + 1


@rule
def step(n: int) -> int:
    return odd(n) if n % 2 else n // 2


def steps_to_one(start: Any) -> int:
    """A loop over rules that stand three calls deep."""
    n, steps = start[0], 0
    while n != 1:
        n = step(n)
        steps += 1
    return steps


@numba.njit
def halve(n: int) -> int:
    return n // 2 if n % 2 == 0 else triple(n) + 1


def halvings(start: Any) -> int:
    return int(halve(start[0]))


def start_with(n: int) -> Any:
    return np.array([n], np.int64)


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAMIZDAT_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def optimised(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What goes through LLVM, by name."""
    names: list[str] = []
    before = codegen.CPUCodeLibrary._optimize_final_module

    def noted(self: Any) -> None:
        names.extend([] if self.name == "nrt" else [self.name])  # Numba's own runtime, once in a process
        before(self)  # type: ignore[no-untyped-call]

    monkeypatch.setattr(codegen.CPUCodeLibrary, "_optimize_final_module", noted)
    return names


def test_a_loop_goes_through_llvm_once_with_all_its_rules(optimised: list[str]) -> None:
    assert Native(Path(__file__)).compile(steps_to_one)(start_with(27)) == steps_to_one(start_with(27)) == 111
    assert optimised == ["steps_to_one"]


def test_a_function_that_a_loop_took_in_can_still_be_called(optimised: list[str]) -> None:
    """From Python, and from code that is compiled in Numba's own way."""
    assert Native(Path(__file__)).compile(halvings)(start_with(7)) == 22
    assert halve(7) == 22
    assert numba.njit(lambda n: halve(n) + step(n))(9) == 28 + 28


def test_code_is_read_from_disk(optimised: list[str]) -> None:
    for _ in range(2):
        assert Native(Path(__file__)).compile(steps_to_one)(start_with(6)) == 8
    assert optimised == ["steps_to_one"]


def test_a_closure_is_not_compiled() -> None:
    """Two of them could not be told apart by their source."""
    held = 3
    with pytest.raises(TypeError, match="is a closure"):
        Native(Path(__file__)).compile(lambda start: held)


COUNTED = """
import sys
from pathlib import Path
from numba.core import dispatcher
from samizdat.kernel import kept
from tests.kernel import test_linking as here
kept.SHIPPED = Path(sys.argv[1])
compiled = here.Native(Path(here.__file__)).compile(here.steps_to_one)
assert compiled(here.start_with(27)) == 111
print(sum(compiled.stats.cache_misses.values()))
"""


def compilations(shipped: Path, cache: Path, **environment: str) -> int:
    """How often a process of its own compiled."""
    known = os.environ | {"SAMIZDAT_CACHE": str(cache)} | environment
    command = [sys.executable, "-c", COUNTED, str(shipped)]
    return int(subprocess.run(command, env=known, capture_output=True, text=True, check=True).stdout)


@pytest.mark.skipif(not kept.runs_portable_code(), reason="this processor lacks what shipped code takes for granted")
def test_shipped_code_is_found_by_a_user_with_an_empty_cache(tmp_path: Path) -> None:
    shipped = tmp_path / "shipped"
    assert compilations(tmp_path / "none", shipped, NUMBA_CPU_NAME=kept.PORTABLE, NUMBA_CPU_FEATURES="") == 1
    assert compilations(shipped, tmp_path / "mine") == 0
    assert compilations(tmp_path / "none", tmp_path / "mine") == 1


def test_what_nobody_used_for_a_month_goes(tmp_path: Path) -> None:
    root = tmp_path / "cache"
    used, forgotten = root / "used", root / "forgotten"
    for folder in (used, forgotten):
        folder.mkdir(parents=True)
        os.utime(folder, (0, 0))
    kept.sweep(root, used)
    assert used.is_dir()
    assert not forgotten.exists()


def test_a_home_that_cannot_be_written_to_is_no_obstacle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("SAMIZDAT_CACHE", str(tmp_path / "file" / "cache"))
    assert Native(Path(__file__)).compile(steps_to_one)(start_with(6)) == 8
