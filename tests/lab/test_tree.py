"""The compiled tree beside the interpreted rules: the same nodes, memories, samples and returns, byte for byte."""

from __future__ import annotations

import random
from typing import Any

import pytest

from samizdat.kernel import contract
from samizdat.kernel import interpreted as engine
from samizdat.kernel.errors import SamizdatError
from samizdat.kernel.game import Game, definitions
from samizdat.kernel.luck import Luck, RecordingLuck, seed_luck
from samizdat.kernel.records import Record
from samizdat.kernel.scoring import returns
from samizdat.kernel.telling import heard
from samizdat.lab.steps import DEAL, NOBODY
from samizdat.lab.tree import Memory, Node, Tree
from tests.conftest import DOSE, label, plain_games


class Plain:
    """A game played decision by decision with interpreted rules, with what every seat remembers of it."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.box = game.box.record
        self.record = game.blank()
        self.memories = [Memory.blank(seat) for seat in range(game.players)]

    def play(self, seat: int, move: int, script: tuple[int, ...]) -> tuple[tuple[int, ...], int] | None:
        """The settled draws and the outcomes of the next one; None if the decision is played to its end."""
        record, luck = self.record.copy(), RecordingLuck()
        luck.scripted = len(script)
        for i, outcome in enumerate(script):
            luck.script[i] = outcome
        if move == DEAL:
            engine.deal(self.box, record, luck)
        else:
            engine.decide(self.box, record, luck, 1, seat, move)
        assert [luck.came[i] for i in range(len(script))] == list(script)
        for asked in range(len(script), luck.asked):
            if luck.possible[asked] > 1:
                return (*script, *(0,) * (asked - len(script))), luck.possible[asked]
        self.record = record
        for other, memory in enumerate(self.memories):
            told = tuple(one for one in heard(luck) if one.heard_by(other))
            seen = bytes(engine.hidden(self.box, record, other))
            self.memories[other] = memory.observe(move if other == seat else None, told, seen)
        return None


def assert_stands_at(node: Node, game: Game, record: Record) -> None:
    """Record, turn and moves of a node where no luck falls."""
    turn = next(iter(engine.acting(record)), None)
    assert node.pending is None
    assert node.position.state == bytes(node.position.record) == bytes(record)
    assert node.turn == turn
    assert node.moves == ([] if turn is None else engine.legal_moves(game.box.record, record, turn, game.capacity))


def guessed(plain: Plain, seat: int, seed: int) -> Record:
    record, luck = engine.hidden(plain.box, plain.record, seat), Luck()
    seed_luck(luck, seed)
    contract.guess(plain.box, record, luck, seat)
    return record


@pytest.mark.parametrize("game", plain_games(), ids=label)
def test_compiled_tree_equals_interpreted_rules(game: Game) -> None:
    for seed in range(DOSE):
        rng = random.Random(seed)
        tree, plain = Tree(game), Plain(game)
        node = follow(tree, tree.root, plain, NOBODY, DEAL, rng)
        ply = 0
        while node.turn is not None:
            if ply % 16 == 0:
                assert_samples_alike(tree, node, plain, rng)
            seat, move = node.turn, rng.choice(node.moves)
            node = follow(tree, tree.child(node, move), plain, seat, move, rng)
            ply += 1
        out: Any = engine.scored(plain.box, plain.record)
        ranks = [out.rank[seat] for seat in range(game.players)]
        assert tree.returns(node) == returns(ranks, game.fair_seats)
        for function in (tree._step, tree._see, tree._judge):
            assert len(function.signatures) == 1, "compiled more than once: each time costs up to a minute"


def follow(tree: Tree, node: Node, plain: Plain, seat: int, move: int, rng: random.Random) -> Node:
    """From the node after a decision to where all its luck has fallen, both ways."""
    before, known = node.position.state, bytes(plain.record)
    script: tuple[int, ...] = ()
    while (waits := plain.play(seat, move, script)) is not None:
        assert node.pending is not None
        assert (node.pending.seat, node.pending.move) == (seat, move)
        assert (node.pending.script, node.pending.outcomes) == waits
        assert (node.turn, node.moves) == (None, [])
        assert node.position.state == before == known
        outcome = rng.randrange(node.pending.outcomes)
        script = (*node.pending.script, outcome)
        node = tree.child(node, outcome)
    assert_stands_at(node, tree.game, plain.record)
    if rng.random() < 0.2:  # asked now and then, memories are worked out from several positions behind
        for other in range(tree.game.players):
            assert node.position.memory(other) == plain.memories[other]
    return node


def assert_samples_alike(tree: Tree, node: Node, plain: Plain, rng: random.Random) -> None:
    for seat in range(tree.game.players):
        seed = rng.getrandbits(128)
        sample = tree.resample(node, seat, seed)
        assert_stands_at(sample, tree.game, guessed(plain, seat, seed))
        assert sample.position.memory(seat) == plain.memories[seat]
        other = (seat + 1) % tree.game.players
        if other != seat:
            seen = bytes(engine.hidden(plain.box, sample.position.record, other))
            assert sample.position.memory(other) == Memory.blank(other).observe(None, (), seen)


def test_what_is_not_open_is_refused() -> None:
    """By the tree, as compiled rules would play it: the deal and the guess are moves below 0 to them."""
    tree = Tree(definitions()["dual-powers"].choose())
    node = tree.root
    while node.pending is not None:
        for action in (-1, node.pending.outcomes):
            with pytest.raises(SamizdatError, match="no outcome"):
                tree.child(node, action)
        node = tree.child(node, 0)
    for action in (-2, -1, tree.game.capacity, *set(range(tree.game.capacity)) - set(node.moves)):
        with pytest.raises(SamizdatError, match="not open"):
            tree.child(node, action)
