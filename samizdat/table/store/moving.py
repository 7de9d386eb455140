"""Moving everything from one database to another: a folder's SQLite file to PostgreSQL, and back.

What is moved stays where it was. The other side must be empty, and nobody may be at either while it is done; in the
end both are read again and compared.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Table, func, insert, select, text

from samizdat.table.settings import SECRET as SECRET_FILE
from samizdat.table.settings import ServeError, Settings, write_secret
from samizdat.table.store.schema import hosts, jobs, log_lines, metadata, practices, samples, shared, workers
from samizdat.table.store.store import SECRET, Store

# What only processes of the moment need, and the secret; and no browser is the host's in a house that was restored.
PASSING = (jobs, workers, practices, shared, hosts, samples, log_lines)
AT_ONCE = 1000  # rows
DIGEST = 32  # bytes


@dataclass(frozen=True)
class Side:
    """One side of a move."""

    settings: Settings
    store: Store

    @property
    def secret(self) -> str | None:
        """The key that cookies are signed with, if there is one."""
        if not self.store.shared:
            file = self.settings.data / SECRET_FILE
            return file.read_text(encoding="utf-8") or None if file.exists() else None
        with self.store.reading() as db:
            return db.execute(select(shared.c.value).where(shared.c.name == SECRET)).scalar()

    def keep_secret(self, secret: str) -> None:
        if self.store.shared:
            self.store.secret(secret)
        else:
            write_secret(self.settings.data / SECRET_FILE, secret)


@contextmanager
def place(given: str) -> Iterator[Side]:
    """A folder or an address, which nobody else uses meanwhile."""
    known = Settings(Path(), given) if "://" in given else Settings(Path(given))
    store = Store(known.address, known.prepare())
    try:
        if store.shared and _others(store):
            raise ServeError("Somebody is at the database; end all servers and workers on it first.")
        yield Side(known, store)
    finally:
        store.close()


def _others(store: Store) -> int:
    """Connections of other programs to the same database."""
    there = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    mine: int = store.engine.pool.checkedin()  # type: ignore[attr-defined]
    with store.engine.connect() as db:
        return int(db.execute(text(there)).scalar_one()) - max(0, mine - 1)


def lasting() -> list[Table]:
    """The tables of the database that are moved, each after those it points to."""
    return [table for table in metadata.sorted_tables if table not in PASSING]


def digest(db: Connection, table: Table) -> tuple[int, str]:
    """How many rows a table has, and a number that follows from all of them, in whatever order they come."""
    rows, total = 0, 0
    for row in db.execute(select(table).execution_options(yield_per=AT_ONCE)):
        said = json.dumps([_plain(value) for value in row], sort_keys=True, ensure_ascii=False)
        total += int.from_bytes(blake2b(said.encode(), digest_size=DIGEST).digest())
        rows += 1
    return rows, f"{total % (1 << 8 * DIGEST):x}"


def _plain(value: Any) -> Any:
    return {"bytes": bytes(value).hex()} if isinstance(value, bytes | memoryview) else value


def move(given: str, wanted: str) -> dict[str, int]:
    """Everything from one place to another; how many rows of what. ServeError where that cannot be."""
    with place(given) as source, place(wanted) as target:
        if source.store.shared == target.store.shared and source.settings.address == target.settings.address:
            raise ServeError("Both are the same place; name another one to move to.")
        with target.store.engine.connect() as db:
            full = [table.name for table in lasting() if db.execute(select(func.count()).select_from(table)).scalar()]
        if full:
            raise ServeError(f"{_named(wanted)} is not empty (it has {', '.join(full)}); nothing was moved.")
        with source.store.engine.connect() as old, target.store.engine.begin() as new:
            moved = copy_all(old, new)
        if (secret := source.secret) is not None:
            target.keep_secret(secret)
        return moved


def copy_all(old: Connection, new: Connection) -> dict[str, int]:
    """Everything, read again and compared; how many rows of what."""
    for table in lasting():
        _copy(old, new, table)
    copied = {}
    for table in lasting():
        rows, said = digest(old, table)
        if (rows, said) != digest(new, table):
            raise ServeError(f"What was written of {table.name} reads otherwise; nothing was copied.")
        copied[table.name] = rows
    return copied


def _named(given: str) -> str:
    return "The database" if "://" in given else f"The folder {given}"


def _copy(old: Connection, new: Connection, table: Table) -> None:
    found = old.execute(select(table).execution_options(yield_per=AT_ONCE))
    for rows in found.mappings().partitions(AT_ONCE):
        new.execute(insert(table), [dict(row) for row in rows])
    counted = table.autoincrement_column
    if counted is not None and new.dialect.name == "postgresql":  # it goes on counting after what was moved
        last = select(func.coalesce(func.max(counted), 0) + 1).scalar_subquery()
        new.execute(select(func.setval(func.pg_get_serial_sequence(f'"{table.name}"', counted.name), last, False)))
