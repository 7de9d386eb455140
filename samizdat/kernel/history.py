"""A history: what one viewer of a match has learned, observation by observation.

There is one for each viewer. The match begins it when somebody first asks, and keeps it up from then on; what a seat
knows, pages and events are all made from it.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass

from samizdat.kernel import interpreted as engine
from samizdat.kernel.records import Record
from samizdat.kernel.telling import Told


@dataclass(frozen=True)
class Ply:
    """One decision (or the deal) and all it caused."""

    seat: int
    move: int
    before: bytes
    told: tuple[Told, ...]
    drawn: tuple[tuple[int, int], ...]  # for each draw: how many outcomes were possible, which came
    revealed: bool
    script: tuple[int, ...] = ()  # the outcomes that were given rather than drawn


@dataclass(frozen=True)
class Observation:
    """What one seat learned of one decision: that it was its own, what it heard, what it then saw."""

    move: int | None
    told: tuple[Told, ...]
    seen: bytes


class History:
    """The observations of one viewer: a seat, or -1 for a spectator. A decision that showed it nothing is none."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.observations: list[Observation] = []
        self.upto: list[int] = []  # how many of them there were after the deal and after every decision
        self.version = 0  # changes so far: a taking back is one, whatever it changed
        self.rewritten = 0  # the version when the past last changed

    @property
    def seen(self) -> bytes:
        """What the viewer sees now: its hidden record."""
        return self.observations[-1].seen

    def take_in(self, box: Record, ply: Ply, state: Record) -> None:
        """One decision more, and the state it led to."""
        seat, found = self.seat, self.observations
        seen = bytes(engine.hidden(box, state, seat))
        told = tuple([one for one in ply.told if one.heard_by(seat)])
        own = ply.move if ply.seat == seat and seat >= 0 else None
        if own is not None or told or not found or seen != found[-1].seen:
            found.append(Observation(own, told, seen))
            self.version += 1
        self.upto.append(len(found))

    def at(self, plies: int) -> History:
        """A copy, as it was after so many decisions."""
        twin = copy.copy(self)
        twin.upto = self.upto[: plies + 1]
        twin.observations = self.observations[: twin.upto[-1]]
        return twin

    def replace(self, old: History) -> None:
        """Take the place of an old history, of which something was taken back: that is one change, if it shows."""
        changed = self.observations != old.observations
        if not changed:
            self.observations = old.observations
        self.version = old.version + changed
        self.rewritten = self.version if changed else old.rewritten
