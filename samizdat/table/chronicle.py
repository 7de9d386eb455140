"""A chronicle: what one viewer of a match has learnt, step by step.

It is the only thing pages, events and the JSON of that viewer are made from. Versions are counted per viewer: a
step that shows a viewer nothing does not exist for that viewer.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from samizdat.kernel.match import SPECTATOR, Match, Observation, Sight, view_of
from samizdat.kernel.moves import Move
from samizdat.kernel.records import Record
from samizdat.kernel.telling import Line, Told
from samizdat.table.rendering import Entry

BESIDE = "·"  # the number of a line that is no part of the match


@dataclass(frozen=True)
class Step:
    """One thing a viewer noticed: the hidden record after it, what was told, and the lines of the record."""

    observed: Observation
    entries: tuple[Entry, ...]  # the lines with their numbers, round.line
    counted: tuple[int, int]  # the round and the last line's number in it

    @property
    def lines(self) -> list[tuple[str, Line]]:
        return [(entry.label, entry.line) for entry in self.entries]

    @property
    def seen(self) -> bytes:
        return self.observed.seen

    @property
    def told(self) -> tuple[Told, ...]:
        return self.observed.told


class Chronicle:
    """The steps of one viewer; seat None is a spectator."""

    def __init__(self, match: Match, seat: int | None) -> None:
        self.game = match.game
        self.seat = seat
        self.version = 0  # changes seen so far, taking back included
        self.rewritten = 0  # the version when the history last changed backwards
        self.plies = 0  # decisions of the match that were looked at, whether there was anything to see or not
        self.steps: list[Step] = []
        self._round = (-1, 0)
        self._legal: tuple[bytes, tuple[str, ...]] = (b"", ())  # of the position looked at last
        self._view: tuple[bytes, dict[str, Any]] = (b"", {})
        self.follow(match)

    def follow(self, match: Match) -> bool:
        """Take in what was played since; whether there was anything for this viewer to see."""
        noticed = match.observations(self.seat)[len(self.steps) :]
        for one in noticed:
            self.steps.append(self._step(one))
            self.version += 1
        self.plies = match.plies
        return bool(noticed)

    def copy(self) -> Chronicle:
        """A chronicle that can be written on without changing this one."""
        twin = copy.copy(self)
        twin.steps = list(self.steps)
        return twin

    def rewrite(self, match: Match) -> bool:
        """After a decision was taken back: the history as it is now, if this viewer's history changed at all."""
        now = match.observations(self.seat)
        self.plies = match.plies
        same = 0
        while same < min(len(self.steps), len(now)) and self.steps[same].observed == now[same]:
            same += 1
        if same == len(self.steps) == len(now):
            return False
        del self.steps[same:]
        self._round = self.steps[-1].counted if self.steps else (-1, 0)
        for one in now[same:]:
            self.steps.append(self._step(one))
        self.version += 1
        self.rewritten = self.version
        return True

    def _step(self, one: Observation) -> Step:
        number = SPECTATOR if self.seat is None else self.seat
        now = int(self.view(one.seen)["round"])
        counted, line_number = self._round
        lines = []
        for line in self.game.definition.show.tell(self.game, list(one.told), number):
            line_number = 1 if counted != now else line_number + 1
            counted = now
            lines.append(Entry(f"{now}.{line_number}", line))
        self._round = (counted, line_number)
        return Step(one, tuple(lines), self._round)

    # --- one step, looked at -----------------------------------------------------------------------------

    def record(self, seen: bytes) -> Record:
        return self.game.definition.state.from_bytes(seen)

    def view(self, seen: bytes) -> dict[str, Any]:
        """What the seat sees, as plain data. Worked out once for a position; nobody may change it."""
        if self._view[0] != seen:
            self._view = (seen, view_of(self.game, self.record(seen), self.seat))
        return self._view[1]

    def legal(self, seen: bytes) -> list[Move]:
        """What is open to the seat, worked out from what it sees."""
        return [] if self.seat is None else Sight(self.game, self.seat, self.record(seen), ()).legal()

    def notations(self, seen: bytes) -> tuple[str, ...]:
        """The same in notation, worked out once for a position."""
        if self._legal[0] != seen:
            self._legal = (seen, tuple(str(move) for move in self.legal(seen)))
        return self._legal[1]

    def entries(self, upto: int | None = None, between: Sequence[tuple[int, Line]] = ()) -> list[Entry]:
        """The record of the match as this viewer heard it; fresh since its own last decision. Lines `between` are no
        part of the match: each comes with the number of steps before it."""
        steps = self.steps if upto is None else self.steps[: upto + 1]
        last_own = max((i for i, step in enumerate(steps) if step.observed.move is not None), default=-1)
        found: list[Entry] = []
        for i, step in enumerate(steps):
            found += [entry.freshly if i > last_own else entry for entry in step.entries]
            found += [Entry(BESIDE, line, i >= last_own) for count, line in between if count == i + 1]
        return found
