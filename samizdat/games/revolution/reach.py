"""Revolution!: what can come about with one box, one choice of options and so many players."""

from __future__ import annotations

from typing import Any

import numpy as np

from samizdat.games.revolution.state import AREAS, CHARACTERS, GOLD, OVER, OWNERS, SEATS, TOKENS
from samizdat.kernel.game import Game
from samizdat.kernel.reach import Reach, first, members, up_to


def reach(game: Game) -> dict[str, Reach]:
    printed: Any = game.box.record
    players, rounds = game.players, game.options["max_rounds"]
    seats = first(players, SEATS, 1)
    gains, hand = _tokens(game)
    takes = 1 - np.array([[printed.refuses[who, token] for token in range(TOKENS)] for who in range(CHARACTERS)])
    takes[printed.characters :] = 0
    spaces = [min(printed.spaces[area], printed.followers) for area in range(AREAS)]
    points = sorted((printed.vp[who] for who in range(printed.characters)), reverse=True)
    return {
        "point": up_to(OVER),  # nobody decides anything at EVALUATION
        "rounds": up_to(rounds),
        "sealed": up_to(members(players)),
        "settling": up_to(printed.characters),
        "chooser": up_to(players - 1),
        "first": up_to(printed.areas * OWNERS - 1),
        # R5.3, R6.3: in a round one player wins no more characters than may be bid on; R8 is not counted in here.
        "points": up_to(seats * rounds * sum(points[: printed.most_characters])),
        "held": up_to(np.outer(seats, hand)),
        "gained": up_to(np.outer(seats, hand if game.options["refund"] else gains)),
        "followers": up_to(np.outer(spaces, seats)),
        "stock": up_to(seats * printed.followers),
        "bid": up_to(seats[:, None, None] * takes * hand),
        "left": up_to(np.outer(seats, hand)),
        "cursor": up_to(seats * (printed.characters * TOKENS - 1)),
        "people": up_to(seats * printed.most_characters),
    }


def _tokens(game: Game) -> tuple[Any, Any]:
    """Of each kind: what one player can gain in a round (R5.3, R6.3), and hold."""
    printed: Any = game.box.record
    people = range(printed.characters)
    gains = np.zeros(TOKENS, np.int64)
    for token in range(TOKENS):
        rewards = sorted((printed.reward[who, token] for who in people), reverse=True)
        gains[token] = sum(rewards[: printed.most_characters])
    # R7.2: whoever is given Gold then has no more than the floor of it.
    least = np.array([max(printed.start[token], printed.token_floor * (token == GOLD)) for token in range(TOKENS)])
    if game.options["refund"]:
        return gains, least + game.options["max_rounds"] * gains
    return gains, np.maximum(least, gains)
