"""Shows: what a game says of a position and of what happened, and what stands in where it says nothing.

A game's `show` is a module with the names of `Show`, or an object of a class that extends `PlainShow`. Whatever it is
given was made from one seat's hidden record.

A class that says only how its log reads::

    class Show(PlainShow):
        SENTENCES = {DROPS: Sentence("C2", template("{seat} drops a disc into column {column}."), "columns")}

where the rules called `tell(luck, EVERYONE, DROPS, seat, column)`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy.typing as npt

from samizdat.kernel import contract
from samizdat.kernel.moves import Move
from samizdat.kernel.points import OVER
from samizdat.kernel.scoring import Score
from samizdat.kernel.telling import Line, Told, Word, template

if TYPE_CHECKING:
    from samizdat.kernel.game import Game

Figure = Callable[[npt.NDArray[Any]], npt.NDArray[Any]]  # finished states -> one number a game
SEATS = "seats"  # the names of seats in a game that has none of its own


class Show(Protocol):
    """What the match, the table and the lab ask a game for."""

    @property
    def SEAT_NAMES(self) -> str:  # noqa: N802
        """Which of the box's names are those of seats."""

    @property
    def SEATS_BY_NAME(self) -> bool:  # noqa: N802
        """Whether a seat's word is replaced by the name of whoever sits there everywhere; else in sentences only,
        since it is the name of something on the board, too."""

    @property
    def WORDS(self) -> Mapping[str, tuple[str, ...]]:  # noqa: N802
        """Further names for the axes and values of fields, for scenes."""

    @property
    def AXES(self) -> Mapping[str, tuple[str | None, ...]]:  # noqa: N802
        """How scenes name the axes of a field, then its values."""

    @property
    def FIGURES(self) -> Mapping[str, Figure]:  # noqa: N802
        """What `samizdat sim` reports besides points and lengths."""

    def seat_id(self, game: Game, seat: int) -> str:
        """By which of these names a record speaks of a seat."""

    def view(self, game: Game, s: Any, seat: int) -> dict[str, Any]:
        """What the seat may know, as plain data; "round" is the number that the record counts its lines by."""

    def round_of(self, game: Game, s: Any, seat: int) -> int:
        """That number by itself: a long record asks for it in every position there was."""

    def arrange(self, game: Game, s: Any, given: dict[str, Any]) -> None:
        """Fill in what follows from the fields that a scene gives."""

    def why_not(self, game: Game, s: Any, seat: int, move: Move) -> Line:
        """Why a move is not open to this seat now: one sentence and its rule."""

    def tell(self, game: Game, told: list[Told], viewer: int) -> list[Line]:
        """The log lines of one decision."""


@dataclass(frozen=True, init=False)
class Sentence:
    """How the log tells one kind of event: its rule, its template, and where the words for its numbers stand.

    The first number told is the seat, `{seat}` in the template. Each name after the template belongs to the next
    number: `columns` makes `{columns}` the word with that number among the names of columns; `=bid` makes `{bid}`
    the number itself."""

    rule: str
    text: str
    args: tuple[str, ...]

    def __init__(self, rule: str, text: str, *args: str) -> None:
        object.__setattr__(self, "rule", rule)
        object.__setattr__(self, "text", text)
        object.__setattr__(self, "args", args)

    def line(self, game: Game, told: Told) -> Line:
        seats = game.box.names[game.definition.show.SEAT_NAMES]
        seat = told.args[0]
        values: dict[str, Any] = {}
        if 0 <= seat < len(seats):
            values["seat"] = Word(game.definition.show.SEAT_NAMES, seats[seat])
        for name, number in zip(self.args, told.args[1:], strict=False):
            values[name.lstrip("=")] = number if name.startswith("=") else Word(name, game.words(name)[number])
        return Line(self.rule, self.text, values)


def seat_id(game: Game, seat: int) -> str:
    """The names of the box in the order of seats."""
    return game.box.names[game.definition.show.SEAT_NAMES][seat]


class PlainShow:
    """A game that shows its record as it is."""

    SEAT_NAMES: str = SEATS
    SEATS_BY_NAME: bool = True
    WORDS: Mapping[str, tuple[str, ...]] = {}
    AXES: Mapping[str, tuple[str | None, ...]] = {}
    FIGURES: Mapping[str, Figure] = {}
    SENTENCES: Mapping[int, Sentence] = {}

    def seat_id(self, game: Game, seat: int) -> str:
        return seat_id(game, seat)

    def round_of(self, game: Game, s: Any, seat: int) -> int:
        return int(self.view(game, s, seat)["round"])

    def view(self, game: Game, s: Any, seat: int) -> dict[str, Any]:
        """The hidden record as it is, and the result of a match that is over."""
        record, points = dict(s.items()), game.definition.points
        data: dict[str, Any] = {"round": record.get("round", 1), "point": "", "record": record, "result": None}
        if points is not None:
            data["point"] = points.at(s).name if contract.seats_to_act(s) else OVER
        if not contract.seats_to_act(s):
            score: Any = Score()
            contract.score(game.box.record, s, score)
            data["result"] = {
                "points": [score.points[other] for other in range(s.seats)],
                "ranks": [score.rank[other] for other in range(s.seats)],
                "reason": game.definition.reasons[score.reason],
            }
        return data

    def arrange(self, game: Game, s: Any, given: dict[str, Any]) -> None:
        """Nothing follows."""

    def why_not(self, game: Game, s: Any, seat: int, move: Move) -> Line:
        points = game.definition.points
        rule = points.at(s).rules[0] if points is not None else game.name
        return Line(rule, template("the rules do not offer it in this position."))

    def tell(self, game: Game, told: list[Told], viewer: int) -> list[Line]:
        return [self.SENTENCES[one.event].line(game, one) for one in told if one.event in self.SENTENCES]
