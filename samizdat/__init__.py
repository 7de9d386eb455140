"""Samizdat: a digital table for four printed games of revolution and intrigue."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import samizdat.games as _folder  # first, so that importing it later does not shadow games() below
from samizdat.bots import Bot, bot
from samizdat.kernel.errors import (
    BoxError,
    GameOver,
    IllegalMove,
    MatchFileError,
    MoveError,
    NotYourTurn,
    OptionError,
    SamizdatError,
)
from samizdat.kernel.game import Game, definition, definitions
from samizdat.kernel.match import Match, Sight
from samizdat.kernel.matchfile import loads
from samizdat.kernel.moves import Move
from samizdat.kernel.verdicts import Verdict, verify

__all__ = [
    "Bot",
    "BoxError",
    "Game",
    "GameOver",
    "IllegalMove",
    "Match",
    "MatchFileError",
    "Move",
    "MoveError",
    "NotYourTurn",
    "OptionError",
    "SamizdatError",
    "Sight",
    "Verdict",
    "bot",
    "game",
    "games",
    "loads",
    "verify",
]


def game(
    name: str,
    *,
    players: int | None = None,
    variant: str | None = None,
    box: str | Path | None = None,
    **options: Any,
) -> Game:
    """A game by its name, with all that is chosen before the deal: players and variant (as is usual, unless given), a
    box file of one's own (a path, or `reduced` for the small box of exact solvers) and options by name.

    OptionError names what cannot be, BoxError what is wrong with a box file."""
    return definition(name).choose(players, variant, box, **options)


del _folder


def games() -> dict[str, dict[str, Any]]:
    """Names, seat counts, variants and options of every game."""
    return {
        name: {
            "title": found.title,
            "designers": found.designers,
            "rules_version": found.version,
            "variants": {variant: list(counts) for variant, counts in found.variants.items()},
            "options": {
                option.name: {
                    "default": option.default,
                    "values": list(option.extremes()),
                    "help": option.help,
                    "rule": option.rule,
                    "variants": list(option.variants or found.variants),
                }
                for option in found.options
            },
        }
        for name, found in definitions().items()
    }
