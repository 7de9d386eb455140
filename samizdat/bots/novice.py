"""The novice: looks a few steps ahead in a few guessed worlds, and is not too careful about it.

Interpreted, so that it answers at once in a process that has compiled nothing. The budget is counted in decisions,
not in seconds: the same sight and seed give the same answer.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

from samizdat.bots.lore import advice, evaluate, prior, read_lore, settle
from samizdat.kernel import contract
from samizdat.kernel import interpreted as engine
from samizdat.kernel.luck import Luck, begin, seed_luck
from samizdat.kernel.match import Sight
from samizdat.kernel.moves import Move
from samizdat.kernel.scoring import MOST_SEATS, Score

CANDIDATES = 12  # decisions looked at, the most promising ones
DECISIONS = 1500  # played in imagination for one choice, all worlds together
AHEAD = 30  # decisions into the future, at most
NOISE = 0.03  # how far off a share of the win may be judged


@dataclass
class Novice:
    """Greedy with noise: the candidate whose imagined futures look best on average."""

    rng: random.Random
    _out: list[float] = field(default_factory=lambda: [0.0] * MOST_SEATS)
    _result: Score = field(default_factory=Score)

    def choose(self, sight: Sight) -> Move:
        game, box = sight.game, sight.game.box.record
        lore = read_lore(game.definition)
        moves = [move.id for move in sight.legal()]
        if len(moves) == 1:
            return game.notation.move(moves[0])
        weights = [0.0] * len(moves)
        prior(box, sight.state, sight.seat, moves, len(moves), weights)
        order = sorted(range(len(moves)), key=lambda i: (-weights[i], self.rng.random()))[:CANDIDATES]
        ahead = min(advice(lore, "HORIZON") or AHEAD, AHEAD)
        worlds = max(1, DECISIONS // (ahead * len(order)))
        judged = {moves[i]: sum(self._imagine(sight, moves[i], ahead) for _ in range(worlds)) / worlds for i in order}
        best = max(judged, key=lambda id: judged[id] + self.rng.gauss(0.0, NOISE))
        return game.notation.move(best)

    def _imagine(self, sight: Sight, move: int, ahead: int) -> float:
        """One guessed world: play the decision and some more, and judge where that leads."""
        box, state, luck = sight.game.box.record, sight.state.copy(), Luck()
        seed_luck(luck, self.rng.getrandbits(128))
        contract.guess(box, state, luck, sight.seat)
        engine.decide(box, state, luck, 1, sight.seat, move)
        moves: Any = [0] * sight.game.capacity
        weights = [0.0] * sight.game.capacity
        for ply in range(2, ahead + 2):
            acting = engine.acting(state)
            if not acting:
                break
            n = contract.legal(box, state, acting[0], moves)
            prior(box, state, acting[0], moves, n, weights)
            chosen = self.rng.choices(range(n), weights[:n])[0]
            begin(luck, ply)
            contract.play(box, state, luck, acting[0], moves[chosen])
        if engine.acting(state):
            evaluate(box, state, self._out)
        else:
            settle(box, state, self._result, self._out)
        return self._out[sight.seat]
