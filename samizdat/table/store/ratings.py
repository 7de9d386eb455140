"""Ratings: which tables count, and what their matches made of their players."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, insert, select, update

from samizdat.table.journal import RESIGNED
from samizdat.table.store.databases import put
from samizdat.table.store.schema import accounts, holders, rated, rating_steps, seatings, seats, tables
from samizdat.table.store.store import Store


@dataclass(frozen=True)
class Strength:
    """How strong somebody is in a game, as far as is known: a mean, and how sure it is."""

    mu: float
    sigma: float


Update = Callable[[Sequence["Strength | None"], Sequence[int]], list[Strength]]  # by ranks; None is a newcomer


def mark(store: Store, table: str) -> None:
    """A table's match will count. The same form may come twice."""
    store.writer.do(lambda db: put(db, rated, table=table))


def is_rated(store: Store, table: str) -> bool:
    with store.engine.connect() as db:
        return db.execute(select(rated.c.table).where(rated.c.table == table)).first() is not None


def pending(store: Store) -> Sequence[str]:
    """Matches that are over and were not counted yet, the oldest first."""
    wanted = select(rated.c.table).join(tables, tables.c.id == rated.c.table)
    wanted = wanted.where(rated.c.settled.is_(None), tables.c.status == "over").order_by(tables.c.changed)
    with store.engine.connect() as db:
        return db.execute(wanted).scalars().all()


def settle(store: Store, table: str, update_by: Update) -> None:
    """Count a match that is over, once. Whose a seat was is who held it when the match began: nobody escapes a result
    by leaving. A match in which somebody had no account, or two seats, does not count."""

    def write(db: Connection) -> None:
        mine = update(rated).where(rated.c.table == table, rated.c.settled.is_(None))
        if not db.execute(mine.values(settled=time.time())).rowcount:
            return
        row = db.execute(select(tables).where(tables.c.id == table)).one()
        if not row.result:  # all agreed to end
            return
        people = [_owner(db, table, seat) for seat in range(row.players)]
        known = [one for one in people if one is not None]
        if len(known) != len(people) or len(set(known)) != len(known):
            return
        last = [_last(db, player, row.game) for player in known]
        gave_up = set(db.execute(select(seatings.c.seat).where(*_given_up(table))).scalars())
        ranks = [row.players + 1 if seat in gave_up else rank for seat, rank in enumerate(row.result["ranks"])]
        before = [Strength(one.mu, one.sigma) if one else None for one in last]
        for player, old, now in zip(known, last, update_by(before, ranks), strict=True):
            db.execute(
                insert(rating_steps).values(
                    player=player, game=row.game, n=old.n + 1 if old else 1, match=table, mu=now.mu, sigma=now.sigma,
                    at=time.time(),
                )
            )  # fmt: skip

    store.writer.do(write)


def _given_up(table: str) -> tuple[ColumnElement[bool], ...]:
    """Seats whose owner resigned: their place is the last, whatever the bot made of it."""
    return seatings.c.table == table, seatings.c.how == RESIGNED


def _owner(db: Connection, table: str, seat: int) -> str | None:
    """The account that held a seat when the match began; None if there was none, or more than one."""
    here = (seats.c.table == table, seats.c.seat == seat)
    first = db.execute(
        select(seatings.c.held)
        .where(seatings.c.table == table, seatings.c.seat == seat)
        .order_by(seatings.c.n)
        .limit(1)
    ).scalar()
    if first is None:
        if db.execute(select(seats.c.kind).where(*here)).scalar_one() != "person":
            return None
        first = (
            db.execute(select(holders.c.player).where(holders.c.table == table, holders.c.seat == seat))
            .scalars()
            .all()
        )
    found = db.execute(select(accounts.c.player).where(accounts.c.player.in_(first))).scalars().all()
    return found[0] if len(found) == 1 else None


def _last(db: Connection, player: str, game: str) -> Row[Any] | None:
    wanted = select(rating_steps).where(rating_steps.c.player == player, rating_steps.c.game == game)
    return db.execute(wanted.order_by(rating_steps.c.n.desc()).limit(1)).first()


def steps(store: Store, player: str) -> Sequence[Row[Any]]:
    """Every step of a player's ratings, game by game, the first match first."""
    wanted = select(rating_steps).where(rating_steps.c.player == player)
    with store.engine.connect() as db:
        return db.execute(wanted.order_by(rating_steps.c.game, rating_steps.c.n)).all()
