"""Server-sent events: every browser at a table follows its viewer's chronicle, step by step.

The id of an event is the viewer's version. A browser that comes back says which was its last, and gets the steps
it missed, each once; after something was taken back in between, it gets the present position instead.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from typing import Any

from samizdat.table.house import LiveTable, Viewer
from samizdat.table.rendering import Position, picture

HEARTBEAT = 15.0  # seconds; keeps proxies from closing a silent stream
MOST_STEPS = 40  # further behind than this, a browser jumps to the present

Draw = Callable[[Viewer, "int | None"], dict[str, Any]]


def message(data: Any, id: int | None = None, event: str = "") -> bytes:
    """One event on the wire."""
    head = (f"id: {id}\n" if id is not None else "") + (f"event: {event}\n" if event else "")
    return f"{head}data: {json.dumps(data, ensure_ascii=False, separators=(',', ':'))}\n\n".encode()


def drawn(table: LiveTable, viewer: Viewer, step: int | None, code: str, helps: bool) -> dict[str, Any]:
    """A step as a page shows it: all parts, and what is revealed on the way to it. Kept until something changes."""
    kept = table.pictures.setdefault(viewer, {})
    key = (step, code, helps)
    if key not in kept:
        position: Position = table.position(viewer, step)
        kept[key] = picture(position, code, helps)
    found: dict[str, Any] = kept[key]
    return found


class Follower:
    """One open stream: what its browser has, and what it must still be sent."""

    def __init__(self, table: LiveTable, viewer: Viewer, version: int, picture: Draw) -> None:
        self.table, self.viewer, self.version, self.picture = table, viewer, version, picture
        self.change = table.changes.get(viewer, 0)
        self.sent: dict[str, Any] = {}

    def due(self) -> list[bytes]:
        """The events that bring the browser up to date."""
        chronicle = self.table.chronicle(self.viewer)
        behind = chronicle.version - self.version
        if behind == 0:
            return self._refresh()
        out: list[bytes] = []
        last = len(chronicle.steps) - 1
        if 0 < behind <= MOST_STEPS and self.version >= chronicle.rewritten:
            for number in range(last - behind + 1, last):
                version = chronicle.version - (last - number)
                out.append(self._step(version, self.picture(self.viewer, number)))
        now = dict(self.picture(self.viewer, None))
        if behind < 0 or self.version < chronicle.rewritten:
            now["steps"] = []
        out.append(self._step(chronicle.version, now))
        self.version = chronicle.version
        self.change = self.table.changes.get(self.viewer, 0)
        return out

    def _refresh(self) -> list[bytes]:
        """Seats and the viewer's own draft change without a step of the match."""
        change = self.table.changes.get(self.viewer, 0)
        if change == self.change:
            return []
        self.change = change
        changed = self._changed(self.picture(self.viewer, None)["parts"])
        return [message({"version": self.version, "parts": changed}, event="refresh")] if changed else []

    def _step(self, version: int, picture: dict[str, Any]) -> bytes:
        data = {"version": version, "parts": self._changed(picture["parts"]), "steps": picture["steps"]}
        return message(data, id=version, event="step")

    def _changed(self, parts: dict[str, Any]) -> dict[str, Any]:
        """Only the parts that differ from what the browser has."""
        changed = {name: html for name, html in parts.items() if self.sent.get(name) != html}
        self.sent |= changed
        return changed


async def follow(table: LiveTable, follower: Follower, started: bool = True) -> AsyncIterator[bytes]:
    """The stream itself; it ends when the browser goes away."""
    listener = asyncio.Event()
    table.listeners.setdefault(follower.viewer, set()).add(listener)
    try:
        yield b"retry: 1000\n\n"
        while True:
            listener.clear()
            if table.match is not None:
                if not started:  # the waiting room becomes a board
                    yield message({}, event="reload")
                    return
                for event in follower.due():
                    yield event
            elif follower.change != table.changes.get(follower.viewer, 0):
                yield message({}, event="reload")
                return
            try:
                await asyncio.wait_for(listener.wait(), HEARTBEAT)
            except TimeoutError:
                yield b": still here\n\n"
    finally:
        table.listeners[follower.viewer].discard(listener)
