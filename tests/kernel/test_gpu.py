"""The GPU engine without a card: its loop, in Numba's simulator, plays what the interpreter plays."""

from __future__ import annotations

import os
import subprocess
import sys


def test_the_loop_of_the_card_plays_as_the_interpreter_does() -> None:
    """A process of its own: whether Numba simulates is settled when it is imported."""
    environment = os.environ | {"NUMBA_ENABLE_CUDASIM": "1"}
    command = [sys.executable, "-m", "tests.simulated"]
    ran = subprocess.run(command, check=False, env=environment, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert "simulated as interpreted" in ran.stdout
