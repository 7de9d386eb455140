"""The box of a game that no file describes."""

from __future__ import annotations

from collections.abc import Mapping

from samizdat.kernel.box import Box, BoxText
from samizdat.kernel.records import Record, scalar


class Blank(Record):
    """What is printed in a box that has nothing to say."""

    nothing: int = scalar(0, 0, "compiled code wants a record, and a record a field")


def blank_box(name: str, names: Mapping[str, tuple[str, ...]]) -> Box:
    """A box with the names of things and nothing printed on them."""
    return Box(name, Blank(), BoxText(name, ""), dict(names))
