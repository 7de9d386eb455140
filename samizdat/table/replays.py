"""Replays: a finished match, decision by decision, through everybody's eyes and with nothing hidden any more."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from samizdat.kernel.boards import Words
from samizdat.kernel.history import History
from samizdat.kernel.match import Match, view_of
from samizdat.kernel.matchfile import dumps
from samizdat.kernel.telling import Line
from samizdat.kernel.verdicts import Verdict, verify
from samizdat.table.board_files import board_of
from samizdat.table.drawings import DRAWINGS
from samizdat.table.journal import Seating
from samizdat.table.seats import Viewer
from samizdat.table.tables import LiveTable
from samizdat.table.viewing import Log, Worded, seat_line

# Decisions of all replays in memory, some 8 KB each; a match is worked through again for those who come later. The
# latest one stays, however long it is.
MOST_KEPT = 12_000


@dataclass(frozen=True)
class Private:
    """A line that only one seat heard while the match ran."""

    seat: int
    line: Line


@dataclass(frozen=True)
class Moment:
    """The deal, or one decision: who made it, its words, and all that anybody heard of it."""

    seat: int | None
    decision: Words | None
    lines: tuple[Line, ...]
    private: tuple[Private, ...]
    steps: dict[Viewer, int]  # how far each viewer's own history had come


@dataclass(frozen=True)
class Witness:
    """One viewer's history in words, and how much of it there was after the deal and after every decision."""

    worded: Sequence[Worded]
    upto: Sequence[int]

    def sight(self, number: int) -> bytes:
        """The hidden record after a decision."""
        return self.worded[self.upto[number] - 1].observed.seen

    def lines(self, number: int) -> tuple[Line, ...]:
        """What a decision let the viewer hear; 0 is the deal."""
        first = self.upto[number - 1] if number else 0
        return tuple(entry.line for one in self.worded[first : self.upto[number]] for entry in one.entries)


@dataclass(frozen=True)
class Replay:
    """A whole match, and what its file proves."""

    moments: tuple[Moment, ...]
    verdict: Verdict

    @property
    def last(self) -> int:
        return len(self.moments) - 1


class Replays:
    """The replays that were asked for last, done or in the making."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, tuple[asyncio.Task[Replay], int]] = OrderedDict()  # with its decisions

    async def of(self, table: LiveTable) -> Replay:
        """Worked out in a thread when somebody first asks; whoever asks meanwhile waits for the same."""
        assert table.match is not None
        task, _ = self._kept.pop(table.id, (None, 0))
        if task is None or (task.done() and (task.cancelled() or task.exception())):
            task = asyncio.create_task(_watched(table))
        self._kept[table.id] = task, table.match.plies
        while len(self._kept) > 1 and sum(decisions for _, decisions in self._kept.values()) > MOST_KEPT:
            self._kept.popitem(last=False)
        return await asyncio.shield(task)


async def _watched(table: LiveTable) -> Replay:
    """What everybody saw and heard of each decision, from their histories; the match is over, and they stay."""
    assert table.match is not None
    heard = {viewer: (table.history(viewer), DRAWINGS.of(table, viewer).log) for viewer in table.viewers}
    return with_seatings(await asyncio.to_thread(watched, table.match, heard), table.seatings)


def with_seatings(replay: Replay, seatings: Sequence[Seating]) -> Replay:
    """Changes of seats, told after the decision they followed."""
    lines: dict[int, list[Line]] = {}
    for one in seatings:
        lines.setdefault(one.plies, []).append(seat_line(one))
    moments = (
        replace(moment, lines=(*moment.lines, *lines.get(number, ()))) for number, moment in enumerate(replay.moments)
    )
    return replace(replay, moments=tuple(moments))


def watched(match: Match, heard: dict[Viewer, tuple[History, Log]]) -> Replay:
    """Every decision in the words of whoever made it, and what came of it."""
    witnesses = {
        viewer: Witness(log.read(history.observations), history.upto) for viewer, (history, log) in heard.items()
    }
    label = board_of(match.game.name).label
    moments = [_moment(witnesses, 0, None, None)]
    for number, (seat, move) in enumerate(match.moves, 1):
        before = witnesses[seat].sight(number - 1)
        seen = view_of(match.game, match.game.definition.state.from_bytes(before), seat)
        moments.append(_moment(witnesses, number, seat, label(match.game, seen, move)))
    return Replay(tuple(moments), verify(dumps(match)))


def _moment(witnesses: dict[Viewer, Witness], number: int, seat: int | None, decision: Words | None) -> Moment:
    public = witnesses[None].lines(number)
    private = tuple(
        Private(viewer, line)
        for viewer, one in witnesses.items()
        if viewer is not None
        for line in one.lines(number)
        if not any(line == other for other in public)
    )
    return Moment(
        seat, decision, public, private, {viewer: one.upto[number] - 1 for viewer, one in witnesses.items()}
    )
