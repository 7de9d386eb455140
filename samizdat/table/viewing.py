"""What a page is drawn from: the match as one viewer may see it, put together from that viewer's history alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, overload

from samizdat.kernel.boards import Reveal, Seen
from samizdat.kernel.game import Game
from samizdat.kernel.history import Observation
from samizdat.kernel.match import SPECTATOR, Sight, view_of
from samizdat.kernel.telling import Line
from samizdat.table.boards import board_of
from samizdat.table.fast_jinja import plain
from samizdat.table.journal import Seating
from samizdat.table.seats import Viewer
from samizdat.table.tables import LiveTable

BESIDE = "·"  # the number of a line that is no part of the match


@dataclass(frozen=True)
class SeatView:
    """One seat as everybody at the table sees it."""

    name: str
    kind: str  # "person", "bot" or "open"
    level: str = ""


@dataclass(frozen=True)
class LogEntry:
    """A line of the log with its number, `round.line`."""

    label: str
    line: Line
    fresh: bool = False  # since this viewer's last decision

    @cached_property
    def freshly(self) -> LogEntry:
        return replace(self, fresh=True)

    @cached_property
    def key(self) -> bytes:
        """Of what is made from the line."""
        return plain(repr(self.line))


@dataclass(frozen=True)
class PageView:
    """All that a page shows of one position to one viewer."""

    game: Game
    seen: Seen
    chairs: Sequence[SeatView]
    entries: Sequence[LogEntry]
    version: int
    can_undo: bool = False
    over: bool = False
    past: bool = False  # a look back: nothing can be decided here
    opened: bool = False  # this seat's secrets are shown to everybody: the match is over
    reveals: Sequence[Reveal] = ()
    rematch: str | None = None  # the table where the same people play again
    table: str = ""  # its id; a preview has none
    several: bool = False  # people at this table share a screen: nobody in particular is "you" when it is over
    secrets: Sequence[PageView] = ()  # what each seat alone could see, once the match is over

    @property
    def view(self) -> Any:
        return self.seen.view

    @property
    def acts(self) -> bool:
        """Whether this viewer is to decide now."""
        return self.seen.seat is not None and self.seen.seat in self.view["turn"] and not self.past


def look(table: LiveTable, viewer: Viewer, number: int | None = None, log: Log | None = None) -> PageView:
    """The match as a viewer sees it now, or saw it at an earlier observation. Whatever happens to the table later,
    this stays as it is."""
    history, game = table.history(viewer), table.game
    last = len(history.observations) - 1
    number = last if number is None else number
    past = number < last
    one = history.observations[number]
    hidden = game.definition.state.from_bytes(one.seen)
    view = view_of(game, hidden, viewer)
    legal: tuple[str, ...] = ()
    draft = None
    if viewer is not None and not past:
        legal = tuple([str(move) for move in Sight(game, viewer, hidden, ()).legal()])
        draft = table.composition(viewer) if legal else None
    heard = tuple(history.observations[: number + 1])
    beside = [(history.upto[one.plies], seat_line(one)) for one in table.seatings]
    return PageView(
        game=game,
        seen=Seen(view, viewer, legal, draft, one.told),
        chairs=[SeatView(chair.name, chair.kind, chair.level) for chair in table.chairs],
        entries=Entries(log or Log(game, viewer), heard, beside),
        version=history.version,
        can_undo=not past and viewer is not None and table.may_undo(viewer),
        over=not view["turn"],
        past=past,
        rematch=table.rematch if viewer is not None or table.public else None,
        table=table.id,
        several=any(len(table.held_by(holder)) > 1 for chair in table.chairs for holder in chair.holders),
        secrets=() if past or view["turn"] else _secrets(table),
        reveals=board_of(game.name).reveals(game, list(one.told), SPECTATOR if viewer is None else viewer),
    )


def _secrets(table: LiveTable) -> list[PageView]:
    """What each seat alone could see at the end: it is secret no more."""
    assert table.match is not None
    chairs = [SeatView(chair.name, chair.kind, chair.level) for chair in table.chairs]
    return [
        PageView(table.game, Seen(table.match.view(seat), seat, (), None, ()), chairs, (), 0, over=True, opened=True)
        for seat in range(table.game.players)
    ]


def seat_line(one: Seating) -> Line:
    """What the log says of a change of a seat; names as they were then."""
    words = {"number": one.seat + 1, "name": one.name, "was": one.was}
    if one.kind == "open":
        return Line("", "Seat {number} is free; {was} played there.", words)
    if one.kind == "bot":
        return Line("", "Seat {number}: the bot {name} plays on for {was}.", words)
    if one.back:
        return Line("", "Seat {number}: {name} is back.", words)
    return Line("", "Seat {number}: {name} plays on for {was}.", words)


# --- the log ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Worded:
    """An observation in words, and the round and number that its last line has."""

    observed: Observation
    entries: tuple[LogEntry, ...]
    counted: tuple[int, int]


class Log:
    """One viewer's observations in words, each worked out once. Several threads may read the same at once: whoever is
    the last to find something new leaves it to the others."""

    def __init__(self, game: Game, viewer: Viewer) -> None:
        self.game, self.viewer = game, viewer
        self._known: list[Worded] = []

    def __len__(self) -> int:
        return len(self._known)

    def read(self, observations: Sequence[Observation]) -> list[Worded]:
        """Each of them in words. A history is only ever added to or cut: what ends alike began alike."""
        known = self._known
        same = min(len(known), len(observations))
        while same and known[same - 1].observed is not observations[same - 1]:
            same -= 1
        if same == len(observations):
            return known[:same]
        found = known[:same]
        for one in observations[same:]:
            found.append(self._worded(one, found[-1].counted if found else (-1, 0)))
        self._known = found
        return found

    def _worded(self, one: Observation, counted: tuple[int, int]) -> Worded:
        game, seat = self.game, self.viewer
        hidden = game.definition.state.from_bytes(one.seen)
        now, (counted_round, number) = int(view_of(game, hidden, seat)["round"]), counted
        entries = []
        for line in game.definition.show.tell(game, list(one.told), SPECTATOR if seat is None else seat):
            number = 1 if counted_round != now else number + 1
            counted_round = now
            entries.append(LogEntry(f"{now}.{number}", line))
        return Worded(one, tuple(entries), (counted_round, number))


class Entries(Sequence[LogEntry]):
    """A viewer's log so far, oldest line first; fresh since the viewer's own last decision. It is put into words when
    somebody reads it, in whatever thread that is. Lines `beside` are no part of the match: each comes with the number
    of observations before it."""

    def __init__(self, log: Log, heard: Sequence[Observation], beside: Sequence[tuple[int, Line]] = ()) -> None:
        self._log, self._heard, self._beside = log, heard, beside

    @cached_property
    def _lines(self) -> list[LogEntry]:
        last_own = max((i for i, one in enumerate(self._heard) if one.move is not None), default=-1)
        found: list[LogEntry] = []
        for i, one in enumerate(self._log.read(self._heard)):
            found += [entry.freshly for entry in one.entries] if i > last_own else one.entries
            if self._beside:
                found += [LogEntry(BESIDE, line, i >= last_own) for count, line in self._beside if count == i + 1]
        return found

    @overload
    def __getitem__(self, index: int) -> LogEntry: ...

    @overload
    def __getitem__(self, index: slice) -> list[LogEntry]: ...

    def __getitem__(self, index: int | slice) -> LogEntry | list[LogEntry]:
        return self._lines[index]

    def __iter__(self) -> Iterator[LogEntry]:
        return iter(self._lines)

    def __len__(self) -> int:
        return len(self._lines)
