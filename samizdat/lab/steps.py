"""One step of one game, for compiled code: what the tree of a game needs of the rules.

Written like the loops of the kernel: the contract by name, never a game. Arrays of records hold one element each.
Dealing, guessing and deciding are one function because each would be compiled with all the rules of the game.
"""

from __future__ import annotations

from typing import Any

from samizdat.kernel.bits import lowest
from samizdat.kernel.contract import guess, hide, legal, play, score, seats_to_act, setup
from samizdat.kernel.luck import SCRIPT, TOLD_ARGS, begin
from samizdat.kernel.rule import rule

# What is done instead of a move.
DEAL = -1
GUESS = -2  # a world that the seat cannot tell from this one

NOBODY = -1  # whose turn it is when luck falls or the game is over
OVERFULL = -1  # outcomes when luck could not note them all


@rule
def fallen(luck: Any, scripted: int) -> int:
    """How many draws are settled: those of the script, and those of a single outcome that follow."""
    n = scripted
    while n < luck.asked and luck.possible[n] <= 1:
        n += 1
    return n


@rule
def write_down(luck: Any, said: Any) -> None:
    """All that was told, one row each: audience, event, arguments."""
    for i in range(luck.told):
        said[i, 0] = luck.audience[i]
        said[i, 1] = luck.event[i]
        for k in range(TOLD_ARGS):
            said[i, 2 + k] = luck.args[i, k]


def step(
    boxes: Any, before: Any, after: Any, lucks: Any, moves: Any, said: Any, scripted: int, seat: int, move: int
) -> tuple[int, int, int, int, int]:
    """Deal, guess or decide, with the first `scripted` outcomes of luck given; `before` stays as it is.

    Returns: draws that are settled, outcomes of the next draw, whose turn it is then, how many `moves` are open to
    that seat, and how many things were `said`. Where a draw is not settled, the rest is 0 and `after` is not reached.
    """
    box, s, luck = boxes[0], after[0], lucks[0]
    after[0] = before[0]
    luck.scripted, luck.used, luck.asked, luck.told, luck.revealed = scripted, 0, 0, 0, 0
    settled = 0
    if move == GUESS:
        begin(luck, 0)
        hide(box, s, seat)
        guess(box, s, luck, seat)
        luck.told = 0
    else:
        if move == DEAL:
            begin(luck, 0)
            setup(box, s, luck)
        else:
            begin(luck, 1)
            play(box, s, luck, seat, move)
        settled = fallen(luck, scripted)
        if luck.asked == SCRIPT:
            return settled, OVERFULL, NOBODY, 0, 0
        if settled < luck.asked:
            return settled, luck.possible[settled], NOBODY, 0, 0
    write_down(luck, said)
    seats = seats_to_act(s)
    if seats == 0:
        return settled, 0, NOBODY, 0, luck.told
    turn = lowest(seats)
    return settled, 0, turn, legal(box, s, turn, moves), luck.told


def see(boxes: Any, states: Any, sight: Any, seat: int) -> None:
    """What a seat may know of a state, into `sight`."""
    sight[0] = states[0]
    hide(boxes[0], sight[0], seat)


def judge(boxes: Any, states: Any, scores: Any) -> None:
    """The score of a state."""
    score(boxes[0], states[0], scores[0])
