"""What can be wrong with something that is asked of a table."""

from __future__ import annotations

from samizdat.kernel.errors import SamizdatError


class Stale(SamizdatError):
    """The decision was made in a position that is no longer the present one."""


class NoTable(SamizdatError):
    """There is no such table."""


class NotAllowed(SamizdatError):
    """Only the seat's owner, or whoever opened the table, may do that."""


class TooMany(SamizdatError):
    """A visitor has done that as often as one may."""
