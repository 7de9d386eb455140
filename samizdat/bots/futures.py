"""Futures: how a decision may go on, in worlds that a seat may hold possible, with all that is told on the way."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from samizdat.bots.uncommit import before_the_others
from samizdat.kernel import contract
from samizdat.kernel import interpreted as engine
from samizdat.kernel.luck import Dice, RecordingLuck, begin, begin_dice, seed_luck
from samizdat.kernel.match import Sight
from samizdat.kernel.moves import Move
from samizdat.kernel.records import Record
from samizdat.kernel.telling import Told, heard

AHEAD = 60  # decisions until something is settled, at most; and as many again until the others have had their turn


@dataclass(frozen=True)
class Future:
    """One imagined position, and what was told since the decision."""

    state: Record
    told: tuple[Told, ...]


def futures(sight: Sight, move: Move, seed: int, later: bool = False) -> list[Future]:
    """One guessed world after a decision, played on by the prior: to the next quiet point and, if that is asked for,
    to one at which others have decided and the seat is to decide again, or the match is over."""
    world = _World(sight, random.Random(seed))
    world.decide(sight.seat, move.id)
    world.play_on(lambda: world.lore.quiet(world.box, world.state) and not world.committing)
    found = [world.now()]
    if later:
        since = world.plies
        world.play_on(lambda: world.lore.quiet(world.box, world.state) and world.was_replied(since))
        found.append(world.now())
    return found


class _World:
    def __init__(self, sight: Sight, rng: random.Random) -> None:
        self.box, self.lore, self.rng, self.seat = sight.game.box.record, sight.game.definition.lore, rng, sight.seat
        self.state, self.luck, dice = before_the_others(sight).copy(), RecordingLuck(), Dice()
        seed_luck(self.luck, rng.getrandbits(128))
        begin_dice(dice, rng.getrandbits(64), 0)
        contract.guess(self.box, self.state, self.luck, sight.seat)
        self.lore.suspect(self.box, self.state, dice, sight.seat)
        self.plies, self.replied = 0, 0  # decisions so far, and the last of another seat
        self.committing = set(engine.acting(self.state))  # who decides at the same time, and has yet to
        self.told: list[Told] = []
        self.moves: Any = [0] * sight.game.capacity
        self.weights = [0.0] * sight.game.capacity

    def now(self) -> Future:
        return Future(self.state.copy(), tuple(self.told))

    def decide(self, seat: int, move: int) -> None:
        self.plies += 1
        self.committing.discard(seat)
        self.replied = self.replied if seat == self.seat else self.plies
        self.luck.told = self.luck.asked = 0
        begin(self.luck, self.plies)
        contract.play(self.box, self.state, self.luck, seat, move)
        self.told += heard(self.luck)

    def play_on(self, settled: Any) -> None:
        for _ in range(AHEAD):
            acting = engine.acting(self.state)
            self.committing &= set(acting)
            if not acting or settled():
                break
            self._choose(acting)

    def was_replied(self, since: int) -> bool:
        """Whether the seat is to decide again, and another has decided meanwhile; the solitaire's opposition does
        that by itself."""
        replied = self.replied > since or (self.state.seats == 1 and self.plies > since)  # type: ignore[attr-defined]
        return replied and self.seat in engine.acting(self.state)

    def _choose(self, acting: Sequence[int]) -> None:
        n = contract.legal(self.box, self.state, acting[0], self.moves)
        self.lore.prior(self.box, self.state, acting[0], self.moves, n, self.weights)
        self.decide(acting[0], self.moves[self.rng.choices(range(n), self.weights[:n])[0]])
