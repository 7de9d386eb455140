"""Imports point one way: cli -> lab, table -> bots -> kernel, games -> kernel; the kernel knows no game by name."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest

import samizdat

ROOT = Path(samizdat.__file__).parent
# What each room may import from the others.
ALLOWED = {
    "kernel": {"kernel"},
    "games": {"kernel", "games"},
    "bots": {"kernel", "bots"},
    "lab": {"kernel", "bots", "lab"},
    "table": {"kernel", "bots", "table"},
    "conformance": {"kernel", "bots", "lab", "table", "conformance"},
    "programs": {"kernel", "programs"},
    "admin": {"kernel", "table"},
    "cli": {"kernel", "bots", "lab", "table", "programs", "admin", "cli"},
    "__main__": {"cli"},
    "": {"kernel", "games", "bots"},
}
FILES = sorted(ROOT.rglob("*.py"))


def room(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return "" if parts == ("__init__",) else parts[0]


def imported(path: Path) -> set[str]:
    """The rooms of the package that a file imports."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        for name in names:
            parts = name.split(".")
            if parts[0] == "samizdat" and len(parts) > 1:
                found.add(parts[1])
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_point_one_way(path: Path) -> None:
    assert imported(path) <= ALLOWED[room(path)], f"{path.relative_to(ROOT)} looks into a room it must not know"


# At a table: what happens there knows nothing of how it is shown.
DOMAIN = (
    "seats",
    "journal",
    "events",
    "tables",
    "commands",
    "declined",
    "house",
    "at_hand",
    "storing",
    "store.store",
    "versions",
    "importing",
)
SHOWING = ("jinja2", "markupsafe", "babel", "fastapi", "starlette")  # libraries that pages are made with
DRAWN = (
    "viewing",
    "drawings",
    "rendering",
    "contexts",
    "page_parts",
    "fast_jinja",
    "streams",
    "pages",
    "language",
    "cards",
    "replays",
    "routes",
)


def modules(path: Path) -> set[str]:
    """The modules that a file imports, by their whole names."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


@pytest.mark.parametrize("name", DOMAIN)
def test_what_happens_at_a_table_does_not_know_how_it_is_shown(name: str) -> None:
    """Neither itself nor through anything of the table's that it imports."""
    known, coming = set(), [f"samizdat.table.{name}"]
    while coming:
        module = coming.pop()
        path = ROOT.parent / f"{module.replace('.', '/')}.py"
        if module in known or not path.exists():
            continue
        known.add(module)
        names = modules(path)
        assert not {one.split(".")[0] for one in names} & set(SHOWING), f"{module} makes pages"
        coming += [one for one in names if one.startswith("samizdat.table.")]
    assert f"samizdat.table.{name}" in known
    assert not known & {f"samizdat.table.{one}" for one in DRAWN}


@pytest.mark.parametrize(
    "path", [path for path in FILES if room(path) == "games"], ids=lambda path: str(path.relative_to(ROOT))
)
def test_games_do_not_know_each_other(path: Path) -> None:
    own = path.relative_to(ROOT).parts[1]
    text = path.read_text(encoding="utf-8")
    others = [folder.name for folder in (ROOT / "games").iterdir() if folder.is_dir() and folder.name != own]
    assert not [other for other in others if f"samizdat.games.{other}" in text]


def test_the_kernel_and_the_lab_name_no_game() -> None:
    names = [folder.name for folder in (ROOT / "games").iterdir() if (folder / "rules.py").exists()]
    for path in FILES:
        if room(path) in ("kernel", "lab", "bots", "table", "conformance"):
            code = ast.parse(path.read_text(encoding="utf-8"))
            words = {node.id for node in ast.walk(code) if isinstance(node, ast.Name)}
            assert not words & set(names), path


def test_the_conformance_suite_names_no_game() -> None:
    names = [folder.name for folder in (ROOT / "games").iterdir() if (folder / "rules.py").exists()]
    for suite in (ROOT / "conformance", Path(__file__).parent / "conformance"):
        for path in suite.rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            assert not [name for name in names if name in text or name.replace("_", "-") in text], path


def test_importing_the_package_does_not_import_the_compiler() -> None:
    import subprocess
    import sys

    code = "import samizdat, sys; samizdat.game('revolution').match(1); print('numba' in sys.modules)"
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"
    )


MIRRORS = ("games", "conformance", "routes", "store")  # files here are named after what they are about elsewhere


def test_no_file_name_stands_twice() -> None:
    files = [path for path in ROOT.rglob("*.py") if not {*path.relative_to(ROOT).parts} & {*MIRRORS}]
    counted = Counter(path.name for path in files if not path.name.startswith("__"))
    assert not [name for name, number in counted.items() if number > 1]


def test_no_class_name_stands_twice() -> None:
    """One word, one meaning. Games do not know each other: each has a State and a Show."""
    parsed = [ast.parse(path.read_text(encoding="utf-8")) for path in FILES if room(path) != "games"]
    counted = Counter(node.name for tree in parsed for node in tree.body if isinstance(node, ast.ClassDef))
    assert not [name for name, number in counted.items() if number > 1]
