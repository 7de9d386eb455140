"""Thousands of games stepped at once in compiled code: one seat is the agent's, the others play at random.

Written like the loops of the kernel: the contract by name, never a game. All that a step needs lies in arrays
that are made once (`Arrays`), one row a game; what the agent receives is written into them in place.
"""

from __future__ import annotations

import functools
import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from samizdat.kernel.bits import lowest
from samizdat.kernel.contract import hide, legal, play, score, seats_to_act, setup
from samizdat.kernel.game import Game
from samizdat.kernel.loops import begin_game
from samizdat.kernel.luck import Dice, Luck, begin, pick
from samizdat.kernel.rule import rule
from samizdat.kernel.scoring import Score, share_of_win
from samizdat.lab.faces import ILLEGAL
from samizdat.lab.observations import BITS, SHARE, SHARES, columns, divisors, size, standing_still

if TYPE_CHECKING:
    from samizdat.kernel.native import Native

LOGS = 1024  # logarithms that are kept ready: computing one takes as long as a small decision


class Arrays(NamedTuple):
    """The memory of a batch of games, for compiled code."""

    boxes: Any  # the box
    options: Any  # a blank state with its options written in
    states: Any  # the true records
    lucks: Any
    dices: Any  # what the other seats play
    seeds: Any  # of each environment; game `episodes` of that seed is being played
    episodes: Any
    plies: Any  # decisions played in it
    sight: Any  # one hidden record, and the same memory as integers of 1, 2, 4 and 8 bytes
    bytes1: Any
    bytes2: Any
    bytes4: Any
    bytes8: Any
    still: Any  # an observation with what cannot vary
    columns: Any  # and what can: see samizdat.lab.observations.columns
    measures: Any  # the logarithms of usual values, then what each number of an observation is divided by
    scores: Any
    moves: Any  # the open moves of the agent in each game
    open: Any  # how many they are
    other_moves: Any  # room for those of another seat
    observations: Any
    masks: Any
    finals: Any  # the last observation of a game that ended in this step
    rewards: Any
    terminated: Any
    illegal: Any


def arrays(game: Game, games: int, agent: int) -> Arrays:
    """Room for so many games, seen by the agent's seat."""
    state = game.definition.state.dtype
    sight = np.zeros(1, state)
    raw = sight.view(np.uint8)
    return Arrays(
        boxes=game.box.record.array,
        options=game.blank().array,
        states=np.zeros(games, state),
        lucks=np.zeros(games, Luck.dtype),
        dices=np.zeros(games, Dice.dtype),
        seeds=np.zeros(games, np.int64),
        episodes=np.zeros(games, np.int64),
        plies=np.zeros(games, np.int64),
        sight=sight,
        # A record without fields of a width need not divide into elements of that width; then nobody reads them.
        bytes1=raw.view(np.int8),
        bytes2=raw[: raw.size // 2 * 2].view(np.int16),
        bytes4=raw[: raw.size // 4 * 4].view(np.int32),
        bytes8=raw[: raw.size // 8 * 8].view(np.int64),
        still=standing_still(game),
        columns=np.array(list(columns(game, agent)), np.int64),
        measures=np.concatenate((np.array([math.log1p(n) for n in range(LOGS)], np.float32), divisors(game))),
        scores=np.zeros(1, Score.dtype),
        moves=game.moves_buffer(rows=games),
        open=np.zeros(games, np.int64),
        other_moves=game.moves_buffer(),
        observations=np.zeros((games, size(game)), np.float32),
        masks=np.zeros((games, game.capacity), np.int8),
        finals=np.zeros((games, size(game)), np.float32),
        rewards=np.zeros(games, np.float64),
        terminated=np.zeros(games, np.bool_),
        illegal=np.zeros(games, np.bool_),
    )


@functools.cache
def compiled(native: Native) -> Any:
    """The step of a game as machine code; the same for all its batches."""
    return native.compile(step_games)


# Rules take the arrays they need, never all of `Arrays`: handing over a tuple of arrays counts a reference to each.


@rule
def write_field(values: Any, columns: Any, measures: Any, column: int, out: Any, game: int) -> None:
    """One field of the hidden record, seen as integers of its width, into the row of a game."""
    scale, first, n = columns[column, 0], columns[column, 2], columns[column, 3]
    digits, at = columns[column, 4], columns[column, 5]
    if scale == SHARE:
        bound = measures[LOGS + at]
        for i in range(n):
            out[game, at + i] = np.float32(values[first + i]) / bound
    elif scale == SHARES:
        for i in range(n):
            out[game, at + i] = np.float32(values[first + i]) / measures[LOGS + at + i]
    elif scale == BITS:
        for i in range(n):
            value = np.int64(values[first + i])
            for digit in range(digits):
                out[game, at + i * digits + digit] = (value >> digit) & 1
    else:
        for i in range(n):
            value = np.int64(values[first + i])
            share = np.float32(0.0)
            if value != 0:
                far = abs(value)
                share = (measures[far] if far < LOGS else np.float32(math.log1p(far))) / measures[LOGS + at + i]
            out[game, at + i] = share if value >= 0 else -share


@rule
def observe(
    box: Any, states: Any, sight: Any, bytes1: Any, bytes2: Any, bytes4: Any, bytes8: Any, still: Any, columns: Any,
    measures: Any, agent: int, players: int, out: Any, game: int,
) -> None:  # fmt: skip
    """Write what the agent sees of a game; its hidden record stays in `sight`."""
    sight[0] = states[game]
    hide(box, sight[0], agent)
    seats = seats_to_act(sight[0])
    for i in range(len(still)):
        out[game, i] = still[i]
    for seat in range(players):
        out[game, seat] = seat == agent
        out[game, players + seat] = (seats >> seat) & 1
    for column in range(len(columns)):
        width = columns[column, 1]
        if width == 0:
            write_field(bytes1, columns, measures, column, out, game)
        elif width == 1:
            write_field(bytes2, columns, measures, column, out, game)
        elif width == 2:
            write_field(bytes4, columns, measures, column, out, game)
        else:
            write_field(bytes8, columns, measures, column, out, game)


@rule
def others_play(box: Any, s: Any, luck: Any, dice: Any, moves: Any, plies: Any, game: int, agent: int) -> bool:
    """Let the other seats play until the agent must act (True) or the game is over (False)."""
    seats = seats_to_act(s)
    while seats != 0 and (seats >> agent) & 1 == 0:
        seat = lowest(seats)
        n = legal(box, s, seat, moves)
        plies[game] += 1
        begin(luck, plies[game])
        play(box, s, luck, seat, moves[pick(dice, n)])
        seats = seats_to_act(s)
    return seats != 0


@rule
def worth(box: Any, s: Any, out: Any, agent: int, players: int, fair_seats: int) -> Any:
    """The agent's share of the win minus a fair share."""
    score(box, s, out)
    return share_of_win(out.rank, players, agent) - 1 / fair_seats


@rule
def place_of(moves: Any, n: int, game: int, action: int) -> int:
    """Where an action stands among the open moves of a game; -1 where it is not open."""
    for i in range(n):
        if moves[game, i] == action:
            return i
    return -1


def step_games(a: Any, actions: Any, anew: bool, agent: int, players: int, fair_seats: int) -> None:
    """Step every game; one that ends is followed by the next. With `anew`, begin the next game everywhere.

    Dealing and stepping are one function because each would be compiled with all the rules of the game.
    """
    box, states, sight, still, columns, measures = a.boxes[0], a.states, a.sight, a.still, a.columns, a.measures
    bytes1, bytes2, bytes4, bytes8 = a.bytes1, a.bytes2, a.bytes4, a.bytes8
    moves, other_moves, masks, plies, n = a.moves, a.other_moves, a.masks, a.plies, a.open
    for game in range(len(states)):
        s, luck, dice = states[game], a.lucks[game], a.dices[game]
        asked = False
        a.rewards[game] = 0.0
        a.illegal[game] = False
        if not anew:
            place = place_of(moves, n[game], game, actions[game])
            if place >= 0:
                plies[game] += 1
                begin(luck, plies[game])
                # Not `actions[game]`: the rules would be compiled once more, for moves of another width.
                play(box, s, luck, agent, moves[game, place])
                asked = others_play(box, s, luck, dice, other_moves, plies, game, agent)
                if not asked:
                    a.rewards[game] = worth(box, s, a.scores[0], agent, players, fair_seats)
            else:
                a.rewards[game] = ILLEGAL
                a.illegal[game] = True
        a.terminated[game] = not anew and not asked
        if a.terminated[game]:
            observe(
                box, states, sight, bytes1, bytes2, bytes4, bytes8, still, columns, measures, agent, players,
                a.finals, game,
            )  # fmt: skip
        while not asked:  # deal the next game in which the agent is asked anything at all
            a.episodes[game] += 1
            plies[game] = 0
            states[game] = a.options[0]
            begin_game(luck, dice, a.seeds[game], a.episodes[game])
            setup(box, s, luck)
            asked = others_play(box, s, luck, dice, other_moves, plies, game, agent)
        observe(
            box, states, sight, bytes1, bytes2, bytes4, bytes8, still, columns, measures, agent, players,
            a.observations, game,
        )  # fmt: skip
        for i in range(n[game]):
            masks[game, moves[game, i]] = 0
        n[game] = legal(box, sight[0], agent, moves[game])
        for i in range(n[game]):
            masks[game, moves[game, i]] = 1
