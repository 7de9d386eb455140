"""Matches recorded when the rules had their present version."""

from __future__ import annotations

import pytest

import samizdat
from samizdat.kernel.game import Definition, definitions
from tests.conftest import label
from tests.recorded_logs import log_of, told
from tests.rulebook import RECORDED


@pytest.mark.parametrize("definition", definitions().values(), ids=label)
def test_recorded_matches_still_play(definition: Definition) -> None:
    """Matches recorded when the rules had this version replay to the same result (a rules fix raises the version)."""
    files = sorted((RECORDED / definition.name).glob("*.json"))
    assert files
    for path in files:
        verdict = samizdat.verify(path.read_text(encoding="utf-8"))
        assert verdict.good, f"{path.name}: {verdict.why}"


@pytest.mark.parametrize("definition", definitions().values(), ids=label)
def test_recorded_matches_are_told_as_they_were(definition: Definition) -> None:
    """To everybody and to each seat: nothing is left out, told twice or told to others (`tests/recorded_logs.py`)."""
    for path in sorted((RECORDED / definition.name).glob("*.json")):
        match = samizdat.loads(path.read_text(encoding="utf-8"))
        assert told(match) == log_of(path).read_text(encoding="utf-8"), path.name
