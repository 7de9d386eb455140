"""Revolution!: the draft of a bid, token by token."""

from __future__ import annotations

import itertools
from typing import Any

from samizdat.games.revolution.state import (
    PERSUASION,
    TOKENS,
    State,
)
from samizdat.kernel.boards import Composition
from samizdat.kernel.errors import MoveError
from samizdat.kernel.game import Game
from samizdat.kernel.moves import Move


def compose(game: Game, s: State, seat: int, draft: tuple[str, ...]) -> Composition | None:
    """A-26: a person lays tokens in any order; the finished board goes to the match in evaluation order."""
    if s.point != PERSUASION or (s.sealed >> seat) & 1:
        return None
    laying = Laying(game.box.record, s, seat)
    chosen: list[Move] = []
    for notation in draft:
        try:
            move = game.notation.read(notation)
        except MoveError:
            continue
        place = move.id - game.definition.moves.first["bid"]
        if move.kind == "bid" and laying.takes_and_completes(*divmod(place, TOKENS)):
            laying.lay(*divmod(place, TOKENS))
            chosen.append(move)
    first = game.definition.moves.first["bid"]
    open = tuple(
        str(game.notation.move(first + character * TOKENS + token))
        for character in range(laying.characters)
        for token in range(TOKENS)
        if laying.takes_and_completes(character, token)
    )
    seal = None
    if not any(laying.left):
        seal = (*(str(move) for move in sorted(chosen, key=lambda move: move.id)), "done")
    return Composition(tuple(str(move) for move in chosen), open, seal)


class Laying:
    """Tokens being laid in any order, on top of those that the match already knows of (A-26)."""

    def __init__(self, printed: Any, s: State, seat: int) -> None:
        self.printed = printed
        self.characters: int = printed.characters
        self.left = [s.left[seat, token] for token in range(TOKENS)]
        self.room = printed.most_characters - s.people[seat]
        self.earliest = s.cursor[seat] if s.people[seat] else 0
        self.bid_on = {s.cursor[seat] // TOKENS} if s.people[seat] else set[int]()

    def accepts(self, character: int, token: int) -> bool:
        """R5.5; and nothing before the last token that the match has."""
        return not self.printed.refuses[character, token] and character * TOKENS + token >= self.earliest

    def lay(self, character: int, token: int) -> None:
        self.left[token] -= 1
        if character not in self.bid_on:
            self.bid_on.add(character)
            self.room -= 1

    def takes_and_completes(self, character: int, token: int) -> bool:
        """Whether a token may go there and all the others somewhere after it (R5.2, R5.3)."""
        is_new = character not in self.bid_on
        if self.left[token] == 0 or not self.accepts(character, token) or (is_new and self.room == 0):
            return False
        wanted = {kind for kind in range(TOKENS) if self.left[kind] > (kind == token)}
        return self._can_be_laid(wanted, self.bid_on | {character}, self.room - is_new)

    def _can_be_laid(self, kinds: set[int], bid_on: set[int], room: int) -> bool:
        """Whether somebody takes each kind: those bid on already, or as many new ones as there is room for."""
        kinds = {kind for kind in kinds if not any(self.accepts(who, kind) for who in bid_on)}
        if not kinds:
            return True
        others = {
            frozenset(kind for kind in kinds if self.accepts(who, kind))
            for who in range(self.characters)
            if who not in bid_on
        }
        return any(
            kinds <= frozenset().union(*some)
            for size in range(1, min(room, len(kinds)) + 1)
            for some in itertools.combinations(others, size)
        )
