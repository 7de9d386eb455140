"""The clock of a table: how long each seat may take, and whose is running.

It follows from what a spectator sees, and when: who is to act, and which decisions showed. What is decided in
secret (the tokens of a bid before it is sealed) neither stops a clock nor gives time back, so a clock tells nobody of
it. Its seconds are those of the house (`house_time.py`), which stand still while nobody serves.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

LIVE, DAYS = "live", "days"
MINUTE, HOUR, DAY = 60.0, 3600.0, 24 * 3600.0
MOST_BEFORE = 16  # decisions of one seat that can be taken back without a gain of time
COMING_BACK = 2 * MINUTE  # that whoever takes a seat back has at least, at a live table
LAST_CALL = 12 * HOUR  # before the time is over, whoever takes days is reminded; or when a quarter of it is left


@dataclass(frozen=True)
class Terms:
    """What was agreed when the table was opened."""

    kind: str
    seconds: float  # of a live clock in all, else for each decision
    increment: float = 0.0  # what a decision gives back to a live clock
    others: bool = False  # when time is over, the others may end the match or let it go on; else a bot goes on

    @property
    def last_call(self) -> float:
        """How much is left when a reminder is due."""
        return min(LAST_CALL, self.seconds / 4) if self.kind == DAYS else 0.0


@dataclass(frozen=True)
class Dial:
    """The time of one seat."""

    left: float
    before: tuple[
        float, ...
    ] = ()  # what was left at its latest decisions that showed, so that they can be taken back
    late: int = 0  # how often its time was over
    reminded: bool = False  # since its turn came
    paused: bool = False  # its owner is on holiday
    out: bool = False  # its time is over, and the others decide what happens


@dataclass(frozen=True)
class Clock:
    """All dials of a table, as they stood at one moment of the house."""

    terms: Terms
    dials: tuple[Dial, ...]
    running: tuple[int, ...] = ()  # the seats whose time goes by
    at: float = 0.0
    still: bool = False  # the host has frozen the table: nobody's time goes by

    def goes(self, seat: int) -> bool:
        """Whether the time of a seat goes by now."""
        return not self.still and seat in self.running and not self.dials[seat].paused and not self.dials[seat].out

    @property
    def out(self) -> frozenset[int]:
        """The seats whose time is over, where the others decide what happens."""
        return frozenset(seat for seat, dial in enumerate(self.dials) if dial.out)

    def left(self, seat: int, now: float) -> float:
        """The seconds that a seat has; never less than none, and never more because a clock was set back."""
        gone = max(0.0, now - self.at) if self.goes(seat) else 0.0
        return max(0.0, self.dials[seat].left - gone)

    @property
    def due(self) -> float | None:
        """The moment of the house at which something is to be done, unless somebody decides before."""
        moments = []
        for seat in self.running:
            if self.goes(seat):
                dial = self.dials[seat]
                early = 0.0 if dial.reminded else self.terms.last_call
                moments.append(self.at + max(0.0, dial.left - early))
        return min(moments, default=None)

    # --- how it changes ----------------------------------------------------------------------------------

    def stopped(self, at: float) -> Clock:
        """As it stands since a moment of the house, until the host lets the table go on."""
        return replace(self.charged(at), still=True)

    def charged(self, now: float) -> Clock:
        """The same clock, read at a later moment."""
        dials = tuple(replace(dial, left=self.left(seat, now)) for seat, dial in enumerate(self.dials))
        return replace(self, dials=dials, at=max(now, self.at))

    def with_dial(self, seat: int, **values: Any) -> Clock:
        dials = list(self.dials)
        dials[seat] = replace(dials[seat], **values)
        return replace(self, dials=tuple(dials))

    def decided(self, seat: int) -> Clock:
        """A decision of a seat showed."""
        dial, terms = self.dials[seat], self.terms
        left = dial.left + terms.increment if terms.kind == LIVE else terms.seconds
        before = (*dial.before, dial.left)[-MOST_BEFORE:]
        return self.with_dial(seat, left=left, before=before, reminded=False, out=False)

    def took_back(self, seat: int) -> Clock:
        """It is as if the decision had not been: what it gave is gone."""
        dial = self.dials[seat]
        if not dial.before:
            return self
        return self.with_dial(seat, left=min(dial.left, dial.before[-1]), before=dial.before[:-1])

    def seated(self, seat: int) -> Clock:
        """Somebody else sits down, or somebody comes back."""
        dial, terms = self.dials[seat], self.terms
        left = max(dial.left, min(COMING_BACK, terms.seconds)) if terms.kind == LIVE else terms.seconds
        return self.with_dial(seat, left=left, before=(), late=0, reminded=False, paused=False, out=False)

    def lapsed(self, seat: int) -> Clock:
        """The time of somebody who takes days was over: they have as much again, once."""
        return self.with_dial(seat, left=self.terms.seconds, late=self.dials[seat].late + 1, reminded=True)

    def ran_out(self, seat: int) -> Clock:
        """The time of a seat is over for good: it stands still until the others have said what happens."""
        return self.with_dial(seat, left=0.0, reminded=True, out=True)

    def went_on(self, seat: int) -> Clock:
        """The others let the match go on: whoever is late has some time again."""
        terms = self.terms
        left = min(COMING_BACK, terms.seconds) if terms.kind == LIVE else terms.seconds
        return self.with_dial(seat, left=left, reminded=False, out=False)

    def waiting_for(self, seats: Iterable[int], again: Collection[int] = ()) -> Clock:
        """From now on the time of these seats goes by. Who takes days for each decision has all of them anew, except
        `again`, of whom one was taken back."""
        running, found = tuple(seats), self
        for seat in self.out.difference(running):  # nobody waits for them any more
            found = found.with_dial(seat, out=False)
        for seat in running:
            if self.terms.kind == DAYS and seat not in self.running and seat not in again:
                found = found.with_dial(seat, left=self.terms.seconds, reminded=False)
        return replace(found, running=running)

    # --- as it is stored ---------------------------------------------------------------------------------

    def plain(self) -> dict[str, Any]:
        return {
            "at": self.at,
            "running": list(self.running),
            "dials": [{**vars(dial), "before": list(dial.before)} for dial in self.dials],
        }


def fresh_clock(terms: Terms, seats: int) -> Clock:
    return Clock(terms, (Dial(terms.seconds),) * seats)


def read_clock(terms: Terms, seats: int, plain: Mapping[str, Any] | None) -> Clock:
    """A clock as it was stored; without a state the match has not begun."""
    if plain is None:
        return fresh_clock(terms, seats)
    dials = tuple(Dial(**{**one, "before": tuple(one["before"])}) for one in plain["dials"])
    return Clock(terms, dials, tuple(plain["running"]), plain["at"])
