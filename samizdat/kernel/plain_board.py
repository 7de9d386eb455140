"""The plain board: grids, tracks, cards and choices, drawn by the table without any file of the game's own.

A game extends `PlainBoard` and says what lies on the table::

    class Board(PlainBoard):
        BLURB = Phrase("Four in a row win.")
        LABELS = {"drop": template("Drop a disc into column {column}")}

        def areas(self, game, seen):
            rows = [[Cell(f"drop {x + 1}", whose(seen.view["record"], x, y)) for x in range(7)] for y in range(6)]
            return [Grid(Phrase("The board"), rows)]

Everything that can be decided is also in the list of choices, whatever the board shows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from samizdat.kernel.boards import (
    TABLE,
    Answer,
    Composition,
    Effort,
    Ending,
    Reveal,
    Seen,
    Signs,
    Status,
    Tab,
    by_points,
)
from samizdat.kernel.moves import Move
from samizdat.kernel.prompts import Prompts
from samizdat.kernel.telling import Listing, Phrase, Told, Word

if TYPE_CHECKING:
    from samizdat.kernel.game import Game


@dataclass(frozen=True)
class Cell:
    """A place or a card. Where its decision is open it can be clicked."""

    move: str = ""  # the decision it stands for, in notation
    seat: int | None = None  # whose piece lies there
    text: str | Phrase = ""  # what is written on it
    back: bool = False  # a card that lies face down
    fact: str | Phrase = ""  # what it is, for those who do not see it; usually its text


@dataclass(frozen=True)
class Grid:
    """Rows of places, the first row on top."""

    title: Phrase
    rows: Sequence[Sequence[Cell]]
    kind: str = "grid"


@dataclass(frozen=True)
class Track:
    """Numbers in a line, and which seats stand at which of them."""

    title: Phrase
    marks: Sequence[str | int]
    at: Mapping[int, int]  # seat -> place of a mark, from 0
    kind: str = "track"


@dataclass(frozen=True)
class Cards:
    """Cards, dice or tokens in a row; `seat`: only this one holds them, and they are shown as its hand."""

    title: Phrase
    cells: Sequence[Cell]
    seat: int | None = None
    kind: str = "cards"


Area = Grid | Track | Cards


def written(value: Any) -> str:
    """A field of a record as text."""
    return " ".join(map(written, value)) if isinstance(value, list) else str(value)


class PlainBoard:
    """A board that shows the view as it is, until a game says more."""

    GLYPH: str = "cards"
    INKS: Sequence[str] = ("red", "blue", "yellow", "green", "purple", "orange")
    BLURB: Phrase = Phrase("A game from outside.")
    EFFORT: Effort = Effort(minutes=(10, 20), learning=1)
    VARIANTS: Mapping[str, Phrase] = {}
    TABS: Sequence[Tab] = (TABLE,)
    SHEET: Mapping[str, str] = {}
    MARKS: Mapping[str, str] = {}
    BUTTONS: Mapping[str, bool] = {}
    LABELS: Mapping[str, str] = {}  # kind of decision -> template, with the decision's arguments by name
    PROMPTS: Mapping[str, str] = {}  # kind of decision -> what to do where it is open; the first that fits,
    # or what the decision point asks
    ENDS: Mapping[str, str] = {}  # reason -> how the match ended
    STOPS: Sequence[int] = ()  # events at which a reader stops to look

    def areas(self, game: Game, seen: Seen) -> Sequence[Area]:
        """What lies on the table; without a word from the game, the fields of its record and what can be decided."""
        rows = seen.view["record"].items()
        cells = [[Cell(text=name.replace("_", " ")), Cell(text=written(value))] for name, value in rows]
        moves = [game.notation.read(notation) for notation in seen.legal]
        open = [Cell(str(move), text=self.label(game, seen.view, move)) for move in moves]
        return [Grid(Phrase("The table"), cells), *([Cards(Phrase("Choices"), open)] if open else [])]

    def count(self, game: Game, view: Any, seat: int) -> str | int:
        """The number that counts, beside a seat's name."""
        return view["result"]["points"][seat] if view.get("result") else ""

    def where(self, game: Game, view: Any) -> Phrase:
        if not view["turn"]:
            return Phrase("The end")
        return Phrase("Round {round}", {"round": view["round"]})

    def status(self, game: Game, seen: Seen) -> Status:
        kinds = [notation.partition(" ")[0] for notation in seen.legal]
        prompt = next((text for kind, text in self.PROMPTS.items() if kind in kinds), None)
        return Status(Phrase(prompt)) if prompt else Prompts(game.definition.points, {}).status(game, seen)

    def label(self, game: Game, view: Any, move: Move) -> Phrase:
        names = game.definition.moves.kinds[move.kind].args
        words = {arg: Word(names[arg].label, value) for arg, value in move.args.items()}
        if move.kind in self.LABELS:
            return Phrase(self.LABELS[move.kind], words)
        kind = Word("decisions", move.kind)
        if not words:
            return Phrase("{kind}", {"kind": kind})
        return Phrase("{kind}: {things}", {"kind": kind, "things": Listing(list(words.values()))})

    def picture(self, game: Game, seen: Seen) -> Mapping[str, Any]:
        areas = self.areas(game, seen)
        held = [area for area in areas if isinstance(area, Cards) and area.seat is not None]
        result = seen.view.get("result")
        ended = result["reason"] if result else ""
        how = self.ENDS.get(ended, ended.replace("_", " "))
        return {
            "areas": [area for area in areas if area not in held],
            "held": [area for area in held if area.seat == seen.seat],
            "counts": [self.count(game, seen.view, seat) for seat in range(game.players)],
            "end": Phrase(how),
            "result": result,
        }

    def origin(self, game: Game, view: Any, move: Move) -> str:
        return ""

    def ending(self, game: Game, view: Any) -> Ending:
        result = view["result"]
        winners = tuple(seat for seat, rank in enumerate(result["ranks"]) if rank == 1)
        how = Phrase(self.ENDS.get(result["reason"], result["reason"].replace("_", " ")))
        if not winners:
            return Ending((), None, (how,), Phrase("Everybody loses"))
        return Ending(winners, by_points(result["points"], winners), (how,))

    def compose(self, game: Game, s: Any, seat: int, draft: tuple[str, ...]) -> Composition | None:
        return None

    def reveals(self, game: Game, told: list[Told], viewer: int) -> list[Reveal]:
        """One step at each event that a reader stops at, with all that was told up to there."""
        found, lines = [], []
        for one in told:
            lines += game.definition.show.tell(game, [one], viewer)
            if one.event in self.STOPS and lines:
                found.append(Reveal(tuple(lines)))
                lines = []
        return found

    def answer(self, game: Game, seen: Seen, about: str) -> Answer | None:
        """A game that wants its board to answer says what; a plain one shows only what its words say."""
        return None

    def legend(self, game: Game) -> Sequence[Signs]:
        return ()
