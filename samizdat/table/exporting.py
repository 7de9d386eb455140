"""Everything that is kept of somebody, in one archive: matches, boxes, and what they have done here. Of others it has
what every match file has; keys, links and hashes stay here."""

from __future__ import annotations

import asyncio
import io
import json
import zipfile
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import select

from samizdat.kernel.errors import SamizdatError
from samizdat.table.closed import closed_table, file_of
from samizdat.table.house import House
from samizdat.table.store.accounts import Accounts
from samizdat.table.store.leaving import tables_with
from samizdat.table.store.schema import boxes, holidays, players, rating_steps, reaches, reports, solved, talk, ways
from samizdat.table.store.talk import kept_off, wishes
from samizdat.table.tables import OPEN, OVER


async def archive(house: House, accounts: Accounts, player: str) -> bytes:
    files = await asyncio.to_thread(_kept, house, accounts, player)
    matches = []
    for id in await asyncio.to_thread(tables_with, house.store, player):
        row = await asyncio.to_thread(house.store.table, id)
        if row is None:
            continue
        held = sorted(seat for seat, those in house.store.holders(id).items() if player in those)
        about = {"table": id, "game": row.game, "status": row.status, "opened": _moment(row.made),
                 "opened_by_you": row.opened_by == player, "your_seats": held, "files": []}  # fmt: skip
        for name, text in await _files(house, row, held, player):
            files[f"matches/{name}"] = text
            about["files"].append(name)
        matches.append(about)
    files["matches.json"] = _json(matches)
    return await asyncio.to_thread(_zipped, files)


async def _files(house: House, row: Any, held: list[int], player: str) -> list[tuple[str, str]]:
    """The files of one table: the whole match once it is over, and else what each of somebody's seats knows."""
    name = f"{row.game}-{datetime.fromtimestamp(row.made, UTC):%Y-%m-%d}-{row.id}"
    if row.status == OPEN:
        return []
    if row.status == OVER:
        closed = await asyncio.to_thread(closed_table, house.store, row.id, player)
        return [(f"{name}.json", file_of(closed))]
    try:
        table = await house.find(row.id)
    except SamizdatError:  # of other rules: what is known without them
        closed = await asyncio.to_thread(closed_table, house.store, row.id, player)
        return [(f"{name}.json", file_of(closed))]
    return [(f"{name}-seat-{seat + 1}.json", await house.file(table, seat)) for seat in held]


def _kept(house: House, accounts: Accounts, player: str) -> dict[str, str]:
    with house.store.engine.connect() as db:
        me = db.execute(select(players).where(players.c.id == player)).first()
        own = db.execute(select(boxes).where(boxes.c.owner == player)).all()
        counted = db.execute(select(rating_steps).where(rating_steps.c.player == player)).all()
        said = db.execute(select(talk).where(talk.c.player == player).order_by(talk.c.at)).all()
        told = db.execute(select(reports).where(reports.c.reporter == player).order_by(reports.c.at)).all()
        scenes = db.execute(select(solved).where(solved.c.player == player)).all()
        reach = db.execute(select(reaches).where(reaches.c.player == player)).first()
        own_ways = db.execute(select(ways).where(ways.c.player == player)).all()
        away = db.execute(select(holidays).where(holidays.c.player == player)).all()
    account = accounts.find(player)
    about = {
        "name": me.name if me else "",
        "here_since": _moment(me.made) if me else None,
        "account": account and {"made": _moment(account.made), "name_to_sign_in_with": account.login,
                                "paper_key_made": _moment(account.paper_made)},
        "passkeys": [{"name": row.name, "made": _moment(row.made), "used": _moment(row.used)}
                     for row in accounts.passkeys(player)],
        "browsers": [{"browser": row.agent, "since": _moment(row.made), "used": _moment(row.used)}
                     for row in accounts.sessions(player)],
        "ratings": [{"game": row.game, "match": row.match, "mu": row.mu, "sigma": row.sigma, "at": _moment(row.at)}
                    for row in counted],
        "said": [{"table": row.table, "to": row.sheet, "words": row.words, "at": _moment(row.at)} for row in said],
        "reported": [{"table": row.table, "why": row.why, "words": row.words, "at": _moment(row.at)} for row in told],
        "muted_words": list(wishes(house.store, player).words),
        **{kind: [name for _, name in those] for kind, those in kept_off(house.store, player).items()},
        "notices": reach and {"stopped": reach.stopped, "language": reach.language, "time_zone": reach.zone,
                              "quiet_from_minute": reach.quiet_from, "quiet_to_minute": reach.quiet_to},
        "ways_to_be_told": [{"kind": row.kind, "address": row.address, "name": row.label, "made": _moment(row.made),
                             "confirmed": _moment(row.confirmed), "last_error": row.error} for row in own_ways],
        "holidays": [{"first": row.first, "last": row.last} for row in away],
        "solved": [{"game": row.game, "scene": row.scene, "at": _moment(row.at)} for row in scenes],
    }  # fmt: skip
    return {"about.json": _json(about)} | {f"boxes/{row.game}-{row.id}.toml": row.text for row in own}


def _moment(when: float | None) -> str | None:
    return None if when is None else datetime.fromtimestamp(when, UTC).isoformat(timespec="seconds")


def _json(thing: Any) -> str:
    return json.dumps(thing, indent=1, ensure_ascii=False) + "\n"


def _zipped(files: dict[str, str]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return made.getvalue()
