"""What happens at a table, as its clock sees it; and what is asked of a table because of the time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from samizdat.kernel import interpreted as engine
from samizdat.kernel.match import Match
from samizdat.table.clocks import DAYS, Clock, fresh_clock
from samizdat.table.commands import ChangeSeat
from samizdat.table.events import (
    Begun,
    Event,
    Lapsed,
    Paused,
    Played,
    RanOut,
    Reminded,
    SeatChanged,
    TookBack,
    WentOn,
)
from samizdat.table.journal import LATE
from samizdat.table.tables import PLAYING, LiveTable

BOT_LEVEL = "regular"  # of whoever goes on for a seat whose time is over


def public_turn(match: Match) -> tuple[int, ...]:
    """The seats that are to act as a spectator knows it."""
    return engine.acting(match.game.definition.state.from_bytes(match.history(None).seen))


def clock_after(table: LiveTable, event: Event, now: float) -> Clock | None:
    """The clock of a table once something has happened at a moment of the house: the same one, unless everybody can
    see that it did."""
    clock, match, again = table.clock, table.match, set[int]()
    if clock is None:
        return None
    people = {seat for seat, chair in enumerate(table.chairs) if chair.kind == "person"}
    match event:
        case Begun():
            clock, match = replace(fresh_clock(clock.terms, len(table.chairs)), at=now), event.match
        case Played() | TookBack():
            if None not in event.noticed:
                return clock
            clock, match = clock.charged(now), event.match
            if isinstance(event, Played):
                clock = clock.decided(event.seat)
            for seat in _gone(table, event) if isinstance(event, TookBack) else ():
                clock = clock.took_back(seat)
                again.add(seat)
        case SeatChanged():
            if match is None:
                return clock
            clock = clock.charged(now).seated(event.seat)
            people = people - {event.seat} | ({event.seat} if event.chair.kind == "person" else set())
        case Lapsed():
            clock = clock.charged(now).lapsed(event.seat)
        case RanOut():
            clock = clock.charged(now).ran_out(event.seat)
        case WentOn():
            clock = clock.charged(now).went_on(event.seat)
        case Reminded():
            clock = clock.charged(now).with_dial(event.seat, reminded=True)
        case Paused():
            clock = clock.charged(now).with_dial(event.seat, paused=event.on)
        case _:
            return clock
    if match is None:
        return clock
    return clock.waiting_for([seat for seat in public_turn(match) if seat in people], again)


def _gone(table: LiveTable, event: TookBack) -> list[int]:
    """Whose decisions go, of those that showed; the latest first."""
    if not event.agreed or table.match is None:
        return [event.seat]
    moves, upto = table.match.moves, table.match.history(None).upto
    left = event.match.plies
    return [moves[ply][0] for ply in reversed(range(left, len(moves))) if upto[ply + 1] > upto[ply]]


@dataclass(frozen=True)
class TimeUp:
    """What is due by the clock at a moment of the house: a reminder, that somebody goes on for a seat, or that the
    others have the word. Whoever asks second finds that nothing is due any more."""

    seat: int
    now: float
    names: Sequence[str]  # of bots

    def decide(self, table: LiveTable) -> Reminded | Lapsed | RanOut | SeatChanged | None:
        clock, seat = table.clock, self.seat
        if clock is None or table.match is None or table.status != PLAYING or not clock.goes(seat):
            return None
        if seat not in table.match.turn:  # who has decided in secret is not late
            return None
        dial, terms, left = clock.dials[seat], clock.terms, clock.left(seat, self.now)
        if left > 0:
            return Reminded(seat) if left <= terms.last_call and not dial.reminded else None
        if terms.kind == DAYS and dial.late == 0:
            return Lapsed(seat)
        if terms.others and any(chair.kind == "person" for n, chair in enumerate(table.chairs) if n != seat):
            return RanOut(seat)
        free = [name for name in self.names if name not in table.names]
        return ChangeSeat(seat, "bot", free[0], level=BOT_LEVEL, how=LATE).decide(table)


@dataclass(frozen=True)
class Pause:
    """Somebody's holidays begin or end."""

    seat: int
    on: bool

    def decide(self, table: LiveTable) -> Paused | None:
        clock = table.clock
        if clock is None or clock.terms.kind != DAYS or clock.dials[self.seat].paused == self.on:
            return None
        return Paused(self.seat, self.on)
