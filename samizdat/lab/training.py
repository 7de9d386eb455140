"""A player who teaches itself a game, from nothing but its rules: what `samizdat train` does.

    training = Training(definition("revolution").choose(players=3), seed=0)
    while training.steps < 1_000_000:
        training.iterate()
    training.save(Path("runs"))

Everything follows from the seed: the same steps give the same bytes on the same processor, whether they were made in
one go or were stopped and resumed in between. The files are described in docs/training.md.
"""

from __future__ import annotations

import csv
import json
import os
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import IO, Any

import numpy as np

from samizdat.bots.network import drawn, shape_for
from samizdat.bots.weights import WeightsError, about, write_weights
from samizdat.kernel.files import name_of
from samizdat.kernel.game import Game
from samizdat.lab import vector
from samizdat.lab.learning import Learner
from samizdat.lab.selfplay import Tables, duel, play
from samizdat.lab.study.ink import svg_file
from samizdat.lab.training_curve import curve_chart

FORMAT = "samizdat checkpoint 1"
GAMES = 1024  # played side by side
DECISIONS = 64  # of each in one iteration
LOOKED_AT = 1 << 21  # decisions between two looks at how well it plays
DUELS = 600  # games of each look


@dataclass(frozen=True)
class Look:
    """How far a training has come: one row of the learning curve."""

    steps: int
    games: int  # that have ended
    evenness: float  # of the policy, in nats: 0 would be sure of everything
    loss: float  # of the forecast, in nats
    among_random: float  # share of the win of one among random players
    among_earlier: float  # and among networks as they were when half of the steps had been made


@dataclass
class Training:
    """A network, the games it plays against itself, and how it came so far."""

    game: Game
    seed: int = 0
    games: int = GAMES
    decisions: int = DECISIONS
    looked_at: int = LOOKED_AT
    duels: int = DUELS
    steps: int = 0
    curve: list[Look] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.rng = np.random.default_rng(self.seed)
        self.shape = shape_for(self.game)
        self.learner = Learner(self.shape, drawn(self.shape, self.rng))
        self.tables = Tables(self.game, self.games, self.seed)
        self.earlier = self.learner.average.copy()  # what the next looks compare it with
        self.halfway = self.earlier.copy()  # and those after the steps have doubled
        self.doubled = self.looked_at

    def iterate(self) -> None:
        """Play on at all tables, and learn from that."""
        lessons = play(self.tables, self.shape, self.learner.numbers, self.rng, self.decisions)
        evenness, loss = self.learner.learn(lessons, self.rng, self.steps)
        before, self.steps = self.steps, self.steps + self.games * self.decisions
        if before // self.looked_at < self.steps // self.looked_at:
            self._look(evenness, loss)

    def _look(self, evenness: float, loss: float) -> None:
        """One more row of the curve; games of their own, so that training goes on as if nobody had looked."""
        if self.steps >= 2 * self.doubled:
            self.doubled *= 2
            self.earlier, self.halfway = self.halfway, self.learner.average.copy()
        numbers, ended = self.learner.average, int(self.tables.arrays.episodes.sum())
        among = [
            duel(self.game, self.shape, numbers, others, self.duels, self.steps) for others in (None, self.earlier)
        ]
        self.curve.append(Look(self.steps, ended, evenness, loss, *among))

    # --- Files ----------------------------------------------------------------

    def save(self, folder: Path) -> None:
        """A checkpoint to go on from, the weights to play with, and the learning curve; each replaces the last."""
        folder.mkdir(parents=True, exist_ok=True)
        told = {**about(self.game, self.shape), "seed": self.seed, "steps": self.steps}
        _replace(folder / "checkpoint.npz", lambda path: self._write(path, told))
        _replace(folder / "weights.npz", lambda path: write_weights(path, told, self.learner.average))
        _replace(folder / "curve.csv", self._write_curve)
        _replace(folder / "curve.svg", lambda path: path.write_text(svg_file(curve_chart(self)), encoding="utf-8"))

    def _write(self, path: Path, told: dict[str, Any]) -> None:
        learner = self.learner
        text = {
            "format": FORMAT, **told, "games": self.games, "decisions": self.decisions,
            "looked_at": self.looked_at, "duels": self.duels, "updates": learner.updates, "doubled": self.doubled,
            "rng": self.rng.bit_generator.state, "curve": [vars(look) for look in self.curve],
        }  # fmt: skip
        held: dict[str, Any] = {
            "about": np.array(json.dumps(text, sort_keys=True)), "numbers": learner.numbers,
            "average": learner.average, "momentum": learner.momentum, "spread": learner.spread,
            "earlier": self.earlier, "halfway": self.halfway, **vector.kept(self.tables.arrays),
        }  # fmt: skip
        with path.open("wb") as file:
            np.savez(file, **held)

    def _write_curve(self, path: Path) -> None:
        with path.open("w", newline="", encoding="utf-8") as file:
            rows = csv.writer(file)
            rows.writerow(one.name for one in fields(Look))
            rows.writerows(vars(look).values() for look in self.curve)


def _replace(path: Path, write: Callable[[Path], object]) -> None:
    """Write a file beside the old one and put it in its place, so that there always is a whole one."""
    new = path.with_name(f"new-{path.name}")
    write(new)
    os.replace(new, path)


def resume(folder: Path, game: Game) -> Training:
    """The training that a folder's checkpoint holds; WeightsError says why it cannot go on."""
    path = folder / "checkpoint.npz"
    try:
        with path.open("rb") as file:
            return _read(file, game, path)
    except OSError as error:
        raise WeightsError(f"{name_of(path)}: cannot be read: {error.strerror}.") from None
    except (ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile):
        raise WeightsError(f"{name_of(path)}: not a checkpoint that `samizdat train` has written.") from None


def _read(file: IO[bytes], game: Game, path: Path) -> Training:
    with np.load(file, allow_pickle=False) as held:
        told = json.loads(str(held["about"]))
        if told["format"] != FORMAT:
            raise ValueError
        if told["fingerprint"] != about(game, shape_for(game))["fingerprint"]:
            raise WeightsError(
                f"{name_of(path)}: a training of another game, variant, box or options; resume it with the same."
            )
        numbers = [told[name] for name in ("seed", "games", "decisions", "looked_at", "duels", "steps")]
        found = Training(game, *numbers)
        found.curve = [Look(**row) for row in told["curve"]]
        found.rng.bit_generator.state = told["rng"]
        found.doubled = told["doubled"]
        found.learner.updates = told["updates"]
        for name in ("numbers", "average", "momentum", "spread"):
            getattr(found.learner, name)[:] = held[name]
        found.earlier[:], found.halfway[:] = held["earlier"], held["halfway"]
        vector.go_on(found.tables.arrays, held)
    return found
