"""Build a wheel that carries compiled code: python -m tools.wheel [FOLDER]

The sources are copied, every game's loops and bots are compiled for any processor of the kind that
`samizdat.kernel.kept.PORTABLE` names, and the wheel is built from that. It is for this kind of system and this
version of Python, and asks for the very Numba and NumPy that its code was compiled by.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from importlib.metadata import version
from pathlib import Path

from samizdat.kernel import kept

ROOT = Path(__file__).resolve().parents[1]
PARTS = ("pyproject.toml", "README.md", "LICENSE", "samizdat")
SETUP = """from setuptools import setup
from setuptools.dist import Distribution


class WithCode(Distribution):
    def has_ext_modules(self):
        return True


setup(distclass=WithCode)
"""


def copied(to: Path) -> None:
    """What a wheel is built from."""
    for name in PARTS:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, to / name, ignore=shutil.ignore_patterns("__pycache__", "compiled"))
        else:
            shutil.copy(ROOT / name, to / name)


def described(text: str) -> str:
    """pyproject.toml for such a wheel: the compilers it was made by, and its files."""
    for package in ("numba", "numpy"):
        text, found = re.subn(rf'"{package}>=[^"]*"', f'"{package}=={version(package)}"', text)
        assert found == 1, f"pyproject.toml names {package} {found} times"
    head = "[tool.setuptools.package-data]\n"
    assert head in text
    return text.replace(head, f'{head}"samizdat" = ["{kept.SHIPPED.name}/*/*.code"]\n')


def compile_into(source: Path) -> None:
    """The code of every game, for whoever has a processor of the kind."""
    environment = os.environ | {
        "NUMBA_CPU_NAME": kept.PORTABLE,
        "NUMBA_CPU_FEATURES": "",
        "SAMIZDAT_CACHE": str(source / "samizdat" / kept.SHIPPED.name),
        "PYTHONPATH": os.pathsep.join((str(source), str(ROOT))),  # their copy, and beside it our tests
    }
    subprocess.run([sys.executable, "-m", "tests.warm"], env=environment, cwd=source, check=True)


def build(folder: Path) -> Path:
    """The wheel's file."""
    with tempfile.TemporaryDirectory() as room:
        source = Path(room)
        copied(source)
        (source / "setup.py").write_text(SETUP)
        (source / "pyproject.toml").write_text(described((ROOT / "pyproject.toml").read_text()))
        compile_into(source)
        options = ["--no-deps", "--disable-pip-version-check", "--quiet", "--wheel-dir", str(folder)]
        subprocess.run([sys.executable, "-m", "pip", "wheel", *options, str(source)], check=True)
    system = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    (wheel,) = folder.glob(f"samizdat-*-{sys.implementation.cache_tag.replace('cpython-', 'cp')}-*-{system}.whl")
    return wheel


def main() -> None:
    (folder,) = sys.argv[1:] or ["dist"]
    wheel = build(Path(folder).resolve())
    print(f"{wheel} ({wheel.stat().st_size / 1e6:.1f} MB)")


if __name__ == "__main__":
    main()
