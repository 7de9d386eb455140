"""What processes on one PostgreSQL database tell each other, so that nobody has to ask all the time.

A notice can be lost: with its connection, or with the server. So whoever listens is also told to look around by
itself, whenever a connection begins and now and then besides: nothing depends on a notice but how soon it is seen.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping

from psycopg import AsyncConnection, Error
from psycopg.sql import SQL, Identifier
from sqlalchemy import Engine

log = logging.getLogger("samizdat.store")

SLOWLY = 20.0  # seconds between two looks around
PAUSE = 1.0  # seconds before a lost connection is tried again

Hear = Callable[[str], None]


def plain_address(engine: Engine) -> str:
    """The address of a database as its own library reads it."""
    return engine.url.set(drivername="postgresql").render_as_string(hide_password=False)


async def listen(engine: Engine, channels: Mapping[str, Hear], look_around: Callable[[], Awaitable[None]]) -> None:
    """Hand on what is told on some channels, for as long as this runs."""
    while True:
        try:
            async with await AsyncConnection.connect(plain_address(engine), autocommit=True) as connection:
                for channel in channels:
                    await connection.execute(SQL("LISTEN {}").format(Identifier(channel)))
                while True:
                    await look_around()
                    async for notice in connection.notifies(timeout=SLOWLY):
                        channels[notice.channel](notice.payload)
        except Exception as error:  # the database is away: so is its connection, and what it would have told
            kind = "the database is not reached" if isinstance(error, Error) else "listening failed"
            log.warning("%s (%s); trying again", kind, type(error).__name__)
            await asyncio.sleep(PAUSE)
