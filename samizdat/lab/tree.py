"""A game as a tree: one decision at a time, luck as explicit branches, and what every seat remembers.

Solvers want the outcomes of luck one by one. Rules draw while they play, so a decision is played with a script
of outcomes; where the rules ask for one more than the script holds, the tree has a chance node with that many
branches, and the decision is played again from the saved record with the longer script. A draw of one outcome is
no branch. Nothing of a decision is seen until all its luck has fallen: at a chance node every seat knows what
it knew before.

Seats that choose at the same time do so one after the other, in seat order; `hide` keeps what they chose.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

from samizdat.kernel import contract
from samizdat.kernel import interpreted as engine
from samizdat.kernel.game import Game
from samizdat.kernel.luck import SCRIPT, Heard, Luck, seed_luck
from samizdat.kernel.match import Observation
from samizdat.kernel.records import Record
from samizdat.kernel.telling import Told, heard

DEAL = -1  # the seat and move of the deal
RECALL = 4  # observations that a memory keeps as they were; older ones live on in its name only
NAME_BYTES = 16


@dataclass(frozen=True)
class Memory:
    """A seat's whole sequence of observations: how many, a name that no other sequence has, and the last few."""

    steps: int
    name: bytes
    recent: tuple[Observation, ...]  # newest first

    @classmethod
    def blank(cls, seat: int) -> Memory:
        return cls(0, seat.to_bytes(NAME_BYTES, "big"), ())

    def observe(self, move: int | None, told: tuple[Told, ...], seen: bytes) -> Memory:
        """One step more; a step that shows the seat nothing does not exist for it (as in Match.observations)."""
        if move is None and not told and self.recent and self.recent[0].seen == seen:
            return self
        text = repr((move, [(one.event, one.args) for one in told])).encode()
        name = hashlib.blake2b(self.name + text + b"\n" + seen, digest_size=NAME_BYTES).digest()
        return Memory(self.steps + 1, name, (Observation(move, told, seen), *self.recent)[:RECALL])


class Shared:
    """Never changed once made, so copies are the thing itself."""

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self


class Position(Shared):
    """The record after a decision, and how it came about. Memories are worked out when somebody asks."""

    def __init__(
        self,
        box: Record | None,
        record: Record,
        memories: dict[int, Memory],
        before: Position | None = None,
        seat: int = DEAL,
        move: int = DEAL,
        told: tuple[Told, ...] = (),
    ) -> None:
        self.record = record
        self._box = box
        self._memories = memories
        self._before = before
        self._seat = seat
        self._move = move
        self._told = told

    def memory(self, seat: int) -> Memory:
        """What a seat remembers."""
        behind: list[Position] = []
        at: Position | None = self
        while at is not None and seat not in at._memories:
            behind.append(at)
            at = at._before
        memory = Memory.blank(seat) if at is None else at._memories[seat]
        for position in reversed(behind):
            memory = position._observed(memory, seat)
        return memory

    def _observed(self, memory: Memory, seat: int) -> Memory:
        assert self._box is not None  # a position read from a file has all its memories
        told = tuple(one for one in self._told if one.heard_by(seat))
        own = self._move if self._seat == seat else None
        self._memories[seat] = memory.observe(own, told, bytes(engine.hidden(self._box, self.record, seat)))
        return self._memories[seat]

    def __reduce__(self) -> tuple[Any, ...]:
        """Written without its past: the memories hold all that matters of it."""
        seats: int = self.record.seats  # type: ignore[attr-defined]
        memories = {seat: self.memory(seat) for seat in range(seats)}
        return read_position, (type(self.record), bytes(self.record), memories)


def read_position(kind: type[Record], data: bytes, memories: dict[int, Memory]) -> Position:
    return Position(None, kind.from_bytes(data), memories)


@dataclass(frozen=True, eq=False)
class Pending(Shared):
    """A decision whose luck is still falling: what fell so far, and how many outcomes the next draw has."""

    seat: int
    move: int
    script: tuple[int, ...]
    outcomes: int


class Node(Shared):
    """A node of the tree: a position, and at a chance node the decision that waits for luck."""

    def __init__(self, position: Position, pending: Pending | None = None) -> None:
        self.position = position
        self.pending = pending
        self.children: dict[int, Node] = {}
        self.moves: list[int] | None = None

    @functools.cached_property
    def turn(self) -> int | None:
        """The seat that decides here: the first of those that may; None when the game is over."""
        return next(iter(engine.acting(self.position.record)), None)

    def __reduce__(self) -> tuple[Any, ...]:
        return Node, (self.position, self.pending)


class Tree:
    """The tree of one game, from the deal to every end."""

    def __init__(self, game: Game, keep: int = 0) -> None:
        """So many nodes are kept by their parents: for small trees, which solvers walk again and again."""
        self.game = game
        self._keep = keep
        self._box = game.box.record
        self._luck = Heard()
        nothing = {seat: Memory.blank(seat) for seat in range(game.players)}
        self.root = self._play(Position(self._box, game.blank(), nothing), DEAL, DEAL, ())

    def legal(self, node: Node) -> list[int]:
        """What the seat whose turn it is may decide."""
        if node.moves is None:
            assert node.turn is not None
            node.moves = engine.legal_moves(self._box, node.position.record, node.turn, self.game.capacity)
        return node.moves

    def child(self, node: Node, action: int) -> Node:
        """The node after an outcome of luck, or after a decision, or after as much of it as needs no luck."""
        if action in node.children:
            return node.children[action]
        pending = node.pending
        if pending is not None:
            child = self._play(node.position, pending.seat, pending.move, (*pending.script, action))
        else:
            assert node.turn is not None
            child = self._play(node.position, node.turn, action, ())
        if self._keep > 0:
            self._keep -= 1
            node.children[action] = child
        return child

    def _play(self, position: Position, seat: int, move: int, script: Sequence[int]) -> Node:
        record, luck = position.record.copy(), self._luck
        luck.used = luck.asked = luck.told = luck.revealed = 0
        luck.scripted = len(script)
        for i, outcome in enumerate(script):
            luck.script[i] = outcome
        if seat == DEAL:
            engine.deal(self._box, record, luck)
        else:
            engine.decide(self._box, record, luck, 1, seat, move)
        if luck.asked == SCRIPT:
            raise RuntimeError(f"{self.game.name}: luck keeps no notes of {SCRIPT} draws in one decision.")
        for asked in range(len(script), luck.asked):
            if luck.possible[asked] > 1:
                only = (0,) * (asked - len(script))  # draws of a single outcome on the way
                return Node(position, Pending(seat, move, (*script, *only), luck.possible[asked]))
        return Node(Position(self._box, record, {}, position, seat, move, heard(luck)))

    def resample(self, node: Node, seat: int, seed: int) -> Node:
        """Another node that the seat cannot tell from this one.

        Its memory is kept; the others, whose past is unknown to it, begin theirs with what they would see now. At a
        chance node the sample stands before the decision that waits for luck, of which nobody knows anything yet.
        """
        if node.pending is not None and node.pending.seat == DEAL:
            return self.root
        record = engine.hidden(self._box, node.position.record, seat)
        luck = Luck()
        seed_luck(luck, seed)
        contract.guess(self._box, record, luck, seat)
        return Node(Position(self._box, record, {seat: node.position.memory(seat)}))
