"""`make test` from a fresh clone with nothing compiled: how long it takes, and what of it.

    python -m bench.fresh [--here] [--costs FILE]

The repository is cloned into an empty folder, nothing is found compiled, and `make test` runs there as anybody would
run it, its output shown; what apt-get has installed on the machine is there. With --here the packages are there, too:
this environment serves the clone. In the end one line for each command that make ran, in the order in which they
ended: seconds of the clock, seconds of processor with all processes below it, and the command (several run side by
side). With --costs the tests are counted one by one, too (`bench.costs`): the dearest files are shown, and every test
stands in FILE.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MARKS = (".made", ".play", ".test", ".browser", ".postgres")  # of the Makefile: what stands in an environment
# Make runs its commands with this: the shell, and beside it how long each of them took.
SHELL = """#!/bin/bash
began=$EPOCHREALTIME
/bin/sh "$@"
rc=$?
times >"$SAMIZDAT_TIMES.$$"
LC_ALL=C awk -v began="$began" -v ended="$EPOCHREALTIME" -v said="${2//$'\\n'/ }" '
    function seconds(text) { split(text, part, /[ms]/); return part[1] * 60 + part[2] }
    END { printf "%8.1f %8.1f  %s\\n", ended - began, seconds($1) + seconds($2), said }
' "$SAMIZDAT_TIMES.$$" >>"$SAMIZDAT_TIMES"
exit $rc
"""


def environment_here(clone: Path) -> None:
    """This environment for the clone: its programs and packages, and marks that say that all is there."""
    made = clone / ".venv"
    made.mkdir()
    for part in Path(sys.prefix).iterdir():
        if part.name not in MARKS:
            (made / part.name).symlink_to(part)
    for mark in MARKS:
        (made / mark).touch()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--here", action="store_true", help="nothing is installed: this environment serves the clone")
    parser.add_argument("--costs", type=Path, metavar="FILE", help="count every test, and write it there")
    parser.add_argument("target", nargs="?", default="test", help="what is made; `lint` shows whether this works")
    wish = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        room = Path(folder)
        clone, times, shell = room / "clone", room / "times", room / "shell"
        subprocess.run(["git", "clone", "-q", str(ROOT), str(clone)], check=True)
        shell.write_text(SHELL, encoding="utf-8")
        shell.chmod(0o755)
        times.touch()
        environment = os.environ | {
            "SAMIZDAT_CACHE": str(room / "compiled"), "SAMIZDAT_TIMES": str(times), "PYTHONPATH": str(clone),
        }  # fmt: skip
        if wish.here:
            environment_here(clone)
        if wish.costs:
            environment |= {"PYTEST_ADDOPTS": "-p bench.costs", "SAMIZDAT_COSTS": str(wish.costs.absolute())}
        began = time.monotonic()
        ended = subprocess.run(["make", wish.target, f"SHELL={shell}"], cwd=clone, env=environment, check=False)
        print(
            f"\nmake {wish.target}: {time.monotonic() - began:.0f} seconds of the clock, exit code {ended.returncode}"
        )
        print("   clock processor")
        print(times.read_text(encoding="utf-8"), end="")
    raise SystemExit(ended.returncode)


if __name__ == "__main__":
    main()
