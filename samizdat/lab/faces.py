"""What the research faces share: choosing a game, seeds, masks, and a text of the table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, SupportsIndex

from samizdat.kernel.arguments import SIM_SEED_BITS, clip, shorten, whole
from samizdat.kernel.errors import OptionError
from samizdat.kernel.game import Game, definition
from samizdat.kernel.match import Match
from samizdat.lab.observations import CHANGES

SEEDS = 1 << SIM_SEED_BITS
EPISODE = 64  # the bit of a match's seed from which its episode is counted

# An action that is not open ends the game: the seat that chose it gets this, worse than any defeat, the others 0.
ILLEGAL = -1.0

RENDER_MODES = ("human", "ansi")


def chosen(game: Game | str, options: dict[str, Any]) -> Game:
    """A game by name with its options, or one already chosen."""
    if not isinstance(game, Game):
        return definition(game).choose(**options)
    if options:
        raise OptionError(f"The game is already chosen; {shorten(', '.join(options))} cannot be given beside it.")
    return game


def version(game: Game) -> int:
    """The version of a game's environments: it rises with its rules, and with the numbers of observations."""
    return game.definition.version + CHANGES


def versioned(game: Game, separator: str) -> str:
    """A game's name as part of an id, with the version of its environments: `dual_powers_v2`."""
    return f"{game.name.replace('-', '_')}{separator}v{version(game)}"


def check_render_mode(mode: str | None) -> str | None:
    if mode is not None and mode not in RENDER_MODES:
        raise OptionError(f"A render mode is {' or '.join(RENDER_MODES)}, not {clip(mode)}.")
    return mode


def check_env_seed(seed: SupportsIndex) -> int:
    """The seed of an environment, if it is one."""
    number = whole(seed)
    if number is None or not 0 <= number < SEEDS:
        raise OptionError(f"An environment's seed is a whole number from 0 to 2**63 - 1, not {clip(seed)}.")
    return number


def table_text(match: Match, seat: int | None) -> str:
    """The table as a seat or a spectator sees it, and the last lines of the log it heard."""
    title = f"{match.game.definition.title}: " + (
        "a spectator's view" if seat is None else f"the view of seat {seat}"
    )
    lines = [title, "=" * len(title), *_outline(match.view(seat), 0)]
    said = [f"  {line}" for line in match.log(seat)[-6:]]
    return "\n".join([*lines, *(["log:", *said] if said else [])]) + "\n"


def _outline(data: Any, depth: int) -> Iterator[str]:
    """Nested plain data as an indented outline; what fits is kept on one line."""
    items = data.items() if isinstance(data, dict) else ((f"- {number}", item) for number, item in enumerate(data))
    for key, value in items:
        nested = isinstance(value, dict | list) and any(isinstance(item, dict | list) for item in _values(value))
        if nested:
            yield f"{'  ' * depth}{key}:"
            yield from _outline(value, depth + 1)
        else:
            yield f"{'  ' * depth}{key}: {_inline(value)}"


def _values(value: dict[str, Any] | list[Any]) -> list[Any]:
    return list(value.values()) if isinstance(value, dict) else value


def _inline(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {_inline(item)}" for key, item in value.items()) or "-"
    if isinstance(value, list):
        return " ".join(map(_inline, value)) or "-"
    if value is None:
        return "-"
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
