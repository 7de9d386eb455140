"""Connect Four at the table: its words, and where the discs lie."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from connect_four.rules import COLUMNS, DROPS, HEIGHT, ROWS
from samizdat.kernel.boards import Effort, Seen
from samizdat.kernel.game import Game
from samizdat.kernel.plain_board import Area, Cell, Grid, PlainBoard
from samizdat.kernel.shows import PlainShow, Sentence
from samizdat.kernel.telling import Phrase, template


class Show(PlainShow):
    SENTENCES = {DROPS: Sentence("C2", template("{seat} drops a disc into column {columns}."), "columns")}


class Board(PlainBoard):
    INKS = ("yellow", "red")
    BLURB = Phrase("Drop discs into seven columns; four in a row win.")
    EFFORT = Effort(minutes=(5, 10), learning=1)
    LABELS = {"drop": template("Drop a disc into column {column}")}
    PROMPTS = {"drop": template("Drop a disc into one of the columns.")}
    ENDS = {"four": template("four in a row"), "full": template("the board is full")}

    def areas(self, game: Game, seen: Seen) -> Sequence[Area]:
        def cell(column: int, row: int) -> Cell:
            return Cell(f"drop {column + 1}", owner(seen.view["record"], HEIGHT * column + row))

        rows = [[cell(column, row) for column in range(COLUMNS)] for row in reversed(range(ROWS))]
        return [Grid(Phrase("The board"), rows)]


def owner(s: Any, cell: int) -> int | None:
    """Whose disc lies in a cell: of an odd number of discs, the first seat dropped the last."""
    if not (s["taken"] >> cell) & 1:
        return None
    moved_last = (int(s["taken"]).bit_count() + 1) % 2
    return moved_last if (s["waiting"] >> cell) & 1 else 1 - moved_last
