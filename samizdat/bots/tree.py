"""The tree of a search: one node for each thing a seat may know when it decides, in arrays of a fixed size.

A node is found by a 64-bit hash of what its seat sees there. What is open to a seat follows from what it sees (a law
that every game is held to), so all guessed worlds that meet in a node offer the same decisions: its edges.
Where one seat decides, the search prefers the edge that promises most (PUCT). Where several decide at once it mixes:
regret matching+ over sampled values, with each edge's mean as a baseline against noise, and play from the average
of all strategies that were tried, later ones counting more.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from samizdat.kernel.luck import WORD, Dice, pick
from samizdat.kernel.rule import rule

NODES = 1 << 17
EDGES = 1 << 20
DEEPEST = 128  # nodes on the way of one simulation
ABSENT = -1

NODE = np.dtype(
    [
        ("key", np.int64),  # hash of what the seat knows here
        ("sum", np.float64),  # what the seat got, added up
        ("first", np.int32),  # its first edge
        ("visits", np.int32),
        ("n", np.int16),  # edges
        ("seat", np.int8),
        ("mixed", np.int8),  # others decide at the same time
    ],
    align=True,
)
EDGE = np.dtype(  # what every visit reads: four edges to a line of the cache
    [
        ("sum", np.float64),
        ("visits", np.int32),
        ("weight", np.float32),  # of the prior; a node's weights add up to 1
    ],
    align=True,
)
MIX = np.dtype(  # the rest of an edge
    [
        ("played", np.float64),  # how much of it the strategies so far had, later ones counting more
        ("regret", np.float32),
        ("move", np.int16),
    ],
    align=True,
)

HASH_A = -7046029254386353131  # odd; the golden ratio in 64 bits
HASH_B = -4417276706812531889
MOST_IMPORTANCE = 32.0  # no single surprise counts for more than this many


class Tree(NamedTuple):
    """Memory of one bot: about 37 MB at the default size, and never more."""

    nodes: npt.NDArray[Any]
    edges: npt.NDArray[Any]
    mixes: npt.NDArray[Any]
    table: npt.NDArray[np.int32]  # open addressing: a node's number plus 1, or 0
    used: npt.NDArray[np.int64]  # nodes and edges so far


def plant(nodes: int = NODES, edges: int = EDGES) -> Tree:
    """An empty tree; the number of nodes must be a power of two."""
    return Tree(
        np.zeros(nodes, NODE), np.zeros(edges, EDGE), np.zeros(edges, MIX),
        np.zeros(2 * nodes, np.int32), np.zeros(2, np.int64),
    )  # fmt: skip


def clear(tree: Tree) -> None:
    tree.table[:] = 0
    tree.used[:] = 0


def half_full(tree: Tree) -> bool:
    return bool(2 * tree.used[0] > len(tree.nodes) or 2 * tree.used[1] > len(tree.edges))


@rule
def scatter(h: int, word: int) -> int:
    h = (h ^ word) * HASH_A
    return h ^ (h >> 29)


@rule
def key_of(words: Any, seat: int, memory: int) -> int:
    """A hash of a hidden record, of whose it is, and of what the seat remembers besides."""
    a, b = HASH_A + seat, memory
    for i in range(0, len(words) - 1, 2):  # two chains: the processor works on both at once
        a = (a ^ words[i]) * HASH_A
        b = (b ^ words[i + 1]) * HASH_B
        a ^= a >> 29
        b ^= b >> 31
    if len(words) & 1:
        a = scatter(a, words[len(words) - 1])
    return scatter(scatter(a, b), 0)


@rule
def find(tree: Any, key: int) -> int:
    """The node of that key, or ABSENT."""
    last = len(tree.table) - 1
    place = key & last
    while tree.table[place] != 0:
        node = tree.table[place] - 1
        if tree.nodes[node].key == key:
            return node
        place = (place + 1) & last
    return ABSENT


@rule
def grow(tree: Any, key: int, seat: int, mixed: int, moves: Any, n: int, weights: Any) -> int:
    """A new node, or ABSENT if the tree is full."""
    node = tree.used[0]
    first = tree.used[1]
    if node == len(tree.nodes) or first + n > len(tree.edges):
        return ABSENT
    tree.used[0] += 1
    tree.used[1] += n
    last = len(tree.table) - 1
    place = key & last
    while tree.table[place] != 0:
        place = (place + 1) & last
    tree.table[place] = node + 1
    new = tree.nodes[node]
    new.key = key
    new.sum = 0.0
    new.first = first
    new.visits = 0
    new.n = n
    new.seat = seat
    new.mixed = mixed
    total = 0.0
    for i in range(n):
        total += weights[i]
    for i in range(n):
        edge = tree.edges[first + i]
        edge.sum = 0.0
        edge.visits = 0
        edge.weight = weights[i] / total
        mix = tree.mixes[first + i]
        mix.played = 0.0
        mix.regret = 0.0
        mix.move = moves[i]
    return node


@rule
def best_edge(tree: Any, node: int, explore: float) -> int:
    """PUCT: what it brought so far, and a bonus for what was tried less than the prior would; untried ones count as
    the node does."""
    at = tree.nodes[node]
    bonus = explore * math.sqrt(float(at.visits))
    fresh = at.sum / at.visits if at.visits > 0 else 0.0
    best = at.first
    top = -1.0e9
    for e in range(at.first, at.first + at.n):
        edge = tree.edges[e]
        worth = edge.sum / edge.visits if edge.visits > 0 else fresh
        worth += bonus * edge.weight / (1 + edge.visits)
        if worth > top:
            top = worth
            best = e
    return best


@rule
def regrets(tree: Any, node: int) -> float:
    at = tree.nodes[node]
    total = 0.0
    for e in range(at.first, at.first + at.n):
        total += tree.mixes[e].regret
    return total


@rule
def share_of(tree: Any, edge: int, total: float) -> float:
    """Regret matching: an edge's share of the current strategy; the prior's while there is nothing to regret."""
    return tree.mixes[edge].regret / total if total > 0.0 else tree.edges[edge].weight


@rule
def mixed_edge(tree: Any, node: int, stray: float, dice: Dice) -> int:
    """Drawn from the current strategy, straying from it now and then."""
    at = tree.nodes[node]
    if pick(dice, WORD) < stray * WORD:
        return at.first + pick(dice, at.n)
    total = regrets(tree, node)
    drawn = pick(dice, WORD) / WORD
    for e in range(at.first, at.first + at.n):
        drawn -= share_of(tree, e, total)
        if drawn < 0.0:
            return e
    return at.first + at.n - 1


@rule
def learn(tree: Any, node: int, chosen: int, worth: float) -> None:
    """What a simulation brought the seat of a node that it came through."""
    at = tree.nodes[node]
    edge = tree.edges[chosen]
    at.visits += 1
    at.sum += worth
    edge.visits += 1
    edge.sum += worth


@rule
def mean_of(edge: Any, fresh: float) -> float:
    return edge.sum / edge.visits if edge.visits > 0 else fresh


@rule
def regret(tree: Any, node: int, chosen: int, worth: float, stray: float) -> None:
    """Regret matching+ with a baseline: before the values of this simulation are added by `learn`."""
    at = tree.nodes[node]
    total = regrets(tree, node)
    fresh = at.sum / at.visits if at.visits > 0 else worth
    share = share_of(tree, chosen, total)
    likely = (1.0 - stray) * share + stray / at.n
    surprise = (worth - mean_of(tree.edges[chosen], fresh)) * min(1.0 / likely, MOST_IMPORTANCE)
    mean = share * surprise
    for e in range(at.first, at.first + at.n):
        mean += share_of(tree, e, total) * mean_of(tree.edges[e], fresh)
    for e in range(at.first, at.first + at.n):
        mix = tree.mixes[e]
        gain = mean_of(tree.edges[e], fresh) - mean
        if e == chosen:
            gain += surprise
        mix.played += share_of(tree, e, total) * (at.visits + 1)
        mix.regret = max(0.0, mix.regret + gain)
