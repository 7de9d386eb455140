"""One game in compiled code, seen by every seat: what single environments are made of.

A `Single` keeps what was decided, so that the match it is playing can be had at any time; the interpreted referee
then plays it after, which takes a hundred times as long as the game itself. Nothing asks for it but pictures of the
table and opponents that want to remember.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, SupportsIndex

import numpy as np
import numpy.typing as npt

from samizdat.kernel.game import Game
from samizdat.kernel.luck import WORD, fresh_seed
from samizdat.kernel.match import Match
from samizdat.lab import vector
from samizdat.lab.faces import EPISODE, SEEDS, check_env_seed

MOST_ACTIONS = 1 << 31


def as_action(action: Any) -> int:
    """An agent's action as compiled code takes it; what is no whole number at all is open to nobody."""
    try:
        number = int(action)
    except (TypeError, ValueError, OverflowError):
        return -1
    return number if number == action and 0 <= number < MOST_ACTIONS else -1


class Single:
    """The games of one environment: episode e of seed s is game e of a simulation with that seed."""

    def __init__(self, game: Game, actions: int) -> None:
        self.game = game
        self.actions = actions
        self.dealt = False
        self.seats = 0  # who may act
        self._fresh = 0  # whose rows are up to date
        self._match: Match | None = None
        self._make()
        self.arrays.episodes[0] = self.arrays.seeds[0] = -1

    def _make(self) -> None:
        game = self.game
        self.arrays = vector.arrays(game, 1, game.players, self.actions, game.longest)
        self.everyone = (1 << game.players) - 1
        self._given = np.zeros(game.players, np.int64)
        self._true: vector.Arrays | None = None
        self._ends = game.players, game.fair_seats

    def __getstate__(self) -> dict[str, Any]:
        kept = {name: vars(self)[name] for name in ("game", "actions", "dealt", "seats", "_fresh", "_match")}
        return {**kept, "arrays": vector.held(self.arrays)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        held = state.pop("arrays")
        vars(self).update(state)
        self._make()
        vector.hold(self.arrays, held)

    def _do(self, what: int, agent: int, deciding: int, looking: int) -> None:
        step = vector.compiled(self.game.definition.native)
        self.seats = step(self.arrays, self._given, what, agent, False, deciding, looking, *self._ends)
        if looking == vector.WHO_IS_NEXT:
            looking = self.seats & -self.seats
        self._fresh = looking if what != vector.LOOK else self._fresh | looking

    # --- playing ---------------------------------------------------------------------------------------------

    def deal(self, seed: SupportsIndex | None, agent: int = vector.NOBODY) -> None:
        """The next game: the first of a given seed, or the one that follows."""
        a = self.arrays
        if seed is not None:
            a.seeds[0], a.episodes[0] = check_env_seed(seed), -1
        elif a.seeds[0] < 0:
            a.seeds[0] = fresh_seed() % SEEDS
        self.dealt, self._match = True, None
        self._do(vector.DEAL, agent, 0, 1 << agent if agent >= 0 else vector.WHO_IS_NEXT)

    def decide(self, seat: int, action: Any, agent: int = vector.NOBODY) -> bool:
        """What one seat does, and the others at random until the agent is asked; False if that is not open to it."""
        if not self._fresh >> seat & 1:
            self.look(1 << seat)
        self._given[seat] = as_action(action)
        self._do(vector.DECIDE, agent, 1 << seat, 1 << agent if agent >= 0 else vector.WHO_IS_NEXT)
        return not self.arrays.illegal[seat]

    def decide_together(self, actions: Mapping[int, Any]) -> bool:
        """What some seats do; False, and none of it is played, if any of it is not open. Their rows must be fresh."""
        deciding = 0
        for seat, action in actions.items():
            self._given[seat] = as_action(action)
            deciding |= 1 << seat
        self._do(vector.DECIDE, vector.NOBODY, deciding, self.everyone)
        return not self.arrays.illegal.any()

    @property
    def over(self) -> bool:
        return self.seats == 0

    @property
    def first(self) -> int:
        """The first seat that may act."""
        return (self.seats & -self.seats).bit_length() - 1

    @property
    def returns(self) -> list[float]:
        """What the last decision brought each seat."""
        found: list[float] = self.arrays.rewards[0].tolist()
        return found

    @property
    def seed(self) -> int:
        return int(self.arrays.seeds[0])

    @property
    def episode(self) -> int:
        return int(self.arrays.episodes[0])

    # --- what is seen ----------------------------------------------------------------------------------------

    def look(self, seats: int) -> None:
        """Bring the rows of some seats up to date."""
        self._do(vector.LOOK, vector.NOBODY, 0, seats)

    def observation(self, seat: int) -> npt.NDArray[np.float32]:
        """What a seat sees; never written again."""
        if not self._fresh >> seat & 1:
            self.look(1 << seat)
        found: npt.NDArray[np.float32] = self.arrays.observations[seat].copy()
        return found

    def mask(self, seat: int) -> npt.NDArray[np.int8]:
        """What a seat may do; never written again."""
        if not self._fresh >> seat & 1:
            self.look(1 << seat)
        found: npt.NDArray[np.int8] = self.arrays.masks[seat].copy()
        return found

    def true_record(self) -> npt.NDArray[np.float32]:
        """The numbers of the true record: the referee's, for training only."""
        if self._true is None:
            self._true = vector.arrays(self.game, 1, 1, 1, whole=True)._replace(states=self.arrays.states)
        step = vector.compiled(self.game.definition.native)
        step(self._true, self._given, vector.LOOK_TRUE, vector.NOBODY, False, 0, 1, *self._ends)
        found: npt.NDArray[np.float32] = self._true.observations[0].copy()
        return found

    # --- the match -------------------------------------------------------------------------------------------

    @property
    def match(self) -> Match:
        """The match being played, as the interpreted referee has it; to be looked at, not played."""
        a = self.arrays
        if self._match is None:
            self._match = Match(self.game, self.seed + (self.episode << EPISODE))
        for seat, move in a.acted[self._match.plies : int(a.plies[0])].tolist():
            self._match.play(seat, move)
        return self._match

    @match.setter
    def match(self, match: Match) -> None:
        """Play on from the position of another match of the same game."""
        a = self.arrays
        a.states[0] = np.frombuffer(match.raw, self.game.definition.state.dtype)[0]
        a.lucks["key"][0] = [(match.seed >> (32 * word)) & WORD for word in range(4)]
        a.plies[0] = match.plies
        a.acted[: match.plies] = [(seat, move.id) for seat, move in match.moves] or np.zeros((0, 2))
        self._match, self._fresh = match, 0
        self.look(0)
