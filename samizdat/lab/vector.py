"""Thousands of games stepped at once in compiled code: one seat is the agent's while the others play at random, or
every seat is asked in its turn.

Written like the loops of the kernel: the contract by name, never a game. All that a step needs lies in arrays
that are made once (`Arrays`), one row a game; what agents receive is written into them in place.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from samizdat.kernel.bits import lowest
from samizdat.kernel.contract import legal, play, score, seats_to_act, setup
from samizdat.kernel.game import Game
from samizdat.kernel.loops import begin_game
from samizdat.kernel.luck import Dice, Luck, begin, pick
from samizdat.kernel.observing import eyes, observe
from samizdat.kernel.rule import rule
from samizdat.kernel.scoring import Score, share_of_win
from samizdat.kernel.tensors import size
from samizdat.lab.faces import ILLEGAL

if TYPE_CHECKING:
    from samizdat.kernel.native import Native

EVERY_SEAT = -1  # in place of the agent's: whoever may act is asked, the first seat before the others
NOBODY = -1  # the game is over


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
    sight: Any  # one hidden record, and how it is written down: samizdat.kernel.observing.Eyes
    bytes1: Any
    bytes2: Any
    bytes4: Any
    bytes8: Any
    still: Any
    columns: Any
    measures: Any
    scores: Any
    seats: Any  # who is asked in each game
    moves: Any  # what is open to that seat
    open: Any  # how many they are
    other_moves: Any  # room for those of another seat
    observations: Any
    masks: Any
    finals: Any  # the last observation of a game that ended in this step, of the seat that was asked before
    rewards: Any  # by game and seat
    terminated: Any
    illegal: Any


def arrays(game: Game, games: int) -> Arrays:
    """Room for so many games."""
    state = game.definition.state.dtype
    return Arrays(
        boxes=game.box.record.array,
        options=game.blank().array,
        states=np.zeros(games, state),
        lucks=np.zeros(games, Luck.dtype),
        dices=np.zeros(games, Dice.dtype),
        seeds=np.zeros(games, np.int64),
        episodes=np.zeros(games, np.int64),
        plies=np.zeros(games, np.int64),
        **eyes(game)._asdict(),
        scores=np.zeros(1, Score.dtype),
        seats=np.zeros(games, np.int64),
        moves=game.moves_buffer(rows=games),
        open=np.zeros(games, np.int64),
        other_moves=game.moves_buffer(),
        observations=np.zeros((games, size(game)), np.float32),
        masks=np.zeros((games, game.capacity), np.int8),
        finals=np.zeros((games, size(game)), np.float32),
        rewards=np.zeros((games, game.players), np.float64),
        terminated=np.zeros(games, np.bool_),
        illegal=np.zeros(games, np.bool_),
    )


# What of a batch must be kept for its games to go on; the rest is the same for all of them, or is written anew.
GOING_ON = (
    "states", "lucks", "dices", "seeds", "episodes", "plies", "seats", "moves", "open", "observations", "masks",
)  # fmt: skip


def kept(a: Arrays) -> dict[str, npt.NDArray[Any]]:
    """A copy of a batch as it stands. Records become bytes: their layout is the program's."""
    found = {name: getattr(a, name).copy() for name in GOING_ON}
    return {
        name: array.view(np.uint8).reshape(len(array), -1) if array.dtype.names else array
        for name, array in found.items()
    }


def go_on(a: Arrays, found: Mapping[str, npt.NDArray[Any]]) -> None:
    """Play on from a copy; ValueError if it is of another game or of another number of games."""
    for name in GOING_ON:
        array = getattr(a, name)
        was = found[name]
        if array.dtype.names:
            was = np.ascontiguousarray(was).view(array.dtype).reshape(-1)
        if was.shape != array.shape or was.dtype != array.dtype:
            raise ValueError(f"{name} is of another batch")
        array[...] = was


@functools.cache
def compiled(native: Native) -> Any:
    """The step of a game as machine code; the same for all its batches."""
    return native.compile(step_games)


# Rules take the arrays they need, never all of `Arrays`: handing over a tuple of arrays counts a reference to each.


@rule
def play_on(
    box: Any, s: Any, luck: Any, dice: Any, moves: Any, plies: Any, game: int, agent: int, choices: bool
) -> int:
    """Play what nobody is asked for; the seat that is asked then, or NOBODY when the game is over.

    That is all decisions of the other seats, at random, if there is an agent; without one it is none, or with
    `choices` those that leave no choice.
    """
    seats = seats_to_act(s)
    while seats != 0:
        if agent != EVERY_SEAT and (seats >> agent) & 1:
            return agent
        seat = lowest(seats)
        if agent == EVERY_SEAT and not choices:
            return seat
        n = legal(box, s, seat, moves)
        place = 0
        if agent != EVERY_SEAT:
            place = pick(dice, n)
        elif n > 1:
            return seat
        plies[game] += 1
        begin(luck, plies[game])
        play(box, s, luck, seat, moves[place])
        seats = seats_to_act(s)
    return NOBODY


@rule
def settle(box: Any, s: Any, out: Any, rewards: Any, game: int, players: int, fair_seats: int) -> None:
    """Each seat's share of the win minus a fair share."""
    score(box, s, out)
    for seat in range(players):
        rewards[game, seat] = share_of_win(out.rank, players, seat) - 1 / fair_seats


@rule
def place_of(moves: Any, n: int, game: int, action: int) -> int:
    """Where an action stands among the open moves of a game; -1 where it is not open."""
    for i in range(n):
        if moves[game, i] == action:
            return i
    return -1


def step_games(a: Any, actions: Any, anew: bool, agent: int, choices: bool, players: int, fair_seats: int) -> None:
    """Step every game; one that ends is followed by the next. With `anew`, begin the next game everywhere.

    Dealing and stepping are one function because each would be compiled with all the rules of the game; so are games
    with one agent and with one on every seat.
    """
    box, states, sight, still, columns, measures = a.boxes[0], a.states, a.sight, a.still, a.columns, a.measures
    bytes1, bytes2, bytes4, bytes8 = a.bytes1, a.bytes2, a.bytes4, a.bytes8
    moves, other_moves, masks, plies, n = a.moves, a.other_moves, a.masks, a.plies, a.open
    for game in range(len(states)):
        s, luck, dice = states[game], a.lucks[game], a.dices[game]
        seat, asked = a.seats[game], NOBODY
        for other in range(players):
            a.rewards[game, other] = 0.0
        a.illegal[game] = False
        if not anew:
            place = place_of(moves, n[game], game, actions[game])
            if place >= 0:
                plies[game] += 1
                begin(luck, plies[game])
                # Not `actions[game]`: the rules would be compiled once more, for moves of another width.
                play(box, s, luck, seat, moves[game, place])
                asked = play_on(box, s, luck, dice, other_moves, plies, game, agent, choices)
                if asked == NOBODY:
                    settle(box, s, a.scores[0], a.rewards, game, players, fair_seats)
            else:
                a.rewards[game, seat] = ILLEGAL
                a.illegal[game] = True
        a.terminated[game] = not anew and asked == NOBODY
        if a.terminated[game]:
            observe(
                box, s, sight, bytes1, bytes2, bytes4, bytes8, still, columns, measures, seat, players, a.finals, game
            )
        while asked == NOBODY:  # deal the next game in which anybody is asked anything at all
            a.episodes[game] += 1
            plies[game] = 0
            states[game] = a.options[0]
            begin_game(luck, dice, a.seeds[game], a.episodes[game])
            setup(box, s, luck)
            asked = play_on(box, s, luck, dice, other_moves, plies, game, agent, choices)
        a.seats[game] = asked
        observe(
            box, s, sight, bytes1, bytes2, bytes4, bytes8, still, columns, measures, asked, players,
            a.observations, game,
        )  # fmt: skip
        for i in range(n[game]):
            masks[game, moves[game, i]] = 0
        n[game] = legal(box, sight[0], asked, moves[game])
        for i in range(n[game]):
            masks[game, moves[game, i]] = 1
