"""Accounts: who can sign in, with what, and which browsers are. Each method is one transaction."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from sqlalchemy import Connection, Row, Select, delete, func, insert, select, update

from samizdat.table.store.schema import accounts, challenges, passkeys, players, sessions, tries
from samizdat.table.store.store import Store

T = TypeVar("T")

MOST_PASSKEYS = 20
MOST_SESSIONS = 50  # of one account; the one unused longest goes


class Accounts:
    """The accounts of one host."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def _first(self, wanted: Select[Any]) -> Row[Any] | None:
        with self.store.engine.connect() as db:
            return db.execute(wanted).first()

    def _all(self, wanted: Select[Any]) -> Sequence[Row[Any]]:
        with self.store.engine.connect() as db:
            return db.execute(wanted).all()

    def _write(self, work: Callable[[Connection], T]) -> T:
        return self.store.writer.do(work)

    # --- accounts ----------------------------------------------------------------------------------------

    def open(self, name: str) -> str:
        """A new account, which nobody can sign in to yet; the player that it is."""
        id, now = secrets.token_urlsafe(18), time.time()

        def write(db: Connection) -> str:
            db.execute(insert(players).values(id=id, name=name, made=now))
            db.execute(insert(accounts).values(player=id, page=secrets.token_urlsafe(9), made=now))
            return id

        return self._write(write)

    def find(self, player: str) -> Row[Any] | None:
        return self._first(select(accounts, players.c.name).join(players).where(accounts.c.player == player))

    def holders(self, ids: Sequence[str]) -> Sequence[Row[Any]]:
        """Players by their ids, and whether they have accounts."""
        wanted = select(players, accounts.c.player.label("account")).outerjoin(accounts)
        return self._all(wanted.where(players.c.id.in_(ids)).order_by(players.c.made))

    def by_page(self, page: str) -> Row[Any] | None:
        return self._first(select(accounts, players.c.name).join(players).where(accounts.c.page == page))

    def by_login(self, login: str) -> Row[Any] | None:
        return self._first(select(accounts).where(accounts.c.login == login))

    def by_paper(self, digest: str) -> str | None:
        row = self._first(select(accounts.c.player).where(accounts.c.paper == digest))
        return None if row is None else str(row.player)

    def set_password(self, player: str, login: str, password: str) -> str:
        """A password, under a name that nobody else signs in with: the wished one with four digits behind it, unless
        the account has a name already. The name."""

        def write(db: Connection) -> str:
            known = db.execute(select(accounts.c.login).where(accounts.c.player == player)).scalar()
            while not known:
                wish = f"{login}-{1000 + secrets.randbelow(9000)}"
                taken = db.execute(select(accounts.c.player).where(accounts.c.login == wish)).first()
                known = wish if taken is None else None
            values = {"login": known, "password": password}
            db.execute(update(accounts).where(accounts.c.player == player).values(**values))
            return str(known)

        return self._write(write)

    def change(self, player: str, **values: Any) -> None:
        self._write(
            lambda db: db.execute(update(accounts).where(accounts.c.player == player).values(**values)) and None
        )

    # --- passkeys ----------------------------------------------------------------------------------------

    def passkeys(self, player: str) -> Sequence[Row[Any]]:
        return self._all(select(passkeys).where(passkeys.c.player == player).order_by(passkeys.c.made))

    def passkey(self, id: str) -> Row[Any] | None:
        return self._first(select(passkeys).where(passkeys.c.id == id))

    def add_passkey(self, player: str, **values: Any) -> bool:
        """Whether it is new, and not one too many."""

        def write(db: Connection) -> bool:
            known = db.execute(select(passkeys.c.id).where(passkeys.c.id == values["id"])).first()
            mine = db.execute(select(func.count()).where(passkeys.c.player == player)).scalar_one()
            if known is not None or mine >= MOST_PASSKEYS:
                return False
            db.execute(insert(passkeys).values(player=player, made=time.time(), **values))
            return True

        return self._write(write)

    def used_passkey(self, id: str, before: int, count: int) -> bool:
        """It signed once more; False if the same signature was handed in twice at the same time."""
        wanted = update(passkeys).where(passkeys.c.id == id, passkeys.c.count == before)
        return self._write(lambda db: db.execute(wanted.values(count=count, used=time.time())).rowcount == 1)

    def rename_passkey(self, player: str, id: str, name: str) -> None:
        wanted = update(passkeys).where(passkeys.c.id == id, passkeys.c.player == player)
        self._write(lambda db: db.execute(wanted.values(name=name)) and None)

    def remove_passkey(self, player: str, id: str) -> bool:
        """False if nobody could sign in any more without it."""

        def write(db: Connection) -> bool:
            row = db.execute(select(accounts).where(accounts.c.player == player)).one()
            others = db.execute(
                select(func.count()).where(passkeys.c.player == player, passkeys.c.id != id)
            ).scalar_one()
            if not (others or row.password or row.paper):
                return False
            db.execute(delete(passkeys).where(passkeys.c.id == id, passkeys.c.player == player))
            return True

        return self._write(write)

    # --- what a passkey is asked to sign -----------------------------------------------------------------

    def ask(self, challenge: str, player: str, until: float) -> None:
        def write(db: Connection) -> None:
            db.execute(delete(challenges).where(challenges.c.until < time.time()))
            db.execute(insert(challenges).values(challenge=challenge, player=player, until=until))

        self._write(write)

    def answered(self, challenge: str, player: str) -> bool:
        """Whether this browser was asked that, and lately; nobody can answer it again."""
        wanted = delete(challenges).where(
            challenges.c.challenge == challenge, challenges.c.player == player, challenges.c.until >= time.time()
        )
        return self._write(lambda db: db.execute(wanted).rowcount == 1)

    # --- browsers that are signed in ---------------------------------------------------------------------

    def sign_in(self, player: str, token: str, agent: str) -> str:
        """One more browser, with the hash of its token; the session's id."""
        id, now = secrets.token_urlsafe(9), time.time()

        def write(db: Connection) -> str:
            mine = select(sessions.c.id).where(sessions.c.player == player).order_by(sessions.c.used.desc())
            for old in db.execute(mine).scalars().all()[MOST_SESSIONS - 1 :]:
                db.execute(delete(sessions).where(sessions.c.id == old))
            values = {"token": token, "player": player, "agent": agent, "made": now, "used": now, "proved": now}
            db.execute(insert(sessions).values(id=id, **values))
            db.execute(update(accounts).where(accounts.c.player == player).values(leaving=None))
            return id

        return self._write(write)

    def session(self, token: str, since: float) -> Row[Any] | None:
        """The browser with that token, if it was used since some moment; and its owner's name."""
        return self._first(
            select(sessions, players.c.name)
            .join(players, players.c.id == sessions.c.player)
            .where(sessions.c.token == token, sessions.c.used >= since)
        )

    def sessions(self, player: str) -> Sequence[Row[Any]]:
        return self._all(select(sessions).where(sessions.c.player == player).order_by(sessions.c.used.desc()))

    def touch(self, id: str) -> None:
        self._write(
            lambda db: db.execute(update(sessions).where(sessions.c.id == id).values(used=time.time())) and None
        )

    def end(self, player: str, *, only: str = "", but: str = "") -> None:
        """End one session of a player, or all but one."""
        wanted = delete(sessions).where(sessions.c.player == player, sessions.c.id != but)
        if only:
            wanted = wanted.where(sessions.c.id == only)
        self._write(lambda db: db.execute(wanted) and None)

    # --- tries -------------------------------------------------------------------------------------------

    def may_try(self, limits: Sequence[tuple[str, int]], since: float) -> bool:
        """Counts a try under each key, unless one of them has had as many since then as it may."""

        def write(db: Connection) -> bool:
            db.execute(delete(tries).where(tries.c.at < since))
            for key, most in limits:
                if db.execute(select(func.count()).where(tries.c.key == key)).scalar_one() >= most:
                    return False
            for key, _ in limits:
                db.execute(insert(tries).values(id=secrets.token_urlsafe(9), key=key, at=time.time()))
            return True

        return self._write(write)

    def forget_tries(self, key: str) -> None:
        self._write(lambda db: db.execute(delete(tries).where(tries.c.key == key)) and None)
