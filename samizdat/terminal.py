"""A plain game in the terminal: one person against random opponents, until there is a table in the browser."""

from __future__ import annotations

import random
from typing import Any

from rich.console import Console
from rich.panel import Panel
from rich.pretty import Pretty

from samizdat.kernel.errors import SamizdatError
from samizdat.kernel.game import Game
from samizdat.kernel.match import Match

HELP = "A number or a move's notation plays it; u takes back, v shows the table, q leaves."


def play(game: Game, seed: int | None, console: Console) -> Match:
    """Play one match as seat 0; returns the match as it was left."""
    match = game.match(seed)
    rng = random.Random()
    console.print(f"[bold]{game.definition.title}[/], {game.players} players. You are seat 0. {HELP}")
    shown = 0
    while not match.over:
        for seat in match.turn:
            while seat != 0 and seat in match.turn:
                match.play(seat, rng.choice(match.legal(seat)))
        shown = _show_log(match, shown, console)
        if 0 in match.turn and not _decide(match, console):
            return match
    _show_log(match, shown, console)
    console.print(f"[bold]The match is over ({match.reason}).[/] Points: {', '.join(map(str, match.scores))}.")
    return match


def _show_log(match: Match, shown: int, console: Console) -> int:
    lines = match.log(0)
    for line in lines[shown:]:
        console.print(f"[dim]{line.rule:>5}[/]  {line}", highlight=False)
    return len(lines)


def _decide(match: Match, console: Console) -> bool:
    """Ask until the person has played one decision; False when they leave."""
    moves = match.legal(0)
    if len(moves) == 1 and match.turn == (0,):
        match.play(0, moves[0])
        return True
    console.print("  ".join(f"[bold]{number}[/] {move}" for number, move in enumerate(moves)), highlight=False)
    while True:
        try:
            answer = console.input("> ").strip()
        except (EOFError, KeyboardInterrupt):
            console.print("\nBye.")
            return False
        if answer == "q":
            return False
        if answer == "v":
            view: dict[str, Any] = match.view(0)
            console.print(Panel(Pretty(view, max_depth=4), title="The table as you see it"))
            continue
        try:
            if answer == "u":
                match.undo(0)
            elif answer.isdigit() and int(answer) < len(moves):
                match.play(0, moves[int(answer)])
            else:
                match.play(0, answer)
        except SamizdatError as error:
            console.print(f"{error} {HELP}")
            continue
        return True
