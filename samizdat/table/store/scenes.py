"""Scenes that somebody has open, act by act, where several processes share a database: any of them may be asked for
the next act. One process alone keeps them in memory, as nothing of them need outlive it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row, delete, func, insert, select, update

from samizdat.table.store.schema import practices
from samizdat.table.store.store import CHANNEL, Overtaken, Store

KEPT = 24 * 3600.0  # seconds after its last act


class OpenScenes:
    """All of them."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def add(self, id: str, player: str, game: str, scene: str, names: Sequence[str], keys: Sequence[str]) -> None:
        now = time.time()
        row = {"id": id, "player": player, "game": game, "scene": scene, "names": list(names), "keys": list(keys)}

        def write(db: Connection) -> None:
            db.execute(delete(practices).where(practices.c.changed < now - KEPT))
            db.execute(insert(practices).values(acts=[], events=0, changed=now, **row))

        self.store.writer.do(write, id)

    def keep(self, id: str, acts: Sequence[object]) -> None:
        """All acts so far, the last of them new; Overtaken if another process has kept that many already."""
        number = len(acts)
        known = update(practices).where(practices.c.id == id, practices.c.events == number - 1)

        def write(db: Connection) -> None:
            if not db.execute(known.values(acts=list(acts), events=number, changed=time.time())).rowcount:
                raise Overtaken(id)
            db.execute(select(func.pg_notify(CHANNEL, f"{id} {number}")))

        self.store.writer.do(write, id)

    def events(self, id: str) -> int | None:
        with self.store.reading() as db:
            return db.execute(select(practices.c.events).where(practices.c.id == id)).scalar()

    def read(self, id: str) -> Row[Any] | None:
        with self.store.reading() as db:
            return db.execute(select(practices).where(practices.c.id == id)).first()
