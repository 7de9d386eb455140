"""Liar's Dice, from outside: what `samizdat` finds by the entry point."""

from __future__ import annotations

from liars_dice import rules
from liars_dice.board import Board, Show
from liars_dice.rules import FACES, MOST_DICE, MOVES, POINTS, REASONS, State
from samizdat.kernel.game import Definition
from samizdat.kernel.options import Option

GAME = Definition(
    name="liars-dice",
    title="Liar's Dice",
    variants={"standard": (2, 3, 4)},
    options=(Option("dice", MOST_DICE, "Dice that everybody rolls: {n}.", "L1", low=1, high=MOST_DICE),),
    state=State,
    moves=MOVES,
    points=POINTS,
    reasons=REASONS,
    rules=rules,
    show=Show(),
    board=Board(),
    longest=lambda box, options, players: FACES * players * options["dice"] + 1,  # L2: every bid is higher; then L3
)
