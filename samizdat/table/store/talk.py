"""What was said at tables, and what people want to read of it."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Table, delete, insert, select, update

from samizdat.table.store.databases import put
from samizdat.table.store.schema import blocks, muted_words, mutes, players, stamps, tables, talk
from samizdat.table.store.store import Store
from samizdat.table.talk import MOST_LINES, Saying

MUTED, BLOCKED = "muted", "blocked"
KINDS: dict[str, Table] = {MUTED: mutes, BLOCKED: blocks}


def said_at(store: Store, id: str) -> list[Saying]:
    """Every line of a table that is kept, sheet by sheet, the oldest first."""
    with store.reading() as db:
        rows = db.execute(select(talk).where(talk.c.table == id).order_by(talk.c.sheet, talk.c.n)).all()
        on = db.execute(select(stamps).where(stamps.c.table == id)).all()
    lines = {
        (row.sheet, row.n): Saying(
            row.sheet, row.n, row.player, row.seat, row.name, row.words, row.at, row.round, row.seatings, row.kind
        )
        for row in rows
    }
    for row in on:
        if (row.sheet, row.n) in lines:
            lines[row.sheet, row.n].stamps.setdefault(row.stamp, set()).add(row.player)
    return list(lines.values())


def keep_line(store: Store, id: str, line: Saying, event: int) -> None:
    """One line more; what its sheet has no room for goes."""
    values = {name: getattr(line, name) for name in ("sheet", "n", "player", "seat", "name", "kind", "round", "at")}

    def write(db: Connection) -> None:
        db.execute(insert(talk).values(table=id, words=line.text, seatings=line.seatings, **values))
        for kept in (talk, stamps):
            old = (kept.c.table == id, kept.c.sheet == line.sheet, kept.c.n <= line.n - MOST_LINES)
            db.execute(delete(kept).where(*old))
        db.execute(update(tables).where(tables.c.id == id).values(talked=event))

    store.writer.do(write)


def keep_stamp(store: Store, id: str, line: Saying, player: str, stamp: str, on: bool, event: int) -> None:

    def write(db: Connection) -> None:
        one: dict[str, Any] = {"table": id, "sheet": line.sheet, "n": line.n, "player": player, "stamp": stamp}
        if on:
            put(db, stamps, **one)
        else:
            db.execute(delete(stamps).where(*[stamps.c[name] == value for name, value in one.items()]))
        db.execute(update(tables).where(tables.c.id == id).values(talked=event))

    store.writer.do(write)


def forget_talk(store: Store, before: float) -> None:
    """What was said at tables whose match has been over since then."""
    old = select(tables.c.id).where(tables.c.status == "over", tables.c.changed < before, tables.c.talked > 0)

    def write(db: Connection) -> None:
        for id in db.execute(old).scalars().all():
            for kept in (stamps, talk):
                db.execute(delete(kept).where(kept.c.table == id))
            db.execute(update(tables).where(tables.c.id == id).values(talked=0))

    store.writer.do(write)


# --- what somebody does not want -------------------------------------------------------------------------


@dataclass(frozen=True)
class Wishes:
    """Whose words and which words somebody does not want to read."""

    muted: frozenset[str] = frozenset()
    blocked: frozenset[str] = frozenset()
    words: tuple[str, ...] = ()


def wishes(store: Store, player: str) -> Wishes:
    with store.reading() as db:
        found = {
            kind: frozenset(db.execute(select(kept.c.other).where(kept.c.player == player)).scalars())
            for kind, kept in KINDS.items()
        }
        words = db.execute(select(muted_words.c.words).where(muted_words.c.player == player)).scalar()
    return Wishes(found[MUTED], found[BLOCKED], tuple(words or ()))


def keep_off(store: Store, player: str, other: str, kind: str, on: bool) -> None:
    """Somebody mutes or blocks another one, or does so no longer."""
    kept = KINDS[kind]

    def write(db: Connection) -> None:
        if on:
            put(db, kept, player=player, other=other, at=time.time())
        else:
            db.execute(delete(kept).where(kept.c.player == player, kept.c.other == other))

    store.writer.do(write)


def kept_off(store: Store, player: str) -> dict[str, list[tuple[str, str]]]:
    """Whom somebody mutes and blocks: each one's id and name."""
    found: dict[str, list[tuple[str, str]]] = {}
    with store.reading() as db:
        for kind, kept in KINDS.items():
            named = select(players.c.id, players.c.name).join(kept, kept.c.other == players.c.id)
            rows = db.execute(named.where(kept.c.player == player).order_by(kept.c.at))
            found[kind] = [(row.id, row.name) for row in rows]
    return found


def keep_words(store: Store, player: str, words: list[str]) -> None:
    store.writer.do(lambda db: put(db, muted_words, "words", player=player, words=words))


def blocks_any(store: Store, owners: list[str], other: str) -> bool:
    """Whether one of some people does not want to meet somebody."""
    wanted = select(blocks.c.player).where(blocks.c.player.in_(owners), blocks.c.other == other)
    with store.reading() as db:
        return db.execute(wanted.limit(1)).first() is not None
