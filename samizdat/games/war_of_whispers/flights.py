"""A War of Whispers: which pieces the latest decision moved, from where to where, so that they are seen to glide."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from samizdat.games.war_of_whispers import state as e
from samizdat.games.war_of_whispers.state import NOBODY, NOWHERE
from samizdat.kernel.game import Game
from samizdat.kernel.telling import Told

Flight = dict[str, Any]

MARCH = "#march"  # banners on their way, while their attack is being decided
ARRIVES = (e.FORTRESS, e.FIGHTS, e.TAKES, e.HOLDS, e.EMPTIED)


def flights_of(game: Game, view: Mapping[str, Any], last: Sequence[Told]) -> list[Flight]:
    """Agents and banners that changed their place, by where they are drawn (selectors of elements)."""
    return [*_agents(game, last), *_marches(game, last), *_reserves(game, view, last)]


def _region(game: Game, number: int) -> str:
    return f"#region-{game.box.names['regions'][number]} .wow-focus rect"


def _post(game: Game, number: int) -> str:
    return f"#post-{game.box.names['councils'][number]} .slot"


def _council(game: Game, empire: int) -> str:
    return f"#council-{game.box.names['empires'][empire]} .hd"


def _plate(seat: int) -> str:
    return f"#seat-{seat} .badge"


def _agents(game: Game, last: Sequence[Told]) -> list[Flight]:
    """R5, R11, A15: agents come from their owner's plate and go back there, or change seats."""
    found: list[Flight] = []
    for one in last:
        seat = one.args[0]
        if one.event in (e.DEPLOYS, e.STATIONS):
            place = _post if one.event == e.DEPLOYS else _region
            found.append({"agent": seat, "from": _plate(seat), "to": place(game, one.args[1])})
        elif one.event in (e.RETRIEVES, e.RECALLS):
            place = _post if one.event == e.RETRIEVES else _region
            found.append({"agent": seat, "from": place(game, one.args[1]), "to": _plate(seat)})
        elif one.event in (e.SWAPS_SEATS, e.MOVES_AGENT):
            here, there = _post(game, one.args[1]), _post(game, one.args[2])
            found.append({"agent": seat, "from": here, "to": there})
            if one.event == e.SWAPS_SEATS and one.args[3] != NOBODY:
                found.append({"agent": one.args[3], "from": there, "to": here})
    return found


def _marches(game: Game, last: Sequence[Told]) -> list[Flight]:
    """R10 and cards: banners that march, join an attack, or reach the region they attack."""
    found: list[Flight] = []
    started = [one for one in last if one.event == e.ATTACKS]
    arrived = next((one for one in last if one.event in ARRIVES), None)
    if arrived is not None and started:
        found += [_marching(game, one) for one in started]
    elif arrived is not None:  # its banners have been standing on the way
        found.append({"same_as": MARCH, "from": MARCH, "to": _region(game, arrived.args[0])})
    for one in last:
        if one.event == e.MARCHES:
            found.append(_marching(game, one))
        elif one.event == e.JOINS:
            empire, banners, region = one.args[:3]
            here = _council(game, empire) if region == NOWHERE else _region(game, region)
            found.append(_banners(game, empire, banners, here, MARCH))
    return found


def _marching(game: Game, one: Told) -> Flight:
    empire, source, target, banners = one.args[:4]
    return _banners(game, empire, banners, _region(game, source), _region(game, target))


def _reserves(game: Game, view: Mapping[str, Any], last: Sequence[Told]) -> list[Flight]:
    """R7 and cards: banners that come from the reserve, or go back to it; it lies by the empire's council."""
    doing = view["resolving"] or {}
    left = next((game.box.names["regions"][one.args[1]] for one in last if one.event == e.DISPERSES), None)
    if left is None and doing.get("ability") == "dispersal":
        left = doing.get("used_on")
    found: list[Flight] = []
    for one in last:
        if one.event == e.PLACES:
            empire, region, banners = one.args[:3]
            here = _region(game, game.box.names["regions"].index(left)) if left else _council(game, empire)
            found.append(_banners(game, empire, banners, here, _region(game, region)))
        elif one.event in (e.DESTROYS, e.SUPPLY, e.LIFTS):
            empire, region = one.args[:2]
            banners = 1 if one.event == e.LIFTS else one.args[2]
            found.append(_banners(game, empire, banners, _region(game, region), _council(game, empire)))
    return found


def _banners(game: Game, empire: int, banners: int, here: str, there: str) -> Flight:
    return {"empire": game.box.names["empires"][empire], "banners": banners, "from": here, "to": there}
