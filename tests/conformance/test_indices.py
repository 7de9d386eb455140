"""No rule, law or bot ever uses an index that is none: neither beyond the last element nor below 0."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from samizdat.kernel.game import Definition, definitions
from tests.conftest import label


@pytest.mark.slow
@pytest.mark.parametrize("definition", definitions().values(), ids=label)
def test_every_index_is_within_bounds(definition: Definition) -> None:
    """Every way of setting up the game, in compiled code that checks each index (`tests/wild.py`).

    A process of its own, since the mode is one of the process; hardly optimised, since compiling is what takes long.
    """
    environment = os.environ | {"SAMIZDAT_CHECKED": "1", "NUMBA_OPT": "1"}
    command = [sys.executable, "-m", "tests.wild", definition.name]
    ran = subprocess.run(command, check=False, env=environment, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
