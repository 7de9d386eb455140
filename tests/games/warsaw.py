"""Mali Powstańcy: positions for its tests, written as scenes write them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import samizdat
from samizdat.games.mali_powstancy import GAME
from samizdat.kernel.luck import Luck, seed_luck
from samizdat.kernel.match import Match
from samizdat.kernel.scenes import Scene, set_scene

cites = pytest.mark.rules
NAME = "mali-powstancy"
BOX: Any = GAME.standard_box.record
NAMES = GAME.standard_box.names
COLOURS = {"red": 0, "orange": 1, "green": 2, "violet": 3}
FAR = {1: "port", 2: "port", 3: "port"}


def position(
    variant: str = "base", players: int = 2, lawless: bool = False, given: Any = None, **options: Any
) -> Match:
    """A match at a position written as in a scene."""
    chosen = {"players": players, "variant": variant, **options}
    return set_scene(GAME, Scene(Path("test"), "", "", "", (), chosen, given or {}, [], lawless, ""))


def turn(who: str = "red", **given: Any) -> dict[str, Any]:
    """What is given for a turn of one colour; `where` and `carried` as scenes write `at` and `carries`."""
    return {"point": "turn", "chooser": who, "place": {}, **given}


def at(**teams: Any) -> dict[str, Any]:
    return {colour: {str(scout): space for scout, space in scouts.items()} for colour, scouts in teams.items()}


def moves(match: Match, seat: int, *kinds: str) -> list[str]:
    return [str(move) for move in match.legal(seat) if not kinds or move.kind in kinds]


def state(match: Match) -> Any:
    return match._state


def space(name: str) -> int:
    return NAMES["spaces"].index(name)


def order(name: str) -> int:
    return NAMES["orders"].index(name)


def luck() -> Luck:
    found = Luck()
    seed_luck(found, 3)
    return found


def count(match: Match, place: int) -> int:
    return sum(state(match).place[number] == place for number in range(BOX.orders))


def refused(match: Match, seat: int, move: str) -> str:
    with pytest.raises(samizdat.IllegalMove) as caught:
        match.play(seat, move)
    return caught.value.rule
