"""How far behind the match whoever watches is, where a table says so.

A spectator's history is followed at a distance: what is shown of it is a history with versions of its own, from which
pages, streams, files and the API are made. They cannot tell what is not in it.
"""

from __future__ import annotations

import copy

from samizdat.kernel.history import History, Observation
from samizdat.kernel.interpreted import SPECTATOR
from samizdat.kernel.match import Match

AT_ONCE, FIVE, ROUND = "", "five", "round"
DELAYS = (AT_ONCE, FIVE, ROUND)
DECISIONS = 5  # that showed, and are not shown yet


class Behind:
    """What whoever watches is shown of one match."""

    def __init__(self, delay: str) -> None:
        self.delay = delay
        self.history = History(SPECTATOR)

    def copy(self) -> Behind:
        twin = Behind(self.delay)
        twin.history = copy.copy(self.history)
        return twin

    @property
    def plies(self) -> int:
        """How many decisions whoever watches knows of."""
        return len(self.history.upto) - 1

    def follow(self, match: Match, over: bool) -> None:
        """The match went on, or something was taken back. What was shown once stays, unless it did not happen; when
        the match is over, all of it is shown."""
        real, shown = match.history(None), self.history
        seen = real.observations[: len(real.observations) if over else self._most(match, real.observations)]
        known = len(shown.observations)
        if shown.observations == real.observations[:known]:
            fresh = seen[known:]
            shown.observations = [*shown.observations, *fresh]
            shown.version += len(fresh)
        else:
            shown.observations = seen
            shown.version += 1
            shown.rewritten = shown.version
        last = next(ply for ply, count in enumerate(real.upto) if count >= len(shown.observations))
        shown.upto = real.upto[:] if over else real.upto[: last + 1]

    def _most(self, match: Match, real: list[Observation]) -> int:
        """How many observations may be shown by now; the deal always is."""
        if self.delay == FIVE:
            return max(1, len(real) - DECISIONS)
        game = match.game

        def round_of(one: Observation) -> int:
            return int(game.definition.show.round_of(game, game.definition.state.from_bytes(one.seen), SPECTATOR))

        count, now = len(real), round_of(real[-1])
        while count > 1 and round_of(real[count - 1]) == now:
            count -= 1
        return count
