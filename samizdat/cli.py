"""The command line: `samizdat --help`."""

from __future__ import annotations

import json
import re
import shlex
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markdown import Markdown
from rich.progress import Progress
from rich.table import Table
from rich.text import Text

from samizdat.admin import admin_app, settings_of
from samizdat.kernel.arguments import SIM_SEED_BITS, check_seed, clip, printable
from samizdat.kernel.box import game_of_box
from samizdat.kernel.errors import MatchFileError, OptionError, SamizdatError
from samizdat.kernel.files import read_text
from samizdat.kernel.game import Definition, Game, definition, definitions, rulebook_text
from samizdat.kernel.matchfile import LONGEST_FILE, loads, verify

app = typer.Typer(
    help="Samizdat: a referee, opponents and a research kit for four printed games.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
box_app = typer.Typer(help="Box files: what is printed on the components.", no_args_is_help=True)
app.add_typer(box_app, name="box")
app.add_typer(admin_app, name="admin")
console = Console()

GameName = Annotated[str, typer.Argument(metavar="GAME", help="a game's name; `samizdat games` lists them")]
Players = Annotated[int | None, typer.Option(help="number of players")]
Variant = Annotated[str | None, typer.Option(help="variant of the game")]
BoxFile = Annotated[
    Path | None, typer.Option("--box", help="a box file of your own, or reduced: the small one for solvers")
]
Options = Annotated[list[str] | None, typer.Option("--option", "-o", help="an option of the game, name=value")]

Database = Annotated[
    str, typer.Option(envvar="SAMIZDAT_DATABASE_URL", help="a PostgreSQL database instead of a folder: its address")
]

LogJson = Annotated[bool, typer.Option("--log-json", envvar="SAMIZDAT_LOG_JSON", help="log in lines of JSON")]


def main() -> None:
    """Run the command line; a user's mistake is one sentence on standard error and exit code 2."""
    try:
        app()
    except SamizdatError as error:
        print(f"samizdat: {printable(str(error))}", file=sys.stderr)
        sys.exit(2)
    except BrokenPipeError:
        sys.exit(1)


def choose_game(
    name: str, players: int | None, variant: str | None, box: Path | None, options: list[str] | None
) -> Game:
    """A game as the command line describes it."""
    found = definition(name)
    known = {option.name: option for option in found.options}
    chosen: dict[str, Any] = {}
    for given in options or []:
        key, equals, value = given.partition("=")
        if not equals:
            raise OptionError(f"An option is written name=value, not {clip(given)}.")
        chosen[key] = known[key].parse(value) if key in known else value
    return found.choose_from(chosen, players, variant, box)


def read_match(path: Path) -> str:
    return read_text(path, LONGEST_FILE, MatchFileError)


def say(text: str) -> None:
    """Print a line that repeats what somebody typed or a file holds: Rich would take brackets in it for markup."""
    print(printable(text))


@app.command()
def games() -> None:
    """List the games, their players, variants and options."""
    table = Table(title="Games")
    for column in ("game", "variant", "players", "options (default)"):
        table.add_column(column)
    for found in definitions().values():
        for variant, counts in found.variants.items():
            options = [
                f"{option.name} ({str(option.default).lower()})"
                for option in found.options
                if option.values(found.standard_box.record, variant)
            ]
            table.add_row(found.name, variant, ", ".join(map(str, counts)), ", ".join(options))
    console.print(table)


@app.command()
def rules(
    name: GameName,
    number: Annotated[str | None, typer.Argument(help="one rule, such as R5.3")] = None,
    flow: Annotated[
        bool, typer.Option("--flow", help="its decision points and the ways between them, as SVG")
    ] = False,
    variant: Annotated[str | None, typer.Option(help="with --flow: the variant that is drawn")] = None,
) -> None:
    """Print the numbered rules of a game, or one of them; or draw its course."""
    if flow:
        _draw_flow(definition(name), variant)
        return
    _, text = rulebook_text(definition(name))
    if number is None:
        console.print(Markdown(text))
        return
    entry = re.compile(rf"^- \*\*{re.escape(number)}\*\* (?:.+\n)(?:  .+\n)*", re.MULTILINE)
    found = entry.search(text)
    if found is None:
        raise OptionError(f"{name} has no rule {clip(number)}; `samizdat rules {name}` prints them all.")
    console.print(Markdown(found[0]))


def _draw_flow(game: Definition, variant: str | None) -> None:
    from samizdat.kernel.flow import read_flow
    from samizdat.table.flow_picture import flow_picture
    from samizdat.table.language import language

    known = read_flow(game)
    if not known:
        raise OptionError(
            f"{game.name} brings no counted flow; `python -m samizdat.lab.count_flow {game.name}` counts one."
        )
    chosen = next(iter(known)) if variant is None else variant
    if chosen not in known:
        raise OptionError(f"{game.name} has no variant {clip(chosen)}; it has {', '.join(known)}.")
    print(flow_picture(game, chosen, language("en"), f"{game.title}: the course of the game"))


@app.command()
def serve(
    host: Annotated[str, typer.Option(help="address to listen on; 0.0.0.0 lets others in")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help="port to listen on")] = 1917,
    data: Annotated[Path | None, typer.Option(help="folder for matches; made if it is not there")] = None,
    database: Database = "",
    processes: Annotated[int, typer.Option(min=1, help="that serve together; more than one needs --database")] = 1,
    bot_workers: Annotated[
        int, typer.Option(min=0, help="processes that think for bots; 0 leaves that to `samizdat worker`")
    ] = 1,
    browser: Annotated[bool, typer.Option(help="open the browser")] = True,
    warm: Annotated[bool, typer.Option(help="compile the bots' search in the background")] = True,
    tables_a_day: Annotated[int, typer.Option(min=1, help="tables that one visitor may open")] = 100,
    imports_a_day: Annotated[int, typer.Option(min=0, help="matches that one visitor may bring as files")] = 50,
    requests_a_minute: Annotated[int, typer.Option(min=0, help="that one address may send; 0: any number")] = 3000,
    idle_seconds: Annotated[float, typer.Option(min=0, help="that a table nobody looks at stays in memory")] = 600,
    box: Annotated[
        list[Path] | None, typer.Option("--box", help="a box file that everybody here may play with; several times")
    ] = None,
    metrics_token: Annotated[
        str, typer.Option(envvar="SAMIZDAT_METRICS_TOKEN", help="what Prometheus must bring to read /metrics")
    ] = "",
    smtp: Annotated[
        str, typer.Option(envvar="SAMIZDAT_SMTP", help="mail server for letters: smtp://user:password@host:587")
    ] = "",
    mail_from: Annotated[str, typer.Option(envvar="SAMIZDAT_MAIL_FROM", help="whom letters come from")] = "",
    private_hooks: Annotated[
        bool, typer.Option(envvar="SAMIZDAT_PRIVATE_HOOKS", help="messages may go to addresses that are not public")
    ] = False,
    log_json: LogJson = False,
    secure: Annotated[bool, typer.Option("--secure", help="browsers send their cookies over https only")] = False,
) -> None:
    """Open the table: play in the browser, alone, together at one screen, or over a link."""
    from samizdat.table.serve import serve as run
    from samizdat.table.settings import Settings, default_data

    settings = Settings(
        data or default_data(), database, bot_workers, warm=warm, tables_a_day=tables_a_day,
        imports_a_day=imports_a_day, requests_a_minute=requests_a_minute, secure=secure, boxes=tuple(box or ()),
        metrics_token=metrics_token, log_json=log_json, smtp=smtp, mail_from=mail_from, private_hooks=private_hooks,
        idle_seconds=idle_seconds,
    )  # fmt: skip
    run(host, port, settings, browser, processes)


@app.command()
def mcp(
    server: Annotated[str, typer.Option(help="the address of the table")] = "http://localhost:1917",
) -> None:
    """Let a language model sit at a table: a server of the Model Context Protocol on standard input and output."""
    from samizdat.programs.client import Client

    try:
        from samizdat.programs.mcp_server import server as serving
    except ModuleNotFoundError as error:
        if not str(error.name).startswith("mcp"):
            raise
        raise OptionError("The Model Context Protocol needs a package more: pip install 'samizdat[mcp]'.") from None
    serving(Client(server)).run("stdio")


@app.command()
def worker(
    database: Database = "",
    places: Annotated[int, typer.Option(min=1, help="bots and hints that think at the same time")] = 1,
    warm: Annotated[bool, typer.Option(help="compile the bots' search in the background")] = True,
    log_json: LogJson = False,
) -> None:
    """Think for the bots, hints and look-backs of servers that share a database; start as many as you like."""
    from samizdat.table.logs import log_in_json
    from samizdat.table.settings import ServeError, Settings
    from samizdat.table.worker import work_until_told

    if not Settings(Path(), database).shared:
        raise ServeError("A worker needs the database that the servers share; name it with --database.")
    if log_json:
        log_in_json()
    work_until_told(database, places, warm)


@app.command("move-data")
def move_data(
    source: Annotated[str, typer.Argument(metavar="FROM", help="a data folder, or the address of a database")],
    target: Annotated[str, typer.Argument(metavar="TO", help="where everything goes: it must be empty")],
) -> None:
    """Copy everything from a data folder to PostgreSQL or back, and check that both hold the same."""
    from samizdat.table.store.moving import move

    moved = move(source, target)
    table = Table(title="Moved and compared")
    table.add_column("what")
    table.add_column("rows", justify="right")
    for name, rows in moved.items():
        table.add_row(name, str(rows))
    console.print(table)
    print("Both hold the same now. What was moved is still where it was.")


@app.command()
def backup(
    folder: Annotated[Path, typer.Argument(help="where backups lie, one file each")],
    keep: Annotated[int, typer.Option(min=0, help="of the newest so many stay; 0: all of them")] = 0,
    data: Annotated[Path | None, typer.Option(help="the house's folder")] = None,
    database: Database = "",
) -> None:
    """Write everything into one file while the house is open, and play every match in it through again."""
    from samizdat.table.backups import take

    file, proof = take(settings_of(data, database), folder, keep)
    say(f"{file}: {proof.matches} tables, each played through to the position that is stored.")
    for id in proof.unproved:
        say(f"{id} could not be: it is of other rules than this program has, or damaged.")


@app.command()
def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="a backup")],
    target: Annotated[str, typer.Argument(metavar="TO", help="an empty data folder, or an empty database's address")],
) -> None:
    """Bring everything of a backup into an empty folder or database, once all of it was played through."""
    from samizdat.table.backups import restore as bring_back

    rows, proof = bring_back(file, target)
    say(f"{rows} rows are there, with {proof.matches} tables that were played through.")
    for id in proof.unproved:
        say(f"{id} could not be: it is of other rules than this program has, or damaged.")


@app.command()
def observations(
    name: GameName, players: Players = None, variant: Variant = None, box: BoxFile = None, option: Options = None
) -> None:
    """Print the layout of a game's observation tensors: offset, field, shape, values, scale, meaning."""
    from samizdat.lab.observations import describe

    print(describe(choose_game(name, players, variant, box, option)))


@app.command()
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


@app.command()
def arena(
    name: GameName,
    bots: Annotated[
        str,
        typer.Option(
            help="between commas: levels, announced bots, package:Class or file.py:Class, "
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
    workers: Annotated[int | None, typer.Option(min=1, help="processes; usually all cores but one")] = None,
    out: Annotated[Path | None, typer.Option(help="write every game to this Parquet file")] = None,
    plot: Annotated[Path | None, typer.Option(help="draw the shares into this picture: png, svg, pdf")] = None,
    seed: Annotated[int, typer.Option(help="seed of the deals and the bots")] = 0,
    stop: Annotated[bool, typer.Option(help="stop early when the question is settled")] = True,
) -> None:
    """Let bots play each other: every deal in all seat rotations; win rates, ratings, times.

    Fewer bots than seats: the last one takes those left (regular,novice is one regular among novices). More: every
    choice of them plays. The games are rounded up to whole deals; Ctrl-C keeps what was played.
    """
    from samizdat.lab import arena_files
    from samizdat.lab.arena import Arena, Setting, read_entrants, usual_workers
    from samizdat.lab.standings import Scoreboard

    if seconds is not None and simulations is not None:
        raise OptionError("Give the bots seconds or simulations, not both.")
    game = choose_game(name, players, variant, box, option)
    setting = Setting(
        name, game.players, game.variant, tuple(game.options.items()), None if box is None else str(box)
    )
    board = Scoreboard(Arena(setting, read_entrants(bots, seconds, simulations), seed))
    arena_files.check_installed("openskill")
    if out is not None:
        arena_files.check_installed("pyarrow")
        arena_files.check_writable(out, "results")
    if plot is not None:
        arena_files.check_installed("matplotlib")
        arena_files.check_writable(plot, "a plot")
    interrupted = _play_arena(board, number, workers or usual_workers(), stop)
    _print_standings(board, interrupted)
    if out is not None:
        arena_files.write_parquet(board, out)
    if plot is not None:
        arena_files.draw_plot(board, plot)


def _play_arena(board: Any, number: int, workers: int, stop: bool) -> bool:
    """Play until all is played, settled or interrupted; True if interrupted."""
    from samizdat.bots import warm

    arena, errors = board.arena, Console(stderr=True)
    game = arena.setting.game()
    total = arena.deals(number) * arena.games_per_deal
    try:
        if arena.searches:
            with errors.status(
                f"Loading {game.definition.title}; the first time, its search is compiled for minutes"
            ):
                warm(game)
        with Progress(console=errors, transient=True) as progress, closing(arena.play(number, workers)) as playing:
            task = progress.add_task(f"{total:,} games of {game.definition.title}", total=total)
            for result in playing:
                progress.advance(task)
                if board.add(result) and stop and len(board.results) < total and board.is_settled:
                    board.stopped = True
                    break
    except KeyboardInterrupt:
        return True
    return False


def _print_standings(board: Any, interrupted: bool) -> None:
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
    if board.lost_by_all:
        console.print(f"Lost by all: {board.lost_by_all / len(complete):.1%}; such games are nobody's win.")
    if board.stopped:
        console.print("Stopped early: the question is settled, and the intervals hold in spite of the stop.")
    if interrupted:
        console.print("Interrupted: the games of finished deals count.")


@app.command()
def dataset(
    name: GameName,
    bots: Annotated[str, typer.Option(help="as for `samizdat arena`; with :simulations=N the same rows every time")],
    out: Annotated[Path, typer.Option(help="folder for matches.parquet and decisions.parquet")],
    number: Annotated[int, typer.Option("--games", "-n", min=1, help="how many games")] = 100,
    players: Players = None,
    variant: Variant = None,
    box: BoxFile = None,
    option: Options = None,
    workers: Annotated[int | None, typer.Option(min=1, help="processes; usually all cores but one")] = None,
    seed: Annotated[int, typer.Option(help="seed of the deals and the bots")] = 0,
) -> None:
    """Let bots play and write every decision down: views, open actions, choices, searches, outcomes.

    Ctrl-C keeps what was played. docs/datasets.md explains the columns.
    """
    from samizdat.lab import arena_files
    from samizdat.lab.arena import Setting, read_entrants, usual_workers
    from samizdat.lab.datasets import Dataset

    arena_files.check_installed("pyarrow")
    game = choose_game(name, players, variant, box, option)
    setting = Setting(
        name, game.players, game.variant, tuple(game.options.items()), None if box is None else str(box)
    )
    wanted = Dataset(setting, read_entrants(bots), seed)
    done = 0
    with (
        Progress(console=Console(stderr=True), transient=True) as progress,
        closing(wanted.write(number, out, workers or usual_workers())) as writing,
    ):
        task = progress.add_task(f"{number:,} games of {game.definition.title}", total=number)
        try:
            for done in writing:  # noqa: B007 (said below)
                progress.advance(task)
        except KeyboardInterrupt:
            pass
    say(f"{done:,} games in {out}")


@app.command()
def study(
    name: GameName,
    bots: Annotated[
        str, typer.Option(help="as for `samizdat arena`; several: bots of different strength, each among its like")
    ] = "novice",
    number: Annotated[int, typer.Option("--games", "-n", min=1, help="matches of each, at most")] = 400,
    players: Players = None,
    variant: Variant = None,
    box: BoxFile = None,
    option: Options = None,
    alone: Annotated[
        bool,
        typer.Option("--alone", help="study the box or options given, without comparing them with the usual ones"),
    ] = False,
    ask: Annotated[
        list[str] | None, typer.Option(help="compare this line only, such as `rounds`; several times")
    ] = None,
    simulations: Annotated[int | None, typer.Option(help="a decision, for bots that name no budget")] = None,
    workers: Annotated[int | None, typer.Option(min=1, help="processes; usually all cores but one")] = None,
    out: Annotated[Path | None, typer.Option(help="folder for report and matches; usually study-GAME")] = None,
    png: Annotated[bool, typer.Option("--png", help="every plot as PNG, too, besides SVG")] = False,
    seed: Annotated[int, typer.Option(help="seed of the deals and the bots")] = 0,
    stop: Annotated[bool, typer.Option(help="when comparing: stop early when the question is settled")] = True,
) -> None:
    """Ask how a game plays: fairness, points, length, what choices are worth, the lead; a report with plots.

    With a box of your own or an option the same deals are played both ways, and the report says what moved. Ctrl-C
    keeps what was played; the same command goes on from there.
    """
    from samizdat.lab import arena_files
    from samizdat.lab.arena import read_entrants, usual_workers
    from samizdat.lab.study.command import prepare, run
    from samizdat.lab.study.page import write
    from samizdat.lab.study.report_writer import write_report
    from samizdat.table.language import Speaker, language, seat_word

    if png:
        arena_files.check_installed("matplotlib")
    game = choose_game(name, players, variant, box, option)
    usual = choose_game(name, game.players, game.variant, None, None)
    speak = Speaker(language("en"), game)
    seats = [speak(seat_word(game, seat)) for seat in range(game.players)]
    changed = None if alone or (box is None and not option) else game
    inquiry = prepare(
        usual if changed else game, changed, None if box is None else str(box),
        read_entrants(bots, None, simulations), seed, seats, ask or [], stop,
    )  # fmt: skip
    folder = out or Path(f"study-{name}")
    interrupted = run(inquiry, number, folder, workers or usual_workers(), Console(stderr=True))
    if not inquiry.of(0) or (inquiry.compares and not inquiry.of(1)):
        raise OptionError("Nothing was played to the end: there is nothing to report yet. The same command goes on.")
    command = shlex.join(["samizdat", "study", *_again(sys.argv[2:])])
    report = write_report(inquiry, speak, seats, command)
    written = write(report, folder, png)
    for finding in report.findings:
        console.print(Text.assemble((finding.title, "bold"), f"  {finding.text}"), highlight=False)
    if interrupted:
        console.print("Interrupted: what was played is kept, and the same command goes on from there.")
    say(f"{written[0]}: the report; {len(written) - 1} plots beside it")


def _again(given: list[str]) -> list[str]:
    """The words of a command without those that change nothing in its report."""
    kept, skip = [], False
    for word in given:
        if skip or word == "--png":
            skip = False
        elif word in ("--out", "--workers"):
            skip = True
        elif not word.startswith(("--out=", "--workers=")):
            kept.append(word)
    return kept


@app.command()
def replay(
    path: Annotated[Path, typer.Argument(metavar="FILE", help="a referee's match file")],
    box: BoxFile = None,
    seat: Annotated[int | None, typer.Option(help="as this seat saw it; otherwise everything public")] = None,
) -> None:
    """Replay a match file and print its log."""
    match = loads(read_match(path), box)
    for line in match.log(seat):
        console.print(Text.assemble((f"{line.rule:>6}", "dim"), f"  {line}"), highlight=False)
    if match.over:
        console.print(f"[bold]{match.reason}[/]; points {', '.join(map(str, match.scores))}; ranks {match.ranks}")
    else:
        console.print(f"After {match.plies} decisions the match waits for seat {', '.join(map(str, match.turn))}.")


@app.command("verify")
def verify_file(
    path: Annotated[Path, typer.Argument(metavar="FILE", help="a referee's match file")],
    box: BoxFile = None,
    receipt: Annotated[Path | None, typer.Option(help="what a browser saved when it sat down: was it used?")] = None,
) -> None:
    """Say whether a finished match file is genuine: all luck follows from its seed, the result from its moves, and
    the seed from the host's secret and the numbers of those who played."""
    verdict = verify(read_match(path), box, read_match(receipt) if receipt else None)
    if not verdict.good:
        raise MatchFileError(f"{path}: no. {verdict.why}")
    say(f"{path}: yes. {verdict.why}")
    say(str(verdict.luck))
    if verdict.receipt:
        say(str(verdict.receipt))


@app.command()
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


@box_app.command("check")
def box_check(path: Annotated[Path, typer.Argument(metavar="FILE", help="a box file")]) -> None:
    """Say whether a box file can be played, and how it differs from the printed game."""
    found = definition(game_of_box(path))
    box = found.box_from(path)
    standard = found.standard_box
    say(f"{path}: a good box for {found.title} ({box.hash}).")
    if box.hash == standard.hash:
        say("It holds exactly what the printed components show.")
        return
    for name, value in box.text.constants.items():
        if value != standard.text.constants[name]:
            say(f"[constants] {name}: {standard.text.constants[name]} → {value}")
    for table, rows in box.text.tables.items():
        before = standard.text.tables[table]
        if len(rows) != len(before):
            say(f"[{table}]: {len(before)} rows → {len(rows)}")
        for number, (old, new) in enumerate(zip(before, rows, strict=False), start=1):
            changed = ", ".join(f"{key} {old[key]} → {new[key]}" for key in new if new[key] != old[key])
            if changed:
                say(f"[{table}] row {number}: {changed}")
