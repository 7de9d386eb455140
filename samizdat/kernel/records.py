"""Records: flat tables of small integers, seen three ways.

A game declares its record once, as a class::

    class State(Record):
        point: int = scalar(0, 4, "the decision point the table is at")
        bid: Ints = grid((SEATS, CHARACTERS, 3), 0, 60_000, "R5.1: tokens laid, by seat and character")

Each field states the bounds of what it may hold and why; the smallest integer type that holds them is
chosen from there. The class is then three things at once: the layout (`State.dtype`, a NumPy structured
type: copying is a memcpy, a batch is an array), the name under which compiled code knows the type, and
the view that interpreted rules work on. That view hands out Python integers and refuses a write that does
not fit the field, so that the interpreter is also the sanitizer of compiled code.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, Self

import numpy as np
import numpy.typing as npt

# Signed only: compiled code mixes an unsigned 64-bit count with a signed number into a float.
TYPES = (np.int8, np.int16, np.int32, np.int64)


class Ints(Protocol):
    """A grid of integers: index it with as many integers as it has axes."""

    def __getitem__(self, index: int | tuple[int, ...], /) -> int: ...

    def __setitem__(self, index: int | tuple[int, ...], value: int, /) -> None: ...

    def __len__(self) -> int: ...


@dataclass(frozen=True)
class Field:
    """One field of a record: its shape (`()` for a single number), its bounds, and where they come from."""

    shape: tuple[int, ...]
    low: int
    high: int
    why: str

    @property
    def type(self) -> type[np.integer[Any]]:
        for candidate in TYPES:
            info = np.iinfo(candidate)
            if info.min <= self.low and self.high <= info.max:
                return candidate
        raise ValueError(f"no integer type holds {self.low}..{self.high}")


def scalar(low: int, high: int, why: str) -> Any:
    """A single number between `low` and `high`."""
    return Field((), low, high, why)


def grid(shape: int | tuple[int, ...], low: int, high: int, why: str) -> Any:
    """An array of numbers between `low` and `high`."""
    return Field((shape,) if isinstance(shape, int) else shape, low, high, why)


class _Scalar:
    """Reads and writes one number of the record as a Python integer."""

    def __init__(self, name: str) -> None:
        self.slot = "_" + name

    def __get__(self, record: Record | None, owner: type[Record]) -> Any:
        if record is None:
            return self
        return record.__dict__[self.slot][0]

    def __set__(self, record: Record, value: int) -> None:
        record.__dict__[self.slot][0] = value


def _layout(fields: dict[str, Field]) -> np.dtype[Any]:
    """The fields in memory, widest first and filled up at the end: no byte that NumPy would leave uncopied."""
    order = sorted(fields, key=lambda name: -np.dtype(fields[name].type).itemsize)
    parts: list[Any] = [(name, fields[name].type, fields[name].shape) for name in order]
    loose = np.dtype(parts, align=False)
    padding = -loose.itemsize % np.dtype(parts, align=True).alignment
    return np.dtype([*parts, ("_padding", np.int8, (padding,))] if padding else parts, align=True)


class Record:
    """Base of all records; a subclass only declares fields."""

    dtype: ClassVar[np.dtype[Any]]
    fields: ClassVar[dict[str, Field]]
    _spans: ClassVar[list[tuple[str, int, int, str, tuple[int, ...]]]]

    def __init_subclass__(cls) -> None:
        fields: dict[str, Field] = dict(getattr(cls, "fields", {}))
        fields.update({name: value for name, value in vars(cls).items() if isinstance(value, Field)})
        cls.fields = fields
        cls.dtype = _layout(fields)
        cls._spans = []
        for name, field in fields.items():
            kind, offset = cls.dtype.fields[name][:2]  # type: ignore[index]
            code = np.dtype(field.type).char
            cls._spans.append((name, int(offset), kind.itemsize, code, field.shape))
            if not field.shape:
                setattr(cls, name, _Scalar(name))
            elif name in vars(cls):
                delattr(cls, name)  # instances carry their grids themselves

    def __init__(self, array: npt.NDArray[Any] | None = None) -> None:
        """A view on the only element of `array`, or on a new zeroed record."""
        self.array = np.zeros(1, self.dtype) if array is None else array
        if self.array.dtype != self.dtype or self.array.size != 1:
            raise TypeError(f"{type(self).__name__} needs an array of one {type(self).__name__} record")
        raw = memoryview(self.array.view(np.uint8).reshape(self.dtype.itemsize))  # type: ignore[arg-type]
        own = self.__dict__
        for name, offset, size, code, shape in self._spans:
            part = raw[offset : offset + size]
            if shape:
                own[name] = part.cast(code, shape)  # type: ignore[call-overload]
            else:
                own["_" + name] = part.cast(code)  # type: ignore[call-overload]

    @classmethod
    def without(cls, *names: str) -> np.dtype[Any]:
        """The layout that this record had before some fields were added."""
        return _layout({name: field for name, field in cls.fields.items() if name not in names})

    def copy(self) -> Self:
        return type(self)(self.array.copy())

    def become(self, other: Self) -> None:
        """Take over every byte of another record."""
        self.array[...] = other.array

    def __bytes__(self) -> bytes:
        return self.array.tobytes()

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        return cls(np.frombuffer(data, cls.dtype).copy())

    def __reduce__(self) -> tuple[Any, ...]:
        """Copied and sent to other processes as bytes: views on memory cannot travel."""
        return type(self).from_bytes, (bytes(self),)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and bytes(self) == bytes(other)

    __hash__ = None  # type: ignore[assignment]  # a record is mutable

    def items(self) -> Iterator[tuple[str, Any]]:
        """Field names with plain numbers or nested lists, for showing and comparing."""
        for name in self.fields:
            yield name, self.array[name][0].tolist()

    @classmethod
    def out_of_bounds(cls, array: npt.NDArray[Any]) -> str | None:
        """The first declared bound that an array of records breaks, in words; None if all hold."""
        for name, field in cls.fields.items():
            values = array[name]
            if values.size and (values.min() < field.low or values.max() > field.high):
                worst = values.min() if values.min() < field.low else values.max()
                return f"{cls.__name__}.{name} holds {worst}, outside {field.low}..{field.high} ({field.why})"
        return None
