"""Commands for whoever runs a house: serving, thinking, moving and keeping what it holds."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from samizdat.admin import settings_of
from samizdat.cli.given import Database, LogJson, console, say
from samizdat.kernel.errors import OptionError


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
    backups: Annotated[
        Path | None, typer.Option(envvar="SAMIZDAT_BACKUPS", help="where the host's page puts backups")
    ] = None,
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
        idle_seconds=idle_seconds, backups=backups,
    )  # fmt: skip
    run(host, port, settings, browser, processes)


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
