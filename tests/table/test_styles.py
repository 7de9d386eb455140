"""Style sheets, where browsers differ: the tests in a browser know Chromium only."""

from __future__ import annotations

import re
from pathlib import Path

import samizdat

REPEATING = re.compile(r"repeating-[a-z]+-gradient\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)")  # and its stops
SHEETS = sorted(Path(samizdat.__file__).parent.rglob("*.css"))


def test_no_gradient_repeats_a_mixed_colour() -> None:
    """Firefox paints such a gradient as one plain colour; the mixed colour belongs beneath it."""
    assert len(SHEETS) > 4, "style sheets have moved"
    for sheet in SHEETS:
        for stops in REPEATING.findall(sheet.read_text()):
            assert "color-mix" not in stops, f"{sheet.name}: {stops}"
