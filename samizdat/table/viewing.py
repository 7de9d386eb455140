"""What a page is drawn from: the match as one viewer may see it, put together from that viewer's history alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from samizdat.kernel.boards import Reveal, Seen
from samizdat.kernel.game import Game
from samizdat.kernel.history import Observation
from samizdat.kernel.interpreted import SPECTATOR
from samizdat.kernel.match import Sight, view_of
from samizdat.kernel.telling import Line
from samizdat.table.clocks import Clock
from samizdat.table.fast_jinja import plain
from samizdat.table.journal import HANDED, LATE, RESIGNED, Seating
from samizdat.table.pleas import Plea
from samizdat.table.proposals import Proposal
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
    key: bytes  # of the line, in the memory of fragments
    fresh: bool = False  # since this viewer's last decision


@dataclass(frozen=True)
class PageView:
    """All that a page shows of one position to one viewer."""

    game: Game
    seen: Seen
    chairs: Sequence[SeatView]
    log: Log
    heard: Sequence[Observation]
    version: int
    step: int = 0  # of this viewer's observations, the one that is shown
    beside: Sequence[tuple[int, Line]] = ()  # what the log says of seats, each with the observations before it
    can_undo: bool = False
    over: bool = False
    past: bool = False  # a look back: nothing can be decided here
    still: bool = False  # something is only shown: nothing can be decided here, either
    opened: bool = False  # this seat's secrets are shown to everybody: the match is over
    reveals: Sequence[Reveal] = ()
    rematch: str | None = None  # the table where the same people play again
    table: str = ""  # its id; a preview has none
    ended: bool = False  # all agreed to end before it was over
    proposal: Proposal | None = None  # to do so, of this round
    frozen: str | None = None  # what the host says, where nobody decides for now
    late: frozenset[int] = frozenset()  # seats whose time is over, where the others may end the match; or had been
    plea: Plea | None = None  # to take something back
    asked: Sequence[int] = ()  # the seats that it needs
    may_plead: bool = False  # this seat may ask for its last decision back,
    opened_since: bool = False  # and something came out since
    talks: bool = False  # whether there is anybody to talk to
    several: bool = False  # people at this table share a screen: nobody in particular is "you" when it is over
    secrets: Sequence[PageView] = ()  # what each seat alone could see, once the match is over
    clock: Clock | None = None  # the same for everybody

    @cached_property
    def entries(self) -> list[LogEntry]:
        """The log so far; put into words when somebody reads it, in whatever thread that is."""
        return self.log.entries(self.heard, self.beside)

    @cached_property
    def told(self) -> tuple[Line, ...]:
        """What the latest decision was told by."""
        return tuple(entry.line for entry in self.log.read(self.heard)[-1].entries) if self.heard else ()

    @property
    def mine(self) -> bool:
        """Whether that was this viewer's own."""
        return bool(self.heard) and self.heard[-1].move is not None

    @property
    def view(self) -> Any:
        return self.seen.view

    @property
    def acts(self) -> bool:
        """Whether this viewer is to decide now."""
        asked = self.seen.seat is not None and self.seen.seat in self.seen.view["turn"]
        return asked and not self.past and not self.still and not self.ended and self.frozen is None


def read_only(shown: PageView) -> PageView:
    """The same for whoever cannot decide anything there: nothing is offered, to the eye or to a screen reader."""
    return replace(shown, seen=replace(shown.seen, legal=(), draft=None), can_undo=False, still=True)


def look(table: LiveTable, viewer: Viewer, number: int | None = None, log: Log | None = None) -> PageView:
    """The match as a viewer sees it now, or saw it at an earlier observation. Whatever happens to the table later,
    this stays as it is."""
    history, game = table.history(viewer), table.game
    last = len(history.observations) - 1
    number = last if number is None else number
    past = number < last
    one = history.observations[number]
    log = Log(game, viewer) if log is None else log
    view = log.view(one.seen)
    ended = table.ended and not past
    if ended:  # nobody is waited for
        view = view | {"turn": []}
    legal: tuple[str, ...] = ()
    frozen = None if past or table.over else table.frozen
    shut = past or frozen is not None
    free = not shut and viewer is not None
    undo = free and viewer is not None and table.may_undo(viewer)
    draft, plea = None, table.asked_back if free else None  # who watches is not asked
    if viewer in view["turn"] and viewer is not None and free and not table.still:
        hidden = game.definition.state.from_bytes(one.seen)
        legal = tuple([str(move) for move in Sight(game, viewer, hidden, ()).legal()])
        draft = table.composition(viewer) if legal else None
    return PageView(
        game=game,
        seen=Seen(view, viewer, legal, draft, one.told),
        chairs=[SeatView(chair.name, chair.kind, chair.level) for chair in table.chairs],
        log=log,
        heard=history.observations[: number + 1],
        beside=[(history.upto[one.plies], seat_line(one)) for one in table.seatings if one.plies < len(history.upto)],
        version=history.version,
        step=number,
        can_undo=undo,
        frozen=frozen,
        over=not view["turn"] and not table.still and not ended,
        ended=ended,
        proposal=None if past else table.proposed,
        late=table.ended_late if ended else frozenset() if shut or not view["turn"] else table.late,
        plea=plea,
        asked=sorted(table.asked_of(plea)) if plea else (),
        may_plead=free and viewer is not None and not undo and table.may_plead(viewer),
        opened_since=viewer is not None and not past and table.opened_since(viewer),
        past=past,
        still=table.still,
        rematch=table.rematch if viewer is not None or table.public else None,
        table="" if table.fleeting else table.id,
        talks=table.talks(viewer),
        clock=None if past or not view["turn"] or table.delays(viewer) else table.clock,
        several=any(len(table.held_by(holder)) > 1 for chair in table.chairs for holder in chair.holders),
        secrets=() if past or ended or view["turn"] or table.still else _secrets(table),
        reveals=game.definition.board.reveals(game, list(one.told), SPECTATOR if viewer is None else viewer),
    )


def _secrets(table: LiveTable) -> list[PageView]:
    """What each seat alone could see at the end: it is secret no more."""
    assert table.match is not None
    chairs = [SeatView(chair.name, chair.kind, chair.level) for chair in table.chairs]
    return [of_a_seat(table.game, table.match.view(seat), seat, chairs) for seat in range(table.game.players)]


def of_a_seat(game: Game, view: Any, seat: int, chairs: Sequence[SeatView]) -> PageView:
    """What a seat sees when a match is over, without its log."""
    return PageView(game, Seen(view, seat, (), None, ()), chairs, Log(game, seat), (), 0, over=True, opened=True)


def seat_line(one: Seating) -> Line:
    """What the log says of a change of a seat; names as they were then."""
    words = {"number": one.seat + 1, "name": one.name, "was": one.was}
    if one.kind == "open":
        return Line("", "Seat {number} is free; {was} played there.", words)
    if one.how == HANDED:
        return Line("", "Seat {number}: {was} hands over to the bot {name}.", words)
    if one.how == RESIGNED:
        return Line("", "Seat {number}: {was} resigns; the bot {name} plays on.", words)
    if one.how == LATE:
        return Line("", "Seat {number}: the time of {was} is over; the bot {name} plays on.", words)
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

    @cached_property
    def fresh(self) -> tuple[LogEntry, ...]:
        """The same while it is news."""
        return tuple([replace(entry, fresh=True) for entry in self.entries])


class Log:
    """One viewer's observations in words, each worked out once. Several threads may read the same at once: whoever is
    the last to find something new leaves it to the others."""

    def __init__(self, game: Game, viewer: Viewer) -> None:
        self.game, self.viewer = game, viewer
        self.known: list[Worded] = []
        self.settled: dict[
            Any, tuple[list[LogEntry], str]
        ] = {}  # by how it is read: lines that stay, as a page has them
        self._latest: tuple[bytes, dict[str, Any]] = b"", {}

    def read(self, observations: Sequence[Observation]) -> list[Worded]:
        """Each of them in words. A history is only ever added to or cut: what ends alike began alike."""
        known = self.known
        same = min(len(known), len(observations))
        while same and known[same - 1].observed is not observations[same - 1]:
            same -= 1
        if same == len(observations):
            return known[:same]
        found = known[:same]
        for one in observations[same:]:
            found.append(self._worded(one, found[-1].counted if found else (-1, 0)))
        self.known = found
        return found

    def entries(self, heard: Sequence[Observation], beside: Sequence[tuple[int, Line]] = ()) -> list[LogEntry]:
        """The lines of all of them, oldest first; fresh since the viewer's own last decision. Lines `beside` are no
        part of the match: each comes with the number of observations before it."""
        last_own = len(heard) - 1
        while last_own >= 0 and heard[last_own].move is None:
            last_own -= 1
        found: list[LogEntry] = []
        for i, one in enumerate(self.read(heard)):
            found += one.fresh if i > last_own else one.entries
            if beside:
                lines = [line for count, line in beside if count == i + 1]
                found += [LogEntry(BESIDE, line, plain(repr(line)), i >= last_own) for line in lines]
        return found

    def view(self, seen: bytes) -> dict[str, Any]:
        """What the viewer sees, as plain data. The latest is not worked out again; nobody may change it."""
        latest = self._latest
        if latest[0] != seen:
            hidden = self.game.definition.state.from_bytes(seen)
            latest = self._latest = seen, view_of(self.game, hidden, self.viewer)
        return latest[1]

    def _worded(self, one: Observation, counted: tuple[int, int]) -> Worded:
        game, seat = self.game, self.viewer
        eyes, (counted_round, number) = SPECTATOR if seat is None else seat, counted
        now = game.definition.show.round_of(game, game.definition.state.from_bytes(one.seen), eyes)
        entries = []
        for line in game.definition.show.tell(game, list(one.told), eyes):
            number = 1 if counted_round != now else number + 1
            counted_round = now
            entries.append(LogEntry(f"{now}.{number}", line, plain(repr(line))))
        return Worded(one, tuple(entries), (counted_round, number))
