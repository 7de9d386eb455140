"""Connect Four as our example has it (`examples/connect_four`), whether it is installed or not."""

from __future__ import annotations

import sys
from pathlib import Path

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "connect_four"
if str(EXAMPLE) not in sys.path:
    sys.path.append(str(EXAMPLE))

from connect_four import GAME as CONNECT_FOUR  # noqa: E402

__all__ = ["CONNECT_FOUR"]
