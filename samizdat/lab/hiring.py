"""Who works: this process, more of them, or the machines of a cluster, as the command line asks for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from samizdat.kernel.errors import OptionError
from samizdat.kernel.game import Game
from samizdat.lab.arena import Entrant, Setting
from samizdat.lab.crews import Crew
from samizdat.lab.kits import pack


@contextmanager
def hire(
    workers: int | None, cluster: str | None, settings: Sequence[Setting], entrants: Sequence[Entrant],
    warm: Callable[[Game], None] | None = None, usual: int = 1,
) -> Iterator[int | Crew]:  # fmt: skip
    """So many processes, else as many as usual; or the processors of a cluster, all or so many of them. Whoever is
    hired finds everything compiled."""
    if cluster is None:
        if warm is not None:
            for setting in settings:
                warm(setting.game())
        yield workers or usual
        return
    try:
        from samizdat.lab.ray_crew import RayCrew
    except ModuleNotFoundError as error:
        if str(error.name).partition(".")[0] != "ray":
            raise
        raise OptionError("A cluster needs a package more: pip install 'samizdat[cluster]'.") from None
    with RayCrew(cluster, pack(settings, entrants, warm), workers) as crew:
        yield crew
