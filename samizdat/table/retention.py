"""What the host lets go: finished tables after a while, guests who left nothing, and tables put in order again."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from sqlalchemy import Connection, delete, select, update
from sqlalchemy.exc import DatabaseError

from samizdat.kernel.errors import SamizdatError
from samizdat.kernel.game import definition
from samizdat.table.house import House
from samizdat.table.importing import stored_state
from samizdat.table.store import leaving
from samizdat.table.store.barring import HostError
from samizdat.table.store.belonging import named
from samizdat.table.store.databases import put
from samizdat.table.store.schema import accounts, frozen, holders, keeping, players, shared, tables
from samizdat.table.store.store import Store
from samizdat.table.tables import OPEN, OVER, PLAYING, LiveTable
from samizdat.table.versions import game_of

DAY = 24 * 3600.0  # seconds
WHAT = ("finished", "open", "guests")  # finished tables, tables that never began, guests who left nothing
LET_GO = "let-go"  # when that was last done, in what processes share


@dataclass(frozen=True)
class Due:
    """What would go."""

    finished: Sequence[str]  # tables
    abandoned: Sequence[str]  # tables that never began
    guests: Sequence[str]


def due(store: Store, finished_days: float, open_days: float, guest_days: float) -> Due:
    """What is older than so many days; 0 keeps it for ever."""
    now = time.time()
    still = select(frozen.c.table)  # what the host wants to look at stays
    with store.reading() as db:

        def old(status: str, days: float) -> Sequence[str]:
            wanted = select(tables.c.id).where(tables.c.status == status, tables.c.changed < now - days * DAY)
            wanted = wanted.where(tables.c.id.not_in(still))
            return db.execute(wanted.order_by(tables.c.changed)).scalars().all() if days else ()

        finished, abandoned = old(OVER, finished_days), old(OPEN, open_days)
        there = select(holders.c.player).union(select(tables.c.opened_by), select(accounts.c.player))
        wanted = select(players.c.id).where(players.c.made < now - guest_days * DAY, players.c.id.not_in(there))
        guests = db.execute(wanted).scalars().all() if guest_days else ()
    return Due(finished, abandoned, guests)


def kept_for(store: Store) -> dict[str, float]:
    """For how many days the house keeps what nobody uses; 0 is for ever."""
    with store.reading() as db:
        said = {row.what: row.days for row in db.execute(select(keeping))}
    return {what: said.get(what, 0.0) for what in WHAT}


def keep_for(store: Store, days: Mapping[str, float]) -> None:
    """What is older goes from now on, once a day."""

    def write(db: Connection) -> None:
        for what in WHAT:
            put(db, keeping, "days", what=what, days=days[what])

    store.writer.do(write)


def let_go_daily(store: Store) -> Due | None:
    """What went, if it was time for that; one of several processes does it."""
    days, now = kept_for(store), time.time()
    if not any(days.values()):
        return None

    def mine(db: Connection) -> bool:
        put(db, shared, name=LET_GO, value="0")
        known = db.execute(select(shared.c.value).where(shared.c.name == LET_GO).with_for_update()).scalar_one()
        if float(known) > now - DAY:
            return False
        db.execute(update(shared).where(shared.c.name == LET_GO).values(value=str(now)))
        return True

    if not store.writer.do(mine):
        return None
    gone = due(store, *(days[what] for what in WHAT))
    let_go(store, gone)
    return gone


def let_go(store: Store, gone: Due) -> None:
    """All of it, with everything that belongs to it."""
    for id in (*gone.finished, *gone.abandoned):
        leaving.remove_table(store, id)
    for player in gone.guests:
        store.writer.do(lambda db, player=player: _forget(db, player))  # type: ignore[misc]


def _forget(db: Connection, player: str) -> None:
    for table, column in named():
        if table is not tables and table is not holders:
            db.execute(delete(table).where(column == player))
    sat = select(holders.c.player).where(holders.c.player == player)
    opened = select(tables.c.opened_by).where(tables.c.opened_by == player)
    db.execute(delete(players).where(players.c.id == player, ~sat.exists(), ~opened.exists()))  # back meanwhile


def repair(store: Store, id: str) -> str:
    """A table whose stored position does not follow from its journal gets the one that does; what was done. The
    decisions themselves are never changed."""
    try:
        row: Any = store.table(id)
        if row is None:
            raise HostError(f"There is no table {id}; `samizdat admin list` shows them.")
        house = House(store, 0, 0)
        try:
            house._read(id)
            return "It is in order: its decisions come to the position that is stored."
        except SamizdatError:
            pass
        finally:
            house.readers.close()
        if row.status == OPEN:
            raise HostError(f"Table {id} is of other rules than this program has; nothing was changed.")
        # Whatever is stored of the position does not count: it is the decisions that do.
        row = SimpleNamespace(**{**row._mapping, "state": bytes(definition(row.game).state.dtype.itemsize)})
        game = game_of(row, store.printed)
        table = LiveTable(row, game, house._chairs(id))
        entries = store.journal(id)
        try:
            table.recall(entries, store.seatings(id))
        except SamizdatError as error:
            raise HostError(
                f"Line {table.journaled + 1} of the {len(entries)} decisions of table {id} cannot be played "
                f"({type(error).__name__}); nothing was changed. Restore the table's backup, or remove it."
            ) from None
    except DatabaseError as error:
        raise HostError(f"The database cannot be read there ({error.orig}); restore a backup.") from None
    assert table.match is not None
    values = {"status": PLAYING if table.match.turn else OVER, **stored_state(table.match)}

    def write(db: Connection) -> None:
        db.execute(update(tables).where(tables.c.id == id).values(**values))
        store.stir(db, [id])

    store.writer.do(write)
    return f"Its {table.match.plies} decisions were played through again, and the position is the one they come to."
