"""Logs as lines of JSON, for machines that collect them.

A request is logged by the pattern of its path, since paths hold links to seats; an error by its kind and where it
happened, since its words may tell what somebody decided in secret.
"""

from __future__ import annotations

import json
import logging
import sys
import traceback
from datetime import UTC, datetime
from typing import Any

requests = logging.getLogger("samizdat.requests")


class JsonLines(logging.Formatter):
    """One record, one line."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "from": record.name,
            "process": record.process,
        }
        if record.exc_info and record.exc_info[0] is not None:  # what it was about is not said
            line["error"] = record.exc_info[0].__name__
            frames = traceback.extract_tb(record.exc_info[2])
            line["at"] = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]
            line["message"] = str(record.msg).splitlines()[0]
        else:
            line["message"] = record.getMessage()
        line |= getattr(record, "told", {})
        return json.dumps(line, ensure_ascii=False)


def log_in_json() -> None:
    """Everything that this process logs goes to standard error as lines of JSON, and every request is logged."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    requests.setLevel(logging.INFO)


def request_told(method: str, route: str, status: int, seconds: float) -> None:
    if requests.isEnabledFor(logging.INFO):
        told = {"method": method, "route": route, "status": status, "ms": round(1000 * seconds, 1)}
        requests.info("request", extra={"told": told})
