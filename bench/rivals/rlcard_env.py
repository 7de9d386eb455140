"""RLCard's Leduc, which is not OpenSpiel's Leduc.

Rules of `leduc-holdem` 1.2, "Leduc with blinds":

- six cards, J, Q and K in two suits; one to each seat;
- no antes: one seat, drawn at random, puts in a small blind of 1 and opens; the other a big blind of 2;
- so the opener faces a bet from the start: it may call, raise or fold, but not check;
- *fold is always legal*, also when checking is free; call when facing a bet, check when not;
- raise while the round has had fewer than two raises: 2 chips in the first round, 4 in the second, on top of
  calling; the big blind does not count as a raise;
- a round ends when both have called or checked since the last raise, so the big blind may still raise;
- one public card between the rounds; the second round is opened by the seat after the one that acted last;
- a pair with the public card beats the higher rank; equal ranks share. Payoffs are in big blinds: half chips.

Random games are therefore shorter, the tree is another, and a row of ours counts here only for a Leduc with
these rules.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from random import Random
from typing import Any

import rlcard

from bench.rivals.measured import Measured, Played, Tree, timed

CHIPS_PER_PAYOFF = 2


def _play(env: Any, luck: Random, games: int) -> Played:
    uniform = luck.random
    decisions = 0
    squares = 0
    returned = 0.0
    returned_squared = 0.0
    for _ in range(games):
        state, first = env.reset()
        length = 0
        while not env.is_over():
            actions = list(state["legal_actions"])
            state, _ = env.step(actions[int(uniform() * len(actions))])
            length += 1
        decisions += length
        squares += length * length
        value = float(env.get_payoffs()[first]) * CHIPS_PER_PAYOFF
        returned += value
        returned_squared += value * value
    return Played(games, decisions, squares, returned, returned_squared)


def random_games(seconds: float, seed: int) -> Measured:
    """Random games of Leduc with blinds through `rlcard.make`, `reset` and `step`."""
    env = rlcard.make("leduc-holdem", config={"seed": seed})
    luck = Random(seed)
    return timed(lambda games: _play(env, luck, games), seconds, "Python loop over step")


def tree() -> Tree:
    """The whole tree with the small blind in seat 0; RLCard deals in its reset, so chance has no nodes.

    Every ordered deal of three of the six cards is laid out; what happens before the public card is dealt
    counts once for the four public cards that may follow.
    """
    env = rlcard.make("leduc-holdem", config={"seed": 0, "allow_step_back": True})
    deals = list(permutations(range(6), 3))
    decisions = Fraction(0)
    terminals = Fraction(0)
    length = Fraction(0)
    returned = Fraction(0)
    for deal in deals:
        while env.reset()[1] != 0:
            pass
        game = env.game
        cards = [player.hand for player in game.players] + game.dealer.deck
        cards.sort(key=lambda card: (card.rank, card.suit))
        game.players[0].hand, game.players[1].hand = cards[deal[0]], cards[deal[1]]
        # Cards are dealt from the end of the deck.
        game.dealer.deck = [cards[number] for number in range(6) if number not in deal] + [cards[deal[2]]]
        below = _subtree(env)
        decisions += below[0]
        terminals += below[1]
        length += below[2] / len(deals)
        returned += below[3] / len(deals)
    if decisions.denominator != 1 or terminals.denominator != 1:
        raise AssertionError("histories were counted in parts")
    return Tree(None, int(decisions), int(terminals), length, returned)


def _subtree(env: Any) -> tuple[Fraction, Fraction, Fraction, Fraction]:
    """Decisions and ends as shares of a history, mean length, mean return of the opener in chips."""
    share = Fraction(1, 4) if env.game.round_counter == 0 else Fraction(1)
    actions = list(env.get_state(env.get_player_id())["legal_actions"])
    decisions = share
    terminals = Fraction(0)
    length = Fraction(1)
    returned = Fraction(0)
    for action in actions:
        env.step(action)
        if env.is_over():
            terminals += share
            returned += Fraction(float(env.get_payoffs()[0])) * CHIPS_PER_PAYOFF / len(actions)
        else:
            below = _subtree(env)
            decisions += below[0]
            terminals += below[1]
            length += below[2] / len(actions)
            returned += below[3] / len(actions)
        env.step_back()
    return decisions, terminals, length, returned
