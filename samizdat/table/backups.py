"""Backups: everything of a house in one file, taken while it is open, proved by playing every match through again.

The file is an SQLite database, wherever the house keeps its own, with the secret that browsers are known by; so a
backup of PostgreSQL can be restored into a folder, and the other way round. Whoever has it can read every hand.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, Row, delete, func, insert, select
from sqlalchemy.exc import DatabaseError

from samizdat.kernel.errors import SamizdatError
from samizdat.table.house import House
from samizdat.table.settings import DATABASE, ServeError, Settings
from samizdat.table.settings import SECRET as SECRET_FILE
from samizdat.table.store.databases import bring_up, connected, put
from samizdat.table.store.moving import copy_all, lasting, place
from samizdat.table.store.schema import backups, shared, tables
from samizdat.table.store.store import SECRET, Store

NAME = "samizdat-%Y%m%d-%H%M%S.backup"
LONGEST_ERROR = 200  # characters
MOST_TOLD = 30  # backups that the house remembers


class BackupError(SamizdatError):
    """There is no good backup; says why."""


@dataclass(frozen=True)
class Proof:
    """What playing every match of a database through again has shown."""

    matches: int  # that came to the very state that is stored
    unproved: tuple[str, ...]  # tables that did not, or that this program has no rules for


def prove(store: Store, ids: Sequence[str] | None = None) -> Proof:
    """Every match, or some of them, from its deal to the state that is stored."""
    house, good, bad = House(store, 0, 0), 0, []
    if ids is None:
        with store.reading() as db:
            ids = db.execute(select(tables.c.id).order_by(tables.c.id)).scalars().all()
    for id in ids:
        try:
            house._read(id)
            good += 1
        except (SamizdatError, DatabaseError, ValueError, KeyError):  # whatever is wrong with it, it is not proved
            bad.append(id)
    house.readers.close()
    return Proof(good, tuple(bad))


def take(settings: Settings, folder: Path, keep: int = 0) -> tuple[Path, Proof]:
    """A backup into a folder, while the house is open; of older ones as many stay as are to be kept. What became of
    it is told in the house's database."""
    engine = _source(settings)
    began, file = time.time(), folder / time.strftime(NAME)
    try:
        proof = _written(settings, engine, file)
        _tell(engine, began, file, proof, None)
    except (OSError, DatabaseError, sqlite3.Error, SamizdatError) as error:
        words = " ".join(str(getattr(error, "orig", None) or error).split())[:LONGEST_ERROR]
        with suppress(DatabaseError):
            _tell(engine, began, file, Proof(0, ()), words)
        raise BackupError(f"There is no new backup ({words}); those before it are as they were.") from None
    finally:
        engine.dispose()
    for old in sorted(folder.glob("samizdat-*.backup"))[:-keep] if keep else ():
        old.unlink()
    return file, proof


def tell_lost(settings: Settings, folder: Path, began: float, words: str) -> None:
    """A backup whose process ended without a word."""
    engine = connected(settings.address)
    try:
        with engine.connect() as db:
            known = db.execute(select(backups.c.made).where(backups.c.made >= began)).first()
        if known is None:
            _tell(engine, began, folder / time.strftime(NAME), Proof(0, ()), words)
    finally:
        engine.dispose()


def last_backups(store: Store, most: int) -> Sequence[Row[Any]]:
    """What became of the last ones, the latest first."""
    with store.reading() as db:
        return db.execute(select(backups).order_by(backups.c.made.desc()).limit(most)).all()


def _source(settings: Settings) -> Engine:
    if not settings.shared and not (settings.data / DATABASE).exists():
        raise BackupError(f"There is no house in {settings.data}; name its folder with --data.")
    return connected(settings.address)


def _written(settings: Settings, engine: Engine, file: Path) -> Proof:
    fresh = file.with_suffix(".new")
    file.parent.mkdir(0o700, parents=True, exist_ok=True)
    os.close(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))
    try:
        if settings.shared:
            _dump(engine, fresh)
        else:
            with closing(sqlite3.connect(fresh)) as target, engine.connect() as db:
                db.connection.dbapi_connection.backup(target)  # type: ignore[union-attr]
        store = Store(f"sqlite:///{fresh}")
        try:
            if not settings.shared:
                secret = (settings.data / SECRET_FILE).read_text(encoding="utf-8")
                store.writer.do(lambda db: put(db, shared, "value", name=SECRET, value=secret))
            _check(store)
            proof = prove(store)
        finally:
            store.close()
        with fresh.open("rb") as written:
            os.fsync(written.fileno())
        fresh.replace(file)
        return proof
    finally:
        for left in file.parent.glob(f"{fresh.name}*"):
            left.unlink()


def _dump(engine: Engine, file: Path) -> None:
    """PostgreSQL as it was at one moment, row by row, compared."""
    copy = connected(f"sqlite:///{file}")
    try:
        bring_up(copy)
        with engine.connect().execution_options(isolation_level="REPEATABLE READ") as old, copy.begin() as new:
            copy_all(old, new)
            secret = old.execute(select(shared.c.value).where(shared.c.name == SECRET)).scalar()
            if secret is not None:
                new.execute(insert(shared).values(name=SECRET, value=secret))
    finally:
        copy.dispose()


def _check(store: Store) -> None:
    with store.engine.connect() as db:
        said = db.exec_driver_sql("PRAGMA integrity_check").scalar()
    if said != "ok":
        raise BackupError(f"what was written is damaged: {said}")


def _tell(engine: Engine, made: float, file: Path, proof: Proof, error: str | None) -> None:
    size = file.stat().st_size if error is None else 0
    with engine.begin() as db:
        db.execute(
            insert(backups).values(
                made=made, file=str(file)[-200:], bytes=size, matches=proof.matches,
                unproved=len(proof.unproved), error=error,
            )
        )  # fmt: skip
        _forget(db)


def _forget(db: Connection) -> None:
    """The house remembers the last few."""
    known = db.execute(select(backups.c.made).order_by(backups.c.made.desc())).scalars().all()
    if len(known) > MOST_TOLD:
        db.execute(delete(backups).where(backups.c.made < known[MOST_TOLD - 1]))


def restore(file: Path, wanted: str) -> tuple[int, Proof]:
    """Everything of a backup into an empty folder or database, once all of it was played through; how many rows."""
    if not file.is_file():
        raise BackupError(f"There is no file {file}.")
    source = _opened(file)
    try:
        proof = prove(source)
        with place(wanted) as target:
            with target.store.engine.connect() as db:
                full = [one.name for one in lasting() if db.execute(select(func.count()).select_from(one)).scalar()]
            if full:
                raise ServeError(f"{wanted} is not empty (it has {', '.join(full)}); nothing was restored.")
            with source.engine.connect() as old, target.store.engine.begin() as new:
                rows = copy_all(old, new)
                secret = old.execute(select(shared.c.value).where(shared.c.name == SECRET)).scalar()
            if secret is not None:
                target.keep_secret(str(secret))
        return sum(rows.values()), proof
    finally:
        source.close()


def _opened(file: Path) -> Store:
    """A backup to read from; one of an older program is brought up to date on the way. The file stays as it is."""
    with file.open("rb") as stream:
        if stream.read(16) != b"SQLite format 3\0":
            raise BackupError(f"{file} is no backup of a house.")
    copy = file.with_name(f"{file.name}.restoring")
    try:
        with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as old, closing(sqlite3.connect(copy)) as new:
            old.backup(new)
        store = Store(f"sqlite:///{copy}", _Gone(copy))  # type: ignore[arg-type]
    except (sqlite3.Error, ServeError) as error:
        _Gone(copy).close()
        raise BackupError(f"{file} cannot be read ({error}); take another backup.") from None
    try:
        _check(store)
    except (BackupError, DatabaseError) as error:
        store.close()
        raise BackupError(f"{file} is damaged ({getattr(error, 'orig', error)}); take another backup.") from None
    return store


class _Gone:
    """A file that is there for as long as a database is open."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def close(self) -> None:
        for left in self.file.parent.glob(f"{self.file.name}*"):
            left.unlink()
