"""Liar's Dice at the table: cups, and the bids that are still possible."""

from __future__ import annotations

from collections.abc import Sequence

from liars_dice.rules import DOUBTS, FACES, RAISES, SHOWS
from samizdat.kernel.boards import Effort, Seen
from samizdat.kernel.game import Game
from samizdat.kernel.plain_board import Area, Cards, Cell, Grid, PlainBoard
from samizdat.kernel.shows import SEATS, PlainShow, Sentence
from samizdat.kernel.telling import Phrase, Word, template


class Show(PlainShow):
    SENTENCES = {
        RAISES: Sentence("L2", template("{seat} bids {counts} × {faces}."), "counts", "faces"),
        DOUBTS: Sentence("L3", template("{seat} calls {seats} a liar."), "seats"),
        SHOWS: Sentence("L4", template("{n} dice show a {faces}: {seat} loses."), "=n", "faces"),
    }


class Board(PlainBoard):
    BLURB = Phrase("Bid on what lies under all cups, and know when somebody lies.")
    EFFORT = Effort(minutes=(5, 10), learning=1)
    BUTTONS = {"liar": False}
    LABELS = {"bid": template("Bid {count} × {face}"), "liar": template("Call the last bid a lie")}
    PROMPTS = {"liar": template("Bid higher, or call the last bid a lie."), "bid": template("Make the first bid.")}
    ENDS = {"challenge": template("a bid was doubted")}
    STOPS = (SHOWS,)

    def areas(self, game: Game, seen: Seen) -> Sequence[Area]:
        found: list[Area] = []
        s = seen.view["record"]
        for seat, faces in enumerate(s["face"][: game.players]):
            cells = [Cell(text=str(face) if face else "", back=not face) for face in sorted(faces[: s["dice"]])]
            title = Phrase("Dice of {seat}", {"seat": Word(SEATS, game.words(SEATS)[seat])})
            found.append(Cards(title, cells, seat if seat == seen.seat else None))
        last = s["bids"] - 1
        made = Phrase("Bids: {count} × {face} is the last", {"count": last // FACES + 1, "face": last % FACES + 1})
        counts = range(max(last, 0) // FACES + 1, s["dice"] * game.players + 1)
        rows = [[Cell(f"bid {n} {face}", text=f"{n} × {face}") for face in range(1, FACES + 1)] for n in counts]
        return [*found, Grid(made if last >= 0 else Phrase("Bids"), rows)]
