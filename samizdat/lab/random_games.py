"""Many random games in chunks, on any number of processes or machines, and what they come to."""

from __future__ import annotations

import functools
from collections.abc import Generator
from dataclasses import dataclass

from samizdat.kernel.game import Game
from samizdat.lab.arena import Setting
from samizdat.lab.crews import Crew, in_order
from samizdat.lab.report import Report
from samizdat.lab.simulation import CHUNK, Simulation


@dataclass(frozen=True)
class Chunk:
    """Some games of a simulation, from one of them on."""

    setting: Setting
    seed: int
    first: int
    games: int


@functools.lru_cache(maxsize=4)
def _simulation(setting: Setting, seed: int) -> Simulation:
    return Simulation(setting.game(), seed)


def play_chunk(chunk: Chunk) -> Report:
    """Play them, and keep only what the report says of them: their states would be megabytes; runs in any process."""
    played = _simulation(chunk.setting, chunk.seed).play(chunk.games, chunk.first)
    return Report.of(chunk.setting.game(), played)


def chunks(setting: Setting, games: int, seed: int, workers: int | Crew = 1) -> Generator[Report, None, None]:
    """A report of every chunk, in their order; they add up to that of the whole simulation."""
    tasks = (Chunk(setting, seed, first, min(CHUNK, games - first)) for first in range(0, games, CHUNK))
    return in_order(play_chunk, tasks, workers)


def warm_random_games(game: Game) -> None:
    """Compile the loop that plays them, or read it from disk."""
    Simulation(game).play(1)
