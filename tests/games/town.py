"""Revolution!: matches at given places, for its tests."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest

import samizdat
from samizdat.games.revolution import rules
from samizdat.kernel.game import definition
from samizdat.kernel.luck import Luck, seed_luck
from samizdat.kernel.match import Match
from samizdat.kernel.scenes import Scene, set_scene

cites = pytest.mark.rules


def new(**options: Any) -> Match:
    return samizdat.game("revolution", **{"players": 3, **options}).match(seed=1)


def dealt(players: int = 3, **options: Any) -> tuple[Any, Any, Luck]:
    """A box, a state after set-up and luck, for calling rules directly."""
    game = samizdat.game("revolution", players=players, **options)
    s: Any = game.blank()
    luck = Luck()
    seed_luck(luck, 5)
    rules.setup(game.box.record, s, luck)
    return game.box.record, s, luck


def bid(match: Match, seat: int, *tokens: str) -> None:
    """Lay tokens written like "priest F2 G1" and seal."""
    letters = {"F": "force", "B": "blackmail", "G": "gold"}
    for offer in tokens:
        character, *parts = offer.split()
        for part in parts:
            for _ in range(int(part[1:])):
                match.play(seat, f"bid {character} {letters[part[0]]}")
    match.play(seat, "done")


def special(point: str, followers: dict[str, dict[str, int]], **options: Any) -> Match:
    """Red has won the Spy or the Apothecary and is asked."""
    given = {
        "point": point, "chooser": "red", "settling": point, "sealed": 7, "followers": followers,
        "bid": {"red": {point: {"gold": 5}}},
    }  # fmt: skip
    scene = Scene(Path("special"), "", "", "", (), {"players": 3, "max_rounds": 1, **options}, given, [], False, "")
    return set_scene(definition("revolution"), scene)


def boards_by_counting(hand: tuple[int, int, int]) -> int:
    """How many legal boards a hand has, from their definition, sharing no code with the rules."""
    text = samizdat.game("revolution").box.text
    refuses = [(row["no_force"], row["no_blackmail"]) for row in text.tables["characters"]]
    ways: dict[tuple[int, int, int, int], int] = {(*hand, 6): 1}
    for no_force, no_blackmail in refuses:
        after: dict[tuple[int, int, int, int], int] = {}
        for (force, blackmail, gold, room), number in ways.items():
            for f, b, g in itertools.product(range(force + 1), range(blackmail + 1), range(gold + 1)):
                if (f and no_force) or (b and no_blackmail) or (f + b + g and not room):
                    continue
                key = (force - f, blackmail - b, gold - g, room - (f + b + g > 0))
                after[key] = after.get(key, 0) + number
        ways = after
    return sum(number for (force, blackmail, gold, _), number in ways.items() if force + blackmail + gold == 0)
