"""`samizdat study`: how a game plays."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

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
from samizdat.kernel.errors import OptionError


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
    workers: Workers = None,
    cluster: Cluster = None,
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
    from samizdat.lab.arena import read_entrants
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
    interrupted = run(inquiry, number, folder, workers, cluster, Console(stderr=True))
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
        elif word in ("--out", "--workers", "--cluster"):
            skip = True
        elif not word.startswith(("--out=", "--workers=", "--cluster=")):
            kept.append(word)
    return kept
