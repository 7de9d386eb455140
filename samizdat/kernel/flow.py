"""The flow of a game: from which decision point to which, by what kind of decision, and how often.

How often was counted in random games and is kept in the game's folder (`flow.toml`);
`python -m samizdat.lab.count_flow` counts again when the rules have changed.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from samizdat.kernel.game import Definition

FILE = "flow.toml"
DEAL = "deal"  # where a game comes from, and by what


@dataclass(frozen=True, order=True)
class Way:
    """One way on: a kind of decision taken at one point leads to another."""

    start: str
    kind: str
    end: str

    def __str__(self) -> str:
        return f"{self.start} {self.kind} {self.end}"


@dataclass(frozen=True)
class Flow:
    """What was counted in the random games of one variant."""

    games: int
    times: Mapping[Way, int]

    def leaving(self, start: str) -> list[tuple[Way, float]]:
        """The ways on from a point with their shares, the most usual first."""
        here = {way: times for way, times in self.times.items() if way.start == start}
        total = sum(here.values())
        return [(way, here[way] / total) for way in sorted(here, key=lambda way: (-here[way], way))]


def read_flow(definition: Definition) -> dict[str, Flow]:
    """By variant; empty for a game that brings none."""
    path = definition.folder / FILE
    if not path.is_file():
        return {}
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    games = data.pop("games")
    return {
        variant: Flow(games, {Way(*text.split()): times for text, times in counted.items()})
        for variant, counted in data.items()
    }


def write_flow(flows: Mapping[str, Flow], path: Path) -> None:
    lines = ["# Random games of each variant, with as many players as it takes: python -m samizdat.lab.count_flow"]
    lines.append(f"games = {next(iter(flows.values())).games}")
    for variant, flow in flows.items():
        lines += ["", f"[{variant}]"]
        lines += [f'"{way}" = {times}' for way, times in sorted(flow.times.items())]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
