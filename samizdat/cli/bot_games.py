"""Commands of the lab that let bots play: against each other, and for the record."""

from __future__ import annotations

import shlex
import sys
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from samizdat.cli.given import (
    BoxFile,
    Cluster,
    GameName,
    Options,
    Players,
    Variant,
    Workers,
    choose_game,
    console,
    say,
)
from samizdat.kernel.errors import OptionError, SamizdatError

if TYPE_CHECKING:
    from samizdat.lab.crews import CrewError


def arena(
    name: GameName,
    bots: Annotated[
        str,
        typer.Option(
            help="between commas: levels, announced bots, package:Class, file.py:Class or policy.onnx, "
            "each with :simulations=N or :seconds=S if you like"
        ),
    ],
    number: Annotated[int, typer.Option("--games", "-n", min=1, help="at most so many games")] = 400,
    players: Players = None,
    variant: Variant = None,
    box: BoxFile = None,
    option: Options = None,
    seconds: Annotated[float | None, typer.Option(help="for each decision of bots that name no budget")] = None,
    simulations: Annotated[int | None, typer.Option(help="likewise, in simulations: the same games again")] = None,
    workers: Workers = None,
    cluster: Cluster = None,
    out: Annotated[Path | None, typer.Option(help="write every game to this Parquet file")] = None,
    plot: Annotated[Path | None, typer.Option(help="draw the shares into this picture: png, svg, pdf")] = None,
    leaderboard: Annotated[
        Path | None, typer.Option(help="write what others need to check it to this file, JSON")
    ] = None,
    seed: Annotated[int, typer.Option(help="seed of the deals and the bots")] = 0,
    stop: Annotated[bool, typer.Option(help="stop early when the question is settled")] = True,
) -> None:
    """Let bots play each other: every deal in all seat rotations; win rates, ratings, times.

    Fewer bots than seats: the last one takes those left (regular,novice is one regular among novices). More: every
    choice of them plays. The games are rounded up to whole deals; Ctrl-C keeps what was played.
    """
    from samizdat.lab import arena_files, leaderboards
    from samizdat.lab.arena import Arena, Setting, read_entrants
    from samizdat.lab.standings import Scoreboard

    if seconds is not None and simulations is not None:
        raise OptionError("Give the bots seconds or simulations, not both.")
    game = choose_game(name, players, variant, box, option)
    board = Scoreboard(Arena(Setting.of(game), read_entrants(bots, seconds, simulations), seed))
    arena_files.check_installed("openskill")
    if out is not None:
        arena_files.check_installed("pyarrow")
        arena_files.check_writable(out, "results")
    if plot is not None:
        arena_files.check_installed("matplotlib")
        arena_files.check_writable(plot, "a plot")
    if leaderboard is not None:
        arena_files.check_writable(leaderboard, "a leaderboard")
    ended = _play_arena(board, number, workers, cluster, stop)
    _print_standings(board, ended is not None)
    if out is not None:
        arena_files.write_parquet(board, out)
    if plot is not None:
        arena_files.draw_plot(board, plot)
    if leaderboard is not None:
        leaderboards.write(board, leaderboard, shlex.join(["samizdat", *sys.argv[1:]]))
    if isinstance(ended, SamizdatError):
        raise ended


def _play_arena(
    board: Any, number: int, workers: int | None, cluster: str | None, stop: bool
) -> CrewError | KeyboardInterrupt | None:
    """Play until all is played or settled; or what came in between, with what was played before on the board."""
    from samizdat.bots import warm
    from samizdat.lab.crews import CrewError, usual_workers
    from samizdat.lab.hiring import hire

    arena, errors = board.arena, Console(stderr=True)
    title = arena.setting.game().definition.title
    total = arena.deals(number) * arena.games_per_deal
    with ExitStack() as stack:
        try:
            with errors.status(f"Loading {title}; the first time, its search is compiled for minutes"):
                wanted = warm if arena.searches else None
                hired = hire(workers, cluster, [arena.setting], arena.entrants, wanted, usual_workers())
                crew = stack.enter_context(hired)
        except KeyboardInterrupt as interrupt:
            return interrupt
        progress = stack.enter_context(Progress(console=errors, transient=True))
        task = progress.add_task(f"{total:,} games of {title}", total=total)
        try:
            with closing(arena.play(number, crew)) as playing:
                for result in playing:
                    progress.advance(task)
                    if board.add(result) and stop and len(board.results) < total and board.is_settled:
                        board.stopped = True
                        break
        except (CrewError, KeyboardInterrupt) as ended:
            return ended
    return None


def _print_standings(board: Any, interrupted: bool) -> None:
    from samizdat.bots import by_the_lore

    game, complete = board.arena.setting.game(), board.complete
    console.print(
        f"{game.definition.title}, {game.variant}, {game.players} players: {len(complete):,} games, "
        f"{board.finished_deals:,} deals; a fair share is {board.fair:.1%}",
        highlight=False,
    )
    table = Table()
    table.add_column("bot", overflow="fold")
    for column in ("games", "wins (95 %)", "is", "rating", "ms"):
        table.add_column(column, justify="right", no_wrap=True)
    for one in board.standings():
        table.add_row(
            str(one.entrant), f"{one.games:,}", f"{one.share:.1%} ({100 * one.low:.1f}–{100 * one.high:.1f})",
            one.verdict or "open", "" if one.rating is None else "{:.1f} ± {:.1f}".format(*one.rating),
            "" if one.median is None else f"{1000 * one.median:.1f}, {1000 * one.slowest:.1f}",
        )  # fmt: skip
    console.print(table)
    console.print("rating: OpenSkill; ms: for a decision with a choice, the median and the 99th of 100", style="dim")
    for told in filter(None, (by_the_lore(one.level, game) for one in board.arena.entrants)):
        say(told)
    if board.lost_by_all:
        console.print(f"Lost by all: {board.lost_by_all / len(complete):.1%}; such games are nobody's win.")
    if board.stopped:
        console.print("Stopped early: the question is settled, and the intervals hold in spite of the stop.")
    if interrupted:
        console.print("Interrupted: the games of finished deals count.")


leaderboard_app = typer.Typer(help="Leaderboards: results of an arena that others can check.", no_args_is_help=True)


@leaderboard_app.command("check")
def check_leaderboard(
    file: Annotated[Path, typer.Argument(help="a file of `samizdat arena … --leaderboard FILE`")],
    number: Annotated[
        int | None, typer.Option("--games", "-n", min=1, help="play so many of its games again; usually all")
    ] = None,
    workers: Annotated[int | None, typer.Option(min=1, help="processes; usually all cores but one")] = None,
    seed: Annotated[int, typer.Option(help="which of its games, where not all are played")] = 0,
) -> None:
    """Look whether a leaderboard holds: its seal, rules, box, bots and sums, and its games, played again.

    Fails where anything does not hold. Bots that go by the clock cannot be played again; that is said.
    """
    from samizdat.lab.crews import usual_workers
    from samizdat.lab.leaderboards import Leaderboard

    board, sound = Leaderboard(file), True
    for finding in board.findings(number, workers or usual_workers(), seed):
        say(f"{'yes' if finding.holds else 'NO '}  {finding.text}")
        sound = sound and finding.holds
    if not sound:
        raise typer.Exit(1)


def dataset(
    name: GameName,
    bots: Annotated[str, typer.Option(help="as for `samizdat arena`; with :simulations=N the same rows every time")],
    out: Annotated[Path, typer.Option(help="folder for matches.parquet and decisions.parquet")],
    number: Annotated[int, typer.Option("--games", "-n", min=1, help="how many games")] = 100,
    players: Players = None,
    variant: Variant = None,
    box: BoxFile = None,
    option: Options = None,
    workers: Workers = None,
    cluster: Cluster = None,
    seed: Annotated[int, typer.Option(help="seed of the deals and the bots")] = 0,
) -> None:
    """Let bots play and write every decision down: views, open actions, choices, searches, outcomes.

    Ctrl-C keeps what was played. docs/datasets.md explains the columns.
    """
    from samizdat.bots import warm
    from samizdat.lab import arena_files
    from samizdat.lab.arena import Setting, read_entrants
    from samizdat.lab.crews import usual_workers
    from samizdat.lab.datasets import Dataset
    from samizdat.lab.hiring import hire

    arena_files.check_installed("pyarrow")
    game = choose_game(name, players, variant, box, option)
    setting, entrants = Setting.of(game), read_entrants(bots)
    wanted = Dataset(setting, entrants, seed)
    errors, done = Console(stderr=True), 0
    with ExitStack() as stack:
        with errors.status(f"Loading {game.definition.title}; the first time, its search is compiled for minutes"):
            compiled = warm if wanted.arena.searches else None
            hired = hire(workers, cluster, [setting], entrants, compiled, usual_workers())
            crew = stack.enter_context(hired)
        progress = stack.enter_context(Progress(console=errors, transient=True))
        task = progress.add_task(f"{number:,} games of {game.definition.title}", total=number)
        writing = stack.enter_context(closing(wanted.write(number, out, crew)))
        try:
            for done in writing:  # noqa: B007 (said below)
                progress.advance(task)
        except KeyboardInterrupt:
            pass
    say(f"{done:,} games in {out}")
