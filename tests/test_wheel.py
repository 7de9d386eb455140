"""What `make wheel` builds a wheel from. Building one takes minutes: `tools/wheel.py` does."""

from __future__ import annotations

import tomllib
from importlib.metadata import version
from pathlib import Path

from samizdat.kernel import kept
from tools import wheel


def test_a_wheel_asks_for_what_its_code_was_compiled_by() -> None:
    told = tomllib.loads(wheel.described((wheel.ROOT / "pyproject.toml").read_text()))
    asked = told["project"]["dependencies"]
    assert {f"numba=={version('numba')}", f"numpy=={version('numpy')}"} <= set(asked)
    assert told["tool"]["setuptools"]["package-data"]["samizdat"] == [f"{kept.SHIPPED.name}/*/*.code"]


def test_a_wheel_is_built_from_the_sources_alone(tmp_path: Path) -> None:
    wheel.copied(tmp_path)
    files = {file.relative_to(tmp_path) for file in tmp_path.rglob("*") if file.is_file()}
    assert Path(kept.__file__).relative_to(wheel.ROOT) in files
    assert not [file for file in files if file.suffix in (".pyc", ".code")]
    assert wheel.ROOT / "samizdat" / kept.SHIPPED.name == kept.SHIPPED
