"""Moves: dense integer ids, typed values and a readable notation, each from the other.

A game lists its kinds of decision with the enumerations they range over; ids follow from the capacities of
those enumerations, so they are stable within a rules version whatever the box holds. The notation is the
kind followed by the names of its arguments: `bid general blackmail`, `done`.
"""

from __future__ import annotations

from dataclasses import dataclass

from samizdat.kernel.arguments import clip, shorten, whole
from samizdat.kernel.errors import MoveError
from samizdat.kernel.telling import Phrase


@dataclass(frozen=True)
class Names:
    """An enumeration that moves range over: fixed names, or the ids of a table of the box."""

    label: str
    capacity: int
    fixed: tuple[str, ...] = ()

    @classmethod
    def of(cls, label: str, *names: str) -> Names:
        return cls(label, len(names), names)

    @classmethod
    def numbers(cls, label: str, first: int, last: int) -> Names:
        """The numbers from first to last, written as such."""
        return cls.of(label, *(str(number) for number in range(first, last + 1)))


class Kind:
    """One kind of decision: a word and the enumerations of its arguments."""

    def __init__(self, name: str, **args: Names) -> None:
        self.name = name
        self.args = args
        self.size = 1
        for names in args.values():
            self.size *= names.capacity


@dataclass(frozen=True)
class Move:
    """One decision: its id, its kind, its arguments by name, and (as `str`) its notation."""

    id: int
    kind: str
    args: dict[str, str]

    def __str__(self) -> str:
        return " ".join((self.kind, *self.args.values()))

    def __hash__(self) -> int:
        return hash(self.id)


class MoveList:
    """All decisions of a game by id; `first["bid"]` is where the ids of a kind begin."""

    def __init__(self, *kinds: Kind) -> None:
        self.kinds = {kind.name: kind for kind in kinds}
        self.first: dict[str, int] = {}
        self.count = 0
        for kind in kinds:
            self.first[kind.name] = self.count
            self.count += kind.size

    def bind(self, names: dict[str, tuple[str, ...]]) -> Notation:
        """The notation for one box, whose tables give the names of its components."""
        return Notation(self, names)


class Notation:
    """Reads and writes the moves of one game with one box."""

    def __init__(self, moves: MoveList, names: dict[str, tuple[str, ...]]) -> None:
        self.all: list[Move | None] = []
        self.by_text: dict[str, Move] = {}
        for kind in moves.kinds.values():
            choices = [args.fixed or names[args.label] for args in kind.args.values()]
            capacities = [args.capacity for args in kind.args.values()]
            for number in range(kind.size):
                places: list[int] = []
                rest = number
                for capacity in reversed(capacities):
                    rest, place = divmod(rest, capacity)
                    places.insert(0, place)
                if any(place >= len(choice) for place, choice in zip(places, choices, strict=True)):
                    self.all.append(None)  # the box has fewer of these than there is room for
                    continue
                words = [choice[place] for place, choice in zip(places, choices, strict=True)]
                move = Move(len(self.all), kind.name, dict(zip(kind.args, words, strict=True)))
                self.all.append(move)
                self.by_text[str(move)] = move

    def move(self, id: int) -> Move:
        found = self.all[id] if 0 <= id < len(self.all) else None
        if found is None:
            raise MoveError(
                Phrase(
                    "There is no move number {id}; moves are numbered 0 to {last}.",
                    {"id": shorten(id), "last": len(self.all) - 1},
                )
            )
        return found

    def read(self, move: object) -> Move:
        """A move from a Move, its id or its notation."""
        number = whole(move.id if isinstance(move, Move) else move)
        if number is not None:
            known = self.move(number)
            if isinstance(move, Move) and move != known:
                raise MoveError(f"Move number {number} is {clip(str(known))}, but {clip(move)} says otherwise.")
            return known
        if isinstance(move, str):
            found = self.by_text.get(" ".join(move.split()))
            if found is None:
                raise MoveError(
                    Phrase(
                        "{move} is no move of this game; write it like {example}.",
                        {"move": clip(move), "example": self.example()},
                    )
                )
            return found
        raise MoveError(f"{clip(move)} is no move; give a Move, its number or its notation.")

    def example(self) -> str:
        return f"“{next(iter(self.by_text))}”"
