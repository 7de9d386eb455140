"""How the data folder beside this file was written: a club's evening under the first rules of every game.

It was written once, by the code of that day (commit 2b5be86), and is never written again: its point is that later
code has to read what earlier code left behind. `shown.json.gz` says what that code showed of it.

python -m tests.stored.write FOLDER
"""

from __future__ import annotations

import gzip
import json
import random
import shutil
import sqlite3
import sys
from pathlib import Path
from typing import Any

import samizdat
from samizdat.kernel.match import Match
from samizdat.table.commands import Draft, Play, TakeBack
from samizdat.table.tables import LiveTable
from tests.conftest import plain_games
from tests.table.conftest import Site

OWNER = "p0"


def compose(site: Site, table: LiveTable) -> None:
    """Leave half a draft on every seat that may compose one."""
    match = table.match
    assert match is not None
    for seat in match.turn:
        composed = table.composition(seat)
        if composed is not None and composed.open:
            site.run(site.house.do(table, Draft(seat, "add", sorted(composed.open)[0])))


def take_back(site: Site, table: LiveTable, dice: random.Random) -> bool:
    """Take something back if somebody may, and let whoever it was decide anew."""
    match = table.match
    assert match is not None
    for seat in range(match.seats):
        if table.may_undo(seat):
            site.run(site.house.do(table, TakeBack(seat)))
            if seat in table.match.turn and dice.random() < 0.5:
                site.run(site.house.do(table, Play(seat, [dice.choice(table.match.legal(seat))])))
            return True
    return False


def shown(table: LiveTable) -> dict[str, Any]:
    """What the code of that day showed of a table, to everybody and to each seat."""
    told: dict[str, Any] = {
        "game": table.game.name, "variant": table.game.variant, "players": table.game.players,
        "options": dict(table.game.options), "status": table.status, "imported": table.imported,
        "rules": table.game.rules, "names": table.names,
        "drafts": {str(seat): list(draft) for seat, draft in sorted(table.drafts.items()) if draft},
    }  # fmt: skip
    match = table.match
    if match is not None:
        told["moves"] = [f"{seat} {move}" for seat, move in match.moves]
        told["turn"], told["scores"], told["reason"] = list(match.turn), match.scores, match.reason
        told["viewers"] = {
            str(viewer): {
                "view": match.view(viewer),
                "legal": [] if viewer is None else [str(move) for move in match.legal(viewer)],
                "may_undo": viewer is not None and table.may_undo(viewer),
                "version": table.history(viewer).version,
            }
            for viewer in table.viewers
        }
    return told


def write(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    site = Site(folder)
    dice = random.Random(1917)
    made: list[LiveTable] = []
    for number, game in enumerate(plain_games()):
        running = site.table(game, seed=1000 + number, kinds="pb" if number % 2 and game.players > 1 else "")
        site.wander(running, 12 if game.players == 1 else 25 + 7 * number, seed=number)
        for _ in range(40):
            if take_back(site, running, dice):
                break
            site.wander(running, 1, seed=dice.randrange(1000))
        compose(site, running)
        made.append(running)
        finished = site.table(game, seed=2000 + number)
        site.wander(finished, game.longest, seed=number)
        made.append(finished)
    options: tuple[tuple[str, dict[str, Any]], ...] = (
        ("revolution", {"deals": True, "refund": True, "domination": True, "max_rounds": 9}),
        ("dual-powers", {"variant": "solitaire", "difficulty": 5, "faction": "white"}),
        ("mali-powstancy", {"variant": "extended", "max_jumps_per_turn": 2}),
        ("war-of-whispers", {"advanced": True, "allow_pass": True}),
    )
    for number, (name, chosen) in enumerate(options):
        table = site.table(samizdat.game(name, **chosen), seed=3000 + number)
        site.wander(table, 12 if table.game.players == 1 else 40, seed=number)
        made.append(table)
    site.table(samizdat.game("revolution"), seed=1)  # before any decision
    revolution = samizdat.game("revolution", players=3)
    for plies in (11, revolution.longest):  # an unfinished and a finished match from files
        match = Match(revolution, seed=4000, nonce=5)
        while not match.over and match.plies < plies:
            seat = match.turn[0]
            match.play(seat, dice.choice(match.legal(seat)))
        made.append(site.run(site.house.import_match(match.dumps(), OWNER, "Ludmila")))
    solitaire = Match(samizdat.game("dual-powers", variant="solitaire"), seed=4001, nonce=6)
    while not solitaire.over and not any(ply.script for ply in solitaire._played):
        move = dice.choice(solitaire.legal(0))
        probe = solitaire.copy()
        probe.play(0, move)
        drawn = probe._played[-1].drawn
        if drawn and solitaire.plies > 20:
            solitaire.play(0, move, luck=[drawn[0][0] - 1])  # a real die, typed in
        else:
            solitaire.play(0, move)
    made.append(site.run(site.house.import_match(solitaire.dumps(), OWNER, "Ludmila")))
    browser = site.browser()
    opened = browser.post("/new/war-of-whispers", data={
        "name": "Bogna", "players-standard": "3", "seat-0": "me", "seat-1": "open", "seat-2": "bot-regular",
        "public": "on",
    })  # fmt: skip
    waiting = site.run(site.house.find(opened.headers["location"].rpartition("/")[2]))
    assert waiting.status == "open"
    made.append(waiting)
    told = {table.id: shown(table) for table in made}
    site.close()
    with sqlite3.connect(folder / "samizdat.db") as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        database.execute("PRAGMA journal_mode=DELETE")
    with gzip.GzipFile(folder / "shown.json.gz", "wb", mtime=0) as file:
        file.write(json.dumps(told, ensure_ascii=False, sort_keys=True, indent=0).encode())


if __name__ == "__main__":
    write(Path(sys.argv[1]))
