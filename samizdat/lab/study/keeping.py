"""The matches of a study in a file, one line each, as they end: whoever is interrupted goes on from there."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any

from samizdat.kernel.errors import OptionError
from samizdat.lab.study.playing import Arm, Noted

FILE = "matches.jsonl"
FORMAT_VERSION = 1


def about(arms: Sequence[Arm], seed: int) -> dict[str, Any]:
    """What matches must have in common to be of one study; the number of matches is none of it."""
    found = []
    for arm in arms:
        game = arm.setting.game()
        found.append(
            {
                "game": game.name, "rules": game.rules, "variant": game.variant, "players": game.players,
                "options": dict(game.options), "box": game.box.hash, "bot": str(arm.bot),
                "tallies": [tally.title for tally in game.definition.study.counted(game)],
            }
        )  # fmt: skip
    return {"study": FORMAT_VERSION, "seed": seed, "arms": found}


def _line(data: dict[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n"


class KeptMatches:
    """The file of one study: what it holds already, and what is added."""

    def __init__(self, folder: Path, arms: Sequence[Arm], seed: int) -> None:
        self.path = folder / FILE
        self.head = _line(about(arms, seed))
        self.matches: list[Noted] = []
        self._file: IO[str] | None = None

    def __enter__(self) -> KeptMatches:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            whole = self._read()
            self._file = self.path.open("r+" if self.path.exists() else "w", encoding="utf-8", newline="\n")
            self._file.seek(whole)
            self._file.truncate()
            if not whole:
                self._file.write(self.head)
        except OSError as error:
            raise OptionError(f"{self.path}: a study cannot be kept there: {error.strerror or error}.") from None
        return self

    def _read(self) -> int:
        """Take in what is there; how many bytes of it are whole lines."""
        if not self.path.exists():
            return 0
        lines = self.path.read_bytes().splitlines(keepends=True)
        lines = [line for line in lines if line.endswith(b"\n")]  # the last may have been cut off
        if not lines:
            return 0
        if lines[0].decode(errors="replace") != self.head:
            raise OptionError(
                f"{self.path} holds another study (another game, box, bot, seed or version); "
                "choose another folder with --out, or move it away."
            )
        try:
            self.matches = [Noted.from_json(json.loads(line)) for line in lines[1:]]
        except (ValueError, TypeError, KeyError):
            raise OptionError(f"{self.path} is damaged; move it away to play its matches again.") from None
        if [one.number for one in self.matches] != list(range(len(self.matches))):
            raise OptionError(f"{self.path} has gaps; move it away to play its matches again.")
        return sum(map(len, lines))

    def add(self, one: Noted) -> None:
        assert self._file is not None
        self._file.write(_line(one.to_json()))
        self._file.flush()
        self.matches.append(one)

    def __exit__(self, kind: object, error: object, where: object) -> None:
        if self._file is not None:
            self._file.close()
