"""Server-sent events: every browser at a table follows its viewer's history, step by step.

The id of an event is the viewer's version. A browser that comes back says which was its last, and gets the steps
it missed, each once; after something was taken back in between, it gets the present position instead.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import AsyncIterator, Callable
from typing import Any

from samizdat.kernel.history import History
from samizdat.table.hearing import Ear
from samizdat.table.seats import Viewer
from samizdat.table.splices import splice
from samizdat.table.tables import LiveTable

HEARTBEAT = 15.0  # seconds; keeps proxies from closing a silent stream
COME_BACK = (200, 2000)  # milliseconds after which a browser asks again when its server is about to end
MOST_STEPS = 40  # further behind than this, a browser jumps to the present

Draw = Callable[[Viewer, "int | None"], dict[str, Any]]


def message(data: Any, id: int | None = None, event: str = "") -> bytes:
    """One event on the wire."""
    head = (f"id: {id}\n" if id is not None else "") + (f"event: {event}\n" if event else "")
    return f"{head}data: {json.dumps(data, ensure_ascii=False, separators=(',', ':'))}\n\n".encode()


class Follower:
    """One open stream: what its browser has, and what it must still be sent."""

    def __init__(
        self, table: LiveTable, viewer: Viewer, version: int, draw: Draw,
        allowed: Callable[[], bool] = lambda: True, ear: Ear | None = None,
    ) -> None:  # fmt: skip
        self.table, self.viewer, self.version, self.draw = table, viewer, version, draw
        self.allowed = allowed  # whether these are still the asker's own eyes
        self.history: Callable[[], History] = lambda: table.history(viewer)  # what is followed
        self.ear = ear  # None: a page that shows no talk
        self.change: int | None = table.changes.get(viewer, 0)  # None: what the browser has is not known
        self.sent: dict[str, Any] = {}  # the parts that the browser shows
        self.told: dict[str, str] = {}  # those of them that it was told over this stream, to the letter

    def due(self) -> list[bytes]:
        """The events that bring the browser up to date."""
        out = []
        while event := self.next():
            out.append(event)
        return out

    def next(self) -> bytes | None:
        """The next of them; one at a time, since each takes a while to draw."""
        history = self.history()
        behind = history.version - self.version
        if behind == 0:
            return self._refresh() or self._talk()
        if 1 < behind <= MOST_STEPS and self.version >= history.rewritten:
            self.version += 1
            return self._step(self.version, self.draw(self.viewer, len(history.observations) - behind), more=True)
        now = dict(self.draw(self.viewer, None))
        if behind < 0 or self.version < history.rewritten:
            now["steps"] = None  # the past has changed: nothing is told, nothing moves
        self.version = history.version
        self.change = self.table.changes.get(self.viewer, 0)
        return self._step(self.version, now)

    def _refresh(self) -> bytes | None:
        """Seats and the viewer's own draft change without a step of the match."""
        change = self.table.changes.get(self.viewer, 0)
        if change == self.change:
            return None
        self.change = change
        changed = self._changed(self.draw(self.viewer, None)["parts"])
        return message({"version": self.version, "parts": changed}, event="refresh") if changed else None

    def _talk(self) -> bytes | None:
        """What was said since; it has no number of the match, as it is no part of it."""
        said = self.ear.next() if self.ear is not None else None
        return message({"lines": said, "heard": self.ear.cursor}, event="talk") if self.ear and said else None

    def _step(self, version: int, drawing: dict[str, Any], more: bool = False) -> bytes:
        data = {
            "version": version,
            "parts": self._changed(drawing["parts"]),
            "steps": drawing["steps"],
        }
        if "story" in drawing:  # programs are told in steps
            data["story"] = drawing["story"]
        if more:  # another one follows at once: who is to act is told by the last
            data["more"] = True
        return message(data, id=version, event="step")

    def _changed(self, parts: dict[str, Any]) -> dict[str, Any]:
        """Only the parts that differ from what the browser has."""
        changed = {name: html for name, html in parts.items() if self.sent.get(name) != html}
        self.sent |= changed
        for name, html in changed.items():
            if isinstance(html, str):  # not the data for programs; whole at first, then by what changed
                old, self.told[name] = self.told.get(name), html
                changed[name] = html if old is None else splice(old, html) or html
        return changed


class Bell:
    """What wakes one stream. To wait for an `asyncio.Event` with a limit takes a task of its own each time."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._rung = False
        self._waiting: asyncio.Future[None] | None = None

    def set(self) -> None:
        self._rung = True
        self._wake()

    async def wait(self, until: float) -> bool:
        """Whether it was rung since this was last asked, or is before a moment of the loop's clock."""
        if not self._rung:
            self._waiting = self._loop.create_future()
            limit = self._loop.call_at(until, self._wake)
            try:
                await self._waiting
            finally:
                limit.cancel()
                self._waiting = None
        rung, self._rung = self._rung, False
        return rung

    def _wake(self) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)


async def follow(
    table: LiveTable, follower: Follower, started: bool = True, time: Callable[[], float] | None = None
) -> AsyncIterator[bytes]:
    """The stream itself; it ends when the browser goes away, or when the seat was given to somebody else. Where a
    clock runs, the browser is told now and then what time it is in the house.

    Nothing goes out, not even a heartbeat, at a moment that others' secret decisions have a part in."""
    listener, clock = Bell(), asyncio.get_running_loop()
    beat = clock.time() + HEARTBEAT
    table.listeners.setdefault(follower.viewer, set()).add(listener)
    try:
        yield b"retry: 1000\n\n"
        if time is not None and table.clock is not None:
            yield message({"now": time()}, event="beat")
        while True:
            if table.ending:  # not all at the same moment; what happens meanwhile is told when they are back
                yield f"retry: {random.randint(*COME_BACK)}\n\n".encode()
                return
            if not follower.allowed():
                yield message({}, event="reload")
                return
            if table.match is not None:
                if not started:  # the waiting room becomes a board
                    yield message({}, event="reload")
                    return
                if event := follower.next():
                    yield event
                    beat = clock.time() + HEARTBEAT
                    await asyncio.sleep(0)  # there may be more; others come in between
                    continue
            elif follower.change != table.changes.get(follower.viewer, 0):
                yield message({}, event="reload")
                return
            if not await listener.wait(beat):
                now = {"now": time()} if time is not None and table.clock is not None else {}
                yield message(now, event="beat")  # not a comment: a page must hear it, to know when it hears nothing
                beat = clock.time() + HEARTBEAT
    finally:
        table.listeners[follower.viewer].discard(listener)
