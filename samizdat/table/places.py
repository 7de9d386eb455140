"""Places: where on a page a decision can be found, so that advice can be drawn there.

A board writes each open decision on the element that stands for it. The ids of these elements are the same in a
position that can only be looked at.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from html.parser import HTMLParser

from samizdat.table.page_parts import PARTS

SHOWN = ("board", "hand", "seats", "status")  # where a decision is seen; the list of choices names it in words
VOID = ("area", "br", "col", "hr", "img", "input", "link", "meta", "source", "use", "wbr")


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.around: list[tuple[str, str]] = []  # open elements and their ids
        self.found: dict[str, dict[str, None]] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.around.append((tag, ""))
            self._read(dict(attrs))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.around.append((tag, ""))
        self._read(dict(attrs))
        self.around.pop()

    def handle_endtag(self, tag: str) -> None:
        if any(open == tag for open, _ in self.around):
            while self.around.pop()[0] != tag:
                pass

    def _read(self, attrs: Mapping[str, str | None]) -> None:
        self.around[-1] = (self.around[-1][0], attrs.get("id") or "")
        notations = [attrs.get("data-move"), attrs.get("data-add")]
        notations += json.loads(attrs.get("data-adds") or "{}").values()
        id = next((id for _, id in reversed(self.around) if id), "")
        if id and id not in PARTS:
            for notation in notations:
                if notation:
                    self.found.setdefault(notation, {})[id] = None


def places(parts: Mapping[str, str], notations: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """The ids of what stands for some decisions, in the parts of a page on which they can be made."""
    reader = _Reader()
    for name in SHOWN:
        reader.feed(parts[name])
    return {notation: tuple(reader.found.get(notation, ())) for notation in notations}
