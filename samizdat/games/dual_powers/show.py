"""Dual Powers: what a seat sees, in plain data and in sentences; made from its hidden record only."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from samizdat.games.dual_powers.points import POINTS, STEPS
from samizdat.games.dual_powers.refusals import why_not
from samizdat.games.dual_powers.rules_cards import faction_of, is_opposition
from samizdat.games.dual_powers.rules_opposition import opposition_supply
from samizdat.games.dual_powers.rules_scoring import current_value, strength, stronger, unrest_points, winner_of
from samizdat.games.dual_powers.state import (
    DECK,
    DISCARDED,
    END_OF_TRACK,
    FACTIONS,
    GONE,
    HAND,
    LEVELS,
    MOST_DRAWN,
    NEUTRAL,
    NOBODY,
    NONE,
    OBJECTIVE,
    OBJECTIVE_SPACE,
    OCTOBER,
    ON_TABLE,
    OVER,
    PILE,
    REASONS,
    RED,
    SOLITAIRE,
    SUPPLY,
    THIRD_ROUND,
    UNSEEN,
    WAITING,
    State,
)
from samizdat.games.dual_powers.story import tell
from samizdat.kernel.game import Game
from samizdat.kernel.telling import Many

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

FACTION_WORDS = ("red", "white")
OWNER_WORDS = ("red", "white", "neutral")
POINT_WORDS = tuple(STEPS.get(id, name) for id, name in enumerate(POINTS.words))
CARD_PLACES = ("deck", "discard", "table", "red_hand", "white_hand", "objective", "pile", "out_of_sight")

# How scenes name things: seats by faction (in solitaire the one seat is 0, or red), and the axes of the fields.
SEAT_NAMES = "factions"
SEATS_BY_NAME = False  # the factions are components, too; in sentences whoever plays them stands for them
WORDS = {"factions": FACTION_WORDS, "points": POINT_WORDS, "card_places": CARD_PLACES}
AXES: dict[str, tuple[str | None, ...]] = {
    "faction": ("factions",),
    "point": ("points",),
    "first": ("factions",),
    "decider": ("factions",),
    "card": ("commands",),
    "leader": ("leaders",),
    "token": ("tokens",),
    "will": ("factions",),
    "month": ("months",),
    "unrest": ("regions",),
    "barred": ("regions",),
    "removed": ("regions",),
    "blockade": ("connections",),
    "marker": (None, "regions"),
    "at": ("tokens", "places"),
    "tired": ("tokens",),
    "led": ("leaders",),
    "opposition": ("levels", "regions"),
    "opposition_tired": ("levels", "regions"),
    "where": ("commands", "card_places"),
    "objective": ("factions", "commands"),
    "face_up": ("factions",),
    "hand_size": ("factions",),
    "line": (None, "commands"),
    "kept_by": ("factions",),
    "objective_kept": ("factions",),
}


def points_word(n: int) -> Many:
    return Many("{n} point", "{n} points", n)


def _red_wins(states: npt.NDArray[Any]) -> npt.NDArray[Any]:
    won: npt.NDArray[Any] = (states["score"] > 0) | ((states["score"] == 0) & (states["will"] == RED))
    return won


# What `samizdat sim` reports of finished games besides points and lengths: one number a game.
FIGURES: dict[str, Callable[[npt.NDArray[Any]], npt.NDArray[Any]]] = {
    "red wins": lambda states: _red_wins(states).astype(np.int64),
    "white wins": lambda states: (~_red_wins(states)).astype(np.int64),
    "rounds": lambda states: states["rounds"].astype(np.int64),
    "score, + for red": lambda states: states["score"].astype(np.int64),
    "ended at the end of the track": lambda states: (states["reason"] == END_OF_TRACK).astype(np.int64),
    "ended in October or November": lambda states: (states["reason"] == OCTOBER).astype(np.int64),
    "ended after the third round": lambda states: (states["reason"] == THIRD_ROUND).astype(np.int64),
    "reshuffles of the deck": lambda states: states["reshuffles"].astype(np.int64),
}


def seat_id(game: Game, seat: int) -> str:
    """The faction of a seat: in solitaire one chooses it."""
    return str(game.options["faction"]) if game.variant == "solitaire" else FACTION_WORDS[seat]


# --- The view -----------------------------------------------------------------------------------------------


def round_of(game: Game, s: State, seat: int) -> int:
    """The round that lines of the record are counted by."""
    return int(s.rounds)


def view(game: Game, s: State, seat: int) -> dict[str, Any]:
    """Everything on the table, and the seat's own hand."""
    names = game.box.names
    printed: Any = game.box.record
    commands = names["commands"]
    data: dict[str, Any] = {
        "point": POINT_WORDS[s.point],
        "round": s.rounds,
        "turns_begun": 0 if s.point == OBJECTIVE else s.turns,
        "decides": FACTION_WORDS[s.decider] if s.point not in (OBJECTIVE, OVER) else None,
        "month": names["months"][s.month],
        "day": s.day,
        "score": s.score,
        "track": printed.track,
        "will_of_the_people": FACTION_WORDS[s.will],
        "unrest": names["regions"][s.unrest],
        "unrest_points": unrest_points(printed, s),
        "blockade_tile": names["regions"][s.barred],
        "blockade": names["connections"][s.blockade],
        "tiles_removed": [id for region, id in enumerate(names["regions"]) if s.removed[region]],
        "markers": [None if s.marker[number] == NONE else names["regions"][s.marker[number]] for number in range(3)],
        "card": None if s.card == NONE else commands[s.card],
        "leader": None if s.leader == NONE else names["leaders"][s.leader],
        "recruit_value_left": s.value,
        "token": None if s.token == NONE else names["tokens"][s.token],
        "bonus_earned": bool(s.bonus),
        "factions": [_faction(game, s, faction, seat) for faction in range(FACTIONS)],
        "regions": [_region(game, s, region) for region in range(printed.regions)],
        "deck": s.deck_size,
        "discarded": [id for card, id in enumerate(commands) if s.where[card] == DISCARDED],
        "on_table": [id for card, id in enumerate(commands) if s.where[card] == ON_TABLE],
        "known_not_in_deck": [id for card, id in enumerate(commands) if (s.kept >> card) & 1],
        "reshuffles": s.reshuffles,
        "trotsky": {id: names["places"][s.at[names["tokens"].index(id)]] for id in names["tokens"][-2:]},
        "reason": REASONS[s.reason] if s.point == OVER else None,
        "winner": FACTION_WORDS[winner_of(s)] if s.point == OVER else None,
    }
    if s.variant == SOLITAIRE:
        data["difficulty"] = s.difficulty
        data["line"] = [commands[s.line[place]] for place in range(s.line_shown)]
        data["line_to_come"] = s.line_size - s.line_shown
        data["opposition_supply"] = {
            id: opposition_supply(printed, s, level) for level, id in enumerate(names["levels"])
        }
    return data


def _faction(game: Game, s: State, faction: int, seat: int) -> dict[str, Any]:
    names = game.box.names
    printed: Any = game.box.record
    own = seat >= 0 and faction_of(s, seat) == faction
    leaders = [leader for leader in range(printed.leaders) if printed.leader_faction[leader] == faction]
    objective = s.objective[faction]
    return {
        "faction": FACTION_WORDS[faction],
        "opposition": is_opposition(s, faction),
        "supply": [
            id
            for token, id in enumerate(names["tokens"])
            if printed.unit_of[token] == faction and s.at[token] == SUPPLY
        ],
        "leaders_to_come": [names["leaders"][leader] for leader in leaders if not s.led[leader]],
        "leaders_played": [names["leaders"][leader] for leader in leaders if s.led[leader]],
        "hand_size": s.hand_size[faction],
        "hand": [id for card, id in enumerate(names["commands"]) if s.where[card] == HAND + faction] if own else None,
        "has_objective": objective != NONE,
        "objective_face_up": bool(s.face_up[faction]),
        "objective": None if objective in (NONE, UNSEEN) else names["commands"][objective],
    }


def _region(game: Game, s: State, region: int) -> dict[str, Any]:
    names = game.box.names
    printed: Any = game.box.record
    leads = stronger(printed, s, region)
    return {
        "id": names["regions"][region],
        "tokens": [
            {
                "id": id,
                "owner": OWNER_WORDS[printed.faction[token]],
                "exhausted": bool(s.tired[token]),
                "strength": current_value(printed, s, token),
            }
            for token, id in enumerate(names["tokens"])
            if s.at[token] == region
        ],
        "opposition": [
            {"level": level + 1, "fresh": s.opposition[level, region], "exhausted": s.opposition_tired[level, region]}
            for level in range(LEVELS)
            if s.opposition[level, region] or s.opposition_tired[level, region]
        ],
        "strength": {word: strength(printed, s, faction, region) for faction, word in enumerate(FACTION_WORDS)},
        "stronger": None if leads == NOBODY else FACTION_WORDS[leads],
    }


# --- Scenes -------------------------------------------------------------------------------------------------


def arrange(game: Game, s: State, given: dict[str, Any]) -> None:
    """Fill in what follows from a scene's given fields: the rest of the tokens, tiles and cards."""
    if "at" in given:
        _arrange_tokens(game, s, given["at"])
    _arrange_tiles(game, s, given)
    if any(name in given for name in ("where", "objective", "line", "card")):
        _arrange_cards(game, s, given)


def _arrange_tokens(game: Game, s: State, given: dict[str, Any]) -> None:
    """Tokens not named are in their supplies; neutral ones that are not named have left, or have not come yet."""
    printed: Any = game.box.record
    for token, id in enumerate(game.box.names["tokens"]):
        if id not in given:
            away = printed.faction[token] == NEUTRAL or s.at[token] == GONE
            s.at[token] = GONE if away else SUPPLY
    if not {"trotsky_neutral", "trotsky_red"} & set(given):
        s.at[printed.trotsky_neutral] = s.at[printed.trotsky_red] = WAITING
    elif "trotsky_neutral" in given and "trotsky_red" not in given:
        s.at[printed.trotsky_red] = WAITING
    for leader in range(printed.leaders):
        if s.at[printed.leader_token[leader]] != SUPPLY:
            s.led[leader] = 1


def _arrange_tiles(game: Game, s: State, given: dict[str, Any]) -> None:
    printed: Any = game.box.record
    if s.barred == s.unrest:
        moved = "unrest" if "barred" in given else "barred"
        setattr(s, moved, (s.unrest + 1) % printed.regions)
    if "blockade" not in given:
        s.blockade = printed.blocks[s.barred]


def _arrange_cards(game: Game, s: State, given: dict[str, Any]) -> None:
    """Cards not named lie in the deck; the card of this turn lies on the table."""
    printed: Any = game.box.record
    named = given.get("where", {})
    for card, id in enumerate(game.box.names["commands"]):
        if id not in named:
            s.where[card] = DECK
    if "objective" not in given:
        s.objective[RED] = s.objective[1 - RED] = NONE
    s.line_size = len(given.get("line", []))
    s.line_shown = min(s.line_shown, s.line_size)
    for place in range(s.line_size, MOST_DRAWN):
        s.line[place] = NONE
    for place in range(s.line_size):
        s.where[s.line[place]] = ON_TABLE if place < s.line_shown else PILE
    for faction in range(FACTIONS):
        if s.objective[faction] != NONE:
            s.where[s.objective[faction]] = OBJECTIVE_SPACE
    if s.card != NONE:
        s.where[s.card] = ON_TABLE
        s.value = printed.recruit[s.card]
    places = [s.where[card] for card in range(printed.commands)]
    s.deck_size = places.count(DECK)
    for faction in range(FACTIONS):
        s.hand_size[faction] = places.count(HAND + faction)
