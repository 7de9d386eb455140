"""Observation tensors: what a seat sees, as a row of float32, made from its hidden record and nothing else.

The layout follows from the fields that a game's state record declares, in their order, by one rule for all games,
whatever box, variant and options are chosen; `docs/observations.md` explains it and `samizdat observations GAME`
prints a game's table. How large a number gets follows from what the chosen game can reach (`samizdat.kernel.reach`):

- a field from 0 to 2**k - 1 with k of 2 or more becomes k numbers, its binary digits, lowest first: bit sets
  come apart into their members, and no set is too large for a float32;
- a field that counts beyond 40, or has bounds beyond 255, grows with the logarithm of its size, so that usual values
  are told apart from 0 and from each other;
- any other field is divided by the larger end of its reach: 0 stays 0, "none" (-1) stays negative.

Before the fields come two things a record does not hold: which seat is looking, and which seats may act. Of a field
that shows a seat nothing but its own row, only that row is there.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from samizdat.kernel import interpreted as engine
from samizdat.kernel.game import Game
from samizdat.kernel.match import Match, Sight
from samizdat.kernel.reach import chosen_before_the_deal, reach_of
from samizdat.kernel.records import Field, Record

Floats = npt.NDArray[np.float32]

# How often the numbers of an observation changed although no rule did; environments count it into their version.
CHANGES = 1

# How the values of a field are scaled.
SHARE, BITS, LOG = 0, 1, 2
SHARES = 3  # for compiled code: a share whose bound is not the same for all its values
SCALES = ("value / bound", "binary digits", "log(1 + value) / log(1 + bound)")
WIDEST_SHARE = 255  # above this bound, usual values would all look like 0
WIDEST_COUNT = 40  # so would they in a count that goes further; what is numbered beyond it knows a "none", below 0
WIDTHS = (1, 2, 4, 8)  # bytes of the integer types a record may hold


class Span(NamedTuple):
    """Where one field lies in the tensor: `shape` numbers from `offset` on."""

    field: str
    offset: int
    shape: tuple[int, ...]
    low: int  # what its values can be in this game
    high: int
    scale: int
    why: str
    bound: npt.NDArray[np.int64]  # what each value is measured by
    varies: npt.NDArray[np.bool_]  # for each number: whether it can change at all in this game
    seats: int = 0  # only the own row of so many is shown, and the rows after them

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    @property
    def digits(self) -> int:
        """Numbers that one value of the field becomes."""
        return self.shape[-1] if self.scale == BITS else 1

    @property
    def divisors(self) -> Floats:
        """What each number is divided by; the logarithm is that of the C library, as in compiled code."""
        bounds = self.bound.ravel().tolist()
        return np.array([math.log1p(bound) for bound in bounds] if self.scale == LOG else bounds, np.float32)


def scale_of(field: Field) -> int:
    if field.low == 0 and field.high >= 3 and field.high & (field.high + 1) == 0:
        return BITS
    counts_far = field.low == 0 and field.high > WIDEST_COUNT
    return LOG if counts_far or max(-field.low, field.high) > WIDEST_SHARE else SHARE


def layout(game: Game, whole: bool = False) -> list[Span]:
    """Every part of a game's observation tensor, in order; with `whole`, of the tensor of its true record."""
    seats, one = (game.players,), np.ones(game.players, np.int64)
    looking, acting = (np.full(seats, varies) for varies in (game.players > 1, True))
    spans = [
        Span("you", 0, seats, 0, 1, SHARE, "1 for the seat that is looking", one, looking),
        Span("to_act", game.players, seats, 0, 1, SHARE, "1 for every seat that may act now", one, acting),
    ]
    reaches = reach_of(game)
    before = chosen_before_the_deal(game)
    for name, field in game.definition.state.fields.items():
        low, high = reaches[name]
        bound = np.maximum(np.maximum(-low, high), 1)
        if name in before:
            bound = np.full(field.shape, max(-field.low, field.high, 1))  # it tells one game from another
        rows = 0 if whole else game.definition.own_rows.get(name, 0)
        if rows:
            low, high, bound = (_own(numbers, 0, rows) for numbers in (low, high, bound))
        scale = scale_of(field)
        varies = low < high
        bound = _alike(bound, varies)
        if scale == BITS:
            varies = varies[..., None] & (high[..., None] >> np.arange(field.high.bit_length()) > 0)
        offset = spans[-1].offset + spans[-1].size
        ends = int(low.min()), int(high.max())
        spans.append(Span(name, offset, varies.shape, *ends, scale, field.why, bound, varies, rows))
    return spans


def _alike(bound: npt.NDArray[np.int64], varies: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
    """One bound for a whole field, if all that varies in it has the same: nobody minds how the rest is measured."""
    most = bound[varies]
    return np.full_like(bound, most[0]) if most.size and (bound <= most.min()).all() else bound


def _own(rows: npt.NDArray[Any], seat: int, seats: int) -> npt.NDArray[Any]:
    """The row of a seat, and those that are no seat's."""
    return np.concatenate((rows[seat : seat + 1], rows[seats:]))


def size(game: Game, whole: bool = False) -> int:
    """How many numbers an observation of this game has."""
    last = layout(game, whole)[-1]
    return last.offset + last.size


def varying(game: Game) -> npt.NDArray[np.bool_]:
    """For each number of an observation: whether it can change at all with this box, these options and players."""
    return np.concatenate([span.varies.ravel() for span in layout(game)])


class RecordWriter:
    """Writes records of one game as tensors; the layout is worked out once."""

    def __init__(self, game: Game, whole: bool) -> None:
        self.game = game
        self.layout = layout(game, whole)
        self.size = size(game, whole)
        self._divisors = [span.divisors for span in self.layout]

    def _written(self, state: Record, seat: int) -> Floats:
        """A record as a seat sees it, but for the seat itself."""
        out = np.zeros(self.size, np.float32)
        for other in engine.acting(state):
            out[self.game.players + other] = 1
        for span, divisors in zip(self.layout[2:], self._divisors[2:], strict=True):
            values = state.array[span.field][0]
            if span.seats:
                values = _own(values, seat, span.seats)
            out[span.offset : span.offset + span.size] = scaled(span, divisors, values)
        return out


class Tensors(RecordWriter):
    """The observations of one game."""

    def __init__(self, game: Game) -> None:
        super().__init__(game, whole=False)

    def of(self, sight: Sight) -> Floats:
        """What a seat sees. A sight holds the hidden record only, so there is nothing here that could leak."""
        out = self._written(sight.state, sight.seat)
        out[sight.seat] = 1
        return out


class TrueTensors(RecordWriter):
    """The true records of one game, every row of them, with nobody looking: the referee's, never an agent's."""

    def __init__(self, game: Game) -> None:
        super().__init__(game, whole=True)

    def of(self, match: Match) -> Floats:
        return self._written(self.game.definition.state.from_bytes(match.raw), 0)


def scaled(span: Span, divisors: Floats, values: Any) -> Any:
    """The numbers of one field, flat."""
    flat = np.atleast_1d(values).ravel()
    if span.scale == BITS:
        return (flat.astype(np.int64)[:, None] >> np.arange(span.digits) & 1).ravel()
    if span.scale == LOG:
        # The C library's logarithm, as in compiled code: NumPy's own may differ in the last bit.
        sizes = [math.copysign(math.log1p(abs(value)), value) for value in flat.tolist()]
        return np.array(sizes, np.float32) / divisors
    return flat.astype(np.float32) / divisors


def standing_still(game: Game, whole: bool = False) -> Floats:
    """An observation with all in it that cannot vary, and zeros where something can."""
    reaches = reach_of(game)
    out = np.zeros(size(game, whole), np.float32)
    for span in layout(game, whole)[2:]:
        low = reaches[span.field].low
        numbers = scaled(span, span.divisors, _own(low, 0, span.seats) if span.seats else low)
        out[span.offset : span.offset + span.size] = np.where(span.varies.ravel(), 0, numbers)
    return out


def columns(game: Game, seat: int, whole: bool = False) -> Iterator[tuple[int, int, int, int, int, int]]:
    """What compiled code must write; for each field that can vary, or part of one: scale, width, first element,
    elements, digits, offset.

    An element is counted in the record seen as an array of integers of that width (`WIDTHS[width]` bytes).
    """
    dtype = game.definition.state.dtype
    for span in layout(game, whole)[2:]:
        if not span.varies.any():
            continue
        kind, offset = dtype.fields[span.field][:2]  # type: ignore[index]
        width = kind.base.itemsize
        begin, elements, digits = int(offset) // width, span.size // span.digits, span.digits
        scale = SHARES if span.scale == SHARE and len(np.unique(span.bound)) > 1 else span.scale
        if not span.seats:
            yield scale, WIDTHS.index(width), begin, elements, digits, span.offset
            continue
        row = elements // span.shape[0]
        yield scale, WIDTHS.index(width), begin + seat * row, row, digits, span.offset
        rest = begin + span.seats * row, elements - row, digits, span.offset + row * digits
        yield scale, WIDTHS.index(width), *rest


def divisors(game: Game, whole: bool = False) -> Floats:
    """What each number of an observation is divided by, for compiled code; binary digits are not."""
    return np.concatenate([np.repeat(span.divisors, span.digits) for span in layout(game, whole)])


def fingerprint(game: Game) -> str:
    """What an observation and the ids of moves mean in this game: the same for all games in which a policy could play
    without noticing."""
    digest = hashlib.sha256(f"{CHANGES} {game.capacity}".encode())
    for span in layout(game):
        digest.update(f"{span.field} {span.offset} {span.shape} {span.scale} {span.seats}".encode())
        digest.update(span.divisors.tobytes())
    digest.update(standing_still(game).tobytes())
    return digest.hexdigest()[:20]


def describe(game: Game) -> str:
    """The layout of a game as a table in plain text."""
    moving = varying(game)
    title = (
        f"{game.definition.title} ({game.variant}, {game.players} players): {moving.size} numbers, "
        f"{moving.sum()} of which can vary"
    )
    rows = [("offset", "field", "shape", "values", "varies", "scale", "meaning")]
    for span in layout(game):
        shape = "×".join(map(str, span.shape)) or "1"
        values = f"{span.low}..{span.high}" if span.low < span.high else str(span.low)
        varies = str(int(span.varies.sum())) if span.varies.any() else "-"
        rows.append((str(span.offset), span.field, shape, values, varies, SCALES[span.scale], span.why))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join([title, *lines])
