"""The command by which a player teaches itself a game."""

from __future__ import annotations

import signal
from pathlib import Path
from time import monotonic
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import Progress, TextColumn

from samizdat.cli.given import BoxFile, GameName, Options, Players, Variant, choose_game, say
from samizdat.kernel.arguments import check_seed
from samizdat.kernel.errors import OptionError

SEED_BITS = 48  # the games count their seeds on from it
KEPT_EVERY = 60.0  # seconds between two checkpoints
MINUTES = 10.0


def train(
    name: GameName,
    players: Players = None,
    variant: Variant = None,
    box: BoxFile = None,
    option: Options = None,
    minutes: Annotated[float | None, typer.Option(help="how long; ten minutes if nothing is said")] = None,
    steps: Annotated[int | None, typer.Option(min=1, help="how many decisions instead: the same bytes again")] = None,
    seed: Annotated[int, typer.Option(help="everything follows from it")] = 0,
    out: Annotated[Path | None, typer.Option(help="folder for what is learnt; usually runs/GAME-VARIANT-N")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="go on from the folder's checkpoint")] = False,
    png: Annotated[bool, typer.Option("--png", help="draw the learning curve as curve.png, too")] = False,
) -> None:
    """Let a player teach itself a game, from nothing but its rules.

    It plays against itself on one core. Ctrl-C stops after the iteration; --resume goes on. Steps and minutes count
    from the beginning of the training and of this call. docs/training.md explains the files.
    """
    from samizdat.lab.arena_files import check_installed
    from samizdat.lab.training import Training
    from samizdat.lab.training import resume as resumed

    if minutes is not None and steps is not None:
        raise OptionError("Give minutes or steps, not both.")
    if minutes is not None and not 0 < minutes < float("inf"):
        raise OptionError("minutes must be a number above 0.")
    if png:
        check_installed("matplotlib")
    game = choose_game(name, players, variant, box, option)
    folder = out or Path("runs") / f"{game.name}-{game.variant}-{game.players}"
    if not resume and (folder / "checkpoint.npz").exists():
        raise OptionError(f"{folder} holds a training already; go on with --resume, or name another --out.")
    errors = Console(stderr=True)
    with errors.status(f"Loading {game.definition.title}; the first time, its rules are compiled for a minute"):
        training = resumed(folder, game) if resume else Training(game, check_seed(seed, SEED_BITS))
        training.save(folder)  # a folder that cannot be written is noticed now
    _until(training, folder, errors, MINUTES if minutes is None and steps is None else minutes, steps)
    if png:
        from samizdat.lab.study.ink import png_file
        from samizdat.lab.training_curve import curve_chart

        png_file(curve_chart(training), folder / "curve.png")
    told = f"{training.steps:,} decisions in {int(training.tables.arrays.episodes.sum()):,} games"
    if training.curve:
        told += f"; one among random players wins {training.curve[-1].among_random:.1%}"
    say(f"{folder}: {told}.")


def _until(training: Any, folder: Path, errors: Console, minutes: float | None, steps: int | None) -> None:
    """Iterate until it is enough, somebody interrupts, or the time is up; keep a checkpoint now and then."""
    interrupted = False

    def stop(*_: object) -> None:
        nonlocal interrupted
        interrupted = True

    begun = kept = monotonic()
    before = signal.signal(signal.SIGINT, stop)
    told = TextColumn("{task.fields[told]}")
    try:
        with Progress(*Progress.get_default_columns(), told, console=errors, transient=True) as progress:
            total = 60 * minutes if minutes is not None else steps
            task = progress.add_task(f"Teaching itself {training.game.definition.title}", total=total, told="")
            done = 0.0
            while not interrupted and (total is None or done < total):
                if minutes is not None or training.steps < (steps or 0):
                    training.iterate()
                now = monotonic()
                done = now - begun if minutes is not None else training.steps
                rate = training.curve[-1].among_random if training.curve else 0.0
                progress.update(task, completed=done, told=f"{training.steps:,} decisions, {rate:.0%} among random")
                if now - kept > KEPT_EVERY:
                    training.save(folder)
                    kept = now
    finally:
        signal.signal(signal.SIGINT, before)
    training.save(folder)
