"""Counts the flow of a game in random games (kernel/flow.py).

python -m samizdat.lab.count_flow [GAME ...]
"""

from __future__ import annotations

import sys
from collections import Counter

import numpy as np

from samizdat.kernel.flow import DEAL, FILE, Flow, Way, write_flow
from samizdat.kernel.game import Definition, Game, definition, definitions
from samizdat.kernel.luck import Dice, Luck
from samizdat.kernel.points import OVER

GAMES = 400
SEED = 15


def count_flow(definition: Definition, games: int = GAMES) -> dict[str, Flow]:
    """Every variant, with as many players as it takes."""
    return {
        variant: Flow(games, _counted(definition.choose(players[-1], variant), games))
        for variant, players in definition.variants.items()
    }


def _counted(game: Game, games: int) -> Counter[Way]:
    """Ways from the deal to the end."""
    kind, points = game.definition.state, game.definition.points
    moves = game.definition.moves
    kinds = np.repeat(list(moves.kinds), [one.size for one in moves.kinds.values()])
    states = np.zeros(game.longest + 1, kind.dtype)
    acted = np.zeros((game.longest + 1, 3), np.int64)
    lucks, dices = np.zeros(1, Luck.dtype), np.zeros(1, Dice.dtype)
    times: Counter[Way] = Counter()
    for number in range(games):
        states[0] = game.blank().array[0]
        length = game.definition.native.trace(
            game.box.record.array, states, lucks, dices, SEED, number, game.moves_buffer(), acted
        )
        if points.over is None:
            names = [points.all[0].name] * length + [OVER]
        else:
            names = [points.words[at] for at in states["point"][: length + 1]]
        times[Way(DEAL, DEAL, names[0])] += 1
        times.update(map(Way, names, map(str, kinds[acted[:length, 1]]), names[1:]))
    return times


def main() -> None:
    for one in [definition(name) for name in sys.argv[1:]] or definitions().values():
        write_flow(count_flow(one), one.folder / FILE)


if __name__ == "__main__":
    main()
