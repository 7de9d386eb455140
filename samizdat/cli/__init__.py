"""The command line: `samizdat --help`."""

from __future__ import annotations

import sys
from collections.abc import Callable

import typer

from samizdat.admin import admin_app
from samizdat.cli.bot_games import arena, dataset, leaderboard_app
from samizdat.cli.for_hosts import backup, mcp, move_data, restore, serve, worker
from samizdat.cli.for_players import box_app, games, replay, rules, verify_file
from samizdat.cli.simulating import observations, parity, sim
from samizdat.cli.studying import study
from samizdat.cli.teaching import train
from samizdat.kernel.arguments import printable
from samizdat.kernel.errors import SamizdatError

app = typer.Typer(
    help="Samizdat: a referee, opponents and a research kit for four printed games.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
COMMANDS: dict[str, Callable[..., None]] = {  # as `samizdat --help` lists them
    "games": games,
    "rules": rules,
    "serve": serve,
    "mcp": mcp,
    "worker": worker,
    "move-data": move_data,
    "backup": backup,
    "restore": restore,
    "observations": observations,
    "sim": sim,
    "arena": arena,
    "dataset": dataset,
    "study": study,
    "train": train,
    "replay": replay,
    "verify": verify_file,
    "parity": parity,
}
for _name, _command in COMMANDS.items():
    app.command(_name)(_command)
app.add_typer(box_app, name="box")
app.add_typer(leaderboard_app, name="leaderboard")
app.add_typer(admin_app, name="admin")


def main() -> None:
    """Run the command line; a user's mistake is one sentence on standard error and exit code 2."""
    try:
        app()
    except SamizdatError as error:
        print(f"samizdat: {printable(str(error))}", file=sys.stderr)
        sys.exit(2)
    except BrokenPipeError:
        sys.exit(1)
