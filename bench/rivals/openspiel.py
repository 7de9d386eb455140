"""OpenSpiel, from Python and through the C++ rollouts of its own tree search.

Rules, with the default parameters of `connect_four`, `kuhn_poker` and `leduc_poker`:

- Connect Four: 7 columns, 6 rows, four in a row; the first seat moves first; +1, 0 or -1.
- Kuhn: cards 0, 1, 2; one to each seat, seat 0's first; ante 1; seat 0 opens. Pass or bet 1. Two passes: the
  higher card wins 1. A bet answered by a pass: the bettor wins 1. A bet answered by a bet: the higher card
  wins 2. After pass and bet, seat 0 decides once more.
- Leduc: cards 0 to 5, rank is card // 2; one to each seat; ante 1. Two rounds, seat 0 opens both; a public
  card is dealt between them. Call (or check) always; fold only when facing a raise; raise while the round has
  had fewer than two: 2 chips in the first round, 4 in the second, on top of calling. A round ends when both
  have called since the last raise. A pair with the public card beats the higher rank; equal ranks share.

Chance is explicit: each deal of one card is a node of its own. All deals are uniform, so the loop below draws
from the legal actions at a chance node too, which is quicker than asking for the probabilities.
"""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from random import Random
from time import perf_counter

import pyspiel

from bench.rivals.measured import Measured, Played, Tree, timed

# A prime, so that "mean return times rollouts is a whole number" can hold only if that many were played.
ROLLOUTS = 10_007

# Standard deviation of the first mover's return in one random game; the evaluator tells only means.
RETURN_DEVIATION = {"connect_four": 0.992, "kuhn_poker": 1.452, "leduc_poker": 4.513}


def _play(game: pyspiel.Game, luck: Random, games: int) -> Played:
    uniform = luck.random
    has_chance = game.max_chance_outcomes() > 0
    decisions = 0
    squares = 0
    returned = 0.0
    returned_squared = 0.0
    for _ in range(games):
        state = game.new_initial_state()
        length = 0
        while not state.is_terminal():
            if not has_chance or not state.is_chance_node():
                length += 1
            actions = state.legal_actions()
            state.apply_action(actions[int(uniform() * len(actions))])
        decisions += length
        squares += length * length
        value = state.returns()[0]
        returned += value
        returned_squared += value * value
    return Played(games, decisions, squares, returned, returned_squared)


def from_python(name: str, seconds: float, seed: int) -> Measured:
    """Random games with a Python loop around `pyspiel` states."""
    game = pyspiel.load_game(name)
    luck = Random(seed)
    return timed(lambda games: _play(game, luck, games), seconds, "Python loop over pyspiel states")


def _dealt(game: pyspiel.Game) -> list[pyspiel.State]:
    """Every position that the opening deals lead to; they are equally likely."""
    pending = [game.new_initial_state()]
    ready = []
    while pending:
        state = pending.pop()
        if state.is_chance_node():
            pending.extend(state.child(card) for card in state.legal_actions())
        else:
            ready.append(state)
    return ready


def from_cpp(name: str, seconds: float, seed: int) -> Measured:
    """Random games played inside C++ by `RandomRolloutEvaluator`.

    Python can reach the evaluator only through `MCTSBot`. A search of a single simulation grows no tree: it
    evaluates the root, which plays ROLLOUTS games from it and keeps the mean return of the seat to move.

    A root that is a chance node indexes its returns with the chance player's number (-1) and crashes, so
    Kuhn and Leduc start from every opening deal in turn, equally often. The opening deal is then not timed,
    which favours OpenSpiel; the public card of Leduc is drawn inside the rollouts.

    The evaluator tells no lengths. It plays the same C++ states as the Python loop, so the mean length is
    taken from a short run of that, and decisions are games times that mean; what the rollouts themselves tell
    is the mean return, to be compared instead.
    """
    game = pyspiel.load_game(name)
    roots = _dealt(game)
    bot = pyspiel.MCTSBot(
        game,
        pyspiel.RandomRolloutEvaluator(n_rollouts=ROLLOUTS, seed=seed),
        uct_c=1.0,
        max_simulations=1,
        max_memory_mb=1,
        solve=False,
        seed=seed,
        verbose=False,
    )
    for root in roots:
        bot.mcts_search(root)
    games = 0
    returned = 0.0
    spent = 0.0
    while spent < seconds:
        before = perf_counter()
        nodes = [bot.mcts_search(root) for root in roots]
        spent += perf_counter() - before
        for node in nodes:
            total = node.total_reward * ROLLOUTS
            if node.explore_count != 1 or node.player != 0 or abs(total - round(total)) > 1e-6:
                raise AssertionError(f"{name}: the search did not evaluate its root just once")
            games += ROLLOUTS
            returned += total
    lengths = from_python(name, min(seconds, 0.5), seed)
    return Measured(
        games=games,
        decisions=round(games * lengths.mean_length),
        seconds=spent,
        mean_length=lengths.mean_length,
        note=f"C++ rollouts, {ROLLOUTS} an evaluation; length from the Python loop",
        length_error=lengths.length_error,
        mean_return=returned / games,
        return_error=RETURN_DEVIATION[name] / sqrt(games),
    )


def perft(depth: int, opening: tuple[int, ...] = ()) -> int:
    """Connect Four: legal move sequences of length `depth` after `opening`."""
    state = pyspiel.load_game("connect_four").new_initial_state()
    for column in opening:
        state.apply_action(column)
    return _sequences(state, depth)


def _sequences(state: pyspiel.State, depth: int) -> int:
    if state.is_terminal():
        return 0
    columns = state.legal_actions()
    if depth == 1:
        return len(columns)
    return sum(_sequences(state.child(column), depth - 1) for column in columns)


def tree(name: str) -> Tree:
    """Kuhn or Leduc: the whole tree."""
    return _subtree(pyspiel.load_game(name).new_initial_state())


def _subtree(state: pyspiel.State) -> Tree:
    if state.is_terminal():
        return Tree(0, 0, 1, Fraction(0), Fraction(state.returns()[0]))
    chance = state.is_chance_node()
    actions = state.legal_actions()
    if chance and any(abs(share * len(actions) - 1) > 1e-9 for _, share in state.chance_outcomes()):
        raise AssertionError("a deal is not uniform")
    below = [_subtree(state.child(action)) for action in actions]
    return Tree(
        chance=int(chance) + sum(child.chance or 0 for child in below),
        decisions=int(not chance) + sum(child.decisions for child in below),
        terminals=sum(child.terminals for child in below),
        mean_length=int(not chance) + sum(child.mean_length for child in below) / Fraction(len(below)),
        mean_return=sum((child.mean_return for child in below), Fraction(0)) / len(below),
    )
