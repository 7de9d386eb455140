"""A bot from outside, for Liar's Dice: it bids what it believes, and doubts the rest. Anywhere else it takes what is
offered first.

    samizdat arena liars-dice --bots novice,examples/honest_bot/honest.py:Honest
"""

from __future__ import annotations

from samizdat.kernel.match import Sight
from samizdat.kernel.moves import Move

FACES = 6


class Honest:
    def choose(self, sight: Sight) -> Move:
        moves = sight.legal()
        if sight.game.name != "liars-dice":
            return moves[0]
        seen = dict(sight.state.items())
        mine = seen["face"][sight.seat][: seen["dice"]]
        others = seen["dice"] * (seen["seats"] - 1)
        for move in moves:
            if move.kind == "bid" and int(move.args["count"]) <= mine.count(int(move.args["face"])) + others / FACES:
                return move
        return moves[-1]
