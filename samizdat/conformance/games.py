"""Which games are held to the suite, and every way of setting one up."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator
from typing import Any

from samizdat.kernel.game import Definition, Game, definitions

# `make soak` plays longer doses of the same tests.
DOSE = int(os.environ.get("SAMIZDAT_DOSE", "1"))

GIVEN: list[str] = []  # what the suite was asked to hold: names, packages or folders, for other processes
CHOSEN: list[str] = []  # names of games; empty: all there are


def chosen() -> list[Definition]:
    """The games that this run is about."""
    return [found for name, found in definitions().items() if not CHOSEN or name in CHOSEN]


def all_options(definition: Definition, variant: str) -> Iterator[dict[str, Any]]:
    """The defaults, each option at each of its extremes, and all options at their first and last extreme."""
    options = [option for option in definition.options if not option.variants or variant in option.variants]
    seen: list[dict[str, Any]] = []
    single = ({option.name: value} for option in options for value in option.extremes())
    ends = ({option.name: option.extremes()[end] for option in options} for end in (0, -1))
    for chosen in itertools.chain([{}], single, ends):
        full = {option.name: option.default for option in options} | chosen
        if full not in seen:
            seen.append(full)
            yield chosen


def every_game() -> list[Game]:
    """Every game, variant, number of players and option."""
    return [
        definition.choose(players, variant, **options)
        for definition in chosen()
        for variant, counts in definition.variants.items()
        for players in counts
        for options in all_options(definition, variant)
    ]


def plain_games() -> list[Game]:
    """Every game, variant and number of players, with the default options."""
    return [
        definition.choose(players, variant)
        for definition in chosen()
        for variant, counts in definition.variants.items()
        for players in counts
    ]


def full_tables(games: list[Game]) -> list[Game]:
    """Those with as many players as their variant takes, for laws that draw pages or search: fewer seats show little
    there that more do not. A longer dose takes all."""
    return [game for game in games if DOSE > 1 or game.players == max(game.definition.variants[game.variant])]


def label(value: Any) -> str:
    """A readable name for a game in a test's id."""
    if isinstance(value, Definition):
        return value.name
    if isinstance(value, Game):
        defaults = {option.name: option.default for option in value.definition.options}
        changed = [f"{name}={chosen}" for name, chosen in value.options.items() if chosen != defaults[name]]
        return "-".join([value.name, value.variant, str(value.players), *changed])
    return str(value)
