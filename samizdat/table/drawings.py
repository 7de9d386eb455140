"""The memory of drawn parts: what a viewer is shown is drawn once for all who look through the same eyes.

A drawing is of one version of a viewer's history and of one state of the seats and the draft: nobody has to say when
it is no longer good. What was not asked for longest goes first.
"""

from __future__ import annotations

import asyncio
import sys
from typing import Any
from weakref import ref

from samizdat.table.page_parts import draw
from samizdat.table.seats import Viewer
from samizdat.table.tables import LiveTable
from samizdat.table.viewing import Log, LogEntry, PageView, look

MOST_WEIGHT = 96 * 1024 * 1024  # bytes, about
MOST_DRAWN = 16  # drawings kept of one viewer's match
LOG_WEIGHT = 1_800  # bytes of an observation in words

Key = tuple[int | None, str, bool]  # which observation, in which language, with help or without
Drawing = dict[str, Any]


class Shelf:
    """What is kept for one viewer of one table."""

    def __init__(self, log: Log) -> None:
        self.log = log
        self.state = (-1, -1)  # the version of the history, and the changes, that were drawn
        self.drawings: dict[Key, Drawing] = {}
        self.weight = 0  # bytes, about
        self.kept = True


class Drawings:
    """All shelves, the one asked for last at the end."""

    def __init__(self, most: int = MOST_WEIGHT) -> None:
        self.most = most
        self.weight = 0  # of all shelves together
        self._drawn: dict[Shelf, bool] = {}  # those with drawings, in the same order
        self._left: list[tuple[ref[LiveTable], Viewer]] = []  # of tables that are gone
        self._shelves: dict[tuple[ref[LiveTable], Viewer], Shelf] = {}

    def of(self, table: LiveTable, viewer: Viewer) -> Shelf:
        """What is kept for a viewer, as far as it still is what there is to see."""
        now = table.history(viewer).version, table.changes.get(viewer, 0)
        key = ref(table, lambda gone: self._left.append((gone, viewer))), viewer
        shelf = self._shelves.pop(key, None) or Shelf(Log(table.game, viewer))
        if shelf.state != now:
            shelf.state = now
            self._clear(shelf)
        self._shelves[key] = shelf
        if self._drawn.pop(shelf, None):
            self._drawn[shelf] = True
        return shelf

    def keep(self, shelf: Shelf, key: Key, made: Drawing) -> None:
        """Remember a drawing, and forget what there is no room for."""
        while len(shelf.drawings) >= MOST_DRAWN:  # somebody steps through a long match
            del shelf.drawings[next(iter(shelf.drawings))]
        shelf.drawings[key] = made
        if not shelf.kept:  # there was no room for it while this was drawn
            return
        self._drawn[shelf] = True
        self._weigh(shelf)
        while self._left:
            self._drop(self._left.pop())
        while self.weight > self.most and (oldest := next(iter(self._drawn))) is not shelf:
            self._clear(oldest)
        while self.weight > self.most and self._shelves[first := next(iter(self._shelves))] is not shelf:
            self._drop(first)

    def _weigh(self, shelf: Shelf) -> None:
        drawn = sum(sys.getsizeof(part) for one in shelf.drawings.values() for part in one["parts"].values())
        weight = drawn + LOG_WEIGHT * len(shelf.log.known)
        self.weight += weight - shelf.weight
        shelf.weight = weight

    def _clear(self, shelf: Shelf) -> None:
        """A position is drawn again in no time; a log that is gone is put into words again line by line. So drawings
        go first, which whoever looks on has anyway."""
        shelf.drawings = {}
        self._drawn.pop(shelf, None)
        if shelf.kept:
            self._weigh(shelf)

    def _drop(self, key: tuple[ref[LiveTable], Viewer]) -> None:
        if (shelf := self._shelves.pop(key, None)) is not None:
            self._drawn.pop(shelf, None)
            shelf.kept = False
            self.weight -= shelf.weight

    def clear(self) -> None:
        for key in list(self._shelves):
            self._drop(key)

    def __len__(self) -> int:
        return sum(len(shelf.drawings) for shelf in self._shelves.values())


DRAWINGS = Drawings()


def drawn(table: LiveTable, viewer: Viewer, number: int | None, code: str, helps: bool) -> Drawing:
    """An observation as a page shows it: all parts, and what is revealed on the way to it."""
    shelf, key = DRAWINGS.of(table, viewer), (number, code, helps)
    found = shelf.drawings.get(key)
    if found is None:
        found = draw(look(table, viewer, number, shelf.log), code, helps)
        DRAWINGS.keep(shelf, key, found)
    return found


async def draw_ahead(table: LiveTable, viewer: Viewer, number: int | None, code: str, helps: bool) -> None:
    """Draw it in a thread, so that `drawn` finds it: to put a whole log into words takes a while the first time.
    Whoever asks checks afterwards whose eyes these are: a seat can be given away meanwhile."""
    if table.match is None:
        return
    shelf, key = DRAWINGS.of(table, viewer), (number, code, helps)
    if key not in shelf.drawings:
        now, shown = shelf.state, look(table, viewer, number, shelf.log)
        made = await asyncio.to_thread(draw, shown, code, helps)
        if shelf.state == now:
            DRAWINGS.keep(shelf, key, made)


def view_at(table: LiveTable, viewer: Viewer, number: int = -1) -> dict[str, Any]:
    """What a viewer sees, or saw at an observation, as plain data."""
    return DRAWINGS.of(table, viewer).log.view(table.history(viewer).observations[number].seen)


def said(table: LiveTable, viewer: Viewer, number: int) -> tuple[LogEntry, ...]:
    """What the log says of one observation."""
    observations = table.history(viewer).observations
    return DRAWINGS.of(table, viewer).log.read(observations[: number + 1])[-1].entries


async def word_ahead(table: LiveTable, viewer: Viewer) -> None:
    """Put a viewer's log into words in a thread."""
    if table.match is not None:
        shown = looked_at(table, viewer)
        await asyncio.to_thread(lambda: shown.entries)


def looked_at(table: LiveTable, viewer: Viewer, number: int | None = None) -> PageView:
    """What is drawn, for those who keep no drawing of it; words that were found before are not looked for again."""
    return look(table, viewer, number, DRAWINGS.of(table, viewer).log)
