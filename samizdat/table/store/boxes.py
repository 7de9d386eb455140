"""The boxes that people type in. Those that matches are played with are kept beside them, and never change."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row, delete, func, insert, select, update

from samizdat.table.store.schema import boxes
from samizdat.table.store.store import Store


@dataclass(frozen=True)
class OwnBox:
    """A box of somebody's own, as it was typed so far."""

    id: str
    owner: str
    game: str
    text: str


class OwnBoxes:
    """What people keep of their own copies."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def of(self, owner: str, game: str) -> list[OwnBox]:
        """Somebody's boxes for a game, the one changed last first."""
        wanted = select(boxes).where(boxes.c.owner == owner, boxes.c.game == game).order_by(boxes.c.changed.desc())
        with self.store.engine.connect() as db:
            return _boxes(db.execute(wanted).all())

    def find(self, owner: str, id: str) -> OwnBox | None:
        with self.store.engine.connect() as db:
            rows = db.execute(select(boxes).where(boxes.c.id == id, boxes.c.owner == owner)).all()
        return next(iter(_boxes(rows)), None)

    def count(self, owner: str) -> int:
        with self.store.engine.connect() as db:
            return db.execute(select(func.count()).where(boxes.c.owner == owner)).scalar_one()

    def add(self, box: OwnBox) -> None:
        now = time.time()
        values = {"id": box.id, "owner": box.owner, "game": box.game, "text": box.text, "made": now, "changed": now}
        self.store.writer.do(lambda db: db.execute(insert(boxes).values(**values)) and None)

    def change(self, box: OwnBox) -> None:
        wanted = update(boxes).where(boxes.c.id == box.id, boxes.c.owner == box.owner)
        self.store.writer.do(lambda db: db.execute(wanted.values(text=box.text, changed=time.time())) and None)

    def remove(self, owner: str, id: str) -> None:
        """Matches that are played with it keep theirs."""
        wanted = delete(boxes).where(boxes.c.id == id, boxes.c.owner == owner)
        self.store.writer.do(lambda db: db.execute(wanted) and None)


def _boxes(rows: Sequence[Row[Any]]) -> list[OwnBox]:
    return [OwnBox(row.id, row.owner, row.game, row.text) for row in rows]
