"""Play a game with every index checked (`samizdat.kernel.checked`): rules, laws, secrets, in longer doses bots, too.

SAMIZDAT_CHECKED=1 python -m tests.wild GAME
"""

from __future__ import annotations

import random
import sys

import numpy as np

from samizdat.bots.thinking import Mind
from samizdat.kernel import checked
from samizdat.kernel.game import REDUCED, Game, definition
from samizdat.kernel.luck import Dice, Luck
from samizdat.kernel.scoring import Score
from tests.conftest import DOSE, every_game, plain_games

GAMES = 300 * DOSE
GAMES_SEEN = 5 * DOSE  # with a look at what every seat sees and guesses at every decision
SEARCHES = 12 * DOSE
SIMULATIONS = 60  # of each search


def play(game: Game) -> int:
    """Random games under their laws; the number of decisions."""
    state = game.definition.state.dtype
    found = np.zeros(3, np.int64)
    played: int = game.definition.native.simulate_lawful(
        game.box.record.array, game.blank().array, np.zeros(GAMES, state), np.zeros(GAMES, Score.dtype),
        np.zeros(GAMES, np.int64), np.zeros(1, Luck.dtype), np.zeros(1, Dice.dtype), 1944, 0, game.moves_buffer(),
        game.longest, found,
    )  # fmt: skip
    assert not found.any(), found
    return played


def look(game: Game) -> None:
    """The same with hidden and guessed records."""
    state = game.definition.state.dtype
    states = np.zeros(5, state)
    states[4] = game.blank().array[0]
    found = np.zeros(4, np.int64)
    game.definition.native.check_secrets(
        game.box.record.array, states, states.view(np.uint8).reshape(5, state.itemsize), np.zeros(2, Luck.dtype),
        np.zeros(2, Dice.dtype), 1980, 0, GAMES_SEEN, game.players, game.moves_buffer(rows=2), game.longest, found,
    )  # fmt: skip
    assert not found.any(), found


def think(game: Game) -> None:
    """Bots at some positions of random matches."""
    rng = random.Random(1944)
    match, thought = game.match(seed=0), 0
    while thought < SEARCHES:
        if match.over:
            match = game.match(seed=thought)
        seat = rng.choice(match.turn)
        moves = match.legal(seat)
        if len(moves) > 1 and rng.random() < 0.1:
            Mind().think(match.sight(seat), seed=thought, simulations=SIMULATIONS)
            thought += 1
        match.play(seat, rng.choice(moves))


def main() -> None:
    (name,) = sys.argv[1:]
    assert checked.CHECKED, "set SAMIZDAT_CHECKED=1"
    games = [game for game in every_game() if game.name == name]
    games.append(definition(name).choose(box=REDUCED))
    decisions = 0
    for game in games:
        decisions += play(game)
        look(game)
    if DOSE > 1:  # to compile the search with its checks takes half as long again
        for game in plain_games():
            if game.name == name:
                think(game)
    print(f"{name}: {len(games)} ways of setting it up, {decisions} decisions, every index within its bounds")


if __name__ == "__main__":
    main()
