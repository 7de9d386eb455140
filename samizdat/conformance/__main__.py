"""`python -m samizdat.conformance PACKAGE`: hold a game to the suite."""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import sys
import tomllib
from pathlib import Path

from samizdat.conformance import games
from samizdat.kernel.arguments import clip
from samizdat.kernel.errors import OptionError, SamizdatError
from samizdat.kernel.game import OUTSIDE, Definition, definitions

TIERS = ("lab", "table")
HERE = Path(__file__).parent


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m samizdat.conformance", description=__doc__)
    parser.add_argument("package", help="a game's name, an installed package, or a folder with a pyproject.toml")
    parser.add_argument("--tier", choices=TIERS, help="lab: the rules; table: what people meet; usually both")
    parser.epilog = "What follows -- goes to pytest."
    own, rest = cut(sys.argv[1:])
    given = parser.parse_args(own)
    if importlib.util.find_spec("pytest") is None:
        sys.exit("samizdat: the conformance suite needs pytest: pip install pytest.")
    try:
        games.CHOSEN.extend(found.name for found in announced_by(given.package))
        games.GIVEN.append(given.package)
    except SamizdatError as error:
        sys.exit(f"samizdat: {error}")
    sys.exit(run([given.tier] if given.tier else list(TIERS), rest))


def cut(given: list[str]) -> tuple[list[str], list[str]]:
    """What stands before `--`, and what after it."""
    at = given.index("--") if "--" in given else len(given)
    return given[:at], given[at + 1 :]


def run(tiers: list[str], rest: list[str]) -> int:
    import pytest

    folders = [str(HERE / tier) for tier in tiers]
    own = ["-q", "-p", "no:cacheprovider", "--rootdir", str(HERE), "-c", str(HERE / "pytest.ini")]
    return int(pytest.main([*own, *folders, *rest]))


def announced_by(package: str) -> list[Definition]:
    """The games of a package, known to this process from now on."""
    if package in definitions():
        return [definitions()[package]]
    found = _of_folder(Path(package)) if Path(package).is_dir() else _of_module(package)
    if not found:
        raise OptionError(f"{clip(package)} announces no game: it needs an entry point of the group {OUTSIDE}.")
    for one in found:
        if definitions().setdefault(one.name, one) is not one:
            raise OptionError(f"There is another game that is called {clip(one.name)}.")
    return found


def _of_folder(folder: Path) -> list[Definition]:
    """The games that a pyproject.toml announces; its folder is searched before what is installed."""
    file = folder / "pyproject.toml"
    if not file.is_file():
        raise OptionError(f"{clip(str(folder))} has no pyproject.toml.")
    entries = tomllib.loads(file.read_text(encoding="utf-8")).get("project", {}).get("entry-points", {})
    sys.path.insert(0, str(folder.resolve()))
    return [_definition(*str(value).split(":")) for value in entries.get(OUTSIDE, {}).values()]


def _of_module(name: str) -> list[Definition]:
    if not all(part.isidentifier() for part in name.split(".")) or importlib.util.find_spec(name) is None:
        raise OptionError(f"There is no game, package or folder {clip(name)}.")
    module = importlib.import_module(name)
    return [value for value in vars(module).values() if isinstance(value, Definition)]


def _definition(module: str, name: str) -> Definition:
    found = vars(importlib.import_module(module)).get(name)
    if not isinstance(found, Definition):
        raise OptionError(f"{module}:{name} is no Definition.")
    return found


if __name__ == "__main__":
    main()
