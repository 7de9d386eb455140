"""Luck: everything that enters a game from outside its record.

Every random outcome of every game is one call, `draw(luck, n)`: one of `n` equally likely things. The draws
come from a counter-based generator (Threefry-4x32 with 20 rounds) keyed by the match's 128-bit secret seed
and counted by ply, so the same seed and moves give the same game on every engine, and a copied state tells
nothing about the future.

There are two kinds of luck. `Luck` is the bare generator, for simulation. `RecordingLuck` can be given its first
outcomes, notes what was asked, and collects what the rules `tell`. Rules do not know the difference; compiled code
for bare luck contains no trace of telling.
"""

from __future__ import annotations

import secrets
from typing import Any

from samizdat.kernel.records import Ints, Record, grid, scalar
from samizdat.kernel.rule import rule
from samizdat.kernel.scoring import MOST_SEATS

SEED_BITS = 128
WORD = 0xFFFFFFFF
HALF = 1 << 31
WIDE = 1 << 62

SCRIPT = 512  # outcomes that can be scripted or noted for one decision: four shuffles of the largest deck
TOLD = 512  # things told during one decision
TOLD_ARGS = 6

UNSEATED = 1 << MOST_SEATS  # an audience is a bit set of seats; this bit is everyone without one
EVERYONE = 2 * UNSEATED - 1


class Luck(Record):
    """The bare generator: a key, where we are, and the words not yet used."""

    key: Ints = grid(4, 0, WORD, "the 128-bit seed in four words")
    ply: int = scalar(0, WORD, "decisions played before this one; the deal is ply 0")
    block: int = scalar(0, WORD, "blocks of four words made in this ply")
    left: int = scalar(0, 4, "words of the current block not yet used")
    words: Ints = grid(4, 0, WORD, "the current block")


class RecordingLuck(Luck):
    """Luck with scripted outcomes, a note of what was asked, and what was told."""

    scripted: int = scalar(0, SCRIPT, "outcomes in the script")
    used: int = scalar(0, SCRIPT, "outcomes of the script already used")
    asked: int = scalar(0, SCRIPT, "draws noted in this ply")
    revealed: int = scalar(0, 1, "something hidden was opened to a seat in this ply")
    told: int = scalar(0, TOLD, "things told in this ply")
    script: Ints = grid(SCRIPT, 0, WIDE, "outcomes to use first")
    possible: Ints = grid(SCRIPT, 0, WIDE, "for each draw: how many outcomes there were")
    came: Ints = grid(SCRIPT, 0, WIDE, "for each draw: which one came")
    audience: Ints = grid(TOLD, 0, EVERYONE, "who hears it")
    event: Ints = grid(TOLD, 0, 255, "what happened")
    args: Ints = grid((TOLD, TOLD_ARGS), -(1 << 31), (1 << 31) - 1, "to whom, where, how many")


@rule
def rotate(x: int, by: int) -> int:
    return ((x << by) | (x >> (32 - by))) & WORD


@rule
def threefry(luck: Luck, c0: int, c1: int, c2: int, c3: int) -> None:
    """Encrypt the counter with the key: four fresh words (Salmon et al. 2011, Threefry-4x32-20)."""
    k0 = luck.key[0]
    k1 = luck.key[1]
    k2 = luck.key[2]
    k3 = luck.key[3]
    k4 = 0x1BD11BDA ^ k0 ^ k1 ^ k2 ^ k3
    x0 = (c0 + k0) & WORD
    x1 = (c1 + k1) & WORD
    x2 = (c2 + k2) & WORD
    x3 = (c3 + k3) & WORD
    for four in range(1, 6):
        if four % 2 == 1:
            a, b, c, d, e, f, g, h = 10, 26, 11, 21, 13, 27, 23, 5
        else:
            a, b, c, d, e, f, g, h = 6, 20, 17, 11, 25, 10, 18, 20
        x0 = (x0 + x1) & WORD
        x1 = rotate(x1, a) ^ x0
        x2 = (x2 + x3) & WORD
        x3 = rotate(x3, b) ^ x2
        x0 = (x0 + x3) & WORD
        x3 = rotate(x3, c) ^ x0
        x2 = (x2 + x1) & WORD
        x1 = rotate(x1, d) ^ x2
        x0 = (x0 + x1) & WORD
        x1 = rotate(x1, e) ^ x0
        x2 = (x2 + x3) & WORD
        x3 = rotate(x3, f) ^ x2
        x0 = (x0 + x3) & WORD
        x3 = rotate(x3, g) ^ x0
        x2 = (x2 + x1) & WORD
        x1 = rotate(x1, h) ^ x2
        k0, k1, k2, k3, k4 = k1, k2, k3, k4, k0
        x0 = (x0 + k0) & WORD
        x1 = (x1 + k1) & WORD
        x2 = (x2 + k2) & WORD
        x3 = (x3 + k3 + four) & WORD
    luck.words[0] = x0
    luck.words[1] = x1
    luck.words[2] = x2
    luck.words[3] = x3


@rule
def word(luck: Luck) -> int:
    """The next 32 random bits of this ply."""
    if luck.left == 0:
        threefry(luck, luck.ply, luck.block, 0, 0)
        luck.block += 1
        luck.left = 4
    luck.left -= 1
    return luck.words[3 - luck.left]


@rule
def draw_bare(luck: Luck, n: int) -> int:
    """One of n equally likely outcomes, exactly: what would favour some of them is thrown away."""
    if n <= 1:
        return 0
    if n <= HALF:
        product = word(luck) * n
        if (product & WORD) < n:
            threshold = (WORD + 1 - n) % n
            while (product & WORD) < threshold:
                product = word(luck) * n
        return product >> 32
    limit = WIDE - WIDE % n
    value = limit
    while value >= limit:
        value = ((word(luck) >> 1) << 31) | (word(luck) >> 1)
    return value % n


@rule
def draw_recorded(luck: RecordingLuck, n: int) -> int:
    """The next scripted outcome, or else a random one; either way it is noted.

    A script that asks for what cannot come is spent on the spot: `asked` then tells a script's author
    how many outcomes there were.
    """
    if luck.used < luck.scripted:
        outcome = luck.script[luck.used]
        luck.used += 1
        if outcome >= n:
            outcome = 0
    else:
        outcome = draw_bare(luck, n)
    if luck.asked < SCRIPT:
        luck.possible[luck.asked] = n
        luck.came[luck.asked] = outcome
        luck.asked += 1
    return outcome


def draw(luck: Luck, n: int) -> int:
    """One of `n` equally likely things (0 to n-1). Compiled code picks the kind of luck by its type."""
    if isinstance(luck, RecordingLuck):
        return draw_recorded(luck, n)
    return draw_bare(luck, n)


@rule
def tell_recorded(
    luck: RecordingLuck, audience: int, event: int, a: int, b: int, c: int, d: int, e: int, f: int
) -> None:
    if luck.told < TOLD:
        luck.audience[luck.told] = audience
        luck.event[luck.told] = event
        luck.args[luck.told, 0] = a
        luck.args[luck.told, 1] = b
        luck.args[luck.told, 2] = c
        luck.args[luck.told, 3] = d
        luck.args[luck.told, 4] = e
        luck.args[luck.told, 5] = f
        luck.told += 1


def tell(
    luck: Luck, audience: int, event: int, a: int = 0, b: int = 0, c: int = 0, d: int = 0, e: int = 0, f: int = 0
) -> None:
    """Say what just happened, to a bit set of seats. Bare luck does not listen."""
    if isinstance(luck, RecordingLuck):
        tell_recorded(luck, audience, event, a, b, c, d, e, f)


@rule
def reveal_recorded(luck: RecordingLuck) -> None:
    luck.revealed = 1


def reveal(luck: Luck) -> None:
    """Mark this decision as one that opened something hidden: it can no longer be taken back."""
    if isinstance(luck, RecordingLuck):
        reveal_recorded(luck)


@rule
def begin(luck: Luck, ply: int) -> None:
    """Start the luck of one ply: the deal is ply 0, the first decision ply 1."""
    luck.ply = ply
    luck.block = 0
    luck.left = 0


class Dice(Record):
    """A fast generator for random play and random tests; never for a game's own luck."""

    at: int = scalar(0, WORD, "where the stream is")
    stride: int = scalar(0, WORD, "how far it goes for each number: odd, and the stream's own")


@rule
def mix(x: int) -> int:
    """Scatter 32 bits (a bijection with near-ideal avalanche); its products stay below 2**63."""
    x = ((x ^ (x >> 16)) * 0x21F0AAAD) & WORD
    x = ((x ^ (x >> 15)) * 0x735A2D97) & WORD
    return x ^ (x >> 15)


@rule
def roll(at: int, stride: int) -> int:
    """The next place of a stream. Only an addition lies between two numbers: the processor mixes several at once."""
    return (at + stride) & WORD


@rule
def below(at: int, n: int) -> int:
    """The number below n at a place of a stream; its bias is below n / 2**32."""
    return (mix(at) * n) >> 32


@rule
def pick(dice: Dice, n: int) -> int:
    """The next number below n."""
    dice.at = roll(dice.at, dice.stride)
    return below(dice.at, n)


@rule
def begin_dice(dice: Dice, seed: int, stream: int) -> None:
    """The stream of one simulated game: a start and a stride of its own."""
    dice.at = mix((seed & WORD) ^ mix(stream & WORD))
    other = mix((stream + 0x6A09E667) & WORD) ^ mix((stream >> 32) & WORD)
    dice.stride = mix(((seed >> 32) & WORD) ^ other) | 1


def fresh_seed() -> int:
    return secrets.randbits(SEED_BITS)


def seed_luck(luck: Any, seed: int) -> None:
    """Key a luck with a match's seed; bits 64 and up are the number of a game in a simulation."""
    for i in range(4):
        luck.key[i] = (seed >> (32 * i)) & WORD
    begin(luck, 0)
