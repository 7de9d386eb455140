"""Compiled code kept on disk: a file for each loop, the types it was compiled for and the processor.

Its folder is named by a hash of everything the code was made from, so nothing in it is ever out of date and no time
stamp is looked at: code that came with a wheel is found, too (`SHIPPED`). That code is made for any processor that
has what `PORTABLE` names.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import platform
import shutil
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from llvmlite import binding
from numba.core import caching, serialize
from numba.core.compiler import CompileResult

SHIPPED = Path(__file__).resolve().parents[1] / "compiled"
PORTABLE = "x86-64-v3"
NEEDED = ("avx2", "bmi", "bmi2", "cx16", "f16c", "fma", "lzcnt", "movbe", "popcnt", "sahf", "sse4.2", "xsave")
KEEP_FOR = 30 * 24 * 3600  # seconds since a folder of compiled code was last used


def cache_root() -> Path:
    """Where compiled code is kept: SAMIZDAT_CACHE, or the user's cache folder."""
    given = os.environ.get("SAMIZDAT_CACHE")
    if given:
        return Path(given)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "samizdat"


def runs_portable_code() -> bool:
    """Whether this processor has what shipped code takes for granted."""
    if platform.machine() != "x86_64":
        return False
    features = binding.get_host_cpu_features()
    return all(features.get(name, False) for name in NEEDED)


def sweep(root: Path, keep: Path) -> None:
    """Throw away compiled code that no version of the sources has used for a month."""
    keep.mkdir(parents=True, exist_ok=True)
    os.utime(keep)
    for folder in root.iterdir():
        if folder.is_dir() and folder != keep and time.time() - folder.stat().st_mtime > KEEP_FOR:
            shutil.rmtree(folder, ignore_errors=True)


class Kept(caching._Cache):
    """The files of one loop, as Numba asks for them."""

    def __init__(self, name: str, folder: str) -> None:
        self._name = name
        self._folder = folder

    @property
    def cache_path(self) -> str:
        return str(cache_root() / self._folder)

    def _file(self, root: Path, signature: Any, target: tuple[str, ...]) -> Path:
        digest = hashlib.sha256(repr((str(signature), target)).encode()).hexdigest()[:20]
        return root / self._folder / f"{self._name}-{digest}.code"

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        target_context.refresh()
        target = target_context.codegen().magic_tuple()
        places = [self._file(cache_root(), sig, target)]
        if SHIPPED.is_dir() and runs_portable_code():
            places.append(self._file(SHIPPED, sig, (target[0], PORTABLE, "")))
        for file in places:
            try:
                stored = file.read_bytes()
            except OSError:
                continue
            with suppress(OSError):
                os.utime(file.parent)  # it is in use: see `sweep`
            return CompileResult._rebuild(target_context, *pickle.loads(stored))
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        file = self._file(cache_root(), sig, data.codegen.magic_tuple())
        # The annotated source is for people who look into Numba, and would carry the paths of this machine.
        stored = serialize.dumps(data._replace(type_annotation="")._reduce())
        unfinished = file.with_suffix(f".{os.getpid()}")  # others may be reading or writing the same
        with suppress(OSError):  # a read-only home: compile anew in each process rather than not at all
            sweep(cache_root(), file.parent)
            unfinished.write_bytes(stored)
            unfinished.replace(file)

    def enable(self) -> None: ...

    def disable(self) -> None: ...

    def flush(self) -> None: ...
