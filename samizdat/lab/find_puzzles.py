"""Finds puzzles: positions of bots' matches in which one decision is clearly best; and judges known ones again.

python -m samizdat.lab.find_puzzles GAME                          judge those of the game's puzzles.json again
python -m samizdat.lab.find_puzzles GAME --matches 50 --to FILE   look for new ones; a person gives them words
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from samizdat.bots import bot
from samizdat.bots.at_once import OPEN
from samizdat.bots.calibration import calibrated
from samizdat.bots.thinking import SEED_BITS, Mind, SearchResult, together
from samizdat.kernel.game import Definition, Game, definition
from samizdat.kernel.lores import EXPLORE
from samizdat.kernel.match import Match, Sight
from samizdat.kernel.puzzles import Puzzle, read_puzzles
from samizdat.kernel.starts import Start, written

EVENLY = 8 * EXPLORE  # every decision is tried often enough to be judged
SEARCHES = 4  # independent ones
FEW, MANY = 1_200, 40_000  # simulations: to look twice, and to be sure
FEWEST, MOST = 3, 24  # decisions that a puzzle offers
GAP = 0.2  # between the best decision and the next, at a first look
MARGIN = 0.08  # between their intervals, at the last
LEAST = 0.35  # of the win: nobody likes to choose between ways to lose
NOVICES = 12
EARLY = 0.25  # of a match: before that nothing is clear
OFTEN = 2  # decisions of one kind from one match


@dataclass(frozen=True)
class Judged:
    """A position judged: the share of each decision with half its interval."""

    chances: dict[str, tuple[float, float]]
    exact: bool
    mixed: bool

    @property
    def ranked(self) -> list[str]:
        return sorted(self.chances, key=lambda one: -self.chances[one][0])

    @property
    def gap(self) -> float:
        first, second = self.ranked[:2]
        return self.chances[first][0] - self.chances[second][0]

    @property
    def margin(self) -> float:
        first, *others = self.ranked
        return self.chances[first][0] - self.chances[first][1] - max(sum(self.chances[one]) for one in others)


def judge(sight: Sight, simulations: int, rng: random.Random) -> Judged:
    """Every open decision, by independent searches that try all of them; exact where each ends the match."""
    results: list[SearchResult] = []
    mind = Mind({"explore": EVENLY})
    for _ in range(SEARCHES):
        mind.forget()
        results.append(mind.think(sight, rng.getrandbits(SEED_BITS), simulations=max(1, simulations // SEARCHES)))
    found = together(results)
    if all(option.known != OPEN for option in found.options):
        return Judged({str(option.move): (option.known, 0.0) for option in found.options}, True, found.mixed)
    fair = calibrated(sight.game, found)
    chances = {str(option.move): (round(option.share, 3), round(option.error, 3)) for option in fair.options}
    return Judged(chances, False, found.mixed)


def positions(game: Game, seed: int, level: str) -> Iterator[tuple[Match, Sight]]:
    """The decisions of one match of bots, late enough to be clear."""
    players = [bot(level, simulations=60, seed=seed + seat) for seat in range(game.players)]
    match = game.match(seed)
    length = 0
    while not match.over:
        seat = match.turn[0]
        match.play(seat, players[seat].choose(match.sight(seat)))
        length += 1
    again = game.match(seed)
    for number, (seat, move) in enumerate(match.moves):
        moves = again.legal(seat)
        sight = again.sight(seat, memory=False)
        composed = game.definition.board.compose(game, sight.state, seat, ())  # one choice made of many decisions
        alone = len(again.turn) == 1 and composed is None
        if number > EARLY * length and alone and FEWEST <= len(moves) <= MOST:
            yield again, sight
        again.play(seat, move)


def search(game: Game, seed: int, level: str = "novice") -> Iterator[dict[str, Any]]:
    """Puzzles from one match."""
    rng = random.Random(seed)
    kinds: dict[str, int] = {}
    for match, sight in positions(game, seed, level):
        quick = judge(sight, FEW, rng)
        best = quick.ranked[0]
        kind = best.partition(" ")[0]
        if quick.mixed or quick.gap < GAP or quick.chances[best][0] < LEAST or kinds.get(kind, 0) >= OFTEN:
            continue
        sure, again = (judge(sight, MANY, rng) for _ in range(2))
        if not sure.ranked[0] == again.ranked[0] == best or sure.margin < MARGIN or again.margin <= 0:
            continue
        kinds[kind] = kinds.get(kind, 0) + 1
        novices = [bot("novice", seed=rng.getrandbits(32)).choose(sight) for _ in range(NOVICES)]
        yield {
            "name": "", "title": "", "ask": "", "rules": [],
            "game": {"players": game.players, "variant": game.variant},
            "seat": sight.seat, "start": written(game, Start(match._state)), "answer": best, "exact": sure.exact,
            "simulations": MANY, "novice": round(sum(str(one) == best for one in novices) / NOVICES, 2),
            "chances": dict(sorted(sure.chances.items(), key=lambda one: -one[1][0])),
        }  # fmt: skip


def holds(found: Definition, puzzle: Puzzle, simulations: int, seed: int = 0) -> str | None:
    """What is wrong with a puzzle when it is judged again; None if its answer is still the best. With many
    simulations its margin must hold, too."""
    sight = puzzle.match(found).sight(puzzle.seat)
    legal = {str(move) for move in sight.legal()}
    if legal != set(puzzle.chances):
        return f"{puzzle.name}: other decisions are open than were judged"
    judged = judge(sight, simulations, random.Random(seed))
    if judged.exact != puzzle.exact:
        return f"{puzzle.name}: it is {'' if judged.exact else 'not '}exact"
    if judged.ranked[0] != puzzle.answer:
        return f"{puzzle.name}: {judged.ranked[0]} is better than {puzzle.answer}"
    if simulations >= MANY and judged.margin <= 0:
        return f"{puzzle.name}: {judged.ranked[1]} may be as good as {puzzle.answer}"
    return None


def tables(found: Definition) -> list[Game]:
    """What is played to look for puzzles: every variant with few and with many."""
    sizes = {variant: sorted({counts[0], counts[-1]}) for variant, counts in found.variants.items()}
    return [found.choose(players, variant) for variant, counts in sizes.items() for players in counts]


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m samizdat.lab.find_puzzles", description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--matches", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--to", type=Path)
    asked = parser.parse_args(arguments)
    found = definition(asked.game)
    if not asked.matches:
        for puzzle in read_puzzles(found):
            print(holds(found, puzzle, MANY) or f"{puzzle.name}: {puzzle.answer} holds, by {puzzle.margin:.2f}")
        return
    kept: list[Mapping[str, Any]] = []
    games = tables(found)
    for number in range(asked.matches):
        for one in search(games[number % len(games)], asked.seed + number):
            kept.append(one)
            best, second = list(one["chances"].items())[:2]
            print(f"{asked.seed + number}: {one['game']} {best} before {second}, novices {one['novice']}", flush=True)
            if asked.to:
                asked.to.write_text(json.dumps(kept, ensure_ascii=False), encoding="utf-8")


if __name__ == "__main__":
    main()
