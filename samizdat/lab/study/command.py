"""A study as the command line asks for it: which arms there are, and a progress bar while they play."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack, closing
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from samizdat.bots import warm
from samizdat.kernel.errors import OptionError
from samizdat.kernel.game import REDUCED, Game
from samizdat.lab.arena import Entrant, Setting
from samizdat.lab.crews import usual_workers
from samizdat.lab.hiring import hire
from samizdat.lab.study.comparing import asked, lines_of, lines_of_choices
from samizdat.lab.study.inquiry import Inquiry
from samizdat.lab.study.playing import Arm

HOUSE = "the house box"


def _called(game: Game, box: str | None) -> str:
    """What a report calls a box and options: what is unusual of them."""
    usual = {option.name: option.default for option in game.definition.options}
    words = [Path(box).stem if box != REDUCED else REDUCED] if box else []
    words += [f"{name}={str(value).lower()}" for name, value in game.options.items() if usual.get(name) != value]
    return ", ".join(words) or HOUSE


def prepare(
    game: Game, changed: Game | None, box: str | None, bots: Sequence[Entrant], seed: int, seats: Sequence[str],
    ask: Sequence[str], stop: bool,
) -> Inquiry:  # fmt: skip
    """The arms of a study: one for each bot; or, where something is changed, one before and one after."""
    if changed is None:
        if ask:
            raise OptionError("A question is about what a change moves; name a box or an option to compare.")
        own = _called(game, box)
        return Inquiry([Arm(own, Setting.of(game), one) for one in dict.fromkeys(bots)], seed)
    if len(set(bots)) > 1:
        raise OptionError("Two boxes are compared with one bot on all seats; name one.")
    if changed.box.hash == game.box.hash and dict(changed.options) == dict(game.options):
        raise OptionError(
            "Nothing is changed: that is what the usual game has. Leave it out to study the game alone."
        )
    arms = [Arm(_called(game, None), Setting.of(game), bots[0])]
    arms.append(Arm(_called(changed, box), Setting.of(changed), bots[0]))
    lines = asked([*lines_of(game, seats), *(lines_of_choices(game, str) if ask else [])], ask)
    return Inquiry(arms, seed, lines, stop)


def run(
    inquiry: Inquiry, games: int, folder: Path, workers: int | None, cluster: str | None, errors: Console
) -> bool:  # fmt: skip
    """Play with a progress bar; True if interrupted."""
    title, total = inquiry.game.definition.title, games * len(inquiry.arms)
    settings, bots = [arm.setting for arm in inquiry.arms], [arm.bot for arm in inquiry.arms]
    try:
        with ExitStack() as stack:
            with errors.status(f"Loading {title}; the first time, its search is compiled for minutes"):
                compiled = warm if any(bot.searches for bot in bots) else None
                crew = stack.enter_context(hire(workers, cluster, settings, bots, compiled, usual_workers()))
            progress = stack.enter_context(Progress(console=errors, transient=True))
            task = progress.add_task(f"{total:,} matches of {title}", total=total)
            for done in stack.enter_context(closing(inquiry.play(games, folder, crew))):
                progress.update(task, completed=done)
    except KeyboardInterrupt:
        return True
    return False
