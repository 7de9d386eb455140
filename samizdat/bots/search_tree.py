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

SLOTS = 1 << 18  # for nodes; at most half of them are ever taken
EDGES = 1 << 20
DEEPEST = 128  # nodes on the way of one simulation

NODE = np.dtype(
    [
        ("key", np.int64),  # hash of what the seat knows here
        ("sum", np.float64),  # what the seat got, added up
        ("first", np.int32),  # its first edge
        ("visits", np.int32),
        ("n", np.int16),  # edges; 0 in a free slot
        ("seat", np.int8),
        ("mixed", np.int8),  # others decide at the same time
    ],
    align=True,
)
EDGE = np.dtype(  # what every visit reads: four edges to a line of the cache, and nothing left to divide
    [
        ("mean", np.float32),  # what it brought the seat
        ("pull", np.float32),  # weight of the prior / (1 + visits); a node's weights add up to 1
        ("visits", np.int32),
        ("move", np.int16),
    ],
    align=True,
)
MIX = np.dtype(  # the rest of an edge, where its node is mixed
    [
        ("played", np.float64),  # how much of it the strategies so far had, later ones counting more
        ("regret", np.float64),
    ],
    align=True,
)

HASH_A = -7046029254386353131  # odd; the golden ratio in 64 bits
HASH_B = -4417276706812531889
TRYING = 100.0  # visits until a mixed node strays markedly less
MOST_IMPORTANCE = 32.0  # no single surprise counts for more than this many


class SearchTree(NamedTuple):
    """Memory of one bot: 40 MB at the default size, and never more."""

    nodes: npt.NDArray[Any]  # a hash table with open addressing
    edges: npt.NDArray[Any]
    mixes: npt.NDArray[Any]
    used: npt.NDArray[np.int64]  # nodes and edges so far


def plant(slots: int = SLOTS, edges: int = EDGES) -> SearchTree:
    """An empty tree; the number of slots must be a power of two, and at least two."""
    return SearchTree(np.zeros(slots, NODE), np.zeros(edges, EDGE), np.zeros(edges, MIX), np.zeros(2, np.int64))


def clear(tree: SearchTree) -> None:
    tree.nodes["n"] = 0
    tree.used[:] = 0


def half_full(tree: SearchTree) -> bool:
    return bool(4 * tree.used[0] > len(tree.nodes) or 2 * tree.used[1] > len(tree.edges))


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
def slot_of(nodes: Any, key: int) -> int:
    """The node of that key, or the free slot where it belongs."""
    last = len(nodes) - 1
    slot = key & last
    while nodes[slot].n != 0 and nodes[slot].key != key:
        slot = (slot + 1) & last
    return slot


@rule
def grow(tree: Any, slot: int, key: int, seat: int, mixed: int, moves: Any, n: int, weights: Any) -> bool:
    """A new node in a free slot; False if the tree is full."""
    first = tree.used[1]
    if 2 * tree.used[0] >= len(tree.nodes) or first + n > len(tree.edges):
        return False
    tree.used[0] += 1
    tree.used[1] += n
    new = tree.nodes[slot]
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
        edge.mean = 0.0
        edge.pull = weights[i] / total
        edge.visits = 0
        edge.move = moves[i]
    if mixed == 1:
        for i in range(n):
            mix = tree.mixes[first + i]
            mix.played = 0.0
            mix.regret = 0.0
    return True


@rule
def mean_of(edge: Any, fresh: float) -> float:
    """What an edge brought; `fresh` if it was not tried yet."""
    return float(edge.mean) if edge.visits > 0 else fresh


# What follows takes the arrays one by one: handing the whole tree over costs more than these do.


@rule
def best_edge(at: Any, edges: Any, explore: float) -> int:
    """PUCT: what it brought so far, and a bonus for what was tried less than the prior would; untried ones count as
    the node does."""
    bonus = explore * math.sqrt(float(at.visits))
    fresh = at.sum / at.visits if at.visits > 0 else 0.0
    best = int(at.first)
    top = -1.0e9
    for e in range(at.first, at.first + at.n):
        worth = bonus * edges[e].pull + mean_of(edges[e], fresh)
        if worth > top:
            top = worth
            best = e
    return best


@rule
def regrets(at: Any, mixes: Any) -> float:
    total = 0.0
    for e in range(at.first, at.first + at.n):
        total += mixes[e].regret
    return total


@rule
def share_of(edges: Any, mixes: Any, edge: int, total: float) -> float:
    """Regret matching: an edge's share of the current strategy; the prior's while there is nothing to regret."""
    if total > 0.0:
        return float(mixes[edge].regret / total)
    return float(edges[edge].pull * (1 + edges[edge].visits))


@rule
def straying(at: Any, stray: float) -> float:
    """How often a choice is made evenly: less and less, since others take it for what the seat really plays."""
    return stray * math.sqrt(TRYING / (TRYING + float(at.visits)))


@rule
def mixed_edge(at: Any, edges: Any, mixes: Any, stray: float, dice: Dice) -> int:
    """Drawn from the current strategy, straying from it now and then."""
    first = int(at.first)
    if pick(dice, WORD) < straying(at, stray) * WORD:
        return first + pick(dice, at.n)
    total = regrets(at, mixes)
    drawn = pick(dice, WORD) / WORD
    for e in range(first, first + at.n):
        drawn -= share_of(edges, mixes, e, total)
        if drawn < 0.0:
            return e
    return first + int(at.n) - 1


@rule
def learn(at: Any, edge: Any, worth: float) -> None:
    """What a simulation brought the seat of a node that it came through."""
    at.visits += 1
    at.sum += worth
    edge.visits += 1
    edge.mean += (worth - edge.mean) / edge.visits
    edge.pull *= edge.visits / (edge.visits + 1)


@rule
def regret(at: Any, edges: Any, mixes: Any, chosen: int, worth: float, stray: float) -> None:
    """Regret matching+ with a baseline: before the values of this simulation are added by `learn`."""
    total = regrets(at, mixes)
    fresh = at.sum / at.visits if at.visits > 0 else worth
    share = share_of(edges, mixes, chosen, total)
    odd = straying(at, stray)
    likely = (1.0 - odd) * share + odd / at.n
    surprise = (worth - mean_of(edges[chosen], fresh)) * min(1.0 / likely, MOST_IMPORTANCE)
    mean = share * surprise
    for e in range(at.first, at.first + at.n):
        mean += share_of(edges, mixes, e, total) * mean_of(edges[e], fresh)
    for e in range(at.first, at.first + at.n):
        gain = mean_of(edges[e], fresh) - mean
        if e == chosen:
            gain += surprise
        mixes[e].played += share_of(edges, mixes, e, total) * (at.visits + 1)
        mixes[e].regret = max(0.0, mixes[e].regret + gain)
