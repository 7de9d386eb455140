"""Commands of the lab that need no bots: random games, observations, engines compared."""

from __future__ import annotations

import functools
import json
import operator
import time
from contextlib import ExitStack, closing
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from samizdat.cli.given import BoxFile, Cluster, GameName, Options, Players, Variant, choose_game, console
from samizdat.kernel.arguments import SIM_SEED_BITS, check_seed
from samizdat.kernel.errors import OptionError
from samizdat.kernel.game import Definition, Game, definition, definitions

if TYPE_CHECKING:
    from samizdat.lab.report import Report


def observations(
    name: GameName, players: Players = None, variant: Variant = None, box: BoxFile = None, option: Options = None
) -> None:
    """Print the layout of a game's observation tensors: offset, field, shape, values, scale, meaning."""
    from samizdat.lab.observations import describe

    print(describe(choose_game(name, players, variant, box, option)))


def sim(
    name: GameName,
    number: Annotated[int, typer.Option("--games", "-n", min=1, help="how many games")] = 10_000,
    players: Players = None,
    variant: Variant = None,
    box: BoxFile = None,
    option: Options = None,
    seed: Annotated[int, typer.Option(help="seed of the simulation")] = 0,
    workers: Annotated[
        int | None, typer.Option(min=1, help="processes; usually one, or all that the cluster has")
    ] = None,
    cluster: Cluster = None,
    gpu: Annotated[bool, typer.Option("--gpu", help="play on the graphics card")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="print JSON instead of tables")] = False,
) -> None:
    """Play many random games and report results by seat, points, lengths and ends."""
    game = choose_game(name, players, variant, box, option)
    check_seed(seed, SIM_SEED_BITS)
    if gpu:
        if cluster is not None or workers is not None:
            raise OptionError("A graphics card plays all games by itself; leave --cluster and --workers out.")
        report = _on_gpu(game, number, seed)
    else:
        report = _play(game, number, seed, workers, cluster, quiet=as_json)
    if as_json:
        print(json.dumps(report.to_json(game), indent=1))
    else:
        _print_report(game, report)


def _on_gpu(game: Game, number: int, seed: int) -> Report:
    from samizdat.kernel.gpu import Gpu
    from samizdat.lab.report import Report
    from samizdat.lab.simulation import Results

    return Report.of(game, Results(*Gpu(game).results(number, seed)))


def _play(game: Game, number: int, seed: int, workers: int | None, cluster: str | None, quiet: bool) -> Report:
    from samizdat.lab.arena import Setting
    from samizdat.lab.hiring import hire
    from samizdat.lab.random_games import chunks, warm_random_games

    errors, setting = Console(stderr=True, quiet=quiet), Setting.of(game)
    reports: list[Report] = []
    with ExitStack() as stack:
        with errors.status(
            f"Loading {game.definition.title}; the first time its rules are compiled, for a minute or two"
        ):
            crew = stack.enter_context(hire(workers, cluster, [setting], [], warm_random_games))
        progress = stack.enter_context(Progress(console=errors, disable=quiet, transient=True))
        task = progress.add_task(f"{number:,} games of {game.definition.title}", total=number)
        started = time.perf_counter()
        playing = stack.enter_context(closing(chunks(setting, number, seed, crew)))
        for report in playing:
            progress.advance(task, report.games)
            reports = [reports[0] + report] if reports else [report]
    if not quiet:
        took = time.perf_counter() - started
        decisions = int(reports[0].lengths.total)
        console.print(f"{number:,} games, {decisions:,} decisions in {took:.1f} s", highlight=False)
    return reports[0]


def _print_report(game: Game, report: Report) -> None:
    from samizdat.lab.report import share_interval

    seats = Table(title=f"{game.definition.title}: {report.games:,} random games, by seat")
    for column in ("seat", "wins", "95 %", "points: mean", "sd", "min", "quartiles", "max"):
        seats.add_column(column, justify="right")
    for seat, wins in enumerate(report.wins):
        low, high = share_interval(wins, report.games)
        points = report.points[seat].summary()
        seats.add_row(
            str(seat), f"{wins / report.games:.1%}", f"{low:.1%} to {high:.1%}", f"{points['mean']:.1f}",
            f"{points['sd']:.1f}", f"{points['min']:.0f}",
            f"{points['q1']:.0f} {points['median']:.0f} {points['q3']:.0f}", f"{points['max']:.0f}",
        )  # fmt: skip
    console.print(seats)
    if report.lost_by_all:
        console.print(f"Lost by all: {report.lost_by_all / report.games:.1%}")
    ends = Table(title="How games ended")
    for column in ("reason", "games", "share"):
        ends.add_column(column, justify="right")
    for reason, count in report.reasons_of(game).items():
        ends.add_row(reason, f"{count:,}", f"{count / report.games:.1%}")
    console.print(ends)
    figures = Table(title="Per game")
    for column in ("", "mean", "sd", "min", "quartiles", "max"):
        figures.add_column(column, justify="right")
    for name, values in {"decisions": report.lengths, **report.figures}.items():
        one = values.summary()
        figures.add_row(
            name, f"{one['mean']:.2f}", f"{one['sd']:.2f}", f"{one['min']:g}",
            f"{one['q1']:g} {one['median']:g} {one['q3']:g}", f"{one['max']:g}",
        )  # fmt: skip
    console.print(figures)
    _print_histogram(report)


def _print_histogram(report: Report) -> None:
    """The distribution of all points as bars."""
    import numpy as np

    points = functools.reduce(operator.add, report.points)
    bins = min(16, max(1, int(points.values[-1] - points.values[0]) + 1))
    counts, edges = np.histogram(points.values, bins=bins, weights=points.counts)
    table = Table(title="Points of all seats", show_header=False)
    for count, low, high in zip(counts, edges[:-1], edges[1:], strict=True):
        table.add_row(
            f"{low:.0f} to {high:.0f}", f"{count / points.number:.1%}", "█" * round(40 * count / counts.max())
        )
    console.print(table)


def parity(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[GAME]...", help="games; all if none is named")
    ] = None,
    gpu: Annotated[bool, typer.Option("--gpu", help="compare the graphics card with the processor")] = False,
    number: Annotated[int | None, typer.Option("--games", "-n", min=1, help="games for each setting")] = None,
    seed: Annotated[int, typer.Option(help="seed of the games")] = 7,
) -> None:
    """Play the same games on two engines and compare every byte."""
    from samizdat.lab.parity import compare_gpu, compare_interpreted

    chosen: list[Definition] = [definition(name) for name in names] if names else list(definitions().values())
    table = Table(title="GPU against native" if gpu else "Interpreted against native")
    for column in ("game", "variant", "players", "games", "decisions", "equal"):
        table.add_column(column, justify="right")
    good = True
    for found in chosen:
        for variant, counts in found.variants.items():
            for players in counts:
                game = found.choose(players, variant)
                result = (
                    compare_gpu(game, number or 20_000, seed) if gpu else compare_interpreted(game, number or 5, seed)
                )
                good = good and result.differs is None
                equal = "yes" if result.differs is None else f"no: game {result.differs}"
                table.add_row(found.name, variant, str(players), str(result.games), f"{result.decisions:,}", equal)
    console.print(table)
    if not good:
        raise typer.Exit(1)
