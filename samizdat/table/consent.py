"""Taking back by consent: somebody asks for their last decision back when others have acted on it, and every other
person at the table agrees or not; as commands. Bots agree. Where results count, nothing is taken back so."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace

from samizdat.kernel.telling import Phrase
from samizdat.table.commands import noticing
from samizdat.table.declined import NotAllowed, Stale
from samizdat.table.ending import playing
from samizdat.table.events import Pleaded, TookBack
from samizdat.table.journal import GoingBack
from samizdat.table.pleas import Plea
from samizdat.table.saying import OfTalk, next_line
from samizdat.table.tables import LiveTable
from samizdat.table.talk import BACK_AGREED, BACK_ASKED, BACK_REFUSED, SEATS, Saying

NOT_YOURS = Phrase("Only whoever sits there may ask for a decision back, or agree to that.")
COUNTS = Phrase("This match is rated: what others have seen is not taken back.")
NOTHING_BACK = Phrase("There is nothing that you could ask to take back.")
FREE = Phrase("You may still take that back without asking.")
ASKED_ALREADY = Phrase("Somebody has asked already; decide something else before you ask again.")
NOT_ASKED = Phrase("Nobody asks for that any more; look again.")


@dataclass(frozen=True)
class AskBack:
    """Whoever sits there asks for the seat's last decision back."""

    seat: int
    player: str
    at: float = field(default_factory=time.time)

    def decide(self, table: LiveTable) -> Pleaded | TookBack:
        playing(table)
        match, chair = table.match, table.chairs[self.seat]
        assert match is not None
        if table.fleeting or chair.kind != "person" or self.player not in chair.holders:
            raise NotAllowed(NOT_YOURS)
        if table.rated:
            raise NotAllowed(COUNTS)
        last = match.last_of(self.seat)
        if last is None:
            raise NotAllowed(NOTHING_BACK)
        if match.can_undo(self.seat):
            raise NotAllowed(FREE)
        if table.asked_back is not None:
            raise NotAllowed(ASKED_ALREADY)
        plea = Plea(self.seat, table.journaled, len(table.seatings), match.opened_since(last))
        return answered(table, plea, self.player, self.at, said(table, BACK_ASKED, self.seat, self.player, self.at))


@dataclass(frozen=True)
class AnswerBack:
    """Somebody agrees to a plea, or does not."""

    player: str
    key: str  # of the plea, as it was read
    yes: bool
    at: float = field(default_factory=time.time)

    def decide(self, table: LiveTable) -> Pleaded | TookBack:
        playing(table)
        plea = table.asked_back
        own = {seat for seat in table.held_by(self.player) if table.chairs[seat].kind == "person"}
        if not own:
            raise NotAllowed(NOT_YOURS)
        if plea is None or plea.no or plea.key != self.key:
            raise Stale(NOT_ASKED)
        if self.yes:
            return answered(table, replace(plea, yes=plea.yes | own), self.player, self.at)
        if plea.by in own:
            raise NotAllowed(NOT_YOURS)
        line = said(table, BACK_REFUSED, min(own), self.player, self.at)
        return Pleaded(replace(plea, yes=plea.yes - own, no=frozenset(own)), line)


def answered(table: LiveTable, plea: Plea, player: str, at: float, line: Saying | None = None) -> Pleaded | TookBack:
    """What comes of a plea: once every other person agrees, it happens."""
    if not table.asked_of(plea) <= plea.yes:
        return Pleaded(plea, line)
    assert table.match is not None
    before, match = table.match, table.match.copy()
    match.take_back(plea.by)
    line = said(table, BACK_AGREED, plea.by, player, at)
    return TookBack(plea.by, (GoingBack(plea.by),), match, noticing(before, match), player, line)


def said(table: LiveTable, kind: str, seat: int, player: str, at: float) -> Saying | None:
    """What the seats are told; those at one screen know."""
    if table.people < 2:
        return None
    return next_line(table, OfTalk(SEATS, seat, player), table.chairs[seat].name, "", at, kind)
