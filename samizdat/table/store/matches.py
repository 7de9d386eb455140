"""The finished matches of somebody, as their history lists them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Row, select

from samizdat.table.store.schema import holders, players, tables
from samizdat.table.store.store import Store


def finished(store: Store, player: str) -> Sequence[Row[Any]]:
    """Every finished match of a seat that somebody holds, the newest first."""
    mine = select(holders.c.table).where(holders.c.player == player)
    wanted = select(tables).where(tables.c.status == "over", tables.c.id.in_(mine))
    with store.engine.connect() as db:
        rows = db.execute(wanted.order_by(tables.c.changed.desc())).all()
    return [row for row in rows if row.result]  # not those that all agreed to end


def since(store: Store, player: str) -> float | None:
    """When somebody first came."""
    with store.engine.connect() as db:
        return db.execute(select(players.c.made).where(players.c.id == player)).scalar()
