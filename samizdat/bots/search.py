"""Information-set Monte-Carlo tree search: one function for every game, compiled with its rules.

Before the first simulation it looks at what each open decision brings at once (see `at_once.py`).
Each simulation guesses a world from what the searching seat sees (and suspects, if the game's lore says so), walks
down the tree (every seat choosing by what *it* would know), adds one node, plays on by the prior until the game is
over or the lore's horizon is reached, and credits each seat on the way with its share of the win. More than two
seats: each looks after itself (max-n).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from samizdat.bots.asking_lore import choose_by_prior, evaluate, prior, quiet, settle, suspect
from samizdat.bots.at_once import OPEN, WORLDS, at_once
from samizdat.bots.search_tree import DEEPEST, best_edge, grow, key_of, learn, mixed_edge, regret, scatter, slot_of
from samizdat.kernel import loops
from samizdat.kernel.bits import lowest
from samizdat.kernel.contract import guess, hide, legal, play, seats_to_act
from samizdat.kernel.loops import begin_game
from samizdat.kernel.lores import EXPLORE
from samizdat.kernel.luck import Dice, Luck, begin
from samizdat.kernel.records import Record
from samizdat.kernel.rule import inlined, rule
from samizdat.kernel.scoring import MOST_SEATS, Score

LONGEST_PLAYOUT = 20_000  # decisions; no sensible game comes near


class Desk(NamedTuple):
    """Where the simulations of one bot are played: a world, what a seat sees of it, and room to note the way."""

    root: npt.NDArray[Any]
    world: npt.NDArray[Any]
    sight: npt.NDArray[Any]
    root_words: npt.NDArray[np.int64]  # the same memory as 64-bit words
    world_words: npt.NDArray[np.int64]
    sight_words: npt.NDArray[np.int64]
    luck: npt.NDArray[Any]
    dice: npt.NDArray[Any]
    result: npt.NDArray[Any]
    moves: npt.NDArray[np.int16]
    weights: npt.NDArray[np.float64]
    out: npt.NDArray[np.float64]  # each seat's share
    memory: npt.NDArray[np.int64]  # by seat: a hash of its decisions on the way, where the search keeps it
    way: npt.NDArray[np.int64]  # (node, edge) of each choice
    first_moves: npt.NDArray[np.int16]  # what is open at the root
    known: npt.NDArray[np.float64]  # what each of these brings at once; OPEN: that remains to be seen


class Style(NamedTuple):
    """How to search. Numbers only: compiled code is made once for all of them."""

    seat: int  # who searches, and commits first where several may
    explore: float = EXPLORE  # weight of PUCT's bonus
    stray: float = 0.15  # how often a mixed choice is made evenly
    horizon: int = 0  # decisions of a playout before it is evaluated at the next quiet point; 0: to the end
    hidden: int = 1  # 0: nothing is ever hidden, so nothing is guessed
    mix: int = 0  # 1: mix everywhere, as poker needs
    recall: int = 0  # 1: a seat also remembers its decisions on the way


def set_up(state: type[Record], capacity: int) -> Desk:
    def room() -> tuple[npt.NDArray[Any], npt.NDArray[np.int64]]:
        words = np.zeros(-(-state.dtype.itemsize // 8), np.int64)
        return words.view(np.uint8)[: state.dtype.itemsize].view(state.dtype), words

    (root, root_words), (world, world_words), (sight, sight_words) = room(), room(), room()
    return Desk(
        root, world, sight, root_words, world_words, sight_words,
        np.zeros(1, Luck.dtype), np.zeros(1, Dice.dtype), np.zeros(1, Score.dtype),
        np.zeros(capacity, np.int16), np.zeros(capacity, np.float64), np.zeros(MOST_SEATS, np.float64),
        np.zeros(MOST_SEATS, np.int64), np.zeros((DEEPEST, 2), np.int64),
        np.zeros(capacity, np.int16), np.full(capacity, OPEN),
    )  # fmt: skip


@rule
def knows(box: Any, words: Any, sight: Any, sight_words: Any, seat: int, memory: int, hidden: int) -> int:
    """The key of what a seat knows in the world as it is."""
    if hidden == 0:
        return key_of(words, seat, memory)
    copy_words(sight_words, words)
    hide(box, sight[0], seat)
    return key_of(sight_words, seat, memory)


def playout(lore: Any, box: Any, desk: Any, style: Any, ply: int) -> None:
    """Play on from the world on the desk; what that brings stands in desk.out. Compiled code has the same choice."""
    if lore.says_nothing:
        random_playout(lore, box, desk, style, ply)
    else:
        guided_playout(lore, box, desk, style, ply)


@rule
def random_playout(lore: Any, box: Any, desk: Any, style: Any, ply: int) -> None:
    """At random to the end."""
    loops.playout(box, desk.world[0], desk.luck[0], desk.dice[0], desk.moves, LONGEST_PLAYOUT)
    settle(lore, box, desk.world[0], desk.result[0], desk.out)


@rule
def guided_playout(lore: Any, box: Any, desk: Any, style: Any, ply: int) -> None:
    """By the prior to the end, or to a quiet point beyond the horizon."""
    s, luck, dice = desk.world[0], desk.luck[0], desk.dice[0]
    last = ply + style.horizon if style.horizon > 0 else LONGEST_PLAYOUT
    seats = seats_to_act(s)
    while seats != 0:
        if ply >= last and quiet(lore, box, s):
            evaluate(lore, box, s, desk.out)
            return
        ply += 1
        seat = lowest(seats)
        n = legal(box, s, seat, desk.moves)
        place = choose_by_prior(lore, box, s, seat, desk.moves, n, desk.weights, dice) if n > 1 else 0
        begin(luck, ply)
        play(box, s, luck, seat, desk.moves[place])
        seats = seats_to_act(s)
    settle(lore, box, s, desk.result[0], desk.out)


@rule
def descend(lore: Any, box: Any, desk: Any, tree: Any, style: Any) -> int:
    """Down the tree to a node that was not there yet, and a playout from it; how many choices were made on the way.

    Where several seats may commit at once, the searching one does so first: their order does not matter.
    """
    nodes, edges, mixes = tree.nodes, tree.edges, tree.mixes
    world, words, sight, sight_words = desk.world, desk.world_words, desk.sight, desk.sight_words
    moves, memory, way = desk.moves, desk.memory, desk.way
    s, luck, dice = world[0], desk.luck[0], desk.dice[0]
    depth, ply = 0, 0
    while depth < DEEPEST:
        seats = seats_to_act(s)
        if seats == 0:
            break
        seat = style.seat if (seats >> style.seat) & 1 else lowest(seats)
        key = knows(box, words, sight, sight_words, seat, memory[seat], style.hidden)
        node = slot_of(nodes, key)
        at = nodes[node]
        grown = at.n == 0
        ply += 1
        if grown:
            n = legal(box, s, seat, moves)
            if n == 1:
                begin(luck, ply)
                play(box, s, luck, seat, moves[0])
                continue
            prior(lore, box, s, seat, moves, n, desk.weights)
            mixed = 1 if style.mix == 1 or seats & (seats - 1) != 0 else 0
            if not grow(tree, node, key, seat, mixed, moves, n, desk.weights):
                break
        if at.mixed == 1:
            edge = mixed_edge(at, edges, mixes, style.stray, dice)
        else:
            edge = best_edge(at, edges, style.explore)
        move = edges[edge].move
        if style.recall == 1:
            memory[seat] = scatter(key, move)
        way[depth, 0] = node
        way[depth, 1] = edge
        depth += 1
        begin(luck, ply)
        play(box, s, luck, seat, move)
        if grown:
            break
    playout(lore, box, desk, style, ply)
    return depth


@rule
def simulation(lore: Any, box: Any, desk: Any, tree: Any, style: Any) -> None:
    """One simulation in the world on the desk, from which every node on its way learns."""
    nodes, edges, mixes, way, out = tree.nodes, tree.edges, tree.mixes, desk.way, desk.out
    for seat in range(MOST_SEATS):
        desk.memory[seat] = 0
    depth = descend(lore, box, desk, tree, style)
    for i in range(depth):
        at = nodes[way[i, 0]]
        edge = way[i, 1]
        if at.mixed == 1:
            regret(at, edges, mixes, edge, out[at.seat], style.stray)
        learn(at, edges[edge], out[at.seat])


@rule
def copy_words(to: Any, words: Any) -> None:
    for i in range(len(words)):
        to[i] = words[i]


@inlined
def imagine(lore: Any, box: Any, desk: Any, style: Any, seed: int, number: int) -> None:
    """A world as the searching seat may hold it possible, on the desk."""
    begin_game(desk.luck[0], desk.dice[0], seed, number)
    copy_words(desk.world_words, desk.root_words)
    if style.hidden == 1:
        guess(box, desk.world[0], desk.luck[0], style.seat)
        suspect(lore, box, desk.world[0], desk.dice[0], style.seat)


@rule
def foresee(lore: Any, box: Any, desk: Any, style: Any, seed: int) -> None:
    """What each open decision brings at once, into desk.known. Its worlds are others than those of simulations, which
    are numbered from 0."""
    known, moves = desk.known, desk.first_moves
    n = legal(box, desk.root[0], style.seat, moves)
    left = n
    for world in range(WORLDS):
        if left == 0:
            return
        imagine(lore, box, desk, style, seed, -1 - world)
        copy_words(desk.sight_words, desk.world_words)
        left = 0
        for i in range(n):
            if world > 0 and known[i] == OPEN:
                continue
            copy_words(desk.world_words, desk.sight_words)
            share = at_once(lore, box, desk.world[0], desk.luck[0], desk.result[0], desk.out, style.seat, moves[i])
            known[i] = share if world == 0 or share == known[i] else OPEN
            left += 0 if known[i] == OPEN else 1


def search(lore: Any, boxes: Any, desk: Any, tree: Any, style: Any, seed: int, first: int, count: int) -> int:
    """Simulations `first` to `first + count` from the sight in desk.root; returns the node of that sight."""
    box = boxes[0]
    if first == 0:
        foresee(lore, box, desk, style, seed)
    for number in range(first, first + count):
        imagine(lore, box, desk, style, seed, number)
        simulation(lore, box, desk, tree, style)
    copy_words(desk.world_words, desk.root_words)
    key = knows(box, desk.world_words, desk.sight, desk.sight_words, style.seat, 0, style.hidden)
    return slot_of(tree.nodes, key)
