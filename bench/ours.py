"""Our half of the benchmark: the same games on the kernel, measured and counted as the rivals are.

Random games go through the loop that every game uses: `samizdat.lab.simulation`, one core, scored game by game.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from time import process_time
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import njit

from bench.games import kuhn, leduc
from bench.games.outside import CONNECT_FOUR
from bench.rivals import facts
from bench.rivals.measured import NOTHING_PLAYED, Counts, Measured, Played, Tree, timed, tree_counts
from bench.rivals.rows import Row
from samizdat.kernel import interpreted as engine
from samizdat.kernel import loops
from samizdat.kernel.game import Game
from samizdat.kernel.luck import SCRIPT, Luck, RecordingLuck, begin
from samizdat.kernel.records import Record
from samizdat.lab.simulation import CHUNK, Results, Simulation

GAMES = {
    facts.CONNECT_FOUR: CONNECT_FOUR.choose(),
    facts.KUHN: kuhn.GAME.choose(),
    facts.LEDUC: leduc.GAME.choose(variant="standard"),
    facts.LEDUC_BLINDS: leduc.GAME.choose(variant="blinds"),
}

# As deep as the bitboard counts in its own row.
START_DEPTH = 9

FEW_GAMES = 512  # between two looks at the clock, where games are long


# --- Random games -------------------------------------------------------------


def random_games(game: Game, seconds: float, seed: int) -> Measured:
    """Random games by the clock, one core. Returns are the points of seat 0, which moves first in these games."""
    simulation = Simulation(game, seed)
    room = simulation.play(CHUNK)
    first = 0

    def play(games: int) -> Played:
        nonlocal first
        total = NOTHING_PLAYED
        for start in range(0, games, CHUNK):
            some = min(CHUNK, games - start)
            part = Results(room.states[:some], room.scores[:some], room.lengths[:some])
            simulation.play_into(part, first + start)
            total += Played(some, *_sums(part.lengths, part.scores))
        first += games
        return total

    return timed(play, seconds, "our kernel")


def decision_rates(game: Game, seconds: float, repetitions: int, seed: int) -> list[float]:
    """Random decisions a second, by processor time: no rival stands beside these rates on a busy machine."""
    simulation = Simulation(game, seed)
    room = simulation.play(FEW_GAMES)
    first = 0
    rates = []
    for _ in range(repetitions):
        decisions, spent = 0, 0.0
        while spent < seconds:
            before = process_time()
            simulation.play_into(room, first)
            spent += process_time() - before
            decisions += int(room.lengths.sum())
            first += FEW_GAMES
        rates.append(decisions / spent)
    return rates


@njit()
def _sums(lengths: npt.NDArray[np.int64], scores: npt.NDArray[Any]) -> tuple[int, int, int, int]:
    """Compiled, as the bitboard's sums are: NumPy would cost a short game several per cent."""
    decisions = squares = returned = returned_squared = 0
    for i in range(len(lengths)):
        length = lengths[i]
        won = scores[i].points[0]
        decisions += length
        squares += length * length
        returned += won
        returned_squared += won * won
    return decisions, squares, returned, returned_squared


# --- Counting -----------------------------------------------------------------


def perft(depth: int, opening: tuple[int, ...] = ()) -> int:
    """Connect Four: legal move sequences of length `depth` after `opening`, by the kernel's own loop."""
    game = GAMES[facts.CONNECT_FOUR]
    start, luck = game.blank(), Luck()
    engine.deal(game.box.record, start, luck)
    for ply, column in enumerate(opening, start=1):
        engine.decide(game.box.record, start, luck, ply, engine.acting(start)[0], column)
    states = np.zeros(depth + 1, game.definition.state.dtype)
    states[0] = start.array[0]
    count: int = game.definition.native.compile(loops.perft)(
        game.box.record.array, states, np.zeros(1, Luck.dtype), -1, game.moves_buffer(rows=depth + 1), depth,
        np.zeros(depth + 1, np.int64), np.zeros(depth + 1, np.int64), 0,
    )  # fmt: skip
    return count


def tree(game: Game) -> Tree:
    """The whole tree, chance included: one node a history, and what uniformly random play does in it, exactly."""
    return _outcomes(game, game.blank(), lambda s, luck: engine.deal(game.box.record, s, luck), ())


def _outcomes(
    game: Game, before: Record, act: Callable[[Record, RecordingLuck], None], script: tuple[int, ...]
) -> Tree:
    """What follows from an act whose first draws are scripted; a draw beyond the script is a chance node."""
    s, luck = before.copy(), RecordingLuck()
    begin(luck, 0)
    luck.scripted = len(script)
    for place, outcome in enumerate(script):
        luck.script[place] = outcome
    act(s, luck)
    if luck.asked > len(script):
        if len(script) == SCRIPT:
            raise ValueError(f"more than {SCRIPT} draws in one act")
        possible = luck.possible[len(script)]
        below = [_outcomes(game, before, act, (*script, outcome)) for outcome in range(possible)]
        return _joined(below, chance=1, decisions=0)
    return _decisions(game, s)


def _decisions(game: Game, s: Record) -> Tree:
    box = game.box.record
    seats = engine.acting(s)
    if not seats:
        return Tree(0, 0, 1, Fraction(0), Fraction(engine.scored(box, s).points[0]))
    seat = seats[0]
    below = []
    for move in engine.legal_moves(box, s, seat, game.capacity):

        def act(after: Record, luck: RecordingLuck, move: int = move) -> None:
            engine.decide(box, after, luck, 1, seat, move)

        below.append(_outcomes(game, s, act, ()))
    return _joined(below, chance=0, decisions=1)


def _joined(below: list[Tree], chance: int, decisions: int) -> Tree:
    """A node over equally likely children."""
    return Tree(
        chance=chance + sum(child.chance or 0 for child in below),
        decisions=decisions + sum(child.decisions for child in below),
        terminals=sum(child.terminals for child in below),
        mean_length=decisions + sum((child.mean_length for child in below), Fraction(0)) / len(below),
        mean_return=sum((child.mean_return for child in below), Fraction(0)) / len(below),
    )


def counts(name: str) -> Counts:
    """What our rules reach, for `facts.disagreements`."""
    if name == facts.CONNECT_FOUR:
        found = {f"start {depth}": Fraction(perft(depth)) for depth in range(1, START_DEPTH + 1)}
        for position, opening in (("middle", facts.MIDDLE), ("late", facts.LATE)):
            found |= {f"{position} {depth}": Fraction(perft(depth, opening)) for depth in range(1, 7)}
        return found
    whole = tree_counts(tree(GAMES[name]))
    # RLCard deals in its reset, so there is no number of chance nodes to agree with.
    return {what: count for what, count in whole.items() if what in facts.FACTS[name].counts}


def _row(name: str, game: Game) -> Row:
    return Row(name, "samizdat", 1, lambda seconds, seed: random_games(game, seconds, seed), lambda: counts(name))


ROWS = {name: _row(name, game) for name, game in GAMES.items()}
