"""Compile every game's loops once, a process for each game, before the tests run on all cores.

python -m tests.warm
"""

from __future__ import annotations

import multiprocessing
import time

import numpy as np

from samizdat import bots
from samizdat.kernel.game import definition, definitions
from samizdat.kernel.luck import Dice, Luck
from samizdat.kernel.scoring import Score
from samizdat.lab.gymnasium import VectorEnv
from samizdat.lab.tree import Tree


def warm(name: str) -> tuple[str, float]:
    started = time.perf_counter()
    game = definition(name).choose()
    native = game.definition.native
    box, blank = game.box.record.array, game.blank().array
    state = game.definition.state.dtype
    lucks, dices = np.zeros(2, Luck.dtype), np.zeros(2, Dice.dtype)
    for lawful in (False, True):
        loop = native.simulate_lawful if lawful else native.simulate
        last = (np.zeros(3, np.int64),) if lawful else ()
        results = (np.zeros(1, state), np.zeros(1, Score.dtype), np.zeros(1, np.int64))
        loop(box, blank, *results, lucks, dices, 0, 0, game.moves_buffer(), game.longest, *last)
    states = np.zeros(5, state)
    native.trace(box, states, lucks, dices, 0, 0, game.moves_buffer(), np.zeros((5, 3), np.int64))
    raw = states.view(np.uint8).reshape(5, state.itemsize)
    native.check_secrets(
        box, states, raw, lucks, dices, 0, 0, 0, game.players, game.moves_buffer(rows=2), game.longest,
        np.zeros(4, np.int64),
    )  # fmt: skip
    levels = 4
    native.perft(
        box, np.zeros(levels, state), lucks, -1, game.moves_buffer(rows=levels), 0, np.zeros(levels, np.int64),
        np.zeros(levels, np.int64),
    )  # fmt: skip
    VectorEnv(name, 2).reset(seed=0)
    tree = Tree(game)
    tree.seen(tree.root.position.state, 0)
    tree.returns(tree.root)
    bots.warm(game)
    return name, time.perf_counter() - started


def longest_first() -> list[str]:
    """The games by the size of their rules: whichever takes longest must not begin last."""

    def size(name: str) -> int:
        return sum(file.stat().st_size for file in definitions()[name].folder.glob("rules*.py"))

    return sorted(definitions(), key=size, reverse=True)


def main() -> None:
    with multiprocessing.get_context("spawn").Pool(min(len(definitions()), multiprocessing.cpu_count())) as pool:
        for name, seconds in pool.imap_unordered(warm, longest_first()):
            print(f"{name}: compiled or loaded in {seconds:.1f} s", flush=True)


if __name__ == "__main__":
    main()
