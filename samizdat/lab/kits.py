"""Kits: what a machine needs before it can work on tasks of another one.

Settings and bots travel as words. So a machine must have the same program, the same games and the same bots, or its
games would be other games: a fingerprint of each goes along, and the first that differs is named. Files that only the
sender has go along whole.
"""

from __future__ import annotations

import functools
import hashlib
import inspect
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path

from samizdat.bots import LEVELS, guests
from samizdat.kernel.arguments import printable
from samizdat.kernel.errors import SamizdatError
from samizdat.kernel.game import Game
from samizdat.kernel.systems import lock
from samizdat.lab.arena import Entrant, Setting
from samizdat.lab.crews import CrewError

PACKAGE = Path(__file__).resolve().parents[1]
ROOMS = ("kernel", "bots", "lab", "games")  # what decides how a game goes
KINDS = (".py", ".toml")  # of files
LARGEST_FILE = 64 * 1024 * 1024  # bytes


@dataclass(frozen=True)
class Kit:
    """What goes to every machine, once."""

    settings: tuple[Setting, ...]
    bots: tuple[str, ...]
    warm: Callable[[Game], None] | None  # what is compiled before the first task
    facts: dict[str, str] = field(default_factory=dict)
    files: dict[Path, bytes] = field(default_factory=dict)

    def unpack(self, where: str) -> None:
        """Make this process ready to work; CrewError says why this machine cannot."""
        for path, content in self.files.items():
            guests.bring(path, _laid_down(path, content))
        try:
            own = facts(self.settings, self.bots)
        except SamizdatError as error:
            raise CrewError(f"{where} cannot play this: {error}") from None
        for what, wanted in self.facts.items():
            if own[what] != wanted:
                raise CrewError(
                    f"{where} has {what} {own[what]}, and here it is {wanted}: "
                    "every machine of a cluster needs the same."
                )
        if self.warm is not None:
            for setting in self.settings:
                with one_at_a_time():
                    self.warm(setting.game())


def pack(settings: Sequence[Setting], entrants: Sequence[Entrant], warm: Callable[[Game], None] | None) -> Kit:
    """A kit for these games and bots."""
    bots = tuple(dict.fromkeys(entrant.level for entrant in entrants if entrant.level not in LEVELS))
    files = {path: _read(path) for path in map(guests.file_of, bots) if path is not None}
    games = tuple(dict.fromkeys(settings))
    return Kit(games, bots, warm, facts(games, bots), files)


def _read(path: Path) -> bytes:
    content = path.read_bytes()
    if len(content) > LARGEST_FILE:
        raise CrewError(f"{path} is too large to be sent to every machine; at most {LARGEST_FILE >> 20} MB are.")
    return content


def _laid_down(path: Path, content: bytes) -> Path:
    """A file of another machine, under its own name, where all processes of this one find it."""
    from samizdat.kernel.kept import cache_root

    folder = cache_root() / f"brought-{hashlib.sha256(content).hexdigest()[:20]}"
    here = folder / path.name
    if not here.exists():
        folder.mkdir(parents=True, exist_ok=True)
        with one_at_a_time():
            unfinished = folder / f"{path.name}.part"
            unfinished.write_bytes(content)
            unfinished.replace(here)
    return here


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """One process of a machine after the other: what the first has compiled, the others read from disk."""
    from samizdat.kernel.kept import cache_root

    file = None
    with suppress(OSError):  # a home that cannot be written: everybody compiles for himself, as ever
        cache_root().mkdir(parents=True, exist_ok=True)
        file = (cache_root() / "compiling.lock").open("w", encoding="utf-8")
        lock(file, wait=True)
    try:
        yield
    finally:
        if file is not None:
            file.close()


# --- Fingerprints -------------------------------------------------------------


def facts(settings: Sequence[Setting], bots: Sequence[str]) -> dict[str, str]:
    """What must be the same on two machines for the same games, in words that stand in a sentence."""
    found = {
        "Python": ".".join(map(str, sys.version_info[:2])),
        "samizdat": version("samizdat"),
        "numpy": version("numpy"),
        "numba": version("numba"),
        "the fingerprint of samizdat's files": own_fingerprint(),
    }
    for setting in settings:
        game = setting.game()
        if PACKAGE not in game.definition.folder.resolve().parents:
            found[f"the fingerprint of {game.name}"] = fingerprint(_files(game.definition.folder))
    for bot in bots:
        source = inspect.getsourcefile(guests.maker(bot))
        found[f"the fingerprint of the bot {printable(bot)}"] = fingerprint([Path(source)] if source else [])
    return found


@functools.cache
def own_fingerprint() -> str:
    return fingerprint([file for room in ROOMS for file in _files(PACKAGE / room)])


def _files(folder: Path) -> list[Path]:
    return sorted(file for file in folder.rglob("*") if file.suffix in KINDS)


def fingerprint(files: Sequence[Path]) -> str:
    """Of what stands in files, whichever folder they lie in."""
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()[:12]
