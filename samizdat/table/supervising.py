"""Processes that are kept running: one that ends is started again, and all end together."""

from __future__ import annotations

import logging
import os
import signal
import threading
import time
from collections.abc import Callable, Sequence
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from typing import Any

log = logging.getLogger("samizdat.serve")

SHORTEST_PAUSE, LONGEST_PAUSE = 1.0, 30.0  # seconds until a process that ended is started again
SHARED_METRICS = "PROMETHEUS_MULTIPROC_DIR"  # the folder through which processes of one server count together
LONG_ENOUGH = 60.0  # seconds after which it was not its beginning that failed
PATIENCE = 10.0  # seconds for those that are to end


def end_with_parent() -> None:
    """This process ends when the one that started it has, however that ended, and also if it did so already."""
    parent = parent_process()
    if parent is None:
        return

    def watch() -> None:
        wait([parent.sentinel])
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()


class KeptProcess:
    """One process that is kept running."""

    def __init__(self, work: Callable[[], None]) -> None:
        self.work, self.pause = work, SHORTEST_PAUSE
        self.start()

    def start(self) -> None:
        self.begun = time.monotonic()
        self.process: Any = get_context("spawn").Process(target=self.work)
        self.process.start()

    def start_again(self, ending: threading.Event) -> None:
        """After a while, longer each time, if it did not even live for one."""
        log.error("process %d ended (exit code %s); starting another", self.process.pid, self.process.exitcode)
        if SHARED_METRICS in os.environ:
            from prometheus_client.multiprocess import mark_process_dead

            mark_process_dead(self.process.pid)  # type: ignore[no-untyped-call]  # what it had is no longer there
        if time.monotonic() - self.begun > LONG_ENOUGH:
            self.pause = SHORTEST_PAUSE
        if not ending.wait(self.pause):
            self.pause = min(2 * self.pause, LONGEST_PAUSE)
            self.start()


def keep_running(works: Sequence[Callable[[], None]]) -> None:
    """A process for each work, until this one is told to end."""
    ending = threading.Event()
    kept: list[KeptProcess] = []
    before = {number: signal.signal(number, lambda *_: ending.set()) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        for work in works:
            kept.append(KeptProcess(work))
        while not ending.is_set():
            wait([one.process.sentinel for one in kept], timeout=1.0)
            for one in kept:
                if not ending.is_set() and not one.process.is_alive():
                    one.start_again(ending)
    finally:
        for one in kept:
            one.process.terminate()
        for one in kept:
            one.process.join(PATIENCE)
            if one.process.is_alive():
                one.process.kill()
        for number, handler in before.items():
            signal.signal(number, handler)
