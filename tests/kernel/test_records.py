"""Records: layout from bounds, sanitized writes, bytes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from samizdat.kernel.errors import BoxError
from samizdat.kernel.game import Definition, definitions
from samizdat.kernel.luck import Luck, RecordingLuck
from samizdat.kernel.records import Field, Ints, Record, grid, scalar
from samizdat.kernel.scoring import Score
from tests.conftest import label


class Sample(Record):
    small: int = scalar(-1, 100, "a test")
    wide: int = scalar(0, 300, "a test")
    table: Ints = grid((2, 3), 0, 100_000, "a test")


def test_the_smallest_signed_type_is_chosen() -> None:
    assert Field((), 0, 127, "").type is np.int8
    assert Field((), 0, 128, "").type is np.int16
    assert Field((), -129, 0, "").type is np.int16
    assert Field((), 0, 1 << 31, "").type is np.int64
    with pytest.raises(ValueError, match="no integer type"):
        _ = Field((), 0, 1 << 63, "").type


def test_reads_are_python_integers_and_writes_are_checked() -> None:
    sample = Sample()
    sample.small = 100
    sample.table[1, 2] = 99_999
    assert type(sample.small) is int
    assert type(sample.table[1, 2]) is int
    for bad in (128, -129):
        with pytest.raises((ValueError, OverflowError)):
            sample.small = bad
    with pytest.raises((ValueError, OverflowError)):
        sample.table[0, 0] = 1 << 31
    with pytest.raises(IndexError):
        sample.table[2, 0] = 1
    assert dict(sample.items()) == {"small": 100, "wide": 0, "table": [[0, 0, 0], [0, 0, 99_999]]}


def test_negative_indices_are_refused() -> None:
    """Memory views and compiled code would count them from the end."""
    luck, sample = Luck(), Sample()
    with pytest.raises(IndexError, match="-1"):
        _ = luck.words[-1]
    with pytest.raises(IndexError, match="-1"):
        luck.words[-1] = 1
    for index in ((-1, 0), (0, -1)):
        with pytest.raises(IndexError, match="-1"):
            _ = sample.table[index]
        with pytest.raises(IndexError, match="-1"):
            sample.table[index] = 1
    assert bytes(luck) == bytes(Luck())
    assert bytes(sample) == bytes(Sample())


@given(st.binary(min_size=Sample.dtype.itemsize, max_size=Sample.dtype.itemsize))
def test_bytes_round_trip(data: bytes) -> None:
    sample = Sample.from_bytes(data)
    assert bytes(sample) == data
    twin = sample.copy()
    assert twin == sample
    twin.wide = 7 if sample.wide != 7 else 8
    assert twin != sample


def test_bounds_are_named_when_broken() -> None:
    array = np.zeros(3, Sample.dtype)
    assert Sample.out_of_bounds(array) is None
    array["wide"][1] = 301
    assert "Sample.wide holds 301, outside 0..300" in str(Sample.out_of_bounds(array))


def test_no_byte_is_left_out_of_a_copy() -> None:
    for record in ALL:
        used = sum(np.dtype(kind).itemsize for kind, *_ in (record.dtype.fields or {}).values())
        assert used == record.dtype.itemsize, f"{record.__name__} has padding that copies would leave to chance"


ALL = [Luck, RecordingLuck, Score] + [record for one in definitions().values() for record in (one.state, one.printed)]


@pytest.mark.parametrize("record", ALL, ids=lambda record: f"{record.__module__}.{record.__name__}")
def test_every_field_holds_both_of_its_extremes(record: type[Record]) -> None:
    """Every declared bound, written into every element, on one record, reads back as itself."""
    for end in ("low", "high"):
        one = record()
        for name, field in record.fields.items():
            value = getattr(field, end)
            if not field.shape:
                setattr(one, name, value)
            else:
                for index in np.ndindex(*field.shape):
                    getattr(one, name)[index if len(index) > 1 else index[0]] = value
        for name, field in record.fields.items():
            assert (one.array[name] == getattr(field, end)).all(), name
        assert record.out_of_bounds(one.array) is None


@pytest.mark.parametrize("definition", definitions().values(), ids=label)
def test_a_box_beyond_capacity_is_refused_by_name(definition: Definition, tmp_path: Path) -> None:
    """The first table with an upper limit, one row too long."""
    text = (definition.folder / "box.toml").read_text(encoding="utf-8")
    name = next(iter(definition.standard_box.text.tables))
    rows = definition.standard_box.text.tables[name]
    lines = text.splitlines()
    at = definition.standard_box.text.lines[(name, 0)] - 1
    path = tmp_path / "large.toml"
    path.write_text("\n".join(lines[:at] + [lines[at]] * (200 + len(rows)) + lines[at:]), encoding="utf-8")
    with pytest.raises(BoxError, match=rf"\[{name}\]"):
        definition.read_box(path)
