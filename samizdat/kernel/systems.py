"""What systems do in different ways: locks on files, manners of a process, limits. POSIX is what we know; what stands
here for Windows is written by its documentation, and untried."""

from __future__ import annotations

import _thread
import importlib
import os
import signal
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO, Any


def _there(name: str) -> Any:
    """A module of Python's own library, on systems that have it."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


fcntl, msvcrt, resource = _there("fcntl"), _there("msvcrt"), _there("resource")
LOCKED_AT = 1 << 30  # the byte that is locked where locks keep others from reading: far behind what is written
ASK_AGAIN = 0.2  # seconds, where a lock cannot be waited for
PLENTY = 8192  # files, where nobody says how many


def lock(file: IO[Any], wait: bool) -> None:
    """Lock a file until it is closed or the process ends. BlockingIOError if somebody has it, unless one waits."""
    if fcntl is not None:
        fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        return
    while not _locked(file.fileno()):
        if not wait:
            raise BlockingIOError
        time.sleep(ASK_AGAIN)


def _locked(descriptor: int) -> bool:
    """The same on Windows."""
    os.lseek(descriptor, LOCKED_AT, os.SEEK_SET)
    try:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
    except OSError:
        return False
    finally:
        os.lseek(descriptor, 0, os.SEEK_SET)
    return True


def be_polite(by: int) -> None:
    """Let others go first, where a process can say so."""
    if hasattr(os, "nice"):
        os.nice(by)


def make_polite(process: int, by: int) -> None:
    """The same for another process; one that has ended already is no trouble to anybody."""
    if hasattr(os, "setpriority"):
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, process, by)


def limit_processor(seconds: int) -> None:
    """This process ends after so much time of the processor, where systems have such limits."""
    if resource is not None:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))


def limit_memory(most: int) -> None:
    """This process may not have more bytes than that, likewise."""
    if resource is not None:
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


def open_files(wanted: int) -> int:
    """As many files as this process may have open, after asking for so many."""
    if resource is None:
        return min(wanted, PLENTY)
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    granted: int = wanted if most == resource.RLIM_INFINITY else min(most, wanted)
    resource.setrlimit(resource.RLIMIT_NOFILE, (granted, most))
    return granted


def take_port(listening: socket.socket) -> None:
    """Before a port is bound: one that a server has just left can be taken again, one that somebody serves cannot. On
    Windows the option of the former name would allow both."""
    ours_alone = getattr(socket, "SO_EXCLUSIVEADDRUSE", None)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR if ours_alone is None else ours_alone, 1)


@contextmanager
def in_time(seconds: float) -> Iterator[None]:
    """Ends in a TimeoutError what takes longer; in the main thread of a process, where bots think. Without alarms of
    the system, only between two steps of Python."""

    def too_late(*_: object) -> None:
        raise TimeoutError

    alarms = hasattr(signal, "setitimer")
    number = signal.SIGALRM if alarms else signal.SIGINT
    timer = threading.Timer(seconds, _thread.interrupt_main)
    before = signal.signal(number, too_late)
    if alarms:
        signal.setitimer(signal.ITIMER_REAL, seconds)
    else:
        timer.start()
    try:
        yield
    finally:
        if alarms:
            signal.setitimer(signal.ITIMER_REAL, 0)
        timer.cancel()
        signal.signal(number, before)
