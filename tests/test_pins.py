"""What is installed is what was looked at: whatever is asked for is pinned, and every pin has its hashes."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LOCKS = sorted((ROOT / "requirements").glob("*.txt"))
PIN = re.compile(r"^([A-Za-z0-9._-]+)==([^ \\;]+)")
NAME = re.compile(r"^[A-Za-z0-9._-]+")


def plain(name: str) -> str:
    """A package's name as every writing of it is compared."""
    return re.sub(r"[-_.]+", "-", name).lower()


def asked(lines: list[str]) -> set[str]:
    return {plain(found[0]) for line in lines if (found := NAME.match(line)) and not line.startswith("-")}


def pinned(lock: Path) -> dict[str, list[str]]:
    """The hashes of every package of a lock file."""
    found: dict[str, list[str]] = {}
    for line in lock.read_text().splitlines():
        if pin := PIN.match(line):
            hashes = found.setdefault(plain(pin[1]), [])
        if "--hash=" in line:
            hashes += re.findall(r"--hash=sha256:([0-9a-f]{64})\b", line)
    return found


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_every_pin_has_its_hashes(lock: Path) -> None:
    found = pinned(lock)
    assert found
    assert [name for name, hashes in found.items() if not hashes] == []
    for line in lock.read_text().splitlines():  # nothing comes from anywhere else, or in any version
        bare = line.strip()
        assert not bare or bare.startswith(("#", "--hash=")) or PIN.match(line), f"{lock.name}: {line}"


def test_what_players_install_is_pinned() -> None:
    wanted = asked(tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"])
    assert sorted(wanted - pinned(ROOT / "requirements" / "play.txt").keys()) == [], "make lock"


@pytest.mark.parametrize(
    "lock", [lock for lock in LOCKS if lock.with_suffix(".in").exists()], ids=lambda lock: lock.name
)
def test_what_tests_and_benchmarks_install_is_pinned(lock: Path) -> None:
    wanted = asked(lock.with_suffix(".in").read_text().splitlines())
    assert sorted(wanted - pinned(lock).keys()) == [], "make lock"


def test_one_package_has_one_version_everywhere() -> None:
    """Tests run with what players have."""
    versions: dict[str, set[str]] = {}
    for lock in LOCKS:
        for line in lock.read_text().splitlines():
            if pin := PIN.match(line):
                versions.setdefault(plain(pin[1]), set()).add(pin[2])
    assert {name: found for name, found in versions.items() if len(found) > 1} == {}


def test_packages_are_installed_by_their_hashes_alone() -> None:
    lines = [line for line in (ROOT / "Makefile").read_text().splitlines() if "pip install" in line and "-r " in line]
    assert len(lines) == len(LOCKS)
    assert all("--require-hashes" in line for line in lines)
