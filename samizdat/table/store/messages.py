"""Messages to people who are not at the table: how each is reached, what is to be sent, and who is sending it.

A message is put down in the same transaction as what it tells of. Whichever process takes it has it for a while (its
lease), and writes down that it begins right before it does. One that dies before that has sent nothing; one that dies
after it may have sent it or not: so it is sent once more, and never a third time.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, bindparam, delete, func, insert, or_, select, update

from samizdat.table.store.databases import put
from samizdat.table.store.schema import holders, keys, messages, players, reaches, tables, ways
from samizdat.table.store.store import Store

PUSH, MAIL, HOOK = "push", "mail", "hook"
KINDS = (PUSH, MAIL, HOOK)
TURN, BEGUN, ENDED, REMINDER, LATE, TAKEN = "turn", "begun", "over", "reminder", "late", "taken"
PLEA = "plea"
OUT, OVERDUE = "out", "overdue"  # to whoever is late, and to the others, who may end the match
TRIAL, CONFIRM = "trial", "confirm"  # of a way itself
DELAYS = {PUSH: 15.0, MAIL: 3600.0, HOOK: 15.0}  # seconds: who decides meanwhile is not told
LEASE = 60.0  # seconds; every way gives up sooner
MOST_WAYS = 12  # of one person
UNKNOWN = 2  # tries that nobody knows the end of, at most


@dataclass(frozen=True)
class News:
    """Something that people are to be told of a table."""

    kind: str
    players: frozenset[str]


# By which ways some players want to be told; every decision asks for it.
WAYS = (
    select(ways)
    .outerjoin(reaches, reaches.c.player == ways.c.player)
    .where(ways.c.player.in_(bindparam("players", expanding=True)), ways.c.confirmed.is_not(None))
    .where(or_(reaches.c.stopped.is_(None), ~reaches.c.stopped))
)


@dataclass(frozen=True)
class Letter:
    """A message as whoever sends it takes it, with its way and its reader."""

    id: str
    kind: str
    table: str | None
    player: str
    made: float
    failures: int
    way: Row[Any]
    reach: Row[Any] | None


def tell(store: Store, table: str, news: Iterable[News], live: bool) -> None:
    """Put messages down, as part of the event that they tell of. What was not sent yet of the same kind is replaced;
    and who plays against a running clock is not written letters an hour later."""
    told = list(news)
    if not any(one.players for one in told):
        return

    def write(db: Connection) -> None:
        now = time.time()
        everybody = {player for one in told for player in one.players}
        for way in db.execute(WAYS, {"players": list(everybody)}).all():
            if live and way.kind == MAIL:
                continue
            for one in told:
                if way.player not in one.players:
                    continue
                same = (messages.c.way == way.id, messages.c.table == table, messages.c.kind == one.kind)
                db.execute(delete(messages).where(*same, messages.c.tries == 0))
                soon = one.kind in (REMINDER, LATE, TAKEN, OUT, OVERDUE)
                _put_down(db, way, one.kind, table, now + (0.0 if soon else DELAYS[way.kind]))

    store.writer.do(write)


def _put_down(db: Connection, way: Row[Any], kind: str, table: str | None, due: float) -> None:
    id = secrets.token_urlsafe(12)
    row = {"id": id, "way": way.id, "player": way.player, "table": table, "kind": kind, "made": time.time()}
    db.execute(insert(messages).values(**row, due=due, tries=0, failures=0))


class Outbox:
    """What is to be sent, and how people are reached."""

    def __init__(self, store: Store) -> None:
        self.store = store

    # --- sending -----------------------------------------------------------------------------------------

    def take(self, most: int) -> list[Letter]:
        """Messages that are due, for this process alone from now on."""

        def write(db: Connection) -> list[Letter]:
            now = time.time()
            free = or_(messages.c.lease.is_(None), messages.c.lease < now)
            wanted = select(messages).where(messages.c.due <= now, free).order_by(messages.c.due).limit(most)
            found = []
            for row in db.execute(wanted.with_for_update(skip_locked=True)).all():
                if row.tries - row.failures >= UNKNOWN:
                    db.execute(delete(messages).where(messages.c.id == row.id))
                    continue
                taken = update(messages).where(messages.c.id == row.id)
                db.execute(taken.values(lease=now + LEASE))
                way = db.execute(select(ways).where(ways.c.id == row.way)).one()
                reach = db.execute(select(reaches).where(reaches.c.player == row.player)).first()
                found.append(Letter(row.id, row.kind, row.table, row.player, row.made, row.failures, way, reach))
            return found

        if not self.waiting():
            return []
        return self.store.writer.do(write)

    def begin(self, letter: Letter) -> bool:
        """It is sent now; whether it still is to be."""
        open = (messages.c.id == letter.id, messages.c.tries - messages.c.failures < UNKNOWN)
        begun = update(messages).where(*open).values(tries=messages.c.tries + 1)
        return self.store.writer.do(lambda db: db.execute(begun).rowcount == 1)

    def waiting(self) -> bool:
        with self.store.reading() as db:
            return db.execute(select(messages.c.id).where(messages.c.due <= time.time()).limit(1)).first() is not None

    def sent(self, letter: Letter) -> None:
        """It has arrived; of letters, those that would say the same go with it."""

        def write(db: Connection) -> None:
            db.execute(delete(messages).where(messages.c.id == letter.id))
            if letter.way.kind == MAIL and letter.kind == TURN:
                same = (messages.c.way == letter.way.id, messages.c.kind == TURN, messages.c.tries == 0)
                db.execute(delete(messages).where(*same))
            used = {} if letter.kind in (TRIAL, CONFIRM) else {"used": time.time()}
            known = update(ways).where(ways.c.id == letter.way.id)
            db.execute(known.values(failures=0, error=None, failed=None, **used))

        self.store.writer.do(write)

    def drop(self, letter: Letter) -> None:
        """There is nothing to tell any more."""
        self.store.writer.do(lambda db: db.execute(delete(messages).where(messages.c.id == letter.id)) and None)

    def postpone(self, letter: Letter, due: float) -> None:
        """It was not tried: it is to be sent later."""
        later = update(messages).where(messages.c.id == letter.id)
        values = {"due": due, "lease": None}
        self.store.writer.do(lambda db: db.execute(later.values(**values)) and None)

    def failed(self, letter: Letter, error: str, again: float | None) -> None:
        """It was refused, or nobody was there: it is tried again at a moment, or never; its owner can read why."""

        def write(db: Connection) -> None:
            mine = messages.c.id == letter.id
            if again is None:
                db.execute(delete(messages).where(mine))
            else:
                values = {"due": again, "lease": None, "failures": messages.c.failures + 1}
                db.execute(update(messages).where(mine).values(**values))
            known = update(ways).where(ways.c.id == letter.way.id)
            db.execute(known.values(failures=ways.c.failures + 1, error=error[:200], failed=time.time()))

        self.store.writer.do(write)

    def gone(self, way: str) -> None:
        """A way leads nowhere any more."""

        def write(db: Connection) -> None:
            db.execute(delete(messages).where(messages.c.way == way))
            db.execute(delete(ways).where(ways.c.id == way))

        self.store.writer.do(write)

    def still_to_act(self, player: str, table: str) -> bool:
        """Whether a match still waits for somebody."""
        here = select(tables.c.acting).where(tables.c.id == table, tables.c.status == "playing")
        held = select(holders.c.seat).where(holders.c.table == table, holders.c.player == player)
        with self.store.reading() as db:
            acting = db.execute(here).scalar() or 0
            return any((acting >> seat) & 1 for seat in db.execute(held).scalars())

    def still_asked(self, player: str, table: str) -> bool:
        """Whether somebody has still to answer to a plea."""
        here = select(tables.c.plea).where(tables.c.id == table, tables.c.status == "playing")
        held = select(holders.c.seat).where(holders.c.table == table, holders.c.player == player)
        with self.store.reading() as db:
            plea = db.execute(here).scalar()
            if plea is None or plea["no"]:
                return False
            return not set(db.execute(held).scalars()) & set(plea["yes"])

    # --- how somebody is reached -------------------------------------------------------------------------

    def reach(self, player: str) -> Row[Any] | None:
        with self.store.reading() as db:
            return db.execute(select(reaches).where(reaches.c.player == player)).first()

    def set_reach(self, player: str, first: Mapping[str, Any], **values: Any) -> None:
        """Change something about how somebody is reached; `first` is what they have who never said anything."""

        def write(db: Connection) -> None:
            put(db, players, id=player, name="", made=time.time())
            put(db, reaches, player=player, **first)
            if values:
                db.execute(update(reaches).where(reaches.c.player == player).values(**values))
            if values.get("stopped"):
                db.execute(delete(messages).where(messages.c.player == player, messages.c.tries == 0))

        self.store.writer.do(write)

    def ways(self, player: str) -> Sequence[Row[Any]]:
        with self.store.reading() as db:
            return db.execute(select(ways).where(ways.c.player == player).order_by(ways.c.made)).all()

    def add_way(self, player: str, kind: str, address: str, secret: str, label: str, confirmed: bool) -> str | None:
        """A new way, or the one there is with that address; None if somebody has as many as one may."""

        def write(db: Connection) -> str | None:
            same = (ways.c.player == player, ways.c.kind == kind, ways.c.address == address)
            known = db.execute(select(ways).where(*same)).first()
            if known is not None:
                fresh = {"secret": secret} if kind == PUSH else {}
                db.execute(update(ways).where(ways.c.id == known.id).values(failures=0, error=None, **fresh))
                return str(known.id)
            if db.execute(select(func.count()).where(ways.c.player == player)).scalar_one() >= MOST_WAYS:
                return None
            id, now = secrets.token_urlsafe(9), time.time()
            row = {"id": id, "player": player, "kind": kind, "address": address, "secret": secret, "label": label}
            db.execute(insert(ways).values(**row, made=now, confirmed=now if confirmed else None, failures=0))
            return id

        return self.store.writer.do(write)

    def ask(self, player: str, way: str, kind: str) -> None:
        """A message about a way itself: that it be confirmed, or a trial."""

        def write(db: Connection) -> None:
            found = db.execute(select(ways).where(ways.c.id == way, ways.c.player == player)).first()
            if found is not None and (found.confirmed is not None or kind == CONFIRM):
                db.execute(delete(messages).where(messages.c.way == way, messages.c.kind == kind))
                _put_down(db, found, kind, None, time.time())

        self.store.writer.do(write)

    def remove_way(self, player: str, way: str) -> None:
        if any(one.id == way for one in self.ways(player)):
            self.gone(way)

    def by_link(self, secret: str) -> Row[Any] | None:
        """The way by mail whose letters carry this link."""
        with self.store.reading() as db:
            return db.execute(select(ways).where(ways.c.kind == MAIL, ways.c.secret == secret)).first()

    def confirm(self, way: str) -> None:
        now = update(ways).where(ways.c.id == way, ways.c.confirmed.is_(None)).values(confirmed=time.time())
        self.store.writer.do(lambda db: db.execute(now) and None)

    def by_feed(self, feed: str) -> Row[Any] | None:
        with self.store.reading() as db:
            return db.execute(select(reaches).where(reaches.c.feed == feed)).first()

    # --- the house itself --------------------------------------------------------------------------------

    def key(self, name: str, fresh: str) -> str:
        """A key of the house, for all processes that share the database: the one that came first."""
        self.store.writer.do(lambda db: put(db, keys, name=name, value=fresh))
        with self.store.reading() as db:
            return str(db.execute(select(keys.c.value).where(keys.c.name == name)).scalar_one())
