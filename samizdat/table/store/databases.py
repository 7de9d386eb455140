"""The two kinds of database: a file of SQLite's, which one process has for itself, and PostgreSQL, which several
share.

Everything else of the store is written once for both.
"""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import URL, Connection, Engine, Table, create_engine, event, func, make_url, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import ArgumentError, DatabaseError

from samizdat.table.settings import ServeError

SQLITE, POSTGRESQL = "sqlite", "postgresql"
MIGRATING = 1917_1018  # the advisory lock of PostgreSQL that whoever changes the schema holds
ANOTHER = "choose another folder with --data, or another database with --database"


def address_of(given: str) -> URL:
    """An address as people write it, with the driver that we bring."""
    try:
        url = make_url(given)
    except ArgumentError:
        raise ServeError(
            "The database's address cannot be read; write postgresql://user:password@host/name."
        ) from None
    kind = "postgresql" if url.drivername == "postgres" else url.get_backend_name()
    if kind == POSTGRESQL:
        return url.set(drivername="postgresql+psycopg")
    if kind != SQLITE:
        raise ServeError(f"A database of the kind {url.drivername} is not known here; use postgresql:// or a folder.")
    return url


def connected(address: str) -> Engine:
    """The way to a database; nothing is asked of it yet."""
    url = address_of(address)
    # An error's words go to the log: no decisions there.
    if url.get_backend_name() == POSTGRESQL:
        return create_engine(url, hide_parameters=True, pool_pre_ping=True)  # it may have been restarted meanwhile
    engine = create_engine(url, hide_parameters=True)
    event.listen(engine, "connect", _tune)
    return engine


def _tune(connection: Any, _: object) -> None:
    """Write-ahead logging: readers never wait. A decision is on disk when its transaction ends: only FULL waits for
    the disk each time (NORMAL does so now and then, and a power cut loses what was acknowledged since)."""
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.execute("PRAGMA busy_timeout=5000")
    cursor.close()


def put(db: Connection, table: Table, /, *changing: str, **values: Any) -> None:
    """A row, whether or not there is one with its key already: then only the columns `changing` change. Two processes
    may do so at the same time."""
    dialect = postgresql if db.dialect.name == POSTGRESQL else sqlite
    row = dialect.insert(table).values(**values)
    if not changing:
        db.execute(row.on_conflict_do_nothing())
        return
    key = [column.name for column in table.primary_key]
    db.execute(row.on_conflict_do_update(index_elements=key, set_={name: values[name] for name in changing}))


def bring_up(engine: Engine) -> None:
    """The present schema, or one sentence that says why not."""
    try:
        migrate(engine)
    except DatabaseError as error:
        words = " ".join(str(error.orig).split())
        raise ServeError(f"The database cannot be opened ({words}); {ANOTHER}.") from None
    except CommandError:  # a revision that this program does not know
        raise ServeError(
            f"The database was written by a newer version of this program; start that one, or {ANOTHER}. "
            "Nothing was changed."
        ) from None


def migrations() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    return config


def migrate(engine: Engine) -> None:
    """Bring the database up to the present schema. What was in a file before is kept beside it; on PostgreSQL that is
    the host's to do, and of several processes that begin at once one migrates while the others wait."""
    config = migrations()
    known = ScriptDirectory.from_config(config)
    with engine.begin() as connection:
        if engine.dialect.name == POSTGRESQL:
            connection.execute(select(func.pg_advisory_xact_lock(MIGRATING)))
        present = MigrationContext.configure(connection).get_current_revision()
        if present == known.get_current_head():
            return
        known.get_revision(present or "base")  # CommandError if a newer program wrote it
        if present is not None and engine.dialect.name == SQLITE and engine.url.database:
            keep_copy(connection, Path(engine.url.database), present)
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def keep_copy(connection: Connection, database: Path, revision: str) -> Path:
    """A copy of a database file under the number of its schema: whole, write-ahead log included, or not at all."""
    moment = time.strftime("%Y%m%d-%H%M%S")
    copy = database.with_name(f"{database.stem}-{revision}-{moment}{database.suffix}")
    fresh = copy.with_name(f"{copy.name}.new")
    try:
        os.close(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))
        with closing(sqlite3.connect(fresh)) as target:
            connection.connection.dbapi_connection.backup(target)  # type: ignore[union-attr]
        with fresh.open("rb") as written:
            os.fsync(written.fileno())
        fresh.replace(copy)
    except (OSError, sqlite3.Error) as error:
        fresh.unlink(missing_ok=True)
        raise ServeError(
            f"This program needs the database in a newer form, and no copy of it could be kept before the change "
            f"({error}); nothing was changed. Make room in {database.parent}, or choose another folder with --data."
        ) from None
    return copy
