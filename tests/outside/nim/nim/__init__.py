"""Nim: a game that brings its rules and nothing else. Everything that could stand in for the rest does."""

from __future__ import annotations

from nim import rules
from samizdat.kernel.game import Definition

GAME = Definition(
    name="nim",
    title="Nim",
    designers="unknown",
    variants={"standard": (2,)},
    state=rules.State,
    moves=rules.MOVES,
    points=rules.POINTS,
    reasons=rules.REASONS,
    rules=rules,
    longest=lambda box, options, players: rules.STICKS,  # N2: every decision takes one at least
    all_open=True,
)
