"""Every error a user can meet, each with one clear sentence."""

from __future__ import annotations

from typing import Any


class SamizdatError(Exception):
    """Base of all errors that are the caller's to mend; never a traceback on the command line."""


class OptionError(SamizdatError):
    """An unknown game, variant, option, number of players or seed."""


class BoxError(SamizdatError):
    """A box file that cannot be played; names file, line and field. `table`, `row` (from 0) and `column` are where,
    as far as it is about one place, `why` is the rest of the sentence."""

    def __init__(
        self, message: object, table: str = "", row: int | None = None, column: str = "", why: object = None
    ) -> None:
        super().__init__(message)
        self.table, self.row, self.column, self.why = table, row, column, why


class MatchFileError(SamizdatError):
    """A match file that is truncated, altered, of another version, or no match file. `game` is the one it is of, as
    far as that was read."""

    def __init__(self, message: object, game: object = None) -> None:
        super().__init__(message)
        self.game = game


class MoveError(SamizdatError):
    """Text or a number that is no move of this game at all."""


class IllegalMove(SamizdatError):
    """A move of this game that is not open now. `rule` is the number of the rule that forbids it, `why` the sentence
    about it (a `Line`), to be said in any language."""

    def __init__(self, message: str, rule: str, why: object = None) -> None:
        super().__init__(f"{message} ({rule})")
        self.rule = rule
        self.why = why

    def __reduce__(self) -> tuple[Any, ...]:
        """Another process makes the error anew from what it was made of."""
        return type(self), (str(self).removesuffix(f" ({self.rule})"), self.rule, self.why)


class NotYourTurn(SamizdatError):
    """The seat has nothing to decide now, or does not exist."""


class GameOver(SamizdatError):
    """The match has ended; nobody decides any more."""
