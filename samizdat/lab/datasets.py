"""Datasets: games of bots as two Parquet files, for learning and for statistics.

    Dataset(Setting("revolution"), read_entrants("regular:simulations=200")).write(1000, Path("games"), workers=3)

`matches.parquet` has a row for each game with its match file, so that all of it can be played again;
`decisions.parquet` has a row for each decision: what the seat saw, what was open to it, what its search thought, what
it chose and what came of it. `docs/datasets.md` explains every column. Games are written as they end, a batch at a
time: memory holds a batch, however many games there are. The same seed and budgets in simulations give the same
bytes, on any number of processes or machines.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from samizdat.kernel.errors import OptionError
from samizdat.kernel.match import Match
from samizdat.kernel.matchfile import loads
from samizdat.kernel.scoring import shares_of_win
from samizdat.lab.arena import Arena, Entrant, Fixture, Setting, bot_seed
from samizdat.lab.crews import Crew, in_order
from samizdat.lab.observations import Tensors

if TYPE_CHECKING:
    import pyarrow

MATCHES, DECISIONS = "matches.parquet", "decisions.parquet"
BATCH = 4096  # decisions that are held before they are written
FORMAT_VERSION = 1

# Every column: its name, and what it holds. The page in docs/ is checked against these.
MATCH_COLUMNS = {
    "match": "number of the game in this dataset, from 0",
    "deal": "games of one deal begin with the same luck, the bots on other seats",
    "rotation": "how far the bots have moved on around the table",
    "seed": "seed of the luck, as 32 hexadecimal digits",
    "seats": "the bot on each seat, as the arena writes it",
    "points": "of each seat at the end",
    "ranks": "of each seat; 1 has won, and nobody has when all have lost",
    "reason": "how the match ended",
    "decisions": "how many were made",
    "file": "the referee's match file: `samizdat replay`, `samizdat verify` and the table read it",
}
DECISION_COLUMNS = {
    "match": "the game, as in matches.parquet",
    "ply": "number of the decision in its game, from 0",
    "seat": "who decided",
    "point": "the decision point, as in `samizdat rules GAME --flow`",
    "view": "what the seat saw: the observation tensor of `samizdat observations GAME`",
    "mask": "1 for each action that was open, by number",
    "choice": "the number of the action that was chosen",
    "move": "the same in notation",
    "outcome": "the seat's share of the win at the end: 1, 0, or 1/k for one of k winners",
    "points": "the seat's points at the end",
    "actions": "the actions that the seat's search judged; empty if it did not search",
    "visits": "how often the search tried each of them",
    "shares": "the share of the win that the search expects of each",
    "strategy": "how likely the search would play each",
    "simulations": "how many games it imagined",
}


@dataclass(frozen=True)
class Recorded:
    """One game: its row, and the rows of its decisions."""

    match: dict[str, Any]
    decisions: list[dict[str, Any]]


@dataclass(frozen=True)
class Numbered:
    """A game to be played, with its number."""

    number: int
    fixture: Fixture


def record(task: Numbered) -> Recorded:
    """Play one game and write down every decision; runs in any process."""
    fixture = task.fixture
    game = fixture.setting.game()
    match = Match(game, fixture.match_seed, nonce=task.number)  # a lab promises nobody anything: the same file again
    match.names = tuple(str(entrant) for entrant in fixture.seats)
    bots = [entrant.bot(bot_seed(fixture, seat)) for seat, entrant in enumerate(fixture.seats)]
    tensors, points = Tensors(game), game.definition.points
    rows: list[dict[str, Any]] = []
    while not match.over:
        seat = match.turn[0]
        sight = match.sight(seat)
        bots[seat].found = None
        move = bots[seat].choose(sight)
        found = bots[seat].found
        judged = found.options if found else ()
        mask = np.zeros(game.capacity, np.uint8)
        mask[[one.id for one in sight.legal()]] = 1
        rows.append(
            {
                "match": task.number, "ply": match.plies, "seat": seat, "point": points.at(sight.state).name,
                "view": tensors.of(sight), "mask": mask, "choice": move.id, "move": str(move),
                "actions": [option.move.id for option in judged],
                "visits": [option.visits for option in judged],
                "shares": [option.share for option in judged],
                "strategy": [option.played for option in judged],
                "simulations": found.simulations if found else 0,
            }
        )  # fmt: skip
        match.play(seat, move)
    shares = shares_of_win(match.ranks)
    for row in rows:
        row |= {"outcome": shares[row["seat"]], "points": match.scores[row["seat"]]}
    about = {
        "match": task.number, "deal": fixture.deal, "rotation": fixture.rotation,
        "seed": f"{fixture.match_seed:032x}",
        "seats": list(match.names), "points": match.scores, "ranks": match.ranks, "reason": str(match.reason),
        "decisions": match.plies, "file": match.dumps(),
    }  # fmt: skip
    return Recorded(about, rows)


class Dataset:
    """Games of bots, every seat rotated as in the arena."""

    def __init__(self, setting: Setting, entrants: Sequence[Entrant], seed: int = 0) -> None:
        self.arena = Arena(setting, entrants, seed)

    def write(self, games: int, folder: Path, workers: int | Crew = 1) -> Generator[int, None, None]:
        """Play so many games and write them into a folder; says after each how many are done. Close the iterator to
        stop: what was played is kept, and the files are whole."""
        _check_empty(folder)
        folder.mkdir(parents=True, exist_ok=True)
        with closing(in_order(record, self._tasks(games), workers)) as playing, _Files(self.arena, folder) as out:
            for done, one in enumerate(playing, 1):
                out.add(one)
                yield done

    def _tasks(self, games: int) -> Iterator[Numbered]:
        for number, fixture in zip(range(games), self.arena.fixtures(games), strict=False):
            yield Numbered(number, fixture)


def _check_empty(folder: Path) -> None:
    """What is there stays there."""
    for name in (MATCHES, DECISIONS):
        if (folder / name).exists():
            raise OptionError(f"{folder / name} is there already; choose another folder, or move it away.")
    if folder.exists() and not folder.is_dir():
        raise OptionError(f"{folder} is not a folder.")


class _Files:
    """The two files while they are being written; under their own names only when they are whole."""

    def __init__(self, arena: Arena, folder: Path) -> None:
        self.schemas = {MATCHES: match_schema(arena), DECISIONS: decision_schema(arena)}
        self.folder = folder
        self.rows: dict[str, list[dict[str, Any]]] = {name: [] for name in self.schemas}

    def __enter__(self) -> _Files:
        import pyarrow.parquet

        self.writers = {
            name: pyarrow.parquet.ParquetWriter(self._unfinished(name), schema, compression="zstd")
            for name, schema in self.schemas.items()
        }
        return self

    def _unfinished(self, name: str) -> Path:
        return self.folder / f"{name}.part"

    def add(self, one: Recorded) -> None:
        self.rows[MATCHES].append(one.match)
        self.rows[DECISIONS] += one.decisions
        if len(self.rows[DECISIONS]) >= BATCH:
            self._flush()

    def _flush(self) -> None:
        import pyarrow

        for name, rows in self.rows.items():
            self.writers[name].write_table(pyarrow.Table.from_pylist(rows, self.schemas[name]))
            rows.clear()

    def __exit__(self, kind: object, error: object, where: object) -> None:
        self._flush()
        for name, writer in self.writers.items():
            writer.close()
            self._unfinished(name).replace(self.folder / name)


def _setup(arena: Arena) -> dict[bytes, bytes]:
    """How the games were set up, for the schemas' metadata."""
    game = arena.setting.game()
    about = {
        "format": FORMAT_VERSION, "game": game.name, "variant": game.variant, "players": game.players,
        "options": dict(game.options), "rules": game.rules, "box": game.box.hash, "seed": arena.seed,
        "bots": [str(entrant) for entrant in arena.entrants],
    }  # fmt: skip
    return {b"samizdat": json.dumps(about).encode()}


def match_schema(arena: Arena) -> pyarrow.Schema:
    import pyarrow as pa

    kinds = {
        "match": pa.int64(), "deal": pa.int64(), "rotation": pa.int32(), "seed": pa.string(),
        "seats": pa.list_(pa.string()), "points": pa.list_(pa.int32()), "ranks": pa.list_(pa.int32()),
        "reason": pa.string(), "decisions": pa.int32(), "file": pa.string(),
    }  # fmt: skip
    return pa.schema([(name, kinds[name]) for name in MATCH_COLUMNS], metadata=_setup(arena))


def decision_schema(arena: Arena) -> pyarrow.Schema:
    import pyarrow as pa

    game = arena.setting.game()
    kinds = {
        "match": pa.int64(), "ply": pa.int32(), "seat": pa.int8(), "point": pa.dictionary(pa.int8(), pa.string()),
        "view": pa.list_(pa.float32(), Tensors(game).size), "mask": pa.list_(pa.uint8(), game.capacity),
        "choice": pa.int16(), "move": pa.string(), "outcome": pa.float32(), "points": pa.int32(),
        "actions": pa.list_(pa.int16()), "visits": pa.list_(pa.int32()), "shares": pa.list_(pa.float32()),
        "strategy": pa.list_(pa.float32()), "simulations": pa.int32(),
    }  # fmt: skip
    return pa.schema([(name, kinds[name]) for name in DECISION_COLUMNS], metadata=_setup(arena))


def matches(folder: Path, box: Path | str | None = None) -> Iterator[Match]:
    """The games of a dataset, each played through again from its match file."""
    import pyarrow.parquet

    try:
        file = pyarrow.parquet.ParquetFile(folder / MATCHES)
    except (OSError, pyarrow.ArrowInvalid) as error:
        raise OptionError(f"{folder} holds no dataset that can be read: {error}") from None
    with file:
        for batch in file.iter_batches(columns=["file"]):
            for text in batch.column("file").to_pylist():
                yield loads(text, box)
