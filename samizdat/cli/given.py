"""What commands take alike, and how they answer."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from samizdat.kernel.arguments import clip, printable
from samizdat.kernel.errors import OptionError
from samizdat.kernel.game import Game, definition

console = Console()

GameName = Annotated[str, typer.Argument(metavar="GAME", help="a game's name; `samizdat games` lists them")]
Players = Annotated[int | None, typer.Option(help="number of players")]
Variant = Annotated[str | None, typer.Option(help="variant of the game")]
BoxFile = Annotated[
    Path | None, typer.Option("--box", help="a box file of your own, or reduced: the small one for solvers")
]
Options = Annotated[list[str] | None, typer.Option("--option", "-o", help="an option of the game, name=value")]

Workers = Annotated[
    int | None, typer.Option(min=1, help="processes; usually all cores but one, or all that the cluster has")
]
Cluster = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS", help="play on the machines of a Ray cluster: its HOST:PORT, or auto for the one here"
    ),
]

Database = Annotated[
    str, typer.Option(envvar="SAMIZDAT_DATABASE_URL", help="a PostgreSQL database instead of a folder: its address")
]

LogJson = Annotated[bool, typer.Option("--log-json", envvar="SAMIZDAT_LOG_JSON", help="log in lines of JSON")]


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


def say(text: str) -> None:
    """Print a line that repeats what somebody typed or a file holds: Rich would take brackets in it for markup."""
    print(printable(text))
