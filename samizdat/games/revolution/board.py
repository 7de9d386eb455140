"""Revolution!: its board, drawn from what one seat may know."""

from __future__ import annotations

from typing import Any

from samizdat.games.revolution.show import TOKEN_WORDS, tell
from samizdat.games.revolution.state import State
from samizdat.kernel.boards import Composition, Reveal, Seen, Status
from samizdat.kernel.game import Game
from samizdat.kernel.moves import Move
from samizdat.kernel.telling import Phrase, Told, Word

GLYPH = "town-hall"
INKS = ("red", "yellow", "green", "blue")
BLURB = Phrase("Bid in secret for twelve townspeople; hold the town when its last space is filled.")
DOCK = (
    ("board", "town-hall", Phrase("Town")),
    ("seats", "person", Phrase("Seats")),
    ("record", "log", Phrase("Record")),
)
BUTTONS = {"done": True, "pass": False}


def where(game: Game, view: Any) -> Phrase:
    return Phrase("Round {round}", {"round": view["round"]})


def status(game: Game, seen: Seen) -> Status:
    return Status(Phrase("Lay your tokens."))


def label(game: Game, view: Any, move: Move) -> Phrase:
    if move.kind == "bid":
        words = {"token": Word("tokens", move.args["token"]), "character": Word("characters", move.args["character"])}
        return Phrase("{token} on the {character}", words)
    return Phrase(str(move))


def picture(game: Game, seen: Seen) -> dict[str, Any]:
    return {"tokens": TOKEN_WORDS}


def compose(game: Game, s: State, seat: int, draft: tuple[str, ...]) -> Composition | None:
    return None


def reveals(game: Game, told: list[Told], viewer: int) -> list[Reveal]:
    return [Reveal((line,)) for line in tell(game, told, viewer)]
