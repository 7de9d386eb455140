"""The numbered rules of every game, and which tests cite them: `make rules` prints the table.

python -m tests.rulebook
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

import pytest
from rich.console import Console
from rich.table import Table

from samizdat.kernel.game import Definition, definitions
from samizdat.kernel.scenes import read_scenes

TESTS = Path(__file__).parent
RECORDED = TESTS / "recorded"
NUMBER = re.compile(r"^\s*[-*] \*\*([A-Z]*-?\d*(?:\.\d+)*[a-z]?)\*\*", re.MULTILINE)


def read_rulebook(definition: Definition) -> dict[str, str]:
    """Rule numbers of the English rulebook with their texts."""
    text = (definition.folder / "rulebook" / "en.md").read_text(encoding="utf-8")
    parts = NUMBER.split(text)
    return {number: body.strip() for number, body in zip(parts[1::2], parts[2::2], strict=True)}


def excuses(name: str) -> dict[str, str]:
    """Rules about cardboard only, each with a written reason why no test can hold it."""
    path = TESTS / "excuses.toml"
    found: dict[str, str] = tomllib.loads(path.read_text(encoding="utf-8")).get(name, {})
    return found


class Citations:
    """A pytest plugin that collects which test cites which rule."""

    def __init__(self) -> None:
        self.found: dict[str, dict[str, list[str]]] = {}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        for item in items:
            for mark in item.iter_markers("rules"):
                for number in mark.args[1:]:
                    self.found.setdefault(mark.args[0], {}).setdefault(number, []).append(item.nodeid)


def citations() -> dict[str, dict[str, list[str]]]:
    """Game to rule number to the tests and scenes that cite it."""
    plugin = Citations()
    code = pytest.main(["--collect-only", "-qq", "-p", "no:cacheprovider", str(TESTS)], plugins=[plugin])
    if code != 0:
        raise SystemExit("the tests could not be collected")
    for definition in definitions().values():
        for scene in read_scenes(definition):
            for number in scene.rules:
                plugin.found.setdefault(definition.name, {}).setdefault(number, []).append(f"scene {scene.name}")
    return plugin.found


def gaps(definition: Definition, cited: dict[str, list[str]]) -> list[str]:
    """Rules of a game that nothing cites and nobody excused."""
    return [
        number
        for number in read_rulebook(definition)
        if number not in cited and number not in excuses(definition.name)
    ]


def main() -> None:
    found = citations()
    console = Console()
    failed = False
    for definition in definitions().values():
        cited = found.get(definition.name, {})
        table = Table(title=f"{definition.title}: rules and the tests that hold them")
        for column in ("rule", "tests", "first of them, or the excuse"):
            table.add_column(column)
        for number in read_rulebook(definition):
            tests = cited.get(number, [])
            excuse = excuses(definition.name).get(number)
            note = tests[0] if tests else f"excused: {excuse}" if excuse else "[bold red]no test[/]"
            table.add_row(number, str(len(tests)), note)
        console.print(table)
        unknown = sorted(set(cited) - set(read_rulebook(definition)))
        missing = gaps(definition, cited)
        if missing or unknown:
            failed = True
        if missing:
            console.print(f"[bold red]{definition.name}: no test cites {', '.join(missing)}")
        if unknown:
            console.print(f"[bold red]{definition.name}: tests cite rules that do not exist: {', '.join(unknown)}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
