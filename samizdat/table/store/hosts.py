"""Who may see the host's page. The database has hashes alone; each function is one transaction.

A link is made by a command, by whoever can read the house's database; it lets one browser in, once and soon. The
browser's right ends by itself, and can be ended.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import time
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row, delete, insert, or_, select, update

from samizdat.table.store.schema import hosts
from samizdat.table.store.store import Store

DAY = 24 * 3600.0  # seconds
LINK_LASTS = 15 * 60.0  # seconds until a link that nobody used is none
LASTS = 30 * DAY  # after which a browser has to come with a new link,
IDLE = 7 * DAY  # or after it was not here for so long
SAVED = 600.0  # seconds; when a browser was last here is not written more often
MOST = 20  # browsers, and as many links; the oldest go
TOKEN = re.compile(r"[\w-]{43}", re.ASCII)


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def new_link(store: Store) -> str:
    """A secret that lets one browser in."""
    token, now = secrets.token_urlsafe(32), time.time()

    def write(db: Connection) -> None:
        _sweep(db, now)
        _add(db, token, True, "", now, now + LINK_LASTS)

    store.writer.do(write)
    return token


def is_link(store: Store, token: str) -> bool:
    with store.reading() as db:
        return TOKEN.fullmatch(token) is not None and _there(db, token, True) is not None


def enter(store: Store, link: str, agent: str) -> str | None:
    """What a browser carries from now on, for a link that is good; nobody comes in by it a second time."""
    token, now = secrets.token_urlsafe(32), time.time()

    def write(db: Connection) -> str | None:
        used = delete(hosts).where(hosts.c.hash == _hash(link), hosts.c.link, hosts.c.until > now)
        if not db.execute(used).rowcount:
            return None
        _sweep(db, now)
        _add(db, token, False, agent[:60], now, now + LASTS)
        return token

    return store.writer.do(write) if TOKEN.fullmatch(link) else None


def is_host(store: Store, token: str) -> bool:
    """Whether a browser that carries this may see the page now; asked anew each time, since it can be ended."""
    if not TOKEN.fullmatch(token):
        return False
    with store.reading() as db:
        row = _there(db, token, False)
    now = time.time()
    if row is None or row.used < now - IDLE:
        return False
    if row.used < now - SAVED:
        seen = update(hosts).where(hosts.c.hash == row.hash).values(used=now)
        store.writer.do(lambda db: db.execute(seen) and None)
    return True


def browsers(store: Store) -> Sequence[Row[Any]]:
    """Those that may see the page."""
    now = time.time()
    wanted = select(hosts).where(~hosts.c.link, hosts.c.until > now, hosts.c.used > now - IDLE)
    with store.reading() as db:
        return db.execute(wanted.order_by(hosts.c.made)).all()


def leave(store: Store, token: str, others: bool = False) -> None:
    """A browser may see it no longer; or it alone may, and links that nobody used are none."""
    mine = hosts.c.hash == _hash(token)
    store.writer.do(lambda db: db.execute(delete(hosts).where(~mine if others else mine)) and None)


def leave_all(store: Store) -> int:
    """No browser may see the page any more, nor does any link let one in; how many there were."""
    return store.writer.do(lambda db: int(db.execute(delete(hosts)).rowcount))


def _there(db: Connection, token: str, link: bool) -> Row[Any] | None:
    wanted = select(hosts).where(hosts.c.hash == _hash(token), hosts.c.link == link, hosts.c.until > time.time())
    return db.execute(wanted).first()


def _add(db: Connection, token: str, link: bool, agent: str, now: float, until: float) -> None:
    db.execute(insert(hosts).values(hash=_hash(token), link=link, agent=agent, made=now, until=until, used=now))
    known = select(hosts.c.hash).where(hosts.c.link == link).order_by(hosts.c.made.desc())
    for old in db.execute(known).scalars().all()[MOST:]:
        db.execute(delete(hosts).where(hosts.c.hash == old))


def _sweep(db: Connection, now: float) -> None:
    db.execute(delete(hosts).where(or_(hosts.c.until < now, hosts.c.used < now - IDLE)))
