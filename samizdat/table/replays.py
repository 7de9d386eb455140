"""Replays: a finished match, decision by decision, through everybody's eyes and with nothing hidden any more."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from samizdat.kernel.match import SPECTATOR, Match, Observation, view_of
from samizdat.kernel.matchfile import Verdict, dumps, verify
from samizdat.kernel.telling import Line, Phrase
from samizdat.table.house import LiveTable, Viewer
from samizdat.table.rendering import board_of

MOST_KEPT = 8  # replays in memory; a match is worked through again for those who come later


@dataclass(frozen=True)
class Private:
    """A line that only one seat heard while the match ran."""

    seat: int
    line: Line


@dataclass(frozen=True)
class Moment:
    """The deal, or one decision: who made it, its words, and all that anybody heard of it."""

    seat: int | None
    decision: Phrase | None
    lines: tuple[Line, ...]
    private: tuple[Private, ...]
    steps: dict[Viewer, int]  # how far each viewer's own chronicle had come


@dataclass(frozen=True)
class Replay:
    """A whole match, and what its file proves."""

    moments: tuple[Moment, ...]
    verdict: Verdict

    @property
    def last(self) -> int:
        return len(self.moments) - 1


class Replays:
    """The replays that were asked for last."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Replay] = OrderedDict()

    def of(self, table: LiveTable) -> Replay:
        """Works through the whole match the first time; to be called off the event loop."""
        found = self._kept.pop(table.id, None) or watched(table)
        self._kept[table.id] = found
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return found


def watched(table: LiveTable) -> Replay:
    """Play the match once more and note, after each decision, what everybody saw and heard of it."""
    assert table.match is not None
    again = Match(table.game, table.match.seed)
    steps: dict[Viewer, int] = dict.fromkeys(table.viewers, -1)
    moments = [_moment(again, steps, None, None)]
    for seat, move, luck in table.match.deeds:
        seen = view_of(again.game, again.sight(seat, memory=False).state, seat)
        words: Phrase = board_of(again.game.name).label(again.game, seen, move)
        again.play(seat, move, luck)
        moments.append(_moment(again, steps, seat, words))
    return Replay(tuple(moments), verify(dumps(table.match, table.nonce)))


def _moment(match: Match, steps: dict[Viewer, int], seat: int | None, decision: Phrase | None) -> Moment:
    heard: dict[Viewer, list[Line]] = {}
    for viewer in steps:
        observed = match.observations(viewer)
        heard[viewer] = _lines(match, viewer, observed[steps[viewer] + 1 :])
        steps[viewer] = len(observed) - 1
    public = heard[None]
    private = tuple(
        Private(viewer, line)
        for viewer, lines in heard.items()
        if viewer is not None
        for line in lines
        if not any(line == other for other in public)
    )
    return Moment(seat, decision, tuple(public), private, dict(steps))


def _lines(match: Match, viewer: Viewer, observed: Sequence[Observation]) -> list[Line]:
    show: Any = match.game.definition.show
    number = SPECTATOR if viewer is None else viewer
    return [line for one in observed for line in show.tell(match.game, list(one.told), number)]
