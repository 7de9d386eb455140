"""Leaving a match or ending it: a seat handed to a bot and taken back, a seat given up, a match that all agree to
end; as commands."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace

from samizdat.kernel.errors import GameOver, NotYourTurn
from samizdat.kernel.telling import Phrase
from samizdat.table.declined import NoTable, NotAllowed
from samizdat.table.events import SeatChanged, Voted, WentOn
from samizdat.table.journal import HANDED, LATE, RESIGNED, Seating
from samizdat.table.proposals import Proposal
from samizdat.table.saying import OfTalk, next_line
from samizdat.table.seats import Seat, new_key
from samizdat.table.tables import NOT_BEGUN, OVER, LiveTable
from samizdat.table.talk import END_ASKED, END_REFUSED, SEATS, Saying

IS_OVER = Phrase("The match is over; nobody decides any more.")
NOT_ITS_OWNER = Phrase("Only whoever sits there may leave a seat, or agree to end.")
NOT_HANDED = Phrase("That seat was not handed over by you, or is somebody else's by now.")
NOT_ASKED = Phrase("Nobody proposes to end the match.")
OTHERS_SAY = Phrase("Your time is over: the others say whether the match ends. Decide while you can.")
NOT_LATE = Phrase("Nobody's time is over there; look again.")
ASKED_ALREADY = Phrase("That was asked in this round; it can be asked again in the next.")


def playing(table: LiveTable) -> None:
    if table.match is None:
        raise NotYourTurn(NOT_BEGUN)
    if table.status == OVER:
        raise GameOver(IS_OVER)


@dataclass(frozen=True)
class HandOver:
    """Whoever sits there lets a bot play on: until they come back, or for good."""

    seat: int
    player: str
    name: str  # of the bot
    level: str
    resign: bool = False

    def decide(self, table: LiveTable) -> SeatChanged:
        playing(table)
        old = table.chairs[self.seat]
        if old.kind != "person" or self.player not in old.holders:
            raise NotAllowed(NOT_ITS_OWNER)
        chair = Seat("bot", self.level, self.name, new_key() if self.resign else old.key)  # its link stays good
        assert table.match is not None
        held, plies, how = frozenset(old.holders), table.match.plies, RESIGNED if self.resign else HANDED
        seating = Seating(self.seat, "bot", self.name, old.name, False, held, table.journaled, plies, how)
        return SeatChanged(self.seat, chair, None, seating, table.fairness)


def handed_over(table: LiveTable, seat: int) -> Seating | None:
    """How a seat came to its bot, if whoever handed it over, or was late, may have it back."""
    last = next((one for one in reversed(table.seatings) if one.seat == seat), None)
    handed = (
        last is not None and last.how in (HANDED, LATE) and table.chairs[seat].kind == "bot" and table.status != OVER
    )
    return last if handed else None


def may_return(table: LiveTable, player: str) -> list[int]:
    """The seats that somebody has handed over and may have back."""
    found = ((seat, handed_over(table, seat)) for seat in range(table.game.players))
    return [seat for seat, one in found if one is not None and player in one.held]


@dataclass(frozen=True)
class Return:
    """Whoever handed a seat over has it back: known by who they are, or by the seat's own link."""

    seat: int
    player: str
    key: str = ""

    def decide(self, table: LiveTable) -> SeatChanged:
        playing(table)
        old, one = table.chairs[self.seat], handed_over(table, self.seat)
        if one is None or not (self.player in one.held or (self.key and self.key == old.key)):
            raise NoTable(NOT_HANDED) if self.key else NotAllowed(NOT_HANDED)
        assert table.match is not None
        chair = Seat("person", "", one.was, old.key, {self.player})
        plies = table.match.plies
        seating = Seating(self.seat, "person", one.was, old.name, True, frozenset(), table.journaled, plies)
        return SeatChanged(self.seat, chair, self.player, seating, table.fairness)


@dataclass(frozen=True)
class Vote:
    """Somebody proposes to end the match, agrees, or would rather play on."""

    player: str
    yes: bool
    at: float = field(default_factory=time.time)

    def decide(self, table: LiveTable) -> Voted:
        playing(table)
        people = [seat for seat, chair in enumerate(table.chairs) if chair.kind == "person"]
        own = frozenset(seat for seat in people if self.player in table.chairs[seat].holders)
        if not own:
            raise NotAllowed(NOT_ITS_OWNER)
        asked, line, late = table.proposed, None, table.late
        if not self.yes and own <= late:
            raise NotAllowed(OTHERS_SAY)
        if asked is not None and asked.no:
            if not late or not self.yes:
                raise NotAllowed(ASKED_ALREADY)
            asked = None  # that was before somebody's time was over
        if asked is None and not self.yes:
            raise NotAllowed(NOT_ASKED)
        if asked is None:
            asked = Proposal(min(own), self.at, table.round, own)
            line = self._line(table, END_ASKED, min(own))
        elif self.yes:
            asked = replace(asked, yes=asked.yes | own)
        else:
            asked = replace(asked, yes=asked.yes - own, no=own)
            line = self._line(table, END_REFUSED, min(own))
        needed = set(people) - late or set(people)
        ended = needed <= asked.yes
        return Voted(replace(asked, late=late - asked.yes if ended else frozenset()), line, ended, self.player)

    def _line(self, table: LiveTable, kind: str, seat: int) -> Saying | None:
        """What the seats are told; those at one screen know."""
        if table.people < 2:
            return None
        by = OfTalk(SEATS, seat, self.player)
        return next_line(table, by, table.chairs[seat].name, "", self.at, kind)


@dataclass(frozen=True)
class GoOn:
    """Somebody lets the match go on though the time of a seat is over."""

    seat: int
    player: str

    def decide(self, table: LiveTable) -> WentOn:
        playing(table)
        if not set(table.held_by(self.player)) - table.late:
            raise NotAllowed(NOT_ITS_OWNER)
        if self.seat not in table.late:
            raise NotAllowed(NOT_LATE)
        return WentOn(self.seat, self.player)
