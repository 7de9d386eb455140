"""Which stored tables this program can go on with: those of its own rules, its own box and its own record."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from samizdat.kernel.errors import BoxError, OptionError, SamizdatError
from samizdat.kernel.game import Game, box_of, definition
from samizdat.kernel.telling import Phrase

OTHER_RULES = Phrase("A match of other rules than this program has")


class OtherRules(SamizdatError):
    """A table that was played under rules this program does not have; it stays as it is, and can be read."""

    def __init__(self, id: str) -> None:
        self.id = id
        super().__init__(
            Phrase(
                "Table {id} was begun under other rules than this program has, or with another box; it stays as it "
                "is, for the program that it was played with.",
                {"id": id},
            )
        )


@lru_cache(maxsize=200)
def _game(
    name: str, players: int, variant: str, options: tuple[tuple[str, Any], ...], rules: int, printed: str | None
) -> Game:
    """A game as it was chosen; one for all tables that chose the same, since it holds every decision there is."""
    return definition(name).recall(players, variant, box_of(name, printed), dict(options), rules)


def game_of(row: Any, printed: Callable[[str], str | None]) -> Game:
    """The game of a stored table, under the rules it began with; one that has not begun takes the present ones. A box
    of its own is read with `printed`. OtherRules if this program would go on with it as another one than it was."""
    try:
        found = definition(row.game)
        begun = row.status != "open"
        rules = row.rules if begun else found.version
        if not found.knows(rules):
            raise OtherRules(row.id)
        box = None if row.printed is None else printed(row.printed)
        game = _game(row.game, row.players, row.variant, tuple(row.options.items()), rules, box)
    except (OptionError, BoxError):  # a game, a variant or an option that is no longer there, or a box of old rules
        raise OtherRules(row.id) from None
    if row.printed is not None and row.box != game.box.hash:
        raise OtherRules(row.id)
    if begun and (row.box != game.box.hash or not found.can_read(row.state or b"", rules)):
        raise OtherRules(row.id)
    return game
