"""How the numbers of observations spread over random games, and what cannot vary: the tables of docs/observations.md.

python -m tests.lab.spread            prints the tables
python -m tests.lab.spread --update   writes them into the page
"""

from __future__ import annotations

import functools
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from samizdat.kernel.game import Definition, Game, definitions
from samizdat.kernel.reach import chosen_before_the_deal
from samizdat.lab.gymnasium import VectorEnv
from samizdat.lab.observations import layout, varying
from tests.conftest import every_game, plain_games

PAGE = Path(__file__).parents[2] / "docs" / "observations.md"
GAMES, STEPS = 128, 500  # at once, and decisions of the agent in each, for every seat
SMALL = 0.02  # a deviation below which a number hardly speaks...
NARROW = 0.1  # ...unless it is one that seldom moves, but then moves this far

Mask = npt.NDArray[np.bool_]
CAUSES = ("chosen before the deal", "empty seats", "other variants and options", "other boxes")


# --- What cannot vary, and why ----------------------------------------------------------------------------


def table_of(mask: Mask, game: Game) -> Mask:
    """A mask over an observation without `you` and `to_act`, which alone depend on the number of players."""
    return mask[2 * game.players :]


@functools.cache
def varies_at_other_tables(game_name: str, variant: str) -> Mask:
    """What can vary with some number of players, in this variant with its usual options."""
    games = [game for game in plain_games() if (game.name, game.variant) == (game_name, variant)]
    return np.logical_or.reduce([table_of(varying(game), game) for game in games])


@functools.cache
def varies_somewhere(game_name: str) -> Mask:
    """What can vary in some variant with some options and some number of players, with the standard box."""
    games = [game for game in every_game() if game.name == game_name]
    return np.logical_or.reduce([table_of(varying(game), game) for game in games])


def causes(game: Game) -> dict[str, Mask]:
    """For each cause, the numbers that cannot vary because of it; the first that holds counts."""
    left = ~varying(game)
    before = {"you", *chosen_before_the_deal(game)}
    chosen = np.concatenate([np.full(span.size, span.field in before) for span in layout(game)])
    head = np.zeros(2 * game.players, np.bool_)
    other_tables = np.concatenate((head, varies_at_other_tables(game.name, game.variant)))
    somewhere = np.concatenate((head, varies_somewhere(game.name)))
    found = {}
    for cause, mask in zip(CAUSES, (chosen, other_tables, somewhere, np.ones_like(left)), strict=True):
        found[cause] = left & mask
        left = left & ~mask
    return found


def by_field(game: Game, mask: Mask) -> Iterator[tuple[str, int, int]]:
    """The fields of which a mask holds anything: how many numbers, and of how many."""
    for span in layout(game):
        n = int(mask[span.offset : span.offset + span.size].sum())
        if n:
            yield span.field, n, span.size


def listed(game: Game, mask: Mask) -> str:
    parts = [
        f"`{field}`" if n == size == 1 else f"`{field}` {n} of {size}" for field, n, size in by_field(game, mask)
    ]
    return ", ".join(parts) or "–"


# --- What moves in random play ----------------------------------------------------------------------------


class Spread(NamedTuple):
    """How every number of an observation moves over random games, seen by every seat in turn."""

    looks: int
    deviation: npt.NDArray[np.float64]
    low: npt.NDArray[np.float64]
    high: npt.NDArray[np.float64]

    @property
    def still(self) -> Mask:
        return self.low == self.high

    @property
    def small(self) -> Mask:
        return ~self.still & (self.deviation < SMALL)

    @property
    def crushed(self) -> Mask:
        """Moves, but hardly: not because it seldom does."""
        return self.small & (self.high - self.low < NARROW)


def spread(game: Game, games: int = GAMES, steps: int = STEPS) -> Spread:
    """Random play of all seats; what the agent sees when it must decide, and when a game is over."""
    looks: list[npt.NDArray[np.float64]] = []
    size = varying(game).size
    n, total, squares = 0, np.zeros(size), np.zeros(size)
    low, high = np.full(size, np.inf), np.full(size, -np.inf)
    for seat in range(game.players):
        batch = VectorEnv(game, games, seat)
        seen, _ = batch.reset(seed=seat << 32)
        rng = np.random.default_rng(seat)
        for _ in range(steps):
            mask = seen["action_mask"]
            seen, _, ended, _, infos = batch.step((mask * rng.random(mask.shape, np.float32)).argmax(1))
            looks = [seen["observation"].astype(np.float64)]
            if ended.any():
                looks.append(infos["final_obs"][ended].astype(np.float64))
            for look in looks:
                n += len(look)
                total += look.sum(0)
                squares += (look * look).sum(0)
                low, high = np.minimum(low, look.min(0)), np.maximum(high, look.max(0))
    mean = total / n
    return Spread(n, np.sqrt(np.maximum(squares / n - mean * mean, 0)), low, high)


# --- The tables -------------------------------------------------------------------------------------------


def share(mask: Mask, of: Mask) -> int:
    """In whole per cent."""
    return round(100 * float(mask.sum()) / float(of.sum()))


def markdown(head: Iterable[str], rows: Iterable[Iterable[Any]]) -> str:
    lines = [list(head), ["---"] * len(list(head)), *([str(cell) for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def still_rows() -> list[list[Any]]:
    rows = []
    for game in plain_games():
        because = [int(mask.sum()) for mask in causes(game).values()]
        moving = varying(game)
        rows.append([*name_of(game), moving.size, int(moving.sum()), *because])
    return rows


def name_of(game: Game) -> list[Any]:
    return [game.name, game.variant, game.players]


def still_table() -> str:
    return markdown(["game", "variant", "players", "numbers", "can vary", *CAUSES], still_rows())


def largest(definition: Definition) -> list[Game]:
    """Every variant with its largest number of players."""
    return [definition.choose(max(counts), variant) for variant, counts in definition.variants.items()]


def still_fields() -> str:
    """The same by field, with as many players as the game takes."""
    rows = []
    for definition in definitions().values():
        for game in largest(definition):
            for cause, mask in causes(game).items():
                if cause not in CAUSES[:2] and mask.any():
                    rows.append([game.name, game.variant, cause, listed(game, mask)])
    return markdown(["game", "variant", "cannot vary because of", "fields"], rows)


def spread_rows() -> list[list[Any]]:
    rows = []
    for game in plain_games():
        found, can = spread(game), varying(game)
        moving = ~found.still
        rows.append(
            [
                *name_of(game), f"{share(can & found.still, can)} %", f"{share(found.small, moving)} %",
                f"{share(found.crushed, moving)} %", f"{np.median(found.deviation[moving]):.2f}",
                listed(game, can & found.still), listed(game, found.small),
            ]
        )  # fmt: skip
    return rows


SPREAD_HEAD = (
    "game", "variant", "players", "can vary, did not", "below 0.02", "crushed", "median", "did not move",
    "deviation below 0.02",
)  # fmt: skip


def spread_table() -> str:
    return markdown(SPREAD_HEAD, spread_rows())


def part(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<=<!-- {name} -->\n\n).*?(?=\n\n<!-- end -->)", re.DOTALL)


def on_the_page(name: str) -> str:
    found = part(name).search(PAGE.read_text(encoding="utf-8"))
    assert found is not None, name
    return found[0]


TABLES = {"still": still_table, "fields": still_fields, "spread": spread_table}


def main() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for name, make in TABLES.items():
        table = make()
        print(table, "\n")
        text = part(name).sub(lambda _, table=table: table, text)  # type: ignore[misc]
    if "--update" in sys.argv:
        PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
