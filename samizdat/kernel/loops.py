"""Loops over games: written once, run interpreted, native and on the GPU.

They call the contract by name and never a game; engines specialise them by the type of the state record.
Batches are arrays of records; `raw` is the same memory seen as bytes, one row a record, for comparing.
"""

from __future__ import annotations

from typing import Any

from samizdat.kernel.bits import lowest, nth, size
from samizdat.kernel.contract import broken, guess, hide, legal, play, score, seats_to_act, setup
from samizdat.kernel.luck import WORD, begin, begin_dice, below, pick, roll
from samizdat.kernel.rule import inlined, rule
from samizdat.kernel.scoring import MOST_SEATS

TOO_LONG = -1  # a game did not end within the stated bound


@inlined
def random_decision(box: Any, s: Any, luck: Any, at: int, moves: Any, ply: int, seats: int) -> None:
    """One random decision of the first seat that may act; `at` is the place of the dice."""
    seat = lowest(seats)
    n = legal(box, s, seat, moves)
    begin(luck, ply)
    play(box, s, luck, seat, moves[below(at, n)])


@rule
def one_decision(box: Any, s: Any, luck: Any, dice: Any, moves: Any, ply: int, seats: int) -> None:
    """The same as a call, for the GPU: repeated in its kernel, it takes registers that threads lack."""
    dice.at = roll(dice.at, dice.stride)
    random_decision(box, s, luck, dice.at, moves, ply, seats)


@inlined
def playout(box: Any, s: Any, luck: Any, dice: Any, moves: Any, most: int) -> int:
    """Random play to the end; how many decisions it took, or TOO_LONG.

    It rolls as `pick` would, but keeps the place of the dice out of memory.
    """
    at, by = dice.at, dice.stride
    ply = 0
    seats = seats_to_act(s)
    while seats != 0 and ply < most:
        ply += 1
        at = roll(at, by)
        random_decision(box, s, luck, at, moves, ply, seats)
        seats = seats_to_act(s)
    dice.at = at
    return ply if seats == 0 else TOO_LONG


@rule
def begin_game(luck: Any, dice: Any, seed: int, number: int) -> None:
    """Luck and dice of one game of a simulation: the match with seed `seed + (number << 64)`."""
    luck.key[0] = seed & WORD
    luck.key[1] = (seed >> 32) & WORD
    luck.key[2] = number & WORD
    luck.key[3] = (number >> 32) & WORD
    begin(luck, 0)
    begin_dice(dice, seed, number)


@inlined
def random_game(
    box: Any, s: Any, out: Any, luck: Any, dice: Any, seed: int, number: int, moves: Any, most: int
) -> int:
    """Deal, play at random, score; the number of decisions."""
    begin_game(luck, dice, seed, number)
    setup(box, s, luck)
    length = playout(box, s, luck, dice, moves, most)
    score(box, s, out)
    return length


def simulate(
    boxes: Any, options: Any, states: Any, scores: Any, lengths: Any,
    lucks: Any, dices: Any, seed: int, first: int, moves: Any, most: int,
) -> None:  # fmt: skip
    """Play one random game into each element of `states`; `options` is a blank state with its options set."""
    for i in range(len(states)):
        states[i] = options[0]
        lengths[i] = random_game(boxes[0], states[i], scores[i], lucks[0], dices[0], seed, first + i, moves, most)


def simulate_lawful(
    boxes: Any, options: Any, states: Any, scores: Any, lengths: Any,
    lucks: Any, dices: Any, seed: int, first: int, moves: Any, most: int, found: Any,
) -> int:  # fmt: skip
    """Like simulate, with the game's own laws checked after every decision and seats acting in random order.

    Returns the number of decisions checked; `found` is (game, ply, law) of the first broken law, or law 0.
    """
    total = 0
    for i in range(len(states)):
        states[i] = options[0]
        box, s, luck, dice = boxes[0], states[i], lucks[0], dices[0]
        begin_game(luck, dice, seed, first + i)
        setup(box, s, luck)
        lengths[i] = TOO_LONG
        for ply in range(most + 1):
            law = broken(box, s)
            if law:
                found[0], found[1], found[2] = first + i, ply, law
                return total
            seats = seats_to_act(s)
            if seats == 0:
                lengths[i] = ply
                break
            seat = nth(seats, pick(dice, size(seats)))
            n = legal(box, s, seat, moves)
            if n == 0:
                found[0], found[1], found[2] = first + i, ply, NOTHING_OPEN
                return total
            begin(luck, ply + 1)
            play(box, s, luck, seat, moves[pick(dice, n)])
            total += 1
        score(box, s, scores[i])
    return total


NOTHING_OPEN = 255  # a seat was asked and had nothing to decide


def trace(boxes: Any, states: Any, lucks: Any, dices: Any, seed: int, number: int, moves: Any, acted: Any) -> int:
    """One random game with the state after every decision: states[0] holds the options, then the deal.

    `acted` takes (seat, move, number of choices) of each decision. Returns the number of decisions.
    """
    begin_game(lucks[0], dices[0], seed, number)
    setup(boxes[0], states[0], lucks[0])
    for ply in range(len(states) - 1):
        s = states[ply]
        seats = seats_to_act(s)
        if seats == 0:
            return ply
        seat = nth(seats, pick(dices[0], size(seats)))
        n = legal(boxes[0], s, seat, moves)
        move = moves[pick(dices[0], n)]
        acted[ply, 0], acted[ply, 1], acted[ply, 2] = seat, move, n
        states[ply + 1] = states[ply]
        begin(lucks[0], ply + 1)
        play(boxes[0], states[ply + 1], lucks[0], seat, move)
    return len(states) - 1


def perft(
    boxes: Any, states: Any, lucks: Any, only: int, moves: Any, depth: int, open_at: Any, next_at: Any, ended: int = 1
) -> int:
    """How many sequences of `depth` decisions there are from states[0]; shorter ones that end count as `ended`.

    With only >= 0 that seat alone decides, as when it enters a secret choice; otherwise the lowest seat that
    may act. There is one element of `states`, `moves`, `open_at` and `next_at` for each level.
    """
    total, level = 0, 0
    open_at[0] = -1
    while level >= 0:
        if open_at[level] < 0:
            seats = seats_to_act(states[level])
            if only >= 0:
                seats &= 1 << only
            if level == depth or seats == 0:
                total += 1 if level == depth else ended
                level -= 1
                continue
            open_at[level] = legal(boxes[0], states[level], lowest(seats), moves[level])
            next_at[level] = 0
        if next_at[level] == open_at[level]:
            level -= 1
            continue
        seats = seats_to_act(states[level])
        if only >= 0:
            seats &= 1 << only
        move = moves[level][next_at[level]]
        next_at[level] += 1
        states[level + 1] = states[level]
        begin(lucks[0], level + 1)
        play(boxes[0], states[level + 1], lucks[0], lowest(seats), move)
        open_at[level + 1] = -1
        level += 1
    return total


# What check_secrets reports: which channel told a seat something it may not know.
SECRETS_HOLD = 0
HIDING_TWICE_DIFFERS = 1  # hide is not idempotent
TURN_LEAKS = 2  # who may act differs between the true and the hidden record
LEGAL_LEAKS = 3  # what is legal for the seat differs on the hidden record
GUESS_SHOWS = 4  # a guessed state looks different to the seat that guessed it
GUESS_TURN = 5  # a guessed state lets other seats act
GUESS_LEGAL = 6  # a guessed state opens other decisions to the seat
GUESS_LAWLESS = 7  # a guessed state breaks a conservation law
GUESS_STUCK = 8  # a seat that may act in a guessed state has nothing to decide


@rule
def same(raw: Any, a: int, b: int) -> bool:
    """Whether two records of a batch are equal byte for byte."""
    for i in range(raw.shape[1]):
        if raw[a, i] != raw[b, i]:
            return False
    return True


@rule
def same_moves(moves: Any, a: int, b: int, n: int) -> bool:
    for i in range(n):
        if moves[a, i] != moves[b, i]:
            return False
    return True


@rule
def check_sight(boxes: Any, states: Any, raw: Any, luck: Any, moves: Any, seat: int) -> int:
    """The secrecy law for one seat at states[0]: what it can receive does not depend on what it may not know.

    states[1] becomes the hidden record, states[2] a guessed world, states[3] that world as the seat sees it.
    """
    box = boxes[0]
    states[1] = states[0]
    hide(box, states[1], seat)
    states[3] = states[1]
    hide(box, states[3], seat)
    if not same(raw, 1, 3):
        return HIDING_TWICE_DIFFERS
    seats = seats_to_act(states[0])
    if seats_to_act(states[1]) != seats:
        return TURN_LEAKS
    n = 0
    if seat >= 0 and (seats >> seat) & 1:
        n = legal(box, states[0], seat, moves[0])
        if legal(box, states[1], seat, moves[1]) != n or not same_moves(moves, 0, 1, n):
            return LEGAL_LEAKS
    states[2] = states[1]
    guess(box, states[2], luck, seat)
    states[3] = states[2]
    hide(box, states[3], seat)
    if not same(raw, 1, 3):
        return GUESS_SHOWS
    if seats_to_act(states[2]) != seats:
        return GUESS_TURN
    if seat >= 0 and (seats >> seat) & 1:
        if legal(box, states[2], seat, moves[1]) != n or not same_moves(moves, 0, 1, n):
            return GUESS_LEGAL
    if broken(box, states[2]):
        return GUESS_LAWLESS
    for other in range(MOST_SEATS):
        if (seats >> other) & 1 and legal(box, states[2], other, moves[1]) == 0:
            return GUESS_STUCK
    return SECRETS_HOLD


def check_secrets(
    boxes: Any, states: Any, raw: Any, lucks: Any, dices: Any, seed: int, first: int, games: int,
    seats_at_table: int, moves: Any, most: int, found: Any,
) -> int:  # fmt: skip
    """Whole random games with the secrecy law checked for every seat and a spectator at every decision.

    states[4] holds the options, states[0] the game. Returns the number of sights checked; `found` is
    (game, ply, seat, channel) of the first leak, or channel 0.
    """
    total = 0
    box, s, luck, dice = boxes[0], states[0], lucks[0], dices[0]
    for game in range(first, first + games):
        states[0] = states[4]
        begin_game(luck, dice, seed, game)
        setup(box, s, luck)
        for ply in range(most + 1):
            for seat in range(-1, seats_at_table):
                begin_game(lucks[1], dices[1], seed + ply, game * (MOST_SEATS + 1) + seat + 1)
                channel = check_sight(boxes, states, raw, lucks[1], moves, seat)
                total += 1
                if channel:
                    found[0], found[1], found[2], found[3] = game, ply, seat, channel
                    return total
            seats = seats_to_act(s)
            if seats == 0:
                break
            seat = nth(seats, pick(dice, size(seats)))
            n = legal(box, s, seat, moves[0])
            begin(luck, ply + 1)
            play(box, s, luck, seat, moves[0, pick(dice, n)])
    return total
