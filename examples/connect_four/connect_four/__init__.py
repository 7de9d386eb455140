"""Connect Four, from outside: what `samizdat` finds by the entry point."""

from __future__ import annotations

from connect_four import rules
from connect_four.board import Board, Show
from connect_four.rules import CELLS_IN_ALL, MOVES, POINTS, REASONS, State
from samizdat.kernel.game import Definition

GAME = Definition(
    name="connect-four",
    title="Connect Four",
    designers="Howard Wexler, Ned Strongin",
    variants={"standard": (2,)},
    state=State,
    moves=MOVES,
    points=POINTS,
    reasons=REASONS,
    rules=rules,
    show=Show(),
    board=Board(),
    longest=lambda box, options, players: CELLS_IN_ALL,  # C2: every decision fills a cell
    all_open=True,
)
