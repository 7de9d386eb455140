"""An arena's results as files: Parquet, one row a game, and a picture of the shares."""

from __future__ import annotations

import importlib.util
import json
import os
from pathlib import Path
from typing import Any

import numpy as np

from samizdat.kernel.errors import OptionError
from samizdat.lab.standings import Scoreboard

SEED_DIGITS = 32


def check_installed(*packages: str) -> None:
    """Better refused before the games than after them."""
    for package in packages:
        if importlib.util.find_spec(package) is None:
            raise OptionError(f"This needs {package}, which pip install 'samizdat[research]' brings.")


def check_writable(path: Path, what: str) -> None:
    """The same for a place where nothing can be written."""
    try:
        possible = not path.is_dir() and path.parent.is_dir() and os.access(path.parent, os.W_OK)
    except OSError:  # a name longer than any file's
        possible = False
    if not possible:
        raise OptionError(f"{path}: {what} cannot be written there.")


def write_parquet(board: Scoreboard, path: Path) -> None:
    """Every game that was played, those of unfinished deals too; how it was set up is in the schema's metadata."""
    import pyarrow
    import pyarrow.parquet

    arena, game = board.arena, board.arena.setting.game()
    rows: list[dict[str, Any]] = [
        {
            "deal": result.fixture.deal,
            "line_up": result.fixture.line_up,
            "rotation": result.fixture.rotation,
            "seed": f"{result.fixture.match_seed:0{SEED_DIGITS}x}",
            "seats": [str(entrant) for entrant in result.fixture.seats],
            "levels": [entrant.level for entrant in result.fixture.seats],
            "points": list(result.points),
            "ranks": list(result.ranks),
            "shares": list(result.shares),
            "reason": result.reason,
            "decisions": list(result.decisions),
            "seconds": [sum(times) for times in result.times],
        }
        for result in sorted(
            board.results, key=lambda one: (one.fixture.deal, one.fixture.line_up, one.fixture.rotation)
        )
    ]
    setup = {
        "game": game.name, "variant": game.variant, "players": game.players, "options": dict(game.options),
        "rules_version": game.definition.version, "box": game.box.hash, "arena_seed": arena.seed,
        "bots": [str(entrant) for entrant in arena.entrants], "stopped_early": board.stopped,
    }  # fmt: skip
    schema = pyarrow.schema(
        [
            ("deal", pyarrow.int64()),
            ("line_up", pyarrow.int32()),
            ("rotation", pyarrow.int32()),
            ("seed", pyarrow.string()),
            ("seats", pyarrow.list_(pyarrow.string())),
            ("levels", pyarrow.list_(pyarrow.string())),
            ("points", pyarrow.list_(pyarrow.int32())),
            ("ranks", pyarrow.list_(pyarrow.int32())),
            ("shares", pyarrow.list_(pyarrow.float64())),
            ("reason", pyarrow.string()),
            ("decisions", pyarrow.list_(pyarrow.int32())),
            ("seconds", pyarrow.list_(pyarrow.float64())),
        ],
        metadata={"samizdat": json.dumps(setup)},
    )
    try:
        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows, schema), path)
    except OSError as error:
        raise OptionError(f"{path}: the results cannot be written: {error}.") from None


def draw_plot(board: Scoreboard, path: Path) -> None:
    """Shares with their intervals, and how they went from deal to deal."""
    from matplotlib.figure import Figure

    game = board.arena.setting.game()
    standings = board.standings()
    figure = Figure(figsize=(11, 1.6 + 0.6 * max(4, len(standings))), layout="constrained")
    left, right = figure.subplots(1, 2)
    for row, one in enumerate(reversed(standings)):
        left.errorbar(
            one.share,
            row,
            xerr=[[max(0.0, one.share - one.low)], [max(0.0, one.high - one.share)]],
            fmt="o",
            capsize=4,
        )
    left.set_yticks(range(len(standings)), [str(one.entrant) for one in reversed(standings)])
    left.set_ylim(-0.5, len(standings) - 0.5)
    left.axvline(board.fair, color="grey", linestyle="--")
    left.set_xlim(0, 1)
    left.set_xlabel("share of wins, 95 % interval; dashed: fair share")
    for one in reversed(standings):
        series = board.series(one.entrant)
        right.plot(
            np.arange(1, len(series) + 1), np.cumsum(series) / np.arange(1, len(series) + 1), label=one.entrant
        )
    right.axhline(board.fair, color="grey", linestyle="--")
    right.set_ylim(0, 1)
    right.set_xlabel("deals")
    right.set_ylabel("share of wins so far")
    right.legend()
    figure.suptitle(f"{game.definition.title}, {game.variant}, {game.players} players: {len(board.complete)} games")
    try:
        figure.savefig(path)
    except (OSError, ValueError) as error:
        raise OptionError(f"{path}: the plot cannot be written: {error}.") from None
