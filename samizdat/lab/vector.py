"""Thousands of games stepped at once in compiled code: one seat is the agent's, the others play at random.

Written like the loops of the kernel: the contract by name, never a game. All that a step needs lies in arrays
that are made once (`Arrays`), one row a game; what the agent receives is written into them in place.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from samizdat.kernel.contract import hide, legal, play, score, seats_to_act, setup
from samizdat.kernel.game import Game
from samizdat.kernel.loops import begin_game, lowest
from samizdat.kernel.luck import Dice, Luck, begin, pick
from samizdat.kernel.rule import rule
from samizdat.kernel.scoring import Score
from samizdat.lab.faces import ILLEGAL
from samizdat.lab.observations import BITS, LOG, SHARE, columns, layout, size


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
    columns: Any  # the layout of observations: see samizdat.lab.observations.columns
    bounds: Any  # what each field is measured by
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


def arrays(game: Game, games: int) -> Arrays:
    """Room for so many games."""
    state = game.definition.state.dtype
    sight = np.zeros(1, state)
    raw = sight.view(np.uint8)
    fields = layout(game)[2:]
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
        columns=np.array(list(columns(game)), np.int64),
        bounds=np.array([math.log1p(span.bound) if span.scale == LOG else span.bound for span in fields], np.float64),
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


@rule
def element(a: Any, width: int, i: int) -> Any:
    """One integer of the hidden record."""
    if width == 0:
        return a.bytes1[i]
    if width == 1:
        return a.bytes2[i]
    if width == 2:
        return a.bytes4[i]
    return a.bytes8[i]


@rule
def write_shares(values: Any, first: int, n: int, bound: Any, out: Any, game: int, at: int) -> None:
    """A field whose values are divided by its bound."""
    for i in range(n):
        out[game, at + i] = np.float32(values[first + i]) / bound


@rule
def write_field(a: Any, column: int, out: Any, game: int, at: int) -> Any:
    """One field of the hidden record into the row of a game; where the next one begins."""
    scale, width, first = a.columns[column, 0], a.columns[column, 1], a.columns[column, 2]
    n, digits = a.columns[column, 3], a.columns[column, 4]
    if scale == SHARE:
        bound = np.float32(a.bounds[column])
        if width == 0:
            write_shares(a.bytes1, first, n, bound, out, game, at)
        else:
            write_shares(a.bytes2, first, n, bound, out, game, at)
    elif scale == BITS:
        for i in range(n):
            value = element(a, width, first + i)
            for digit in range(digits):
                out[game, at + i * digits + digit] = (value >> digit) & 1
    else:
        for i in range(n):
            value = element(a, width, first + i)
            share = math.log1p(abs(value)) / a.bounds[column]
            out[game, at + i] = share if value >= 0 else -share
    return at + n * digits


@rule
def observe(a: Any, game: int, agent: int, players: int, out: Any) -> None:
    """Write what the agent sees; the hidden record stays in `sight`."""
    a.sight[0] = a.states[game]
    hide(a.boxes[0], a.sight[0], agent)
    seats = seats_to_act(a.sight[0])
    for seat in range(players):
        out[game, seat] = seat == agent
        out[game, players + seat] = (seats >> seat) & 1
    at = 2 * players
    for column in range(len(a.columns)):
        at = write_field(a, column, out, game, at)


@rule
def ask(a: Any, game: int, agent: int, players: int) -> None:
    """Write what the agent sees and may do."""
    observe(a, game, agent, players, a.observations)
    for i in range(a.open[game]):
        a.masks[game, a.moves[game, i]] = 0
    a.open[game] = legal(a.boxes[0], a.sight[0], agent, a.moves[game])
    for i in range(a.open[game]):
        a.masks[game, a.moves[game, i]] = 1


@rule
def others_play(a: Any, game: int, agent: int) -> bool:
    """Let the other seats play until the agent must act (True) or the game is over (False)."""
    box, s, luck, dice, moves = a.boxes[0], a.states[game], a.lucks[game], a.dices[game], a.other_moves
    seats = seats_to_act(s)
    while seats != 0 and (seats >> agent) & 1 == 0:
        seat = lowest(seats)
        n = legal(box, s, seat, moves)
        a.plies[game] += 1
        begin(luck, a.plies[game])
        play(box, s, luck, seat, moves[pick(dice, n)])
        seats = seats_to_act(s)
    return seats != 0


@rule
def next_game(a: Any, game: int, agent: int) -> None:
    """Deal the next game of this environment in which the agent is asked anything at all."""
    asked = False
    while not asked:
        a.episodes[game] += 1
        a.plies[game] = 0
        a.states[game] = a.options[0]
        begin_game(a.lucks[game], a.dices[game], a.seeds[game], a.episodes[game])
        setup(a.boxes[0], a.states[game], a.lucks[game])
        asked = others_play(a, game, agent)


@rule
def worth(a: Any, game: int, agent: int, players: int, fair_seats: int) -> Any:
    """The agent's share of the win minus a fair share."""
    out = a.scores[0]
    score(a.boxes[0], a.states[game], out)
    winners = 0
    for seat in range(players):
        if out.rank[seat] == 1:
            winners += 1
    won = 1 / winners if out.rank[agent] == 1 else 0.0
    return won - 1 / fair_seats


@rule
def may(a: Any, game: int, action: int) -> bool:
    for i in range(a.open[game]):
        if a.moves[game, i] == action:
            return True
    return False


@rule
def decide(a: Any, game: int, agent: int, action: int, players: int, fair_seats: int) -> bool:
    """Play the agent's action, then let the others play; whether that ended the game."""
    a.rewards[game] = 0.0
    a.illegal[game] = not may(a, game, action)
    if a.illegal[game]:
        a.rewards[game] = ILLEGAL
        return True
    a.plies[game] += 1
    begin(a.lucks[game], a.plies[game])
    play(a.boxes[0], a.states[game], a.lucks[game], agent, action)
    if others_play(a, game, agent):
        return False
    a.rewards[game] = worth(a, game, agent, players, fair_seats)
    return True


def step_games(a: Any, actions: Any, anew: bool, agent: int, players: int, fair_seats: int) -> None:
    """Step every game; one that ends is followed by the next. With `anew`, begin the next game everywhere.

    Dealing and stepping are one function because each would be compiled with all the rules of the game.
    """
    for game in range(len(a.states)):
        a.terminated[game] = not anew and decide(a, game, agent, actions[game], players, fair_seats)
        if a.terminated[game]:
            observe(a, game, agent, players, a.finals)
        if anew or a.terminated[game]:
            next_game(a, game, agent)
        ask(a, game, agent, players)
