"""What was told of every recorded match, line by line with its rule: `tests/recorded/GAME/MATCH.log`.

python -m tests.recorded_logs --update   writes them anew, after a change of what is told or of its words

First what everybody is told, then what each seat is told beyond that.
"""

from __future__ import annotations

import sys
from pathlib import Path

from samizdat.kernel.match import Match
from samizdat.kernel.matchfile import loads
from tests.rulebook import RECORDED


def told(match: Match) -> str:
    lines = public = [f"{line.rule} {line}" for line in match.log(None)]
    for seat in range(match.seats):
        own = [f"{line.rule} {line}" for line in match.log(seat)]
        lines = [*lines, f"# seat {seat}", *(line for line in own if line not in public)]
    return "".join(f"{line}\n" for line in lines)


def log_of(path: Path) -> Path:
    return path.with_suffix(".log")


def update() -> None:
    for path in sorted(RECORDED.glob("*/*.json")):
        log_of(path).write_text(told(loads(path.read_text(encoding="utf-8"))), encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:] != ["--update"]:
        raise SystemExit(__doc__)
    update()
