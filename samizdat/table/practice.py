"""Practice: a scene or a puzzle laid out for one visitor, who tries decisions in it. Nothing of it is stored,
unless processes share a database (`practices.py`).

It is a table like any other, with one person at it. When the decisions of the answer are made, what the example lets
happen next happens by itself.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

from samizdat.kernel.exercises import Exercise
from samizdat.kernel.match import Match
from samizdat.kernel.records import Record
from samizdat.table.events import Event, Played, Turned
from samizdat.table.seats import Seat, new_key
from samizdat.table.tables import PLAYING, LiveTable

SCENE = "scene-"  # how the ids of such tables begin
ASKED, UNDERWAY, ASTRAY, DONE = "asked", "underway", "astray", "done"  # how far somebody has come


class PracticeTable(LiveTable):
    """A table at which an exercise is tried."""

    fleeting = True

    def __init__(self, exercise: Exercise, names: Sequence[str], player: str) -> None:
        chairs = [
            Seat("person", "", name, new_key(), {player} if seat == exercise.seat else set())
            for seat, name in enumerate(names)
        ]
        row = SimpleNamespace(
            id=f"{SCENE}{secrets.token_urlsafe(9)}", opened_by=player, public=False, status=PLAYING, seed="0",
            nonce="0", rematch=None, imported=False, start=None, fair=None, events=0, manners=None, proposal=None,
            plea=None,
        )  # fmt: skip
        super().__init__(row, exercise.game, chairs)
        self.exercise = exercise
        self.shown = False  # the answer was asked for: it is not found any more
        self.beyond = False  # what the rules made of it is shown
        self.folded = False  # the slip is put away
        self.kept = False  # that it was solved is written down
        self.acts: list[Any] = []  # all that happened, where other processes must know
        self.match = self._watched(exercise.opening)
        self.still = not exercise.answer

    def _watched(self, position: Record) -> Match:
        """A match at a position, which everybody watches from there."""
        match = self.exercise.match(position)
        match.names = tuple(self.names)
        for viewer in self.viewers:
            match.history(viewer)
        return match

    @property
    def made(self) -> list[str]:
        """The decisions that were tried: not what followed from the answer."""
        assert self.match is not None
        return [str(move) for _, move in self.match.moves][: max(1, len(self.exercise.answer))]

    @property
    def standing(self) -> str:
        """How the decisions stand to the answer; their order does not matter."""
        answer, made = self.exercise.answer, self.made
        if self.beyond or not answer:
            return DONE if self.beyond or self.shown else ASKED
        if not made:
            return ASKED
        if Counter(made) - Counter(answer):
            return ASTRAY
        return DONE if len(made) == len(answer) else UNDERWAY

    @property
    def next(self) -> str | None:
        """The next decision of the answer, as far as it was followed."""
        left = list(self.exercise.answer)
        for move in self.made:
            if move in left:
                left.remove(move)
        return left[0] if left and self.standing in (ASKED, UNDERWAY) else None

    # --- what the visitor asks for -----------------------------------------------------------------------

    def _turn(self, act: str) -> None:
        match act:
            case "fold" | "unfold":
                self.folded = act == "fold"
            case "again":
                self.begin_again()
            case "show":
                self.show()
            case "more":
                self.go_beyond()

    def begin_again(self) -> None:
        """Back to the opening; what was there before is a past that has changed."""
        self.shown = self.beyond = False
        self.still = not self.exercise.answer
        self._lay(self.exercise.opening)

    def show(self) -> None:
        """The answer is shown: from the opening, if somebody went astray."""
        if self.standing == ASTRAY:
            self._lay(self.exercise.opening)
        self.shown = True
        if not self.exercise.answer:
            self.go_beyond()

    def go_beyond(self) -> None:
        """What the rules made of the position by themselves."""
        if self.exercise.after is not None:
            self.beyond = self.still = True
            self._lay(self.exercise.after)

    def _lay(self, position: Record) -> None:
        assert self.match is not None
        old, new = self.match, self._watched(position)
        for viewer in self.viewers:
            new.history(viewer).replace(old.history(viewer))
        self.match = new
        self.drafts.clear()
        self.notify(change=True)

    # --- what happens ------------------------------------------------------------------------------------

    def luck_of(self, match: Match, seat: int, move: object) -> Sequence[int]:
        """What luck brings in the example, where somebody follows it."""
        made = [str(one) for _, one in match.moves]
        script = self.exercise.script
        if len(made) < len(script) and not Counter(made) - Counter(self.exercise.answer):
            wanted_seat, wanted, luck = script[len(made)]
            return luck if (seat, str(move)) == (wanted_seat, wanted) else ()
        return ()

    def apply(self, event: Event) -> None:
        if isinstance(event, Turned):
            self._turn(event.act)
            return
        if isinstance(event, Played):
            event = replace(event, match=self._followed(event.match), noticed=self.viewers)
        super().apply(event)
        self.status = PLAYING  # an example may end a match: it can be tried again

    def _followed(self, match: Match) -> Match:
        """After the answer: what the others do next in the example."""
        answer = self.exercise.answer
        if match.plies == len(answer) and not Counter(str(move) for _, move in match.moves) - Counter(answer):
            for seat, move, luck in self.exercise.script[len(answer) :]:
                match.play(seat, move, luck)
        return match
