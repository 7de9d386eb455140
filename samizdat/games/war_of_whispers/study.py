"""A War of Whispers: what a designer would count."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from samizdat.games.war_of_whispers.rules_scoring import final_points, token_points
from samizdat.games.war_of_whispers.state import ACTION_WORDS, EMPIRES, SLOTS, State
from samizdat.kernel.game import Game
from samizdat.kernel.studies import Study, Tally


def most_loyal(game: Game, s: State) -> list[list[int]]:
    """R3.6: the empire on the slot that is worth most."""
    printed: Any = game.box.record
    best = max(range(SLOTS), key=lambda slot: printed.value[slot])
    return [[int(s.loyalty[seat, best] == empire) for seat in range(s.seats)] for empire in range(EMPIRES)]


def order(game: Game, s: State) -> list[int]:
    """R3.5: the first player token, then clockwise."""
    return [(s.first + seat) % s.seats for seat in range(s.seats)]


def standing(game: Game, s: State) -> list[int]:
    """R16, if the match ended now: the referee knows every loyalty."""
    printed: Any = game.box.record
    return [final_points(printed, s, seat) for seat in range(s.seats)]


def parts(game: Game, s: State) -> Mapping[str, Sequence[int]]:
    """R16: slot by slot."""
    printed: Any = game.box.record
    return {
        name: [token_points(printed, s, seat, slot) for seat in range(s.seats)]
        for slot, name in enumerate(game.box.names["slots"])
    }


STUDY = Study(
    tallies=(
        Tally("Devout at the deal", "empires", "the empire on the slot worth most, as dealt", dealt=most_loyal),
        Tally("Devout at the end", "empires", "the same at the end", ended=most_loyal),
        Tally("Council seats taken", "councils", "once for each agent placed", kinds={"deploy": "seat"}),
        Tally("Abilities used", "abilities", kinds={"play": "ability"}),
        Tally("Actions of the councils", "kinds", ids=ACTION_WORDS, kinds={"act": "action"}),
        Tally("Regions attacked or marched to", "regions", kinds={"to": "region"}),
    ),
    parts=parts,
    standing=standing,
    order=order,
    ends={
        "points": "points",
        "fewer_swaps": "fewer swaps",
        "more_cards": "more cards",
        "shared": "a shared victory",
    },
)
