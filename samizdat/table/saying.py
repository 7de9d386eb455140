"""What can be said at a table, and who may say it; as commands, like every other change."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace

from samizdat.kernel.errors import NotYourTurn
from samizdat.kernel.telling import Phrase
from samizdat.table.declined import NotAllowed, TooMany
from samizdat.table.events import Spoken, Stamped
from samizdat.table.seats import Viewer
from samizdat.table.tables import NOT_BEGUN, LiveTable
from samizdat.table.talk import SAID, STAMPS, Saying, clean_words, heard, pair

MINUTE = 60.0  # seconds
MOST_A_MINUTE = 12  # lines of one person
NOT_YOUR_SHEET = Phrase("That sheet of the talk is not yours.")
NOTHING_SAID = Phrase("Write something first.")
NO_SUCH_LINE = Phrase("That line is gone.")
NO_SUCH_STAMP = Phrase("There is no such stamp.")
TOO_MUCH_TALK = Phrase("You have said a lot just now; wait a moment.")
NOBODY_THERE = Phrase("Nobody sits there who could read it.")


@dataclass(frozen=True)
class OfTalk:
    """Something that somebody does with a sheet of talk, from a seat or as a spectator."""

    sheet: str
    seat: Viewer
    player: str

    def allowed(self, table: LiveTable) -> None:
        if table.match is None or table.fleeting:
            raise NotYourTurn(NOT_BEGUN)
        if self.seat is not None and self.player not in table.chairs[self.seat].holders:
            raise NotAllowed(NOT_YOUR_SHEET)
        if self.sheet not in table.sheets(self.seat):
            raise NotAllowed(NOT_YOUR_SHEET)


@dataclass(frozen=True)
class Say(OfTalk):
    """One line."""

    name: str
    words: str
    at: float = field(default_factory=time.time)

    def decide(self, table: LiveTable) -> Spoken:
        self.allowed(table)
        text = clean_words(self.words)
        if not text:
            raise NotAllowed(NOTHING_SAID)
        for seat in pair(self.sheet) or ():
            chair = table.chairs[seat]
            if seat != self.seat and (chair.kind != "person" or self.player in chair.holders):
                raise NotAllowed(NOBODY_THERE)
        lately = [
            line
            for sheet in table.talk.sheets.values()
            for line in sheet.lines
            if line.player == self.player and 0 <= self.at - line.at < MINUTE
        ]
        if len(lately) >= MOST_A_MINUTE:
            raise TooMany(TOO_MUCH_TALK)
        return Spoken(next_line(table, self, self.name, text, self.at))


def next_line(table: LiveTable, by: OfTalk, name: str, text: str, at: float, kind: str = SAID) -> Saying:
    """The line that comes next on a sheet."""
    n = table.talk.sheet(by.sheet).next
    return Saying(by.sheet, n, by.player, by.seat, name, text, at, table.round, len(table.seatings), kind)


@dataclass(frozen=True)
class Stamp(OfTalk):
    """A stamp on a line, or off it again."""

    n: int
    stamp: str

    def decide(self, table: LiveTable) -> Stamped:
        self.allowed(table)
        line = table.talk.sheet(self.sheet).find(self.n)
        if line is None or not heard(line, self.seat, table.seatings):
            raise NotAllowed(NO_SUCH_LINE)
        if self.stamp not in STAMPS:
            raise NotAllowed(NO_SUCH_STAMP)
        put_on = {stamp: set(those) for stamp, those in line.stamps.items()}
        those = put_on.setdefault(self.stamp, set())
        on = self.player not in those
        those ^= {self.player}
        if not those:
            del put_on[self.stamp]
        return Stamped(replace(line, stamps=put_on), self.player, self.stamp, on)
