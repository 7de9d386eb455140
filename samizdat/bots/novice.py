"""The novice: looks a few steps ahead in a few guessed worlds, and is not too careful about it.

Interpreted, so that it answers at once in a process that has compiled nothing. The budget is counted in decisions,
not in seconds: the same sight and seed give the same answer.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from samizdat.bots.asking_lore import settle
from samizdat.bots.at_once import OPEN, at_once, sensible
from samizdat.kernel import contract
from samizdat.kernel import interpreted as engine
from samizdat.kernel.lores import Lore
from samizdat.kernel.luck import Dice, Luck, begin, begin_dice, seed_luck
from samizdat.kernel.match import Sight
from samizdat.kernel.moves import Move
from samizdat.kernel.records import Record
from samizdat.kernel.scoring import MOST_SEATS, Score

CANDIDATES = 12  # decisions looked at, the most promising ones
DECISIONS = 1000  # played in imagination for one choice, all worlds together
AHEAD = 60  # decisions into the future, at most
LIKELY_AHEAD = 20  # what that mostly comes to, since a quiet point is enough
NOISE = 0.03  # how far off a share of the win may be judged
LOOKS = 16  # worlds in which a decision that ends the match must bring the same


def a_world(sight: Sight, rng: random.Random, lore: Lore) -> tuple[Record, Luck]:
    """A guessed world, and the luck that it will have."""
    box, state, luck, dice = sight.game.box.record, sight.state.copy(), Luck(), Dice()
    seed_luck(luck, rng.getrandbits(128))
    begin_dice(dice, rng.getrandbits(64), 0)
    contract.guess(box, state, luck, sight.seat)
    lore.suspect(box, state, dice, sight.seat)
    return state, luck


def foresee(sight: Sight, moves: Sequence[int], rng: random.Random, lore: Lore) -> list[float]:
    """What each decision brings at once, if it ends the match in every world that is looked at; OPEN if not."""
    box = sight.game.box.record
    known: dict[int, float] = {}
    for look in range(LOOKS):
        state, luck = a_world(sight, rng, lore)
        for move in moves if look == 0 else list(known):
            share = at_once(lore, box, state.copy(), luck, Score(), [0.0] * MOST_SEATS, sight.seat, move)
            if share == OPEN or share != known.setdefault(move, share):
                known.pop(move, None)
        if not known:
            break
    return [known.get(move, OPEN) for move in moves]


def imagine(
    sight: Sight, move: int, rng: random.Random, ahead: int = AHEAD, lore: Lore | None = None
) -> Record:  # fmt: skip
    """A guessed world after a decision, played on by the prior to a quiet point."""
    box, lore = sight.game.box.record, lore or sight.game.definition.lore
    state, luck = a_world(sight, rng, lore)
    engine.decide(box, state, luck, 1, sight.seat, move)
    moves: Any = [0] * sight.game.capacity
    weights = [0.0] * sight.game.capacity
    for ply in range(2, ahead + 2):
        acting = engine.acting(state)
        if not acting or lore.quiet(box, state):
            break
        n = contract.legal(box, state, acting[0], moves)
        lore.prior(box, state, acting[0], moves, n, weights)
        begin(luck, ply)
        contract.play(box, state, luck, acting[0], moves[rng.choices(range(n), weights[:n])[0]])
    return state


@dataclass
class Novice:
    """Greedy with noise: the candidate whose imagined futures look best on average."""

    rng: random.Random
    lore: Lore | None = None  # the game's own

    def choose(self, sight: Sight) -> Move:
        game = sight.game
        lore = self.lore or game.definition.lore
        moves = [move.id for move in sight.legal()]
        moves = [moves[place] for place in sensible(foresee(sight, moves, self.rng, lore))]
        weights = [0.0] * len(moves)
        lore.prior(game.box.record, sight.state, sight.seat, moves, len(moves), weights)
        order = sorted(range(len(moves)), key=lambda i: (-weights[i], self.rng.random()))[:CANDIDATES]
        worlds = max(1, DECISIONS // (LIKELY_AHEAD * len(order)))
        judged = {moves[i]: sum(self._judge(sight, moves[i], lore) for _ in range(worlds)) / worlds for i in order}
        best = max(judged, key=lambda id: judged[id] + self.rng.gauss(0.0, NOISE))
        return game.notation.move(best)

    def _judge(self, sight: Sight, move: int, lore: Lore) -> float:
        """What one guessed world promises the seat."""
        box, out = sight.game.box.record, [0.0] * MOST_SEATS
        state = imagine(sight, move, self.rng, lore=lore)
        if engine.acting(state):
            lore.evaluate(box, state, out)
        else:
            settle(lore, box, state, Score(), out)
        return out[sight.seat]
