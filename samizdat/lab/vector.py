"""Games stepped in compiled code: thousands at once, seen by one seat (`VectorEnv`), or one, seen by all (`Single`).

Written like the loops of the kernel: the contract by name, never a game. All that a step needs lies in arrays
that are made once (`Arrays`); what agents receive is written into them in place, a row for each pair of eyes: that is
a game each where one seat looks, a seat each where there is one game.
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
NOBODY = -1  # who looks at a true record; for whom the others play at random where nobody plays by itself

# What is asked of `step_games`. Of many games, in each of which one seat is the agent's:
STEP = 0  # the agent's actions; the others play at random
ANEW = 1  # the next deal everywhere
STEP_ALONE, ANEW_ALONE = 2, 3  # the same, but the others are asked: `asked` says who in each game
ANSWER = 4  # what others do who were asked; games that wait for the agent stay as they are
# Of one game with a row for each seat:
DEAL = 5  # the next game
DECIDE = 6  # what some seats do; then, if there is an agent, the others at random until it is asked
LOOK = 7  # nothing
LOOK_TRUE = 8  # nothing; the row is that of the true record
WHO_IS_NEXT = -1  # instead of a set of seats that look: the first who may act


class Arrays(NamedTuple):
    """The memory of games, for compiled code."""

    boxes: Any  # the box
    options: Any  # a blank state with its options written in
    states: Any  # the true records
    lucks: Any
    dices: Any  # what the other seats play
    seeds: Any  # of each environment; game `episodes` of that seed is being played
    episodes: Any
    plies: Any  # decisions played in it
    acted: Any  # of one game: seat and move of each of them; otherwise there is no room for any
    asked: Any  # who is to decide in each of many games
    begun: Any  # whether the agent was asked in it
    sight: Any  # one hidden record, and the same memory as integers of 1, 2, 4 and 8 bytes
    bytes1: Any
    bytes2: Any
    bytes4: Any
    bytes8: Any
    still: Any  # an observation with what cannot vary
    columns: Any  # and what can, for each seat: see samizdat.lab.observations.columns
    measures: Any  # the logarithms of usual values, then what each number of an observation is divided by
    scores: Any
    moves: Any  # the open moves of each row
    open: Any  # how many they are
    other_moves: Any  # room for those of another seat
    observations: Any
    masks: Any
    finals: Any  # the last observation of a game that ended in this step
    rewards: Any
    terminated: Any
    illegal: Any


def arrays(game: Game, games: int, rows: int, actions: int, decisions: int = 0, whole: bool = False) -> Arrays:
    """Room for so many games and rows of what is seen of them; `whole` makes them rows of true records."""
    state = game.definition.state.dtype
    sight = np.zeros(1, state)
    raw = sight.view(np.uint8)
    numbers = size(game, whole)
    eyes = range(1 if whole else game.players)
    return Arrays(
        boxes=game.box.record.array,
        options=game.blank().array,
        states=np.zeros(games, state),
        lucks=np.zeros(games, Luck.dtype),
        dices=np.zeros(games, Dice.dtype),
        seeds=np.zeros(games, np.int64),
        episodes=np.zeros(games, np.int64),
        plies=np.zeros(games, np.int64),
        acted=np.zeros((decisions, 2), np.int16),
        asked=np.zeros(games, np.int64),
        begun=np.zeros(games, np.bool_),
        sight=sight,
        # A record without fields of a width need not divide into elements of that width; then nobody reads them.
        bytes1=raw.view(np.int8),
        bytes2=raw[: raw.size // 2 * 2].view(np.int16),
        bytes4=raw[: raw.size // 4 * 4].view(np.int32),
        bytes8=raw[: raw.size // 8 * 8].view(np.int64),
        still=standing_still(game, whole),
        columns=np.array([list(columns(game, seat, whole)) for seat in eyes], np.int64),
        measures=np.concatenate((np.array([math.log1p(n) for n in range(LOGS)], np.float32), divisors(game, whole))),
        scores=np.zeros(1, Score.dtype),
        moves=game.moves_buffer(rows=rows),
        open=np.zeros(rows, np.int64),
        other_moves=game.moves_buffer(),
        observations=np.zeros((rows, numbers), np.float32),
        masks=np.zeros((rows, actions), np.int8),
        finals=np.zeros((games, numbers), np.float32),
        rewards=np.zeros(rows, np.float64),
        terminated=np.zeros(games, np.bool_),
        illegal=np.zeros(rows, np.bool_),
    )


OF_THE_GAME = ("boxes", "options", "still", "columns", "measures")  # the same in all arrays of a game


def held(a: Arrays) -> dict[str, Any]:
    """What arrays hold, for copies and other processes: some of them are views of others."""
    kept = {name: array for name, array in a._asdict().items() if name not in OF_THE_GAME}
    kept["acted"] = a.acted[: int(a.plies[0])] if len(a.acted) else a.acted
    return kept


def hold(a: Arrays, kept: dict[str, Any]) -> None:
    """Fill arrays of the same sizes with it."""
    for name, array in kept.items():
        getattr(a, name)[: len(array)] = array


@functools.cache
def compiled(native: Native) -> Any:
    """The step of a game as machine code; the same for all its batches."""
    return native.compile(step_games)


# Rules take the arrays they need, never all of `Arrays`: handing over a tuple of arrays counts a reference to each.


@rule
def write_field(values: Any, columns: Any, measures: Any, seat: int, column: int, out: Any, row: int) -> None:
    """One field of the hidden record, seen as integers of its width, into a row."""
    scale, first, n = columns[seat, column, 0], columns[seat, column, 2], columns[seat, column, 3]
    digits, at = columns[seat, column, 4], columns[seat, column, 5]
    if scale == SHARE:
        bound = measures[LOGS + at]
        for i in range(n):
            out[row, at + i] = np.float32(values[first + i]) / bound
    elif scale == SHARES:
        for i in range(n):
            out[row, at + i] = np.float32(values[first + i]) / measures[LOGS + at + i]
    elif scale == BITS:
        for i in range(n):
            value = np.int64(values[first + i])
            for digit in range(digits):
                out[row, at + i * digits + digit] = (value >> digit) & 1
    else:
        for i in range(n):
            value = np.int64(values[first + i])
            share = np.float32(0.0)
            if value != 0:
                far = abs(value)
                share = (measures[far] if far < LOGS else np.float32(math.log1p(far))) / measures[LOGS + at + i]
            out[row, at + i] = share if value >= 0 else -share


@rule
def observe(
    box: Any, states: Any, sight: Any, bytes1: Any, bytes2: Any, bytes4: Any, bytes8: Any, still: Any, columns: Any,
    measures: Any, seat: int, players: int, game: int, out: Any, row: int,
) -> None:  # fmt: skip
    """Write what a seat sees of a game into a row; its hidden record stays in `sight`. NOBODY sees the true one."""
    sight[0] = states[game]
    if seat >= 0:
        hide(box, sight[0], seat)
    seats = seats_to_act(sight[0])
    for i in range(len(still)):
        out[row, i] = still[i]
    for other in range(players):
        out[row, other] = other == seat
        out[row, players + other] = (seats >> other) & 1
    of = max(seat, 0)
    for column in range(columns.shape[1]):
        width = columns[of, column, 1]
        if width == 0:
            write_field(bytes1, columns, measures, of, column, out, row)
        elif width == 1:
            write_field(bytes2, columns, measures, of, column, out, row)
        elif width == 2:
            write_field(bytes4, columns, measures, of, column, out, row)
        else:
            write_field(bytes8, columns, measures, of, column, out, row)


@rule
def offer(box: Any, sight: Any, seat: int, moves: Any, n: Any, masks: Any, row: int) -> None:
    """What a seat may do, from its hidden record. Where masks have room for one action more, it is "nothing"."""
    for i in range(n[row]):
        masks[row, moves[row, i]] = 0
    n[row] = 0
    if (seats_to_act(sight[0]) >> seat) & 1:
        n[row] = legal(box, sight[0], seat, moves[row])
    for i in range(n[row]):
        masks[row, moves[row, i]] = 1
    nothing = moves.shape[1]
    if masks.shape[1] > nothing:
        masks[row, nothing] = n[row] == 0


@rule
def note(acted: Any, ply: int, seat: int, move: int) -> None:
    """Keep a decision where there is room for it."""
    if ply <= len(acted):
        acted[ply - 1, 0], acted[ply - 1, 1] = seat, move


@rule
def decide(box: Any, s: Any, luck: Any, acted: Any, plies: Any, game: int, seat: int, moves: Any, at: int) -> None:
    """One decision of a seat, among those open to it."""
    plies[game] += 1
    begin(luck, plies[game])
    note(acted, plies[game], seat, moves[at])
    # Never the action as it was given: the rules would be compiled once more, for moves of another width.
    play(box, s, luck, seat, moves[at])


@rule
def others_play(
    box: Any, s: Any, luck: Any, dice: Any, moves: Any, acted: Any, plies: Any, game: int, agent: int
) -> bool:
    """Let the other seats play until the agent must act (True) or the game is over (False)."""
    seats = seats_to_act(s)
    while seats != 0 and (seats >> agent) & 1 == 0:
        seat = lowest(seats)
        n = legal(box, s, seat, moves)
        decide(box, s, luck, acted, plies, game, seat, moves, pick(dice, n))
        seats = seats_to_act(s)
    return seats != 0


@rule
def next_asked(s: Any, agent: int) -> int:
    """The agent as soon as it may act, else the first who may; NOBODY when the game is over."""
    seats = seats_to_act(s)
    if seats == 0:
        return NOBODY
    return agent if (seats >> agent) & 1 else lowest(seats)


@rule
def worth(box: Any, s: Any, out: Any, agent: int, players: int, fair_seats: int) -> Any:
    """The agent's share of the win minus a fair share."""
    score(box, s, out)
    return share_of_win(out.rank, players, agent) - 1 / fair_seats


@rule
def place_of(moves: Any, n: int, row: int, action: int) -> int:
    """Where an action stands among the open moves of a row; -1 where it is not open."""
    for i in range(n):
        if moves[row, i] == action:
            return i
    return -1


@rule
def judge(moves: Any, n: Any, masks: Any, actions: Any, deciding: int, players: int, illegal: Any) -> bool:
    """Whether all who decide do what is open to them; those who do not are marked."""
    lawful = True
    nothing = moves.shape[1]  # the action of a row in which nothing is open, where masks have room for it
    for seat in range(players):
        if (deciding >> seat) & 1 and place_of(moves, n[seat], seat, actions[seat]) < 0:
            if n[seat] > 0 or actions[seat] != nothing or masks.shape[1] == nothing:
                illegal[seat] = True
                lawful = False
    return lawful


def step_games(
    a: Any, actions: Any, what: int, agent: int, deciding: int, looking: int, players: int, fair_seats: int
) -> int:
    """Do `what` is asked. All of it is one function because each would be compiled with all the rules of the game.

    Of one game: the `deciding` seats (a bit set) act as `actions` say by seat, all of them or, if one of them does
    what is not open to it, none; then the rows of the `looking` seats are written. Nothing follows a game that is
    over. Returns the seats that may act.

    Of many games: each is stepped; one that ends is followed by the next. Returns how many wait for another seat than
    the agent.
    """
    box, states, sight, still, columns, measures = a.boxes[0], a.states, a.sight, a.still, a.columns, a.measures
    bytes1, bytes2, bytes4, bytes8 = a.bytes1, a.bytes2, a.bytes4, a.bytes8
    moves, other_moves, masks, plies, n, acted = a.moves, a.other_moves, a.masks, a.plies, a.open, a.acted
    if what >= DEAL:
        s, luck, dice = states[0], a.lucks[0], a.dices[0]
        lawful = True
        if what in (DEAL, DECIDE):
            for seat in range(players):
                a.illegal[seat] = False
                a.rewards[seat] = 0.0
        if what == DEAL:
            a.episodes[0] += 1
            plies[0] = 0
            states[0] = a.options[0]
            begin_game(luck, dice, a.seeds[0], a.episodes[0])
            setup(box, s, luck)
        elif what == DECIDE:
            lawful = judge(moves, n, masks, actions, deciding, players, a.illegal)
            for seat in range(players):
                if lawful and (deciding >> seat) & 1 and n[seat] > 0:
                    place = place_of(moves, n[seat], seat, actions[seat])
                    decide(box, s, luck, acted, plies, 0, seat, moves[seat], place)
                elif a.illegal[seat]:
                    a.rewards[seat] = ILLEGAL
        if agent >= 0 and lawful:
            others_play(box, s, luck, dice, other_moves, acted, plies, 0, agent)
        if what == DECIDE and lawful and seats_to_act(s) == 0:
            for seat in range(players):
                a.rewards[seat] = worth(box, s, a.scores[0], seat, players, fair_seats)
        if looking == WHO_IS_NEXT:
            seats = seats_to_act(s)
            looking = seats & -seats
        for seat in range(players):
            if (looking >> seat) & 1:
                eyes = seat if what != LOOK_TRUE else NOBODY
                observe(
                    box, states, sight, bytes1, bytes2, bytes4, bytes8, still, columns, measures, eyes, players, 0,
                    a.observations, seat,
                )  # fmt: skip
                if what != LOOK_TRUE:
                    offer(box, sight, seat, moves, n, masks, seat)
        return seats_to_act(s)
    waiting = 0
    at_random = what in (STEP, ANEW)
    for game in range(len(states)):
        s, luck, dice = states[game], a.lucks[game], a.dices[game]
        seat = agent
        if what == ANSWER:
            seat = a.asked[game]
            if seat == agent:
                continue
        else:
            a.rewards[game] = 0.0
            a.illegal[game] = False
            a.terminated[game] = False
        asked = NOBODY
        if what not in (ANEW, ANEW_ALONE):
            place = place_of(moves, n[game], game, actions[game])
            if place >= 0:
                decide(box, s, luck, acted, plies, game, seat, moves[game], place)
                if at_random:
                    others_play(box, s, luck, dice, other_moves, acted, plies, game, agent)
                asked = next_asked(s, agent)
            else:
                a.illegal[game] = True
            if asked == NOBODY and a.begun[game]:
                a.terminated[game] = True
                a.rewards[game] = ILLEGAL
                if not a.illegal[game]:
                    a.rewards[game] = worth(box, s, a.scores[0], agent, players, fair_seats)
                observe(
                    box, states, sight, bytes1, bytes2, bytes4, bytes8, still, columns, measures, agent, players,
                    game, a.finals, game,
                )  # fmt: skip
        while asked == NOBODY:  # deal the next game in which anybody is asked anything at all
            a.episodes[game] += 1
            a.begun[game] = False
            plies[game] = 0
            states[game] = a.options[0]
            begin_game(luck, dice, a.seeds[game], a.episodes[game])
            setup(box, s, luck)
            if at_random:
                others_play(box, s, luck, dice, other_moves, acted, plies, game, agent)
            asked = next_asked(s, agent)
        a.asked[game] = asked
        if asked == agent:
            a.begun[game] = True
        else:
            waiting += 1
        observe(
            box, states, sight, bytes1, bytes2, bytes4, bytes8, still, columns, measures, asked, players, game,
            a.observations, game,
        )  # fmt: skip
        offer(box, sight, asked, moves, n, masks, game)
    return waiting
