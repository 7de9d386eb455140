"""Commands of the lab that need no bots: random games, observations, engines compared."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from samizdat.cli.given import BoxFile, GameName, Options, Players, Variant, choose_game, console
from samizdat.kernel.arguments import SIM_SEED_BITS, check_seed
from samizdat.kernel.game import Definition, Game, definition, definitions


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
    gpu: Annotated[bool, typer.Option("--gpu", help="play on the graphics card")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="print JSON instead of tables")] = False,
) -> None:
    """Play many random games and report results by seat, points, lengths and ends."""
    from samizdat.lab.report import make_report

    game = choose_game(name, players, variant, box, option)
    check_seed(seed, SIM_SEED_BITS)
    report = make_report(game, _pieces(game, number, seed, gpu, quiet=as_json))
    if as_json:
        print(json.dumps(report.to_json(), indent=1))
    else:
        _print_report(report)


def _pieces(game: Game, number: int, seed: int, gpu: bool, quiet: bool) -> Iterator[Any]:
    from samizdat.lab.simulation import Results, Simulation

    if gpu:
        from samizdat.kernel.gpu import Gpu

        yield Results(*Gpu(game).results(number, seed))
        return
    errors = Console(stderr=True)
    simulation = Simulation(game, seed)
    if not quiet:
        with errors.status(
            f"Loading {game.definition.title}; the first time its rules are compiled, for a minute or two"
        ):
            simulation.play(1)
    with Progress(console=errors, disable=quiet, transient=True) as progress:
        task = progress.add_task(f"{number:,} games of {game.definition.title}", total=number)
        started = time.perf_counter()
        decisions = 0
        for piece in simulation.chunks(number):
            progress.advance(task, len(piece.lengths))
            decisions += int(piece.lengths.sum())
            yield piece
    if not quiet:
        took = time.perf_counter() - started
        console.print(f"{number:,} games, {decisions:,} decisions in {took:.1f} s", highlight=False)


def _print_report(report: Any) -> None:
    from samizdat.lab.report import share_interval, summary

    game = report.game
    seats = Table(title=f"{game.definition.title}: {report.games:,} random games, by seat")
    for column in ("seat", "wins", "95 %", "points: mean", "sd", "min", "quartiles", "max"):
        seats.add_column(column, justify="right")
    for seat, result in enumerate(report.seats):
        low, high = share_interval(result.wins, report.games)
        points = summary(result.points)
        seats.add_row(
            str(seat), f"{result.wins / report.games:.1%}", f"{low:.1%} to {high:.1%}", f"{points['mean']:.1f}",
            f"{points['sd']:.1f}", f"{points['min']:.0f}",
            f"{points['q1']:.0f} {points['median']:.0f} {points['q3']:.0f}", f"{points['max']:.0f}",
        )  # fmt: skip
    console.print(seats)
    if report.lost_by_all:
        console.print(f"Lost by all: {report.lost_by_all / report.games:.1%}")
    ends = Table(title="How games ended")
    for column in ("reason", "games", "share"):
        ends.add_column(column, justify="right")
    for reason, count in report.reasons.items():
        ends.add_row(reason, f"{count:,}", f"{count / report.games:.1%}")
    console.print(ends)
    figures = Table(title="Per game")
    for column in ("", "mean", "sd", "min", "quartiles", "max"):
        figures.add_column(column, justify="right")
    for name, values in {"decisions": report.lengths, **report.figures}.items():
        one = summary(values)
        figures.add_row(
            name, f"{one['mean']:.2f}", f"{one['sd']:.2f}", f"{one['min']:g}",
            f"{one['q1']:g} {one['median']:g} {one['q3']:g}", f"{one['max']:g}",
        )  # fmt: skip
    console.print(figures)
    _print_histogram(report)


def _print_histogram(report: Any) -> None:
    """The distribution of all points as bars."""
    import numpy as np

    points = np.concatenate([seat.points for seat in report.seats])
    counts, edges = np.histogram(points, bins=min(16, max(1, int(points.max() - points.min()) + 1)))
    table = Table(title="Points of all seats", show_header=False)
    for count, low, high in zip(counts, edges[:-1], edges[1:], strict=True):
        table.add_row(
            f"{low:.0f} to {high:.0f}", f"{count / len(points):.1%}", "█" * round(40 * count / counts.max())
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
