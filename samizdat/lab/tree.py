"""A game as a tree: one decision at a time, luck as explicit branches, and what every seat remembers.

Solvers want the outcomes of luck one by one. Rules draw while they play, so a decision is played with a script
of outcomes; where the rules ask for one more than the script holds, the tree has a chance node with that many
branches, and the decision is played again from the saved record with the longer script. A draw of one outcome is
no branch. Nothing of a decision is seen until all its luck has fallen: at a chance node every seat knows what
it knew before.

Seats that choose at the same time do so one after the other, in seat order; `hide` keeps what they chose.

The rules run compiled (`samizdat.lab.steps`): the first tree of a game ever waits about a minute for the compiler.
"""

from __future__ import annotations

import functools
import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from samizdat.kernel.arguments import clip
from samizdat.kernel.errors import SamizdatError
from samizdat.kernel.game import Game
from samizdat.kernel.history import Observation
from samizdat.kernel.luck import SCRIPT, TOLD, TOLD_ARGS, RecordingLuck, seed_luck
from samizdat.kernel.records import Record
from samizdat.kernel.scoring import Score, returns
from samizdat.kernel.telling import Told
from samizdat.lab import steps
from samizdat.lab.steps import DEAL, GUESS, NOBODY, OVERFULL

if TYPE_CHECKING:
    from samizdat.kernel.native import Native

SAID = np.dtype((np.int32, 2 + TOLD_ARGS))  # one thing told: audience, event, arguments
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

    __slots__ = ()

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self


class Position(Shared):
    """The record after a decision, and how it came about. Memories are worked out when somebody asks."""

    __slots__ = ("_before", "_kind", "_memories", "_move", "_said", "_seat", "_tree", "state")

    def __init__(
        self,
        kind: type[Record],
        state: bytes,
        memories: dict[int, Memory],
        tree: Tree | None = None,
        before: Position | None = None,
        seat: int = NOBODY,
        move: int = DEAL,
        said: bytes = b"",
    ) -> None:
        self.state = state
        self._kind = kind
        self._tree = tree
        self._memories = memories
        self._before = before
        self._seat = seat
        self._move = move
        self._said = said

    @property
    def record(self) -> Record:
        """The state as interpreted rules see it."""
        return self._kind.from_bytes(self.state)

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
        assert self._tree is not None  # a position read from a file has all its memories
        told = (
            Told(audience, event, tuple(args)) for audience, event, *args in np.frombuffer(self._said, SAID).tolist()
        )
        heard = tuple(one for one in told if one.heard_by(seat))
        own = self._move if self._seat == seat else None
        self._memories[seat] = memory.observe(own, heard, self._tree.seen(self.state, seat))
        return self._memories[seat]

    def __reduce__(self) -> tuple[Any, ...]:
        """Written without its past: the memories hold all that matters of it."""
        seats: int = self.record.seats  # type: ignore[attr-defined]
        return Position, (self._kind, self.state, {seat: self.memory(seat) for seat in range(seats)})


@dataclass(frozen=True, eq=False)
class Pending(Shared):
    """A decision whose luck is still falling: what fell so far, and how many outcomes the next draw has."""

    seat: int
    move: int
    script: tuple[int, ...]
    outcomes: int


class Node(Shared):
    """A node of the tree: a position and whose turn it is there, or a chance node: a decision that waits for luck."""

    __slots__ = ("children", "moves", "pending", "position", "turn")

    def __init__(
        self,
        position: Position,
        pending: Pending | None = None,
        turn: int | None = None,
        moves: list[int] | None = None,
    ) -> None:
        self.position = position
        self.pending = pending
        self.turn = turn  # the first of the seats that may decide; None where luck falls, and when the game is over
        self.moves = moves or []  # what that seat may decide
        self.children: dict[int, Node] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        return Node, (self.position, self.pending, self.turn, self.moves)


@functools.cache
def compiled(native: Native) -> tuple[Any, Any, Any]:
    """The steps of a game; the same for all its trees."""
    return native.compile(steps.step), native.compile(steps.see), native.compile(steps.judge)


def in_bytes(array: np.ndarray[Any, Any]) -> memoryview:
    """The same memory as bytes, which are far cheaper to copy than an array of a record."""
    return memoryview(array.reshape(-1).view(np.uint8))  # type: ignore[arg-type]


class Tree:
    """The tree of one game, from the deal to every end."""

    def __init__(self, game: Game, keep: int = 0) -> None:
        """So many nodes are kept by their parents: for small trees, which solvers walk again and again."""
        self.game = game
        self._keep = keep
        self._kind = game.definition.state
        self._step, self._see, self._judge = compiled(game.definition.native)
        # Room for one step, used again and again.
        self._box = game.box.record.array
        self._before, self._after = (np.zeros(1, self._kind.dtype) for _ in range(2))
        self._luck = RecordingLuck()
        self._moves = game.moves_buffer()
        self._said = np.zeros(TOLD, SAID)
        self._score = np.zeros(1, Score.dtype)
        self._before_bytes, self._after_bytes = in_bytes(self._before), in_bytes(self._after)
        self._said_bytes = in_bytes(self._said)
        self._script = self._luck.array["script"][0]
        nothing = {seat: Memory.blank(seat) for seat in range(game.players)}
        self.root = self._play(Position(self._kind, bytes(game.blank()), nothing, self), NOBODY, DEAL, ())

    def seen(self, state: bytes, seat: int) -> bytes:
        """What a seat may know of a state."""
        self._before_bytes[:] = state
        self._see(self._box, self._before, self._after, seat)
        return bytes(self._after_bytes)

    def returns(self, node: Node) -> list[float]:
        """What the end of a game is worth to each seat."""
        self._before_bytes[:] = node.position.state
        self._judge(self._box, self._before, self._score)
        return returns(self._score["rank"][0, : self.game.players].tolist(), self.game.fair_seats)

    def child(self, node: Node, action: int) -> Node:
        """The node after an outcome of luck, or after a decision, or after as much of it as needs no luck."""
        if action in node.children:
            return node.children[action]
        pending = node.pending
        # Compiled rules check nothing: what is not open here could do anything.
        if pending is not None:
            if not 0 <= action < pending.outcomes:
                raise SamizdatError(f"{clip(action)} is no outcome of luck here: there are {pending.outcomes}.")
            child = self._play(node.position, pending.seat, pending.move, (*pending.script, action))
        else:
            if node.turn is None or action not in node.moves:
                raise SamizdatError(f"{clip(action)} is not open here: {clip(node.moves)} are.")
            child = self._play(node.position, node.turn, action, ())
        if self._keep > 0:
            self._keep -= 1
            node.children[action] = child
        return child

    def _play(self, position: Position, seat: int, move: int, script: tuple[int, ...]) -> Node:
        scripted = len(script)
        if scripted:
            self._script[:scripted] = script
        settled, outcomes, turn, choices, told = self._take(position, scripted, seat, move)
        if outcomes == OVERFULL:
            raise RuntimeError(f"{self.game.name}: luck keeps no notes of {SCRIPT} draws in one decision.")
        if outcomes:
            only = (0,) * (settled - scripted)  # draws of a single outcome on the way
            return Node(position, Pending(seat, move, (*script, *only), outcomes))
        state, said = bytes(self._after_bytes), bytes(self._said_bytes[: told * SAID.itemsize])
        return self._node(Position(self._kind, state, {}, self, position, seat, move, said), turn, choices)

    def _take(self, position: Position, scripted: int, seat: int, move: int) -> tuple[int, int, int, int, int]:
        """One step from a position; what it returns is what `steps.step` does."""
        self._before_bytes[:] = position.state
        return self._step(  # type: ignore[no-any-return]
            self._box, self._before, self._after, self._luck.array, self._moves, self._said, scripted, seat, move
        )

    def _node(self, position: Position, turn: int, choices: int) -> Node:
        """The node of a position that was just reached: the moves are those of the last step."""
        if turn == NOBODY:
            return Node(position)
        return Node(position, None, turn, self._moves[:choices].tolist())

    def resample(self, node: Node, seat: int, seed: int) -> Node:
        """Another node that the seat cannot tell from this one.

        Its memory is kept; the others, whose past is unknown to it, begin theirs with what they would see now. At a
        chance node the sample stands before the decision that waits for luck, of which nobody knows anything yet.
        """
        if node.pending is not None and node.pending.move == DEAL:
            return self.root
        memory = node.position.memory(seat)
        seed_luck(self._luck, seed)
        *_, turn, choices, _ = self._take(node.position, 0, seat, GUESS)
        return self._node(Position(self._kind, bytes(self._after_bytes), {seat: memory}, self), turn, choices)
