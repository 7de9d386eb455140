"""What can be asked of a table. Each command is decided by the rules of tables: it is refused, or comes to an event.

Deciding changes nothing. `House.do` stores what happened, and only then is the table changed by it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from samizdat.kernel.boards import Composition
from samizdat.kernel.errors import GameOver, IllegalMove, NotYourTurn
from samizdat.kernel.fairness import Fairness
from samizdat.kernel.match import Match
from samizdat.kernel.telling import Phrase
from samizdat.table.declined import NoTable, NotAllowed, Stale
from samizdat.table.events import Begun, Drafted, Event, Held, Played, Revoked, SeatChanged, TookBack, Turned
from samizdat.table.journal import Decision, Seating, TakingBack
from samizdat.table.seats import Seat, Viewer, new_key
from samizdat.table.tables import NOT_BEGUN, OPEN, LiveTable

LONGEST_DRAFT = 400
NOTHING_HERE = Phrase("There is nothing to decide here: this example is only looked at.")
GIVEN_AWAY = Phrase("This seat's link is no longer valid; ask whoever opened the table for a new one.")
TAKEN = Phrase("That seat is taken.")
NOT_YOURS = Phrase("This hand waits for whoever had it, for a bot, or for somebody who was not at this table.")


# --- decisions -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class OfSeat:
    """Something that a seat does in the position that has this version for it. `by` is whoever sat there when it was
    thought of, or else asked for: a late answer must not decide for the next one."""

    seat: int
    version: int | None = field(default=None, kw_only=True)
    by: Seat | None = field(default=None, kw_only=True)

    def present(self, table: LiveTable) -> Match:
        """The match, if this is still the position, and whoever asks still sits there."""
        if self.by is not None and table.chairs[self.seat] is not self.by:
            raise Stale("The seat was given to somebody else.")
        if table.match is None:
            raise NotYourTurn(NOT_BEGUN)
        if table.ended:
            raise GameOver(Phrase("The match is over; nobody decides any more."))
        if self.version is not None and self.version != table.match.history(self.seat).version:
            raise Stale("The position has changed since; look again and decide anew.")
        return table.match


@dataclass(frozen=True)
class Play(OfSeat):
    """Decisions of one seat; all of them or none."""

    moves: Sequence[object]

    def decide(self, table: LiveTable) -> Played:
        present = self.present(table)
        if table.still:
            raise NotYourTurn(NOTHING_HERE)
        match = present.copy()  # one that is refused leaves nothing of those before it
        played = [
            Decision(self.seat, str(match.decide(self.seat, move, table.luck_of(match, self.seat, move))))
            for move in self.moves
        ]
        return Played(self.seat, tuple(played), match, noticing(present, match))


@dataclass(frozen=True)
class TakeBack(OfSeat):
    """The seat's last decision did not happen."""

    def decide(self, table: LiveTable) -> TookBack:
        present = self.present(table)
        if present.over:
            raise GameOver(Phrase("The match is over; nobody decides any more."))
        match = present.copy()
        match.undo(self.seat)
        return TookBack(self.seat, (TakingBack(self.seat),), match, noticing(present, match))


@dataclass(frozen=True)
class Seal(OfSeat):
    """Play what the seat has composed."""

    def decide(self, table: LiveTable) -> Played:
        self.present(table)
        composed = table.composition(self.seat)
        if composed is None:
            raise NotYourTurn(Phrase("There is nothing to seal now."))
        if composed.seal is None:
            raise NotYourTurn(Phrase("Something is still missing; the draft cannot be sealed yet."))
        return Play(self.seat, composed.seal).decide(table)


def noticing(before: Match, after: Match) -> tuple[Viewer, ...]:
    """Who can tell one position of a match from the next."""
    viewers = (None, *range(after.game.players))
    return tuple([one for one in viewers if before.history(one).version != after.history(one).version])


@dataclass(frozen=True)
class Draft(OfSeat):
    """Add something to a seat's draft, take it out, or clear it."""

    change: str  # "add", "take" or "clear"
    notation: str = ""

    def decide(self, table: LiveTable) -> Drafted:
        self.present(table)
        composed = table.composition(self.seat)
        if composed is None:
            raise NotYourTurn(Phrase("There is nothing to compose now."))
        chosen = list(composed.chosen)
        if self.change == "clear":
            chosen = []
        elif self.change == "take" and self.notation in chosen:
            chosen.remove(self.notation)
        elif self.change == "add":
            self._check_addition(table, composed)
            chosen.append(self.notation)
        return Drafted(self.seat, tuple(chosen[-LONGEST_DRAFT:]))

    def _check_addition(self, table: LiveTable, composed: Composition) -> None:
        game, move = table.game, table.game.notation.read(self.notation)
        if self.notation in composed.open:
            return
        hidden = game.definition.state.from_bytes(table.history(self.seat).seen)
        line = game.why_not(hidden, self.seat, move)
        raise IllegalMove(f"{move} is not possible now: {line}", line.rule, line)


# --- seats -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Begin:
    """Deal, once every seat is taken."""

    def decide(self, table: LiveTable) -> Begun | None:
        full = table.status == OPEN and all(chair.kind != "open" for chair in table.chairs)
        return Begun(table.dealt()) if full and table.frozen is None else None


@dataclass(frozen=True)
class ChangeSeat:
    """Give a seat to a person, to a bot or to nobody. Its old link stops working, and its draft is forgotten."""

    seat: int
    kind: str
    name: str
    player: str | None = None
    level: str = ""
    number: str = ""  # what a browser adds to the luck, before the cards are dealt
    so_far: str = ""  # what stood fixed when it did
    how: str = ""  # that it came to a bot, if its owner wanted it so or was late

    def decide(self, table: LiveTable) -> SeatChanged:
        seat, player = self.seat, self.player
        chair = Seat(self.kind, self.level, self.name, new_key(), {player} if player else set())
        if table.match is None:
            return SeatChanged(seat, chair, player, None, self._fairness(table))
        old = table.chairs[seat]
        was = old.name or next((one.was for one in reversed(table.seatings) if one.seat == seat), "")
        back = old.kind != "person" and player in table.owners(seat)
        held, plies = frozenset(old.holders), table.match.plies
        seating = Seating(seat, self.kind, self.name, was, back, held, table.journaled, plies, self.how)
        return SeatChanged(seat, chair, player, seating, table.fairness)

    def _fairness(self, table: LiveTable) -> Fairness | None:
        """A number goes with whoever gave it. One that was given to something else than what stands fixed now is left
        out: its browser could not check it."""
        if table.fairness is None:
            return None
        if self.number and self.so_far == table.so_far:
            return table.fairness.plus(self.seat, self.number)
        return table.fairness.without(self.seat)


@dataclass(frozen=True)
class TakeSeat:
    """A person takes an open seat. While a match runs there is a hand on it, which nobody may look into who knows
    another one."""

    seat: int
    name: str
    player: str
    number: str = ""
    so_far: str = ""
    invited: int | None = None  # the free seat whose link brought them, if they chose another one

    def decide(self, table: LiveTable) -> SeatChanged:
        if table.chairs[self.seat].kind != "open":
            raise NotAllowed(TAKEN)
        if table.match is not None and self.player not in table.owners(self.seat) and table.was_here(self.player):
            raise NotAllowed(NOT_YOURS)
        taken = ChangeSeat(self.seat, "person", self.name, self.player, number=self.number, so_far=self.so_far)
        changed = taken.decide(table)
        if self.invited in (None, self.seat):
            return changed
        if table.match is not None or table.chairs[self.invited].kind != "open":
            raise NotAllowed(TAKEN)
        # Somebody else was sent the link of the seat that was chosen: it leads to the one that is left.
        return replace(changed, left=self.invited, link=table.chairs[self.seat].key)


@dataclass(frozen=True)
class Hold:
    """Another browser of the same person, who has the seat's key."""

    seat: int
    key: str
    player: str

    def decide(self, table: LiveTable) -> Held:
        chair = table.chairs[self.seat]
        if chair.kind != "person" or chair.key != self.key:
            raise NoTable(GIVEN_AWAY)
        return Held(self.seat, self.player)


@dataclass(frozen=True)
class Revoke:
    """Whoever holds a seat lets other browsers hold it no longer: one of them, or all."""

    seat: int
    player: str
    gone: str = ""  # all others

    def decide(self, table: LiveTable) -> Revoked:
        chair = table.chairs[self.seat]
        if self.player not in chair.holders:
            raise NotAllowed("Only the seat's owner may say who holds it.")
        others = frozenset(chair.holders - {self.player})
        return Revoked(self.seat, others & {self.gone} if self.gone else others, new_key())


@dataclass(frozen=True)
class Turn:
    """What the reader of a scene asks of its slip."""

    act: str

    def decide(self, table: LiveTable) -> Turned:
        return Turned(self.act)


# Who may come to a seat is its owner's business, also at a table that the host froze; what begins by itself waits.
ALWAYS = (Begin, Hold, Revoke)


class Command(Protocol):
    """Anything that can be asked of a table."""

    def decide(self, table: LiveTable) -> Event | None: ...
