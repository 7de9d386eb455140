"""Commands for whoever plays: games, rules, match files, boxes."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer
from rich.markdown import Markdown
from rich.table import Table
from rich.text import Text

from samizdat.cli.given import BoxFile, GameName, console, say
from samizdat.kernel.arguments import clip
from samizdat.kernel.boxfile import game_of_box
from samizdat.kernel.errors import MatchFileError, OptionError
from samizdat.kernel.files import read_text
from samizdat.kernel.game import Definition, definition, definitions, rulebook_text
from samizdat.kernel.matchfile import LONGEST_FILE, loads
from samizdat.kernel.verdicts import verify

box_app = typer.Typer(help="Box files: what is printed on the components.", no_args_is_help=True)


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


def read_match(path: Path) -> str:
    return read_text(path, LONGEST_FILE, MatchFileError)


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
