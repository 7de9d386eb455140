"""Build what is handed out: python -m tools.packages [FOLDER]

A source distribution from the sources, and from that a wheel for every system, as pip would build it: what the wheel
has, the source distribution has, too. `tools/wheel.py` builds one with compiled code for one kind of system.
"""

from __future__ import annotations

import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from tools.wheel import copied

BUILD = "import sys; from setuptools import build_meta; print(build_meta.build_{}(sys.argv[1]))"


def built(kind: str, source: Path, folder: Path) -> Path:
    """By the entry that pip and others use; setuptools is the one that is installed."""
    command = [sys.executable, "-c", BUILD.format(kind), str(folder)]
    done = subprocess.run(command, cwd=source, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stderr)
    return folder / done.stdout.splitlines()[-1]


def build(folder: Path) -> tuple[Path, Path]:
    """The files of the source distribution and of the wheel."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as room:
        source, unpacked = Path(room, "source"), Path(room, "unpacked")
        source.mkdir()
        copied(source)
        sdist = built("sdist", source, folder)
        with tarfile.open(sdist) as archive:
            archive.extractall(unpacked, filter="data")
        (inside,) = unpacked.iterdir()
        return sdist, built("wheel", inside, folder)


def main() -> None:
    (folder,) = sys.argv[1:] or ["dist"]
    for file in build(Path(folder).resolve()):
        print(f"{file} ({file.stat().st_size / 1e6:.1f} MB)")


if __name__ == "__main__":
    main()
