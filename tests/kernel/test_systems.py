"""Where a system lacks what POSIX has: everything is imported and served without it, locks hold by its own means."""

from __future__ import annotations

import ast
import errno
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import samizdat
from samizdat.kernel import systems
from samizdat.table.settings import Claim, ServeError

ROOT = Path(samizdat.__file__).parent
# Modules and names of Python's own library that Windows has not got.
POSIX_ALONE = ("fcntl", "resource", "pwd", "grp", "termios", "tty", "pty", "syslog", "posix_ipc", "crypt", "nis")
NAMES = ("nice", "getuid", "geteuid", "killpg", "setsid", "sched_getaffinity")
HIDDEN = f"""
import sys, os, signal, socket
import asyncio, multiprocessing, subprocess, uuid, tempfile  # Python's own, which know on which system they are
import mimetypes, webbrowser, getpass, shutil, tarfile, zipfile, pathlib, ctypes.util, platform, logging.handlers
class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name in {POSIX_ALONE!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
for name in {POSIX_ALONE!r}:
    sys.modules.pop(name, None)
sys.meta_path.insert(0, Hidden())
for name in {NAMES!r}:
    vars(os).pop(name, None)
for name in ("SIGALRM", "setitimer", "ITIMER_REAL"):
    vars(signal).pop(name, None)
"""
# The lab's packages are nobody's who plays; the rest of ours is imported by `serve`.
EVERYTHING = """
import importlib, pkgutil, samizdat
for found in pkgutil.walk_packages(samizdat.__path__, "samizdat."):
    parts = set(found.name.split(".")[1:])
    if not parts & {"lab", "conformance", "mcp_server", "gpu", "__main__", "migrations"}:
        importlib.import_module(found.name)
print("all of it")
"""


def run(code: str, **more: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, **more)


def test_all_of_it_is_imported_without_what_posix_alone_has() -> None:
    done = run(HIDDEN + EVERYTHING)
    assert done.stdout.endswith("all of it\n"), done.stderr


def test_a_table_is_served_without_it(tmp_path: Path) -> None:
    """In one process: those of the bots are spawned, and have it."""
    serve = f"""
import threading, urllib.request, time, _thread
from pathlib import Path
from samizdat.table.serve import serve
from samizdat.table.settings import Settings
from samizdat.kernel import systems
assert systems.fcntl is None and systems.resource is None
systems.msvcrt = type("Msvcrt", (), {{"LK_NBLCK": 2, "locking": staticmethod(lambda *_: None)}})
import socket
with socket.socket() as probe:
    probe.bind(("127.0.0.1", 0))
    port = probe.getsockname()[1]
def ask():
    for _ in range(1200):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{{port}}/", timeout=60) as answer:
                print("answered", answer.status, len(answer.read()) > 1000, flush=True)
                break
        except OSError:
            time.sleep(0.1)
    _thread.interrupt_main()
threading.Thread(target=ask, daemon=True).start()
if __name__ == "__main__":
    serve("127.0.0.1", port, Settings(data=Path({str(tmp_path)!r}), warm=False), browser=False)
"""
    done = run(HIDDEN + serve)
    assert "answered 200 True" in done.stdout, done.stderr


class Locks:
    """`msvcrt` as far as we use it: one process may lock a byte that no other has locked."""

    LK_NBLCK = 2

    def __init__(self) -> None:
        self.held: dict[tuple[int, int], int] = {}
        self.at: set[int] = set()

    def locking(self, descriptor: int, mode: int, count: int) -> None:
        assert (mode, count) == (self.LK_NBLCK, 1)
        found = os.fstat(descriptor)
        self.at.add(os.lseek(descriptor, 0, os.SEEK_CUR))
        key = (found.st_dev, found.st_ino)
        if self.held.setdefault(key, descriptor) != descriptor:
            raise OSError(errno.EACCES, "somebody has it")


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> Locks:
    locks = Locks()
    monkeypatch.setattr(systems, "fcntl", None)
    monkeypatch.setattr(systems, "resource", None)
    monkeypatch.setattr(systems, "msvcrt", locks)
    return locks


def test_a_folder_is_served_once_by_locks_of_windows(windows: Locks, tmp_path: Path) -> None:
    claim = Claim(tmp_path)
    with pytest.raises(ServeError, match=f"by process {os.getpid()}"):
        Claim(tmp_path)
    assert windows.at == {systems.LOCKED_AT}, "what is written there can be read by others"
    windows.held.clear()
    claim.close()
    Claim(tmp_path).close()


def test_a_lock_of_windows_is_waited_for(windows: Locks, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(systems, "ASK_AGAIN", 0.001)
    with (tmp_path / "x").open("w") as one, (tmp_path / "x").open("w") as other:
        systems.lock(one, wait=True)
        waiting = threading.Thread(target=systems.lock, args=(other, True), daemon=True)
        waiting.start()
        assert waiting.is_alive()
        windows.held.clear()
        waiting.join()


def test_without_limits_there_are_none(windows: Locks) -> None:
    systems.limit_processor(1)
    systems.limit_memory(1)
    assert systems.open_files(65_536) == systems.PLENTY


@pytest.mark.parametrize("alarms", [True, False])
def test_what_takes_too_long_ends(alarms: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not alarms:
        monkeypatch.delattr(signal, "setitimer")
    before = signal.getsignal(signal.SIGINT)

    def think() -> None:
        while True:
            time.sleep(0.001)

    with pytest.raises(TimeoutError), systems.in_time(0.05):
        think()
    with systems.in_time(60.0):
        pass
    assert signal.getsignal(signal.SIGINT) is before
    assert not [
        one for one in threading.enumerate() if isinstance(one, threading.Timer) and not one.finished.is_set()
    ]


def test_a_port_that_is_served_is_not_taken_on_windows_either(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[int] = []
    listening: Any = SimpleNamespace(setsockopt=lambda level, option, value: said.append(option))
    systems.take_port(listening)
    monkeypatch.setattr(socket, "SO_EXCLUSIVEADDRUSE", -5, raising=False)
    systems.take_port(listening)
    assert said == [socket.SO_REUSEADDR, -5]


def calls_and_imports() -> Iterator[tuple[str, ast.AST]]:
    for path in sorted(ROOT.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            yield f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 0)}", node


def test_texts_are_read_and_written_as_utf_8() -> None:
    """Unless told, Windows takes them for something else."""
    wrong = []
    for place, node in calls_and_imports():
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            before = {"read_text": 0, "write_text": 1}.get(node.func.attr)
            if before is not None and len(node.args) <= before:
                wrong += [place] if not {word.arg for word in node.keywords} & {"encoding", None} else []
    assert wrong == []


def test_nobody_else_imports_what_posix_alone_has() -> None:
    for place, node in calls_and_imports():
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        assert not set(names) & set(POSIX_ALONE), f"{place}: through samizdat.kernel.systems"
