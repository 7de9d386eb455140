"""Games stepped in compiled code: thousands at once, where one seat is the agent's and the others play at random or
are asked, or every seat is asked in its turn; or one, seen by all its seats (`single.py`).

Written like the loops of the kernel: the contract by name, never a game. All that a step needs lies in arrays
that are made once (`Arrays`); what agents receive is written into them in place, a row for each of many games, or for
each seat of one.
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
from samizdat.kernel.observing import REFEREE, eyes, observe
from samizdat.kernel.rule import rule
from samizdat.kernel.scoring import Score, share_of_win
from samizdat.kernel.tensors import size
from samizdat.lab.faces import ILLEGAL

if TYPE_CHECKING:
    from samizdat.kernel.native import Native

EVERY_SEAT = -1  # in place of the agent's: whoever may act is asked, the first seat before the others
NOBODY = -1  # the game is over; or for whom the others play at random in a single game where nobody plays by itself

# What is asked of `step_games`. Of many games:
STEP = 0  # an action in each of them
ANEW = 1  # the next deal everywhere
STEP_ASKING, ANEW_ASKING = 2, 3  # the same, but the agent's opponents are asked, too, where they would play at random
ANSWER = 4  # what those do; games that wait for the agent stay as they are
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
    acted: Any  # of a single game: seat and move of each of them; otherwise there is no room for any
    begun: Any  # whether the agent was asked in it, where its opponents are
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
    moves: Any  # what is open in each row
    open: Any  # how many they are
    other_moves: Any  # room for those of another seat
    observations: Any
    masks: Any
    finals: Any  # the last observation of a game that ended in this step, of the seat that was asked before
    rewards: Any  # by game and seat
    terminated: Any
    illegal: Any


def arrays(
    game: Game,
    games: int,
    rows: int | None = None,
    actions: int | None = None,
    decisions: int = 0,
    whole: bool = False,
) -> Arrays:
    """Room for so many games, each a row if nothing else is said; `whole` makes rows of true records."""
    state = game.definition.state.dtype
    rows = games if rows is None else rows
    actions = game.capacity if actions is None else actions
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
        begun=np.zeros(games, np.bool_),
        **eyes(game, whole)._asdict(),
        scores=np.zeros(1, Score.dtype),
        seats=np.zeros(games, np.int64),
        moves=game.moves_buffer(rows=rows),
        open=np.zeros(rows, np.int64),
        other_moves=game.moves_buffer(),
        observations=np.zeros((rows, size(game, whole)), np.float32),
        masks=np.zeros((rows, actions), np.int8),
        finals=np.zeros((games, size(game, whole)), np.float32),
        rewards=np.zeros((games, game.players), np.float64),
        terminated=np.zeros(games, np.bool_),
        illegal=np.zeros(rows, np.bool_),
    )


OF_THE_GAME = ("boxes", "options", "still", "columns", "measures")  # the same in all arrays of a game


def held(a: Arrays) -> dict[str, Any]:
    """What arrays hold, for copies and other processes: some of them are views of others."""
    found = {name: array for name, array in a._asdict().items() if name not in OF_THE_GAME}
    found["acted"] = a.acted[: int(a.plies[0])] if len(a.acted) else a.acted
    return found


def hold(a: Arrays, found: dict[str, Any]) -> None:
    """Fill arrays of the same sizes with it."""
    for name, array in found.items():
        getattr(a, name)[: len(array)] = array


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


def step(game: Game, a: Arrays, actions: Any, anew: bool, agent: int, choices: bool = False) -> None:
    """One action in each of many games, or the next deal everywhere."""
    run, what = compiled(game.definition.native), ANEW if anew else STEP
    run(a, actions, what, agent, choices, 0, 0, game.players, game.fair_seats)


# Rules take the arrays they need, never all of `Arrays`: handing over a tuple of arrays counts a reference to each.


@rule
def decide(box: Any, s: Any, luck: Any, acted: Any, plies: Any, game: int, seat: int, moves: Any, at: int) -> None:
    """One decision of a seat, among those open to it; it is kept where there is room for it."""
    plies[game] += 1
    begin(luck, plies[game])
    if plies[game] <= len(acted):
        acted[plies[game] - 1, 0], acted[plies[game] - 1, 1] = seat, moves[at]
    # Never the action as it was given: the rules would be compiled once more, for moves of another width.
    play(box, s, luck, seat, moves[at])


@rule
def play_on(
    box: Any, s: Any, luck: Any, dice: Any, moves: Any, acted: Any, plies: Any, game: int, agent: int, choices: bool
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
        decide(box, s, luck, acted, plies, game, seat, moves, place)
        seats = seats_to_act(s)
    return NOBODY


@rule
def next_asked(s: Any, agent: int) -> int:
    """The agent as soon as it may act, else the first who may; NOBODY when the game is over."""
    seats = seats_to_act(s)
    if seats == 0:
        return NOBODY
    return agent if (seats >> agent) & 1 else lowest(seats)


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
    a: Any, actions: Any, what: int, agent: int, choices: bool, deciding: int, looking: int, players: int,
    fair_seats: int,
) -> int:  # fmt: skip
    """Do `what` is asked. All of it is one function because each would be compiled with all the rules of the game.

    Of one game: the `deciding` seats (a bit set) act as `actions` say by seat, all of them or, if one of them does
    what is not open to it, none; then the rows of the `looking` seats are written. Nothing follows a game that is
    over. Returns the seats that may act.

    Of many games: each is stepped; one that ends is followed by the next. Returns how many wait for another seat than
    the agent's.
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
                a.rewards[0, seat] = 0.0
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
                    a.rewards[0, seat] = ILLEGAL
        if agent != NOBODY and lawful:
            play_on(box, s, luck, dice, other_moves, acted, plies, 0, agent, choices)
        seats = seats_to_act(s)
        if what == DECIDE and lawful and seats == 0:
            settle(box, s, a.scores[0], a.rewards, 0, players, fair_seats)
        if looking == WHO_IS_NEXT:
            looking = seats & -seats
        for seat in range(players):
            if (looking >> seat) & 1:
                observe(
                    box, s, sight, bytes1, bytes2, bytes4, bytes8, still, columns, measures,
                    REFEREE if what == LOOK_TRUE else seat, players, a.observations, seat,
                )  # fmt: skip
                if what != LOOK_TRUE:
                    offer(box, sight, seat, moves, n, masks, seat)
        return seats
    waiting = 0
    asking = what in (STEP_ASKING, ANEW_ASKING, ANSWER)
    anew = what in (ANEW, ANEW_ASKING)
    for game in range(len(states)):
        s, luck, dice = states[game], a.lucks[game], a.dices[game]
        seat, asked = a.seats[game], NOBODY
        if what == ANSWER:
            if seat == agent:
                continue
        else:
            for other in range(players):
                a.rewards[game, other] = 0.0
            a.illegal[game] = False
            a.terminated[game] = False
            a.begun[game] = True
        if not anew:
            place = place_of(moves, n[game], game, actions[game])
            if place >= 0:
                decide(box, s, luck, acted, plies, game, seat, moves[game], place)
                if asking:
                    asked = next_asked(s, agent)
                else:
                    asked = play_on(box, s, luck, dice, other_moves, acted, plies, game, agent, choices)
            else:
                a.illegal[game] = True
            if asked == NOBODY and a.begun[game]:  # else it ended before the agent was asked anything
                a.terminated[game] = True
                if a.illegal[game]:
                    a.rewards[game, seat] = ILLEGAL
                else:
                    settle(box, s, a.scores[0], a.rewards, game, players, fair_seats)
                observe(
                    box, s, sight, bytes1, bytes2, bytes4, bytes8, still, columns, measures,
                    agent if asking else seat, players, a.finals, game,
                )  # fmt: skip
        while asked == NOBODY:  # deal the next game in which anybody is asked anything at all
            a.episodes[game] += 1
            a.begun[game] = False
            plies[game] = 0
            states[game] = a.options[0]
            begin_game(luck, dice, a.seeds[game], a.episodes[game])
            setup(box, s, luck)
            if asking:
                asked = next_asked(s, agent)
            else:
                asked = play_on(box, s, luck, dice, other_moves, acted, plies, game, agent, choices)
        a.seats[game] = asked
        if asked != agent:
            waiting += 1
        observe(
            box, s, sight, bytes1, bytes2, bytes4, bytes8, still, columns, measures, asked, players,
            a.observations, game,
        )  # fmt: skip
        offer(box, sight, asked, moves, n, masks, game)
    return waiting
