"""A match: one game being played, decision by decision, with its history.

The match is the referee. It holds the true record; whatever it hands to a seat (views, legal moves, refusals,
the log, a bot's sight) is made from that seat's hidden record.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from samizdat.kernel import interpreted as engine
from samizdat.kernel.arguments import check_seed, clip, shorten, whole, wholes
from samizdat.kernel.errors import GameOver, IllegalMove, MoveError, NotYourTurn
from samizdat.kernel.fairness import Fairness
from samizdat.kernel.game import Game
from samizdat.kernel.history import History, Observation, Ply
from samizdat.kernel.luck import SCRIPT, WIDE, RecordingLuck, fresh_seed, seed_luck
from samizdat.kernel.moves import Move
from samizdat.kernel.records import Record
from samizdat.kernel.scoring import Score, returns
from samizdat.kernel.starts import Start
from samizdat.kernel.telling import Line, Phrase, heard


@dataclass(frozen=True)
class Sight:
    """What a seat knows: its hidden record and its memory, nothing else. This is what a bot is given."""

    game: Game
    seat: int
    state: Record
    memory: tuple[Observation, ...]

    def legal(self) -> list[Move]:
        """The decisions open to this seat, worked out from what it sees."""
        if self.seat not in engine.acting(self.state):
            return []
        ids = engine.legal_moves(self.game.box.record, self.state, self.seat, self.game.capacity)
        return [self.game.notation.move(id) for id in ids]


def view_of(game: Game, hidden: Record, seat: int | None) -> dict[str, Any]:
    """A hidden record of a seat (None is a spectator) as plain data."""
    return {
        "game": game.name,
        "variant": game.variant,
        "players": game.players,
        "options": dict(game.options),
        "seat": seat,
        "turn": list(engine.acting(hidden)),
        **game.definition.show.view(game, hidden, engine.SPECTATOR if seat is None else seat),
    }


class Match:
    """A match in progress or finished. Seats are numbered from 0."""

    def __init__(
        self, game: Game, seed: int, luck: Sequence[int] = (), nonce: int | None = None, start: Start | None = None
    ) -> None:
        """Deal, with the outcomes in `luck` first, or begin with the position of `start`. Seed and nonce together are
        what a table publishes the hash of."""
        self.game = game
        self.seed = check_seed(seed)
        self.nonce = fresh_seed() if nonce is None else nonce
        self.names: tuple[str, ...] = ()  # of those who play, where somebody gave them; for files alone
        self.fairness: Fairness | None = None  # what the seed follows from, where browsers could add to it
        self._luck = RecordingLuck()
        seed_luck(self._luck, self.seed)
        self._box = game.box.record
        self._state = game.blank()
        self._played: list[Ply] = []
        self._histories: dict[int, History] = {}  # by viewer: of those whom somebody asked for
        self.start = start
        script = self._script(luck)
        if start is None:
            engine.deal(self._box, self._state, self._luck)
        else:
            self._state = start.position.copy()
        self._deal = self._note(-1, -1, b"", script)

    # --- who, what, whether ------------------------------------------------------------------------------

    @property
    def seats(self) -> int:
        """How many there are."""
        return self.game.players

    @property
    def turn(self) -> tuple[int, ...]:
        """The seats that may act now; () when the match is over."""
        return engine.acting(self._state)

    @property
    def over(self) -> bool:
        """Whether nobody decides any more."""
        return not self.turn

    @property
    def plies(self) -> int:
        """Decisions played so far."""
        return len(self._played)

    @property
    def moves(self) -> list[tuple[int, Move]]:
        """All decisions so far with the seats that made them; the referee's, not a seat's."""
        return [(ply.seat, self.game.notation.move(ply.move)) for ply in self._played]

    @property
    def decisions(self) -> list[tuple[int, Move, tuple[int, ...]]]:
        """All decisions with their seats and the outcomes that were given rather than drawn; the referee's."""
        return [(ply.seat, self.game.notation.move(ply.move), ply.script) for ply in self._played]

    @property
    def scripted(self) -> tuple[int, ...]:
        """The plies of which outcomes were given rather than drawn; the deal is ply 0."""
        return tuple(number for number, ply in enumerate((self._deal, *self._played)) if ply.script)

    @property
    def raw(self) -> bytes:
        """The true record; the referee's."""
        return bytes(self._state)

    def agrees(self, stored: bytes) -> bool:
        """Whether a position that was stored is the present one; the referee's."""
        past = self.game.definition.before(self.game.rules)
        return past.agrees(stored, self._state) if past else stored == self.raw

    def legal(self, seat: int) -> list[Move]:
        """The decisions open to a seat; [] when it has none."""
        return self.sight(seat, memory=False).legal()

    # --- results -----------------------------------------------------------------------------------------

    def _score(self) -> Score:
        return engine.scored(self._box, self._state)

    @property
    def scores(self) -> list[int]:
        """Points by seat, as the referee knows them."""
        out = self._score()
        return [out.points[seat] for seat in range(self.seats)]

    @property
    def ranks(self) -> list[int]:
        """The place of each seat; 1 for those who have won, and nobody has 1 in a common defeat."""
        out = self._score()
        return [out.rank[seat] for seat in range(self.seats)]

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that share the victory; () while the match runs, and in a common defeat."""
        if not self.over:
            return ()
        return tuple(seat for seat, rank in enumerate(self.ranks) if rank == 1)

    @property
    def returns(self) -> list[float]:
        """Each seat's share of the win minus a fair share; zeros while the match runs."""
        return returns(self.ranks, self.game.fair_seats) if self.over else [0.0] * self.seats

    @property
    def reason(self) -> str | None:
        """Why the match ended, by name; None while it runs."""
        return self.game.definition.reasons[self._score().reason] if self.over else None

    # --- playing -----------------------------------------------------------------------------------------

    def play(self, seat: int, move: object, luck: Sequence[int] = ()) -> None:
        """Play one decision: a Move, its id or its notation. `luck` gives outcomes to use before drawing any.

        An error changes nothing: MoveError (no such move), GameOver, NotYourTurn, IllegalMove (why, and the rule).
        """
        self.decide(seat, move, luck)

    def decide(self, seat: int, move: object, luck: Sequence[int] = ()) -> Move:
        """The same for those who want to know which decision that was."""
        wanted = self.game.notation.read(move)
        seat = self._check_seat(seat)
        turn = self.turn
        if not turn:
            raise GameOver("The match is over; nobody decides any more.")
        if seat not in turn:
            waiting = " and ".join(str(other) for other in turn)
            raise NotYourTurn(f"Seat {seat} has nothing to decide now; the match waits for seat {waiting}.")
        if wanted.id not in engine.legal_moves(self._box, self._state, seat, self.game.capacity):
            # Asked of the hidden record: a refusal must not tell what the seat may not know.
            hidden = engine.hidden(self._box, self._state, seat)
            line = self.game.why_not(hidden, seat, wanted)
            raise IllegalMove(f"{wanted} is not possible now: {line}", line.rule, line)
        before = bytes(self._state)
        script = self._script(luck)
        engine.decide(self._box, self._state, self._luck, len(self._played) + 1, seat, wanted.id)
        try:
            ply = self._note(seat, wanted.id, before, script)
        except MoveError:
            self._state = self.game.definition.state.from_bytes(before)
            raise
        self._played.append(ply)
        for history in self._histories.values():
            history.take_in(self._box, ply, self._state)
        return wanted

    def _check_seat(self, seat: object) -> int:
        number = whole(seat)
        if number is None or not 0 <= number < self.game.players:
            raise NotYourTurn(f"There is no seat {clip(seat)}; seats are numbered 0 to {self.game.players - 1}.")
        return number

    def _script(self, given: object) -> tuple[int, ...]:
        """Let luck bring these outcomes first; returns them."""
        script = wholes(given)
        if script is None or len(script) > SCRIPT or any(outcome < 0 for outcome in script):
            raise MoveError(Phrase("Luck is a list of at most {most} outcomes, each 0 or more.", {"most": SCRIPT}))
        luck = self._luck
        luck.used = luck.asked = luck.told = luck.revealed = 0
        luck.scripted = len(script)
        for i, outcome in enumerate(script):
            luck.script[i] = min(outcome, WIDE)  # no draw has that many outcomes: `_note` refuses it
        return script

    def _note(self, seat: int, move: int, before: bytes, outcomes: tuple[int, ...]) -> Ply:
        luck = self._luck
        drawn = tuple((luck.possible[i], luck.came[i]) for i in range(luck.asked))
        for i, outcome in enumerate(outcomes):
            if i >= len(drawn):
                numbers = {"given": len(outcomes), "drawn": len(drawn)}
                raise MoveError(Phrase("{given} outcomes of luck were given, but only {drawn} drawn.", numbers))
            if outcome >= drawn[i][0]:
                facts = {"outcome": shorten(outcome), "draw": i + 1, "possible": drawn[i][0]}
                raise MoveError(
                    Phrase("Outcome {outcome} of draw {draw} is not among its {possible} outcomes.", facts)
                )
        return Ply(seat, move, before, heard(luck), drawn, bool(luck.revealed), outcomes)

    # --- what a seat may know ----------------------------------------------------------------------------

    def view(self, seat: int | None) -> dict[str, Any]:
        """All and only what a seat may know, as plain data; None is a spectator."""
        number = self._viewer(seat)
        hidden = engine.hidden(self._box, self._state, number)
        return view_of(self.game, hidden, None if number == engine.SPECTATOR else number)

    def sight(self, seat: int, memory: bool = True) -> Sight:
        """The seat's hidden record and what it has observed so far."""
        seat = self._check_seat(seat)
        hidden = engine.hidden(self._box, self._state, seat)
        return Sight(self.game, seat, hidden, self.observations(seat) if memory else ())

    def past_sight(self, seat: int, ply: int) -> Sight:
        """What a seat knew before the decision with this number, counted from 0."""
        return self.at(ply).sight(seat)

    def at(self, ply: int) -> Match:
        """The match as it was before the decision with this number, counted from 0."""
        twin = self.copy()
        if ply < self.plies:
            twin._go_back(ply)
        return twin

    def history(self, seat: int | None) -> History:
        """What a viewer has learned; it goes on with the match."""
        number = self._viewer(seat)
        found = self._histories.get(number)
        if found is None:
            found, state = History(number), self.game.definition.state
            for ply, after in zip((self._deal, *self._played), self._states(), strict=True):
                found.take_in(self._box, ply, state.from_bytes(after))
            self._histories[number] = found
        return found

    def observations(self, seat: int | None) -> tuple[Observation, ...]:
        """The sequence of what a viewer learned; decisions that showed it nothing do not appear in it."""
        return tuple(self.history(seat).observations)

    def _states(self) -> list[bytes]:
        """The record after the deal and after every decision."""
        return [*(ply.before for ply in self._played), bytes(self._state)]

    def log(self, seat: int | None) -> list[Line]:
        """What happened so far, in sentences, as that seat heard it."""
        number = self._viewer(seat)
        lines: list[Line] = []
        for ply in (self._deal, *self._played):
            told = [one for one in ply.told if one.heard_by(number)]
            lines.extend(self.game.definition.show.tell(self.game, told, number))
        return lines

    def _viewer(self, seat: int | None) -> int:
        return engine.SPECTATOR if seat is None else self._check_seat(seat)

    # --- taking back -------------------------------------------------------------------------------------

    def can_undo(self, seat: int) -> bool:
        """Whether `undo` would work; known to the seat from what it sees alone."""
        return self._undoable(seat) is not None

    def undo(self, seat: int) -> None:
        """Take back the seat's last decision, unless something was revealed or drawn, or another seat acted on it."""
        seat = self._check_seat(seat)
        index = self._undoable(seat)
        if index is None:
            raise IllegalMove(f"Seat {seat} has nothing it may take back.", "undo")
        later, old = self._played[index + 1 :], self._histories
        self._go_back(index)
        for ply in later:
            self.play(ply.seat, ply.move)
        for number, history in self._histories.items():
            history.replace(old[number])

    def last_of(self, seat: int) -> int | None:
        """The number of a seat's last decision, counted from 0; None if it has made none."""
        return next((i for i in reversed(range(len(self._played))) if self._played[i].seat == seat), None)

    def opened_since(self, ply: int) -> bool:
        """Whether something was drawn or revealed by the decision with this number, or later."""
        return any(one.revealed or one.drawn for one in self._played[ply:])

    def take_back(self, seat: int) -> None:
        """Take back the seat's last decision and all that anybody decided since, whatever it showed: for those who
        have all agreed to that. What comes of luck stays what it was."""
        index = self.last_of(self._check_seat(seat))
        if index is None:
            raise IllegalMove(f"Seat {seat} has decided nothing yet.", "undo")
        old = self._histories
        self._go_back(index)
        for number, history in self._histories.items():
            history.replace(old[number])

    def _go_back(self, ply: int) -> None:
        """To the position before the decision with this number, and to what everybody knew there."""
        self._state = self.game.definition.state.from_bytes(self._played[ply].before)
        self._histories = {number: history.at(ply) for number, history in self._histories.items()}
        del self._played[ply:]

    def _undoable(self, seat: int) -> int | None:
        seat = self._check_seat(seat)
        index = self.last_of(seat)
        if index is None or self.opened_since(index):
            return None
        states = self._states()
        for i in range(index + 1, self.plies):
            other = self._played[i].seat
            if self._noticed(index, states, other) and self._noticed(i, states, seat):
                return None
        return index

    def _noticed(self, index: int, states: list[bytes], seat: int) -> bool:
        """Whether a seat could tell that a decision was made."""
        if any(told.heard_by(seat) for told in self._played[index].told):
            return True
        state = self.game.definition.state
        seen = [bytes(engine.hidden(self._box, state.from_bytes(states[i]), seat)) for i in (index, index + 1)]
        return seen[0] != seen[1]

    # --- copies and files --------------------------------------------------------------------------------

    def copy(self) -> Match:
        """An independent match at the same point."""
        twin = copy.copy(self)
        twin._state = self._state.copy()
        twin._luck = self._luck.copy()
        twin._played = list(self._played)
        twin._histories = {number: history.at(len(self._played)) for number, history in self._histories.items()}
        return twin

    def __deepcopy__(self, memo: dict[int, Any]) -> Match:
        return self.copy()

    @property
    def commitment(self) -> str:
        """What the table published before the first decision."""
        from samizdat.kernel.matchfile import commitment

        return commitment(self.seed, self.nonce, self.fairness)

    def dumps(self) -> str:
        """The referee's file: everything, secrets included."""
        from samizdat.kernel.matchfile import dumps

        return dumps(self)

    def dumps_seat(self, seat: int | None) -> str:
        """A seat's file: its view, its log and its own moves; None is a spectator."""
        from samizdat.kernel.matchfile import dumps_seat

        return dumps_seat(self, seat)
