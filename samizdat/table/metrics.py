"""Numbers for whoever runs a server, in Prometheus' form: how much, how long, how many. Never who or what.

That a decision was made is itself a secret at some tables, so these are only for whoever has the token.
"""

from __future__ import annotations

import asyncio
import os
import struct
import time
from collections.abc import Callable
from contextlib import suppress

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from samizdat.table.events import Event
from samizdat.table.house import House
from samizdat.table.logs import request_told
from samizdat.table.supervising import SHARED_METRICS

EVERY = 5.0  # seconds between two counts of what is there
READINGS = 10  # of what other processes write meanwhile, until one is whole
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)

REQUESTS = Histogram(
    "samizdat_request_seconds", "From a request to the end of its answer; of streams to their beginning.",
    ["method", "route", "status"], buckets=BUCKETS,
)  # fmt: skip
EVENTS = Counter("samizdat_events", "What happened at tables and is stored.", ["kind"])
STREAMS = Gauge("samizdat_streams", "Streams that are open.", multiprocess_mode="livesum")
TABLES = Gauge("samizdat_tables_in_memory", "Tables that a process has in memory.", multiprocess_mode="livesum")
WRITES = Gauge("samizdat_writes_waiting", "Transactions that wait for the disk.", multiprocess_mode="livesum")


class Measured:
    """Every request is measured, by the pattern of its path: paths themselves hold links to seats."""

    def __init__(self, app: ASGIApp, answered: Callable[[str, str, int, float], None] | None = None) -> None:
        self.app, self.answered = app, answered

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        begun, status, streams = time.monotonic(), 500, scope["path"].endswith("/events")

        def count() -> None:
            route = getattr(scope.get("route"), "path", "") or "other"
            seconds = time.monotonic() - begun
            REQUESTS.labels(scope["method"], route, str(status)).observe(seconds)
            request_told(scope["method"], route, status, seconds)
            if self.answered is not None:
                self.answered(scope["method"], route, status, seconds)

        async def told(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                if streams:
                    count()
            await send(message)

        try:
            await self.app(scope, receive, told)
        finally:
            if not streams:
                count()


def happened(event: Event) -> None:
    EVENTS.labels(type(event).__name__).inc()


async def keep_counting(house: House) -> None:
    """What is there, now and then, for as long as this runs."""
    while True:
        tables = [*house.tables.values(), *house.fleeting.values()]
        TABLES.set(len(tables))
        STREAMS.set(sum(len(listeners) for table in tables for listeners in table.listeners.values()))
        WRITES.set(house.store.writer.waiting)
        await asyncio.sleep(EVERY)


def exposition() -> bytes:
    """Everything that was counted, by all processes of this server."""
    if SHARED_METRICS not in os.environ:
        return generate_latest()
    for _ in range(READINGS - 1):
        # The file of a process that begins has nothing in it for a moment; that of one that died goes away.
        with suppress(struct.error, OSError):
            return _of_all()
        time.sleep(0.05)
    return _of_all()


def _of_all() -> bytes:
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return generate_latest(registry)
