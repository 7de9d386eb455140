"""One match of a study: played by bots, and what is noted of it.

An arm is one way of playing: a box and options, and the bot on all seats. Every arm plays the same deals with the
same luck and the same bots' dice, so that what differs between two arms is what was changed (and what followed from
it).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from samizdat.kernel import interpreted as engine
from samizdat.kernel.game import Game
from samizdat.kernel.match import Match
from samizdat.kernel.records import Record
from samizdat.kernel.scoring import shares_of_win
from samizdat.kernel.studies import Tally
from samizdat.lab.arena import Entrant, Fixture, Setting, bot_seed

ROUNDS = "rounds"  # the field of a state that counts them, where a game has rounds

Counts = dict[int, list[int]]  # thing -> how often, by seat; what nobody has does not stand there


@dataclass(frozen=True)
class Arm:
    """A box, options and a bot, by a name that the report calls it."""

    name: str
    setting: Setting
    bot: Entrant


@dataclass(frozen=True)
class Task:
    """One match to be played."""

    number: int  # in the study, from 0
    arm: int
    fixture: Fixture


@dataclass(frozen=True)
class Noted:
    """One match that was played."""

    number: int
    deal: int
    arm: int
    points: list[int]
    ranks: list[int]
    reason: str
    decisions: int
    rounds: int | None
    order: list[int]  # the seats as they began
    ahead: list[int]  # round by round (else decision by decision) who was ahead, as a bit set
    counts: list[Counts] = field(default_factory=list)  # by tally
    open: list[Counts] = field(default_factory=list)  # by tally: decisions at which a thing could be chosen
    parts: dict[str, list[int]] = field(default_factory=dict)
    figures: dict[str, float] = field(default_factory=dict)

    @property
    def shares(self) -> list[float]:
        """Of the win."""
        return shares_of_win(self.ranks)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Noted:
        """What was written; keys of mappings come back from JSON as texts."""
        for name in ("counts", "open"):
            data[name] = [{int(thing): seats for thing, seats in one.items()} for one in data[name]]
        return cls(**data)


def tasks(arms: Sequence[Arm], seed: int, deals: int, first: int = 0) -> Iterator[Task]:
    """Deal by deal, every arm; those before the first are done."""
    for number in range(first, deals * len(arms)):
        deal, arm = divmod(number, len(arms))
        one = arms[arm]
        seats = (one.bot,) * one.setting.game().players
        yield Task(number, arm, Fixture(one.setting, seed, deal, 0, 0, seats))


class Counter:
    """Counts the tallies of a game in one match."""

    def __init__(self, game: Game, tallies: Sequence[Tally]) -> None:
        self.game, self.tallies = game, tallies
        self.counts: list[Counts] = [{} for _ in tallies]
        self.open: list[Counts] = [{} for _ in tallies]
        things = [{id: number for number, id in enumerate(one.things(game))} for one in tallies]
        kinds = game.definition.moves.kinds
        # By move: which tally counts it, and as which thing.
        self.named: dict[int, list[tuple[int, int]]] = {}
        for move in filter(None, game.notation.all):
            for number, tally in enumerate(tallies):
                if move.kind in tally.kinds and move.kind in kinds:
                    argument = tally.kinds[move.kind]
                    thing = move.args[argument] if argument else move.kind
                    self.named.setdefault(move.id, []).append((number, things[number][thing]))

    def offered(self, seat: int, moves: Sequence[int]) -> None:
        """What could be chosen; several ways to choose the same thing are one."""
        for tally, thing in sorted({place for move in moves for place in self.named.get(move, ())}):
            self._add(self.open[tally], thing, seat)

    def chosen(self, seat: int, move: int) -> None:
        for tally, thing in self.named.get(move, ()):
            self._add(self.counts[tally], thing, seat)

    def told(self, match: Match) -> None:
        if not any(tally.told for tally in self.tallies):
            return
        for one in (told for seen in match.observations(None) for told in seen.told):
            for number, tally in enumerate(self.tallies):
                if one.event in tally.told:
                    seat, thing = tally.told[one.event]
                    self._add(self.counts[number], one.args[thing], one.args[seat])

    def has(self, state: Record, when: str) -> None:
        """What seats have after the deal, or at the end."""
        for number, tally in enumerate(self.tallies):
            holding = getattr(tally, when)
            for thing, seats in enumerate(holding(self.game, state) if holding else ()):
                for seat, times in enumerate(seats):
                    self._add(self.counts[number], thing, seat, times)

    def _add(self, counts: Counts, thing: int, seat: int, times: int = 1) -> None:
        if times:
            counts.setdefault(thing, [0] * self.game.players)[seat] += times


def ahead(game: Game, state: Record) -> int:
    """The seats that are ahead, as a bit set."""
    declared = game.definition.study.standing
    if declared:
        standing = list(declared(game, state))
    else:
        score = engine.scored(game.box.record, state)
        standing = [score.points[seat] for seat in range(game.players)]
    return sum(1 << seat for seat, value in enumerate(standing) if value == max(standing))


def note(task: Task) -> Noted:
    """Play one match and note it; runs in any process."""
    fixture = task.fixture
    game = fixture.setting.game()
    study, kind = game.definition.study, game.definition.state
    match = Match(game, fixture.match_seed, nonce=0)
    bots = [entrant.bot(bot_seed(fixture, seat)) for seat, entrant in enumerate(fixture.seats)]
    counter = Counter(game, study.counted(game))
    state: Any = kind.from_bytes(match.raw)
    counter.has(state, "dealt")
    order = list(study.order(game, state)) if study.order else list(range(game.players))
    led: list[int] = []
    rounds = ROUNDS in kind.fields
    while not match.over:
        seat = match.turn[0]
        moves = match.legal(seat)
        move = bots[seat].choose(match.sight(seat)) if len(moves) > 1 else moves[0]
        counter.offered(seat, [one.id for one in moves])
        counter.chosen(seat, move.id)
        match.play(seat, move)
        before, state = state, kind.from_bytes(match.raw)
        if not match.over and (not rounds or state.rounds != before.rounds):
            led.append(ahead(game, state))
    counter.told(match)
    counter.has(state, "ended")
    figures = {name: float(figure(state.array)[0]) for name, figure in game.definition.show.FIGURES.items()}
    parts = study.parts(game, state) if study.parts else {}
    return Noted(
        task.number, fixture.deal, task.arm, list(match.scores), list(match.ranks), str(match.reason), match.plies,
        int(state.rounds) if rounds else None, order, led, counter.counts, counter.open,
        {name: list(values) for name, values in parts.items()}, figures,
    )  # fmt: skip
