"""A War of Whispers: what a seat sees, in plain data and in sentences; made from its hidden record only."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from samizdat.games.war_of_whispers.box import FARM, FORTRESS
from samizdat.games.war_of_whispers.laws import agents_due
from samizdat.games.war_of_whispers.points import POINTS
from samizdat.games.war_of_whispers.refusals import why_not
from samizdat.games.war_of_whispers.rules_attack import may_send
from samizdat.games.war_of_whispers.rules_council import controller, on_map
from samizdat.games.war_of_whispers.rules_hand import cards_of, deck_size
from samizdat.games.war_of_whispers.rules_loyalty import swapped
from samizdat.games.war_of_whispers.rules_map import active_empire, cities, icons, regions_of
from samizdat.games.war_of_whispers.rules_scoring import agents_in, final_points, token_points
from samizdat.games.war_of_whispers.state import (
    ACTION_WORDS,
    BEFORE,
    DEPLOY,
    EMPIRES,
    FORCE,
    LIFT,
    NOBODY,
    NOTHING,
    NOWHERE,
    OVER,
    PLACE,
    POSITIONS,
    POSTS,
    REASONS,
    RESET,
    SLOTS,
    TARGET,
    State,
)
from samizdat.games.war_of_whispers.story import tell
from samizdat.kernel.game import Game
from samizdat.kernel.shows import seat_id

__all__ = [
    "AXES",
    "FIGURES",
    "SEATS_BY_NAME",
    "SEAT_NAMES",
    "WORDS",
    "arrange",
    "round_of",
    "seat_id",
    "tell",
    "view",
    "why_not",
]

# How scenes name things: seats by society, and the axes (then the values) of the state's fields.
SEAT_NAMES = "societies"
SEATS_BY_NAME = True
WORDS = {"points": POINTS.words, "kinds": ACTION_WORDS, "reasons": REASONS}
AXES = {
    "point": ("points",),
    "window": ("points",),
    "first": ("societies",),
    "player": ("societies",),
    "holder": ("regions", "empires"),
    "army": ("regions",),
    "reserve": ("empires",),
    "agent": ("councils", "societies"),
    "stationed": ("societies",),
    "loyalty": ("societies", "slots", "empires"),
    "shown": ("societies",),
    "hand": ("societies", "cards"),
    "held": ("societies", "empires"),
    "cities": ("empires",),
    "points": ("societies",),
    "marker": ("councils",),
    "post": ("councils",),
    "ability": ("abilities",),
    "used_on": ("regions",),
    "source": ("regions",),
    "target": ("regions",),
    "attacked": ("regions",),
    "colour": ("empires",),
    "reason": ("reasons",),
}
EMPIRE_WORDS = ("Bear", "Eagle", "Elephant", "Lion", "Horse")


def _cities_of(empire: int) -> Callable[[npt.NDArray[Any]], npt.NDArray[Any]]:
    return lambda states: states["cities"][:, empire].astype(np.int64)


def _points_of_most_loyal(empire: int) -> Callable[[npt.NDArray[Any]], npt.NDArray[Any]]:
    """Points of the player with an empire on the highest slot at the end; of several, their average."""

    def figure(states: npt.NDArray[Any]) -> npt.NDArray[Any]:
        seats = int(states["seats"][0])
        slots = (states["loyalty"][:, :seats] == empire).argmax(axis=2)
        most = slots == slots.min(axis=1, keepdims=True)
        return (states["points"][:, :seats] * most).sum(axis=1) / most.sum(axis=1)  # type: ignore[no-any-return]

    return figure


def _points_in_turn(from_first: int) -> Callable[[npt.NDArray[Any]], npt.NDArray[Any]]:
    """Points of a player by turn order in the first round: 0 is the first player, -1 the last."""

    def figure(states: npt.NDArray[Any]) -> npt.NDArray[Any]:
        seat = (states["first"].astype(np.int64) - states["rounds"] + from_first) % states["seats"]
        return np.take_along_axis(states["points"], seat[:, None], axis=1)[:, 0].astype(np.int64)

    return figure


def _tokens_swapped(states: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Loyalty tokens turned up by all players together."""
    bits = (states["shown"].astype(np.int64)[:, :, None] >> np.arange(SLOTS)) & 1
    return bits.sum(axis=(1, 2))  # type: ignore[no-any-return]


# What `samizdat sim` reports of finished games besides points and lengths: one number a game.
FIGURES: dict[str, Callable[[npt.NDArray[Any]], npt.NDArray[Any]]] = {
    **{f"cities of {word}": _cities_of(empire) for empire, word in enumerate(EMPIRE_WORDS)},
    **{f"points if loyal to {word}": _points_of_most_loyal(e) for e, word in enumerate(EMPIRE_WORDS)},
    "points of the first player": _points_in_turn(0),
    "points of the last player": _points_in_turn(-1),
    "tokens swapped": _tokens_swapped,
}


def round_of(game: Game, s: State, seat: int) -> int:
    """The round that lines of the record are counted by."""
    return int(s.rounds)


def view(game: Game, s: State, seat: int) -> dict[str, Any]:
    """Everything on the table, and the seat's own cards and tokens."""
    names = game.box.names
    record: Any = game.box.record
    data: dict[str, Any] = {
        "point": POINTS.words[s.point],
        "round": s.rounds,
        "first_player": s.first,
        "marker": names["councils"][s.marker] if BEFORE <= s.point < RESET else None,
        "resolving": _resolving(game, s) if BEFORE <= s.point < RESET else None,
        "regions": [_region(game, s, region) for region in range(len(names["regions"]))],
        "empires": [_empire(game, s, empire) for empire in range(EMPIRES)],
        "councils": [
            {"id": names["councils"][post], "agent": _none(s.agent[post]), "controller": _none(controller(s, post))}
            for post in range(POSTS)
        ],
        "players_at_table": [_player(game, s, other, seat) for other in range(s.seats)],
        "agents_to_place": int(record.deploys[s.seats]) - s.step // s.seats if s.point == DEPLOY else None,
        "discarding": [other for other in range(s.seats) if (s.shedding >> other) & 1],
        "reason": REASONS[s.reason] if s.point == OVER else None,
    }
    if s.point == OVER:
        data["score_sheet"] = score_sheet(game, s)
    return data


def _none(value: int) -> int | None:
    return None if value == NOBODY else value


def _name(game: Game, table: str, index: int) -> str | None:
    return None if index == NOBODY else game.box.names[table][index]


def _region(game: Game, s: State, region: int) -> dict[str, Any]:
    return {
        "id": game.box.names["regions"][region],
        "controlled_by": game.box.names["empires"][s.holder[region]],
        "banners": s.army[region],
        "agents": [seat for seat in range(s.seats) if (s.stationed[seat] >> region) & 1],
    }


def _empire(game: Game, s: State, empire: int) -> dict[str, Any]:
    printed: Any = game.box.record
    return {
        "id": game.box.names["empires"][empire],
        "reserve": s.reserve[empire],
        "regions": regions_of(printed, s, empire).bit_count(),
        "cities": cities(printed, s, empire),
        "farms": icons(printed, s, empire, FARM),
        "fortresses": icons(printed, s, empire, FORTRESS),
        "deck": deck_size(printed, s, empire),
    }


def _player(game: Game, s: State, other: int, seat: int) -> dict[str, Any]:
    names = game.box.names
    own = other == seat
    return {
        "society": names["societies"][other],
        "agents_on_board": sum(s.agent[post] == other for post in range(POSTS)) + s.stationed[other].bit_count(),
        "cards": {id: s.held[other, empire] for empire, id in enumerate(names["empires"])},
        "hand": _hand(game, s, other) if own else None,
        "to_discard": _to_discard(game, s, other) if own and s.point == RESET else None,
        "loyalty": {id: _name(game, "empires", s.loyalty[other, slot]) for slot, id in enumerate(names["slots"])},
        "swapped": [id for slot, id in enumerate(names["slots"]) if (s.shown[other] >> slot) & 1],
    }


def _hand(game: Game, s: State, seat: int) -> dict[str, int]:
    return {id: s.hand[seat, face] for face, id in enumerate(game.box.names["cards"]) if s.hand[seat, face]}


def _to_discard(game: Game, s: State, seat: int) -> int:
    printed: Any = game.box.record
    return int(max(0, sum(s.hand[seat, face] for face in range(printed.faces)) - printed.hand_limit))


def _resolving(game: Game, s: State) -> dict[str, Any]:
    """What the seat at the marker is in the middle of."""
    names = game.box.names
    printed: Any = game.box.record
    return {
        "seat": names["councils"][s.post],
        "empire": names["empires"][active_empire(s)],
        "action": None if s.last == NOTHING else game.box.text.ids("actions")[s.last],
        "ability": _name(game, "abilities", s.ability),
        "paid": _name(game, "cards", s.paid),
        "used_on": _name(game, "regions", s.used_on),
        "source": _name(game, "regions", s.source),
        "target": _name(game, "regions", s.target),
        "banners_attacking": s.force,
        "banners_to_place": s.todo,
        "banners_of": names["empires"][s.colour] if s.point in (LIFT, PLACE) else None,
        "may_march": may_send(printed, s, active_empire(s), s.source) if s.point in (TARGET, FORCE) else None,
        "targets_opened": [word for bit, word in enumerate(("empty", "all")) if (s.reach >> bit) & 1],
        "latest_attack": None
        if s.attacked == NOWHERE
        else {"region": names["regions"][s.attacked], "left": s.left, "enemies_destroyed": s.killed},
    }


def score_sheet(game: Game, s: State) -> list[dict[str, Any]]:
    """R16, R17.3, V2: what each seat scored, token by token."""
    printed: Any = game.box.record
    names = game.box.names
    sheet = []
    for seat in range(s.seats):
        lines = [
            {
                "slot": names["slots"][slot],
                "empire": names["empires"][s.loyalty[seat, slot]],
                "cities": s.cities[s.loyalty[seat, slot]],
                "agents": agents_in(printed, s, seat, s.loyalty[seat, slot]),
                "value": printed.value[slot],
                "points": token_points(printed, s, seat, slot),
            }
            for slot in range(SLOTS)
        ]
        hidden = SLOTS - swapped(s, seat) if s.point_per_hidden_loyalty else 0
        sheet.append(
            {
                "tokens": lines,
                "hidden": hidden,
                "total": sum(line["points"] for line in lines) + hidden,
                "swapped": swapped(s, seat),
                "cards": cards_of(s, seat),
            }
        )
    return sheet


# --- Scenes ---------------------------------------------------------------------------------------------


def arrange(game: Game, s: State, given: dict[str, Any]) -> None:
    """Fill in what follows from a scene's given fields.

    A map is given by `army` and `holder` and begins empty; reserves follow. Hands give what is held and the order
    of draws. Agents that a society must have besides those given sit in other councils. The marker gives the seat
    acted for and its controller.
    """
    printed: Any = game.box.record
    if "army" in given:
        _arrange_map(game, s, given)
    if "hand" in given:
        for empire in range(EMPIRES):
            entry = 0
            for seat in range(s.seats):
                s.held[seat, empire] = sum(
                    s.hand[seat, face] for face in range(printed.faces) if printed.deck[face] == empire
                )
                for _ in range(s.held[seat, empire]):
                    s.drawn[empire, entry] = seat
                    entry += 1
    _arrange_agents(game, s, given)
    if "marker" in given:
        if "post" not in given:
            s.post = s.marker
        s.player = controller(s, s.marker)
    if "loyalty" in given and "sworn" not in given:
        for seat in range(s.seats):
            s.sworn[seat] = s.loyalty[seat, 0]
    if s.point == OVER:
        for empire in range(EMPIRES):
            s.cities[empire] = cities(printed, s, empire)
        for seat in range(s.seats):
            s.points[seat] = final_points(printed, s, seat)


def _arrange_agents(game: Game, s: State, given: dict[str, Any]) -> None:
    printed: Any = game.box.record
    named = {game.box.names["councils"].index(id) // POSITIONS for id in given.get("agent", {})}
    free = [post for post in reversed(range(POSTS)) if post // POSITIONS not in named and s.agent[post] == NOBODY]
    for seat in range(s.seats):
        missing = agents_due(printed, s, seat) - on_map(s, seat) - sum(s.agent[post] == seat for post in range(POSTS))
        for _ in range(max(0, missing)):
            s.agent[free.pop(0)] = seat


def _arrange_map(game: Game, s: State, given: dict[str, Any]) -> None:
    printed: Any = game.box.record
    for region, id in enumerate(game.box.names["regions"]):
        if id not in given["army"]:
            s.army[region] = 0
        if id not in given.get("holder", {}):
            s.holder[region] = printed.home[region]
    for empire in range(EMPIRES):
        on_map = sum(s.army[region] for region in range(printed.regions) if s.holder[region] == empire)
        s.reserve[empire] = printed.banners - on_map
