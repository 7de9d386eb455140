"""The contract of a game: seven functions, and nothing else.

`setup`, `hide`, `guess` and `score` stand in its `rules.py`; `seats_to_act`, `legal` and `play` follow from its
decision points (kernel/points.py). Kernel loops call these names; which game answers follows from the type of the
state record, for the interpreter (looked up by class) and for compiled code (specialised by record type) alike.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, Protocol

from samizdat.kernel.points import Points
from samizdat.kernel.records import Ints, Record


class Rules(Protocol):
    """What compiled and interpreted loops ask a game."""

    def setup(self, box: Any, s: Any, luck: Any) -> None:
        """Deal a new game for the options already written in `s`."""

    def seats_to_act(self, s: Any) -> int:
        """Bit set of the seats that may decide now; 0 when the game is over."""

    def legal(self, box: Any, s: Any, seat: int, moves: Any) -> int:
        """Write the ids of the decisions open to that seat, ascending, into `moves`; return how many."""

    def play(self, box: Any, s: Any, luck: Any, seat: int, move: int) -> None:
        """Apply one decision; only ever called with a legal one."""

    def hide(self, box: Any, s: Any, seat: int) -> None:
        """Wipe, in place, everything that seat may not know; seat -1 is a spectator."""

    def guess(self, box: Any, s: Any, luck: Any, seat: int) -> None:
        """Fill what is hidden from that seat with a fair sample of what it could be."""

    def score(self, box: Any, s: Any, out: Any) -> None:
        """Points, ranks and the reason the game ended, into a `Score`."""


class Laws(Protocol):
    """What a game's `laws.py` must define: what holds after every decision."""

    def broken(self, box: Any, s: Any) -> int:
        """0, or the number of the first conservation law that does not hold (an index into LAWS)."""


CONTRACT = ("setup", "seats_to_act", "legal", "play", "hide", "guess", "score")
RULES_OF: dict[type[Record], Rules] = {}
LAWS_OF: dict[type[Record], Laws] = {}


def register(state: type[Record], rules: Any, points: Points, laws: Any) -> None:
    """What answers for a game: its decision points where they do, else its rules."""
    found = {name: getattr(points if hasattr(points, name) else rules, name) for name in CONTRACT}
    RULES_OF[state] = SimpleNamespace(**found)
    LAWS_OF[state] = laws


def setup(box: Any, s: Any, luck: Any) -> None:
    RULES_OF[type(s)].setup(box, s, luck)


def seats_to_act(s: Any) -> int:
    return RULES_OF[type(s)].seats_to_act(s)


def legal(box: Any, s: Any, seat: int, moves: Ints) -> int:
    return RULES_OF[type(s)].legal(box, s, seat, moves)


def play(box: Any, s: Any, luck: Any, seat: int, move: int) -> None:
    RULES_OF[type(s)].play(box, s, luck, seat, move)


def hide(box: Any, s: Any, seat: int) -> None:
    RULES_OF[type(s)].hide(box, s, seat)


def guess(box: Any, s: Any, luck: Any, seat: int) -> None:
    RULES_OF[type(s)].guess(box, s, luck, seat)


def score(box: Any, s: Any, out: Any) -> None:
    RULES_OF[type(s)].score(box, s, out)


def broken(box: Any, s: Any) -> int:
    return LAWS_OF[type(s)].broken(box, s)
