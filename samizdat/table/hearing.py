"""Talk as one reader reads it: whose sheets, in which language, and what is overtyped because its reader mutes it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

from samizdat.kernel.telling import Phrase
from samizdat.table.rendering import called, environment, named, sentence
from samizdat.table.seats import Viewer
from samizdat.table.store.talk import Wishes
from samizdat.table.tables import LiveTable
from samizdat.table.talk import (
    ALL,
    BACK_AGREED,
    BACK_ASKED,
    BACK_REFUSED,
    END_ASKED,
    END_REFUSED,
    SAID,
    SEATS,
    STAMPS,
    Saying,
    pair,
)

COUNTED = re.compile(r"([a-z0-9-]{1,8})_([0-9]{1,8})")
STAMP_WORDS = {
    "fist": Phrase("Strong"),
    "medal": Phrase("Well played"),
    "eye": Phrase("I see"),
    "wait": Phrase("One moment"),
    "fire": Phrase("Ouch"),
}
assert tuple(STAMP_WORDS) == STAMPS
TOLD = {
    END_ASKED: Phrase("{name} proposes to end the match."),
    END_REFUSED: Phrase("{name} would rather play on."),
    BACK_ASKED: Phrase("{name} asks to take back their last decision."),
    BACK_REFUSED: Phrase("{name} lets it stand."),
    BACK_AGREED: Phrase("All agreed: {name} took the last decision back, and everything since with it."),
}


@dataclass(frozen=True)
class Listener:
    """Whoever reads: through which eyes, in which language, and what is not wanted."""

    player: str
    viewer: Viewer
    code: str
    wishes: Wishes = field(default_factory=Wishes)

    @cached_property
    def _muted(self) -> re.Pattern[str] | None:
        words = "|".join(re.escape(word) for word in self.wishes.words)
        return re.compile(rf"(?<!\w)({words})(?!\w)", re.I) if words else None

    def pieces(self, line: Saying) -> list[tuple[str, bool]]:
        """The text of a line, and which parts of it are overtyped."""
        if line.player in self.wishes.muted | self.wishes.blocked:
            return [(line.text, True)]
        if self._muted is None:
            return [(line.text, False)]
        parts = self._muted.split(line.text)
        return [(part, place % 2 == 1) for place, part in enumerate(parts) if part]


@dataclass(frozen=True)
class LineView:
    """A line as its template shows it."""

    line: Saying
    name: str
    ink: str
    pieces: Sequence[tuple[str, bool]]
    stamps: Sequence[tuple[str, str, int, bool]]  # which, in words, how many, whether one's own is among them
    own: bool
    round: int | None  # if it is the first of that round
    told: str = ""  # what it says where nobody wrote it
    link: str = ""

    @property
    def id(self) -> str:
        return f"say-{self.line.sheet}-{self.line.n}"

    @property
    def moment(self) -> datetime:
        return datetime.fromtimestamp(int(self.line.at), UTC)

    @property
    def aloud(self) -> str:
        """For those who listen; nothing that is overtyped."""
        return self.told or f"{self.name}: {''.join('…' if hidden else text for text, hidden in self.pieces)}"


@dataclass(frozen=True)
class SheetView:
    """A sheet with its lines."""

    name: str
    lines: Sequence[LineView]
    partner: int | None = None  # of two seats, the other one
    called: str = ""  # how that one is called
    ink: str = ""
    open: bool = True  # whether somebody is there to read what is said

    @property
    def answered(self) -> LineView | None:
        """The line that a stamp goes on without further words: the last of somebody else."""
        return next((one for one in reversed(self.lines) if not one.own and not one.told), None)


class Ear:
    """What one reader hears of a table, and how much of it has been told."""

    def __init__(self, table: LiveTable, reader: Listener, cursor: str = "") -> None:
        self.table, self.reader = table, reader
        self.known = self._read(cursor)

    def _read(self, cursor: str) -> dict[str, int]:
        """How far a page had come, if it was made by this process: else it is told everything again."""
        mark, _, rest = cursor[:400].partition(".")
        if mark != str(self.table.talk.mark):
            return {}
        return {sheet: int(count) for sheet, count in COUNTED.findall(rest)}

    @property
    def sheets(self) -> list[str]:
        return self.table.sheets(self.reader.viewer)

    @property
    def cursor(self) -> str:
        """How far a page has come that shows everything; each sheet counts for itself, and others' are not in it."""
        talk = self.table.talk
        return ".".join([str(talk.mark), *(f"{name}_{talk.sheet(name).changes}" for name in self.sheets)])

    def next(self) -> list[dict[str, Any]] | None:
        """The lines that are new to this reader, or have changed."""
        found: list[dict[str, Any]] = []
        draw = environment(self.reader.code).get_template("talk.html.jinja").module.line  # type: ignore[attr-defined]
        for name in self.sheets:
            changes = self.table.talk.sheet(name).changes
            known = self.known.get(name, 0)
            if changes == known:
                continue
            self.known[name] = changes
            for one in self.lines(name):
                if one.line.changed > known:
                    html, aloud = str(draw(one)), "" if one.own else one.aloud
                    found.append({"sheet": name, "n": one.line.n, "html": html, "own": one.own, "aloud": aloud})
        return found or None

    def lines(self, sheet: str) -> list[LineView]:
        before: Saying | None = None
        found = []
        for line in self.table.said(self.reader.viewer, sheet):
            found.append(self.view(line, before is None or before.round != line.round))
            before = line
        return found

    def view(self, line: Saying, first: bool = False) -> LineView:
        code, viewer = self.reader.code, self.reader.viewer
        inks = self.table.game.definition.board.INKS
        name = called(line.name, code)
        seat = "" if viewer is None else f"?seat={viewer}"
        return LineView(
            line, name, "" if line.seat is None else inks[line.seat], self.reader.pieces(line), self._stamps(line),
            line.player == self.reader.player, line.round if first else None,
            "" if line.kind == SAID else sentence(Phrase(TOLD[line.kind].text, {"name": name}), code),
            f"/table/{self.table.id}/talk/{line.sheet}/{line.n}{seat}",
        )  # fmt: skip

    def _stamps(self, line: Saying) -> list[tuple[str, str, int, bool]]:
        return [
            (stamp, sentence(words, self.reader.code), len(those), self.reader.player in those)
            for stamp, words in STAMP_WORDS.items()
            if (those := line.stamps.get(stamp))
        ]  # fmt: skip

    def panel(self) -> list[SheetView]:
        """Every sheet of this reader."""
        return [self._sheet(name) for name in self.sheets]

    def _sheet(self, name: str) -> SheetView:
        two, table, own = pair(name), self.table, self.reader.viewer
        if two is None:
            return SheetView(name, self.lines(name))
        other = two[0] if two[1] == own else two[1]
        chair, board = table.chairs[other], table.game.definition.board
        there = chair.kind == "person" and self.reader.player not in chair.holders
        seen = named(table.names, self.reader.code)[other]
        return SheetView(name, self.lines(name), other, seen, board.INKS[other], there)


def panel(table: LiveTable, reader: Listener, name: str) -> dict[str, Any]:
    """All that the panel of a page is drawn from. Of sheets between two seats only those are there on which anybody
    could read or has written something."""
    ear = Ear(table, reader)
    sheets = [one for one in ear.panel() if one.open or one.lines]
    words = {stamp: sentence(said, reader.code) for stamp, said in STAMP_WORDS.items()}
    return {
        "path": f"/table/{table.id}", "seat": reader.viewer, "sheets": sheets, "cursor": ear.cursor, "stamps": words,
        "nameless": reader.viewer is None and not name, "first": SEATS if reader.viewer is not None else ALL,
    }  # fmt: skip
