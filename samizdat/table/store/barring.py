"""What the host has said: who is kept out, which tables are frozen. Each function is one transaction."""

from __future__ import annotations

import time
from collections.abc import Sequence
from ipaddress import ip_network
from typing import Any

from sqlalchemy import Connection, Row, delete, func, or_, select

from samizdat.kernel.errors import SamizdatError
from samizdat.table.store.clocks import go_on, served_seconds
from samizdat.table.store.databases import put
from samizdat.table.store.schema import accounts, bans, frozen, players, tables
from samizdat.table.store.store import Store

LONGEST_REASON = 200  # characters


class HostError(SamizdatError):
    """Something that the host asked for cannot be done; says why."""


def whom(store: Store, given: str) -> str:
    """Addresses or an id, from what a host types: an address, a network, a name to sign in with or an id."""
    try:
        return str(ip_network(given, strict=False))
    except ValueError:
        pass
    with store.reading() as db:
        known = select(accounts.c.player).where(func.lower(accounts.c.login) == given.lower())
        found = db.execute(known).scalar() or db.execute(select(players.c.id).where(players.c.id == given)).scalar()
    if found is None:
        raise HostError(f"{given} is no address, no name to sign in with and no player's id.")
    return str(found)


def ban(store: Store, whom: str, until: float | None, why: str) -> None:

    def write(db: Connection) -> None:
        reason = why[:LONGEST_REASON]
        put(db, bans, "until", "why", "made", whom=whom, until=until, why=reason, made=time.time())

    store.writer.do(write)


def unban(store: Store, whom: str) -> bool:
    """Whether somebody was kept out."""
    return bool(store.writer.do(lambda db: db.execute(delete(bans).where(bans.c.whom == whom)).rowcount))


def banned(store: Store, now: float) -> Sequence[Row[Any]]:
    """Everybody who is kept out now."""
    with store.reading() as db:
        wanted = select(bans).where(or_(bans.c.until.is_(None), bans.c.until > now))
        return db.execute(wanted.order_by(bans.c.made)).all()


def freeze(store: Store, id: str, why: str, now: float | None = None) -> None:
    """Nobody decides anything at a table from now on, and its clock stands still; `now` in the house, as it was
    written down last unless a server knows better. Every process reads the table again."""
    if store.table(id) is None:
        raise HostError(f"There is no table {id}; `samizdat admin list` shows them.")
    at = served_seconds(store) if now is None else now

    def write(db: Connection) -> None:
        put(db, frozen, "why", table=id, why=why[:LONGEST_REASON], made=time.time(), at=at)
        store.stir(db, [id])

    store.writer.do(write)


def unfreeze(store: Store, id: str, now: float | None = None) -> bool:
    """A table goes on, and its clock from where it stood; whether it was frozen."""
    moment = served_seconds(store) if now is None else now

    def write(db: Connection) -> bool:
        at = db.execute(delete(frozen).where(frozen.c.table == id).returning(frozen.c.at)).scalar()
        if at is None:
            return False
        go_on(db, id, at, moment)
        store.stir(db, [id])
        return True

    return store.writer.do(write)


def frozen_tables(store: Store) -> Sequence[Row[Any]]:
    with store.reading() as db:
        return db.execute(select(frozen).order_by(frozen.c.made)).all()


def frozen_why(store: Store, id: str) -> str | None:
    """What the host said to those at a frozen table; None where nothing is frozen."""
    with store.reading() as db:
        return db.execute(select(frozen.c.why).where(frozen.c.table == id)).scalar()


def running_tables(store: Store, first: int, most: int) -> Sequence[Row[Any]]:
    """Tables that are not over, from a number on: those that are frozen, then the latest. With what is played there:
    only what a spectator may know of it may be shown."""
    still = frozen.c.made.label("froze")
    wanted = select(tables, still, frozen.c.why).outerjoin(frozen, frozen.c.table == tables.c.id)
    order = (still.is_(None), still.desc(), tables.c.changed.desc(), tables.c.id)
    with store.reading() as db:
        return db.execute(wanted.where(tables.c.status != "over").order_by(*order).offset(first).limit(most)).all()


def named_bans(store: Store, now: float) -> list[tuple[Row[Any], str, bool]]:
    """Everybody who is kept out, with the name of a person and whether they have an account; networks have none."""
    rows = banned(store, now)
    wanted = select(players.c.id, players.c.name, accounts.c.player).outerjoin(accounts)
    with store.reading() as db:
        known = {row.id: row for row in db.execute(wanted.where(players.c.id.in_([row.whom for row in rows])))}
    return [
        (row, known[row.whom].name, known[row.whom].player is not None) if row.whom in known else (row, "", False)
        for row in rows
    ]


def all_tables(store: Store, status: str = "", limit: int = 1000) -> Sequence[Any]:
    """Tables, latest first; nothing of what is played there."""
    wanted = select(
        tables.c.id, tables.c.game, tables.c.variant, tables.c.status, tables.c.plies, tables.c.made,
        tables.c.changed, tables.c.opened_by, tables.c.public,
    )  # fmt: skip
    if status:
        wanted = wanted.where(tables.c.status == status)
    with store.reading() as db:
        return db.execute(wanted.order_by(tables.c.changed.desc()).limit(limit)).all()
