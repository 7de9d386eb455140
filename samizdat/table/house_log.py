"""What the processes of a house told last, for its host to read: whatever could be a secret is overtyped before it is
written.

Of our own loggers the sentence is known, since it stands in the code; what is put into it may be anything, so only
numbers and the names of kinds of errors are written. Of other people's loggers not even the sentence is known, as it
may have been put together before: of those only the kind of error is.
"""

from __future__ import annotations

import logging
from collections import deque
from typing import Any

from samizdat.table.store.faring import keep_lines
from samizdat.table.store.store import Store

OVERTYPED = "▒"  # one sign, however long what it covers is
OURS = "samizdat"
MOST_WAITING = 200  # lines until they are written; more are a flood, and the latest tell as much
LONGEST = 300  # characters
LEVELS = {logging.INFO: "info", logging.WARNING: "warn", logging.ERROR: "error", logging.CRITICAL: "error"}


def kinds_of_errors() -> set[str]:
    """The names of all kinds of errors that this program has by now."""
    found, todo = set[str](), [BaseException]
    while todo:
        one = todo.pop()
        if one.__name__ not in found:
            found.add(one.__name__)
            todo += one.__subclasses__()
    return found


class _Safe:
    """A value in a sentence of the log, as it may be read."""

    def __init__(self, value: Any) -> None:
        plain = isinstance(value, int | float) or (isinstance(value, str) and value in kinds_of_errors())
        self.value: Any = value if plain else OVERTYPED

    def __str__(self) -> str:
        return str(self.value)

    def __int__(self) -> int:
        return int(self.value) if isinstance(self.value, int | float) else 0

    def __float__(self) -> float:
        return float(self.value) if isinstance(self.value, int | float) else 0.0


def overtyped(record: logging.LogRecord) -> str:
    """A record as the host may read it."""
    error = record.exc_info[0].__name__ if record.exc_info and record.exc_info[0] is not None else ""
    if record.name.partition(".")[0] != OURS or not isinstance(record.msg, str):
        return f"{record.name.partition('.')[0]}: {error or OVERTYPED}"[:LONGEST]
    given = record.args if isinstance(record.args, tuple) else (record.args,) if record.args else ()
    words = record.msg % tuple(_Safe(one) for one in given) if given else record.msg
    return (f"{words} ({error})" if error else words).splitlines()[0][:LONGEST]


class HouseLog(logging.Handler):
    """Gathers what is told, until it is written with the rest."""

    def __init__(self, store: Store, process: str) -> None:
        super().__init__(logging.INFO)
        self.store, self.process = store, process
        self._waiting: deque[tuple[float, int, str, str]] = deque(maxlen=MOST_WAITING)
        self._count = 0

    def emit(self, record: logging.LogRecord) -> None:
        if record.name == "samizdat.requests" or record.levelno < self._least(record):
            return
        self._count += 1
        level = LEVELS.get(record.levelno, "error" if record.levelno > logging.WARNING else "info")
        self._waiting.append((record.created, self._count, level, overtyped(record)))

    @staticmethod
    def _least(record: logging.LogRecord) -> int:
        """What other people's programs find worth telling is nobody's concern unless something is wrong."""
        return logging.INFO if record.name.partition(".")[0] == OURS else logging.WARNING

    def write(self) -> None:
        """Into the database, in a thread; what cannot be written now is tried again."""
        lines = list(self._waiting)
        if lines:
            keep_lines(self.store, self.process, lines)
            for _ in lines:
                self._waiting.popleft()

    def listen(self) -> None:
        logging.getLogger().addHandler(self)
        logging.getLogger("samizdat.host").setLevel(logging.INFO)  # what the host did is worth a line

    def stop(self) -> None:
        logging.getLogger().removeHandler(self)
